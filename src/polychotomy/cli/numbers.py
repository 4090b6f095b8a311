"""Numbers of the command line: read with a message that quotes what was given."""

from __future__ import annotations

import math
from collections.abc import Callable

import typer


def whole_number(least: int = 0, *, also: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers of at least ``least``, or of the one besides.

    Examples
    --------
    >>> whole_number(1)("12"), whole_number(1, also=-1)("-1")
    (12, -1)
    """
    besides = "" if also is None else f", or {also}"
    expected = f"expected a whole number of at least {least}{besides}."

    def read(given: str) -> int:
        try:
            number = int(given)
        except ValueError:
            raise typer.BadParameter(f"{given!r} is no whole number; {expected}") from None
        if number < least and number != also:
            raise typer.BadParameter(f"it is {number}; {expected}")
        return number

    return read


def positive_number(such_as: str, *, or_zero: bool = False) -> Callable[[str], float]:
    """Return a reader of finite numbers above 0; ``such_as`` is one, for the message.

    Examples
    --------
    >>> positive_number("60")("2.5"), positive_number("60", or_zero=True)("0")
    (2.5, 0.0)
    """
    read = any_number(such_as)
    expected = f"expected a number {'of at least' if or_zero else 'above'} 0, as {such_as}."

    def read_positive(given: str) -> float:
        number = read(given)
        if not 0 <= number < math.inf or (number == 0 and not or_zero):
            raise typer.BadParameter(f"it is {given}; {expected}")
        return number

    return read_positive


def any_number(such_as: str) -> Callable[[str], float]:
    """Return a reader of numbers; ``such_as`` is one, for the message.

    Examples
    --------
    >>> any_number("0.01")("2e-2")
    0.02
    """

    def read(given: str) -> float:
        try:
            return float(given)
        except ValueError:
            raise typer.BadParameter(
                f"{given!r} is no number; expected one, as {such_as}."
            ) from None

    return read
