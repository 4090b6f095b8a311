"""Rows that are in a table more than once: in training and in test, they are learned by heart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import pandas as pd

_SHARE = 0.05  # of the rows
_FEWEST = 5
_FINE = 20  # values of a column; where none has more, equal rows come by themselves
_FINER = 100  # values of a column of fractions, above which one value names one case
_ODD = 0x9E3779B97F4A7C15

_Hashes = NDArray[np.uint64]


def note_copies(
    X: pd.DataFrame,
    labels: Sequence[Any],
    *,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> list[str]:
    """Say how many rows are copies of others, where cases hardly are equal by themselves.

    Where a table has few coarse columns, cases are often equal, and others differ from them in one
    column only. Counted against the threshold are copies of rows that no other row is so near to,
    or whose value of a column of many fractions no other row has.

    Parameters
    ----------
    X : DataFrame
        Features.
    labels : sequence of n labels
    groups : (n,) array_like, optional
        Copies within a group are never in training and test both, and do not count.
    time : (n,) array_like, optional
        A row of another time is no copy.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> X = pd.DataFrame(np.random.default_rng(0).normal(size=(50, 3)))
    >>> print(*note_copies(pd.concat([X, X[:10]]), ["a", "b"] * 30))
    10 of 60 rows are copies of others in every column used: where a fit has seen the copy of a \
row, it can know that row by heart, which says nothing of new cases; if they are the same case \
recorded again, keep one of each
    """
    import pandas as pd

    extra = [pd.Series(np.asarray(time))] if time is not None else []
    columns = [*(X[name] for name in X.columns), pd.Series(list(map(str, labels))), *extra]
    rows = _sum_hashes(columns)
    counted = _one_of_each_group(rows, groups)
    copies = np.zeros(len(rows), dtype=bool)
    copies[counted] = pd.Series(rows[counted]).duplicated().to_numpy()
    if not _is_many(copies.sum(), len(rows)):
        return []
    if not _is_many(_telling(columns, rows)[copies].sum(), len(rows)):
        return []
    others = "others" if groups is None else "rows of other groups"
    return [
        f"{copies.sum()} of {len(rows)} rows are copies of {others} in every column used: where a "
        "fit has seen the copy of a row, it can know that row by heart, which says nothing of new "
        "cases; if they are the same case recorded again, keep one of each"
    ]


def _is_many(count: int, n: int) -> bool:
    return count >= _FEWEST and count > _SHARE * n


def _hash(column: pd.Series, place: int) -> _Hashes:
    """Hash every value; equal values of two columns differ by the places of these."""
    import pandas as pd

    values = pd.util.hash_pandas_object(column, index=False).to_numpy(dtype=np.uint64)
    return np.asarray(values * np.uint64((_ODD * (2 * place + 1)) % 2**64))


def _sum_hashes(columns: Sequence[pd.Series]) -> _Hashes:
    """Hash every row, so that a column can be taken out again by subtraction."""
    total = np.zeros(len(columns[0]), dtype=np.uint64)
    for place, column in enumerate(columns):
        total += _hash(column, place)
    return total


def _one_of_each_group(rows: _Hashes, groups: ArrayLike | None) -> NDArray[np.bool_]:
    """Mark the first of equal rows in each group."""
    import pandas as pd

    if groups is None:
        return np.ones(len(rows), dtype=bool)
    pairs = pd.DataFrame({"row": rows, "group": pd.factorize(np.asarray(groups))[0]})
    return np.asarray(~pairs.duplicated().to_numpy(), dtype=bool)


def _telling(columns: Sequence[pd.Series], rows: _Hashes) -> NDArray[np.bool_]:
    """Mark rows that no other row is near to, unless equal, or that have a fine value alone.

    Where no column has many values, there are none.
    """
    import pandas as pd

    codes, distinct = pd.factorize(rows)
    first = np.flatnonzero(~pd.Series(rows).duplicated().to_numpy())
    near = np.zeros(len(distinct), dtype=bool)
    alone = near.copy()
    most = 0
    for place, column in enumerate(columns):
        one_each = column.iloc[first]
        values = _hash(one_each, place)
        count = len(pd.unique(values))
        most = max(most, count)
        near |= pd.Series(distinct - values).duplicated(keep=False).to_numpy()
        if count > _FINER and _is_fractions(one_each):
            alone |= ~pd.Series(values).duplicated(keep=False).to_numpy()
    return np.asarray((~near | alone)[codes] & (most > _FINE))


def _is_fractions(column: pd.Series) -> bool:
    return column.dtype.kind == "f" and bool((column.dropna() % 1 != 0).any())
