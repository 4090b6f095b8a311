"""Quadratic forms minimised over the simplex, exactly, for all samples together."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
from array_api_compat import device

from polychotomy.core.arrays import Bools, Code, Floats
from polychotomy.core.chunks import Buffers
from polychotomy.decoding.kernels.elimination import ELEMENTWISE, eliminate, solve_batched
from polychotomy.decoding.kernels.in_place import into, sum_of_products
from polychotomy.decoding.kernels.newton import ConvergedSamples
from polychotomy.decoding.prepared import like

_MOST_EXCHANGES = 2000

_TOLERANCE = 1e-12

_PATIENCE = 3  # exchanges of all offending classes before falling back to one at a time


def minimise_on_simplex(
    xp: ModuleType, forms: Floats, *, ridge: float = 1e-13, buffers: Buffers | None = None
) -> Floats:
    """Minimise pᵀ Q p over the simplex, for every (k, k) form in a (k, k, n) array.

    The forms are overwritten; ``buffers`` are memory to work in.

    With M = Q + s·11ᵀ the minimiser is x/Σx for the one x ≥ 0 with y = M x − 1 ≥ 0, xᵀy = 0: a
    linear complementarity problem with positive definite matrix. It is solved by principal
    pivoting: classes with x < 0 are bound to zero and bound ones with y < 0 are freed, all at
    once, or one at a time (Murty's rule, which is known to end) after that has not helped for a
    while (Portugal, Júdice & Vicente 1994). The result is exact, not iterated to a tolerance.
    ``ridge``, relative to the mean diagonal, is added to the diagonal: it picks the most even of
    several minimisers.

    Examples
    --------
    >>> import numpy as np
    >>> form = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.5, 0.5, 5.0]])
    >>> minimise_on_simplex(np, form[:, :, None]).ravel().round(12)
    array([0.5, 0.5, 0. ])
    """
    k, buffers = forms.shape[0], Buffers(xp, forms) if buffers is None else buffers
    m = _scaled(forms, ridge)
    free = xp.ones(m.shape[1:], dtype=xp.bool, device=device(forms))
    fewest = xp.full(m.shape[2:], k + 1, dtype=xp.int64, device=device(forms))
    patience = xp.full(m.shape[2:], _PATIENCE, dtype=xp.int64, device=device(forms))
    finished = ConvergedSamples(xp, m[0, :, :])
    for _ in range(_MOST_EXCHANGES):
        x = _solve_free(xp, m, free, buffers)
        y = sum_of_products(xp, buffers.get("products", x.shape), x, m) - 1.0  # m is symmetric
        wrong = (free & (x < -_TOLERANCE)) | (~free & (y < -_TOLERANCE))
        count = xp.sum(xp.astype(wrong, xp.int64), axis=0)
        converged = count == 0
        n, n_converged = x.shape[1], int(xp.sum(xp.astype(converged, xp.int64)))
        if n_converged == n:
            break
        if 4 * n_converged >= n:  # fewer are not worth the copy of the others
            going = finished.add(x, converged)
            m, free, wrong, count, fewest, patience = (
                xp.take(each, going, axis=-1) for each in (m, free, wrong, count, fewest, patience)
            )
        better = count < fewest
        fewest = xp.minimum(fewest, count)
        patience = xp.where(better, _PATIENCE + 0 * patience, patience - 1)
        free = free ^ (wrong & ((patience >= 0) | (_highest(xp, wrong))))
    finished.add(x, xp.ones(x.shape[1:], dtype=xp.bool, device=device(x)))
    x = xp.clip(finished.together(), 0.0, None)
    return x / xp.sum(x, axis=0)


def _scaled(forms: Floats, ridge: float) -> Floats:
    """Return Q over its mean diagonal, plus 11ᵀ, plus the ridge; written over Q."""
    k = forms.shape[0]
    scale = forms[0, 0, :] + 0.0
    for i in range(1, k):
        scale += forms[i, i, :]
    forms /= scale / k + 1e-300
    forms += 1.0
    for i in range(k):
        forms[i, i, :] += ridge
    return forms


def _solve_free(xp: ModuleType, m: Floats, free: Bools, buffers: Buffers) -> Floats:
    """Solve M_FF x_F = 1 with x zero elsewhere; good until the next call."""
    k, _, n = m.shape
    f = xp.astype(free, m.dtype)
    if k > ELEMENTWISE:
        matrices = m * f * f[:, None, :]
        for i in range(k):
            matrices[i, i, :] += 1.0 - f[i, :]
        return solve_batched(xp, matrices, f)[0]
    system = buffers.get("system", (k, k + 1, n))
    for i in range(k):  # upper triangles
        row = into(xp, system[i, i:k, :], xp.multiply, m[i, i:, :], f[i:, :])
        row *= f[i, :]
        row[0, :] += 1.0 - f[i, :]
    system[:, k, :] = f
    return eliminate(xp, system, buffers)


def _highest(xp: ModuleType, wrong: Bools) -> Bools:
    """Mark the last true entry of each column."""
    position = xp.arange(1, wrong.shape[0] + 1, device=device(wrong))[:, None]
    marked = xp.astype(wrong, position.dtype) * position
    return wrong & (marked == xp.max(marked, axis=0))


def make_quadratic_forms(
    xp: ModuleType, code: Code, weights: Floats, kind: Floats
) -> Callable[[Floats], Floats]:
    """Return a function from outputs (l, n) to the matrices Q, (k, k, n), of Σ w (v·p)² = pᵀQp.

    v = (1 − q) a₊ − q a₋ = a₊ − q |a|, so that Q is a polynomial of degree 2 in q. Up to
    ``ELEMENTWISE`` classes its coefficients are made once and Q is one matrix product for all
    samples, samples last in memory; above, it is one product VᵀV a sample, samples first.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> forms = make_quadratic_forms(np, one_vs_one(2), np.ones(1), np.zeros(1))
    >>> forms(np.array([[0.9]]))[:, :, 0].round(4)
    array([[ 0.01, -0.09],
           [-0.09,  0.81]])
    """
    k = code.shape[1]
    if k > ELEMENTWISE:
        root = np.sqrt(weights)[:, np.newaxis]
        side, either = like(xp, root * (code > 0), kind), like(xp, root * np.abs(code), kind)

        def products(q: Floats) -> Floats:
            if not q.shape[1]:
                return xp.empty((k, k, 0), dtype=q.dtype, device=device(q))
            # One after the other: (l, k) numbers of every sample at once would leave the cache.
            each = (side - q[:, i : i + 1] * either for i in range(q.shape[1]))
            return xp.moveaxis(xp.stack([v.T @ v for v in each]), 0, -1)

        return products
    plus, both = (code > 0).astype(np.float64), np.abs(code).astype(np.float64)

    def pairs(a: Floats, b: Floats) -> Floats:
        """Return Σ over rows kept apart of w a_i b_j, (k², l)."""
        return (weights[:, None, None] * a[:, :, None] * b[:, None, :]).reshape(-1, k * k).T

    constant = like(xp, pairs(plus, plus).sum(axis=1)[:, np.newaxis], kind)
    linear = pairs(plus, both) + pairs(both, plus)
    coefficients = like(xp, np.hstack([-linear, pairs(both, both)]), kind)

    def polynomials(q: Floats) -> Floats:
        flat = coefficients @ xp.concat([q, q * q], axis=0)
        flat += constant
        return xp.reshape(flat, (k, k, q.shape[1]))

    return polynomials


def is_orthogonal(code: Code, weights: Floats) -> bool:
    """Return whether AᵀA = l·I, all rows that can be fitted having the same weight.

    Constant rows, whose weight is 0, may be among them: they shift Aᵀr by the same number for
    every class, which the projection on the simplex takes away again.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes.orthogonal import orthogonal
    >>> from polychotomy.codes import one_vs_rest
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
