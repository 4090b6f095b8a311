"""A section of the page: one question, its short answer, figures, tables, and what is folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from polychotomy.report.figure import Figure
from polychotomy.report.tables import Table

Sign = Literal["good", "bad", "open", "plain"]
SIGNS: dict[Sign, str] = {"good": "✓", "bad": "!", "open": "?", "plain": "·"}


@dataclass(frozen=True)
class Fold:
    """Details under a heading that opens: a table, or text as it is (a traceback, a record)."""

    heading: str
    tables: Sequence[Table] = ()
    texts: Sequence[str] = ()


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
    facts : sequence of (term, words)
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
    facts: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()
    folds: Sequence[Fold] = ()
    remarks: Sequence[str] = ()

    @property
    def mark(self) -> str:
        """The sign as a letter, which needs no colour."""
        return SIGNS[self.sign]
