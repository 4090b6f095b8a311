"""Columns of text that are not what they seem: names of rows, numbers written another way."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arrays import Floats, Ints, count_classes
from polychotomy.core.numbers import counted, few, join, short
from polychotomy.tables.dates import hides_the_month

if TYPE_CHECKING:
    import pandas as pd


_FEWEST_TEXTS = 20  # below this, distinct values are likely chance

_NEARLY = 0.95

_MOSTLY = 0.9

_SAMPLE = 1000  # rows that are looked at first

_TEXTS = 300  # rows that are looked at, or up to twice as many, to say how most are written

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

# With thousands apart, a sign of money before or behind, or one of per cent.
_NUMERAL = re.compile(
    r"\s*[€$£]?\s*[+-]?(\d+|\d{1,3}([.,'’\s]\d{3})+)([.,]\d+)?(e[+-]?\d+)?\s*[%€$£]?\s*",
    re.IGNORECASE,
)

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
    if values.dtype.kind in "fcbMm" or len(values) < max(_NEARLY * n, _FEWEST_TEXTS):
        return False
    is_number = values.dtype.kind in "iu"
    if not is_number and not could_be_names(values, name):
        return False
    # Repetitions in a tenth of the rows are often too many for all rows already.
    for part in (values.iloc[: len(values) // 10], values):
        if len(values) - len(part) + part.nunique() < _NEARLY * len(values):
            return False
    if not is_number or _ID_NAME.search(name):
        return True
    return bool(values.nunique() == n == int(values.max()) - int(values.min()) + 1)


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
    if _ID_NAME.search(name):
        return True
    if is_moments(values) or _mostly(values, _NUMBER):
        return False
    return bool(np.median([len(text.split()) for text in _some(values)]) <= _MOST_WORDS)


def is_moments(values: pd.Series) -> bool:
    """Whether a column of text holds dates or times.

    Examples
    --------
    >>> import pandas as pd
    >>> is_moments(pd.Series(["2026-03-31", "12:30"])), is_moments(pd.Series(["north"]))
    (True, False)
    """
    return values.dtype.kind not in "iufcbMm" and _mostly(values, _MOMENT)


def has_numbers_as_text(values: pd.Series) -> bool:
    """Whether a column of text holds numbers, some with decimal commas or a few words among them.

    Examples
    --------
    >>> import pandas as pd
    >>> has_numbers_as_text(pd.Series(["1,5", "2", "-0,25"]))
    True
    >>> has_numbers_as_text(pd.Series(["1.5"] * 19 + ["-"])), has_numbers_as_text(pd.Series(["07"]))
    (True, False)
    """
    import pandas as pd

    if values.empty or values.dtype.kind in "iufcbMm" or not _mostly(values, _NUMERAL):
        return False
    return bool(pd.to_numeric(values.astype(str), errors="coerce").isna().any())


def _some(values: pd.Series) -> list[str]:
    """Texts of rows from the whole table; all of one that is not large."""
    return list(map(str, values.iloc[:: max(1, len(values) // _TEXTS)].tolist()))


def _mostly(values: pd.Series, pattern: re.Pattern[str]) -> bool:
    counts = Counter(_some(values))
    fitting = sum(count for text, count in counts.items() if pattern.fullmatch(text))
    return fitting >= _MOSTLY * counts.total()


_SHOWN = 5  # columns named before "and N more"

_FEWEST_ROWS = 20  # below this, matching values are likely chance


# What a note warns of.
Kind: TypeAlias = Literal["", "leak", "groups", "id", "copies", "rare", "drift", "reading"]


class Note(str):
    """A note in the words of the command line, which has the same in those of Python.

    Examples
    --------
    >>> note = Note("judge with --time day", in_python="judge with time=X['day']")
    >>> print(note, "or", note.in_python)
    judge with --time day or judge with time=X['day']
    """

    in_python: str
    kind: Kind  # of what whoever reads the verdict should know first; empty of all else
    leaks: tuple[str, ...]  # columns that give the target away
    line: str  # a warning in a line, with what to do
    line_in_python: str

    def __new__(
        cls, text: str, *, in_python: str | None = None, kind: Kind = "",
        leaks: tuple[str, ...] = (), line: str | None = None, line_in_python: str | None = None,
    ) -> Self:  # fmt: skip
        """Take the same words for both where Python has none of its own."""
        note = super().__new__(cls, text)
        note.in_python = text if in_python is None else in_python
        note.kind, note.leaks, note.line = kind, leaks, text if line is None else line
        note.line_in_python = note.line if line_in_python is None else line_in_python
        return note

    def for_python(self) -> Self:
        """Return the note in the words of Python."""
        said = {"in_python": None, "line": self.line_in_python}
        return type(self)(self.in_python, **{**vars(self), **said})


_GRAVEST = ("leak", "groups", "copies", "rare", "drift", "id", "reading", "")


def gravity(note: str) -> int:
    """Return the place of a note among others, the gravest warning first.

    Examples
    --------
    >>> sorted(["a note", Note("a leak", kind="leak")], key=gravity)
    ['a leak', 'a note']
    """
    return _GRAVEST.index(getattr(note, "kind", ""))


def gather_notes(*makers: Callable[[], Iterable[str]]) -> tuple[str, ...]:
    """Return the notes that these functions make; one that fails is left out, and that is said.

    A note only adds to the answers, so no mistake in making it may cost them.

    Examples
    --------
    >>> gather_notes(lambda: ["a note"], lambda: [str(1 / 0)])
    ('a note', 'a note could not be made: ZeroDivisionError: division by zero')
    """
    notes: list[str] = []
    for make in makers:
        try:
            notes += make()
        except Exception as error:
            notes.append(f"a note could not be made: {type(error).__name__}: {error}")
    return tuple(notes)


def note_columns(X: pd.DataFrame, labels: ArrayLike, target: str) -> tuple[Note, ...]:
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
    empty, constant, names, commas, dates = (list[str]() for _ in range(5))
    for column in X.columns:  # one after another: all without their gaps are the table once more
        name, values = str(column), without_gaps(X[column])
        for group, is_so in (
            (empty, values.empty),
            (constant, len(values) == len(X) > 0 and has_at_most(1, values)),
            (names, is_identifier(values, name, len(X))),
            (commas, has_numbers_as_text(values)),
            (dates, is_moments(values) and hides_the_month(values)),
        ):
            group += [name] * is_so
    copies, (leaks, of_a_class) = _copies(X, {*empty, *constant}), _leaks(X, labels)
    found = (empty, constant, copies, names, commas, dates, leaks, of_a_class)
    notes = [
        _note(what, columns, target)
        for what, columns in zip(_FINDINGS, found, strict=True)
        if columns
    ]
    return (*notes, *map(Note, _infinite(X)))


class _Finding(NamedTuple):
    """What is said [of one column|of several], at length, and in a line behind their names."""

    said: str
    kind: Kind = ""
    line: str = ""


_IF_KNOWN = (
    "([is it|are they] known when a prediction is wanted? if not, leave [it|them] out{drop})"
)

_LEAK = _Finding(
    "column[ gives|s give] {target!r} away, with values for each class in most rows or all "
    f"{_IF_KNOWN}",
    "leak",
    "[gives|give] {target!r} away; unless [it is|they are] known when you predict, judge "
    "again{without}",
)

_FINDINGS = (
    _Finding("column[ has|s have] no values"),
    _Finding("column[ has|s have] one value only"),
    _Finding("column[ equals another|s equal others]"),
    _Finding(
        "column[ has|s have] another value in nearly every row, like [a name or an identifier|"
        "names or identifiers], which says nothing of new rows (leave [it|them] out{drop})",
        "id", "[is like an identifier|are like identifiers]; judge again{without}",
    ),
    _Finding(
        "column[ holds|s hold] numbers that are taken as text, as some have commas, signs or words "
        "(write 1234.5, not 1.234,5 or 1234.5 €; leave what is not known empty)",
        "reading", "[is|are] taken as text; write 1234.5, not 1.234,5 or 1234.5 €",
    ),
    _Finding(
        "column[ holds|s hold] dates of which none tells the day from the month; the month is "
        "taken to come first (write 2021-12-31, not 12/31/2021)",
        "reading", "[is|are] read with the month before the day; write 2021-12-31, not 12/31/2021",
    ),
    _LEAK,
    _LEAK._replace(
        said="column[ gives|s give] a class of {target!r} away, with values that hardly any other "
        f"has {_IF_KNOWN}", line=_LEAK.line.replace("{target", "a class of {target"),
    ),
)  # fmt: skip


def _note(what: _Finding, columns: list[str], target: str) -> Note:
    """Say it of these columns, and on the command line what leaves them out."""
    drop = " ".join(f"--drop {shlex.quote(name)}" for name in columns[:_SHOWN])
    form = 1 if len(columns) == 1 else 2

    def say(text: str, **how: str) -> str:
        said = re.sub(r"\[(.*?)\|(.*?)\]", lambda either: either[form], text)
        return said.format(target=target, **how)

    names = join(few([repr(short(name, 30)) for name in columns], 2))
    listed = ", ".join(name if "'" in name else repr(name) for name in columns[:_SHOWN])
    listed += f" and {len(columns) - _SHOWN} more" * (len(columns) > _SHOWN)
    text, in_python = (
        f"{len(columns)} {say(what.said, drop=end)}: {listed}" for end in (f" by {drop}", "")
    )
    ends = (
        f" with {drop}" if len(drop) < 60 else " without [it|them] (--drop)",
        " without [it|them]",
    )
    line, line_in_python = (f"{names} {say(what.line, without=say(end))}" for end in ends)
    return Note(
        text, in_python=in_python, kind=what.kind, leaks=tuple(columns) if what is _LEAK else (),
        line=line, line_in_python=line_in_python,
    )  # fmt: skip


def _copies(X: pd.DataFrame, others: set[str]) -> list[str]:
    """Columns with the same values as one before them, that one in brackets."""
    heads = {
        name: _content(X[name].iloc[:_SAMPLE]) for name in X.columns if str(name) not in others
    }
    often = Counter(heads.values())
    first: dict[bytes, str] = {}
    copies = []
    for name in (name for name, head in heads.items() if often[head] > 1):
        before = first.setdefault(_content(X[name]), str(name))
        copies += [f"{str(name)!r} ({before!r})"] * (before != str(name))
    return copies


def _content(values: pd.Series) -> bytes:
    import pandas as pd

    values = values.astype(object) if values.dtype == "category" else values
    hashes = pd.util.hash_pandas_object(values, index=False).to_numpy()
    return sha256(hashes.tobytes()).digest()


def has_at_most(most: int, values: pd.Series) -> bool:
    """Whether a column has so few different values; the first thousand rows often deny it.

    Examples
    --------
    >>> import pandas as pd
    >>> has_at_most(1, pd.Series([2, 2])), has_at_most(1, pd.Series([2, 3]))
    (True, False)
    """
    return all(part.nunique() <= most for part in (values.iloc[:_SAMPLE], values))


def is_whole(values: pd.Series) -> bool:
    """Whether numbers have no fractions, gaps aside; the first thousand rows often deny it.

    Examples
    --------
    >>> import pandas as pd
    >>> is_whole(pd.Series([2.0, 3.0])), is_whole(pd.Series([2.0, 2.5]))
    (True, False)
    """
    numbers = values.to_numpy(dtype=float, na_value=np.nan)
    parts = (numbers[:_SAMPLE], numbers)
    return all(bool(((np.rint(part) == part) | np.isnan(part)).all()) for part in parts)


def without_gaps(values: pd.Series) -> pd.Series:
    """Return the values that are not missing; pandas' own way copies a column that has no gaps."""
    return values.dropna() if values.hasnans else values


def number_labels(labels: ArrayLike) -> Ints:
    """Return the number of each label, by its text, as they come; −1 where it is missing.

    Examples
    --------
    >>> number_labels(["b", "a", "b"]).tolist()
    [0, 1, 0]
    """
    import pandas as pd

    given = labels if isinstance(labels, np.ndarray) else np.array(labels, dtype=object)
    codes, distinct = pd.factorize(given)
    texts = np.array([str(label) for label in distinct], dtype=object)
    return np.append(pd.factorize(texts)[0], -1)[codes]


_MOST_VALUES = 20  # of a column that may give classes away; codes of outcomes have fewer

_AGREES = 0.8  # Cohen's kappa of values and a class: of two as frequent, one row in ten is wrong

_FEWEST_OF_A_CLASS = 10

_FEWEST_OF_A_VALUE = 5  # below this, it has most rows of one class by chance


def _leaks(X: pd.DataFrame, labels: ArrayLike) -> tuple[list[str], list[str]]:
    """Columns with values for each class, in most rows at least; those with some for one class.

    Why not whoever predicts well alone: so does the width of an iris's petals. A code that was
    written down after the outcome has values for it, and what is filled in after it alone (a date
    of leaving, a sum paid back) has one value in all other rows. Of the 1,823 columns of 52 data
    sets, two are named that are known before (docs/results/leaks.md): a mushroom's odour, and a
    vote on party lines.
    """
    classes = number_labels(labels)
    every, some = list[str](), list[str]()
    if (classes < 0).any():
        X, classes = X[classes >= 0], classes[classes >= 0]
    if len(classes) < _FEWEST_ROWS or classes.max() < 1:
        return every, some
    often = np.bincount(classes) >= _FEWEST_OF_A_CLASS
    for name in X.columns:
        told = _agreement(_sides(X[name], classes), classes).max(axis=0) >= _AGREES
        for group, is_so in ((every, told.all()), (some, not told.all() and told[often].any())):
            group += [str(name)] * bool(is_so)
    return every, some


def _sides(values: pd.Series, classes: Ints) -> Ints:
    """Return the value of each row by number; of texts, the class that most rows of a value have.

    Numbers are not joined: where large ones are of one class, so are the larger. Of many values,
    the most frequent of a thousand rows stands against all others.
    """
    import pandas as pd

    if not has_at_most(_MOST_VALUES, values):
        some = values.iloc[:: max(1, len(values) // _SAMPLE)]
        most = some.value_counts(dropna=False).index[:1]
        if values.dtype.kind in "iuf" and most.notna().all():  # a tenth of the time of the other
            return np.asarray(values.to_numpy() == most[0], dtype=np.int64)
        return values.isin(most).to_numpy(dtype=np.int64)
    codes = pd.factorize(values, use_na_sentinel=False)[0]
    if values.dtype.kind in "iufcbMm":
        return codes
    both = count_classes(classes, codes)
    rare = both.sum(axis=1) < _FEWEST_OF_A_VALUE
    return np.asarray(np.where(rare, both.shape[1], both.argmax(axis=1))[codes])


def _agreement(codes: Ints, classes: Ints) -> Floats:
    """Cohen's kappa of "has this value" and "is of this class", (values, classes)."""
    n, both = len(codes), count_classes(classes, codes)
    value, label = both.sum(axis=1, keepdims=True) / n, both.sum(axis=0) / n
    chance = value * label + (1 - value) * (1 - label)
    return (1 - value - label + 2 * both / n - chance) / np.maximum(1 - chance, 1e-12)


def _infinite(X: pd.DataFrame) -> list[str]:
    numbers = [name for name in X.columns if X[name].dtype.kind == "f"]
    return [
        f"{str(name)!r} is infinite (or beyond 3e38) in {counted(len(rows), 'row')} (first in data "
        f"row {X.index[rows[0]] + 1}): a gap to built-in candidates, others may fail"
        for name in numbers
        if len(rows := np.flatnonzero(np.abs(X[name].to_numpy()) > np.finfo(np.float32).max))
    ]
