"""From averages over the fits to an ErrorDecomposition: means over samples, classes, intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.decomposition.accumulation import (
    QUANTITIES,
    Averages,
    monte_carlo,
    sample_quantities,
)
from polychotomy.decomposition.intervals import (
    mean_interval_of_moments,
    share_interval_of_moments,
)
from polychotomy.decomposition.losses import Loss, Misclassification

_EFFECT = QUANTITIES.index("aggregation_effect")


@dataclass(frozen=True, eq=False)
class Block:
    """What a block of samples contributes: its rows, and its sums over samples a class."""

    aggregated: Floats  # (n, k)
    votes: Floats  # (n, k)
    counts: Ints  # (n,)
    values: Floats  # (5, n)
    errors: Floats  # (5, n)
    sums: Floats  # (5, 1 + resamples, k), over the samples with a fit


class Summary(TypedDict):
    """The fields of an ErrorDecomposition that come from the blocks."""

    y: Ints
    n_out_of_bag: Ints
    aggregated: Floats
    votes: Floats
    estimates: Floats
    monte_carlo_errors: Floats
    monte_carlo_biases: Floats
    lows: Floats
    highs: Floats
    sample_estimates: Floats
    sample_monte_carlo_errors: Floats


def make_block(averages: Averages, y: Ints, loss: Loss) -> Block:
    """Reduce the averages of a block of samples to what the summary needs.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Squared
    >>> from polychotomy.decomposition.accumulation import Accumulator
    >>> sums = Accumulator(n=1, k=2, loss=Squared(), n_resamples=0)
    >>> sums.add(np.array([[[1.0], [0.0]], [[0.0], [1.0]]]), np.ones((2, 1), dtype=bool))
    >>> make_block(sums.averages(), np.array([0]), sums.loss).values.ravel().tolist()
    [1.0, 0.5, 0.5, 0.5, 0.5]
    """
    values = sample_quantities(averages, y, loss)  # (5, 1 + resamples, n)
    seen = averages.counts > 0
    members = np.eye(averages.aggregated.shape[2])[y] * seen[:, None]  # (n, k)
    sums = _class_sums(values, members)
    values[:, :, ~seen] = np.nan
    errors, _ = monte_carlo(values, averages.counts)
    return Block(
        aggregated=np.where(seen[:, None], averages.aggregated[0], np.nan),
        votes=np.where(seen[:, None], averages.votes, np.nan),
        counts=averages.counts,
        values=values[:, 0],
        errors=errors,
        sums=sums,
    )


def summarise(blocks: Sequence[Block], y: Ints, loss: Loss) -> Summary:
    """Means over samples and classes, Monte-Carlo errors and intervals, from all blocks.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Squared
    >>> from polychotomy.decomposition.accumulation import Accumulator
    >>> sums = Accumulator(n=1, k=2, loss=Squared(), n_resamples=0)
    >>> sums.add(np.array([[[1.0], [0.0]], [[0.0], [1.0]]]), np.ones((2, 1), dtype=bool))
    >>> y = np.array([0])
    >>> blocks = [make_block(sums.averages(), y, sums.loss)]
    >>> summarise(blocks, y, sums.loss)["estimates"][0].tolist()
    [1.0, 0.5, 0.5, 0.5, 0.5]
    """
    counts = np.concatenate([block.counts for block in blocks])
    values = np.concatenate([block.values for block in blocks], axis=1)  # (5, n)
    scopes = _scopes(y, counts > 0, blocks[0].sums.shape[2])
    sizes = np.array([len(scope) for scope in scopes])
    sums = np.sum([block.sums for block in blocks], axis=0)  # (5, 1 + resamples, k)
    sums = np.concatenate([sums.sum(axis=2, keepdims=True), sums], axis=2)
    means = np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)
    fits = np.array([counts[scope].mean() if len(scope) else 0.0 for scope in scopes])
    errors, biases = monte_carlo(means, fits)
    intervals = np.array([[_interval(loss, q, values[q, s]) for q in range(5)] for s in scopes])
    return Summary(
        y=y,
        n_out_of_bag=counts,
        aggregated=np.concatenate([block.aggregated for block in blocks]),
        votes=np.concatenate([block.votes for block in blocks]),
        estimates=means[:, 0].T,
        monte_carlo_errors=errors.T,
        monte_carlo_biases=biases.T,
        lows=intervals[..., 0],
        highs=intervals[..., 1],
        sample_estimates=values.T,
        sample_monte_carlo_errors=np.concatenate([block.errors for block in blocks], axis=1).T,
    )


def _class_sums(values: Floats, members: Floats) -> Floats:
    if values.max(initial=0.0) < np.inf and values.min(initial=0.0) > -np.inf:
        sums: Floats = values @ members
        return sums
    infinite = np.isinf(values)
    sums = np.where(infinite, 0.0, values) @ members
    sums[(infinite @ members) > 0] = np.inf
    return sums


def _scopes(y: Ints, seen: Bools, k: int) -> list[Ints]:
    return [np.flatnonzero(seen), *(np.flatnonzero(seen & (y == code)) for code in range(k))]


def _interval(loss: Loss, quantity: int, values: Floats) -> tuple[float, float]:
    n = len(values)
    mean = float(values.mean()) if n else float("nan")
    variance = float(values.var(ddof=1)) if n > 1 and np.isfinite(mean) else 0.0
    return interval_of_moments(loss, quantity, n, mean, variance)


def interval_of_moments(
    loss: Loss, quantity: int, n: int, mean: float, variance: float
) -> tuple[float, float]:
    """Interval over samples of one of the QUANTITIES, from the moments of its n values.

    Examples
    --------
    >>> from polychotomy.decomposition import Misclassification
    >>> low, high = interval_of_moments(Misclassification(), 0, 20, 0.0, 0.0)
    >>> round(low, 3), round(high, 3)
    (0.0, 0.161)
    """
    if isinstance(loss, Misclassification) and quantity != _EFFECT:
        return share_interval_of_moments(n, mean if n else 0.0, variance)
    low, high = mean_interval_of_moments(n, mean, variance)
    return (low, high) if quantity == _EFFECT else (max(0.0, low), high)
