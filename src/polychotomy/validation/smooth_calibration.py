"""Smooth calibration error (J. Błasiok & P. Nakkiran 2023, "Smooth ECE").

Binned calibration errors jump with the bins. This one smooths the residuals with a Gaussian kernel
reflected at 0 and 1,

    smECE_σ = ∫₀¹ | mean_i (y_i − f_i) K_σ(t, f_i) | dt ,

and takes the one width σ* at which the error equals the width.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import dct, idct

from polychotomy.arrays import Floats
from polychotomy.codes.arguments import as_floats
from polychotomy.exceptions import InvalidInput

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
    spectrum = dct(residuals, norm="ortho")
    low, high = 0.0, 1.0
    for _ in range(40):  # the error falls with the width, the width rises: one crossing
        middle = (low + high) / 2
        # smoothing never adds: below the grid's own width only rounding would
        if min(_smoothed_error(spectrum, middle), most) > middle:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _smoothed_error(spectrum: Floats, width: float) -> float:
    """Error at one width: a reflected Gaussian is diagonal in the cosine basis."""
    frequency = np.pi * np.arange(GRID)
    smoothed = idct(spectrum * np.exp(-((frequency * width) ** 2) / 2), norm="ortho")
    return float(np.abs(smoothed).sum())


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
        raise InvalidInput(
            f"forecasts has shape {f.shape} and outcomes {y.shape}; expected (n,) both, n at least "
            "1. For k classes ask for one column, or for the predicted class."
        )
    for name, wrong, values in (
        ("forecasts", ~((f >= 0) & (f <= 1)), f),
        ("outcomes", (y != 0) & (y != 1), y),
    ):
        if wrong.any():
            at = int(wrong.argmax())
            expected = "a probability from 0 to 1" if name == "forecasts" else "0 or 1"
            raise InvalidInput(f"{name}[{at}] is {values[at]:.6g}; expected {expected}.")
    return f, y
