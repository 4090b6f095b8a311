"""The sigmoid: log-odds as a straight line in a score, or in log-odds that are to be recalibrated.

Two fits by one Newton iteration. They differ in what keeps them finite where few cases are
separated: scores have no unit, so `fit_platt` draws the targets in from 0 and 1 ([P99]_, with the
guarded iteration of [LLW07]_); probabilities to be recalibrated are about right already, so
`fit_sigmoid` has a prior around changing nothing.

References
----------
.. [P99] J. Platt, Probabilistic outputs for support vector machines, Advances in Large Margin
   Classifiers (1999).
.. [LLW07] H.-T. Lin, C.-J. Lin, R. C. Weng, A note on Platt's probabilistic outputs for support
   vector machines, Machine Learning 68 (2007).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from polychotomy.calibration.calibrators import floored_log_odds, renormalised
from polychotomy.core.arrays import Bools, Floats, Probabilities
from polychotomy.core.predictions import check_forecasts, check_probabilities

_STEPS = 100  # Newton takes about ten
_SMALLEST_SLOPE = 1e-6  # of the scores' own unit: keeps the order of scores where it means nothing
_CONSTANT = 1e-14  # scores that vary by less of their size vary by rounding only


@dataclass(frozen=True, eq=False)
class Sigmoid:
    """Log-odds slope · x + intercept; of each class's log-odds, renormalised over classes.

    Parameters
    ----------
    slope, intercept : (k,) floats, or one float each for the scores of one dichotomy
        On the scale of log-odds; 1 and 0 change nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import Sigmoid
    >>> Sigmoid(np.ones(2), np.array([0.0, 0.0])).apply([[0.75, 0.25]])
    array([[0.75, 0.25]])
    >>> Sigmoid(2.0, 1.0).logits(np.array([-1.0, 1.0]))
    array([-1.,  3.])
    """

    slope: float | Floats
    intercept: float | Floats

    def logits(self, scores: Floats) -> Floats:
        """Return slope · score + intercept."""
        return self.slope * scores + self.intercept

    def apply(self, probabilities: ArrayLike) -> Probabilities:
        """Recalibrate new probabilities."""
        p = check_probabilities(probabilities, k=np.size(self.slope))
        return renormalised(expit(self.logits(floored_log_odds(p))))


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
    n, ones = len(forecasts.y), np.ones(len(forecasts.y))
    unchanged = np.array([1.0, 0.0])
    lines = np.empty((2, forecasts.n_classes))
    for c, odds in enumerate(floored_log_odds(forecasts.probabilities).T):
        columns = np.column_stack([odds, np.ones(n)])
        true = (forecasts.y == c).astype(np.float64)
        lines[:, c] = _newton(columns, true, ones, unchanged, precision=1.0)
    return Sigmoid(lines[0], lines[1])


def fit_platt(
    scores: Floats,
    positive: Bools,
    weights: Floats | None = None,
    *,
    keep_sign: bool = False,
    keep_order: bool = False,
) -> Sigmoid:
    """Fit logit P(+) = slope · score + intercept by maximum likelihood on Platt's targets.

    Parameters
    ----------
    scores : (n,) floats
        Scores of samples that the learner has not seen.
    positive : (n,) bools
        Which of them are on the + side.
    weights : (n,) floats, optional
        Sample weights.
    keep_sign : bool
        Fit the slope alone, kept positive, with intercept 0: then P(+) > ½ iff score > 0, so that
        probabilities never contradict the learner's own decision.
    keep_order : bool
        Keep the slope positive: scores that rank worse than chance become nearly flat, but stay in
        their own order.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration.sigmoid import fit_platt
    >>> scores = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> fit = fit_platt(scores, scores > 0)
    >>> round(fit.slope, 4), abs(round(fit.intercept, 12))
    (0.674, 0.0)
    """
    weights = np.ones(len(scores)) if weights is None else weights
    low, high = platt_targets(positive, weights)
    targets = np.where(positive, high, low)
    largest = float(np.abs(scores).max(initial=0.0)) or 1.0
    if keep_sign:
        (slope,) = _newton((scores / largest)[:, None], targets, weights, np.zeros(1))
        return Sigmoid(max(float(slope), _SMALLEST_SLOPE) / largest, 0.0)
    # Centred: with a large common offset, slope and intercept would be all but one direction.
    centre, spread = float(scores.mean()), float(scores.std())
    spread = spread if spread > _CONSTANT * largest else largest
    columns = np.column_stack([(scores - centre) / spread, np.ones(len(scores))])
    share = float(weights @ targets / weights.sum())
    start = np.array([0.0, np.log(share / (1 - share))])  # of [LLW07]_: the logit of the prior
    slope, intercept = map(float, _newton(columns, targets, weights, start))
    slope = max(slope, _SMALLEST_SLOPE) if keep_order else slope
    return Sigmoid(slope / spread, intercept - slope * centre / spread)


SHRINKAGE = 10.0
"""Cases at which a dichotomy's own sigmoid weighs as much as that of all of them together."""


def shrink_sigmoid(own: Sigmoid, pooled: Sigmoid, n: float, c: float | None = None) -> Sigmoid:
    """Move a sigmoid to the pooled one: it keeps n/(n + c) of what is its own.

    A slope and an intercept from eight scores are mostly noise, which moves every threshold; from
    hundreds they know better than the pool.

    Parameters
    ----------
    own, pooled : Sigmoid
        Fitted to the scores of one dichotomy, and to those of all.
    n : float
        Cases that the own one has seen.
    c : float, optional
        0 leaves it as it is; infinity gives the pooled one. By default `SHRINKAGE`.

    Examples
    --------
    >>> from polychotomy.calibration.sigmoid import Sigmoid, shrink_sigmoid
    >>> shrink_sigmoid(Sigmoid(3.0, 1.0), Sigmoid(1.0, 0.0), 10, c=30)
    Sigmoid(slope=1.5, intercept=0.25)
    """
    c = SHRINKAGE if c is None else c
    share = n / (n + c) if n > 0 else 0.0
    return Sigmoid(
        share * own.slope + (1 - share) * pooled.slope,
        share * own.intercept + (1 - share) * pooled.intercept,
    )


def platt_targets(positive: Bools, weights: Floats) -> tuple[float, float]:
    """Return 1/(N₋ + 2) and (N₊ + 1)/(N₊ + 2), N± the sums of weights: never certain.

    With them the likelihood has a finite maximum even where the scores separate the sides.

    Examples
    --------
    >>> import numpy as np
    >>> platt_targets(np.array([True, True, False, False]), np.ones(4))
    (0.25, 0.75)
    """
    n_positive, n_negative = float(weights[positive].sum()), float(weights[~positive].sum())
    return 1 / (n_negative + 2), (n_positive + 1) / (n_positive + 2)


def _newton(
    columns: Floats, targets: Floats, weights: Floats, start: Floats, precision: float = 0.0
) -> Floats:
    """Minimise Σ w·(log(1 + eᶻ) − t·z) + ½ precision·|b − start|², z = columns @ b."""

    def loss_at(b: Floats) -> float:
        z = columns @ b
        likelihood = weights @ (np.logaddexp(0.0, z) - targets * z)
        return float(likelihood + precision * ((b - start) ** 2).sum() / 2)

    b, total = start, weights.sum()
    # Where all scores are equal nothing determines the slope; this only stops the division by 0.
    ridge = np.eye(b.size) * max(precision, 1e-12 * total)
    loss = loss_at(b)
    for _ in range(_STEPS):
        p = expit(columns @ b)
        gradient = columns.T @ (weights * (p - targets)) + precision * (b - start)
        hessian = (columns * (weights * p * (1 - p))[:, np.newaxis]).T @ columns + ridge
        step = np.linalg.solve(hessian, gradient)
        decrement = gradient @ step
        if decrement <= 1e-20 * total:
            break
        rounding = 1e-14 * (1 + abs(loss))  # of a sum over all cases: no climb
        size, trial = 1.0, loss_at(b - step)
        while trial > loss + rounding - 1e-4 * size * decrement and size > 1e-10:
            size /= 2
            trial = loss_at(b - size * step)
        b = b - size * step
        if trial >= loss:  # nothing left to gain in floating point
            break
        loss = trial
    return b
