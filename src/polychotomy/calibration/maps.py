"""Maps from probabilities to better ones: temperature, sigmoid, isotonic.

Each is a small frozen object with ``apply``, which a saved model can carry.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression, minimize_scalar
from scipy.special import expit, log_softmax, logit, softmax

from polychotomy.core.arguments import check_count
from polychotomy.core.arrays import Floats, Probabilities
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.forecasts import check_forecasts, check_probabilities

FLOOR = 1e-6
"""Probabilities nearer to 0 or 1 count as this near: certainty has no logarithm to mend."""


class Calibrator(Protocol):
    """What maps probabilities, (n, k), to recalibrated ones.

    Examples
    --------
    >>> from polychotomy.validation import Calibrator
    >>> from polychotomy.validation import Temperature
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


def monotone_fit(x: Floats, outcomes: Floats) -> tuple[Floats, Floats]:
    """Least-squares nondecreasing function of ``x``: its distinct places and values there.

    Parameters
    ----------
    x : (n,) floats
        Forecasts.
    outcomes : (n,) floats
        What happened, 0 or 1.

    Returns
    -------
    places, values : (u,) floats
        The u distinct forecasts, ascending, and the fitted frequency at each.

    Examples
    --------
    >>> import numpy as np
    >>> monotone_fit(np.array([0.1, 0.3, 0.3, 0.8]), np.array([1.0, 0.0, 1.0, 1.0]))[1]
    array([0.66666667, 0.66666667, 1.        ])
    """
    places, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(inverse, outcomes) / counts
    fit = isotonic_regression(means, weights=counts.astype(float))
    return places, np.asarray(fit.x, dtype=float)


def fit_temperature(probabilities: ArrayLike, y: ArrayLike) -> Temperature:
    """Exponent of largest likelihood, with a standard normal prior on its logarithm.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows summing to 1.
    y : (n,) ints
        True class codes, 0 to k − 1.

    Examples
    --------
    Nine in ten where 0.75 was said ask for the square:

    >>> import numpy as np
    >>> from polychotomy.validation import fit_temperature
    >>> fitted = fit_temperature(np.tile([0.75, 0.25], (1000, 1)), np.arange(1000) % 10 // 9)
    >>> round(fitted.exponent, 2)
    2.0
    """
    forecasts = check_forecasts(probabilities, y)
    logs = floored_logs(forecasts.probabilities)
    rows, truth = np.arange(len(logs)), forecasts.y

    def cost(log_exponent: float) -> float:
        likelihood = log_softmax(np.exp(log_exponent) * logs, axis=1)[rows, truth].sum()
        return float(log_exponent**2 / 2 - likelihood)

    best = minimize_scalar(cost, bounds=(-5, 5), method="bounded", options={"xatol": 1e-8})
    return Temperature(float(np.exp(best.x)))


def fit_sigmoid(probabilities: ArrayLike, y: ArrayLike) -> Sigmoid:
    """Sigmoids of largest likelihood, with standard normal priors around slope 1, intercept 0.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows summing to 1.
    y : (n,) ints
        True class codes, 0 to k − 1.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import fit_sigmoid
    >>> p = np.tile([[0.75, 0.25], [0.25, 0.75]], (500, 1))
    >>> fit_sigmoid(p, np.tile([0, 0, 0, 1, 1, 1, 0, 1], 125)).slope.round(2)  # as often as said
    array([1., 1.])
    """
    forecasts = check_forecasts(probabilities, y)
    odds = floored_log_odds(forecasts.probabilities)
    true = (forecasts.y[:, None] == np.arange(odds.shape[1])).astype(float)
    parameters = np.stack([np.ones(odds.shape[1]), np.zeros(odds.shape[1])])  # (2, k)
    for _ in range(100):
        step = _newton_step(parameters, odds, true)
        parameters = parameters - _step_size(parameters, step, odds, true) * step
        if np.abs(step).max() < 1e-9:  # Newton: the next step would be its square
            break
    return Sigmoid(parameters[0], parameters[1])


def fit_isotonic(probabilities: ArrayLike, y: ArrayLike, *, n_cases: int | None = None) -> Isotonic:
    """Nondecreasing curves of least squares, kept off 0 and 1 by 1/(n + 2) for n cases.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows summing to 1.
    y : (n,) ints
        True class codes, 0 to k − 1.
    n_cases : int, optional
        Different cases among the rows, if fewer than rows.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import fit_isotonic
    >>> fit_isotonic(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 1])).values[0]
    array([0.25, 0.75])
    """
    forecasts = check_forecasts(probabilities, y)
    if n_cases is not None:
        check_count("n_cases", n_cases)
    margin = 1 / ((n_cases or forecasts.n_cases) + 2)
    curves = [
        monotone_fit(forecasts.probabilities[:, c], (forecasts.y == c).astype(float))
        for c in range(forecasts.n_classes)
    ]
    return Isotonic(
        tuple(places for places, _ in curves),
        tuple(values.clip(margin, 1 - margin) for _, values in curves),
    )


def _sigmoid_cost(parameters: Floats, odds: Floats, true: Floats) -> Floats:
    """Minus log posterior of each class's sigmoid, (k,)."""
    a, b = parameters
    z = a * odds + b
    prior: Floats = ((a - 1) ** 2 + b**2) / 2
    losses: Floats = (np.logaddexp(0, z) - true * z).sum(axis=0)
    return prior + losses


def _step_size(parameters: Floats, step: Floats, odds: Floats, true: Floats) -> Floats:
    """Share of the Newton step to take, (k,): halved where more would climb."""
    cost = _sigmoid_cost(parameters, odds, true)
    most = cost + 1e-10 * (1 + np.abs(cost))  # sums over cases carry this much rounding
    size = np.ones(odds.shape[1])
    for _ in range(30):
        climbs = _sigmoid_cost(parameters - size * step, odds, true) > most
        if not climbs.any():
            break
        size = np.where(climbs, size / 2, size)
    return size


def _newton_step(parameters: Floats, odds: Floats, true: Floats) -> Floats:
    a, b = parameters
    q = expit(a * odds + b)
    weight = q * (1 - q)
    g_a = ((q - true) * odds).sum(axis=0) + a - 1
    g_b = (q - true).sum(axis=0) + b
    h_aa = (weight * odds**2).sum(axis=0) + 1
    h_ab = (weight * odds).sum(axis=0)
    h_bb = weight.sum(axis=0) + 1
    step: Floats = np.stack([h_bb * g_a - h_ab * g_b, h_aa * g_b - h_ab * g_a]) / (
        h_aa * h_bb - h_ab**2
    )
    return step
