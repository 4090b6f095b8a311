"""MST09: several learners against a control, over data sets."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.corrections import holm
from polychotomy.comparison.error_table import ErrorTable
from polychotomy.comparison.friedman import Better, FriedmanTest, friedman_test, names_of
from polychotomy.core.arguments import unexpected
from polychotomy.core.arrays import Floats
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


class ControlComparison(Result):
    """Learners against a control over several data sets, Holm's correction included.

    Parameters
    ----------
    names : tuple of str
    control : int
        Its row.
    friedman : FriedmanTest
        The test that all are equal, to be looked at first.
    statistic : (m,) floats
        z of the mean rank of each learner minus the control's; 0 for the control.
    df : float
        inf.
    pvalue : (m,) floats
        Two-sided and raw; 1 for the control.
    adjusted_pvalue : (m,) floats
        By Holm over the m − 1 comparisons; 1 for the control.

    Examples
    --------
    >>> from polychotomy.comparison import compare_to_control
    >>> scores = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]]
    >>> print(compare_to_control(scores, names=["A", "B", "C"]))
    Friedman test over 4 data sets: χ² = 4.5 with 2 degrees of freedom, p = 0.105 \
(Iman–Davenport F = 3.857 with 2 and 6, p = 0.0837). Against A (Holm): B p = 0.289, C p = 0.0678.
    """

    names: tuple[str, ...]
    control: int
    friedman: FriedmanTest
    statistic: Floats
    df: float
    pvalue: Floats
    adjusted_pvalue: Floats

    def to_frame(self) -> DataFrame:
        """One row for each learner."""
        return self._frame(
            learner=self.names,
            mean_rank=self.friedman.mean_ranks,
            statistic=self.statistic,
            pvalue=self.pvalue,
            adjusted_pvalue=self.adjusted_pvalue,
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the mean ranks, the control's as a line."""
        m = len(self.names)
        ax = new_axes(ax, height=1.2 + 0.3 * m)
        ax.axvline(self.friedman.mean_ranks[self.control], color="C3", linewidth=1)
        ax.plot(self.friedman.mean_ranks, np.arange(m), "o", color="C0")
        ax.set_yticks(np.arange(m), self.names)
        ax.set_ylim(m - 0.5, -0.5)
        ax.set_xlabel(f"mean rank over {self.friedman.n_data_sets} data sets")
        ax.spines[["right", "top"]].set_visible(False)
        return ax

    def __str__(self) -> str:
        others = ", ".join(
            f"{name} p = {p:.3g}"
            for i, (name, p) in enumerate(zip(self.names, self.adjusted_pvalue, strict=True))
            if i != self.control
        )
        return f"{self.friedman} Against {self.names[self.control]} (Holm): {others}."


def compare_to_control(
    scores: ArrayLike | ErrorTable,
    *,
    control: int | str = 0,
    names: Sequence[str] | None = None,
    better: Better = "smaller",
) -> ControlComparison:
    """Friedman's test over data sets, then each learner against a control with Holm's correction.

    As in MST09 §4 and Demšar (2006): z = (R_i − R_control) / √(m (m + 1)/(6 N)), two-sided.

    Parameters
    ----------
    scores : (data sets, learners) array-like, or ErrorTable
        One number for each data set and learner: never folds of one data set, whose training sets
        overlap. Of an ErrorTable the mean error on each data set is taken.
    control : int or str
        Row or name of the control.
    names : sequence of str, optional
        By default those of the table, or the columns of a data frame.
    better : {"smaller", "larger"}
        Which scores get the low ranks.

    Examples
    --------
    >>> from polychotomy.comparison import compare_to_control
    >>> found = compare_to_control([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> found.statistic.round(4)
    array([0.    , 1.0607, 2.1213])
    """
    friedman = friedman_test(scores, better=better)
    m = len(friedman.mean_ranks)
    found_names = names_of(scores, names, m)
    row = _row(control, found_names)
    error = np.sqrt(m * (m + 1) / (6.0 * friedman.n_data_sets))
    z = (friedman.mean_ranks - friedman.mean_ranks[row]) / error
    pvalue = np.asarray(2.0 * special.ndtr(-np.abs(z)))
    others = np.arange(m) != row
    adjusted = np.ones(m)
    adjusted[others] = holm(pvalue[others])
    return ControlComparison(
        names=found_names,
        control=row,
        friedman=friedman,
        statistic=z,
        df=np.inf,
        pvalue=pvalue,
        adjusted_pvalue=adjusted,
    )


def _row(control: int | str, names: tuple[str, ...]) -> int:
    if isinstance(control, str) and control in names:
        return names.index(control)
    if isinstance(control, Integral) and 0 <= control < len(names):
        return int(control)
    raise unexpected("control", control, f"a row from 0 to {len(names) - 1} or one of {names}")
