"""Numbers that a question is asked with, held to what makes sense."""

from __future__ import annotations

from numbers import Integral

from polychotomy.codes.arguments import check_share, is_number, shown
from polychotomy.codes.checks import MOST
from polychotomy.exceptions import InvalidInput


def require_count(value: int, name: str) -> None:
    """Refuse what is no whole number of at least 1.

    Examples
    --------
    >>> require_count(10, "n_bins")
    >>> require_count("ten", "n_bins")
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: n_bins is 'ten'; expected an int of at least 1.
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or not 0 < value <= MOST:
        most = f", at most {MOST}" if is_number(value) and value > MOST else ""
        raise InvalidInput(f"{name} is {shown(value)}; expected an int of at least 1{most}.")


def require_share(value: float, name: str, *, such_as: float) -> None:
    """Refuse what is no number between 0 and 1.

    Examples
    --------
    >>> require_share(0.95, "level", such_as=0.95)
    >>> require_share(95, "level", such_as=0.95)
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: level is 95; expected a number between 0 and 1, such as \
0.95.
    """
    check_share(name, value, such_as=such_as)


def is_index(value: object, count: int) -> bool:
    """Whether that is a whole number from 0, below ``count``.

    Examples
    --------
    >>> is_index(1, 2), is_index(2, 2), is_index([0], 2), is_index(True, 2)
    (True, False, False, False)
    """
    if not isinstance(value, Integral) or isinstance(value, bool):
        return False
    return 0 <= int(value) < count
