"""Small symmetric systems, one for each sample, solved for all samples together.

Samples are last: matrices are (k, k, n), vectors (k, n). Up to ``ELEMENTWISE`` classes the
elimination is elementwise operations over samples, which beats calling LAPACK once for each sample
several times and runs unchanged on every array library; above, it is LAPACK's (or the device's)
batched solver, for which the same (k, k, n) array should be a view of an (n, k, k) one.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
from array_api_compat import device, is_numpy_namespace
from scipy.linalg.lapack import dposv

from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.chunks import Buffers
from polychotomy.decoding.kernels.in_place import add_up, into, sum_of_products

ELEMENTWISE = 30


def matrix_size(k: int) -> int:
    """Return how many numbers of fast memory a sample's matrix should count for.

    LAPACK works on one matrix at a time, so that only that one needs to be near.

    Examples
    --------
    >>> matrix_size(10), matrix_size(100)
    (100, 2500)
    """
    return k * k if k <= ELEMENTWISE else k * k // 4


def solve_if_definite(
    xp: ModuleType, matrices: Floats, right: Floats, *, least: float
) -> tuple[Floats, Bools]:
    """Solve those of the systems that are positive definite, and say which they are.

    Parameters
    ----------
    xp : module
        The array namespace.
    matrices : (k, k, n)
        With unit diagonals. Upper triangles are read and overwritten.
    right : (k, n)
        Not overwritten.
    least : float
        The smallest pivot that counts as positive.

    Returns
    -------
    solutions : (k, n)
        Finite, but of no meaning, where the matrix is not definite.
    definite : (n,) bools

    Examples
    --------
    >>> import numpy as np
    >>> a = np.array([[1.0, 0.5], [0.5, 1.0]])[:, :, None] * np.array([1.0, 4.0])
    >>> a[0, 0] = a[1, 1] = 1.0
    >>> solve_if_definite(np, a, np.array([[1.5, 0.0], [1.5, 0.0]]), least=1e-12)[1]
    array([ True, False])
    """
    if matrices.shape[0] > ELEMENTWISE:
        return solve_batched(xp, matrices, right)
    system = xp.concat([matrices, right[:, None, :]], axis=1)
    definite: list[Bools] = []

    def guard(pivots: Floats) -> None:
        positive = pivots > least
        pivots[...] = xp.where(positive, pivots, xp.ones_like(pivots))
        definite.append(positive)

    solutions = eliminate(xp, system, Buffers(xp, right), guard=guard)
    return solutions, xp.all(xp.stack(definite, axis=0), axis=0)


def eliminate(
    xp: ModuleType,
    system: Floats,
    buffers: Buffers,
    *,
    guard: Callable[[Floats], None] | None = None,
) -> Floats:
    """Solve definite systems, each with its right side as one more column.

    Row by row, LDLᵀ: from a row of the matrix all multiples of the rows above it are taken at
    once, in one pass over memory.

    Parameters
    ----------
    xp : module
        The array namespace.
    system : (k, k + 1, n)
        Upper triangles and the last column are read and overwritten.
    buffers : Buffers
        Memory to work in: "factors", "inverses", "solutions", "taken".
    guard : callable, optional
        May change the pivots (n,) of a row in place before they are divided by.

    Returns
    -------
    (k, n)
        Good until the next call with these buffers.

    Examples
    --------
    >>> import numpy as np
    >>> a = np.array([[4.0, 2.0, 8.0], [2.0, 3.0, 7.0]])[:, :, None]
    >>> eliminate(np, a, Buffers(np, a))
    array([[1.25],
           [1.5 ]])
    """
    k, _, n = system.shape
    factors, taken = buffers.get("factors", (k, k, n)), buffers.get("taken", (k + 1, n))
    inverses, x = buffers.get("inverses", (k, n)), buffers.get("solutions", (k, n))
    for i in range(k):
        row = system[i, i:, :]
        if i:
            row -= sum_of_products(xp, taken[i:, :], factors[:i, i, :], system[:i, i:, :])
        if guard is not None:
            guard(row[0, :])
        into(xp, inverses[i, :], xp.divide, 1.0, row[0, :])
        into(xp, factors[i, i + 1 :, :], xp.multiply, row[1:-1, :], inverses[i, :])
    into(xp, x, xp.multiply, system[:, k, :], inverses)
    for i in range(k - 2, -1, -1):
        above = x[i, :]
        above -= sum_of_products(xp, taken[0, :], factors[i, i + 1 :, :], x[i + 1 :, :])
    return x


def solve_laplacian(xp: ModuleType, conductances: Floats, right: Floats) -> Floats:
    """Solve L x = right with x = 0 at a last node, L the Laplacian of a weighted graph.

    Eliminating a node of the graph joins its neighbours (star to mesh). That is Gaussian
    elimination without a single subtraction of conductances, so small ones keep all their digits
    beside large ones, as in Grassmann, Taksar and Heyman's elimination for Markov chains.

    Parameters
    ----------
    xp : module
        The array namespace.
    conductances : (k, k, n)
        Nonnegative and symmetric; only the upper triangles are read, and are overwritten.
    right : (k, n)
        Adds up to 0 over connected nodes; x is 0 at the last node of each connected set.

    Returns
    -------
    (k, n)

    Examples
    --------
    A chain of two resistors: 1 flows from the first node to the last.

    >>> import numpy as np
    >>> w = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.5], [0.0, 0.5, 0.0]])[:, :, None]
    >>> solve_laplacian(np, w, np.array([[1.0], [0.0], [-1.0]])).ravel()
    array([3., 2., 0.])
    """
    k = conductances.shape[0]
    x: Floats = xp.asarray(right, copy=True)
    totals = []
    for j in range(k - 1):
        total = add_up(xp, conductances[j, j + 1 :, :])
        totals.append(xp.where(total > 0, total, xp.ones_like(total)))
        factors = conductances[j, j + 1 :, :] / totals[j]
        for i in range(j + 1, k - 1):
            conductances[i, i + 1 :, :] += factors[i - j - 1, :] * conductances[j, i + 1 :, :]
        x[j + 1 :, :] += factors * x[j, :]
    x[k - 1, :] = 0.0
    for j in range(k - 2, -1, -1):
        x[j, :] += add_up(xp, conductances[j, j + 1 :, :] * x[j + 1 :, :])
        x[j, :] /= totals[j]
    return x


def solve_large_laplacian(
    xp: ModuleType, conductances: Floats, right: Floats, together: Bools | None = None
) -> Floats:
    """Solve L x = right with Σx = 0 by the batched solver, L scaled to a unit diagonal.

    Parameters as for ``solve_laplacian``; ``together`` (k, k, n) says which nodes are connected
    where not all are. Adding a multiple of 11ᵀ for each connected set makes L definite.

    Examples
    --------
    >>> import numpy as np
    >>> w = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.5], [0.0, 0.5, 0.0]])[:, :, None]
    >>> solve_large_laplacian(np, w, np.array([[1.0], [0.0], [-1.0]])).ravel().round(6)
    array([ 1.333333,  0.333333, -1.666667])
    """
    k, _, n = conductances.shape
    degrees: Floats = xp.zeros((k, n), dtype=right.dtype, device=device(right))
    for i in range(k - 1):
        degrees[i, :] += xp.sum(conductances[i, i + 1 :, :], axis=0)
        degrees[i + 1 :, :] += conductances[i, i + 1 :, :]
    degrees = xp.where(degrees > 0, degrees, xp.ones_like(degrees))  # a node by itself
    root = xp.sqrt(degrees)
    ones = xp.mean(degrees, axis=0) / k
    for i in range(k):
        conductances[i, i, :] = -degrees[i, :]
        joined = ones if together is None else ones * xp.astype(together[i, i:, :], ones.dtype)
        conductances[i, i:, :] = (joined - conductances[i, i:, :]) / (root[i, :] * root[i:, :])
    return solve_batched(xp, conductances, right / root)[0] / root


def solve_batched(xp: ModuleType, matrices: Floats, right: Floats) -> tuple[Floats, Bools]:
    """Solve symmetric systems by LAPACK or the device's own solver; tell which are definite.

    Only the upper triangles are read; matrices are overwritten. NumPy has no batched solver for
    definite matrices, and its general one takes half as long again as calling LAPACK's Cholesky
    solver for each sample. Where that finds a matrix not definite, or another namespace's general
    solver cannot tell, the solution is to be judged by the caller.

    Examples
    --------
    >>> import numpy as np
    >>> solve_batched(np, 2 * np.eye(2)[:, :, None], np.ones((2, 1)))[0]
    array([[0.5],
           [0.5]])
    """
    first = xp.moveaxis(matrices, -1, 0)
    if is_numpy_namespace(xp):
        return _solve_by_cholesky(first, right)
    upper = xp.triu(first)
    full = upper + xp.matrix_transpose(xp.triu(upper, k=1))
    solution = xp.linalg.solve(full, xp.moveaxis(right, -1, 0)[:, :, None])
    last: Floats = xp.moveaxis(solution[:, :, 0], 0, -1)
    return last, xp.all(xp.isfinite(last), axis=0)


def _solve_by_cholesky(matrices: Floats, right: Floats) -> tuple[Floats, Bools]:
    """Call LAPACK's posv for each of the (n, k, k) matrices."""
    solutions = np.empty_like(right.T)
    definite = np.ones(len(matrices), dtype=np.bool_)
    for i, (matrix, b) in enumerate(zip(matrices, right.T, strict=True)):
        # A row-major upper triangle is a column-major lower one.
        _, solutions[i], failed = dposv(matrix.T, b, lower=1, overwrite_a=1)
        definite[i] = not failed
    return solutions.T, definite
