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
from scipy.special import expit, logit

from polychotomy.calibration.calibrators import floored_log_odds, renormalised
from polychotomy.core.arrays import Bools, Floats, Ints, Probabilities
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
    >>> from polychotomy.calibration import Sigmoid
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
    >>> from polychotomy.calibration import fit_sigmoid
    >>> p = np.tile([[0.75, 0.25], [0.25, 0.75]], (500, 1))
    >>> fit_sigmoid(p, np.tile([0, 0, 0, 1, 1, 1, 0, 1], 125)).slope.round(2)  # as often as said
    array([1., 1.])
    """
    forecasts = check_forecasts(probabilities, y)
    n, unchanged = len(forecasts.y), np.array([[1.0, 0.0]])
    lines = np.empty((2, forecasts.n_classes))
    for c, odds in enumerate(floored_log_odds(forecasts.probabilities).T):
        columns = np.column_stack([odds, np.ones(n)])
        true = (forecasts.y == c).astype(np.float64)
        lines[:, c] = _newton(columns, true, np.ones(n), unchanged, _ALL, precision=1.0)[0]
    return Sigmoid(lines[0], lines[1])


_ALL: Ints = np.zeros(1, dtype=np.intp)  # where groups start, if there is one


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
    largest = np.abs(scores).max() or 1.0
    if keep_sign:
        columns = (scores / largest)[:, None]
        slope = _newton(columns, targets, weights, np.zeros((1, 1)), _ALL)[0, 0]
        return Sigmoid(float(max(slope, _SMALLEST_SLOPE) / largest), 0.0)
    # Centred: with a large common offset, slope and intercept would be all but one direction.
    centre = scores.mean()
    spread = scores.std()
    spread = spread if spread > _CONSTANT * largest else largest
    columns = np.column_stack([(scores - centre) / spread, np.ones(len(scores))])
    share = np.average(targets, weights=weights)
    start = np.array([[0.0, logit(share)]])  # [LLW07]_ start at the logit of the prior
    slope, intercept = _newton(columns, targets, weights, start, _ALL)[0]
    slope = max(slope, _SMALLEST_SLOPE) if keep_order else slope
    return Sigmoid(float(slope / spread), float(intercept - slope * centre / spread))


# Of the normal priors by which each dichotomy's sigmoid is held near that of all together.
PRECISION = 3.0


def fit_around(
    pooled: Sigmoid, scores: Floats, positive: Bools, weights: Floats, starts: Ints
) -> Sigmoid:
    """Fit the sigmoids of several dichotomies, each with a normal prior around the pooled one.

    A slope and an intercept from eight scores are mostly noise, which moves every threshold; from
    hundreds they know better than the pool. (Not an average of a free fit and the pooled one: the
    intercept of a free fit has already taken what belongs to the slope, and cost a point of
    accuracy at four samples of a class. Nor Platt's targets: the prior keeps the slope finite.)

    Parameters
    ----------
    pooled : Sigmoid
        Fitted to the scores of all. The prior is of the slope as a multiple of its slope, and of
        the intercept less its intercept, both with `PRECISION`.
    scores, positive, weights
        As for `fit_platt`.
    starts : (g,) ints
        Where the scores of each of g dichotomies begin: all are fitted at the same time, and slope
        and intercept are (g,) arrays. A loop over the pairs of 100 classes took minutes.

    Examples
    --------
    Two scores leave the pooled slope nearly as it is, two thousand learn their own:

    >>> import numpy as np
    >>> from polychotomy.calibration.sigmoid import Sigmoid, fit_around
    >>> scores = np.tile([1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0], 251)[:2002]
    >>> positive = np.tile([1, 1, 1, 0, 0, 0, 0, 1], 251)[:2002] > 0
    >>> fitted = fit_around(Sigmoid(2.0, 0.0), scores, positive, np.ones(2002), np.array([0, 2]))
    >>> fitted.slope.round(1)  # log 3 = 1.1
    array([2.2, 1.1])
    """
    columns = np.column_stack([pooled.slope * scores, np.ones(len(scores))])
    centre = np.tile([[1.0, pooled.intercept]], (starts.size, 1))
    targets = positive.astype(np.float64)
    slope, intercept = _newton(columns, targets, weights, centre, starts, PRECISION).T
    return Sigmoid(slope * pooled.slope, intercept)


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
    columns: Floats,
    targets: Floats,
    weights: Floats,
    start: Floats,
    starts: Ints,
    precision: float = 0.0,
) -> Floats:
    """Minimise Σ w·(log(1 + eᶻ) − t·z) + ½ precision·|b − start|², z = columns @ b.

    For every group of rows at the same time: ``start`` and the result are (g, p), the groups begin
    at ``starts``.
    """
    sizes, p = np.diff(starts, append=len(targets)), columns.shape[1]
    upper, lower = np.triu_indices(p)
    # Column after column: a sum over groups of rows of a matrix takes ten times as long.
    each = [np.ascontiguousarray(column) for column in columns.T]

    def z_at(b: Floats) -> Floats:
        return sum(np.repeat(b[:, i], sizes) * column for i, column in enumerate(each))

    def loss_at(b: Floats, z: Floats) -> Floats:
        likelihood = weights * (np.logaddexp(0.0, z) - targets * z)
        return np.add.reduceat(likelihood, starts) + precision * ((b - start) ** 2).sum(axis=1) / 2

    b, total = start, np.add.reduceat(weights, starts)
    # Where all scores are equal nothing determines the slope; this only stops the division by 0.
    ridge = np.maximum(precision, 1e-12 * total)[:, None, None] * np.eye(p)
    z = z_at(b)
    loss, moving = loss_at(b, z), np.ones(starts.size, dtype=np.bool_)
    for _ in range(_STEPS):
        q = expit(z)
        pull, bend = weights * (q - targets), weights * q * (1 - q)
        gradient = np.column_stack([np.add.reduceat(column * pull, starts) for column in each])
        gradient += precision * (b - start)
        hessian = ridge.copy()
        for i, j in zip(upper, lower, strict=True):
            part = np.add.reduceat(each[i] * each[j] * bend, starts)
            hessian[:, i, j] += part
            hessian[:, j, i] += part if i != j else 0.0
        step = np.linalg.solve(hessian, gradient[:, :, None])[..., 0]
        decrement = np.vecdot(gradient, step)
        moving &= decrement > 1e-16 * total
        if not moving.any():
            break
        rounding = 1e-14 * (1 + np.abs(loss))  # of a sum over all cases: no climb
        size = moving.astype(np.float64)
        while True:
            following = b - size[:, None] * step
            z = z_at(following)
            trial = loss_at(following, z)
            climbs = moving & (trial > loss + rounding - 1e-4 * size * decrement) & (size > 1e-10)
            if not climbs.any():
                break
            size[climbs] /= 2
        # Else nothing is left to gain in floating point, or what is left is this squared.
        moving &= (trial < loss) & (decrement > 1e-10 * total)
        b, loss = following, trial
    return b
