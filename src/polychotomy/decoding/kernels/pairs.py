"""Pairwise codes: where the output of each pair of classes stands, and tables made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TypeAlias

import numpy as np
from array_api_compat import device
from numpy.typing import ArrayLike

from polychotomy.core.arrays import Bools, Code, Floats, Ints, Outputs
from polychotomy.core.chunks import Buffers
from polychotomy.decoding import prepared
from polychotomy.decoding.kernels.elimination import ELEMENTWISE, matrix_size
from polychotomy.decoding.kernels.in_place import add_up
from polychotomy.decoding.prepared import PreparedDecoder


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
    >>> from polychotomy.decoding.kernels.pairs import find_pairs
    >>> found = find_pairs(np.array([[0, 1, -1], [-1, 0, 1]], dtype=np.int8), np.ones(2))
    >>> found.rows, found.flipped, found.weights
    (array([0, 1, 0]), array([False,  True, False]), array([0., 1., 1.]))
    """

    k: int
    rows: Ints
    flipped: Bools
    weights: Floats

    def arrange(self, xp: ModuleType, outputs: Outputs) -> Floats:
        """Return outputs (n, l) as r_ij of the pairs i < j, (k(k−1)/2, n), not to be written to."""
        table = outputs.T
        if len(self.rows) != table.shape[0] or (np.diff(self.rows) != 1).any():
            table = xp.take(table, xp.asarray(self.rows, device=device(outputs)), axis=0)
        if self.flipped.any():
            flip = xp.asarray(self.flipped, device=device(outputs))[:, None]
            table = xp.where(flip, 1.0 - table, table)
        return table


def find_pairs(code: Code, weights: Floats) -> Pairs | None:
    """Return how a code is pairwise, or None where it is not or has a pair twice."""
    n_rows, k = code.shape
    n_pairs = k * (k - 1) // 2
    # No row is empty, so that rows are pairs where there are two entries in each row that cancel.
    if n_rows > n_pairs or np.count_nonzero(code) != 2 * n_rows or code.sum(axis=1).any():
        return None
    low, high = np.nonzero(code)[1].reshape(-1, 2).T
    position = low * (2 * k - low - 1) // 2 + high - low - 1
    if len(np.unique(position)) < n_rows:
        return None
    rows, flipped = np.zeros(n_pairs, dtype=np.intp), np.zeros(n_pairs, dtype=np.bool_)
    pair_weights = np.zeros(n_pairs)
    rows[position], flipped[position] = np.arange(n_rows), code[np.arange(n_rows), low] < 0
    pair_weights[position] = weights
    return Pairs(k=k, rows=rows, flipped=flipped, weights=pair_weights)


# From the namespace, r (k(k−1)/2, n), weights, k and memory to work in to p, (k, n).
Couple: TypeAlias = Callable[[ModuleType, Floats, Floats, int, Buffers], Floats]


def prepare_by_structure(
    code: Code,
    weights: ArrayLike | None,
    couple: Couple,
    prepare_any: Callable[[Code, Floats], PreparedDecoder],
) -> PreparedDecoder:
    """Return the decoder of a checked code: by pairs or branchings where it is made of these."""
    w = prepared.check_weights(code, weights)
    prepared.check_connected(code, w)
    pairs = find_pairs(code, w)
    if pairs is None:
        nested = w.all() and prepared.is_nested(code)
        return prepared.prepare_branches(code) if nested else prepare_any(code, w)

    def start(xp: ModuleType, kind: Floats) -> prepared.Work:
        buffers = Buffers(xp, kind)
        return lambda q: couple(xp, pairs.arrange(xp, q), pairs.weights, pairs.k, buffers).T

    return PreparedDecoder(code.shape, start, matrix_size(pairs.k))


def blocks(k: int) -> Iterator[tuple[int, slice]]:
    """For every class but the last, where its pairs with all higher classes stand.

    Examples
    --------
    >>> from polychotomy.decoding.kernels.pairs import blocks
    >>> list(blocks(3))
    [(0, slice(0, 2, None)), (1, slice(2, 3, None))]
    """
    start = 0
    for i in range(k - 1):
        yield i, slice(start, start + k - 1 - i)
        start += k - 1 - i


def empty_matrices(xp: ModuleType, k: int, n: int, buffers: Buffers) -> Floats:
    """Return memory for (k, k, n) matrices, laid out as the elimination likes it.

    Examples
    --------
    >>> import numpy as np
    >>> empty_matrices(np, 3, 5, Buffers(np, np.ones(1))).shape
    (3, 3, 5)
    """
    if k <= ELEMENTWISE:
        return buffers.get("matrices", (k, k, n))
    return xp.moveaxis(buffers.get("matrices", (n, k, k)), 0, -1)


@dataclass(frozen=True, eq=False)
class Components:
    """How the classes of each sample fall into components.

    Parameters
    ----------
    together : (k, k, n) bools
        Whether two classes are in one component.
    above : (k, n) floats
        How many classes beat this one for certain, through others perhaps, and not the reverse.
    """

    together: Bools
    above: Floats


def find_components(
    xp: ModuleType, r: Floats, weights: Floats, k: int, *, certain: float
) -> Components:
    """Return the components of tables given by pairs, r (k(k−1)/2, n) and weights (k(k−1)/2,).

    r below ``certain`` counts as 0, above 1 − certain as 1.

    Examples
    --------
    >>> import numpy as np
    >>> found = find_components(np, np.array([[0.5], [1.0], [1.0]]), np.ones(3), 3, certain=1e-12)
    >>> found.above.ravel()
    array([0., 0., 2.])
    """
    reach = xp.zeros((k, k, r.shape[1]), dtype=xp.bool, device=device(r))
    for i, pairs in blocks(k):
        compared = xp.asarray(weights[pairs] > 0, device=device(r))[:, None]
        reach[i, i, :] = True
        reach[i, i + 1 :, :] = compared & (r[pairs, :] >= certain)
        reach[i + 1 :, i, :] = compared & (r[pairs, :] <= 1.0 - certain)
    reach[k - 1, k - 1, :] = True
    for m in range(k):  # Warshall: along paths through the classes up to m
        reach = reach | (reach[:, m : m + 1, :] & reach[m : m + 1, :, :])
    backwards = xp.permute_dims(reach, (1, 0, 2))
    above = xp.sum(xp.astype(backwards & ~reach, r.dtype), axis=1)
    return Components(reach & backwards, above)


def spread(xp: ModuleType, components: Components, theta: Floats, *, certain: float) -> Floats:
    """Return p from θ = log p known within components: each certain defeat costs a factor.

    The classes of a component share what it has; a component has ``certain`` to the power of the
    number of classes above it. So all but the top ones have next to nothing, but stay in order.

    Examples
    --------
    >>> import numpy as np
    >>> found = find_components(np, np.array([[0.5], [1.0], [1.0]]), np.ones(3), 3, certain=1e-12)
    >>> spread(np, found, np.zeros((3, 1)), certain=1e-12).ravel()
    array([5.e-01, 5.e-01, 1.e-24])
    """
    shares = []
    for i in range(theta.shape[0]):
        others = xp.where(components.together[i, :, :], theta - theta[i, :], -xp.inf)
        top = xp.max(others, axis=0)
        shares.append(xp.exp(-top) / add_up(xp, xp.exp(others - top)))
    p = xp.stack(shares, axis=0) * certain**components.above
    return p / add_up(xp, p)
