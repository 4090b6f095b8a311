"""What the tests take and how they treat rounding: tables of errors, and differences of them.

What every room checks is in :mod:`polychotomy.core.arguments`; here is what only errors of learners
on folds have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, TypeGuard, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from polychotomy.core.arguments import (
    as_floats,
    check_choice,
    check_entries,
    check_finite,
    check_names,
    is_number,
    shown,
    unexpected,
    wrong_shape,
)
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import DataFrame

REFIT = "Leave the failed fold out for every learner, or fit it again."

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]


def check_alternative(alternative: Alternative) -> None:
    """Refuse what is no side of a test."""
    check_choice("alternative", alternative, get_args(Alternative))


Values: TypeAlias = float | Floats
"""A float for one comparison; an array for a batch of them."""


def as_values(array: Floats) -> Values:
    """Return a float if ``array`` has no axes, else ``array``."""
    return float(array) if array.ndim == 0 else array


def as_truth_values(values: ArrayLike, name: str) -> Bools:
    """Return bools; 0 and 1 will do, anything else is refused."""
    array = as_floats(name, values)
    expected = "True or False for each case, such as predictions != truth"
    check_entries(name, array, np.isin(array, (0.0, 1.0)), expected)
    return array.astype(bool)


def finite_pair(a: ArrayLike, b: ArrayLike, *, ndim: int = 1) -> tuple[Floats, Floats]:
    """Two arrays of errors measured on the same folds: the last ``ndim`` axes must agree."""
    first, second = as_floats("a", a), as_floats("b", b)
    check_finite("a", first, advice=REFIT)
    check_finite("b", second, advice=REFIT)
    if not broadcastable(first, second, ndim=ndim):
        raise wrong_shape("b", second, f"errors on the same folds as a, with {first.shape}")
    return first, second


def broadcastable(first: NDArray[Any], second: NDArray[Any], *, ndim: int) -> bool:
    """Whether the last ``ndim`` axes agree and those before them fit together."""
    if min(first.ndim, second.ndim) < ndim or first.shape[-ndim:] != second.shape[-ndim:]:
        return False
    try:
        np.broadcast_shapes(first.shape, second.shape)
    except ValueError:
        return False
    return True


def require_5x2(array: Floats, name: str) -> None:
    """Refuse an array whose last two axes are not 5 replications of 2 folds."""
    if array.shape[-2:] != (5, 2):
        raise wrong_shape(name, array, f"(..., 5, 2), as of {name}.reshape(-1, 5, 2)")


def learner_names(names: Sequence[str] | None, m: int) -> tuple[str, ...]:
    """Return a distinct name for each learner; by default its row number."""
    return check_names("names", names, count=m, prefix="learner ")


def checked_margin(margin: float | None) -> float | None:
    """Refuse a margin that is not positive."""
    if margin is None:
        return None
    if not is_number(margin) or not 0.0 < margin < np.inf:
        raise unexpected("margin", margin, "a positive difference in error, such as 0.02, or None")
    return float(margin)


def refuse_frame(values: object, name: str) -> None:
    """Refuse a data frame where learners are rows: in a frame they are mostly columns.

    Examples
    --------
    >>> import pandas as pd
    >>> refuse_frame(pd.DataFrame({"A": [0.1, 0.2], "B": [0.3, 0.1]}), "errors")
    Traceback (most recent call last):
    polychotomy.core.exceptions.InvalidInput: errors is a data frame with columns ['A', 'B'], \
which ...
    """
    if is_frame(values):
        raise InvalidInput(
            f"{name} is a data frame with columns {shown(list(values.columns))}, which does not "
            "say whether learners are rows or columns; expected an array with a row for each "
            "learner. Where learners are columns, pass frame.to_numpy().T, else frame.to_numpy()."
        )


def is_frame(values: object) -> TypeGuard[DataFrame]:
    """Whether this is a table of columns with names, as those of pandas."""
    return hasattr(values, "columns") and hasattr(values, "to_numpy")


def checked_errors(errors: ArrayLike, names: Sequence[str] | None = None) -> Floats:
    """Check (m, repetitions, folds) errors without gaps; (m, L) becomes (m, 1, L)."""
    refuse_frame(errors, "errors")
    table = as_floats("errors", errors)
    if table.ndim == 2:
        table = table[:, None, :]
    if table.ndim != 3 or not table.size:
        raise wrong_shape("errors", table, "(learners, repetitions, folds), such as (m, 5, 2)")
    found_names, bad = learner_names(names, len(table)), np.argwhere(~np.isfinite(table))
    if len(bad):
        i, repetition, fold = bad[0].tolist()
        raise InvalidInput(
            f"the error of {found_names[i]!r} in repetition {repetition}, fold {fold} is "
            f"{table[i, repetition, fold]}; expected finite numbers. {REFIT}"
        )
    return table


# Each of a, b and a - b is rounded once, and so are the few sums after them; 16 units in the last
# place of the largest error cover them all, and no measured error is known that well.
NOISE = 16 * np.finfo(np.float64).eps


def scaled_differences(a: Floats, b: Floats, *, ndim: int) -> tuple[Floats, Ints]:
    """Subtract b from a in units of 2**exponent, common to the last ``ndim`` axes.

    Returns the differences and the exponents, (..., 1, …, 1).

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.array([[0.1 + 0.2, 0.75]]), np.array([[0.3, 0.5]])
    >>> scaled_differences(a, b, ndim=1)
    (array([[0.  , 0.25]]), array([[0]]))
    """
    axes = tuple(range(-ndim, 0))
    largest = np.maximum(np.abs(a), np.abs(b)).max(axis=axes, keepdims=True)
    # Beyond these exponents the power of two itself would overflow.
    exponent = np.clip(np.frexp(largest)[1], -1022, 1023).astype(np.intp)
    unit = np.ldexp(1.0, -exponent)
    return without_noise(a * unit - b * unit), exponent


def without_noise(values: Floats) -> Floats:
    """Put zero in place of what rounding of numbers of size 1 can make.

    Examples
    --------
    >>> import numpy as np
    >>> without_noise(np.array([1e-17, 1e-9]))
    array([0.e+00, 1.e-09])
    """
    return np.where(np.abs(values) <= NOISE, 0.0, values)


def maximal_ranges(order: Ints, ends: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the rows from each place to its end, of two or more, that no other range holds."""
    return tuple(
        tuple(order[start:end].tolist())
        for start, end in enumerate(ends)
        if end - start > 1 and (start == 0 or ends[start - 1] < end)
    )


def midranks(values: Floats, *, noise: float | None = None) -> Floats:
    """Rank the values along the last axis from 1; ties share the mean of their ranks.

    Values are ties where rounding alone tells them apart: where neighbours differ by no more than
    ``noise``, by default what rounding can make of numbers of their own size.

    Examples
    --------
    >>> import numpy as np
    >>> midranks(np.array([0.5, 0.1 + 0.2, 0.3]))
    array([3. , 1.5, 1.5])
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    size = np.maximum(np.abs(ordered[..., 1:]), np.abs(ordered[..., :-1]))
    apart = np.diff(ordered, axis=-1) > (NOISE * size if noise is None else noise)
    group = np.zeros(values.shape)
    np.cumsum(apart, axis=-1, out=group[..., 1:])
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, rankdata(group, axis=-1), axis=-1)
    return ranks
