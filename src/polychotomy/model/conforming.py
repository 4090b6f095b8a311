"""Which columns of text a fitted classifier reads as dates, and how they were written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polychotomy.core.exceptions import InvalidTable
from polychotomy.model.schema import Column, Kind, Schema, kind_of
from polychotomy.model.trusted_types import reachable
from polychotomy.study.design.dataset import name_some
from polychotomy.tables.dates import Dates, read_dates

if TYPE_CHECKING:
    import pandas as pd


class DateColumn(NamedTuple):
    """How dates were written in training, and the fitted step that knows texts like ``N/A``.

    Examples
    --------
    >>> from polychotomy.model.conforming import DateColumn
    >>> DateColumn("%Y-%m-%d", None).format
    '%Y-%m-%d'
    """

    format: str | None
    cleaner: Any

    def read(self, values: pd.Series) -> Dates:
        """Read a column; a text that stands for a missing value is missing, as in training."""
        given = values.astype(object) if hasattr(values, "cat") else values
        is_text = given.dtype.kind not in "iufbMm"
        if self.cleaner is not None and is_text:
            given = self.cleaner.transform(given)
        return read_dates(given, self.format)

    def is_as_trained(self, texts: pd.Series) -> bool:
        """Whether every text is written as in training."""
        import pandas as pd

        known = texts.dropna()
        if self.format is None:
            return bool(known.empty)
        read = pd.to_datetime(known, format=self.format, errors="coerce", utc=True)
        return bool(read.notna().all())


def dates_of(classifier: Any) -> dict[str, DateColumn]:
    """Find the columns that skrub's ``ToDatetime`` reads, anywhere in a fitted classifier.

    Examples
    --------
    >>> import pandas as pd
    >>> from skrub import TableVectorizer
    >>> from polychotomy.model.conforming import dates_of
    >>> days = pd.DataFrame({"day": [f"2021-01-{day}" for day in range(10, 30)]})
    >>> {name: date.format for name, date in dates_of(TableVectorizer().fit(days)).items()}
    {'day': '%Y-%m-%d'}
    """
    found: dict[str, DateColumn] = {}
    for part in reachable(classifier):
        steps_of = getattr(part, "all_processing_steps_", None)
        for name, steps in (steps_of or {}).items():
            named = {type(step).__name__: step for step in steps}
            if "ToDatetime" in named:
                column = DateColumn(named["ToDatetime"].format_, named.get("CleanNullStrings"))
                found.setdefault(str(name), column)
    return found


_ASK_HEADER = " Is the first line of the file data? Expected the names there."

_TRUTHS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}


def conform(
    frame: pd.DataFrame, schema: Schema, dates: Mapping[str, DateColumn] | None = None
) -> tuple[Any, tuple[str, ...]]:
    r"""Return the columns that the model wants, typed as in training, and remarks for the reader.

    Order does not matter, columns that the model does not know are left out, and what was never
    seen in training is remarked on. A missing column, or a value that cannot be of its column's
    kind, is an error. ``dates`` are the columns that the classifier reads as dates: they may be
    written in other ways than in training, but not in a way that it would take for missing.

    Examples
    --------
    >>> import pandas as pd
    >>> from polychotomy.model.schema import describe_table
    >>> from polychotomy.study import Target
    >>> X = pd.DataFrame({"size": [1.5, 2.0, 3.0], "colour": ["red", "blue", "red"]})
    >>> schema = describe_table(X, [0, 1, 0], Target.from_labels([0, 1, 0]), name="ripe")
    >>> new = pd.DataFrame({"colour": ["red", "mauve"], "taste": ["sweet", "sour"], "size": [2, 1]})
    >>> fitting, notes = conform(new, schema)
    >>> list(fitting.columns)
    ['size', 'colour']
    >>> print(*notes, sep="\n")
    1 column that the model does not use was left out: 'taste'
    'colour' has a value in 1 row that was not in the training data: 'mauve'
    """
    import pandas as pd

    positions = _positions(frame, schema)
    notes = _note_extra(frame, schema)
    columns = {}
    for column in schema.columns:
        there = frame.iloc[:, positions[str(column.name)]]
        values, remarks = _typed(there, column, (dates or {}).get(str(column.name)))
        columns[column.name] = values
        notes += remarks
    X = pd.DataFrame(columns)
    return (X if schema.is_frame else X.to_numpy()), tuple(notes)


def _positions(frame: pd.DataFrame, schema: Schema) -> dict[str, int]:
    """Where each wanted column is; all that are missing are named at once."""
    there = [str(name) for name in frame.columns]
    missing = [name for name in schema.names if name not in there]
    if missing:
        spare = [name for name in there if name not in schema.names]
        raise InvalidTable(
            f"{len(missing)} of the {len(schema.names)} columns that the model needs "
            f"{'is' if len(missing) == 1 else 'are'} missing: "
            f"{name_some([_with_hint(name, spare) for name in missing])}. The table has: "
            f"{', '.join(there[:40])}{', …' if len(there) > 40 else ''}."
            f"{_ASK_HEADER * (len(missing) == len(schema.names))}"
        )
    twice = [name for name in schema.names if there.count(name) > 1]
    if twice:
        raise InvalidTable(
            f"{there.count(twice[0])} columns are called {twice[0]!r}; expected one."
        )
    return {name: there.index(name) for name in schema.names}


def _with_hint(name: str, spare: list[str]) -> str:
    lower = {other.lower(): other for other in spare}
    near = get_close_matches(name.lower(), lower, n=1)
    return f"{name!r} (is it {lower[near[0]]!r}?)" if near else repr(name)


def _note_extra(frame: pd.DataFrame, schema: Schema) -> list[str]:
    extra = [str(name) for name in frame.columns if str(name) not in schema.names]
    notes = []
    if schema.target in extra:
        extra.remove(schema.target)
        notes.append(f"the table has the target {schema.target!r} too; it was not looked at")
    if extra:
        one = len(extra) == 1
        notes.append(
            f"{len(extra)} column{'' if one else 's'} that the model does not use "
            f"{'was' if one else 'were'} left out: {name_some([repr(name) for name in extra])}"
        )
    return notes


def _typed(
    values: pd.Series, column: Column, date: DateColumn | None
) -> tuple[pd.Series, list[str]]:
    """Return a column in its kind of training, with remarks about what is new in it."""
    notes = []
    missing = int(values.isna().sum())
    if missing and not column.has_missing:
        notes.append(
            f"{column.name!r} is missing in {missing} row{'s' * (missing > 1)}; it never was in "
            "the training data"
        )
    if date is not None and column.kind in ("text", "other"):
        return _written_dates(values, column, date), notes
    if column.kind in ("text", "category"):
        notes += _note_new(_texts(values), column)
    return _READERS[column.kind](values, column), notes


def _numbers(values: pd.Series, column: Column) -> pd.Series:
    whole = column.dtype.startswith(("int", "uint"))
    if kind_of(values) == "number":
        numbers = values
    else:
        read = _whole_or_float if whole else float
        numbers = _parse(values, column, read, "a number")
    if whole and numbers.notna().all() and (numbers == np.floor(numbers.astype(float))).all():
        return numbers.astype(column.dtype)
    return numbers.astype("float64")


def _whole_or_float(text: str) -> int | float:
    """Read a whole number exactly, also one too long for a float."""
    try:
        return int(text)
    except ValueError:
        return float(text)


def _truths(values: pd.Series, column: Column) -> pd.Series:
    read = _parse(values, column, lambda text: _TRUTHS[text.lower()], "True or False")
    return read if read.isna().any() or column.dtype == "object" else read.astype(bool)


def _dates(values: pd.Series, column: Column) -> pd.Series:
    import pandas as pd

    if kind_of(values) == "date":
        return values
    moments = _read_dates(values, column, DateColumn(None, None))
    zone = getattr(pd.api.types.pandas_dtype(column.dtype), "tz", None)
    return moments if zone is None else moments.dt.tz_localize("UTC").dt.tz_convert(zone)


def _written_dates(values: pd.Series, column: Column, date: DateColumn) -> pd.Series:
    """Return text that is written as in training as it is, else moments."""
    moments = _read_dates(values, column, date)
    if column.kind == "text" and kind_of(values) != "date":
        texts = _texts(values)
        if date.is_as_trained(texts[moments.notna()]):
            return texts
    return moments


def _read_dates(values: pd.Series, column: Column, date: DateColumn) -> pd.Series:
    moments, unread = date.read(values)
    rows = np.flatnonzero(unread)
    if len(rows):
        known = "" if date.format is None else f" (there {date.format})"
        raise InvalidTable(
            f"the column {column.name!r} holds {str(values.iloc[rows[0]])[:60]!r}; expected a "
            f"date, as in the training data{known}. {len(rows)} of {len(values)} rows cannot be "
            f"read as a date in one way only, first data row {rows[0] + 1}; write them like "
            "2026-03-31 or 2026-03-31 12:00, and leave the cell empty where it is missing."
        )
    return moments


def _durations(values: pd.Series, column: Column) -> pd.Series:
    import pandas as pd

    if kind_of(values) == "duration":
        return values
    return pd.to_timedelta(_parse(values, column, pd.Timedelta, "a duration"))


def _categories(values: pd.Series, column: Column) -> pd.Series:
    """Return pandas' category type, over values of the type of training."""
    if column.dtype.startswith(("int", "uint", "float")):
        plain = values.astype(values.cat.categories.dtype) if hasattr(values, "cat") else values
        return _numbers(plain, column).astype("category")
    if column.dtype == "bool":
        return _truths(values, column).astype("category")
    return _texts(values).astype("category")


def _parse(values: pd.Series, column: Column, read: Any, expected: str) -> pd.Series:
    import pandas as pd

    def parse(value: Any) -> Any:
        try:
            return np.nan if pd.isna(value) else read(str(value))
        except (ValueError, KeyError):
            raise InvalidTable(
                f"the column {column.name!r} holds {str(value)[:60]!r}; expected {expected}, as in "
                "the training data."
            ) from None

    return values.astype(object).map(parse)


def _texts(values: pd.Series) -> pd.Series:
    """Return values as texts; what is missing stays so."""
    import pandas as pd

    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(object)
    texts = [value if isinstance(value, str) else str(value) for value in values.dropna()]
    found = pd.Series(texts, index=values.dropna().index, dtype="str" if texts else object)
    return found.reindex(values.index)


def _note_new(texts: pd.Series, column: Column) -> list[str]:
    if column.categories is None:
        return []
    known = texts.dropna()
    new = known[~known.isin(column.categories)]
    if new.empty:
        return []
    distinct = [repr(text[:60]) for text in new.unique()]
    values = "a value" if len(distinct) == 1 else f"{len(distinct)} values"
    were = "was" if len(distinct) == 1 else "were"
    return [
        f"{column.name!r} has {values} in {len(new)} row{'s' * (len(new) > 1)} that {were} not in "
        f"the training data: {name_some(distinct)}"
    ]


_READERS: dict[Kind, Callable[[pd.Series, Column], pd.Series]] = {
    "number": _numbers,
    "truth": _truths,
    "date": _dates,
    "duration": _durations,
    "category": _categories,
    "text": lambda values, _: _texts(values),
    "other": lambda values, _: values,
}
