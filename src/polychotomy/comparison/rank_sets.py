"""Which ranks of a leaderboard are shown: sets of ranks that hold for all systems together.

A system's rank is between one more than those shown to be better and m less those shown to be
worse, by tests of all pairs at one level for all (Mogstad, Romano, Shaikh and Wilhelm 2024). The
level is that of the largest t over pairs, drawn anew by the multiplier bootstrap, which knows how
the systems' errors go together: Bonferroni would not. Beside the ranks: how strong each system is,
by who beats whom (Bradley and Terry 1952).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import special
from scipy.stats import rankdata

from polychotomy.comparison.inputs import learner_names
from polychotomy.core.arguments import as_floats, check_count, check_share, wrong_shape
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.numbers import few, join
from polychotomy.core.result import DataFrame, Result
from polychotomy.core.seeds import as_generator
from polychotomy.decoding import couple

_CELLS = 4_000_000  # differences drawn at once

_NO_SPREAD = 1e-12


class RankSets(Result):
    """Ranks that each of several systems may have, 1 being the best.

    Parameters
    ----------
    names : tuple of str
    means : (m,) floats
        Mean losses, better smaller.
    first, last : (m,) ints
        The best and the worst rank that the cases allow.
    level : float
        With which all sets together hold the true ranks.
    critical : float
        The size of t from which on a pair is told apart.
    apart : (m, m) bools
        Which pairs are, all together at that level.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import rank_sets
    >>> rng = np.random.default_rng(0)
    >>> wrong = rng.random((4, 500)) < np.array([[0.1], [0.2], [0.21], [0.4]])
    >>> found = rank_sets(wrong, names=["a", "b", "c", "d"])
    >>> list(zip(found.first.tolist(), found.last.tolist()))
    [(1, 1), (2, 3), (2, 3), (4, 4)]
    >>> print(found)
    Rank 1 can only be that of a (95 %, for all ranks together).
    """

    names: tuple[str, ...]
    means: Floats
    first: Ints
    last: Ints
    level: float
    critical: float
    apart: Bools

    @property
    def winners(self) -> tuple[str, ...]:
        """Those who may have rank 1, the lowest mean first."""
        order = np.argsort(self.means, kind="stable")
        return tuple(self.names[i] for i in order if self.first[i] == 1)

    def to_frame(self) -> DataFrame:
        """One row for each system."""
        return self._frame("names", "means", "first", "last")

    def __str__(self) -> str:
        who, often = list(self.winners), f"({100 * self.level:g} %, for all ranks together)"
        may = "can only" if len(who) == 1 else "may"
        return f"Rank 1 {may} be that of {join(few(who))} {often}."


def rank_sets(
    losses: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    groups: ArrayLike | None = None,
    level: float = 0.95,
    n_replicates: int = 1000,
    random_state: int | np.random.Generator | None = 0,
) -> RankSets:
    """Find the ranks that each of several systems may have, all sets holding together.

    Parameters
    ----------
    losses : (m, n) array-like
        Of m systems on the same n cases, such as 1 where wrong; better smaller.
    names : sequence of str, optional
    groups : (n,) array-like, optional
        Cases of one group are not independent: they count together.
    level : float
        With which all sets hold.
    n_replicates : int
        Draws of the multiplier bootstrap.
    random_state : int, generator or None

    Examples
    --------
    Two systems that differ on one case of four are not told apart:

    >>> from polychotomy.comparison import rank_sets
    >>> rank_sets([[0, 0, 1, 0], [0, 1, 1, 0]]).last.tolist()
    [2, 2]
    """
    table = _league(losses, level, n_replicates)
    m, n = table.shape
    means = table.mean(axis=1)
    centred = table - means[:, None]
    if groups is not None:
        _, codes = np.unique(np.asarray(groups), return_inverse=True)
        centred = np.stack([np.bincount(codes, row) for row in centred])
    spread = np.sqrt(np.maximum(_squares(centred), 0.0))
    i, j = np.nonzero(np.triu(spread > _NO_SPREAD * n))
    if not len(i):
        return _sets_of(np.zeros((m, m)), means, names, level, np.inf)
    spread, units, rng = spread[i, j], centred.shape[1], as_generator(random_state)
    largest, each = [], max(1, _CELLS // len(i))
    for start in range(0, n_replicates, each):
        sums = centred @ rng.standard_normal((units, min(each, n_replicates - start)))
        largest.append((np.abs(sums[i] - sums[j]) / spread[:, None]).max(axis=0))
    critical = _careful_quantile(np.concatenate(largest), level)
    # The draws are normal given the cases; a t of few cases has longer tails.
    critical = float(-special.stdtrit(units - 1, special.ndtr(-critical)))
    t = np.zeros((m, m))
    t[i, j] = np.sqrt((units - 1) / units) * n * (means[i] - means[j]) / spread
    return _sets_of(t - t.T, means, names, level, critical)


def _squares(centred: Floats) -> Floats:
    """Add up the squared differences of all pairs of rows, (..., m, m)."""
    products = centred @ np.swapaxes(centred, -1, -2)
    own = np.diagonal(products, axis1=-2, axis2=-1)
    return own[..., :, np.newaxis] + own[..., np.newaxis, :] - 2 * products


def _sets_of(
    t: Floats, means: Floats, names: Sequence[str] | None, level: float, critical: float
) -> RankSets:
    """Draw up the sets from t of every pair, (m, m)."""
    first, last = 1 + (t > critical).sum(axis=1), len(t) - (t < -critical).sum(axis=1)
    return RankSets(
        names=learner_names(names, len(t)), means=means, first=first, last=last, level=level,
        critical=critical, apart=np.abs(t) > critical,
    )  # fmt: skip


def _careful_quantile(draws: Floats, level: float) -> float:
    """Return the upper end of the one-sided 95 % interval of a quantile.

    Of so many draws it is known only roughly: with the quantile itself the sets held in 93.5 to
    94.5 % of leagues of equals.
    """
    n = len(draws)
    above = level * n + 1.645 * np.sqrt(level * (1 - level) * n)
    return float(np.sort(draws)[min(int(np.ceil(above)), n) - 1])


_AS_MANY = 5  # cases that the variance of ranks drawn at random counts for


def league_ranks(
    losses: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    level: float = 0.95,
    n_replicates: int = 1000,
    random_state: int | np.random.Generator | None = 0,
) -> RankSets:
    """Find the ranks that systems may have by their mean rank over few and unlike cases.

    Losses on different tables have different scales, so that only their order on each counts. What
    the largest t over pairs is by chance is found from orders drawn at random: of five tables a
    bootstrap would know nothing. Ranks of few tables agree by chance, so that the variance of a
    pair is drawn to that of random orders.

    Parameters
    ----------
    losses : (m, n) array-like
        Of m systems on n tables; better smaller.
    names, level, n_replicates, random_state
        As of `rank_sets`. ``means`` of what is returned are mean ranks.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import league_ranks
    >>> errors = np.random.default_rng(0).normal([[0.1], [0.2], [0.2]], 0.03, size=(3, 20))
    >>> found = league_ranks(errors, names=["forest", "tree", "neighbours"])
    >>> list(zip(found.first.tolist(), found.last.tolist()))
    [(1, 1), (2, 3), (2, 3)]
    """
    table = _league(losses, level, n_replicates)
    m, n = table.shape
    ranks, rng = rankdata(table, axis=0).astype(float), as_generator(random_state)
    each = max(1, _CELLS // (m * max(m, n)))
    largest = [
        np.abs(_rank_t(rng.random((size, m, n)).argsort(axis=1).astype(float))).max(axis=(1, 2))
        for size in [each] * (n_replicates // each) + [n_replicates % each]
        if size
    ]
    critical = _careful_quantile(np.concatenate(largest), level)
    return _sets_of(_rank_t(ranks), ranks.mean(axis=1), names, level, critical)


def _rank_t(ranks: Floats) -> Floats:
    """Return t of every pair of systems, (..., m, m), of their ranks on cases, (..., m, n)."""
    m, n = ranks.shape[-2:]
    means = ranks.mean(axis=-1)
    centred = ranks - means[..., np.newaxis]
    variance = (_AS_MANY * m * (m + 1) / 6 + _squares(centred)) / (_AS_MANY + n - 1)
    return (means[..., :, np.newaxis] - means[..., np.newaxis, :]) / np.sqrt(variance / n)


def _league(losses: ArrayLike, level: float, n_replicates: int) -> Floats:
    table = as_floats("losses", losses)
    if table.ndim != 2 or min(table.shape) < 2:
        raise wrong_shape("losses", table, "(systems, cases), two or more of each")
    check_share("level", level, such_as=0.95)
    check_count("n_replicates", n_replicates, least=100, unit="replicates")
    return table


class Strengths(Result):
    """How strong each of several systems is, by who does better on how many cases.

    Of systems i and j the first does better with odds exp(strength i − strength j), by the model
    of Bradley and Terry. Strengths sum to 0.

    Parameters
    ----------
    names : tuple of str
    wins : (m, m) floats
        On how many cases the row's system does better than the column's; ties are half a case.
    strengths, low, high : (m,) floats
        Log odds, and their intervals: t times the standard error, by cases drawn anew.
    level : float

    Examples
    --------
    >>> from polychotomy.comparison import league_strengths
    >>> errors = [[0.1, 0.2, 0.1, 0.3, 0.2], [0.2, 0.1, 0.3, 0.4, 0.3], [0.4, 0.4, 0.4, 0.5, 0.5]]
    >>> found = league_strengths(errors, names=["forest", "logistic", "mean"])
    >>> print(found)
    Strongest is forest, which beats logistic with odds of 2.5 to 1.
    >>> found.elo.round().astype(int).tolist()
    [224, 63, -288]
    """

    names: tuple[str, ...]
    wins: Floats
    strengths: Floats
    low: Floats
    high: Floats
    level: float

    @property
    def elo(self) -> Floats:
        """The strengths in points of Elo, of mean 0: 400 points are odds of ten to one."""
        return np.asarray(self.strengths * 400 / np.log(10))

    def to_frame(self) -> DataFrame:
        """One row for each system."""
        return self._frame("names", "strengths", "low", "high", "elo")

    def __str__(self) -> str:
        first, second = np.argsort(-self.strengths, kind="stable")[:2]
        odds = float(np.exp(self.strengths[first] - self.strengths[second]))
        who = f"{self.names[first]}, which beats {self.names[second]}"
        return f"Strongest is {who} with odds of {odds:.1f} to 1."


def league_strengths(
    losses: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    level: float = 0.95,
    n_replicates: int = 200,
    random_state: int | np.random.Generator | None = 0,
) -> Strengths:
    """Find how strong systems are by who beats whom, with intervals over cases drawn anew.

    Every pair gets one case more, a tie: else who always wins would be infinitely strong.

    Parameters
    ----------
    losses : (m, n) array-like
        Of m systems on n cases, such as tables; better smaller. Only their order matters.
    names, level, n_replicates, random_state
        As of `rank_sets`; 200 draws, of whole cases with replacement.

    Examples
    --------
    >>> from polychotomy.comparison import league_strengths
    >>> league_strengths([[0.1, 0.2, 0.3], [0.2, 0.3, 0.2]]).strengths.round(2).tolist()
    [0.26, -0.26]
    """
    table = _league(losses, level, n_replicates)
    m, n = table.shape
    better = (np.sign(table[None] - table[:, None]) + 1) / 2  # (m, m, n)
    drawn = as_generator(random_state).multinomial(n, np.full(n, 1 / n), size=n_replicates)
    again = np.moveaxis(better @ drawn.T.astype(float), -1, 0)
    wins = np.concatenate([better.sum(axis=-1)[None], again])
    shares = np.maximum(couple((wins + 0.5) / (n + 1)), np.finfo(float).tiny)
    logs = np.log(shares) - np.log(shares).mean(axis=-1, keepdims=True)
    # Not the quantiles of the draws: of so few they, and cases drawn with replacement, are narrow.
    wide = logs[1:].std(axis=0, ddof=1) * special.stdtrit(n - 1, (1 + level) / 2)
    return Strengths(
        names=learner_names(names, m),
        wins=wins[0],
        strengths=logs[0],
        low=logs[0] - wide,
        high=logs[0] + wide,
        level=level,
    )
