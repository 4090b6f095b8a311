"""Tables as the page shows them: what is written, and by what it is sorted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, NamedTuple

from polychotomy.report._verdict_like import VerdictLike
from polychotomy.report.drawing import Figure
from polychotomy.report.words import short


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
    states: Sequence[str] = field(default=())

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
    anchor : str
        Where links lead to.
    question : str
    answer : str
        In a few words, for the first screen.
    sign : {"good", "bad", "open", "plain"}
        What the answer means for the reader.
    figures : sequence of sequences of Figure
        A row a card; those in one row stand side by side where there is room.
    tables : sequence of Table
    facts : sequence of Fact
    notes : sequence of str
        Smaller remarks.
    folds : sequence of Fold
    remarks : sequence of str
        What else a reader should know, as a list.

    Examples
    --------
    >>> Section("failed", "What failed?", "nothing", "good").mark
    '✓'
    """

    anchor: str
    question: str
    answer: str
    sign: Sign
    figures: Sequence[Sequence[Figure]] = ()
    tables: Sequence[Table] = ()
    facts: Sequence[Fact] = ()
    notes: Sequence[str] = ()
    folds: Sequence[Fold] = ()
    remarks: Sequence[str] = ()

    @property
    def mark(self) -> str:
        """The sign as a letter, which needs no colour."""
        return SIGNS[self.sign]


def why_not(notes: Sequence[str], words: Sequence[str]) -> list[str]:
    """Find the notes that say why a question was not asked.

    Examples
    --------
    >>> why_not(["combining was not asked about: one candidate"], ["combining"])
    ['Combining was not asked about: one candidate.']
    """
    found = [note for note in notes if any(word in note for word in words)]
    return [as_sentence(note) for note in found] or ["Not asked."]


def as_sentence(note: str, most: int = 300) -> str:
    """Write a note as a sentence, cut where it would fill the page.

    Examples
    --------
    >>> as_sentence("two fits failed")
    'Two fits failed.'
    """
    return f"{note[:1].upper()}{short(note[1:].rstrip('.'), most)}."


class Degrees(NamedTuple):
    """What the most preferred candidate is called, a more preferred one, and a less preferred."""

    most: str = "simplest"
    more: str = "simpler"
    less: str = "more complex"


_DEGREES = {
    "time": Degrees("fastest", "faster", "slower"),
    "memory": Degrees("smallest", "smaller", "larger"),
}


def degrees_of(verdict: VerdictLike) -> Degrees:
    """Say by what the candidates of a verdict are ordered."""
    asked = verdict.provenance.get("question", {})
    return _DEGREES.get(asked.get("prefer", ""), Degrees())
