"""YA06 §4.3: MultiTest over many runs and data sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.inputs import checked_margin, learner_names, require_complete
from polychotomy.comparison.multitest import order_by_removal
from polychotomy.comparison.ordering import Correction, decide_edges, require_correction
from polychotomy.comparison.pairs import OneSidedTest, TestName, pairwise_pvalues
from polychotomy.core.arguments import as_floats, check_names, check_share, wrong_shape
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.result import Axes, DataFrame, Result, draw_bars


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
    alpha : float
    correction : {"bonferroni", "holm", None}

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import multitest_many
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 3, 2, 5, 2))
    >>> errors = np.reshape([0.3, 0.1], (2, 1, 1)) + noise  # (data sets, runs, learners, 5, 2)
    >>> found = multitest_many(errors, names=["mean", "tree"])
    >>> print(found)
    MultiTest in 3 runs on 2 data sets names as best: mean 0 times (0.00 %), tree 6 (100.00 %).
    >>> found.most_frequent_order(0)
    ((1, 0), 1.0)
    """

    names: tuple[str, ...]
    data_sets: tuple[str, ...]
    order: Ints
    edges: Bools
    alpha: float
    correction: Correction

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
        import pandas as pd

        frame = pd.DataFrame(self.counts, columns=list(self.names))
        frame.insert(0, "data_set", self.data_sets)
        return frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw in how many runs on all data sets each learner is the best."""
        return draw_bars(ax, self.names, self.totals, "runs in which it is the best")

    def __str__(self) -> str:
        share = 100.0 * self.totals / self.totals.sum()
        found = [f"{name} {n}" for name, n in zip(self.names, self.totals, strict=True)]
        words = [f"{one} ({s:.2f} %)" for one, s in zip(found, share, strict=True)]
        words[0] = words[0].replace(" (", " times (", 1)
        return (
            f"MultiTest in {self.order.shape[1]} run{'s' * (self.order.shape[1] > 1)} on "
            f"{len(self.data_sets)} data set{'s' * (len(self.data_sets) > 1)} names as best: "
            f"{', '.join(words)}."
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
    require_correction(correction)
    level = check_share("alpha", alpha, such_as=0.05)
    pairs = pairwise_pvalues(
        tables, test=test, margin=checked_margin(margin), test_train_ratio=test_train_ratio
    )
    m = tables.shape[-3]
    edges, _ = decide_edges(pairs, m, level, correction, margin=margin is not None)
    return ManyOrderings(
        names=found_names,
        data_sets=found_sets,
        order=order_by_removal(edges),
        edges=edges,
        alpha=level,
        correction=correction,
    )


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
    require_complete(tables, found_names, found_sets)
    return tables, found_names, found_sets
