"""Fitting the maps of ``calibrators`` to forecasts and what happened.

Parametric ones have a prior worth about one case around "change nothing", so that few or separable
cases cannot drive them to certainty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_softmax

from polychotomy.arrays import Floats
from polychotomy.validation.calibrators import (
    Isotonic,
    Sigmoid,
    Temperature,
    floored_log_odds,
    floored_logs,
)
from polychotomy.validation.forecasts import check_forecasts
from polychotomy.validation.monotone import monotone_fit
from polychotomy.validation.options import require_count


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
        require_count(n_cases, "n_cases")
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
