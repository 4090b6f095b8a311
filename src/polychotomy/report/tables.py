"""Tables as the page shows them: what is written, and by what it is sorted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite


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
