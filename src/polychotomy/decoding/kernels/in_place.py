"""Array operations that write into memory that exists, as each array library does it.

Fresh memory costs more than the arithmetic done on it; this is the one place that knows how the
libraries spare temporary arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
from array_api_compat import is_cupy_namespace, is_numpy_namespace, is_torch_namespace

from polychotomy.core.arrays import Floats


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
    if is_numpy_namespace(xp) or is_torch_namespace(xp) or is_cupy_namespace(xp):
        return function(*arguments, out=out)
    out[...] = function(*arguments)
    return out


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


def sum_of_products(xp: ModuleType, out: Floats, first: Floats, second: Floats) -> Floats:
    """Write Σ_j first[j] · second[j] into ``out``; in NumPy without the products in between.

    ``first`` is (j, n) or like ``second``; ``second`` is (j, n) or (j, c, n).

    Examples
    --------
    >>> import numpy as np
    >>> a = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> sum_of_products(np, np.empty(2), a, a)
    array([10., 20.])
    """
    if is_numpy_namespace(xp):
        each = "jcn" if second.ndim == 3 else "jn"
        factors = each if first.ndim == second.ndim else "jn"
        return np.einsum(f"{factors},{each}->{each[1:]}", first, second, out=out)
    factor = first if first.ndim == second.ndim else first[:, None, :]
    out[...] = xp.sum(factor * second, axis=0)
    return out
