"""What separates the fields of a text table, and what the decimals of its numbers."""

from __future__ import annotations

import csv
import re
from typing import NamedTuple

_WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_OTHERS = (";", "\t", "|")
_EXPONENT = r"(?:[eE][+-]?\d+)?"
_COMMA = re.compile(rf"[+-]?\d+,\d+{_EXPONENT}")
_POINT = re.compile(rf"[+-]?\d+\.\d+{_EXPONENT}")
_LINES = 200  # looked at for numbers


class Separators(NamedTuple):
    """Between fields, and before decimals."""

    field: str = ","
    decimal: str = "."

    @property
    def words(self) -> str:
        """Name what separates fields."""
        return _WORDS[self.field]

    @property
    def note(self) -> str | None:
        """Say what is not usual, or None."""
        if self.field == ",":
            return None
        commas = ", decimals by commas" if self.decimal == "," else ""
        return f"fields are separated by {self.words}{commas}"


def find_separators(text: str) -> Separators:
    r"""Look for other marks where commas leave the header whole, and for decimal commas then.

    Examples
    --------
    >>> find_separators("size,kind\n1.5,a\n")
    Separators(field=',', decimal='.')
    >>> find_separators("size;kind\n1,5;a\n").note
    'fields are separated by semicolons, decimals by commas'
    """
    lines = text.lstrip("\r\n").splitlines()[:_LINES]
    if not lines or len(next(csv.reader(lines[:1]), [])) > 1:
        return Separators()
    found = max(_OTHERS, key=lines[0].count)
    if found not in lines[0]:
        return Separators()
    fields = [field.strip() for row in csv.reader(lines[1:], delimiter=found) for field in row]
    commas = sum(_COMMA.fullmatch(field) is not None for field in fields)
    points = sum(_POINT.fullmatch(field) is not None for field in fields)
    return Separators(found, "," if commas > points else ".")


def with_points(field: object) -> object:
    """Write a number with a decimal comma by a point; leave all else.

    Examples
    --------
    >>> with_points("1,5"), with_points("3,9e-05"), with_points("a,b")
    ('1.5', '3.9e-05', 'a,b')
    """
    if isinstance(field, str) and _COMMA.fullmatch(field.strip()):
        return field.replace(",", ".")
    return field
