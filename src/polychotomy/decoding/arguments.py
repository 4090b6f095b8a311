"""What the decoders accept, checked in one place; messages name the first offending entry."""

from __future__ import annotations

from math import prod
from types import ModuleType
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj, is_numpy_namespace
from numpy.typing import ArrayLike

from polychotomy.codes.code import two_sided
from polychotomy.core.arrays import Bools, Code, Floats, Outputs
from polychotomy.core.exceptions import InvalidInput

_ROUNDING = 1e-6  # how far outside [0, 1] a value may be and still be a rounded 0 or 1


def as_floats(name: str, values: ArrayLike) -> tuple[ModuleType, Floats]:
    """Return the array namespace of ``values`` and the values in it as floats.

    Arrays of PyTorch, CuPy and the like keep their kind and device, and single precision where
    they have it (half precision becomes single). NumPy's become float64, as does everything else
    (lists, data frames).

    Examples
    --------
    >>> from polychotomy.decoding.arguments import as_floats
    >>> as_floats("outputs", [[0, 1]])[1]
    array([[0., 1.]])
    """
    array: Any = values if is_array_api_obj(values) else as_numpy(name, values)
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, ("bool", "integral", "real floating")):
        raise InvalidInput(f"{name} has entries of type {array.dtype}; expected real numbers.")
    floating = xp.isdtype(array.dtype, "real floating") and array.dtype != xp.float64
    dtype = xp.float32 if floating and not is_numpy_namespace(xp) else xp.float64
    floats: Floats = xp.astype(array, dtype, copy=False)
    return xp, floats


def as_numpy(name: str, values: ArrayLike) -> Floats:
    """Return the values as a NumPy array of float64.

    Examples
    --------
    >>> as_numpy("weights", ["a"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: weights is not an array of numbers: could not \
convert ...
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind == "c":  # NumPy would drop the imaginary part
            raise TypeError(f"expected real ones, found {array.dtype}")
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{name} is not an array of numbers: {error}.") from error


def check_unit_interval(xp: ModuleType, outputs: Outputs, start: int = 0) -> Outputs:
    """Return outputs with rounding beyond 0 and 1 removed; anything else outside is an error.

    ``start`` is the number of the first row, for the message.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.arguments import check_unit_interval
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
        clipped: Outputs = xp.clip(outputs, 0.0, 1.0)
        return clipped
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
    >>> from polychotomy.decoding.arguments import check_weights
    >>> check_weights(np.array([[1, -1], [1, 1]], dtype=np.int8), [2.0, 1.0])
    array([1., 0.])
    """
    rows = code.shape[0]
    sided = two_sided(code)
    if weights is None:
        return sided.astype(np.float64)
    w = as_numpy("weights", weights)
    if w.shape != (rows,):
        raise InvalidInput(
            f"weights has shape {w.shape}; expected ({rows},): one weight for each row of code."
        )
    wrong = np.flatnonzero(~((w >= 0) & np.isfinite(w)))
    if len(wrong):
        raise InvalidInput(
            f"weights[{wrong[0]}] is {w[wrong[0]]:g}; expected a finite number of at least 0."
        )
    w = np.where(sided, w, 0.0)
    return scale_weights(w) if sided.any() else w


def scale_weights(weights: Floats) -> Floats:
    """Return weights ≥ 0 with the largest of them 1; they must not all be zero.

    Examples
    --------
    >>> import numpy as np
    >>> scale_weights(np.array([2.0, 1.0]))
    array([1. , 0.5])
    """
    if not weights.any():
        raise InvalidInput("weights are all zero; expected at least one dichotomy that counts.")
    scaled: Floats = weights / weights.max()
    return scaled


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
    moved: Floats = xp.asarray(
        np.asarray(constant, dtype=np.float64), dtype=array.dtype, device=device(array)
    )
    return moved
