"""Pairwise codes: where the output of each pair of classes stands, and tables made of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from array_api_compat import device

from polychotomy.arrays import Bools, Code, Floats, Ints, Outputs


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs:
    """A code whose rows are different pairs of classes, seen as one_vs_one(k) in its order.

    Parameters
    ----------
    k : int
        Number of classes.
    rows : (k(k−1)/2,) ints
        The row of the code that holds each pair; any row where the pair is missing.
    flipped : (k(k−1)/2,) bools
        Whether that row has the higher class on its + side.
    weights : (k(k−1)/2,)
        Weights of the pairs; 0 where missing.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.pairs import find_pairs
    >>> found = find_pairs(np.array([[0, 1, -1], [-1, 0, 1]], dtype=np.int8), np.ones(2))
    >>> found.rows, found.flipped, found.weights
    (array([0, 1, 0]), array([False,  True, False]), array([0., 1., 1.]))
    """

    k: int
    rows: Ints
    flipped: Bools
    weights: Floats

    def arrange(self, xp: ModuleType, outputs: Outputs) -> Floats:
        """Return outputs (n, l) as a contiguous (k(k−1)/2, n) array of r_ij, i < j."""
        on = device(outputs)
        table: Floats = xp.take(outputs.T, xp.asarray(self.rows, device=on), axis=0)
        if self.flipped.any():
            table = xp.where(xp.asarray(self.flipped, device=on)[:, None], 1.0 - table, table)
        return table


def find_pairs(code: Code, weights: Floats) -> Pairs | None:
    """Return how a code is pairwise, or None where it is not or has a pair twice."""
    n_rows, k = code.shape
    n_pairs = k * (k - 1) // 2
    if n_rows > n_pairs or (np.count_nonzero(code, axis=1) != 2).any() or not weights.all():
        return None
    plus, minus = code.argmax(axis=1), code.argmin(axis=1)
    low, high = np.minimum(plus, minus), np.maximum(plus, minus)
    position = low * (2 * k - low - 1) // 2 + high - low - 1
    if len(np.unique(position)) < n_rows:
        return None
    rows, flipped = np.zeros(n_pairs, dtype=np.intp), np.zeros(n_pairs, dtype=np.bool_)
    pair_weights = np.zeros(n_pairs)
    rows[position], flipped[position] = np.arange(n_rows), plus > minus
    pair_weights[position] = weights
    return Pairs(k=k, rows=rows, flipped=flipped, weights=pair_weights)


def blocks(k: int) -> Iterator[tuple[int, slice]]:
    """For every class but the last, where its pairs with all higher classes stand.

    Examples
    --------
    >>> from polychotomy.decoding.pairs import blocks
    >>> list(blocks(3))
    [(0, slice(0, 2, None)), (1, slice(2, 3, None))]
    """
    start = 0
    for i in range(k - 1):
        yield i, slice(start, start + k - 1 - i)
        start += k - 1 - i


def add_to_classes(xp: ModuleType, of_lower: Floats, of_higher: Floats, k: int) -> Floats:
    """Return (k, n) sums over each class's pairs: ``of_lower`` where it is the lower class.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.ones((3, 1))
    >>> add_to_classes(np, one, -one, 3).ravel()
    array([ 2.,  0., -2.])
    """
    sums: Floats = xp.zeros((k, of_lower.shape[1]), dtype=of_lower.dtype, device=device(of_lower))
    for i, pairs in blocks(k):
        sums[i, :] += xp.sum(of_lower[pairs, :], axis=0)
        sums[i + 1 :, :] += of_higher[pairs, :]
    return sums


def symmetric(xp: ModuleType, of_pairs: Floats, k: int, *, full: bool) -> Floats:
    """Return (k, k, n) matrices with the pairs' numbers beside the diagonal, which is 0.

    With ``full`` both triangles are filled and memory is laid out as (n, k, k), for LAPACK;
    else only the upper triangle is filled.

    Examples
    --------
    >>> import numpy as np
    >>> symmetric(np, np.array([[5.0]]), 2, full=True)[:, :, 0]
    array([[0., 5.],
           [5., 0.]])
    """
    n, on = of_pairs.shape[1], device(of_pairs)
    if full:
        matrices = xp.moveaxis(xp.zeros((n, k, k), dtype=of_pairs.dtype, device=on), 0, -1)
    else:
        matrices = xp.zeros((k, k, n), dtype=of_pairs.dtype, device=on)
    for i, pairs in blocks(k):
        matrices[i, i + 1 :, :] = of_pairs[pairs, :]
        if full:
            matrices[i + 1 :, i, :] = of_pairs[pairs, :]
    result: Floats = matrices
    return result
