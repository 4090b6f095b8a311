"""M24 eqs. (10) and (11): orthogonal codes, and Aᵀr for them, fast for Sylvester's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from array_api_compat import device

from polychotomy.arrays import Code, Floats, Ints
from polychotomy.decoding.arguments import like

_FAST_FROM = 256  # rows from which the fast transform beats a matrix product


def is_orthogonal(code: Code, weights: Floats) -> bool:
    """Return whether AᵀA = l·I, all rows that can be fitted having the same weight.

    Constant rows, whose weight is 0, may be among them: they shift Aᵀr by the same number for
    every class, which the projection on the simplex takes away again.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import orthogonal, one_vs_rest
    >>> is_orthogonal(orthogonal(3), np.array([0.0, 1.0, 1.0, 1.0]))
    True
    >>> is_orthogonal(one_vs_rest(3), np.ones(3))
    False
    """
    rows, k = code.shape
    if rows < k or not code.all():
        return False
    constant = (code == code[:, :1]).all(axis=1)
    if (weights[~constant] != 1).any():
        return False
    gram = code.T.astype(np.float32) @ code.astype(np.float32)  # exact: entries below 2^24
    return bool((gram == rows * np.eye(k, dtype=np.float32)).all())


def make_correlations(xp: ModuleType, code: Code, kind: Floats) -> Callable[[Floats], Floats]:
    """Return the function r ↦ rA from (n, l) to (n, k).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import orthogonal
    >>> code = orthogonal(512)
    >>> r = np.arange(512.0)[np.newaxis]
    >>> bool((make_correlations(np, code, r)(r) == r @ code).all())
    True
    """
    walsh = find_walsh(code) if len(code) >= _FAST_FROM else None
    if walsh is None:
        signs = like(xp, code, kind)
        return lambda r: r @ signs
    return _walsh_correlations(xp, walsh, kind)


@dataclass(frozen=True, eq=False)
class Walsh:
    """A code that is Sylvester's matrix up to the choice, order and signs of rows and columns.

    code[i, j] = row_signs[i] · column_signs[j] · (−1)^(number of ones in i & columns[j])
    """

    row_signs: Floats  # (l,)
    column_signs: Floats  # (k,)
    columns: Ints  # (k,)


def find_walsh(code: Code) -> Walsh | None:
    """Return how the columns of a code are Walsh functions, or None where they are not.

    Examples
    --------
    >>> from polychotomy.codes import orthogonal
    >>> find_walsh(orthogonal(8)).columns, find_walsh(orthogonal(12))
    (array([0, 1, 2, 3, 4, 5, 6, 7]), None)
    """
    rows = len(code)
    bits = rows.bit_length() - 1
    if rows != 1 << bits or not code.all():
        return None
    row_signs = code[:, 0].astype(np.int8)
    first = code * row_signs[:, np.newaxis]
    column_signs = first[0]
    first = first * column_signs
    powers = 1 << np.arange(bits)
    columns = powers @ (first[powers] < 0)
    parity = np.bitwise_count(np.arange(rows)[:, np.newaxis] & columns) & 1
    if not np.array_equal(first, 1 - 2 * parity.astype(np.int8)):
        return None
    return Walsh(row_signs.astype(np.float64), column_signs.astype(np.float64), columns)


def _walsh_correlations(xp: ModuleType, walsh: Walsh, kind: Floats) -> Callable[[Floats], Floats]:
    row_signs, column_signs = like(xp, walsh.row_signs, kind), like(xp, walsh.column_signs, kind)
    columns = xp.asarray(walsh.columns, device=device(kind))

    def correlate(r: Floats) -> Floats:
        result: Floats = column_signs * xp.take(transform(xp, r * row_signs), columns, axis=1)
        return result

    return correlate


def transform(xp: ModuleType, values: Floats) -> Floats:
    """Return the fast Walsh–Hadamard transform of the rows of an (n, 2^m) array.

    Examples
    --------
    >>> import numpy as np
    >>> transform(np, np.array([[1.0, 2.0, 3.0, 4.0]]))
    array([[10., -2., -4.,  0.]])
    """
    n, length = values.shape
    half = 1
    while half < length:
        pairs = xp.reshape(values, (n, length // (2 * half), 2, half))
        even, odd = pairs[:, :, 0, :], pairs[:, :, 1, :]
        values = xp.reshape(xp.stack([even + odd, even - odd], axis=2), (n, length))
        half *= 2
    return values
