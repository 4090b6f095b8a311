"""Dates written in text, read only where one reading is possible."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pandas as pd


_TIME = r"(?:[T\s]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?"

_YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){_TIME}")

_YEAR_LAST = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}){_TIME}")

_WITH_NAMES = ("%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%b %d, %Y", "%B %d, %Y")

_MONTHS = 12


class Dates(NamedTuple):
    """Moments, missing where a value is missing or cannot be read, and which cannot be read.

    Examples
    --------
    >>> import pandas as pd
    >>> from polychotomy.tables.dates import read_dates
    >>> read_dates(pd.Series(["31.12.2021", None])).unread.tolist()
    [False, False]
    """

    moments: pd.Series
    unread: pd.Series


def read_dates(values: pd.Series, format: str | None = None) -> Dates:
    """Read a column of dates, whose type may be that of dates already.

    Text is read in the given format, or else with the year first, as ``31.12.2021``, or with an
    English name of the month. Of ``03/04/2021`` the given format or another row of the column
    must tell which is the day; else it is not read. A time zone is turned into UTC.

    Parameters
    ----------
    values : Series
    format : str, optional
        How dates are known to be written, as ``%d/%m/%Y``.

    Examples
    --------
    >>> import pandas as pd
    >>> from polychotomy.tables.dates import read_dates
    >>> found = read_dates(pd.Series(["2021-12-31", "31.12.2021", "Dec 31, 2021", "03/04/2021"]))
    >>> found.moments.dt.strftime("%Y-%m-%d").tolist()
    ['2021-12-31', '2021-12-31', '2021-12-31', nan]
    >>> found.unread.tolist()
    [False, False, False, True]
    >>> read_dates(pd.Series(["03/04/2021", "14/04/2021"])).moments.dt.day.tolist()
    [3, 14]
    """
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        naive = values if values.dt.tz is None else values.dt.tz_convert(None)
        return Dates(naive, naive.isna() & values.notna())
    given = values.reset_index(drop=True)
    texts = given.dropna().astype(str).str.strip()
    texts = texts[texts.str.contains(r"\d")].astype(object)  # not "now" nor "today"
    known = texts.iloc[:0] if format is None else texts
    moments = _parsed(known, format or "ISO8601").reindex(texts.index)
    written = _as_iso(texts[moments.isna()], format)
    for candidate, how in ((written, "ISO8601"), *((texts, how) for how in _WITH_NAMES)):
        left = candidate[moments[candidate.index].isna()]
        if len(left):
            moments = moments.fillna(_parsed(left, how).reindex(texts.index))
    found = moments.reindex(given.index).set_axis(values.index)
    return Dates(found, found.isna() & values.notna())


def with_dates(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose columns of ``datetime.date`` have the type of dates.

    pandas keeps such values as objects, also those of a Parquet file's days; which of them are
    dates, and which are texts, then depends on the version of what reads them.

    Examples
    --------
    >>> import datetime
    >>> import pandas as pd
    >>> from polychotomy.tables.dates import with_dates
    >>> days = pd.DataFrame({"day": [datetime.date(2021, 12, 31), None], "name": ["a", "b"]})
    >>> with_dates(days).dtypes.map(lambda dtype: dtype.kind)["day"]
    'M'
    """
    from pandas.api.types import infer_dtype

    typed = frame
    for place in [place for place, dtype in enumerate(frame.dtypes) if dtype.kind == "O"]:
        column = frame.iloc[:, place]
        if infer_dtype(column) in ("date", "datetime"):
            found = read_dates(column)
            if not found.unread.any():
                typed = typed.copy(deep=False) if typed is frame else typed
                typed.isetitem(place, found.moments)
    return typed


def hides_the_month(values: pd.Series) -> bool:
    """Whether dates in numbers leave open which is the day and which the month, all of them.

    Examples
    --------
    >>> import pandas as pd
    >>> hides_the_month(pd.Series(["03/04/2021", "12/11/2021"]))
    True
    >>> hides_the_month(pd.Series(["03/04/2021", "14/04/2021"]))
    False
    """
    found = [_YEAR_LAST.fullmatch(str(one).strip()) for one in values.unique()]
    parts = [(int(one[1]), int(one[3])) for one in found if one]
    return all(found) and any(a != b for a, b in parts) and max(map(max, parts)) <= _MONTHS


def _parsed(texts: pd.Series, format: str) -> pd.Series:
    """Moments in UTC without saying so; missing where the format does not fit."""
    import pandas as pd

    read = pd.to_datetime(texts.astype(object), format=format, errors="coerce", utc=True)
    return read.dt.tz_localize(None).astype("datetime64[us]")


def _as_iso(texts: pd.Series, format: str | None) -> pd.Series:
    """Write those dates of numbers that have one reading with the year first."""
    import pandas as pd

    first = texts.map(_YEAR_FIRST.fullmatch).dropna()
    last = texts.map(_YEAR_LAST.fullmatch).dropna()
    found = {row: _iso(m[1], m[3], m[4], m[5], m[6]) for row, m in first.items()}
    for separator in "-/.":
        here = last[[match[2] == separator for match in last]]
        day_first = _day_first(list(here), separator, format)
        for row, match in here.items():
            if day_first is None and int(match[1]) != int(match[3]):
                continue
            day, month = (match[1], match[3]) if day_first else (match[3], match[1])
            found[row] = _iso(match[4], month, day, match[5], match[6])
    return pd.Series(found, dtype=object)


def _day_first(matches: list[re.Match[str]], separator: str, format: str | None) -> bool | None:
    """Whether the day comes before the month; None where nothing tells."""
    if format is not None and not format.startswith("%Y") and "%d" in format and "%m" in format:
        known = format.index("%d") < format.index("%m")
        if separator != "." or "." in format:
            return known
    if separator == ".":
        return True
    day_first = any(int(match[1]) > _MONTHS for match in matches)
    month_first = any(int(match[3]) > _MONTHS for match in matches)
    return day_first if day_first != month_first else None


def _iso(year: str, month: str, day: str, time: str | None, zone: str | None) -> str:
    clock = "00:00" if time is None else time.zfill(len(time) + (time[1] == ":"))
    # Always with a zone: beside rows with one, some versions of pandas shift those without.
    return f"{year}-{month.zfill(2)}-{day.zfill(2)}T{clock}{zone or 'Z'}"
