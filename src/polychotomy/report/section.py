"""Tables as the page shows them: what is written, and by what it is sorted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal, NamedTuple, ParamSpec

from polychotomy.core.numbers import short
from polychotomy.report.drawing import Figure, element

_APART = re.compile(r"(?<=\d) (?=[%±])|(?<=±) (?=\d)|(?<=\bp) (?=[=<] \d)|(?<=\bp [=<]) (?=\d)")


def keep(words: str) -> str:
    r"""Keep a number and its sign on one line.

    Examples
    --------
    >>> keep("2.4 % of 10"), keep("p < 0.0001"), keep("1.6 ± 2.9")
    ('2.4\xa0% of 10', 'p\xa0<\xa00.0001', '1.6\xa0±\xa02.9')
    """
    return _APART.sub("\u00a0", words)


@dataclass(frozen=True)
class Cell:
    """What is written in a cell; ``value`` is what sorts it, empty where there is none.

    Examples
    --------
    >>> Cell("2.4 %", 0.024).value, Cell("–", float("nan")).value
    ('0.024', '')
    """

    text: str
    number: float | None = None

    @property
    def value(self) -> str | None:
        """For the sorting script: a number, nothing, or None to sort by the text."""
        if self.number is None:
            return None
        return f"{self.number:.9g}" if isfinite(self.number) else ""


@dataclass(frozen=True)
class Table:
    """A table: its caption, its columns, its rows; the first cell of a row names it.

    Parameters
    ----------
    caption : str
    header : sequence of str
        A name that begins with "#" is one of numbers, written at the right.
    rows : sequence of sequences of Cell or str
    states : sequence of str
        A class for each row: "best", "failed" or nothing.

    Examples
    --------
    >>> table = Table("Two", ("name", "#error"), [("a", Cell("10 %", 0.1))])
    >>> table.columns
    [('name', False), ('error', True)]
    >>> table.lines[0][1].value
    '0.1'
    """

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]
    states: Sequence[str] = ()

    @property
    def columns(self) -> list[tuple[str, bool]]:
        """Names of the columns, and whether each holds numbers."""
        return [(name.removeprefix("#"), name.startswith("#")) for name in self.header]

    @property
    def lines(self) -> list[list[Cell]]:
        """The rows as cells."""
        return [
            [cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in self.rows
        ]

    def state(self, row: int) -> str:
        """Return the class of a row."""
        return self.states[row] if row < len(self.states) else ""


Sign = Literal["good", "bad", "open", "plain"]

SIGNS: dict[Sign, str] = {"good": "✓", "bad": "!", "open": "?", "plain": "·"}


class Fact(NamedTuple):
    """A term and what is said of it; a command or a hash is written as code."""

    term: str
    words: str
    is_code: bool = False


@dataclass(frozen=True)
class Fold:
    """Details under a heading that opens: a table, or text as it is (a traceback, a record).

    What is not ``on_paper`` stays folded in print: it would take pages, and the file has it.
    """

    heading: str
    tables: Sequence[Table] = ()
    texts: Sequence[str] = ()
    on_paper: bool = True


@dataclass(frozen=True)
class Section:
    """One question and everything that answers it.

    Parameters
    ----------
    answer : str
        In a few words, for the first screen.
    sign : {"good", "bad", "open", "plain"}
        What the answer means for the reader.
    figures : sequence of sequences of Figure
        One card for each row; those in one row stand side by side where there is room.
    tables : sequence of Table
    facts : sequence of Fact
    notes : sequence of str
        Smaller remarks.
    folds : sequence of Fold
    remarks : sequence of str
        What else a reader should know, as a list.
    anchor, question : str
        Where links lead to, and what is asked: see :func:`made`.

    Examples
    --------
    >>> Section("nothing", "good").mark
    '✓'
    """

    answer: str
    sign: Sign
    figures: Sequence[Sequence[Figure]] = ()
    tables: Sequence[Table] = ()
    facts: Sequence[Fact] = ()
    notes: Sequence[str] = ()
    folds: Sequence[Fold] = ()
    remarks: Sequence[str] = ()
    anchor: str = ""
    question: str = ""

    @property
    def mark(self) -> str:
        """The sign as a letter, which needs no colour."""
        return SIGNS[self.sign]


_P = ParamSpec("_P")


def drawn(draw: Callable[_P, Figure], *args: _P.args, **kwargs: _P.kwargs) -> Figure:
    """Draw a figure; one that cannot be drawn says so in its place, and the page goes on.

    A figure only decorates what the sentences say, so no mistake in it may cost them.

    Examples
    --------
    >>> def draw_nothing() -> Figure:
    ...     raise TypeError("no numbers")
    >>> drawn(draw_nothing).message
    'The figure "nothing" could not be drawn: TypeError: no numbers.'
    """
    try:
        return draw(*args, **kwargs)
    except Exception as error:
        name = getattr(draw, "__name__", "figure").strip("_").removeprefix("draw_")
        why = f'The figure "{name}" could not be drawn: {_cause(error)}.'
        return Figure(name, element("p", why, class_="note"), why, "", ("problem",), [(why,)])


def made(anchor: str, question: str, make: Callable[[], Section]) -> Section:
    """Make a section; one that cannot be made says so in its place, and the page goes on.

    Examples
    --------
    >>> made("real", "Is it real?", lambda: 1 / 0).notes
    ['This section could not be made: ZeroDivisionError: division by zero.']
    """
    try:
        section = make()
    except Exception as error:
        why = f"This section could not be made: {_cause(error)}."
        section = Section("could not be shown", "open", notes=[why])
    return replace(section, anchor=anchor, question=question)


def _cause(error: Exception) -> str:
    return short(f"{type(error).__name__}: {error}".rstrip("."), 300)


def as_sentence(note: str, most: int = 300) -> str:
    """Write a note as a sentence, cut where it would fill the page.

    Examples
    --------
    >>> as_sentence("two fits failed")
    'Two fits failed.'
    """
    return f"{note[:1].upper()}{short(note[1:].rstrip('.'), most)}."
