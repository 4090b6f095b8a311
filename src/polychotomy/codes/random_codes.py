"""Codes that are drawn: the best of many (Allwein, Schapire & Singer 2000), or nested at random."""

from __future__ import annotations

from itertools import product
from math import ceil, log2, prod
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from polychotomy.codes.code import connected
from polychotomy.core.arguments import check_classes, check_count, unexpected
from polychotomy.core.arrays import Code, Floats
from polychotomy.core.seeds import RandomState, as_generator

_DRAWS = 10_000  # as in the paper; fewer where the codes are large

_WORK = 1e8  # multiplications spent on comparing draws

_LISTED = 320  # different dichotomies up to which all are listed and drawn without replacement

_DENSE = np.array([-1, 1], dtype=np.int8)

_SPARSE = np.array([-1, 0, 0, 1], dtype=np.int8)


def random_dense(
    k: SupportsIndex, *, length: SupportsIndex | None = None, random_state: RandomState = None
) -> Code:
    """Return the ±1 code with the largest minimum distance between columns, of many drawn.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    length : int, optional
        Number of dichotomies. By default ⌈10 log₂ k⌉ as in the paper, but no more than there are
        different dichotomies.
    random_state : int, Generator, RandomState or None
        What the codes are drawn with.

    Returns
    -------
    (length, k) int8
        Every row has both signs; no two columns are equal. Up to nine classes no row comes twice
        (reversed or not) while there are enough different ones.

    Examples
    --------
    >>> from polychotomy.codes import random_dense
    >>> random_dense(3, random_state=0).shape, random_dense(10, random_state=0).shape
    ((3, 3), (34, 10))
    """
    k = check_classes(k)
    default = min(ceil(10 * log2(k)), 2 ** (k - 1) - 1)
    return _best(k, default if length is None else length, _DENSE, random_state)


def random_sparse(
    k: SupportsIndex, *, length: SupportsIndex | None = None, random_state: RandomState = None
) -> Code:
    """Return the ternary code with the largest minimum distance between columns, of many drawn.

    Entries are 0 with probability ½ and ±1 with ¼ each; a 0 counts as half a difference.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    length : int, optional
        Number of dichotomies. By default ⌈15 log₂ k⌉ as in the paper, but no more than there are
        different dichotomies.
    random_state : int, Generator, RandomState or None
        What the codes are drawn with.

    Returns
    -------
    (length, k) int8
        Every row has both signs; no two columns are equal or all zeros; the dichotomies connect
        all classes. Up to six classes no row comes twice (reversed or not) while there are enough
        different ones.

    Examples
    --------
    >>> from polychotomy.codes import random_sparse
    >>> random_sparse(3, random_state=0).shape, random_sparse(10, random_state=0).shape
    ((6, 3), (50, 10))
    """
    k = check_classes(k)
    default = min(ceil(15 * log2(k)), (3**k - 2 ** (k + 1) + 1) // 2)
    return _best(k, default if length is None else length, _SPARSE, random_state)


def _best(k: int, length: SupportsIndex, levels: Code, random_state: RandomState) -> Code:
    """Return the code of the largest minimum distance, drawing a batch at a time."""
    rows, generator = check_count("length", length, unit="dichotomies"), as_generator(random_state)
    listed = _all_rows(k, levels)
    draws = int(max(20, min(_DRAWS, _WORK // (rows * k * k))))
    batch = int(max(1, min(draws, 1e6 // (rows * k))))
    best, best_distance = None, 0.0
    for _ in range(-(-draws // batch)):
        codes = (
            _draw_free(batch, rows, k, levels, generator)
            if listed is None
            else _draw_listed(batch, rows, *listed, generator)
        )
        distances = minimum_distances(codes)
        order = np.argsort(-distances, kind="stable")
        for code, distance in zip(codes[order], distances[order], strict=True):
            if distance > best_distance and connected(code):
                best, best_distance = code, float(distance)
    if best is None:
        raise unexpected("length", rows, f"more: none of {draws} drawn tells {k} classes apart")
    return best


def minimum_distances(codes: Code) -> Floats:
    """Return the smallest Hamming distance between two columns of each code, (b, l, k) → (b,).

    A 0 counts as half a difference; a code with equal or empty columns has distance 0.

    Examples
    --------
    >>> import numpy as np
    >>> minimum_distances(np.array([[[1, -1, 1], [0, 1, -1]]], dtype=np.int8))
    array([0.5])
    """
    signs = codes.astype(np.float32)
    agreement = np.swapaxes(signs, 1, 2) @ signs
    sizes = np.diagonal(agreement, axis1=1, axis2=2).copy()
    # Shared zeros are half differences, so equal sparse columns are told by their products.
    equal = (agreement == sizes[:, :, np.newaxis]) & (agreement == sizes[:, np.newaxis, :])
    bad = (equal.sum(axis=(1, 2)) > codes.shape[2]) | (sizes == 0).any(axis=1)
    diagonal = np.arange(codes.shape[2])
    agreement[:, diagonal, diagonal] = -np.inf
    distances = (codes.shape[1] - agreement.max(axis=(1, 2)).astype(np.float64)) / 2
    return np.where(bad, 0.0, distances)


def _all_rows(k: int, levels: Code) -> tuple[Code, Floats] | None:
    """Every different dichotomy and how often it is drawn, or None where there are too many."""
    entries = [int(e) for e in np.unique(levels)]
    if len(entries) ** k > 3 * _LISTED:
        return None
    rows = [r for r in product(entries, repeat=k) if 1 in r and -1 in r]
    rows = [r for r in rows if next(filter(None, r)) == 1]  # a row and its reverse are one
    copies = {entry: int((levels == entry).sum()) for entry in entries}
    rates = np.array([prod(copies[entry] for entry in row) for row in rows], dtype=np.float64)
    return np.array(rows, dtype=np.int8), rates


def _draw_listed(
    batch: int, rows: int, table: Code, rates: Floats, generator: np.random.Generator
) -> Code:
    """Different rows while they last: those that come first in an exponential race."""
    rounds = -(-rows // len(table))
    times = generator.exponential(size=(batch, rounds, len(table))) / rates
    order = np.argsort(times, axis=2).reshape(batch, -1)[:, :rows]
    signs: NDArray[np.int8] = generator.choice(_DENSE, size=(batch, rows, 1))
    return table[order] * signs


def _draw_free(batch: int, rows: int, k: int, levels: Code, generator: np.random.Generator) -> Code:
    """Independent rows, drawn again where one has not both signs."""
    codes = levels[generator.integers(len(levels), size=(batch * rows, k), dtype=np.int8)]
    while True:
        poor = np.flatnonzero((codes.max(axis=1) < 1) | (codes.min(axis=1) > -1))
        if len(poor) == 0:
            return codes.reshape(batch, rows, k)
        codes[poor] = levels[generator.integers(len(levels), size=(len(poor), k))]


def nested(k: SupportsIndex, *, random_state: RandomState = None) -> Code:
    """Return a random system of nested dichotomies, all (2k−3)!! trees being equally likely.

    The first row splits all classes in two, further rows split these parts until each is one
    class. A class's probability is then exactly the product of the outputs on the way to it, with
    both ``bradley-terry`` and ``least-squares``, and only k − 1 learners are needed.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    random_state : int, Generator, RandomState or None
        What the tree is drawn with.

    Returns
    -------
    (k − 1, k) int8
        A parent comes before its children; the part with the lowest class is on the + side.

    Examples
    --------
    >>> from polychotomy.codes import nested
    >>> nested(4, random_state=0)
    array([[ 1,  1, -1, -1],
           [ 1, -1,  0,  0],
           [ 0,  0,  1, -1]], dtype=int8)
    """
    k, generator = check_classes(k), as_generator(random_state)
    rows = np.zeros((k - 1, k), dtype=np.int8)  # each new one's + side is where it was hung
    # Rémy: each new leaf is hung on an edge, all being equally likely. The edge above a node goes
    # by the node, the root having one too: class 0, then the leaf and the branching of each row.
    for leaf in range(1, k):
        node, is_branching = divmod(int(generator.integers(2 * leaf - 1)) + 1, 2)
        below = rows[node - 1] != 0 if is_branching and node else np.arange(k) == node
        wider = (rows != 0) & ~below
        around = ((rows != 0) | ~below).all(axis=1) & wider.any(axis=1)
        rows[around, leaf] = rows[around, below.argmax()]
        rows[leaf - 1] = below
        rows[leaf - 1, leaf] = -1
    lowest = rows[np.arange(k - 1), (rows != 0).argmax(axis=1)]
    sizes = np.count_nonzero(rows, axis=1)
    return (rows * lowest[:, np.newaxis])[np.argsort(-sizes, kind="stable")]
