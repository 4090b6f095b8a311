"""Scores of one dichotomy to probabilities: Platt's sigmoid and isotonic regression.

A calibrator is fitted on scores of samples that the scoring learner has not seen. The sigmoid
follows [P99]_ with the targets and the guarded Newton iteration of [LLW07]_.

References
----------
.. [P99] J. Platt, Probabilistic outputs for support vector machines, Advances in Large Margin
   Classifiers (1999).
.. [LLW07] H.-T. Lin, C.-J. Lin, R. C. Weng, A note on Platt's probabilistic outputs for support
   vector machines, Machine Learning 68 (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression

from polychotomy.core.arrays import Bools, Floats

Method = Literal["sigmoid", "isotonic"]

_ITERATIONS = 100

_SMALLEST_SLOPE = 1e-6  # of the scores' own unit: keeps the order of scores where it means nothing


class Calibrator(Protocol):
    """What turns scores (n,) into logits (n,) of the + side."""

    def logits(self, scores: Floats) -> Floats:
        """Return the calibrated logits of the + side."""
        ...


@dataclass(frozen=True)
class LogisticLink:
    """Scores are logits already: P(+) = 1 / (1 + exp(−score))."""

    def logits(self, scores: Floats) -> Floats:
        """Return the scores as they are."""
        return scores


@dataclass(frozen=True)
class Sigmoid:
    """Platt's sigmoid: logit P(+) = slope · score + intercept."""

    slope: float
    intercept: float

    def logits(self, scores: Floats) -> Floats:
        """Return slope · score + intercept."""
        return self.slope * scores + self.intercept


@dataclass(frozen=True)
class Isotonic:
    """A non-decreasing step function of the score, interpolated, constant beyond the ends.

    Held within Platt's targets: a step that has seen no error is not certain for that.
    """

    regression: IsotonicRegression

    def logits(self, scores: Floats) -> Floats:
        """Return the logit of the isotonic fit."""
        return np.asarray(logit(self.regression.predict(scores)))


def fit_calibrator(
    method: Method,
    scores: Floats,
    positive: Bools,
    weights: Floats,
    *,
    keep_sign: bool = False,
) -> Calibrator:
    """Fit the calibrator named ``method``; ``keep_sign`` as in `fit_sigmoid`."""
    if method == "isotonic":
        targets = _platt_targets(positive, weights)
        regression = IsotonicRegression(
            out_of_bounds="clip", y_min=targets.min(), y_max=targets.max()
        )
        return Isotonic(regression.fit(scores, positive.astype(np.float64), sample_weight=weights))
    return fit_sigmoid(scores, positive, weights, keep_sign=keep_sign)


def fit_sigmoid(
    scores: Floats, positive: Bools, weights: Floats, *, keep_sign: bool = False
) -> Sigmoid:
    """Fit logit P(+) = slope · score + intercept by maximum likelihood on Platt's targets.

    The targets are (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2), N± the sums of weights: with them the
    likelihood has a finite maximum even where the scores separate the sides.

    Parameters
    ----------
    scores : (n,) floats
        Scores of samples that the learner has not seen.
    positive : (n,) bools
        Which of them are on the + side.
    weights : (n,) floats
        Sample weights.
    keep_sign : bool
        Fit the slope alone, kept positive, with intercept 0: then P(+) > ½ iff score > 0, so that
        probabilities never contradict the learner's own decision.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration.dichotomies import fit_sigmoid
    >>> scores = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> fit = fit_sigmoid(scores, scores > 0, np.ones(4))
    >>> round(fit.slope, 4), abs(round(fit.intercept, 12))
    (0.674, 0.0)
    """
    scale = float(np.abs(scores).max(initial=0.0)) or 1.0
    columns = scores[:, np.newaxis] / scale
    if not keep_sign:
        columns = np.column_stack([columns, np.ones_like(scores)])
    coefficients = _newton(columns, _platt_targets(positive, weights), weights, keep_sign)
    slope = float(coefficients[0]) / scale
    if keep_sign:
        return Sigmoid(max(slope, _SMALLEST_SLOPE / scale), 0.0)
    return Sigmoid(slope, float(coefficients[1]))


def _platt_targets(positive: Bools, weights: Floats) -> Floats:
    n_positive, n_negative = weights[positive].sum(), weights[~positive].sum()
    high, low = (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2)
    return np.asarray(np.where(positive, high, low))


def _newton(columns: Floats, targets: Floats, weights: Floats, keep_sign: bool) -> Floats:
    """Minimise Σ w·(log(1 + eᶻ) − t·z), z = columns @ b, by Newton with halving of the step."""
    b = np.zeros(columns.shape[1])
    if not keep_sign:  # the start of [LLW07]_: the logit of the prior
        n_positive = (weights * targets).sum()
        b[1] = np.log(n_positive / (weights.sum() - n_positive))
    ridge = 1e-12 * weights.sum() * np.eye(b.size)  # only where the scores are all equal
    loss = _loss(columns, targets, weights, b)
    for _ in range(_ITERATIONS):
        p = expit(columns @ b)
        gradient = columns.T @ (weights * (p - targets))
        hessian = (columns * (weights * p * (1 - p))[:, np.newaxis]).T @ columns + ridge
        step = np.linalg.solve(hessian, gradient)
        if gradient @ step <= 1e-20 * weights.sum():  # the Newton decrement
            break
        size, trial = 1.0, _loss(columns, targets, weights, b - step)
        while trial > loss - 1e-4 * size * (gradient @ step) and size > 1e-10:
            size /= 2
            trial = _loss(columns, targets, weights, b - size * step)
        if trial >= loss:  # nothing left to gain in floating point
            break
        b, loss = b - size * step, trial
    return b


def _loss(columns: Floats, targets: Floats, weights: Floats, b: Floats) -> float:
    z = columns @ b
    return float(weights @ (np.logaddexp(0.0, z) - targets * z))
