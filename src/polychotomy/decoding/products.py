"""Products with a code, a block of its rows at a time, so that any code fits in memory."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Code, Floats
from polychotomy.decoding.arguments import like

_BLOCK = 1 << 22  # entries of the code made floats at a time


def make_product(
    xp: ModuleType, code: Code, kind: Floats, entries: Callable[[Code], NDArray[np.generic]]
) -> Callable[[Floats], Floats]:
    """Return the function from values (n, l) to ``entries(code)`` times values, (k, n).

    Samples come last, along which sums over classes are fast.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> make_product(np, one_vs_one(3), np.ones(1), np.abs)(np.array([[1.0, 2.0, 4.0]])).ravel()
    array([3., 5., 6.])
    """
    rows, k = code.shape
    step = max(1, _BLOCK // k)
    if rows <= step:
        matrix = like(xp, entries(code).T, kind)
        return lambda values: matrix @ values.T

    def multiply(values: Floats) -> Floats:
        total = like(xp, entries(code[:step]).T, kind) @ values[:, :step].T
        for start in range(step, rows, step):
            stop = min(start + step, rows)
            total += like(xp, entries(code[start:stop]).T, kind) @ values[:, start:stop].T
        return total

    return multiply


def plus_side(code: Code) -> NDArray[np.generic]:
    """Return which classes are on the + side.

    Examples
    --------
    >>> import numpy as np
    >>> plus_side(np.array([[1, -1, 0]], dtype=np.int8))
    array([[ True, False, False]])
    """
    return code > 0


def minus_side(code: Code) -> NDArray[np.generic]:
    """Return which classes are on the − side.

    Examples
    --------
    >>> import numpy as np
    >>> minus_side(np.array([[1, -1, 0]], dtype=np.int8))
    array([[False,  True, False]])
    """
    return code < 0
