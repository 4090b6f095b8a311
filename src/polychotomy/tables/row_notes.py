"""What is odd in a table: in its columns, and rows that are copies or seem to belong together."""

from __future__ import annotations

import re
import shlex
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.core.arrays import Floats, Ints, count_classes
from polychotomy.core.numbers import short
from polychotomy.tables.column_notes import (
    Kind,
    Note,
    could_be_names,
    is_moments,
    is_whole,
    note_columns,
    number_labels,
    without_gaps,
)
from polychotomy.tables.dates import read_dates
from polychotomy.tables.drift import note_drift

if TYPE_CHECKING:
    import pandas as pd


_MANY = 5, 0.05  # rows, and of all: cases that are equal by themselves are fewer

_SURE = 3, 0.01  # of rows that have values of their own: no case is equal to these by itself

_OWN = 0.5, 0.95  # of the rows have a value of their own: two such values name a row, or one

_FINE = 20  # values of a column; where none has more, equal rows come by themselves

_FINER = 100  # values of a column of fractions, above which one value names one case

_ODD = 0x9E3779B97F4A7C15


_Hashes = NDArray[np.uint64]


def note_features(
    X: pd.DataFrame, labels: ArrayLike, target: str, *, groups: Any = None, time: Any = None
) -> Iterator[Note]:
    """Say what is odd in columns and rows; those that seem to belong together, unless given.

    Examples
    --------
    >>> import pandas as pd
    >>> print(*note_features(pd.DataFrame({"gap": [None, None]}), ["a", "b"], "kind"))
    1 column has no values: 'gap'
    """
    codes = number_labels(labels)
    yield from note_columns(X, codes, target)
    yield from note_copies(X, codes, groups=groups, time=time)
    if groups is None:
        yield from note_groups(X, codes)
    if time is None:
        yield from note_order(X)
    else:
        yield from note_drift(X, labels, target, time, groups=groups)


def note_copies(
    X: pd.DataFrame,
    labels: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> list[Note]:
    """Say how many rows are copies of others, where cases hardly are equal by themselves.

    Where a table has few coarse columns, cases are often equal, and others differ from them in one
    column only. Counted against the threshold are copies of rows that no other row is so near to,
    or whose value of a column of many fractions no other row has. Where most rows have values of
    their own, as measurements have to several digits, so that no case is equal to another by
    chance, a hundredth of the rows is enough.

    Parameters
    ----------
    X : DataFrame
        Features.
    labels : (n,) array_like
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
row, it can answer from memory, which says nothing of new cases; if they are the same case \
recorded again, keep one of each
    """
    import pandas as pd

    columns = [*(X[name] for name in X.columns), pd.Series(number_labels(labels))]
    columns += [pd.Series(np.asarray(time))] if time is not None else []
    rows: _Hashes = np.zeros(len(X), dtype=np.uint64)
    quick_first = sorted(enumerate(columns), key=lambda one: one[1].dtype.kind == "O")
    for count, (place, column) in enumerate(quick_first, 1):
        rows += _hash(column, place)
        # Further columns make fewer copies, never more.
        if count.bit_count() == 1 and not _is_many(len(X) - len(pd.unique(rows)), len(X), _SURE):
            return []
    found = pd.DataFrame({"row": rows})
    if groups is not None:
        found["group"] = pd.factorize(np.asarray(groups))[0]
        found = found.drop_duplicates()
    copies = found["row"].duplicated().reindex(range(len(rows)), fill_value=False).to_numpy()
    counts = _telling(columns, rows)[:, copies].sum(axis=1)
    if not (_is_many(counts[0], len(X), _MANY) or _is_many(counts[1], len(X), _SURE)):
        return []
    others = "others" if groups is None else "rows of other groups"
    brief = f"{copies.sum()} of {len(rows)} rows are copies of {others}"
    line = f"{brief}; keep one of each, if they are one case, and judge again"
    said = (
        f"{brief} in every column used: where a fit has seen the copy of a row, it can answer "
        "from memory, which says nothing of new cases; if they are the same case recorded again, "
        "keep one of each"
    )
    return [Note(said, kind="copies", line=line)]


def _is_many(count: int, n: int, least: tuple[int, float]) -> bool:
    return count >= least[0] and count > least[1] * n


def _hash(column: pd.Series, place: int) -> _Hashes:
    """Hash every value; equal values of two columns differ by the places of these."""
    import pandas as pd

    values = pd.util.hash_pandas_object(column, index=False).to_numpy(dtype=np.uint64)
    return np.asarray(values * np.uint64((_ODD * (2 * place + 1)) % 2**64))


def _telling(columns: Sequence[pd.Series], rows: _Hashes) -> NDArray[np.bool_]:
    """Mark rows that no other row is near to, unless equal, or that have a fine value alone.

    And those that are known by values of their own, (2, n). Where no column has many values, there
    are none.
    """
    import pandas as pd

    codes, distinct = pd.factorize(rows)
    first = np.flatnonzero(~pd.Series(rows).duplicated().to_numpy())
    near = np.zeros(len(distinct), dtype=bool)
    alone, own = near.copy(), np.zeros(len(distinct))
    most = 0
    for place, column in enumerate(columns):
        one_each = column.iloc[first]
        values = _hash(one_each, place)
        count = len(pd.unique(values))
        most = max(most, count)
        near |= pd.Series(distinct - values).duplicated(keep=False).to_numpy()
        only = ~pd.Series(values).duplicated(keep=False).to_numpy()
        own += only * sum(only.mean() > share for share in _OWN)
        if count > _FINER and one_each.dtype.kind == "f" and not is_whole(one_each):
            alone |= only
    return np.array([~near | alone, own >= len(_OWN)])[:, codes] & (most > _FINE)


_FEWEST_VALUES = 20

_FEWEST_ROWS = 20  # below this, rows may be sorted by chance

_AGREED = 0.9  # share of the rows of a value that have the label of another row of it

_CLEAR = 5.0  # standard deviations above chance

_SORTED = 0.98  # share of rows that are no earlier than the row before

_GROUP_NAME = re.compile(
    r"(^|[\W_])(patient|subject|participant|person|user|customer|client|household|family|donor"
    r"|animal|hospital|school|batch)(s|[\W_]*(id|no|nr|number|code|key))?$|(^|[\W_])(id|uuid|guid)$",
    re.IGNORECASE,
)

_TIME_NAME = re.compile(r"(^|[\W_])(timestamp|datetime)$", re.IGNORECASE)


def note_groups(X: pd.DataFrame, labels: ArrayLike) -> list[Note]:
    """Name columns whose values look like names of groups of rows, such as patients.

    Such a column has many values, most of them in several rows, and rows of one value nearly
    always have one label, far more often than chance gives. A quantity has such values, too, where
    it tells the label; but then the next larger value has about the same labels, and that of a
    name does not. A column that is called like one, such as ``patient_id``, is named whatever the
    labels are: what is learned of a patient may help without them. That labels agree is for who has
    ten seconds, too: the error is then that of rows of patients seen before.

    Parameters
    ----------
    X : DataFrame
        Features, without columns known to name groups or times.
    labels : (n,) array_like
        None of them missing.

    Examples
    --------
    >>> import pandas as pd
    >>> visits = pd.DataFrame({"patient": [f"P{i % 60:03}" for i in range(180)]})
    >>> outcome = ["ill" if i % 60 % 7 < 3 else "well" for i in range(180)]
    >>> print(*note_groups(visits, outcome))
    the column 'patient' has 60 values in 180 rows, and rows with the same value nearly always \
have the same label: if new rows will have new values of it, judge with --group patient
    """
    codes = number_labels(labels)
    if not codes.any():
        return []
    agree = ", and rows with the same value nearly always have the same label"
    notes = []
    for name in X.columns:
        agrees = _names_groups(X[name], str(name), codes)
        if agrees or _is_called_group(X[name], str(name)):
            said = f"the column {str(name)!r} has {X[name].nunique()} values in {len(X)} rows"
            why = f"{agree if agrees else ''}: if new rows will have new values of it"
            called = repr(short(str(name), 30))
            line = f"rows of one {called} share their label" if agrees else f"{called} names groups"
            line += "; if new rows will have new values of it"
            notes.append(_ask(f"{said}{why}", ("--group", "groups"), name, "groups", line))
    return notes


def _is_called_group(column: pd.Series, name: str) -> bool:
    if not _GROUP_NAME.search(name):
        return False
    kind, values = column.dtype.kind, without_gaps(column)
    could_be = kind in "iuOUT" or (kind == "f" and is_whole(values))
    return could_be and _FEWEST_VALUES < values.nunique() <= len(values) * 2 / 3


def _ask(
    said: str, options: tuple[str, str], name: Hashable, kind: Kind = "", line: str = ""
) -> Note:
    """Add how to judge with this column, on the command line and in Python."""
    option, argument = options
    asked = f"{option} {shlex.quote(str(name))}", f"{argument}=X[{name!r}]"
    (text, own), (line, own_line) = (
        [f"{one}, judge with {how}" for how in asked] for one in (said, line)
    )
    return Note(text, in_python=own, kind=kind, line=line, line_in_python=own_line)


def note_order(X: pd.DataFrame) -> list[Note]:
    """Name columns of dates or times that the rows are sorted by, nearly or exactly.

    Examples
    --------
    >>> import pandas as pd
    >>> print(*note_order(pd.DataFrame({"day": [f"2026-03-{i + 1:02}" for i in range(31)]})))
    the rows are in the order of 'day': if later rows are to be predicted from earlier ones, \
judge with --time day
    """
    said = "the rows are in the order of {!r}: if later rows are to be predicted from earlier ones"
    found = [name for name in X.columns if _is_order(X[name], str(name))]
    return [_ask(said.format(str(name)), ("--time", "time"), name) for name in found]


def _names_groups(column: pd.Series, name: str, codes: Ints) -> bool:
    whole = column.dtype.kind in "iuf" and is_whole(column)
    values = without_gaps(column)
    if not whole and not could_be_names(values, name):
        return False
    if not max(_FEWEST_VALUES, len(column) / 20) < values.nunique() <= len(values) * 2 / 3:
        return False
    places = np.asarray(values.factorize(sort=values.dtype.kind in "iuf")[0])
    table = count_classes(codes[column.notna().to_numpy()], places).astype(np.float64)
    if not _agree(table):
        return False
    return not whole or bool(_GROUP_NAME.search(name)) or not _next_agrees(table)


def _agree(table: Floats) -> bool:
    """Whether rows of one value share their label, clearly more often than by chance.

    Compared is the share of pairs within a value that agree, a value weighted by its rows. With
    labels drawn at random, a pair agrees with the probability Σp², and two pairs with a row in
    common both do with Σp³.
    """
    sizes = table.sum(axis=1)
    again = sizes > 1
    if sizes[again].sum() < sizes.sum() * 0.5:
        return False
    table, sizes = table[again], sizes[again]
    pairs = sizes * (sizes - 1) / 2
    weights = sizes / sizes.sum()
    agreeing = (table * (table - 1)).sum(axis=1) / 2
    agreement = float(weights @ (agreeing / pairs))
    shares = table.sum(axis=0) / sizes.sum()
    chance, thrice = float((shares**2).sum()), float((shares**3).sum())
    spread = pairs * chance * (1 - chance) + sizes * (sizes - 1) * (sizes - 2) * (
        thrice - chance**2
    )
    sd = float(np.sqrt((weights**2 * spread / pairs**2).sum()))
    excess = agreement - chance
    return agreement > _AGREED and excess > _CLEAR * sd and excess > 0.5 * (1 - chance)


def _next_agrees(table: Floats) -> bool:
    """Whether the rows of a value and of the next larger one share their labels, too."""
    shares = table / table.sum(axis=1, keepdims=True)
    overall = table.sum(axis=0) / table.sum()
    chance = float((overall**2).sum())
    agreement = float((shares[:-1] * shares[1:]).sum(axis=1).mean())
    return agreement - chance > 0.5 * (1 - chance)


def _is_order(column: pd.Series, name: str) -> bool:
    values = without_gaps(column)
    kind = values.dtype.kind
    is_time = _TIME_NAME.search(name) if kind in "iuf" else kind == "M" or is_moments(values)
    if not is_time or len(values) < max(_FEWEST_ROWS, 0.9 * len(column)):
        return False
    # Rows at the beginning that go back and forth are often too many for all rows already.
    for part in (values.iloc[: len(values) // 20], values):
        steps = np.diff(_times(part))
        back_and_forth = min(np.sum(steps < 0), np.sum(steps > 0))
        if back_and_forth > (1 - _SORTED) * (len(values) - 1):
            return False
    return len(steps) == len(values) - 1 and bool(np.count_nonzero(steps) >= len(steps) / 20)


def _times(values: pd.Series) -> Floats:
    """Return numbers or dates as numbers; none where not all can be read as dates."""
    if values.dtype.kind in "iuf":
        return values.to_numpy(dtype=float)
    found = read_dates(values, "ISO8601")
    if found.unread.any():
        return np.empty(0)
    return found.moments.to_numpy(dtype="datetime64[us]").astype(np.int64).astype(float)
