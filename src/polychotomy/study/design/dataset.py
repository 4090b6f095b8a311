"""The target column: class labels made codes, and the reasons why some cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arguments import shown, wrong_shape
from polychotomy.core.arrays import Bools, Ints
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.tables.dates import read_dates, with_dates
from polychotomy.tables.reading import as_pandas

_MOST_NUMBERS = 50  # numbers with fractions that may still be names of classes

_SHOWN = 5  # offenders named in a message before "and N more"

_FEW_CLASSES = 20  # so many may be almost as many as the rows


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """Labels of ``n`` samples as codes into ``classes``.

    Examples
    --------
    >>> target = Target.from_labels(["b", "a", "b"])
    >>> target.codes.tolist(), target.names
    ([1, 0, 1], ('a', 'b'))
    >>> target.rare(2).tolist()
    [True, False]
    """

    classes: NDArray[Any]
    codes: Ints

    @classmethod
    def from_labels(cls, labels: Sequence[Any] | NDArray[Any], *, name: str = "y") -> Target:
        """Encode labels; refuse missing, continuous and single-class ones."""
        what = f"the target {name!r}"
        classes, codes = _encode(labels, what)
        plain = plain_labels(classes)
        if plain is not classes:
            return cls.from_labels(plain[codes], name=name)
        if classes.dtype.kind == "f" and (classes != np.floor(classes)).any():
            _refuse_continuous(classes, len(codes), what)
            # scikit-learn's classifiers take no labels with fractions.
            return cls.from_labels([str(label) for label in classes[codes].tolist()], name=name)
        if len(classes) < 2:
            only = f"the one class {shown(classes.tolist()[0])}" if len(classes) else "no rows"
            raise InvalidTable(
                f"{what} has {only}; expected at least two classes. Is this the right column?"
            )
        _refuse_identifiers(classes.tolist(), len(codes), what)
        return cls(classes=classes, codes=codes)

    @property
    def names(self) -> tuple[str, ...]:
        """The class labels as text."""
        return tuple(str(label) for label in self.classes.tolist())

    @property
    def counts(self) -> Ints:
        """Members of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))

    def rare(self, least: int) -> Bools:
        """Which classes have fewer than ``least`` members, (k,)."""
        return np.asarray(self.counts < least)

    def doubt(self, n_rare: int, name: str) -> str:
        """Say of numbers, many of which are rare, that they hardly are names of classes.

        Examples
        --------
        >>> Target.from_labels([*range(30)] * 2).doubt(30, "age").partition(",")[0]
        "'age' holds 30 different numbers"
        """
        many = len(self.names) > _MOST_CLASSES and 5 * n_rare > len(self.names)
        if not (many and self.classes.dtype.kind in "iuf"):
            return ""
        return (
            f"{name!r} holds {len(self.names)} different numbers, which look like numbers to "
            "predict, not classes: cut them into classes first (pandas.cut, pandas.qcut); "
        )

    def refuse_rare(self, least: int, *, name: str, remedy: str) -> None:
        """Raise where a class has fewer members than the folds need."""
        rare = np.flatnonzero(self.rare(least))
        if len(rare):
            offenders = [f"{shown(self.names[c])} has {self.counts[c]}" for c in rare]
            raise InvalidTable(
                f"{self.doubt(len(rare), name)}too few members in {len(rare)} of the "
                f"{len(self.names)} classes of {name!r}: "
                f"{name_some(offenders)}; the folds need at least {least} each. {remedy}"
            )


_MOST_CLASSES = 20  # numbers that are more, many of them rare, are hardly names of classes


def plain_labels(values: NDArray[Any]) -> NDArray[Any]:
    """Return labels as they are, or, of dates, intervals and other objects, as texts.

    Examples
    --------
    >>> plain_labels(np.array(["2024-05-31", "2024-06-01"], dtype="datetime64[D]")).tolist()
    ['2024-05-31 00:00:00', '2024-06-01 00:00:00']
    """
    import pandas as pd

    plain = (isinstance(one, str | bytes | Real | np.bool_) for one in values.tolist())
    if values.dtype.kind not in "mM" and all(plain):
        return values
    return np.array([str(one) for one in pd.Series(values)], dtype=object)


def name_some(items: Sequence[str]) -> str:
    """Join the first few items, and count the rest.

    Examples
    --------
    >>> name_some(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e and 2 more'
    """
    rest = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _refuse_identifiers(classes: list[Any], n: int, what: str) -> None:
    """Refuse a target with hardly two rows for each class: a name of the row, not of a class."""
    k = len(classes)
    if k > _FEW_CLASSES and 2 * k > n:
        raise InvalidTable(
            f"{what} has {k} different labels in {n} rows, {shown(classes[0])} and "
            f"{shown(classes[1])} among them, like an identifier; pairs of classes alone would "
            f"mean {k * (k - 1) // 2} fits in every fold. Expected a few classes with several rows "
            "each: choose another column."
        )


def _refuse_continuous(values: NDArray[Any], n: int, what: str) -> None:
    """Refuse numbers with fractions of which there are too many for names of classes."""
    if len(values) > min(n / 10, _MOST_NUMBERS):
        example = float(values[values != np.floor(values)][0])
        raise InvalidTable(
            f"{what} looks continuous: {len(values)} distinct values in {n} rows, {example!r} "
            "among them; expected class labels. Choose another column, or cut it into classes "
            "first (pandas.cut, pandas.qcut)."
        )


def _encode(given: Sequence[Any] | NDArray[Any], what: str) -> tuple[NDArray[Any], Ints]:
    """Return the distinct values, ascending, and the place of each among them."""
    import pandas as pd

    values = np.asarray(given)
    if values.dtype.kind in "US" and not isinstance(given, np.ndarray):
        values = np.asarray(given, dtype=object)  # NumPy turns [1, "a"] into text without a word
    if values.ndim == 2 and values.shape[1] == 1:  # a table of one column: DuckDB has no other
        values = values[:, 0]
    if values.ndim != 1:
        raise InvalidTable(
            f"{what} has shape {values.shape}; expected a value for each row, shape (n,)."
        )
    missing = np.flatnonzero(pd.isna(values))
    if len(missing):
        raise InvalidTable(
            f"{what} is missing in {len(missing)} of {len(values)} rows (data row "
            f"{name_some([str(row + 1) for row in missing])}); expected a value in every row. Fill "
            "them in or delete these rows."
        )
    if values.dtype == object and {type(value) for value in values} in ({str}, {bool}, {int}):
        values = np.array(values.tolist())
    try:
        distinct, codes = np.unique(values, return_inverse=True)
    except TypeError:  # values of several types have no order of their own
        examples = {type(value).__name__: shown(value) for value in values[::-1].tolist()}
        kinds = ", ".join(f"{kind} ({examples[kind]})" for kind in sorted(examples))
        raise InvalidTable(
            f"{what} mixes values of the types {kinds}; expected one type. Turn them all into text "
            "first."
        ) from None
    return distinct, codes.astype(np.intp)


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Features and labels of ``n`` samples.

    Parameters
    ----------
    X : (n, features) DataFrame, array or sparse matrix
        Given to the candidates as it is, but for columns of ``datetime.date``, which become dates,
        and for tables of other libraries, such as Polars, which become pandas'.
    target : Target
        The labels, encoded.
    groups : (n,) ints, optional
        Codes of what is kept together: samples of one patient, one site, one author.
    time : (n,) ints, optional
        Ranks in time: a plan for ordered data never trains on what comes later.

    Examples
    --------
    >>> data = Dataset.of([[1.0], [2.0], [3.0]], ["a", "b", "a"], groups=["x", "y", "x"])
    >>> data.X.shape, data.target.names, data.groups.tolist()
    ((3, 1), ('a', 'b'), [0, 1, 0])
    """

    X: Any
    target: Target
    groups: Ints | None = None
    time: Ints | None = None

    def __repr__(self) -> str:
        rows, columns = self.X.shape
        return f"<Dataset: {rows} rows, {columns} columns, {len(self.target.names)} classes>"

    @classmethod
    def of(
        cls,
        X: Any,
        y: Sequence[Any] | NDArray[Any],
        *,
        groups: Sequence[Any] | NDArray[Any] | None = None,
        time: Sequence[Any] | NDArray[Any] | None = None,
        name: str = "y",
    ) -> Dataset:
        """Check and encode raw features, labels, groups and times."""
        X, y, groups, time = map(as_pandas, (X, y, groups, time))
        X = X if hasattr(X, "shape") else np.asarray(X)
        target = Target.from_labels(y, name=name)
        n = len(target.codes)
        if len(X.shape) != 2 or X.shape[0] != n:
            texts = (
                " Texts are a column: pd.DataFrame({'text': X}), for for_tables(learner) or "
                "make_column_transformer((TfidfVectorizer(), 'text'))."
            ) * (len(X.shape) != 2)
            raise InvalidInput(
                f"X has shape {tuple(X.shape)} and y has {n} labels; expected X of shape "
                f"({n}, features).{texts}"
            )
        if hasattr(X, "iloc"):
            if X.columns.has_duplicates:
                raise InvalidTable(
                    f"X has several columns called {X.columns[X.columns.duplicated()][0]!r}; "
                    "expected each name once."
                )
            X = with_dates(X)
        if hasattr(X, "tocsr"):
            X = X.tocsr()  # other sparse formats have no rows to take
        return cls(X, target, _ranks(groups, n, "groups"), _ranks(time, n, "time"))

    @property
    def n(self) -> int:
        """Samples."""
        return len(self.target.codes)


def _ranks(values: Sequence[Any] | NDArray[Any] | None, n: int, name: str) -> Ints | None:
    """Replace values by their ranks among the distinct ones, from 0."""
    if values is None:
        return None
    if np.shape(values) != (n,):
        raise wrong_shape(name, np.asarray(values), f"a value for each sample, shape ({n},)")
    return _encode(_dates(values) if name == "time" else values, name)[1]


def _dates(time: Sequence[Any] | NDArray[Any]) -> Sequence[Any] | NDArray[Any]:
    """Read text as dates: in the order of the alphabet, "10" would come before "9"."""
    import pandas as pd

    if not len(time) or not all(isinstance(value, str) for value in time):
        return time
    found = read_dates(pd.Series(time, dtype=object), "ISO8601")
    rows = np.flatnonzero(found.unread)
    if len(rows):
        raise InvalidInput(
            f"time[{rows[0]}] is the text {shown(list(time)[rows[0]])}, which is no date that can "
            f"be read in one way only ({len(rows)} of {len(time)} are not); expected numbers, "
            "dates, or text like '2024-05-31'."
        )
    return np.asarray(found.moments.to_numpy())
