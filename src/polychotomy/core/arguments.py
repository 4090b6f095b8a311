"""Arguments of a wrong kind, refused at the door: by name, with what was found and expected."""

from __future__ import annotations

import math
import operator
import reprlib
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.core.arrays import Floats, to_host
from polychotomy.core.exceptions import InvalidInput

_SHORT = reprlib.Repr()

_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60


def shown(value: object) -> str:
    """Show a value in a few words, in one line.

    Examples
    --------
    >>> import numpy as np
    >>> shown("both"), shown(np.zeros((2, 3)))
    ("'both'", 'an array of shape (2, 3)')
    """
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of shape {value.shape}"
    return " ".join(_SHORT.repr(value).split())


def check_choice(name: str, value: object, choices: Sequence[str | None]) -> None:
    """Refuse what is none of the choices.

    Examples
    --------
    >>> check_choice("better", "up", ("lower", "higher", None))
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: better is 'up'; expected 'lower', 'higher' or None.
    """
    if not isinstance(value, str | None) or value not in choices:
        *most, last = map(repr, choices)
        raise InvalidInput(f"{name} is {shown(value)}; expected {', '.join(most)} or {last}.")


def is_number(value: object) -> bool:
    """Whether that is one real number: no truth value, no text, not NaN.

    Examples
    --------
    >>> is_number(0.5), is_number("0.5"), is_number(True), is_number(float("nan"))
    (True, False, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value)


def check_share(name: str, value: float, *, such_as: float) -> float:
    """Return a number between 0 and 1, ends excluded.

    Examples
    --------
    >>> check_share("level", None, such_as=0.95)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: level is None; expected a number between 0 and 1, \
such as 0.95.
    """
    if not is_number(value) or not 0 < value < 1:
        raise InvalidInput(
            f"{name} is {shown(value)}; expected a number between 0 and 1, such as {such_as:g}."
        )
    return float(value)


def check_names(name: str, values: Iterable[str] | None, *, count: int) -> tuple[str, ...]:
    """Return names, one each; positions where none are given.

    Examples
    --------
    >>> check_names("names", None, count=2)
    ('0', '1')
    >>> check_names("names", ["one"], count=2)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: names has 1 entry; expected 2.
    """
    if values is None:
        return tuple(map(str, range(count)))
    try:
        found = None if isinstance(values, str | bytes) else tuple(map(str, values))
    except TypeError:  # nothing to go through
        found = None
    if found is None:
        raise InvalidInput(f"{name} is {shown(values)}; expected a list of {count} names.")
    if len(found) != count:
        entries = "entry" if len(found) == 1 else "entries"
        raise InvalidInput(f"{name} has {len(found)} {entries}; expected {count}.")
    return found


def as_array(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return an array of any library, or lists of equal length, as NumPy's.

    Examples
    --------
    >>> as_array("scores", [[1, 2], [3]])
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: scores is [[1, 2], [3]], which is no array; expected \
numbers, as many in each row.
    """
    try:
        return to_host(values)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"{name} is {shown(values)}, which is no array; expected numbers, as many in each row."
        ) from None


def as_floats(name: str, values: ArrayLike) -> Floats:
    """Return an array of real numbers as float64.

    Examples
    --------
    >>> as_floats("outcomes", "abc")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: outcomes is 'abc'; expected an array of real numbers.
    """
    array = as_array(name, values)
    try:
        if array.dtype.kind in "biufO":
            return array.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        pass
    raise InvalidInput(f"{name} is {shown(values)}; expected an array of real numbers.")


MOST = 2**31 - 1  # of anything counted: what is above was not meant, and would fill the memory


def check_classes(k: SupportsIndex, *, least: int = 2) -> int:
    """Return the number of classes as an int of at least ``least``.

    Examples
    --------
    >>> from polychotomy.codes.code import check_classes
    >>> check_classes(1)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: k is 1; expected a whole number of classes, at \
least 2.
    """
    return check_count("k", k, least=least, unit="classes")


def check_count(name: str, value: SupportsIndex, *, least: int, unit: str) -> int:
    """Return ``value`` as an int of at least ``least``; numbers such as 3.0 are not counts.

    Examples
    --------
    >>> from polychotomy.codes.code import check_count
    >>> check_count("length", 4, least=1, unit="dichotomies")
    4
    """
    try:
        count = operator.index(value)
    except TypeError:
        count = least - 1
    if count < least or isinstance(value, bool | np.bool_):
        raise InvalidInput(
            f"{name} is {shown(value)}; expected a whole number of {unit}, at least {least}."
        )
    if count > MOST:
        raise InvalidInput(f"{name} is {shown(count)}; expected at most {MOST} {unit}.")
    return count


def require_count(value: int, name: str) -> None:
    """Refuse what is no whole number of at least 1.

    Examples
    --------
    >>> require_count(10, "n_bins")
    >>> require_count("ten", "n_bins")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: n_bins is 'ten'; expected an int of at least 1.
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
    polychotomy.core.exceptions.InvalidInput: level is 95; expected a number between 0 and 1, \
such as 0.95.
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
