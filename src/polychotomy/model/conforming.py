"""Which columns of text a fitted classifier reads as dates, and how they were written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polychotomy.core.exceptions import InvalidTable
from polychotomy.core.numbers import counted
from polychotomy.model.schema import Column, Kind, Schema, kind_of
from polychotomy.model.trusted_types import reachable
from polychotomy.study.design.dataset import name_some
from polychotomy.tables.dates import Dates, read_dates
from polychotomy.tables.files import no_column

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
        # pandas reads "now" and "today" as dates, in any format.
        if self.format is None or not known.str.contains(r"\d").all():
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
    1 column that the model does not use left out: 'taste'
    'colour' has values in 1 row never seen in training: 'mauve'
    """
    conforming = Conforming(list(map(str, frame.columns)), schema, dates)
    conforming.settle(frame)
    return conforming.take(frame), conforming.notes


@dataclass
class _Seen:
    """What is said of a column, counted part by part."""

    missing: int = 0
    new_rows: int = 0
    new: dict[str, None] = field(default_factory=dict)  # in the order in which they came

    def count(self, values: pd.Series, column: Column, date: DateColumn | None) -> None:
        self.missing += int(values.isna().sum())
        is_date = date is not None and column.kind != "category"
        if column.categories is not None and not is_date:
            known = _texts(values).dropna()
            new = known[~known.isin(column.categories)]
            self.new_rows += len(new)
            self.new |= dict.fromkeys(new.unique())

    def notes(self, column: Column) -> list[str]:
        said = []
        if self.missing and not column.has_missing:
            rows = counted(self.missing, "row")
            said.append(f"{column.name!r} is missing in {rows}; it never was in the training data")
        if self.new:
            rows = counted(self.new_rows, "row")
            values = name_some([repr(text[:60]) for text in self.new])
            said.append(f"{column.name!r} has values in {rows} never seen in training: {values}")
        return said


class Conforming:
    """The columns that a model wants, of a table that comes whole or in parts.

    How some columns are read depends on all of their rows: of 03/04/2021 another row may tell
    which is the day, and whole numbers are such only if all rows are. `take` types a part where
    its rows tell enough; where not, its column is in `undecided`. These are to be given whole to
    `settle`; then the parts can be taken from the beginning.

    Examples
    --------
    >>> import pandas as pd
    >>> from polychotomy.model.schema import describe_table
    >>> from polychotomy.study import Target
    >>> X = pd.DataFrame({"count": [1, 2, 3]})
    >>> schema = describe_table(X, [0, 1, 0], Target.from_labels([0, 1, 0]), name="ripe")
    >>> conforming = Conforming(["count"], schema)
    >>> conforming.take(pd.DataFrame({"count": ["4"]})), conforming.undecided
    (None, ['count'])
    >>> conforming.settle(pd.DataFrame({"count": ["4", "5"]}))
    >>> conforming.take(pd.DataFrame({"count": ["4"]}))["count"].tolist()
    [4]
    """

    def __init__(
        self, names: list[str], schema: Schema, dates: Mapping[str, DateColumn] | None = None
    ) -> None:
        _check_names(names, schema)
        self._schema = schema
        self._columns = dict(zip(schema.names, schema.columns, strict=True))
        self._dates = dates or {}
        extra = [repr(name) for name in names if name not in self._columns]
        were = f"{counted(len(extra), 'column')} that the model does not use left out"
        self._extra = [f"{were}: {name_some(extra)}"] if extra else []
        self._whole: dict[str, pd.Series] = {}
        self._settled: dict[str, _Seen] = {}
        self._begin()

    def _begin(self) -> None:
        self._row = 0
        self._seen = {name: _Seen() for name in self._columns} | self._settled
        self.undecided: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the reader, on the rows that were taken."""
        said = (self._seen[name].notes(column) for name, column in self._columns.items())
        return (*self._extra, *chain.from_iterable(said))

    def settle(self, frame: pd.DataFrame) -> None:
        """Type columns of which all rows are given, and begin again with the first row."""
        given = {str(name): position for position, name in enumerate(frame.columns)}
        for name, column in self._columns.items():
            if name in given:
                values, date = frame.iloc[:, given[name]], self._dates.get(name)
                self._settled[name] = _Seen()
                self._settled[name].count(values, column, date)
                self._whole[name] = _typed(values, column, date)
        self._begin()

    def take(self, frame: pd.DataFrame) -> Any:
        """Return the next rows, typed as in training; None once a column is undecided."""
        import pandas as pd

        columns: dict[str | int, pd.Series] = {}
        rows = slice(self._row, self._row + len(frame))
        self._row += len(frame)
        for name, column in self._columns.items():
            if name in self._whole:
                columns[column.name] = self._whole[name].iloc[rows].set_axis(frame.index)
            elif name not in self.undecided:
                values, date = frame[name], self._dates.get(name)
                typed = _typed_part(values, column, date)
                if typed is None:
                    self.undecided.append(name)
                else:
                    self._seen[name].count(values, column, date)
                    columns[column.name] = typed
        if self.undecided:
            return None
        X = pd.DataFrame(columns)
        return X if self._schema.is_frame else X.to_numpy()


def _check_names(there: list[str], schema: Schema) -> None:
    """Refuse a table that lacks columns, all of which are named at once, or has one twice."""
    missing = [name for name in schema.names if name not in there]
    if missing:
        known = {str(column.name): column.has_missing for column in schema.columns}
        empty = " If they are not known, add them, empty: they had gaps in training, too."
        raise InvalidTable(
            f"of the {len(schema.names)} columns that the model needs these are missing: "
            f"{name_some(list(map(repr, missing)))}; {no_column('the table', missing[0], there)}"
            f"{empty * all(known[name] for name in missing)}"
        )
    twice = [name for name in schema.names if there.count(name) > 1]
    if twice:
        raise InvalidTable(
            f"{there.count(twice[0])} columns are called {twice[0]!r}; expected one."
        )


def _typed(values: pd.Series, column: Column, date: DateColumn | None) -> pd.Series:
    """Return a whole column in its kind of training."""
    if date is not None and column.kind in ("text", "other"):
        return _written_dates(values, column, date)
    return _READERS[column.kind](values, column)


def _typed_part(values: pd.Series, column: Column, date: DateColumn | None) -> pd.Series | None:
    """Return some rows of a column as `_typed` would return them among all; None if undecided.

    Also where a value is wrong: the whole column may have others, of which the first is named.
    """
    kind = kind_of(values)
    if column.kind == "category" or not values.notna().any():
        return None
    if column.kind == "number" and kind == "number":
        numbers = _numbers(values, column)
        whole = column.dtype.startswith(("int", "uint"))
        return numbers if numbers.dtype == (column.dtype if whole else "float64") else None
    if column.kind == "truth" and values.notna().all():
        known = set(map(str.lower, map(str, values.unique()))) <= set(_TRUTHS)
        return _truths(values, column) if known and column.dtype == "bool" else None
    if column.kind == "date" or (date is not None and column.kind in ("text", "other")):
        if kind == "date":
            return _typed(values, column, date)
        as_trained = column.kind == kind == "text" and date and date.is_as_trained(values)
        return _texts(values) if as_trained else None
    return _texts(values) if column.kind == kind == "text" else None


def _numbers(values: pd.Series, column: Column) -> pd.Series:
    whole = column.dtype.startswith(("int", "uint"))

    def read(text: str) -> int | float:  # a whole number may be too long for a float
        return int(text) if whole and text.lstrip("+-").isdecimal() else float(text)

    given = kind_of(values) == "number"
    numbers = values if given else _parse(values, column, read, "a number")
    if whole and numbers.notna().all() and (numbers == np.floor(numbers.astype(float))).all():
        return numbers.astype(column.dtype)
    return numbers.astype("float64")


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
            row = next(row for row, one in enumerate(values, start=1) if str(one) == str(value))
            raise InvalidTable(
                f"the column {column.name!r} holds {str(value)[:60]!r}; expected {expected}, as in "
                f"the training data. It is in data row {row} first."
            ) from None

    if values.dtype == "str":  # texts are often few, and each is read once
        codes, distinct = values.factorize(use_na_sentinel=False)
        read_once = pd.Series(distinct, dtype=object).map(parse)
        return read_once.take(codes).set_axis(values.index)
    return values.astype(object).map(parse)


def _texts(values: pd.Series) -> pd.Series:
    """Return values as texts; what is missing stays so."""
    import pandas as pd

    if values.dtype == "str" and values.notna().any():
        return values
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(object)
    texts = [value if isinstance(value, str) else str(value) for value in values.dropna()]
    found = pd.Series(texts, index=values.dropna().index, dtype="str" if texts else object)
    return found.reindex(values.index)


_READERS: dict[Kind, Callable[[pd.Series, Column], pd.Series]] = {
    "number": _numbers,
    "truth": _truths,
    "date": _dates,
    "category": _categories,
    "text": lambda values, _: _texts(values),
    "other": lambda values, _: values,
}
