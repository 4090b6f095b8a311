"""Maps from probabilities to better ones: temperature, sigmoid, isotonic.

Each is a small frozen object with ``apply``, which a saved model can carry.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, softmax

from polychotomy.arrays import Floats, Probabilities
from polychotomy.exceptions import InvalidInput
from polychotomy.validation.forecasts import check_probabilities

FLOOR = 1e-6
"""Probabilities nearer to 0 or 1 count as this near: certainty has no logarithm to mend."""


class Calibrator(Protocol):
    """What maps probabilities, (n, k), to recalibrated ones.

    Examples
    --------
    >>> from polychotomy.validation import Calibrator, Temperature
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
    >>> from polychotomy.validation import Unchanged
    >>> Unchanged().apply([[0.8, 0.2]])
    array([[0.8, 0.2]])
    """

    def apply(self, probabilities: ArrayLike) -> Probabilities:
        """Return the probabilities as they are."""
        return check_probabilities(probabilities)


@dataclass(frozen=True, eq=False)
class Temperature:
    """Probabilities to a power, renormalised: p^exponent / Σ p^exponent. One parameter.

    Parameters
    ----------
    exponent : float
        1/temperature: below 1 makes them more cautious, above 1 more sure.

    Examples
    --------
    >>> from polychotomy.validation import Temperature
    >>> Temperature(2.0).apply([[0.75, 0.25]])
    array([[0.9, 0.1]])
    """

    exponent: float

    def __post_init__(self) -> None:
        value = self.exponent
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value < np.inf:
            raise InvalidInput(
                f"exponent is {value!r}; expected a finite number of 0 or more (1 changes nothing)."
            )

    def apply(self, probabilities: ArrayLike) -> Probabilities:
        """Recalibrate new probabilities."""
        logs = floored_logs(check_probabilities(probabilities))
        sharpened: Probabilities = softmax(self.exponent * logs, axis=1)
        return sharpened


@dataclass(frozen=True, eq=False)
class Sigmoid:
    """A sigmoid of each class's log-odds, renormalised over classes (Platt, one against the rest).

    Parameters
    ----------
    slope, intercept : (k,) floats
        On the scale of log-odds; 1 and 0 change nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import Sigmoid
    >>> Sigmoid(np.ones(2), np.array([0.0, 0.0])).apply([[0.75, 0.25]])
    array([[0.75, 0.25]])
    """

    slope: Floats
    intercept: Floats

    def apply(self, probabilities: ArrayLike) -> Probabilities:
        """Recalibrate new probabilities."""
        p = check_probabilities(probabilities, k=len(self.slope))
        return _renormalised(expit(self.slope * floored_log_odds(p) + self.intercept))


@dataclass(frozen=True, eq=False)
class Isotonic:
    """A nondecreasing curve for each class, renormalised over classes.

    Parameters
    ----------
    places, values : tuples of k (u,) float arrays
        Where each curve is known, and its values; straight between, constant outside.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import Isotonic
    >>> curve = (np.array([0.0, 1.0]), np.array([0.25, 0.75]))
    >>> Isotonic((curve[0],) * 2, (curve[1],) * 2).apply([[1.0, 0.0]])
    array([[0.75, 0.25]])
    """

    places: tuple[Floats, ...]
    values: tuple[Floats, ...]

    def apply(self, probabilities: ArrayLike) -> Probabilities:
        """Recalibrate new probabilities."""
        p = check_probabilities(probabilities, k=len(self.places))
        curves = zip(p.T, self.places, self.values, strict=True)
        return _renormalised(np.column_stack([np.interp(*curve) for curve in curves]))


def floored_logs(p: Probabilities) -> Floats:
    """Logarithms of probabilities, those below `FLOOR` taken as it.

    Examples
    --------
    >>> import numpy as np
    >>> floored_logs(np.array([1.0, 0.0])).round(2)
    array([  0.  , -13.82])
    """
    return np.log(np.maximum(p, FLOOR))


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


def _renormalised(scores: Floats) -> Probabilities:
    rows: Probabilities = scores / scores.sum(axis=1, keepdims=True)
    return rows
