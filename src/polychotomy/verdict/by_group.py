"""For whom does it err? The error in groups of cases, and in which it is shown to be another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import fisher_exact

from polychotomy.comparison import holm
from polychotomy.core.arguments import as_floats
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import join, percent, pvalue, quoted
from polychotomy.core.result import Axes, DataFrame, Result, new_axes
from polychotomy.validation.reliability import wilson_interval

if TYPE_CHECKING:
    pass

MOST_GROUPS = 12
"""Values of a column that are groups of their own; the rarer ones are one group together."""

_BINS = 4  # of numbers with more values than that, equally full

_LEVEL = 0.05


class ErrorsByGroup(Result):
    """The error in each group of cases.

    Parameters
    ----------
    column : str
        What the groups are of.
    names : tuple of str
        Numbers in their order, other values the most frequent first.
    rows : (g,) ints
        Cases in each.
    errors, low, high : (g,) floats
        Share of wrong labels, and its 95 % interval (Wilson).
    pvalues : (g,) floats
        Of the error being that of all other cases: Fisher's exact test, for all groups (Holm).
    overall : float
        Error of all cases.

    Examples
    --------
    >>> from polychotomy.verdict import errors_by_group
    >>> wrong = [0] * 90 + [1] * 10 + [0] * 60 + [1] * 40 + [0] * 75 + [1] * 25
    >>> regions = ["north"] * 100 + ["south"] * 100 + ["west"] * 100
    >>> print(errors_by_group(wrong, regions, column="region"))
    By 'region' it errs more in 'south' (40.0 % of 100 rows, p < 0.0001) and less in 'north' \
(10.0 % of 100 rows, p < 0.0001) than elsewhere; 25.0 % of all are wrong.
    """

    column: str
    names: tuple[str, ...]
    rows: Ints
    errors: Floats
    low: Floats
    high: Floats
    pvalues: Floats
    overall: float

    @property
    def shown(self) -> Bools:
        """Which groups are shown to have another error than all other cases."""
        return self.pvalues <= _LEVEL

    def to_frame(self) -> DataFrame:
        """One row for each group."""
        return self._frame("names", "rows", "errors", "low", "high", "pvalues")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the errors with their intervals, and that of all."""
        ax = new_axes(ax, height=1.2 + 0.3 * len(self.names))
        places = np.arange(len(self.names))
        ax.hlines(places, self.low, self.high)
        ax.plot(self.errors, places, "o")
        ax.axvline(self.overall, linestyle=":")
        ax.set_yticks(places, self.names)
        ax.set(xlabel="error")
        ax.invert_yaxis()
        return ax

    def __str__(self) -> str:
        of_all, above = f"{percent(self.overall)} of all are wrong", self.errors > self.overall
        parts = []
        for word, side in (("more", above), ("less", ~above)):
            found = [
                f"{quoted(self.names[g])} ({percent(self.errors[g])} of {self.rows[g]} rows, "
                f"{pvalue(self.pvalues[g])})"
                for g in np.argsort(-np.abs(self.errors - self.overall), kind="stable")
                if self.shown[g] and side[g]
            ]
            if found:
                parts.append(f"{word} in {join(found)}")
        often = f"{' and '.join(parts)} than elsewhere"
        if not parts:
            often = f"no more and no less in any of {len(self.names)} groups, as far as is shown"
        return f"By {quoted(self.column)} it errs {often}; {of_all}."


def errors_by_group(wrong: ArrayLike, values: Any, *, column: str = "group") -> ErrorsByGroup:
    """Compare the error in each group of cases with that of all others.

    Parameters
    ----------
    wrong : (n,) floats
        1 where a case's label was wrong, 0 where not; a share of repetitions counts as that. NaN
        where it was not predicted.
    values : (n,) array-like
        What group a case is of. Numbers of more than twelve values are cut into four groups of
        equal size; of others the twelve most frequent are groups of their own.
    column : str
        What to call it.

    Examples
    --------
    >>> from polychotomy.verdict import errors_by_group
    >>> errors_by_group([0, 1, 1, 0], ["a", "a", "b", None]).to_frame()["names"].tolist()
    ['a', 'b', 'missing']
    """
    losses = as_floats("wrong", wrong)
    names, codes = _groups(values)
    if losses.ndim != 1 or losses.shape != codes.shape:
        raise InvalidInput(
            f"{column!r} has {len(codes)} values; expected {losses.size}, one for each row."
        )
    judged = ~np.isnan(losses)
    losses, codes = losses[judged], codes[judged]
    rows = np.bincount(codes, minlength=len(names))
    there = rows > 0
    names = [name for name, some in zip(names, there, strict=True) if some]
    codes, rows = (np.cumsum(there) - 1)[codes], rows[there]
    if len(names) < 2:
        raise InvalidInput(f"{column!r} has one value in all rows; expected two groups or more.")
    sums = np.bincount(codes, losses)
    low, high = wilson_interval(sums / rows, rows.astype(float), 0.95)
    counts = np.round(sums).astype(int)
    pvalues = [
        fisher_exact([[own, n - own], [rest, len(codes) - n - rest]]).pvalue
        for own, n, rest in zip(counts, rows, counts.sum() - counts, strict=True)
    ]
    return ErrorsByGroup(
        column=column,
        names=tuple(names),
        rows=rows,
        errors=sums / rows,
        low=low,
        high=high,
        pvalues=holm(pvalues),
        overall=float(losses.mean()),
    )


def _groups(values: Any) -> tuple[list[str], Ints]:
    """Name the groups of values, and number each value's."""
    import pandas as pd

    series = pd.Series(values).reset_index(drop=True)
    if pd.api.types.is_numeric_dtype(series) and series.nunique() > MOST_GROUPS:
        series = pd.qcut(series, _BINS, duplicates="drop")
    elif series.nunique() > MOST_GROUPS:
        frequent = series.value_counts().index[:MOST_GROUPS]
        series = series.where(series.isin(frequent) | series.isna(), "all others")
    in_order = pd.api.types.is_numeric_dtype(series) or hasattr(series, "cat")
    found = series.value_counts(sort=not in_order)
    order = [*(found.sort_index() if in_order else found).index]
    names = [_name(one) for one in order]
    codes = pd.Categorical(series, categories=order).codes.astype(np.intp)
    return [*names, "missing"], np.where(codes < 0, len(names), codes)


def _name(value: Any) -> str:
    if hasattr(value, "left"):
        return f"{value.left:g} to {value.right:g}"
    return str(value)
