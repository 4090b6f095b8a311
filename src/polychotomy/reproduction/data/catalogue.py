"""Where each benchmark set is published, and how its files are laid out (``catalogue.toml``)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from polychotomy.core.exceptions import InvalidInput

_KINDS = {"n": "numeric", "o": "ordinal", "c": "nominal", "b": "binary"}


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How the published files of a set become its table.

    Parameters
    ----------
    name : str
    files : tuple of str
        ``server:path``, read one after the other; ``#member`` picks a file of an archive.
    columns : tuple of str
        Names in the files' order; ``class`` is the label, ``-`` is left out.
    kinds : {column: kind}
    counts : tuple of int
        Members of each class, largest first: what must come out.
    missing : int
        Missing values that must come out.
    separator : str
        A comma, or a blank for any white space.
    positive : tuple of str
        Labels that become class 1, all others 0; none: labels stay as they are.
    above : float or None
        The label is a number; class 1 is what lies above this.
    leave_out : tuple of str
        Labels whose rows are left out.
    head : int or None
        Only so many rows from the top belong to the set.
    lower : bool
        Text is made lower case.
    """

    name: str
    files: tuple[str, ...]
    columns: tuple[str, ...]
    kinds: dict[str, str]
    counts: tuple[int, ...]
    missing: int
    separator: str = ","
    positive: tuple[str, ...] = ()
    above: float | None = None
    leave_out: tuple[str, ...] = ()
    head: int | None = None
    lower: bool = False


def find_recipe(name: str) -> Recipe:
    """Return the recipe of a set, or say which sets there are.

    Examples
    --------
    >>> find_recipe("iris").files
    ('uci:iris/iris.data',)
    """
    known = _entries()
    if not isinstance(name, str) or name not in known:
        near = get_close_matches(str(name), known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InvalidInput(
            f"there is no benchmark set {name!r} to fetch.{hint} There are: {', '.join(known)}."
        )
    entry: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in known[name].items()
    }
    columns = _expand_names(entry.pop("columns"))
    features = [column for column in columns if column not in ("class", "-")]
    kinds = dict(zip(features, _expand_kinds(entry.pop("kinds")), strict=True))
    return Recipe(name=name, columns=columns, kinds=kinds, **entry)


@cache
def _entries() -> dict[str, dict[str, Any]]:
    text = (
        files("polychotomy.reproduction.data")
        .joinpath("catalogue.toml")
        .read_text(encoding="utf-8")
    )
    return tomllib.loads(text)


def _expand_names(text: str) -> tuple[str, ...]:
    """Write names out: ``f0:f2`` is f0, f1, f2."""
    names: list[str] = []
    for word in text.split():
        first, _, last = word.partition(":")
        numbers = range(int(first[1:]), int(last[1:]) + 1) if last else ()
        names += [f"f{number}" for number in numbers] or [first]
    return tuple(names)


def _expand_kinds(text: str) -> list[str]:
    """Write kinds out: ``n2 b`` is numeric, numeric, binary."""
    return [_KINDS[word[0]] for word in text.split() for _ in range(int(word[1:] or 1))]
