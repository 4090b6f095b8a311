"""Memory that is made once and used again for every chunk of samples.

Fresh memory is mapped page by page on first touch, which costs several times the arithmetic done
on it here. This is the one place that knows how NumPy writes into an array that exists.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from types import ModuleType

from array_api_compat import device, is_numpy_namespace

from polychotomy.arrays import Floats


class Buffers:
    """Float arrays by name; asking again for a name gives the same memory, in any smaller shape.

    Parameters
    ----------
    xp : module
        The array namespace.
    kind : array
        An array of the type and on the device that the buffers shall have.

    Examples
    --------
    >>> import numpy as np
    >>> buffers = Buffers(np, np.zeros(1))
    >>> big = buffers.get("a", (2, 4))
    >>> np.shares_memory(big, buffers.get("a", (2, 3)))
    True
    """

    def __init__(self, xp: ModuleType, kind: Floats) -> None:
        self._xp, self._dtype, self._device = xp, kind.dtype, device(kind)
        self._arrays: dict[str, Floats] = {}

    def get(self, name: str, shape: tuple[int, ...]) -> Floats:
        """Return an array of that shape with arbitrary contents."""
        size = prod(shape)
        array = self._arrays.get(name)
        if array is None or array.shape[0] < size:
            array = self._xp.empty((size,), dtype=self._dtype, device=self._device)
            self._arrays[name] = array
        part: Floats = self._xp.reshape(array[:size], shape)
        return part

    def like(self, name: str, array: Floats) -> Floats:
        """Return an array of the shape of a (p, n) one and of its order in memory."""
        p, n = array.shape
        if not is_numpy_namespace(self._xp) or array.flags.c_contiguous:
            return self.get(name, (p, n))
        return self.get(name, (n, p)).T


def into(
    xp: ModuleType, out: Floats, function: Callable[..., Floats], *arguments: Floats | float
) -> Floats:
    """Write function(*arguments) into ``out`` and return it; without a temporary array in NumPy.

    Examples
    --------
    >>> import numpy as np
    >>> into(np, np.empty(2), np.add, np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([2., 3.])
    """
    if is_numpy_namespace(xp):
        return function(*arguments, out=out)
    out[...] = function(*arguments)
    return out
