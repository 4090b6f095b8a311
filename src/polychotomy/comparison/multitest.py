"""YA06 §3.2: the graph of overridden preferences, and the order it gives; §4.3: of many runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.inputs import (
    REFIT,
    Values,
    checked_errors,
    checked_margin,
    learner_names,
)
from polychotomy.comparison.ordering import (
    Correction,
    MarginOrdering,
    Ordering,
    as_matrix,
    decide_edges,
)
from polychotomy.comparison.pairs import OneSidedTest, TestName, pairwise_pvalues
from polychotomy.core.arguments import (
    as_array,
    as_floats,
    check_choice,
    check_finite,
    check_names,
    check_share,
    wrong_shape,
)
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.result import Axes, DataFrame, Result, draw_bars


def order_by_removal(edges: ArrayLike) -> Ints:
    """Order of the nodes: the lowest without an edge out first, then the same among the rest.

    YA06 Fig. 1 and 2. Edges go from a lower to a higher index, so such a node always exists.

    Parameters
    ----------
    edges : (..., m, m) bools
        ``edges[i, j]``, i < j: j overrides the preferred i. Leading axes are a batch of graphs.

    Returns
    -------
    (..., m) ints
        Row indices, best first.

    Examples
    --------
    The example of YA06 Fig. 2 (there numbered from 1: order 3, 2, 4, 1):

    >>> import numpy as np
    >>> from polychotomy.comparison import order_by_removal
    >>> edges = np.zeros((4, 4), dtype=bool)
    >>> edges[[0, 0, 0, 1], [1, 2, 3, 2]] = True
    >>> order_by_removal(edges)
    array([2, 1, 3, 0])
    """
    graph = as_array("edges", edges).astype(bool)
    if graph.ndim < 2 or graph.shape[-1] != graph.shape[-2] or np.tril(graph).any():
        raise wrong_shape("edges", graph, "(..., m, m), with edges from lower to higher rows only")
    m = graph.shape[-1]
    left = np.ones(graph.shape[:-1], dtype=bool)
    order = np.empty(graph.shape[:-1], dtype=np.intp)
    for place in range(m):
        beaten = (graph & left[..., None, :]).any(axis=-1)
        chosen = np.argmax(left & ~beaten, axis=-1)
        order[..., place] = chosen
        np.put_along_axis(left, chosen[..., None], False, axis=-1)
    return order


# Each test in words, and how the differences in the folds are assumed to be.
_WORDS: dict[TestName, tuple[str, str]] = {
    "5x2cv-t": ("5×2cv t test", "independent and normal"),
    "paired-t": ("paired t test", "independent and normal"),
    "corrected-t": (
        "corrected resampled t test",
        "normal, and as correlated as the share of test data says",
    ),
    "calibrated-t": (
        "t test with 10 calibrated degrees of freedom",
        "normal, and worth 11 independent ones",
    ),
    "wilcoxon": ("Wilcoxon signed-rank test", "independent and symmetric"),
}


def multitest(
    errors: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    alpha: float = 0.05,
    correction: Correction = "bonferroni",
    test: TestName | OneSidedTest = "5x2cv-t",
    margin: float | None = None,
    test_train_ratio: float | None = None,
) -> Ordering:
    """Order learners by preference, overridden where a test shows the preferred one to be worse.

    YA06 Fig. 1. For every pair i < j the one-sided test of H0: μ_i ≤ μ_j is made; where it rejects,
    j overrides i (an edge i → j). The best is the most preferred learner with no edge out; removing
    it and repeating gives the whole order.

    Parameters
    ----------
    errors : (m, 5, 2) or (m, repetitions, folds) array-like
        Errors, or any loss that is better smaller, of m learners on the same folds; rows in order
        of preference, simplest first. (m, L) is read as one repetition of L folds.
    names : sequence of str, optional
    alpha : float
        Level for all tests together.
    correction : {"bonferroni", "holm", None}
        How the level is shared out; None holds every test to ``alpha``.
    test : {"5x2cv-t", "paired-t", "corrected-t", "calibrated-t", "wilcoxon"} or callable
        The paper's is "5x2cv-t". A callable gets the errors (repetitions, folds) of i and of j and
        returns the p-value of H0: mean of the first ≤ mean of the second, or a result that has it
        as ``pvalue``.
    margin : float, optional
        Turns the question round (non-inferiority; not in the paper): i keeps its place before j
        only if H0: μ_i ≥ μ_j + margin is rejected. See Notes.
    test_train_ratio : float, optional
        For "corrected-t"; by default that of folds which part the data, 1/(folds − 1).

    Returns
    -------
    Ordering
        A `MarginOrdering` where a margin was given.

    Notes
    -----
    To reject means p ≤ level and also p < ½, so that equal errors never override a preference,
    whatever the level.

    *What is not shown.* A learner is tested against less preferred ones only. Where a third has
    overridden one preferred to it, the best need not be better than that one: of means .30, .375
    and .20, the second is named where its own errors scatter so much that nobody overrides it.

    *Margin.* The paper's rule keeps the simpler learner unless it is shown to be worse; with few
    folds almost nothing is shown, and the pick can be far from the best. With a margin the burden
    of proof is the other way round. On sets of 100 to 600 cases from fourteen populations (the
    truth lab, in the documentation) the paper's rule picks learners whose error is some 8 points
    above the best one's. With ``test="corrected-t", correction=None, margin=0.01, alpha=0.5`` on
    5×5 folds it is 0.7, as for the lowest mean, and every second pick is logistic regression or
    simpler, against every third.

    *Levels with a margin.* A candidate i is kept if **all** its tests against less preferred
    learners reject, so no correction is needed among them (an intersection-union test): each may
    have level α. What multiplies is the number of candidates, m − 1. Hence here
    ``correction="bonferroni"`` means α/(m − 1) a test, "holm" steps through the candidates' largest
    p-values, and with either the probability that the best one named is worse by the margin or more
    than some less preferred learner is at most α. With None this holds for each candidate alone.
    Nothing is claimed of the best against learners preferred to it that were not shown good enough.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison.multitest import multitest
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((3, 5, 2))
    >>> errors = np.array([0.30, 0.12, 0.12])[:, None, None] + noise
    >>> ordering = multitest(errors, names=["mean", "linear", "forest"])
    >>> ordering.ordered_names
    ('linear', 'forest', 'mean')
    """
    table = checked_errors(errors, names)
    pairs, level, edges, order = decide_orders(
        table, alpha, correction, test, margin, test_train_ratio
    )
    words, assumption = _in_words(test)
    kind = {} if margin is None else {"margin": float(margin)}
    return (Ordering if margin is None else MarginOrdering)(
        names=learner_names(names, len(table)), order=order, best=int(order[0]), edges=edges,
        pvalues=as_matrix(pairs, len(table)), level=level, alpha=float(alpha),
        correction=correction, test=words, assumption=assumption, errors=table, **kind,
    )  # fmt: skip


def decide_orders(
    tables: Floats,
    alpha: float,
    correction: Correction,
    test: TestName | OneSidedTest,
    margin: float | None,
    test_train_ratio: float | None,
) -> tuple[Floats, Values, Bools, Ints]:
    """P-values, levels, graphs and orders of a batch, (..., m, repetitions, folds): YA06 Fig. 1."""
    check_choice("correction", correction, ("bonferroni", "holm", None))
    level = check_share("alpha", alpha, such_as=0.05)
    pairs = pairwise_pvalues(
        tables, test=test, margin=checked_margin(margin), test_train_ratio=test_train_ratio
    )
    m = tables.shape[-3]
    edges, levels = decide_edges(pairs, m, level, correction, margin=margin is not None)
    return pairs, levels, edges, order_by_removal(edges)


def _in_words(test: TestName | OneSidedTest) -> tuple[str, str]:
    if isinstance(test, str):
        words, assumed = _WORDS[test]
        return words, f"the differences in the folds are {assumed}"
    name = getattr(test, "__name__", type(test).__name__)
    return f"test {name!r}", f"what {name!r} assumes"


def order_by_cost(costs: ArrayLike) -> Ints:
    """Rows of the learners, the cheapest first: an order of preference.

    Rows of equal cost keep their order. Fix the order before looking at the errors; measured times
    vary, so learners of nearly equal cost may change places from one run to the next.

    Parameters
    ----------
    costs : (m,) array-like
        Smaller is preferred.

    Returns
    -------
    (m,) ints
        Row indices, most preferred first: ``errors[order]`` is in order of preference.

    Examples
    --------
    >>> from polychotomy.comparison import order_by_cost
    >>> order_by_cost([3.0, 0.1, 2.0])
    array([1, 2, 0])
    """
    array = as_floats("costs", costs)
    if array.ndim != 1 or not array.size:
        raise wrong_shape("costs", array, "(learners,)")
    check_finite("costs", array)
    return np.argsort(array, kind="stable")


class ManyOrderings(Result):
    """MultiTest's answer in every run on every data set.

    Parameters
    ----------
    names : tuple of str
        The learners, in order of preference.
    data_sets : tuple of str
    order : (data sets, runs, m) ints
        Row indices, best first.
    edges : (data sets, runs, m, m) bools

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import multitest_many
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 3, 2, 5, 2))
    >>> errors = np.reshape([0.3, 0.1], (2, 1, 1)) + noise  # (data sets, runs, learners, 5, 2)
    >>> found = multitest_many(errors, names=["mean", "tree"])
    >>> print(found)
    MultiTest in 6 runs (data sets: 2) names as best: mean 0 (0.00 %), tree 6 (100.00 %).
    >>> found.most_frequent_order(0)
    ((1, 0), 1.0)
    """

    names: tuple[str, ...]
    data_sets: tuple[str, ...]
    order: Ints
    edges: Bools

    @property
    def best(self) -> Ints:
        """(data sets, runs) row of the best."""
        return self.order[..., 0]

    @property
    def counts(self) -> Ints:
        """(data sets, m): in how many runs each learner is the best."""
        return count_choices(self.best, len(self.names))[:, 1:]

    @property
    def totals(self) -> Ints:
        """(m,): the last row of YA06 Table 3."""
        return np.asarray(self.counts.sum(axis=0))

    def most_frequent_order(self, data_set: int) -> tuple[tuple[int, ...], float]:
        """Return the order found most often on a data set, and its share of the runs.

        Of equally frequent orders the first in preference is taken.
        """
        orders, counts = np.unique(self.order[data_set], axis=0, return_counts=True)
        first = int(np.argmax(counts))
        return tuple(orders[first].tolist()), float(counts[first] / counts.sum())

    def to_frame(self) -> DataFrame:
        """One row for each data set: how often each learner is the best (YA06 Table 2)."""
        counts = dict(zip(self.names, self.counts.T, strict=True))
        return self._frame("data_sets", **counts).rename(columns={"data_sets": "data_set"})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw in how many runs on all data sets each learner is the best."""
        return draw_bars(ax, self.names, self.totals, "runs in which it is the best")

    def __str__(self) -> str:
        runs = self.order.shape[0] * self.order.shape[1]
        found = [
            f"{name} {n} ({100 * n / runs:.2f} %)"
            for name, n in zip(self.names, self.totals, strict=True)
        ]
        return (
            f"MultiTest in {runs} runs (data sets: {len(self.data_sets)}) names as best: "
            f"{', '.join(found)}."
        )


def multitest_many(
    errors: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    data_sets: Sequence[str] | None = None,
    alpha: float = 0.05,
    correction: Correction = "bonferroni",
    test: TestName | OneSidedTest = "5x2cv-t",
    margin: float | None = None,
    test_train_ratio: float | None = None,
) -> ManyOrderings:
    """`multitest` in every run on every data set at once.

    YA06 §4.3. All tests are made together, so that 300,000 take less than two seconds.

    Parameters
    ----------
    errors : (data sets, runs, m, repetitions, folds) array-like
        Learners in order of preference.
    names, data_sets : sequences of str, optional
    alpha, correction, test, margin, test_train_ratio
        As in `multitest`.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import multitest_many
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 3, 2, 5, 2))
    >>> errors = np.reshape([0.3, 0.1], (2, 1, 1)) + noise
    >>> multitest_many(errors, names=["mean", "tree"]).counts
    array([[0, 3],
           [0, 3]])
    """
    tables, found_names, found_sets = named_tables(errors, names, data_sets)
    _, _, edges, order = decide_orders(tables, alpha, correction, test, margin, test_train_ratio)
    return ManyOrderings(names=found_names, data_sets=found_sets, order=order, edges=edges)


def count_choices(choices: Ints, m: int) -> Ints:
    """Count choices (data sets, runs) of −1 (nobody), 0, …, m − 1: (data sets, m + 1).

    Examples
    --------
    >>> import numpy as np
    >>> count_choices(np.array([[0, 2, -1, 2]]), 3)
    array([[1, 1, 0, 2]])
    """
    return np.asarray((choices[..., None] == np.arange(-1, m)).sum(axis=-2))


def named_tables(
    errors: ArrayLike, names: Sequence[str] | None, data_sets: Sequence[str] | None
) -> tuple[Floats, tuple[str, ...], tuple[str, ...]]:
    """Check errors (data sets, runs, m, repetitions, folds) without gaps, and name them."""
    tables = as_floats("errors", errors)
    if tables.ndim != 5 or not tables.size:
        raise wrong_shape("errors", tables, "(data sets, runs, learners, repetitions, folds)")
    found_names = learner_names(names, tables.shape[2])
    found_sets = check_names("data_sets", data_sets, count=tables.shape[0], prefix="data set ")
    check_finite("errors", tables, advice=REFIT)
    return tables, found_names, found_sets
