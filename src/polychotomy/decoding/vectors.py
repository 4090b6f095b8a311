"""Elimination on lists of vectors over samples, nothing written in place.

The same steps as in ``elimination`` and ``newton``, in the form that compilers of array code want:
every number of a sample's matrix is a vector (n,) of its own, so that `torch.compile` can make
one loop over samples of it and keep a sample in registers. As plain array code it is slower.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from types import ModuleType

import numpy as np

from polychotomy.arrays import Bools, Floats
from polychotomy.decoding.pairs import Pairs

LARGEST = 16  # classes up to which all numbers of a matrix are written out: k³/3 operations

Vectors = list[Floats]


def make_least_squares(xp: ModuleType, pairs: Pairs) -> Callable[[Floats], tuple[Floats, Bools]]:
    """Return the function from outputs (n, l) of all pairs to probabilities (n, k).

    It also says which samples have outputs in [0, 1] only, (n,).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding.pairs import find_pairs
    >>> decode = make_least_squares(np, find_pairs(one_vs_one(3), np.ones(3)))
    >>> decode(np.array([[0.9, 0.4, 0.7]]))[0].round(6)
    array([[0.457233, 0.202129, 0.340638]])
    """
    k, roots, take = pairs.k, np.sqrt(pairs.weights).tolist(), pair_taker(pairs)

    def decode(q: Floats) -> tuple[Floats, Bools]:
        r, one = take(q.T), q[:, 0] * 0.0 + 1.0
        diagonal, entries = [one] * k, [[one] * (k - 1 - i) for i in range(k)]
        for pair, (i, j) in enumerate(combinations(range(k), 2)):
            above = roots[pair] * r[pair]
            below = roots[pair] - above
            diagonal[i] = diagonal[i] + below * below
            diagonal[j] = diagonal[j] + above * above
            entries[i][j - i - 1] = 1.0 - above * below
        x = [0.5 * (v + xp.abs(v)) for v in solve_definite(diagonal, entries, [one] * k)]
        return xp.stack(x, axis=1) / sum(x)[:, None], _are_inside(q)

    return decode


def _are_inside(q: Floats) -> Bools:
    """Return which samples have outputs in [0, 1] only; a reduction would be a loop of its own."""
    inside: Bools = q[:, 0] == q[:, 0]
    for row in range(q.shape[1]):
        inside = inside & (q[:, row] >= 0) & (q[:, row] <= 1)
    return inside


def pair_taker(pairs: Pairs) -> Callable[[Floats], Vectors]:
    """Return the function from outputs (l, n), samples last, to r_ij, i < j.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.pairs import all_pairs
    >>> pair_taker(all_pairs(2))(np.array([[0.9, 0.5]]))
    [array([0.9, 0.5])]
    """
    # Plain numbers: compilers take NumPy's arrays for arrays of theirs.
    places = list(zip(pairs.rows.tolist(), pairs.flipped.tolist(), strict=True))

    def take(q: Floats) -> Vectors:
        return [1.0 - q[row, :] if flipped else q[row, :] for row, flipped in places]

    return take


def solve_definite(diagonal: Vectors, entries: list[Vectors], right: Vectors) -> Vectors:
    """Solve definite systems; ``entries[i]`` are those of row i right of the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> four, two, three = np.array([4.0]), np.array([2.0]), np.array([3.0])
    >>> solve_definite([four, three], [[two], []], [np.array([8.0]), np.array([7.0])])
    [array([1.25]), array([1.5])]
    """
    k, x = len(diagonal), list(right)
    d, rows = list(diagonal), [list(row) for row in entries]
    inverses = []
    for j in range(k):
        inverses.append(1.0 / d[j])
        for i in range(j + 1, k):
            factor = rows[j][i - j - 1] * inverses[j]
            d[i] = d[i] - factor * rows[j][i - j - 1]
            x[i] = x[i] - factor * x[j]
            for c in range(i + 1, k):
                rows[i][c - i - 1] = rows[i][c - i - 1] - factor * rows[j][c - j - 1]
    for j in range(k - 1, -1, -1):
        for c in range(j + 1, k):
            x[j] = x[j] - rows[j][c - j - 1] * x[c]
        x[j] = x[j] * inverses[j]
    return x


def solve_laplacian(conductances: list[Vectors], right: Vectors) -> Vectors:
    """Solve L x = right with x = 0 at the last node; ``conductances[i]`` to the nodes after i.

    All nodes are connected.

    Examples
    --------
    >>> import numpy as np
    >>> one, zero, half = np.array([1.0]), np.array([0.0]), np.array([0.5])
    >>> solve_laplacian([[one, zero], [half], []], [one, zero, -one])
    [array([3.]), array([2.]), array([0.])]
    """
    k, x, rows = len(right), list(right), [list(row) for row in conductances]
    inverses = []
    for j in range(k - 1):
        inverses.append(1.0 / sum(rows[j][1:], rows[j][0]))
        for i in range(j + 1, k - 1):
            factor = rows[j][i - j - 1] * inverses[j]
            x[i] = x[i] + factor * x[j]
            for c in range(i + 1, k):
                rows[i][c - i - 1] = rows[i][c - i - 1] + factor * rows[j][c - j - 1]
    x[k - 1] = 0.0 * x[0]
    for j in range(k - 2, -1, -1):
        for c in range(j + 1, k - 1):
            x[j] = x[j] + rows[j][c - j - 1] * x[c]
        x[j] = x[j] * inverses[j]
    return x
