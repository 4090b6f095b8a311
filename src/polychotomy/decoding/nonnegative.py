"""Quadratic forms minimised over the simplex, exactly, for all samples together."""

from __future__ import annotations

from types import ModuleType

from array_api_compat import device

from polychotomy.arrays import Bools, Floats
from polychotomy.decoding.arrivals import Arrivals
from polychotomy.decoding.buffers import Buffers
from polychotomy.decoding.elimination import ELEMENTWISE, solve_batched, write_elimination
from polychotomy.decoding.tape import Tape, into

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
    arrivals = Arrivals(xp, m[0, :, :])
    for _ in range(_MOST_EXCHANGES):
        x = _solve_free(xp, m, free, buffers)
        y = _products(xp, m, x, buffers) - 1.0
        wrong = (free & (x < -_TOLERANCE)) | (~free & (y < -_TOLERANCE))
        count = xp.sum(xp.astype(wrong, xp.int64), axis=0)
        arrived = count == 0
        n, n_arrived = x.shape[1], int(xp.sum(xp.astype(arrived, xp.int64)))
        if n_arrived == n:
            break
        if 4 * n_arrived >= n:  # fewer are not worth the copy of the others
            going = arrivals.add(x, arrived)
            m, free, wrong, count, fewest, patience = (
                xp.take(each, going, axis=-1) for each in (m, free, wrong, count, fewest, patience)
            )
        better = count < fewest
        fewest = xp.minimum(fewest, count)
        patience = xp.where(better, _PATIENCE + 0 * patience, patience - 1)
        free = free ^ (wrong & ((patience >= 0) | (_highest(xp, wrong))))
    arrivals.add(x, xp.ones(x.shape[1:], dtype=xp.bool, device=device(x)))
    x = xp.clip(arrivals.together(), 0.0, None)
    p: Floats = x / xp.sum(x, axis=0)
    return p


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
    tape = Tape(xp)
    x = write_elimination(tape, system, buffers)
    tape.play()
    return x


def _products(xp: ModuleType, m: Floats, x: Floats, buffers: Buffers) -> Floats:
    """Return M x, (k, n), good until the next call, for symmetric M, (k, k, n)."""
    tape, products = Tape(xp), buffers.get("products", x.shape)
    tape.write_sum_of_products(products, x, m)
    tape.play()
    return products


def _highest(xp: ModuleType, wrong: Bools) -> Bools:
    """Mark the last true entry of each column."""
    position = xp.arange(1, wrong.shape[0] + 1, device=device(wrong))[:, None]
    marked = xp.astype(wrong, position.dtype) * position
    highest: Bools = wrong & (marked == xp.max(marked, axis=0))
    return highest
