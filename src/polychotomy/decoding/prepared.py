"""Decoders made for one code: what they accept, and the work they do chunk by chunk of samples.

Messages of errors name the first offending entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj, is_numpy_namespace
from numpy.typing import ArrayLike

from polychotomy.codes.code import compared_with_first, two_sided
from polychotomy.core.arguments import as_floats, check_entries, wrong_shape
from polychotomy.core.arrays import Bools, Code, Floats, Outputs, Probabilities
from polychotomy.core.chunks import in_chunks
from polychotomy.core.exceptions import InvalidInput

# From outputs (c, l) of a chunk to probabilities (c, k).
Work: TypeAlias = Callable[[Outputs], Probabilities]


@dataclass(frozen=True, eq=False)
class PreparedDecoder:
    """A decoder for one code: a function from outputs (n, l) to probabilities (n, k).

    Made by `make_decoder`; what depends on the code alone has been done.

    Parameters
    ----------
    shape : (int, int)
        Of the code.
    start : callable
        From an array namespace and an array of the kind to come, to what works on a chunk.
    numbers_each : int
        How many floats a sample occupies while being worked on.
    in_double : bool
        Whether single precision is not enough on the way; the result has it all the same.

    Examples
    --------
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding import make_decoder
    >>> make_decoder(one_vs_one(3))([[0.9, 0.4, 0.7]]).round(6)
    array([[0.481068, 0.241639, 0.277293]])
    """

    shape: tuple[int, int]
    start: Callable[[ModuleType, Floats], Work]
    numbers_each: int
    in_double: bool = False

    def __call__(self, outputs: ArrayLike) -> Probabilities:
        """Return the class probabilities, (n, k), of the kind of array given, in chunks.

        Parameters
        ----------
        outputs : (n, l)
            Probabilities of the + sides.
        """
        xp, q = namespace_and_floats("outputs", outputs)
        rows = self.shape[0]
        if q.ndim != 2 or q.shape[1] != rows:
            hint = " For a single sample pass outputs[np.newaxis]." if q.shape == (rows,) else ""
            raise InvalidInput(
                f"outputs has shape {tuple(q.shape)}; expected (n, {rows}): a column for each row "
                f"of code, which has shape {self.shape}.{hint}"
            )
        dtype = xp.float64 if self.in_double else q.dtype

        work = self.start(xp, xp.astype(q[:0, :], dtype))

        def check_and_work(rows: Outputs, start: int) -> Probabilities:
            inside = xp.astype(check_unit_interval(xp, rows, start), dtype, copy=False)
            return xp.astype(work(inside), q.dtype, copy=False)

        return in_chunks(xp, check_and_work, q, numbers_each=self.numbers_each)


_ROUNDING = 1e-6  # how far outside [0, 1] a value may be and still be a rounded 0 or 1


def namespace_and_floats(name: str, values: ArrayLike) -> tuple[ModuleType, Floats]:
    """Return the array namespace of ``values`` and the values in it as floats.

    Arrays of PyTorch, CuPy and the like keep their kind and device, and single precision where
    they have it (half precision becomes single). NumPy's become float64, as does everything else
    (lists, data frames).

    Examples
    --------
    >>> from polychotomy.decoding.prepared import namespace_and_floats
    >>> namespace_and_floats("outputs", [[0, 1]])[1]
    array([[0., 1.]])
    """
    array: Any = values if is_array_api_obj(values) else as_floats(name, values)
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, ("bool", "integral", "real floating")):
        raise InvalidInput(f"{name} has entries of type {array.dtype}; expected real numbers.")
    floating = xp.isdtype(array.dtype, "real floating") and array.dtype != xp.float64
    dtype = xp.float32 if floating and not is_numpy_namespace(xp) else xp.float64
    floats: Floats = xp.astype(array, dtype, copy=False)
    return xp, floats


def check_unit_interval(xp: ModuleType, outputs: Outputs, start: int = 0) -> Outputs:
    """Return outputs with rounding beyond 0 and 1 removed; anything else outside is an error.

    ``start`` is the number of the first row, for the message.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.prepared import check_unit_interval
    >>> check_unit_interval(np, np.array([[0.5, 1 + 1e-15]]))
    array([[0.5, 1. ]])
    >>> check_unit_interval(np, np.array([[0.5, 1.7]]), start=1000)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: outputs[1000, 1] is 1.7; expected a probability \
in [0, 1].
    """
    if prod(outputs.shape) == 0:
        return outputs
    low, high = float(xp.min(outputs)), float(xp.max(outputs))  # NaN if any entry is
    if low >= 0 and high <= 1:
        return outputs
    if low >= -_ROUNDING and high <= 1 + _ROUNDING:
        return xp.clip(outputs, 0.0, 1.0)
    row, column = first(xp, ~((outputs >= -_ROUNDING) & (outputs <= 1 + _ROUNDING)))
    raise InvalidInput(
        f"outputs[{start + row}, {column}] is {float(outputs[row, column]):g}; "
        "expected a probability in [0, 1]."
    )


def check_weights(code: Code, weights: ArrayLike | None) -> Floats:
    """Return the weights of the dichotomies as a NumPy array, the largest of them 1.

    One-sided rows get weight 0: their output is known beforehand and says nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.prepared import check_weights
    >>> check_weights(np.array([[1, -1], [1, 1]], dtype=np.int8), [2.0, 1.0])
    array([1., 0.])
    """
    rows = code.shape[0]
    sided = two_sided(code)
    if weights is None:
        return sided.astype(np.float64)
    w = as_floats("weights", weights)
    if w.shape != (rows,):
        raise wrong_shape("weights", w, f"({rows},): one weight for each row of code")
    check_entries("weights", w, (w >= 0) & np.isfinite(w), "a finite number of at least 0")
    w = np.where(sided, w, 0.0)
    if not w.any() and sided.any():
        raise InvalidInput("weights are all zero; expected at least one dichotomy that counts.")
    return w / w.max() if w.any() else w


def first(xp: ModuleType, mask: Bools) -> tuple[int, ...]:
    """Return the index of the first true entry.

    Examples
    --------
    >>> import numpy as np
    >>> first(np, np.array([[False, False], [False, True]]))
    (1, 1)
    """
    flat = int(xp.argmax(xp.astype(xp.reshape(mask, (-1,)), xp.int8)))
    return tuple(int(i) for i in np.unravel_index(flat, tuple(mask.shape)))


def like(xp: ModuleType, constant: ArrayLike, array: Floats) -> Floats:
    """Return a NumPy constant in the namespace and on the device of ``array``, of its type.

    Examples
    --------
    >>> import numpy as np
    >>> like(np, np.array([1, 0], dtype=np.int8), np.zeros(3))
    array([1., 0.])
    """
    exact = np.asarray(constant, dtype=np.float64)
    return xp.asarray(exact, dtype=array.dtype, device=device(array))


def is_nested(code: Code) -> bool:
    """Return whether the rows are the branchings of a binary tree with the classes as leaves.

    There are k − 1 rows, one of which has all classes; each other row has the classes of one side
    of another row. Both decoders then fit all outputs exactly, by the product rule.

    Examples
    --------
    >>> from polychotomy.codes.random_codes import nested
    >>> from polychotomy.codes import one_vs_one
    >>> is_nested(nested(5, random_state=0)), is_nested(one_vs_one(3))
    (True, False)
    """
    rows, k = code.shape
    if rows != k - 1:
        return False
    supports = {row.tobytes() for row in code != 0}
    sides = {row.tobytes() for side in (code > 0, code < 0) for row in side}
    everybody = np.ones(k, dtype=np.bool_).tobytes()
    return len(supports) == rows and everybody in supports and supports <= {everybody, *sides}


def prepare_branches(code: Code) -> PreparedDecoder:
    """Return Π q over the branchings where a class is on the + side, times Π (1 − q) elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> code = np.array([[1, -1, -1], [0, 1, -1]], dtype=np.int8)
    >>> prepare_branches(code)([[0.5, 0.6]])
    array([[0.5, 0.3, 0.2]])
    """

    def start(xp: ModuleType, kind: Floats) -> Work:
        plus, minus, absent = (like(xp, side, kind) for side in (code > 0, code < 0, code == 0))

        def multiply(q: Outputs) -> Probabilities:
            p: Probabilities = xp.ones((q.shape[0], code.shape[1]), dtype=q.dtype, device=device(q))
            for i in range(code.shape[0]):
                branch = q[:, i : i + 1]
                p = p * (branch * plus[i, :] + (1.0 - branch) * minus[i, :] + absent[i, :])
            return p / xp.sum(p, axis=1, keepdims=True)  # but for rounding, 1

        return multiply

    return PreparedDecoder(code.shape, start, 4 * sum(code.shape))


def check_connected(code: Code, weights: Floats) -> None:
    """Raise where some classes share no chain of dichotomies of positive weight with the others.

    Nothing is known then about the probability of the one group against the other.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding.prepared import check_connected
    >>> check_connected(one_vs_one(3), np.array([1.0, 0.0, 0.0]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: class 2 is never compared with class 0, ...
    """
    compared = compared_with_first(code if (weights > 0).all() else code[weights > 0])
    if not compared.all():
        raise InvalidInput(
            f"class {int(np.flatnonzero(~compared)[0])} is never compared with class 0, not even "
            "through other classes, so their probabilities are not determined. Add a dichotomy "
            "with both signs and a positive weight that has both classes."
        )


def is_determined(code: Code) -> bool:
    """Return whether outputs of some interior probabilities determine them.

    The dichotomies' equations (1 − q) S₊ = q S₋, with Σp = 1, are solved by p alone just where
    their rank is k; it is taken at arbitrary outputs, where it is largest.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_rest
    >>> is_determined(one_vs_rest(4)), is_determined(np.array([[1, 1, -1], [1, -1, -1]])[:1])
    (True, False)
    """
    rows, k = code.shape
    if rows < k - 1:
        return False
    q = np.random.default_rng(0).uniform(0.3, 0.7, size=(rows, 1))
    equations = np.vstack([(code > 0) - q * np.abs(code), np.ones(k)])
    return bool(np.linalg.matrix_rank(equations) == k)
