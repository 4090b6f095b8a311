"""How a user's compiler of array functions is called: once for each array library."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, TypeAlias

Compiler: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
"""`torch.compile`, or anything that returns a faster function of the same arrays."""


def compile_once(
    compiler: Compiler, make: Callable[[ModuleType], Callable[..., Any]]
) -> Callable[[ModuleType], Callable[..., Any]]:
    """Return a function from an array namespace to what the compiler makes of ``make(namespace)``.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.compilers import compile_once
    >>> compiled = compile_once(lambda function: function, lambda xp: xp.sqrt)
    >>> float(compiled(np)(4.0))
    2.0
    """
    return cache(lambda xp: compiler(make(xp)))
