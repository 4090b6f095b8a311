"""Which columns of text a fitted classifier reads as dates, and how they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sklearn.base import BaseEstimator

from polychotomy.datasets.dates import Dates, read_dates

if TYPE_CHECKING:
    import pandas as pd


class DateColumn(NamedTuple):
    """How dates were written in training, and the fitted step that knows texts like ``N/A``.

    Examples
    --------
    >>> from polychotomy.model.fitted_dates import DateColumn
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
    >>> from polychotomy.model.fitted_dates import dates_of
    >>> days = pd.DataFrame({"day": [f"2021-01-{day}" for day in range(10, 30)]})
    >>> {name: date.format for name, date in dates_of(TableVectorizer().fit(days)).items()}
    {'day': '%Y-%m-%d'}
    """
    found: dict[str, DateColumn] = {}
    for part in _parts(classifier, set()):
        steps_of = getattr(part, "all_processing_steps_", None)
        for name, steps in (steps_of or {}).items():
            named = {type(step).__name__: step for step in steps}
            if "ToDatetime" in named:
                column = DateColumn(named["ToDatetime"].format_, named.get("CleanNullStrings"))
                found.setdefault(str(name), column)
    return found


def _parts(thing: Any, seen: set[int]) -> Iterator[Any]:
    """Walk over an estimator and the estimators in its attributes."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, BaseEstimator):
        yield thing
        inner = list(vars(thing).values())
    elif isinstance(thing, Mapping):
        inner = list(thing.values())
    elif isinstance(thing, (list, tuple)):
        inner = list(thing)
    else:
        return
    for part in inner:
        yield from _parts(part, seen)
