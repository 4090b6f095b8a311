"""YA06 Table 3: how often four methods name each learner as best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison import order_by_removal
from polychotomy.comparison.multitest import count_choices, named_tables
from polychotomy.comparison.ordering import decide_edges
from polychotomy.comparison.pairs import pairwise_pvalues
from polychotomy.comparison.selection import (
    choose_by_anova,
    choose_by_newman_keuls,
    choose_by_testfirst,
)
from polychotomy.core.arguments import check_share
from polychotomy.core.arrays import Ints
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


class SelectionCounts(Result):
    """How often each method names each learner as best: YA06 Table 3.

    Parameters
    ----------
    names : tuple of str
    methods : tuple of str
        "Anova", "TestFirst", "Newman-Keuls", "MultiTest".
    counts : (methods, data sets, m + 1) ints
        The first column counts the runs in which nobody was named.
    data_sets : tuple of str

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.reproduction.ya06_selections import count_selections
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 3, 2, 5, 2))
    >>> print(count_selections(np.reshape([0.3, 0.1], (2, 1, 1)) + noise, names=["mean", "tree"]))
    In 6 runs over 2 data sets the best is, by Anova, nobody (6); by TestFirst, tree (6); by \
Newman-Keuls, tree (6); by MultiTest, tree (6).
    """

    names: tuple[str, ...]
    methods: tuple[str, ...]
    counts: Ints
    data_sets: tuple[str, ...]

    @property
    def totals(self) -> Ints:
        """(methods, m + 1): over all data sets."""
        return np.asarray(self.counts.sum(axis=1))

    def to_frame(self) -> DataFrame:
        """One row for each method: the totals."""
        import pandas as pd

        frame = pd.DataFrame(self.totals, columns=["not found", *self.names])
        frame.insert(0, "method", self.methods)
        return frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a bar for each method."""
        ax = new_axes(ax, height=3.0)
        draw_shares(ax, self.methods, ("not found", *self.names), self.totals)
        ax.set_xlabel("share of all runs")
        return ax

    def __str__(self) -> str:
        runs, sets = int(self.totals[0].sum()), len(self.data_sets)
        said = "; ".join(
            f"by {method}, {self._say_counts(row)}"
            for method, row in zip(self.methods, self.totals.tolist(), strict=True)
        )
        return (
            f"In {runs} run{'s' * (runs != 1)} over {sets} data set{'s' * (sets != 1)} the best "
            f"is, {said}."
        )

    def _say_counts(self, row: list[int]) -> str:
        """Say whom a method named, most often first."""
        counted = sorted(zip(row, ["nobody", *self.names], strict=True), key=lambda pair: -pair[0])
        return ", ".join(f"{name} ({count})" for count, name in counted if count)


def count_selections(
    errors: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    data_sets: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> SelectionCounts:
    """How often Anova, TestFirst, Newman–Keuls and MultiTest name each learner: YA06 Table 3.

    Parameters
    ----------
    errors : (data sets, runs, m, 5, 2) array-like
        Learners in order of preference.
    names, data_sets : sequences of str, optional
    alpha : float

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.reproduction.ya06_selections import count_selections
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 3, 2, 5, 2))
    >>> count_selections(np.reshape([0.3, 0.1], (2, 1, 1)) + noise).totals.tolist()
    [[6, 0, 0], [0, 0, 6], [0, 0, 6], [0, 0, 6]]
    """
    tables, found_names, found_sets = named_tables(errors, names, data_sets)
    level, m = check_share("alpha", alpha, such_as=0.05), tables.shape[-3]
    edges, _ = decide_edges(
        pairwise_pvalues(tables, test="5x2cv-t"), m, level, "bonferroni", margin=False
    )
    choices = {
        "Anova": choose_by_anova(tables, level),
        "TestFirst": choose_by_testfirst(tables, edges),
        "Newman-Keuls": choose_by_newman_keuls(tables, level),
        "MultiTest": order_by_removal(edges)[..., 0],
    }
    return SelectionCounts(
        names=found_names,
        methods=tuple(choices),
        counts=np.stack([count_choices(choice, m) for choice in choices.values()]),
        data_sets=found_sets,
    )


def draw_shares(ax: Axes, rows: Sequence[str], columns: Sequence[str], counts: Ints) -> None:
    """Draw a bar for each row, made of the shares of its counts; those of nobody in grey."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    start = np.zeros(len(rows))
    for name, share in zip(columns, shares.T, strict=True):
        colour = "0.85" if name == "not found" else None
        ax.barh(rows, share, left=start, label=name, color=colour)
        start = start + share
    ax.set_xlim(0, 1)
    ax.invert_yaxis()
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
