"""Numbers that a question is asked with, held to what makes sense."""

from __future__ import annotations

from numbers import Integral, Real

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
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise InvalidInput(f"{name} is {value!r}; expected an int of at least 1.")


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
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < value < 1:
        raise InvalidInput(
            f"{name} is {value!r}; expected a number between 0 and 1, such as {such_as:g}."
        )
