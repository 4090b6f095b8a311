"""A figure: a drawing, what it says in words, how to read it, and its numbers to take away."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from polychotomy.report.marks import element
from polychotomy.report.words import short

_LONGEST_NAME = 200


@dataclass(frozen=True)
class Figure:
    r"""What the page needs of a figure.

    Parameters
    ----------
    name : str
        A short name: part of the file name of its numbers.
    drawing : Markup
        HTML and SVG.
    message : str
        What the figure says, for who cannot see it.
    reading : str
        How to read it.
    header, rows : sequences
        The numbers that were drawn.

    Examples
    --------
    >>> from markupsafe import Markup
    >>> figure = Figure("dots", Markup("<svg></svg>"), "One dot.", "A dot is a dot.",
    ...                 ("name", "value"), [("=SUM(A1)", -0.5)])
    >>> figure.csv
    "name,value\n'=SUM(A1),-0.5\n"
    >>> figure.address
    'data:text/csv;charset=utf-8,name,value%0A%27%3DSUM%28A1%29,-0.5%0A'
    """

    name: str
    drawing: Markup
    message: str
    reading: str
    header: Sequence[str]
    rows: Sequence[Sequence[object]]

    @property
    def csv(self) -> str:
        """The numbers as comma-separated text."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow([_cell(name) for name in self.header])
        writer.writerows([_cell(value) for value in row] for row in self.rows)
        return buffer.getvalue()

    @property
    def address(self) -> str:
        """The same as an address that needs no network."""
        return "data:text/csv;charset=utf-8," + quote(self.csv, safe=",.-")


def _cell(value: object) -> object:
    """Write six digits, names cut at 200 letters, and no text that a spreadsheet would compute."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if not isinstance(value, str):
        return value
    guard = "'" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else ""
    return guard + short(value, _LONGEST_NAME)


def label(words: str, *, class_: str = "name", style: str | None = None) -> Markup:
    """Return a name as HTML: cut off where there is no room, whole when a pointer rests on it."""
    shown = short(words, _LONGEST_NAME)
    told = shown if len(words) > 20 else None
    return element("span", element("bdi", shown), class_=class_, style=style, title=told)
