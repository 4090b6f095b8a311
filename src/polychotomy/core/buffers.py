"""Memory that is made once and used again for every chunk of samples.

Fresh memory is mapped page by page on first touch, which costs several times the arithmetic done
on it here.
"""

from __future__ import annotations

from math import prod
from types import ModuleType

from array_api_compat import device

from polychotomy.core.arrays import Floats


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

    def scalar(self, value: float) -> Floats:
        """Return a number as an array without axes."""
        number: Floats = self._xp.full((), value, dtype=self._dtype, device=self._device)
        return number
