"""For whom does it err? The error in groups of cases, and slices of the columns where it is higher.

Of groups that somebody names, each is tested against all other cases. Slices are found in the
data, so that the best of them errs more by chance alone: what the best of all slices would show if
errors were spread at random is drawn. Why not a test on a half that was not searched, which is
honest too: it has half of the rows to find the slice, and half to show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr
from scipy.stats import fisher_exact

from polychotomy.comparison import holm
from polychotomy.core.arguments import as_floats
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import join, percent, pvalue, quoted
from polychotomy.core.result import DataFrame, Result
from polychotomy.validation.reliability import wilson_interval

# Values of a column that are groups of their own; the rarer ones are one group together.
MOST_GROUPS = 12

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
        Of the error being that of all other cases: Fisher's exact test, for all groups (Holm); a t
        test where cases come in clusters or have weights.
    overall : float
        Error of all cases.
    exact : bool
        Whether p-values are Fisher's.

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
    exact: bool = True

    @property
    def shown(self) -> Bools:
        """Which groups are shown to have another error than all other cases."""
        return self.pvalues <= _LEVEL

    def to_frame(self) -> DataFrame:
        """One row for each group."""
        return self._frame("names", "errors", "low", "high", "rows", "pvalues")

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


def errors_by_group(
    wrong: ArrayLike,
    values: Any,
    *,
    column: str = "group",
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> ErrorsByGroup:
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
    groups : (n,) array-like, optional
        Clusters: cases of one, such as questions on one document, are not independent.
    weights : (n,) array-like, optional
        How much each case counts.

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
    there, codes = np.unique(codes[judged], return_inverse=True)
    losses, rows = losses[judged], np.bincount(codes)
    if len(there) < 2:
        raise InvalidInput(f"{column!r} has one value in all rows; expected two groups or more.")
    exact = groups is None and weights is None
    units = np.arange(len(codes)) if groups is None else _codes(np.asarray(groups)[judged])
    each = np.ones(len(codes)) if weights is None else as_floats("weights", weights)[judged]
    errors = np.bincount(codes, each * losses) / np.bincount(codes, each)
    counts, count = np.round(errors * rows).astype(int), rows.astype(float)
    if exact:
        pvalues = [
            fisher_exact([[own, n - own], [rest, len(codes) - n - rest]]).pvalue
            for own, n, rest in zip(counts, rows, counts.sum() - counts, strict=True)
        ]
    else:
        found = [_compare(losses, each, codes == g, units) for g in range(len(rows))]
        pvalues = [p for p, _ in found]
        count = np.minimum(count, [n for _, n in found])
    low, high = wilson_interval(errors, count, 0.95)
    return ErrorsByGroup(
        column=column, names=tuple(names[g] for g in there), rows=rows, errors=errors, low=low,
        high=high, pvalues=holm(pvalues), overall=float(np.average(losses, weights=each)),
        exact=exact,
    )  # fmt: skip


def _compare(losses: Floats, weights: Floats, inside: Bools, units: Ints) -> tuple[float, float]:
    """Return p of a difference between cases inside and outside, and how many cases inside count.

    What clusters add to the difference is summed within them. Degrees of freedom are one less than
    the clusters of the smaller side: few of them tell little, however many the others are.
    """
    parts, means, sides = [], [], []
    for side in (inside, ~inside):
        share = np.where(side, weights, 0.0) / weights[side].sum()
        means.append(float(share @ losses))
        parts.append(np.bincount(units, share * (losses - means[-1])))
        sides.append(len(np.unique(units[side])))
    least = min(sides)
    variance = float(np.square(parts[0] - parts[1]).sum()) * least / max(least - 1, 1)
    own = float(np.square(parts[0]).sum())
    binomial = means[0] * (1 - means[0])
    count = binomial / own if own > 0 else float(sides[0])
    if least < 2 or variance <= 0:
        return 1.0, count
    t = abs(means[0] - means[1]) / np.sqrt(variance)
    return float(2 * stdtr(least - 1, -t)), count


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
    names = [f"{x.left:g} to {x.right:g}" if hasattr(x, "left") else str(x) for x in order]
    codes = pd.Categorical(series, categories=order).codes.astype(np.intp)
    return [*names, "missing"], np.where(codes < 0, len(names), codes)


class WeakSlice(NamedTuple):
    """Rows that a model is shown to err on more often than on others, by one or two columns.

    ``conditions`` all hold for ``rows`` cases, of which the share ``error`` is wrong, and
    ``elsewhere`` of the others. ``pvalue`` is for all ``searched`` slices together. As the slice
    was searched for, its error is rather too high.

    Examples
    --------
    >>> from polychotomy.verdict import WeakSlice
    >>> print(WeakSlice(("income > 3.2", "region = north"), 104, 0.31, 0.2, 0.005, 412))
    It errs more where income > 3.2 and region = north: 31.0 % of 104 rows, 20.0 % elsewhere.
    """

    conditions: tuple[str, ...]
    rows: int
    error: float
    elsewhere: float
    pvalue: float
    searched: int

    def __str__(self) -> str:
        return (
            f"It errs more where {' and '.join(self.conditions)}: {percent(self.error)} of "
            f"{self.rows} rows, {percent(self.elsewhere)} elsewhere."
        )


_SHARES = (0.05, 0.5)  # of the rows that a slice may have
_FEWEST = 20
_MOST_ROWS, _MOST_SLICES = 10_000, 800  # more would take more than a second
_DRAWS = 199
_TINY = 1e-5  # of single precision
# Standard deviations that a slice of two columns has to be better: there are far more of these, and
# with equal chances their luck would hide slices of one column, which are easier to read, too.
_SECOND_COLUMN = 0.5


def find_weak_slice(
    wrong: ArrayLike, X: Any, *, groups: ArrayLike | None = None, random_state: int = 0
) -> WeakSlice | None:
    """Find the rows, by one or two columns, that are shown to be wrong more often; None if none is.

    Slices have 5 to 50 % of the rows: below or above a tenth of a column of numbers, a value of
    another, two of these together.

    Parameters
    ----------
    wrong : (n,) floats
        As of `errors_by_group`.
    X : (n, columns) DataFrame or array
    groups : (n,) array-like, optional
        Cases of one group are not independent: they count together.
    random_state : int

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from polychotomy.verdict import find_weak_slice
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame({"age": rng.integers(20, 80, 900), "region": rng.choice(["n", "s"], 900)})
    >>> wrong = rng.random(900) < np.where((X["age"] > 63) & (X["region"] == "n"), 0.4, 0.05)
    >>> find_weak_slice(wrong, X).conditions
    ('age > 63', 'region = n')
    """
    losses = as_floats("wrong", wrong)
    rows, rng = np.flatnonzero(~np.isnan(losses)), np.random.default_rng(random_state)
    if len(rows) > _MOST_ROWS:
        rows = np.sort(rng.choice(rows, _MOST_ROWS, replace=False))
    told, slices = _slices(X, rows, rng)
    size = slices.sum(axis=0)
    low, high = (share * len(rows) for share in _SHARES)
    fit = np.flatnonzero((size >= max(low, _FEWEST)) & (size <= high))
    if not len(fit) or np.ptp(losses[rows]) == 0:
        return None
    y, slices = (losses[rows] - losses[rows].mean()).astype(np.float32), slices[:, fit]
    units = None if groups is None else _codes(np.asarray(groups)[rows])
    found, deal = _dealing(slices, y, units, rng)
    handicap = np.array([_SECOND_COLUMN * (len(told[one]) - 1) for one in fit])
    found -= handicap
    at = int(found.argmax())
    drawn = np.empty(0)
    for draws in (_DRAWS // 5, _DRAWS - _DRAWS // 5):  # the second only where the first leave hope
        if (drawn >= found[at] - _TINY).sum() < _LEVEL * (1 + _DRAWS):
            drawn = np.append(drawn, (deal(draws) - handicap).max(axis=1))
    pvalue = (1 + int((drawn >= found[at] - _TINY).sum())) / (1 + _DRAWS)
    if pvalue > _LEVEL:
        return None
    there = slices[:, at] > 0
    error, elsewhere = (float(losses[rows][side].mean()) for side in (there, ~there))
    return WeakSlice(told[fit[at]], int(there.sum()), error, elsewhere, pvalue, len(fit))


def _dealing(
    slices: Floats, y: Floats, units: Ints | None, rng: np.random.Generator
) -> tuple[Floats, Callable[[int], Floats]]:
    """Return z of every slice, (slices,), and a function that draws n of what chance would show.

    Errors of independent rows are dealt anew. Of groups what each adds is given a sign at random.
    """
    share = slices.mean(axis=0)
    if units is None:
        scaled = slices / (y.std() * np.sqrt(len(y) * share * (1 - share)))
        return y @ scaled, lambda n: rng.permuted(np.tile(y, (n, 1)), axis=1) @ scaled
    order = np.argsort(units, kind="stable")
    starts = np.flatnonzero(np.diff(units[order], prepend=-1))
    each = np.add.reduceat(((slices - share) * y[:, np.newaxis])[order], starts, axis=0)
    each /= np.sqrt(np.square(each).sum(axis=0)) + _TINY
    return each.sum(axis=0), lambda n: rng.choice(_SIGNS, size=(n, len(each))) @ each


_SIGNS = np.array([-1.0, 1.0], dtype=np.float32)


def _codes(values: Any) -> Ints:
    return np.unique(values, return_inverse=True)[1]


def _slices(X: Any, rows: Ints, rng: Any) -> tuple[list[tuple[str, ...]], Floats]:
    """Return slices in words, of one column and of two, and the rows that each has, (n, slices)."""
    import pandas as pd

    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).add_prefix("x")
    told: list[tuple[str, ...]] = []
    inside, coarse = [], []
    for at, name in enumerate(frame.columns):
        for deep, words, there in _conditions(frame.iloc[:, at].iloc[rows], str(name)):
            if there.sum() >= _SHARES[0] * len(rows):
                coarse += [(at, len(told))] if deep else []
                told.append((words,))
                inside.append(there)
        if len(told) > _MOST_SLICES // 2:
            break
    pairs = [(i, j) for one, i in coarse for other, j in coarse if one < other]
    for at in rng.permutation(len(pairs))[: _MOST_SLICES - len(told)]:
        i, j = pairs[at]
        told.append((*told[i], *told[j]))
        inside.append(inside[i] & inside[j])
    held = np.array(inside, dtype=np.float32).reshape(len(told), len(rows)).T
    return told, cast("Floats", held)


def _conditions(column: Any, name: str) -> Iterator[tuple[bool, str, Bools]]:
    """Yield conditions on a column: whether for slices of two columns, in words, and where."""
    import pandas as pd

    yield False, f"{name} is missing", column.isna().to_numpy()
    if pd.api.types.is_numeric_dtype(column) and column.nunique() > MOST_GROUPS:
        numbers = column.to_numpy(dtype=float, na_value=np.nan)
        for tenth, cut in enumerate(np.nanquantile(numbers, np.arange(1, 10) / 10), 1):
            said = f"{cut:.4g}"  # the number as it is written, so that a reader can count
            yield tenth == 3, f"{name} ≤ {said}", numbers <= float(said)
            yield tenth == 7, f"{name} > {said}", numbers > float(said)
        return
    texts = column.astype(str).where(column.notna())
    for value in texts.value_counts().index[:MOST_GROUPS]:
        yield True, f"{name} = {value}", (texts == value).to_numpy(dtype=bool)
