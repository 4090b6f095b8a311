"""Ordering: learners ordered by preference and by tests together (YA06 §3)."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from polychotomy.comparison.drawings import draw_ordering
from polychotomy.comparison.inputs import Values
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.result import Axes, DataFrame, Result, new_axes

Correction: TypeAlias = Literal["bonferroni", "holm"] | None


def family_levels(pvalues: Floats, alpha: float, correction: Correction) -> Values:
    """Return the level of each test in a family along the last axis, (..., M).

    A scalar, except for Holm: there the test with the r-th smallest p-value is held to
    α/(M − r + 1), and all from the first accepted one on to the level at which that one failed. So
    in each case a test rejects exactly where p ≤ level.

    Examples
    --------
    >>> import numpy as np
    >>> family_levels(np.array([0.4, 0.01, 0.02]), 0.06, "holm")
    array([0.06, 0.02, 0.03])
    >>> family_levels(np.array([0.4, 0.01, 0.02]), 0.06, "bonferroni")
    0.02
    """
    count = int(pvalues.shape[-1])
    if correction is None:
        return alpha
    if correction == "bonferroni":
        return alpha / max(count, 1)
    if not count:
        return pvalues.copy()
    order = np.argsort(pvalues, axis=-1, kind="stable")
    steps = alpha / np.arange(count, 0, -1)
    accepted = np.take_along_axis(pvalues, order, axis=-1) > steps
    stopped = np.logical_or.accumulate(accepted, axis=-1)
    last_step = steps[np.argmax(accepted, axis=-1)][..., None]  # of the first accepted
    levels = np.empty_like(pvalues)
    np.put_along_axis(levels, order, np.where(stopped, last_step, steps), axis=-1)
    return levels


def decide_edges(
    pairs: Floats, m: int, alpha: float, correction: Correction, *, margin: bool
) -> tuple[Bools, Values]:
    """Edges (..., m, m) and levels from the p-values of the pairs, (..., m (m − 1)/2).

    Examples
    --------
    >>> import numpy as np
    >>> edges, level = decide_edges(np.array([0.01, 0.3, 0.2]), 3, 0.06, "bonferroni", margin=False)
    >>> np.argwhere(edges).tolist(), level
    ([[0, 1]], 0.02)
    """
    if margin:
        levels = _candidate_levels(pairs, m, alpha, correction)
    else:
        levels = family_levels(pairs, alpha, correction)
    rejected = (pairs <= levels) & (pairs < 0.5)
    edges = np.zeros((*pairs.shape[:-1], m, m), dtype=bool)
    edges[(..., *np.triu_indices(m, 1))] = rejected != margin
    return edges, levels if isinstance(levels, float) else as_matrix(levels, m)


def _candidate_levels(pairs: Floats, m: int, alpha: float, correction: Correction) -> Values:
    """Levels where each row i < m − 1 is one candidate, judged by its largest p-value."""
    starts = np.cumsum([0, *range(m - 1, 1, -1)])
    worst = np.maximum.reduceat(pairs, starts, axis=-1) if m > 1 else pairs
    levels = family_levels(worst, alpha, correction)
    if isinstance(levels, float):
        return levels
    return np.repeat(levels, np.arange(m - 1, 0, -1), axis=-1)


def as_matrix(pairs: Floats, m: int) -> Floats:
    """Put the values of the pairs i < j in (..., m, m), NaN elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> as_matrix(np.array([0.5]), 2)
    array([[nan, 0.5],
           [nan, nan]])
    """
    matrix = np.full((*pairs.shape[:-1], m, m), np.nan)
    matrix[(..., *np.triu_indices(m, 1))] = pairs
    return matrix


class Ordering(Result):
    """Learners ordered by preference and by test together (YA06).

    Parameters
    ----------
    names : tuple of str
        The learners, in order of preference; everything else speaks of their row indices.
    order : (m,) ints
        Row indices, best first.
    best : int
        ``order[0]``: the most preferred of the learners that nobody overrides.
    edges : (m, m) bools
        ``edges[i, j]``, i < j: the data overrides the preference of i over j.
    pvalues : (m, m) floats
        ``pvalues[i, j]``, i < j: raw one-sided p-value of H0 "i is no worse than j"; NaN elsewhere.
    level : float or (m, m) floats
        What the p-values were held to; an array for Holm, NaN where there is no test.
    alpha : float
        The level for the whole family.
    correction : {"bonferroni", "holm", None}
    test : str
        The pairwise test, in words.
    assumption : str
        What the test takes for granted, in words.
    errors : (m, repetitions, folds) floats
        What was tested.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison.multitest import multitest
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 5, 2))
    >>> ordering = multitest([[[0.3]], [[0.1]]] + noise, names=["mean", "tree"])
    >>> print(ordering)  # doctest: +NORMALIZE_WHITESPACE
    MultiTest with the one-sided 5×2cv t test at level 0.05 (bonferroni correction).
    In order of preference: mean, tree. The data overrides the preference in 1 of 1 pairs: mean by
    tree (p = 2.3e-06). Order found: tree < mean. The best is tree, with a mean error of 0.09549.
    Assumed: the differences in the folds are independent and normal.
    """

    names: tuple[str, ...]
    order: Ints
    best: int
    edges: Bools
    pvalues: Floats
    level: Values
    alpha: float
    correction: Correction
    test: str
    assumption: str
    errors: Floats

    @property
    def mean_errors(self) -> Floats:
        """(m,) mean error of each learner over all folds."""
        return np.asarray(self.errors.mean(axis=(1, 2)))

    @property
    def ordered_names(self) -> tuple[str, ...]:
        """The names, best first."""
        return tuple(self.names[i] for i in self.order)

    def to_frame(self) -> DataFrame:
        """One row for each pair: who was preferred, p-value, level and whether it overrides."""
        i, j = np.triu_indices(len(self.names), 1)
        means = self.mean_errors
        levels = np.broadcast_to(np.asarray(self.level), self.edges.shape)
        return self._frame(
            preferred=[self.names[k] for k in i],
            other=[self.names[k] for k in j],
            mean_difference=means[i] - means[j],
            pvalue=self.pvalues[i, j],
            level=levels[i, j],
            overrides=self.edges[i, j],
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the graph of YA06 Fig. 2 to 4 beside the learners' errors."""
        m = len(self.names)
        ax = new_axes(ax, width=7.6, height=1.3 + 0.42 * m)
        return draw_ordering(ax, self.names, self.errors.reshape(m, -1), self.edges, self.order)

    def __str__(self) -> str:
        return (
            f"{self._design()} ({self.correction or 'no'} correction). In order of "
            f"preference: {', '.join(self.names)}. {self._overrides()}. Order found: "
            f"{' < '.join(self.ordered_names)}. The best is {self.names[self.best]}, with a mean "
            f"error of {self.mean_errors[self.best]:.4g}. Assumed: {self.assumption}."
        )

    def _design(self) -> str:
        return f"MultiTest with the one-sided {self.test} at level {self.alpha:g}"

    def _overrides(self) -> str:
        found = [
            f"{self.names[i]} by {self.names[j]} (p = {self.pvalues[i, j]:.2g})"
            for i, j in np.argwhere(self.edges)
        ]
        which = f": {', '.join(found)}" if found else ""
        pairs = len(self.names) * (len(self.names) - 1) // 2
        return f"The data overrides the preference in {len(found)} of {pairs} pairs{which}"


class MarginOrdering(Ordering):
    """Learners ordered by preference, where a preferred one must be shown to be good enough.

    As `Ordering`, but ``pvalues[i, j]`` is that of H0 "i is worse than j by ``margin`` or more",
    and i is overridden by j unless that is rejected.

    Parameters
    ----------
    margin : float
        How much more error than a less preferred learner's one is ready to accept.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison.multitest import multitest
    >>> noise = 0.001 * np.random.default_rng(0).standard_normal((2, 5, 2))
    >>> multitest([[[0.110]], [[0.105]]] + noise, margin=0.02).best
    0
    """

    margin: float

    def _design(self) -> str:
        return (
            f"MultiTest with a margin of {self.margin:g}: a preferred learner keeps its place "
            f"before another only if the one-sided {self.test} shows it to be within the margin, "
            f"at level {self.alpha:g}"
        )

    def _overrides(self) -> str:
        pairs = len(self.names) * (len(self.names) - 1) // 2
        return f"This is shown in {pairs - int(self.edges.sum())} of {pairs} pairs"
