"""The command that repeats a verdict."""

from __future__ import annotations

import shlex
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polychotomy.verdict.request import Request

# What says where and how fast, not what.
_ELSEWHERE = (
    "output",
    "study",
    "force",
    "jobs",
    "cluster",
    "time_limit",
    "memory_limit",
    "model",
    "table",
)


def repeat_command(request: Request) -> str:
    """Return the command line that gives the same verdict, with file names only.

    Examples
    --------
    >>> from pathlib import Path
    >>> from polychotomy.verdict.request import Request
    >>> print(repeat_command(Request(table=Path("data/my plants.csv"), target="kind", runs=2)))
    polychotomy judge 'my plants.csv' --target kind --runs 2
    """
    words = ["polychotomy", "judge"]
    if request.table is not None:
        words.append(request.table.name)
    for field in fields(request):
        value = getattr(request, field.name)
        if field.name not in _ELSEWHERE and value != field.default:
            words += _option(field.name, value)
    return shlex.join(words)


def _option(name: str, value: Any) -> list[str]:
    option = f"--{name.replace('_', '-')}"
    if isinstance(value, tuple):
        return [word for one in value for word in (option, one)]
    if value is True:
        return [option]
    return [f"--no-{name}"] if value is False else [option, str(value)]
