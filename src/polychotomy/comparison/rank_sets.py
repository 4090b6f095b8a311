"""Which ranks of a leaderboard are shown: sets of ranks that hold for all systems together.

A system's rank is between one more than those shown to be better and m less those shown to be
worse, by tests of all pairs at one level for all (Mogstad, Romano, Shaikh and Wilhelm 2024). The
level is that of the largest t over pairs, drawn anew by the multiplier bootstrap, which knows how
the systems' errors go together: Bonferroni would not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.inputs import learner_names
from polychotomy.core.arguments import as_floats, check_count, check_share, wrong_shape
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.numbers import join
from polychotomy.core.result import Axes, DataFrame, Result, new_axes
from polychotomy.core.seeds import as_generator

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

    @property
    def winners(self) -> tuple[str, ...]:
        """Those who may have rank 1, the lowest mean first."""
        order = np.argsort(self.means, kind="stable")
        return tuple(self.names[i] for i in order if self.first[i] == 1)

    def to_frame(self) -> DataFrame:
        """One row for each system."""
        return self._frame("names", "means", "first", "last")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw every system's ranks, the lowest mean first."""
        ax = new_axes(ax, height=1.2 + 0.22 * len(self.names))
        order = np.argsort(self.means, kind="stable")
        places = np.arange(len(order))
        ax.hlines(places, self.first[order] - 0.3, self.last[order] + 0.3, linewidth=4)
        ax.set_yticks(places, [self.names[i] for i in order])
        ax.set(xlabel=f"rank ({100 * self.level:g} %, for all together)")
        ax.invert_yaxis()
        return ax

    def __str__(self) -> str:
        who = list(self.winners)
        often = f"({100 * self.level:g} %, for all ranks together)"
        if len(who) == 1:
            return f"Rank 1 can only be that of {who[0]} {often}."
        more = f" and {len(who) - 5} others" if len(who) > 6 else ""
        shown = ", ".join(who[:5]) + more if more else join(who)
        return f"Rank 1 may be that of any of {len(who)}: {shown} {often}."


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
    table = as_floats("losses", losses)
    if table.ndim != 2 or min(table.shape) < 2:
        raise wrong_shape("losses", table, "(systems, cases), two or more of each")
    check_share("level", level, such_as=0.95)
    check_count("n_replicates", n_replicates, least=100, unit="replicates")
    m, n = table.shape
    means = table.mean(axis=1)
    centred = table - means[:, None]
    if groups is not None:
        _, codes = np.unique(np.asarray(groups), return_inverse=True)
        centred = np.stack([np.bincount(codes, row) for row in centred])
    i, j = np.triu_indices(m, 1)
    products = centred @ centred.T
    squares = np.diag(products)[i] + np.diag(products)[j] - 2 * products[i, j]
    spread = np.sqrt(np.maximum(squares, 0.0))
    told = spread > _NO_SPREAD * n
    i, j, spread = i[told], j[told], spread[told]
    critical = _largest_t(centred, i, j, spread, n_replicates, level, as_generator(random_state))
    # The draws are normal given the cases; a t of few cases has longer tails.
    critical = float(-special.stdtrit(centred.shape[1] - 1, special.ndtr(-critical)))
    t = n * (means[i] - means[j]) / spread
    worse = np.bincount(i[t > critical], minlength=m) + np.bincount(j[t < -critical], minlength=m)
    better = np.bincount(j[t > critical], minlength=m) + np.bincount(i[t < -critical], minlength=m)
    return RankSets(
        names=learner_names(names, m),
        means=means,
        first=1 + worse,
        last=m - better,
        level=level,
        critical=critical,
    )


def _largest_t(
    centred: Floats,
    i: Ints,
    j: Ints,
    spread: Floats,
    replicates: int,
    level: float,
    rng: np.random.Generator,
) -> float:
    """Return the quantile of the largest t by size over pairs, of cases weighed at random."""
    if not len(i):
        return float("inf")
    largest = []
    each = max(1, _CELLS // len(i))
    for start in range(0, replicates, each):
        weights = rng.standard_normal((centred.shape[1], min(each, replicates - start)))
        sums = centred @ weights
        largest.append((np.abs(sums[i] - sums[j]) / spread[:, None]).max(axis=0))
    return float(np.quantile(np.concatenate(largest), level))
