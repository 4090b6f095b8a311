"""What every calibrator shares: its one method, the floor under certainty, and doing nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from numpy.typing import ArrayLike
from scipy.special import logit

from polychotomy.core.arrays import Floats, Probabilities
from polychotomy.core.predictions import check_probabilities

# Probabilities nearer to 0 or 1 count as this near: certainty has no finite log-odds.
FLOOR = 1e-6


class Calibrator(Protocol):
    """What maps probabilities, (n, k), to recalibrated ones.

    Each is a small frozen object, which a saved model can carry.

    Examples
    --------
    >>> from polychotomy.calibration import Calibrator
    >>> from polychotomy.calibration import Temperature
    >>> calibrator: Calibrator = Temperature(0.5)
    >>> calibrator.apply([[0.8, 0.2]]).round(3)
    array([[0.667, 0.333]])
    """

    def apply(self, probabilities: ArrayLike) -> Probabilities:
        """Recalibrate new probabilities."""


@dataclass(frozen=True, eq=False)
class Unchanged:
    """No recalibration: what is right stays.

    Examples
    --------
    >>> from polychotomy.calibration import Unchanged
    >>> Unchanged().apply([[0.8, 0.2]])
    array([[0.8, 0.2]])
    """

    def apply(self, probabilities: ArrayLike) -> Probabilities:
        """Return the probabilities as they are."""
        return check_probabilities(probabilities)


def floored_log_odds(p: Probabilities) -> Floats:
    """Log-odds of probabilities, kept `FLOOR` away from 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> floored_log_odds(np.array([0.5, 0.0])).round(2)
    array([  0.  , -13.82])
    """
    odds: Floats = logit(p.clip(FLOOR, 1 - FLOOR))
    return odds


def renormalised(scores: Floats) -> Probabilities:
    """Rows of positive scores, (n, k), divided by their sums.

    Examples
    --------
    >>> import numpy as np
    >>> renormalised(np.array([[0.5, 1.5]]))
    array([[0.25, 0.75]])
    """
    rows: Probabilities = scores / scores.sum(axis=1, keepdims=True)
    return rows
