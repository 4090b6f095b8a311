"""Columns of text that are not what they seem: names of rows, numbers written another way."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


_FEWEST_TEXTS = 20  # below this, distinct values are likely chance

_NEARLY = 0.95

_MOST_WORDS = 4  # names of people and places have so many; free text has more

_ID_NAME = re.compile(r"(^|[\W_])(id|uuid|guid|index|key)$", re.IGNORECASE)

_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"

_MOMENT = re.compile(
    r"\s*(\w{2,10}\.?,?\s+)?"  # a day of the week
    r"(\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?\b.*"
    r"|\d{1,2}:\d{2}\b.*"
    rf"|\d{{1,2}}(st|nd|rd|th|\.)?[\s-]*{_MONTH}[\s-].*"
    rf"|{_MONTH}\s*\d{{1,2}}\b.*)",
    re.IGNORECASE,
)

_COMMA_NUMBER = re.compile(r"\s*[+-]?\d+(,\d+)?\s*")

_NUMBER = re.compile(r"\s*[^\w\s]?\s*\d[\d.,\s]*(e[+-]?\d+)?\s*\S{0,3}\s*", re.IGNORECASE)


def is_identifier(values: pd.Series, name: str, n: int) -> bool:
    """Whether a column names its rows: (nearly) every row has its own whole number, code or name.

    Numbers must be in a row, or the column called like an identifier. Dates, amounts and free text
    are no names, however different.

    Parameters
    ----------
    values : Series
        Those that are not missing.
    n : int
        Rows of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> is_identifier(pd.Series([f"Ms {chr(65 + i)}. Lee" for i in range(26)]), "name", 26)
    True
    >>> is_identifier(pd.Series([f"2026-03-{i + 1:02}" for i in range(26)]), "day", 26)
    False
    """
    if len(values) < max(_NEARLY * n, _FEWEST_TEXTS) or values.nunique() < _NEARLY * len(values):
        return False
    if values.dtype.kind in "iu":
        in_a_row = values.nunique() == n == int(values.max()) - int(values.min()) + 1
        return in_a_row or bool(_ID_NAME.search(name))
    return could_be_names(values, name)


def could_be_names(values: pd.Series, name: str) -> bool:
    """Whether a column of text may hold names: no dates, no amounts, no free text.

    Examples
    --------
    >>> import pandas as pd
    >>> could_be_names(pd.Series(["P01", "P02"]), "who"), could_be_names(pd.Series(["3 %"]), "fat")
    (True, False)
    """
    if values.dtype.kind in "iufcbMm":
        return False
    texts = values.astype(str)
    if _ID_NAME.search(name):
        return True
    if _mostly(texts, _MOMENT) or _mostly(texts, _NUMBER):
        return False
    return bool(texts.str.split().str.len().median() <= _MOST_WORDS)


def is_moments(values: pd.Series) -> bool:
    """Whether a column of text holds dates or times.

    Examples
    --------
    >>> import pandas as pd
    >>> is_moments(pd.Series(["2026-03-31", "12:30"])), is_moments(pd.Series(["north"]))
    (True, False)
    """
    return values.dtype.kind not in "iufcbMm" and _mostly(values.astype(str), _MOMENT)


def has_comma_numbers(values: pd.Series) -> bool:
    """Whether a column of text holds numbers with decimal commas.

    Examples
    --------
    >>> import pandas as pd
    >>> has_comma_numbers(pd.Series(["1,5", "2", "-0,25"])), has_comma_numbers(pd.Series(["a,b"]))
    (True, False)
    """
    if values.empty or values.dtype.kind in "iufcbMm":
        return False
    texts = values.astype(str)
    return _mostly(texts, _COMMA_NUMBER) and bool(texts.str.contains(",", regex=False).any())


def _mostly(texts: pd.Series, pattern: re.Pattern[str]) -> bool:
    matching = sum(pattern.fullmatch(text) is not None for text in texts)
    return matching >= 0.9 * len(texts)


_SHOWN = 5  # columns named before "and N more"

_COMMAS = "numbers written with commas, which are taken as text (write 1.5, not 1,5)"

_FEWEST_ROWS = 20  # below this, matching values are likely chance


def note_columns(X: pd.DataFrame, labels: Sequence[Any], target: str) -> tuple[str, ...]:
    r"""Name columns that tell nothing, tell the same twice, or tell too much.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"one": [1, 1], "gap": [None, None], "a": [3, 4], "b": [3, 4]})
    >>> print(*note_columns(X, ["x", "y"], "kind"), sep="\n")
    1 column has no values: 'gap'
    1 column has one value only: 'one'
    1 column equals another: 'b' ('a')
    """
    known = {str(name): X[name].dropna() for name in X.columns}
    empty = [name for name, values in known.items() if values.empty]
    distinct = {name: values.nunique() for name, values in known.items()}
    constant = [
        name for name, count in distinct.items() if count == 1 and len(known[name]) == len(X)
    ]
    names = [name for name, values in known.items() if is_identifier(values, name, len(X))]
    commas = [name for name, values in known.items() if has_comma_numbers(values)]
    told = (
        ("column has no values", "columns have no values", empty),
        ("column has one value only", "columns have one value only", constant),
        ("column equals another", "columns equal others", _copies(X, {*empty, *constant})),
        (
            "column has another value in nearly every row, like a name or an identifier, which can "
            f"only be learned by heart (leave it out by {_drop(names)})",
            "columns have another value in nearly every row, like names or identifiers, which can "
            f"only be learned by heart (leave them out by {_drop(names)})",
            names,
        ),
        (f"column holds {_COMMAS}", f"columns hold {_COMMAS}", commas),
        (
            f"column gives {target!r} away, each of its values going with one class (is it known "
            "when a prediction is wanted?)",
            f"columns give {target!r} away, each of their values going with one class (are they "
            "known when a prediction is wanted?)",
            _leaks(X, labels, distinct),
        ),
    )
    notes = [_count(one, many, names) for one, many, names in told if names]
    return (*notes, *_infinite(X))


def _drop(names: list[str]) -> str:
    return " ".join(f"--drop {shlex.quote(name)}" for name in names[:_SHOWN])


def _count(one: str, many: str, names: list[str]) -> str:
    """Say how many columns, what about them, and which."""
    rest = len(names) - _SHOWN
    listed = ", ".join(name if "'" in name else repr(name) for name in names[:_SHOWN])
    more = f" and {rest} more" if rest > 0 else ""
    return f"{len(names)} {one if len(names) == 1 else many}: {listed}{more}"


def _copies(X: pd.DataFrame, others: set[str]) -> list[str]:
    """Columns with the same values as one before them, that one in brackets."""
    import pandas as pd

    first: dict[bytes, str] = {}
    copies = []
    for name in X.columns:
        if str(name) not in others:
            values = X[name].astype(object) if X[name].dtype == "category" else X[name]
            content = pd.util.hash_pandas_object(values, index=False).to_numpy().tobytes()
            if content in first:
                copies.append(f"{str(name)!r} ({first[content]!r})")
            else:
                first[content] = str(name)
    return copies


def _leaks(X: pd.DataFrame, labels: Sequence[Any], distinct: dict[str, int]) -> list[str]:
    """Columns whose values and the classes go together one to one."""
    import pandas as pd

    known = [label is not None and label == label for label in labels]
    classes = pd.factorize(np.array([str(label) for label in labels], dtype=object))[0]
    k = len(set(classes[known]))
    if len(labels) < _FEWEST_ROWS or k < 2:
        return []
    leaks = []
    for name in X.columns:
        if distinct[str(name)] not in (k, k - 1):  # a missing value may stand for a class
            continue
        codes = pd.factorize(X[name], use_na_sentinel=False)[0]
        pairs = {
            pair for pair, use in zip(zip(codes, classes, strict=True), known, strict=True) if use
        }
        if len(pairs) == k == len({code for code, _ in pairs}):
            leaks.append(str(name))
    return leaks


def _infinite(X: pd.DataFrame) -> list[str]:
    numbers = [name for name in X.columns if X[name].dtype.kind == "f"]
    return [
        f"{str(name)!r} is infinite in {len(rows)} row{'s' * (len(rows) > 1)} (first in data row "
        f"{X.index[rows[0]] + 1}): candidates that cannot take this fail"
        for name in numbers
        if len(rows := np.flatnonzero(np.isinf(X[name].to_numpy())))
    ]
