"""Columns of text that are not what they seem: names of rows, numbers written another way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_FEWEST_ROWS = 20  # below this, distinct values are likely chance
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
    if len(values) < max(_NEARLY * n, _FEWEST_ROWS) or values.nunique() < _NEARLY * len(values):
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
