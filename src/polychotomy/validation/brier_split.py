"""The Brier score as calibration plus refinement, exactly, without bins.

A. H. Murphy (1973) split the score of two classes; T. Dimitriadis, T. Gneiting & A. I. Jordan
(2021, PNAS 118) make the split exact for any forecasts by taking the best monotone recalibration,
found by isotonic regression, in place of bins. The Brier score of k classes is the sum of those of
each class against the rest, and so are its parts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Bools, Floats
from polychotomy.validation.forecasts import Forecasts, check_forecasts
from polychotomy.validation.monotone import monotone_fit


@dataclass(frozen=True, eq=False, kw_only=True)
class BrierSplit:
    """Parts of the Brier score, a number a class each; their sums belong to all classes.

    ``brier = calibration + refinement`` and ``refinement = uncertainty − resolution``; all are at
    least 0.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import split_brier
    >>> split = split_brier(np.array([[0.8, 0.2], [0.8, 0.2]]), np.array([0, 1]))
    >>> split.calibration.sum().round(4), split.refinement.sum().round(4)  # says 0.8, is 0.5
    (np.float64(0.18), np.float64(0.5))
    """

    brier: Floats
    calibration: Floats
    resolution: Floats
    uncertainty: Floats

    @property
    def refinement(self) -> Floats:
        """What perfect recalibration would leave of the score."""
        return self.uncertainty - self.resolution


def split_brier(probabilities: ArrayLike, y: ArrayLike) -> BrierSplit:
    """Split the Brier score of each class against the rest.

    The recalibrating curve is fitted to the forecasts that it judges, so ``calibration`` is above
    0 even for true probabilities, the more so the fewer the cases.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows summing to 1.
    y : (n,) ints
        True class codes, 0 to k − 1.

    Returns
    -------
    BrierSplit

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import split_brier
    >>> split_brier(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0, 1])).brier
    array([0., 0.])
    """
    return split_forecasts(check_forecasts(probabilities, y))


def split_forecasts(forecasts: Forecasts) -> BrierSplit:
    """Split the Brier score of checked forecasts.

    Examples
    --------
    >>> from polychotomy.validation import check_forecasts
    >>> split_forecasts(check_forecasts([[0.5, 0.5]], [0])).calibration
    array([0.25, 0.25])
    """
    p = forecasts.probabilities
    parts = [_split_one(p[:, c], forecasts.y == c) for c in range(forecasts.n_classes)]
    brier, refinement, uncertainty = np.array(parts).T
    return BrierSplit(
        brier=brier,
        calibration=np.maximum(brier - refinement, 0),
        resolution=np.maximum(uncertainty - refinement, 0),
        uncertainty=uncertainty,
    )


def _split_one(p: Floats, true: Bools) -> tuple[float, float, float]:
    """Brier score of one class against the rest, of its best recalibration, and of its share."""
    outcomes = true.astype(float)
    places, values = monotone_fit(p, outcomes)
    recalibrated = values[np.searchsorted(places, p)]
    share = outcomes.mean()
    return (
        float(np.mean((p - outcomes) ** 2)),
        float(np.mean((recalibrated - outcomes) ** 2)),
        float(share * (1 - share)),
    )
