"""M24 eq. (10): codes with orthogonal columns, from Hadamard matrices."""

from __future__ import annotations

from itertools import count
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from polychotomy.codes.hadamard import construction, hadamard, reachable_order
from polychotomy.core.arguments import check_classes, check_count
from polychotomy.core.arrays import Code
from polychotomy.core.exceptions import InvalidInput

_ALL_SIGNS = 12  # classes up to which every choice of column signs is looked at

_TRIES = 64  # choices of column signs drawn above that


def orthogonal(k: SupportsIndex, *, length: SupportsIndex | None = None) -> Code:
    """Return a ±1 code with orthogonal columns, AᵀA = l·I (M24 eq. 10).

    The columns are the first k of a Hadamard matrix (Sylvester, Paley I and II over primes and
    prime powers, Kronecker products of these), re-signed so that no row is constant and the
    smaller side of every row is large. With three classes orthogonality forces the four sign
    patterns to be equally frequent, so a quarter of the rows is constant; with two classes, half.
    Such rows are all +1: they are never fitted, and their output is 1 by definition.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    length : int, optional
        Number of dichotomies; by default the smallest of at least ``k`` that the constructions
        reach. That is the next multiple of 4 (or 2) nearly always; 92 is the first they miss.

    Returns
    -------
    (l, k) int8

    Raises
    ------
    InvalidInput
        Where the constructions do not reach ``length``; the nearest ones they reach are named.

    Examples
    --------
    >>> from polychotomy.codes.orthogonal import orthogonal
    >>> code = orthogonal(4)
    >>> code
    array([[-1,  1,  1,  1],
           [-1, -1,  1, -1],
           [-1,  1, -1, -1],
           [-1, -1, -1,  1]], dtype=int8)
    >>> orthogonal(5).shape, orthogonal(1000).shape
    ((8, 5), (1000, 1000))
    """
    k = check_classes(k)
    rows = reachable_order(k) if length is None else _check_length(k, length)
    code = np.vstack([resign(hadamard(piece)[:, :k]) for piece in _pieces(k, rows)])
    constant = (code == code[:, :1]).all(axis=1)
    code[constant] = 1
    return code


def _check_length(k: int, length: SupportsIndex) -> int:
    rows = check_count("length", length, least=1, unit="dichotomies")
    if rows >= k and construction(rows) is not None:
        return rows
    below = next((order for order in range(rows, k - 1, -1) if construction(order)), None)
    above = reachable_order(max(rows, k))
    near = f"{above}" if below is None else f"{below} and {above}"
    raise InvalidInput(
        f"length is {rows}; no orthogonal code of that length for {k} classes can be built here "
        f"(Sylvester, Paley, products). Nearest possible: {near}."
    )


def _pieces(k: int, rows: int) -> list[int]:
    """Lengths of the codes to stack. Stacked orthogonal codes are orthogonal.

    A row is constant where the column signs equal the row, up to sign. Where the 2^(k−1) sign
    patterns outnumber the rows, some choice of signs therefore meets no row. A code too long for
    that is stacked from shorter ones that are not. (Four columns: a, b, c, abc, so copies of
    length 4. Two and three: constant rows cannot be avoided, and nothing is gained.)
    """
    if k < 4 or 2 ** (k - 1) > rows:
        return [rows]
    piece = reachable_order(k)
    copies, rest = divmod(rows, piece)
    lengths = [piece] * (copies - 1) + [piece + rest]
    return lengths if construction(lengths[-1]) is not None else [rows]


def resign(columns: Code) -> Code:
    """Multiply columns by signs: fewest constant rows first, then the fairest worst row.

    Examples
    --------
    >>> import numpy as np
    >>> resign(np.array([[1, 1], [1, 1], [1, -1]], dtype=np.int8))
    array([[-1,  1],
           [-1,  1],
           [-1, -1]], dtype=int8)
    """
    signs = _candidate_signs(columns.shape[1])
    for attempt in count(1):
        sums = np.abs(columns.astype(np.float32) @ signs.T)  # (l, candidates)
        constant = (sums == columns.shape[1]).sum(axis=0)
        best = int(np.lexsort((sums.max(axis=0), constant))[0])
        resigned: Code = columns * signs[best].astype(np.int8)
        if constant[best] == 0 or columns.shape[1] <= _ALL_SIGNS:
            return resigned
        signs = _drawn_signs(columns.shape[1], seed=attempt)
    raise AssertionError("count() does not end")


def _candidate_signs(k: int) -> NDArray[np.float32]:
    if k > _ALL_SIGNS:
        return _drawn_signs(k, seed=0)
    bits = np.arange(2 ** (k - 1))[:, None] >> np.arange(k) & 1  # the last column keeps its sign
    return (1 - 2 * bits).astype(np.float32)


def _drawn_signs(k: int, *, seed: int) -> NDArray[np.float32]:
    bits = np.random.default_rng(seed).integers(2, size=(_TRIES, k))
    return (1 - 2 * bits).astype(np.float32)
