"""The Brier score as calibration plus refinement, exactly, without bins.

A. H. Murphy (1973) split the score of two classes; T. Dimitriadis, T. Gneiting & A. I. Jordan
(2021, PNAS 118) make the split exact for any forecasts by taking the best monotone recalibration,
found by isotonic regression, in place of bins. The Brier score of k classes is the sum of those of
each class against the rest, and so are its parts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import dct, idct

from polychotomy.calibration.isotonic import monotone_fit
from polychotomy.core.arguments import as_floats, check_entries, wrong_shape
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.predictions import Forecasts, check_forecasts
from polychotomy.core.result import DataFrame, Result


def brier_parts(p: Floats, y: Ints) -> tuple[Floats, Floats, Floats]:
    """Brier score of each class against the rest, its refinement and its uncertainty, (k,) each.

    Refinement is what perfect recalibration would leave, uncertainty what the share alone has.
    The recalibrating curve is fitted to the forecasts that it judges, so calibration is above 0
    even for true probabilities, the more so the fewer the cases.

    Examples
    --------
    >>> brier, refinement, uncertainty = brier_parts(np.array([[0.8, 0.2]] * 2), np.array([0, 1]))
    >>> brier.sum().round(4), refinement.sum().round(4)  # says 0.8, is 0.5
    (np.float64(0.68), np.float64(0.5))
    """
    truth = y[:, None] == np.arange(p.shape[1])
    recalibrated = np.empty(p.shape)
    for c, column in enumerate(p.T):
        places, values = monotone_fit(column, truth[:, c].astype(float))
        recalibrated[:, c] = values[np.searchsorted(places, column)]
    brier, refinement = (np.square(one - truth).mean(axis=0) for one in (p, recalibrated))
    uncertainty = truth.mean(axis=0) * (1 - truth.mean(axis=0))
    return brier, np.minimum(refinement, np.minimum(brier, uncertainty)), uncertainty


GRID = 4096
"""Cells of [0, 1] on which residuals are smoothed."""


def smooth_calibration_error(forecasts: ArrayLike, outcomes: ArrayLike) -> float:
    """Distance of yes/no forecasts from calibration, between 0 and 1, without bins.

    Parameters
    ----------
    forecasts : (n,) floats
        Probabilities of an event: of one class, or of the predicted class being right.
    outcomes : (n,) bools or 0/1
        Whether it happened.

    Returns
    -------
    float
        smECE of Błasiok & Nakkiran (2023). Above 0 even for true probabilities, by chance: about
        n^(−1/3) times a constant below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import smooth_calibration_error
    >>> f = np.full(1000, 0.7)
    >>> smooth_calibration_error(f, np.arange(1000) % 10 < 7)  # 7 in 10 happen
    0.0
    >>> round(smooth_calibration_error(f, np.arange(1000) % 10 < 4), 3)  # 4 in 10
    0.3
    """
    f, y = _check_events(forecasts, outcomes)
    residuals = _cell_residuals(f, y)
    most = float(np.abs(residuals).sum())
    if most < 1e-12:
        return 0.0
    spectrum, frequency = dct(residuals, norm="ortho"), np.pi * np.arange(GRID)

    def above(width: float) -> float:
        # A reflected Gaussian is diagonal in the cosine basis. Smoothing never adds: below the
        # grid's own width only rounding would.
        smoothed = idct(spectrum * np.exp(-((frequency * width) ** 2) / 2), norm="ortho")
        return min(float(np.abs(smoothed).sum()), most) - width

    from scipy.optimize import brentq  # slow to import

    # The error falls with the width: one crossing, up to rounding at most 1.
    return min(float(brentq(above, 0.0, 1.5)), 1.0)


def _cell_residuals(f: Floats, y: Floats) -> Floats:
    """Mean residual in each cell, a case shared by its two nearest centres."""
    place = np.clip(f * GRID - 0.5, 0, GRID - 1)
    left = np.minimum(place.astype(np.intp), GRID - 2)
    right_share = place - left
    residual = (y - f) / f.size
    on_left = np.bincount(left, residual * (1 - right_share), minlength=GRID)
    on_right = np.bincount(left + 1, residual * right_share, minlength=GRID)
    return np.asarray(on_left + on_right, dtype=np.float64)


def _check_events(forecasts: ArrayLike, outcomes: ArrayLike) -> tuple[Floats, Floats]:
    f, y = as_floats("forecasts", forecasts), as_floats("outcomes", outcomes)
    if f.ndim != 1 or f.shape != y.shape or f.size == 0:
        raise wrong_shape("forecasts", f, f"(n,), n at least 1, as outcomes with {y.shape}")
    check_entries("forecasts", f, (f >= 0) & (f <= 1), "a probability from 0 to 1")
    check_entries("outcomes", y, (y == 0) | (y == 1), "0 or 1")
    return f, y


class ProbabilityScores(Result):
    """Scores of class probabilities, smaller is better.

    Parameters
    ----------
    log_loss : float
        Mean of −log p(true class); infinite if a true class was given probability 0.
    n_infinite : int
        How many forecasts gave their true class probability 0.
    brier : float
        Mean over forecasts of the squared error summed over classes. For two classes this is
        twice the score of the positive class alone.
    calibration, refinement : float
        Its parts: ``brier = calibration + refinement``; those of each class are `brier_parts`.
    smooth_calibration_error : float
        Of the probability of the predicted class.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import score_probabilities
    >>> print(score_probabilities(np.array([[0.8, 0.2], [0.8, 0.2]]), [0, 1]))
    Log loss 0.9163; Brier score 0.6800 = 0.1800 calibration + 0.5000 refinement; \
smooth calibration error 0.3000.
    """

    log_loss: float
    n_infinite: int
    brier: float
    calibration: float
    refinement: float
    smooth_calibration_error: float

    def to_frame(self) -> DataFrame:
        """One row."""
        return self._frame(
            "log_loss", "brier", "calibration", "refinement", "smooth_calibration_error"
        )

    def __str__(self) -> str:
        never = f" ({self.n_infinite} true classes had probability 0)" if self.n_infinite else ""
        return (
            f"Log loss {self.log_loss:.4f}{never}; Brier score {self.brier:.4f} = "
            f"{self.calibration:.4f} calibration + {self.refinement:.4f} refinement; smooth "
            f"calibration error {self.smooth_calibration_error:.4f}."
        )


def score_probabilities(probabilities: ArrayLike, y: ArrayLike) -> ProbabilityScores:
    """Score class probabilities by what users know.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows summing to 1.
    y : (n,) ints or texts
        True class codes, 0 to k − 1, or labels, the columns being those of the sorted labels.

    Returns
    -------
    ProbabilityScores

    Examples
    --------
    >>> from polychotomy.validation import score_probabilities
    >>> score_probabilities([[1.0, 0.0], [1.0, 0.0]], [0, 1]).n_infinite
    1
    """
    return score_forecasts(check_forecasts(probabilities, y))


def score_forecasts(forecasts: Forecasts) -> ProbabilityScores:
    """Score checked forecasts.

    Examples
    --------
    >>> from polychotomy.validation import check_forecasts
    >>> score_forecasts(check_forecasts([[1.0, 0.0]], [0])).log_loss
    0.0
    """
    p, y = forecasts.probabilities, forecasts.y
    losses = log_losses(p, y)
    brier, refinement, _ = brier_parts(p, y)
    return ProbabilityScores(
        log_loss=float(losses.mean()), n_infinite=int(np.isinf(losses).sum()),
        brier=float(brier.sum()), calibration=float((brier - refinement).sum()),
        refinement=float(refinement.sum()),
        smooth_calibration_error=smooth_calibration_error(p.max(axis=1), p.argmax(axis=1) == y),
    )  # fmt: skip


def log_losses(probabilities: Floats, y: Ints) -> Floats:
    """−log p of the true class of each row; inf where it is 0.

    Examples
    --------
    >>> import numpy as np
    >>> log_losses(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0, 1]))
    array([ 0., inf])
    """
    with np.errstate(divide="ignore"):
        # log p is never above 0, and −0 is 0
        return np.abs(np.log(probabilities[np.arange(len(y)), y]))
