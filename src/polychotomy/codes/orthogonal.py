"""Codes with orthogonal columns (M24 §3): constructed, found by search, made of square waves.

`orthogonal` takes columns of Hadamard matrices and reaches every number of classes. The other two
are M24's own ways: a random search (§3.1) and square waves (eq. 14).
"""

from __future__ import annotations

from itertools import count
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from polychotomy.codes.hadamard import construction, hadamard, reachable_order
from polychotomy.core.arguments import check_classes, check_count
from polychotomy.core.arrays import Code
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.seeds import RandomState, as_generator

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
        Where the constructions do not reach ``length``; the next one they reach is named.

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
    least = reachable_order(k) if length is None else length
    rows = check_count("length", least, least=1, unit="dichotomies")
    if rows < k or construction(rows) is None:
        raise InvalidInput(
            f"length is {rows}; no orthogonal code of that length for {k} classes can be built "
            f"here (Sylvester, Paley, products). Next possible: {reachable_order(max(rows, k))}."
        )
    code = np.vstack([resign(hadamard(piece)[:, :k]) for piece in _pieces(k, rows)])
    code[(code == code[:, :1]).all(axis=1)] = 1
    return code


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
    k = columns.shape[1]
    for attempt in count():
        bits = np.random.default_rng(attempt).integers(2, size=(_TRIES, k))
        if k <= _ALL_SIGNS:  # all choices; the last column keeps its sign
            bits = np.arange(2 ** (k - 1))[:, None] >> np.arange(k) & 1
        signs = 1 - 2 * bits
        sums = np.abs(columns.astype(np.float32) @ signs.T.astype(np.float32))  # (l, candidates)
        constant = (sums == k).sum(axis=0)
        best = int(np.lexsort((sums.max(axis=0), constant))[0])
        if constant[best] == 0 or k <= _ALL_SIGNS:
            return columns * signs[best].astype(np.int8)
    raise AssertionError("count() does not end")


LONGEST = 24


_CANDIDATES = 1 << 25  # looked at in all before giving up


def orthogonal_greedy(
    k: SupportsIndex, *, length: SupportsIndex | None = None, random_state: RandomState = None
) -> Code:
    """Return an orthogonal ±1 code by M24's own random search, with its row check.

    Candidate columns are drawn at random, none twice, and kept where orthogonal to all kept
    before. A search that ends with too few columns, or with a row of one sign, is repeated. (Two
    and three orthogonal columns always have such rows; there the row check is left out, and these
    rows are all +1.) ``orthogonal`` reaches the same and more without a search.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    length : int, optional
        Number of dichotomies, k to 24: a multiple of 4, or of 2 for two classes. By default the
        least of them.
    random_state : int, Generator, RandomState or None
        What the columns are drawn with.

    Returns
    -------
    (length, k) int8

    Examples
    --------
    >>> from polychotomy.codes import orthogonal_greedy
    >>> code = orthogonal_greedy(5, random_state=0).astype(int)
    >>> code.T @ code
    array([[8, 0, 0, 0, 0],
           [0, 8, 0, 0, 0],
           [0, 0, 8, 0, 0],
           [0, 0, 0, 8, 0],
           [0, 0, 0, 0, 8]])
    """
    k = check_classes(k)
    multiple = 2 if k == 2 else 4
    least = -(-k // multiple) * multiple if length is None else length
    rows = check_count("length", least, least=1, unit="dichotomies")
    if rows % multiple or not k <= rows <= LONGEST:
        raise InvalidInput(
            f"length is {rows}; for {k} classes expected a multiple of {multiple} from {k} to "
            f"{LONGEST}: other lengths have no orthogonal columns or too many candidates."
        )
    generator = as_generator(random_state)
    searches = max(10, _CANDIDATES >> rows)
    for _ in range(searches):
        chosen = _search(k, rows, generator)
        if chosen is None:
            continue
        bits = np.array(chosen) >> np.arange(rows)[:, np.newaxis] & 1
        code = (2 * bits - 1).astype(np.int8)
        constant = (code == code[:, :1]).all(axis=1)
        code[constant] = 1
        if k < 4 or not constant.any():
            return code
    raise InvalidInput(
        f"no orthogonal code of {rows} dichotomies for {k} classes was found in "
        f"{searches} searches. Use orthogonal({k}, length={rows}), which constructs one."
    )


def _search(k: int, rows: int, generator: np.random.Generator) -> list[int] | None:
    """One pass over all candidates in random order; each is a number whose bits are the signs.

    Dropping at once all candidates that are not orthogonal to the column just kept leaves the
    same columns as trying them one by one.
    """
    candidates: NDArray[np.uint32] = generator.permutation(1 << rows).astype(np.uint32)
    chosen: list[int] = []
    while len(chosen) < k:
        if len(candidates) == 0:
            return None
        chosen.append(int(candidates[0]))
        differing = np.bitwise_count(candidates ^ candidates[0])
        candidates = candidates[differing == rows // 2]
    return chosen


MOST_HARMONIC = 40


def orthogonal_harmonic(k: SupportsIndex) -> Code:
    """Return M24's orthogonal code of square waves, of length 2^⌈(k+1)/2⌉.

    The columns are waves of log₂ l frequencies in two phases each, the fastest in one: 2 log₂ l − 1
    classes (M24 prints l and k exchanged). For an even k one wave is left out. Columns are
    re-signed where a row would be constant, which cannot be avoided for two and three classes.

    Parameters
    ----------
    k : int
        Number of classes, 2 to 40. The length doubles with every second class: ``orthogonal(k)``
        needs hardly more than k.

    Returns
    -------
    (2^⌈(k+1)/2⌉, k) int8

    Examples
    --------
    M24 eq. (14):

    >>> from polychotomy.codes import orthogonal_harmonic
    >>> orthogonal_harmonic(5).T
    array([[-1, -1, -1, -1,  1,  1,  1,  1],
           [ 1,  1, -1, -1, -1, -1,  1,  1],
           [-1, -1,  1,  1, -1, -1,  1,  1],
           [-1,  1,  1, -1, -1,  1,  1, -1],
           [-1,  1, -1,  1, -1,  1, -1,  1]], dtype=int8)
    """
    k = check_classes(k)
    if k > MOST_HARMONIC:
        raise InvalidInput(
            f"k is {k}; a harmonic code would need 2^{(k + 2) // 2} dichotomies. At most "
            f"{MOST_HARMONIC} classes are allowed: use orthogonal({k})."
        )
    waves = _waves((k + 2) // 2)
    if k % 2 == 0:
        # sin·cos of one frequency is ± sin of the next, so only four waves whose product is
        # constant can be without a constant row; leaving out this one keeps such four.
        waves = np.delete(waves, -3, axis=1)
    constant = (waves == waves[:, :1]).all(axis=1)
    if constant.any() and k > 3:
        return resign(waves)
    waves[constant] = 1
    return waves


def _waves(frequencies: int) -> Code:
    """Sine and cosine of each frequency, slowest first, sine only of the fastest."""
    length = 2**frequencies
    time = np.arange(length)
    waves = []
    for f in range(frequencies):
        period = length >> f
        waves.append(time % period >= period // 2)
        if f < frequencies - 1:
            quarter_later = (time + period // 4) % period >= period // 2
            waves.append(~quarter_later if f == 0 else quarter_later)
    return np.where(np.stack(waves, axis=1), 1, -1).astype(np.int8)
