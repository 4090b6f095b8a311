"""GroupTest: the conclusion of a test that several learners are equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.inputs import Values, as_floats, as_values, refuse_frame, require_finite
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Result, new_axes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class GroupTest(Result):
    """Conclusion of a test of H0: all learners are equal.

    The numbers are floats for one table and arrays, over the leading axes, for a batch.

    Parameters
    ----------
    method : str
        The test, in words.
    symbol : str
        "F" or "χ²".
    statistic : float or (...) floats
        0 where all are equal (0/0), inf where they differ without any variation inside.
    df : int or (int, int)
        Degrees of freedom: one number for χ², two for F.
    pvalue : float or (...) floats
    means : (..., m) floats
        What is compared: mean errors, mean ranks or shares.
    compared : str
        That, in words.

    Examples
    --------
    >>> from polychotomy.comparison import anova_test
    >>> print(anova_test([[1, 2, 3], [2, 3, 4], [6, 7, 8]]))
    Anova: F = 21 with 2 and 6 degrees of freedom, p = 0.00195.
    """

    method: str
    symbol: str
    statistic: Values
    df: int | tuple[int, int]
    pvalue: Values
    means: Floats
    compared: str = "mean error"

    def to_frame(self) -> pd.DataFrame:
        """One row a table."""
        import pandas as pd

        frame = pd.DataFrame(
            {"statistic": np.ravel(self.statistic), "pvalue": np.ravel(self.pvalue)}
        )
        frame.insert(0, "method", self.method)
        for place, df in enumerate(np.atleast_1d(self.df).tolist(), start=1):
            frame.insert(1 + place, f"df_{place}", df)
        return frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw what is compared, a point a learner and table."""
        ax = new_axes(ax, height=3.0)
        rows = self.means.reshape(-1, self.means.shape[-1])
        ax.plot(np.arange(rows.shape[1]), rows.T, "o", color="C0", alpha=0.6)
        ax.set_xticks(np.arange(rows.shape[1]))
        ax.set_xlabel("learner")
        ax.set_ylabel(self.compared)
        ax.set_title(str(self) if len(rows) == 1 else self.method, fontsize="medium")
        return ax

    def __str__(self) -> str:
        if np.ndim(self.statistic):
            rejected = int(np.sum(np.asarray(self.pvalue) <= 0.05))
            return f"{self.method}: {rejected} of {np.size(self.pvalue)} tables have p ≤ 0.05."
        freedom = " and ".join(str(df) for df in np.atleast_1d(self.df))
        return (
            f"{self.method}: {self.symbol} = {self.statistic:.4g} with {freedom} degrees of "
            f"freedom, p = {self.pvalue:.3g}."
        )


def chi_squared_test(
    method: str, statistic: Floats, df: int, means: Floats, *, compared: str
) -> GroupTest:
    """Hold a statistic to χ² with ``df`` degrees of freedom."""
    pvalue = np.asarray(special.chdtrc(df, statistic))
    return GroupTest(
        method=method,
        symbol="χ²",
        statistic=as_values(statistic),
        df=df,
        pvalue=as_values(pvalue),
        means=means,
        compared=compared,
    )


def finite_table(values: ArrayLike, name: str, axes: tuple[str, str]) -> Floats:
    """Check a table with two or more rows and columns, (..., rows, columns)."""
    rows, columns = axes
    if rows == "learners":
        refuse_frame(values, name)
    table = as_floats(values, name)
    if table.ndim < 2 or min(table.shape[-2:]) < 2:
        raise InvalidInput(
            f"{name} has shape {table.shape}; expected ({rows}, {columns}), two or more of each."
        )
    require_finite(table, name)
    return table
