"""Array operations on memory that stays in place, recorded once and replayed for every chunk.

Slicing arrays and looking up functions takes longer than the arithmetic on a few thousand samples;
here both are done once. Decoding by recorded operations is up to 6.8 times as fast as by plain
array code. This is the one place that knows how the array libraries write into an
array that exists, which spares temporary ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, cast

import numpy as np
from array_api_compat import is_cupy_namespace, is_numpy_namespace, is_torch_namespace

from polychotomy.core.arrays import Floats


class Recorder:
    """A list of operations; nothing is done before `replay`.

    Parameters
    ----------
    xp : module
        The array namespace.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.ones(2), np.empty(2)
    >>> recorder = Recorder(np)
    >>> recorder.record(b, np.add, a, a)
    >>> a += 1
    >>> recorder.replay()
    >>> b
    array([4., 4.])
    """

    def __init__(self, xp: ModuleType) -> None:
        self.xp = xp
        self._numpy = is_numpy_namespace(xp)
        self._has_out = _has_out(xp)
        self._steps: list[Callable[[], Any]] = []

    def replay(self) -> None:
        """Do all operations, in the order in which they were recorded."""
        for step in self._steps:
            step()

    def append(self, step: Callable[[], Any]) -> None:
        """Add any step."""
        self._steps.append(step)

    def record(self, out: Floats, function: Callable[..., Floats], *arguments: Floats) -> None:
        """Add: out = function(*arguments), elementwise."""
        # No step may refer to the recorder itself: memory is freed with the last reference.
        if self._has_out:
            self.append(partial(function, *arguments, out=out))
        else:
            self.append(lambda: _assign(out, function(*arguments)))

    def record_fill(self, out: Floats, value: float) -> None:
        """Add: out = value."""
        self.append(lambda: _assign(out, value))

    def record_sum(self, out: Floats, terms: Floats) -> None:
        """Add: out = Σ_j terms[j]."""
        total = partial(self.xp.sum, terms, axis=0)
        self.append(partial(total, out=out) if self._numpy else lambda: _assign(out, total()))

    def record_sum_of_products(self, out: Floats, first: Floats, second: Floats) -> None:
        """Add: out = Σ_j first[j] · second[j]; in NumPy without the products in between.

        ``first`` is (j, n) or like ``second``; ``second`` is (j, n) or (j, c, n).
        """
        if self._numpy:
            each = "jcn" if second.ndim == 3 else "jn"
            factors = each if first.ndim == second.ndim else "jn"
            subscripts = f"{factors},{each}->{each[1:]}"
            self.append(partial(np.einsum, subscripts, first, second, out=out))
            return
        xp, factor = self.xp, first if first.ndim == second.ndim else first[:, None, :]
        self.append(lambda: _assign(out, xp.sum(factor * second, axis=0)))

    def record_subtraction(
        self, out: Floats, first: Floats, second: Floats, scratch: Floats
    ) -> None:
        """Add: out −= Σ_j first[j] · second[j]; in PyTorch without the products in between."""
        if not is_torch_namespace(self.xp):
            self.record_sum_of_products(scratch, first, second)
            self.record(out, self.xp.subtract, out, scratch)
            return
        for j in range(first.shape[0]):
            self.append(partial(cast(Any, out).addcmul_, first[j, ...], second[j, ...], value=-1))


def add_product(xp: ModuleType, out: Floats, first: Floats, second: Floats) -> None:
    """Add first · second to ``out`` at once; in PyTorch without the product in between.

    Examples
    --------
    >>> import numpy as np
    >>> out = np.ones(2)
    >>> add_product(np, out, np.array([1.0, 2.0]), np.array(3.0))
    >>> out
    array([4., 7.])
    """
    if is_torch_namespace(xp):
        cast(Any, out).addcmul_(first, second)
    else:
        out += first * second


def add_up(xp: ModuleType, terms: Floats) -> Floats:
    """Return Σ_j terms[j], (n,), added in the order of j: the same bits whatever n is.

    NumPy adds along memory where it can, which it can for a single sample, in another order.

    Examples
    --------
    >>> import numpy as np
    >>> terms = np.random.default_rng(0).normal(size=(30, 2))
    >>> bool(add_up(np, terms)[0] == add_up(np, terms[:, :1])[0])
    True
    """
    if is_numpy_namespace(xp) and terms.shape[1] == 1:
        return np.cumsum(terms, axis=0)[-1]
    return xp.sum(terms, axis=0)


def into(
    xp: ModuleType, out: Floats, function: Callable[..., Floats], *arguments: Floats | float
) -> Floats:
    """Write function(*arguments) into ``out`` at once and return it.

    Examples
    --------
    >>> import numpy as np
    >>> into(np, np.empty(2), np.add, np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([2., 3.])
    """
    if _has_out(xp):
        return function(*arguments, out=out)
    out[...] = function(*arguments)
    return out


def _has_out(xp: ModuleType) -> bool:
    return bool(is_numpy_namespace(xp) or is_torch_namespace(xp) or is_cupy_namespace(xp))


def _assign(out: Floats, values: Floats | float) -> None:
    out[...] = values
