"""T96 eqs. (24)–(30) in one pass over the bootstrap fits, with their Monte-Carlo error.

By eq. (40) a sample's four quantities need only three averages over the fits that left it out: of
the predictions, C_A; of their scores, S_k = mean s_k(C_b); of their dispersions, D = mean σ(C_b):

- error S_y (29), aggregated error s_y(C_A) (28),
- variance Σ C_A^k s_k(C_A) − D (25), reversed variance Σ C_A^k S_k − σ(C_A).

So predictions are added and forgotten. The same averages are kept with random exponential weights
on the fits (Rubin's Bayesian bootstrap of the b fits): their spread is the Monte-Carlo error of
finite b. The bootstrap, unlike the jackknife, is right for a vote, which is no smooth function of
the fits; exponential weights, unlike counts, never leave a sample without a fit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.decomposition.losses import Loss, Misclassification, expected_score

QUANTITIES = ("error", "aggregated_error", "aggregation_effect", "variance", "reversed_variance")


_WEIGHTS_SEED = 1996  # the same weights for every block of samples, whatever the blocks

_RESAMPLES = 32  # tell a standard error to one part in eight, and cost as much as the estimates

ROUNDING = 1e-15  # differences of numbers about one that are smaller are none


@dataclass(frozen=True, eq=False)
class Averages:
    """Averages over the fits: row 0 of each array as they are, the others reweighted.

    A sample without a fit has equal probabilities and scores of zero.

    Parameters
    ----------
    aggregated, scores : (1 + resamples, n, k) floats
        C_A and S.
    dispersions : (1 + resamples, n) floats
        D.
    votes : (n, k) floats
        Share of the fits that vote for each class, ties shared.
    counts : (n,) ints
        Number of fits, B_i.
    """

    aggregated: Floats
    scores: Floats
    dispersions: Floats
    votes: Floats
    counts: Ints


def average_fits(planes: Floats, mask: Bools, loss: Loss) -> Averages:
    """Average predictions (k, b, n) of ``b`` fits where ``mask`` (b, n) is true.

    Classes come first and samples last, so that all work runs along contiguous samples.
    Predictions elsewhere are not used, but must be probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Squared
    >>> planes = np.array([[[1.0], [0.5]], [[0.0], [0.5]]])
    >>> average_fits(planes, np.array([[True], [True]]), Squared()).aggregated[0].tolist()
    [[0.75, 0.25]]
    """
    k, rows = len(planes), np.moveaxis(planes, 0, -1)
    scores = np.moveaxis(loss.score(rows), -1, 0)
    never: Bools = np.zeros((k, planes.shape[2]), dtype=np.bool_)
    if scores.max() == np.inf:  # noted and taken out: a matrix product may multiply it by zero
        never = np.any(np.isinf(scores) & mask, axis=1)
        scores = np.where(np.isinf(scores), 0.0, scores)
    # Planes: k of predictions, k of scores, one of dispersions, one of ones.
    terms = np.empty((2 * k + 2, *mask.shape))
    chosen = terms[-1]
    chosen[...] = mask
    np.multiply(planes, chosen, out=terms[:k])
    np.multiply(scores, chosen, out=terms[k:-2])
    np.multiply(loss.dispersion(rows), chosen, out=terms[-2])
    vote = loss if isinstance(loss, Misclassification) else Misclassification()
    votes = (np.moveaxis(vote.votes(rows), -1, 0) * chosen).sum(axis=1)
    sums = draw_weights(len(mask)) @ terms
    counts = np.rint(sums[-1, 0]).astype(np.intp)
    totals = np.where(counts > 0, sums[-1], 1.0)
    means = sums[:-1] / totals
    means[:k, :, counts == 0] = 1.0 / k
    means[k:-1].swapaxes(0, 1)[:, never] = np.inf
    return Averages(
        aggregated=np.moveaxis(means[:k], 0, -1),
        scores=np.moveaxis(means[k:-1], 0, -1),
        dispersions=means[-1],
        votes=np.moveaxis(votes / totals[0], 0, -1),
        counts=counts,
    )


def draw_weights(fits: int) -> Floats:
    """Weights (1 + resamples, fits): ones, then exponential ones, the same at every call.

    Examples
    --------
    >>> draw_weights(3).shape
    (33, 3)
    """
    rng = np.random.default_rng(_WEIGHTS_SEED)
    drawn = rng.standard_exponential((fits, _RESAMPLES))
    return np.concatenate([np.ones((1, fits)), drawn.T])


def sample_quantities(averages: Averages, target: Ints | Floats, loss: Loss) -> Floats:
    """Compute the five QUANTITIES of each sample, (5, 1 + resamples, n).

    ``target`` holds class codes (n,), or the true probabilities (n, k).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Misclassification
    >>> planes, loss = np.array([[[1.0], [0], [0]], [[0], [1], [1]]]), Misclassification()
    >>> averages = average_fits(planes, np.ones((3, 1), dtype=bool), loss)
    >>> sample_quantities(averages, np.array([1]), loss)[:, 0, 0].round(3).tolist()
    [0.333, 0.0, 0.333, 0.333, 0.111]
    """
    aggregated_scores = loss.score(averages.aggregated)
    dispersion = loss.dispersion(averages.aggregated)
    error = _expected(target, averages.scores)
    aggregated_error = _expected(target, aggregated_scores)
    variance = expected_score(averages.aggregated, aggregated_scores) - averages.dispersions
    reverse = expected_score(averages.aggregated, averages.scores) - dispersion
    with np.errstate(invalid="ignore"):
        effect = error - aggregated_error
    # Both infinite: every fit gives the true class probability zero, and so does their average.
    effect[np.isinf(error) & np.isinf(aggregated_error)] = 0.0
    variance, reverse = (np.where(one < ROUNDING, 0.0, one) for one in (variance, reverse))
    return np.stack([error, aggregated_error, effect, variance, reverse])


def _expected(target: Ints | Floats, scores: Floats) -> Floats:
    if target.ndim == 1:
        return scores[:, np.arange(len(target)), target.astype(np.intp)]
    return expected_score(target.astype(np.float64), scores)


def monte_carlo(values: Floats, fits: Floats | Ints | float) -> tuple[Floats, Floats]:
    """Monte-Carlo standard error and bias from reweighted values.

    Parameters
    ----------
    values : (..., 1 + resamples, m) floats
        Row 0 as estimated, the others reweighted.
    fits : float or (m,) floats
        Number of fits behind each, B. Exponential weights vary a mean by (B − 1) / (B + 1) of
        its squared standard error, which is put right; with a single fit nothing is known.

    Returns
    -------
    (..., m) floats, (..., m) floats
        Infinite and zero where the estimate is infinite; NaN where B < 2.

    Examples
    --------
    >>> import numpy as np
    >>> error, bias = monte_carlo(np.array([[1.0], [0.8], [1.2]]), fits=3)
    >>> error.round(6).tolist(), bias.round(6).tolist()
    ([0.4], [0.0])
    """
    count = np.asarray(fits, dtype=np.float64)
    inflation = np.where(count > 1, (count + 1) / np.maximum(count - 1, 1e-300), np.nan)
    estimates, reweighted = values[..., 0, :], values[..., 1:, :]
    infinite = np.isinf(estimates)
    estimates = np.where(infinite, 0.0, estimates)
    reweighted = np.where(infinite[..., None, :], 0.0, reweighted)
    spread = reweighted.std(axis=-2, ddof=1) * np.sqrt(inflation)
    biases = (reweighted.mean(axis=-2) - estimates) * inflation
    return np.where(infinite, np.inf, spread), biases


_EFFECT = QUANTITIES.index("aggregation_effect")


@dataclass(frozen=True, eq=False)
class Block:
    """What a block of samples contributes: its rows, and its sums over each class."""

    aggregated: Floats  # (n, k)
    votes: Floats  # (n, k)
    counts: Ints  # (n,)
    values: Floats  # (5, n)
    sums: Floats  # (5, 1 + resamples, k), over the samples with a fit


def make_block(averages: Averages, y: Ints, loss: Loss) -> Block:
    """Reduce the averages of a block of samples to what the summary needs.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Squared
    >>> planes, mask = np.array([[[1.0], [0.0]], [[0.0], [1.0]]]), np.ones((2, 1), dtype=bool)
    >>> averages = average_fits(planes, mask, Squared())
    >>> make_block(averages, np.array([0]), Squared()).values.ravel().tolist()
    [1.0, 0.5, 0.5, 0.5, 0.5]
    """
    values = sample_quantities(averages, y, loss)  # (5, 1 + resamples, n)
    seen = averages.counts > 0
    members = np.eye(averages.aggregated.shape[2])[y] * seen[:, None]  # (n, k)
    infinite = np.isinf(values)
    sums = np.where(infinite, 0.0, values) @ members
    if infinite.any():
        sums[(infinite @ members) > 0] = np.inf
    values[:, :, ~seen] = np.nan
    return Block(
        aggregated=np.where(seen[:, None], averages.aggregated[0], np.nan),
        votes=np.where(seen[:, None], averages.votes, np.nan),
        counts=averages.counts,
        values=values[:, 0],
        sums=sums,
    )


def summarise(blocks: Sequence[Block], y: Ints, loss: Loss) -> dict[str, Any]:
    """Means over samples and classes, Monte-Carlo errors and intervals, from all blocks.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Squared
    >>> planes, mask = np.array([[[1.0], [0.0]], [[0.0], [1.0]]]), np.ones((2, 1), dtype=bool)
    >>> y = np.array([0])
    >>> blocks = [make_block(average_fits(planes, mask, Squared()), y, Squared())]
    >>> summarise(blocks, y, Squared())["estimates"][0].tolist()
    [1.0, 0.5, 0.5, 0.5, 0.5]
    """
    counts = np.concatenate([block.counts for block in blocks])
    values = np.concatenate([block.values for block in blocks], axis=1)  # (5, n)
    seen, k = counts > 0, blocks[0].sums.shape[2]
    scopes = [np.flatnonzero(seen), *(np.flatnonzero(seen & (y == code)) for code in range(k))]
    sizes = np.array([len(scope) for scope in scopes])
    sums = np.sum([block.sums for block in blocks], axis=0)  # (5, 1 + resamples, k)
    sums = np.concatenate([sums.sum(axis=2, keepdims=True), sums], axis=2)
    means = np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)
    fits = np.array([counts[scope].mean() if len(scope) else 0.0 for scope in scopes])
    errors, biases = monte_carlo(means, fits)
    intervals = np.array([[_interval(loss, q, values[q, s]) for q in range(5)] for s in scopes])
    return {
        "y": y,
        "n_out_of_bag": counts,
        "aggregated": np.concatenate([block.aggregated for block in blocks]),
        "votes": np.concatenate([block.votes for block in blocks]),
        "estimates": means[:, 0].T,
        "monte_carlo_errors": errors.T,
        "monte_carlo_biases": biases.T,
        "lows": intervals[..., 0],
        "highs": intervals[..., 1],
        "sample_estimates": values.T,
    }


def _interval(loss: Loss, quantity: int, values: Floats) -> tuple[float, float]:
    """Interval over samples of one of the QUANTITIES; only the effect can be negative."""
    if quantity == _EFFECT:
        return mean_interval(values)
    if isinstance(loss, Misclassification):
        return share_interval(values)
    low, high = mean_interval(values)
    return max(0.0, low), high


_Z = 1.959963984540054  # two-sided normal quantile of 95 %


def mean_interval(values: Floats) -> tuple[float, float]:
    """Return the normal 95 % interval for a mean over samples; infinite where the mean is.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = mean_interval(np.array([0.0, 1.0, 2.0, 3.0]))
    >>> round(low, 3), round(high, 3)
    (0.235, 2.765)
    """
    n = len(values)
    mean = float(values.mean()) if n else math.nan
    if n < 2 or not math.isfinite(mean):
        return (mean, mean) if math.isinf(mean) else (-math.inf, math.inf)
    half = _Z * math.sqrt(float(values.var(ddof=1)) / n)
    return mean - half, mean + half


def share_interval(values: Floats) -> tuple[float, float]:
    """Wilson's 95 % interval for a mean in [0, 1], at the effective number of samples.

    With zeros and ones this is Wilson's score interval for a rate, so that no errors in n cases
    does not mean certainty. Values between vary less than a coin of their mean, by the factor
    v / (m (1 − m)) of variances, and count for more samples in proportion.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = share_interval(np.zeros(20))
    >>> round(low, 3), round(high, 3)
    (0.0, 0.161)
    """
    n = len(values)
    if n == 0:
        return 0.0, 1.0
    mean = min(1.0, max(0.0, float(values.mean())))
    coin = mean * (1.0 - mean)
    ratio = float(values.var(ddof=1)) / coin if n > 1 and coin > 0 else 1.0
    effective = n / min(1.0, max(ratio, 1e-3))
    centre = (mean + _Z * _Z / (2 * effective)) / (1 + _Z * _Z / effective)
    spread = math.sqrt(coin / effective + (_Z / (2 * effective)) ** 2)
    half = _Z * spread / (1 + _Z * _Z / effective)
    return max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half))
