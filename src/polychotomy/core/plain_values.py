"""Plain values, as JSON and TOML have them, held to types: anybody can edit a file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from polychotomy.core.arguments import shown
from polychotomy.core.exceptions import InvalidInput


def read_as(kind: Any, value: Any, where: str) -> Any:
    """Return what was read from JSON as what a type says; refuse it otherwise: files are edited.

    Examples
    --------
    >>> read_as(tuple[str, ...], ["a", "b"], "the list")
    ('a', 'b')
    >>> read_as(str | None, 1, "'name' of the model")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: 'name' of the model is 1; expected str | None.
    """
    whole, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, Mapping):
        kinds = get_type_hints(kind)
        if value.keys() == kinds.keys():
            parts = {key: read_as(kinds[key], value[key], f"{key!r} of {where}") for key in kinds}
            return kind(**parts)
        odd = shown(sorted(value.keys() ^ kinds.keys()))
        raise InvalidInput(f"{where} lacks, or has besides, {odd}; expected {', '.join(kinds)}.")
    if whole is tuple and isinstance(value, list | tuple):
        return tuple(read_as(inner[0], one, f"an item of {where}") for one in value)
    if whole is dict and isinstance(value, Mapping):
        return {key: read_as(inner[1], one, f"{key!r} of {where}") for key, one in value.items()}
    if whole is UnionType:
        for one in inner:
            with suppress(InvalidInput):
                return read_as(one, value, where)
    if kind is float and type(value) is int:
        return float(value)
    is_choice = whole is Literal and type(value) is str and value in inner
    if kind is Any or is_choice or type(value) is kind:  # not isinstance: a truth is no number
        return value
    words = ", ".join(inner) if whole is Literal else getattr(kind, "__name__", kind)
    raise InvalidInput(f"{where} is {shown(value)}; expected {words}.")
