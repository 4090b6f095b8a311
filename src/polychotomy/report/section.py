"""A section of the page: one question, its short answer, figures, tables, and what is folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from polychotomy.report.figure import Figure
from polychotomy.report.tables import Table
from polychotomy.report.words import short

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
