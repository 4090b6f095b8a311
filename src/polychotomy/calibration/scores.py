"""Platt's sigmoid: scores to log-odds, never turning the order round."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator

from polychotomy.core.arrays import Bools, Floats

_STEPS = 100  # Newton takes about ten


def fit_sigmoid(scores: Floats, positive: Bools) -> tuple[float, float]:
    """Slope and intercept of the log-odds in the score, by maximum likelihood.

    Platt (1999): the targets are drawn in from 0 and 1, (N⁺ + 1)/(N⁺ + 2) and 1/(N⁻ + 2), so that
    the fit is finite where the classes are separated. The slope is kept above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration.scores import fit_sigmoid
    >>> slope, intercept = fit_sigmoid(np.array([-1.0, 1.0]), np.array([False, True]))
    >>> round(slope, 4), abs(round(intercept, 4))  # log-odds ±ln 2 at ±1
    (0.6931, 0.0)
    """
    n_high, n_low = int(positive.sum()), int((~positive).sum())
    targets = np.where(positive, (n_high + 1) / (n_high + 2), 1 / (n_low + 2))
    centre, spread = float(scores.mean()), float(scores.std()) or 1.0
    design = np.stack([(scores - centre) / spread, np.ones(len(scores))], axis=1)
    slope, intercept = _newton(design, targets)
    # Scores that rank worse than chance: flat, but still in their own order.
    slope = max(slope, 1e-6)
    return float(slope / spread), float(intercept - slope * centre / spread)


def _newton(design: Floats, targets: Floats) -> Floats:
    """Maximise the likelihood of a logistic model, halving steps that lose."""
    beta = np.zeros(design.shape[1])
    loss = _loss(design @ beta, targets)
    for _ in range(_STEPS):
        fitted = expit(design @ beta)
        gradient = design.T @ (fitted - targets)
        curvature = (design * (fitted * (1 - fitted))[:, None]).T @ design
        step = np.linalg.lstsq(curvature, gradient, rcond=1e-12)[0]
        while (trial := _loss(design @ (beta - step), targets)) > loss and np.abs(
            step
        ).max() > 1e-12:
            step = step / 2
        beta = beta - step
        if loss - trial <= 1e-13 * abs(loss):
            break
        loss = trial
    return beta


def _loss(log_odds: Floats, targets: Floats) -> float:
    return float((np.logaddexp(0.0, log_odds) - targets * log_odds).sum())


Response = Literal["predict_proba", "decision_function", "predict"]

Scaling = tuple[float, float]
"""Slope and intercept of the log-odds in a decision function."""


RESPONSES: tuple[Response, ...] = ("predict_proba", "decision_function", "predict")


def response_of(estimator: BaseEstimator) -> Response:
    """Name the first of the three methods that the estimator has.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from polychotomy.calibration.scores import response_of
    >>> response_of(LinearSVC())
    'decision_function'
    """
    return next((name for name in RESPONSES if hasattr(estimator, name)), "predict")


def positive_output(output: NDArray[Any], response: Response, positive_label: object) -> Floats:
    """Bring a method's output for two classes to one number a sample, larger for the second.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration.scores import positive_output
    >>> positive_output(np.array([[0.25, 0.75]]), "predict_proba", 1)
    array([0.5])
    """
    if response == "predict_proba":
        return np.asarray(2.0 * output[:, 1] - 1.0, dtype=np.float64)
    if response == "predict":
        return np.where(output == positive_label, 1.0, -1.0)
    return np.asarray(output, dtype=np.float64)


def find_scaling(values: Floats, response: Response, positive: Bools) -> Scaling:
    """Slope and intercept for a decision function's values; 1 and 0, unused, for the others.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration.scores import find_scaling
    >>> slope, intercept = find_scaling(
    ...     np.array([-10.0, 10.0]), "decision_function", np.array([False, True])
    ... )
    >>> round(slope, 2), abs(round(intercept, 2))  # log-odds ±ln 2 at ±10
    (0.07, 0.0)
    """
    if response != "decision_function":
        return 1.0, 0.0
    # A far outlier on the wrong side would flatten the sigmoid for all the others.
    low, high = np.quantile(values, [0.01, 0.99])
    return fit_sigmoid(np.clip(values, low, high), positive)


def scale(values: Floats, response: Response, scaling: Scaling) -> Floats:
    """Map to [−1, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration.scores import scale
    >>> scale(np.array([0.0, 2.0]), "decision_function", (1.0, 0.0)).round(4)  # 2σ(2) − 1
    array([0.    , 0.7616])
    """
    if response != "decision_function":
        return values
    slope, intercept = scaling
    return np.asarray(np.tanh((slope * values + intercept) / 2))
