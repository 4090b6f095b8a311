"""The quadratic forms that least-squares decoding minimises, for all samples together."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
from array_api_compat import device

from polychotomy.arrays import Code, Floats
from polychotomy.decoding.arguments import like
from polychotomy.decoding.elimination import ELEMENTWISE


def make_forms(
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
    >>> forms = make_forms(np, one_vs_one(2), np.ones(1), np.zeros(1))
    >>> forms(np.array([[0.9]]))[:, :, 0].round(4)
    array([[ 0.01, -0.09],
           [-0.09,  0.81]])
    """
    if code.shape[1] > ELEMENTWISE:
        return _products(xp, code, weights, kind)
    return _polynomials(xp, code, weights, kind)


def _polynomials(
    xp: ModuleType, code: Code, weights: Floats, kind: Floats
) -> Callable[[Floats], Floats]:
    plus, both = (code > 0).astype(np.float64), np.abs(code).astype(np.float64)
    k = code.shape[1]

    def pairs(a: Floats, b: Floats) -> Floats:
        """Return Σ over rows kept apart of w a_i b_j, (k², l)."""
        return (weights[:, None, None] * a[:, :, None] * b[:, None, :]).reshape(-1, k * k).T

    constant = like(xp, pairs(plus, plus).sum(axis=1)[:, np.newaxis], kind)
    linear = pairs(plus, both) + pairs(both, plus)
    coefficients = like(xp, np.hstack([-linear, pairs(both, both)]), kind)

    def forms(q: Floats) -> Floats:
        flat = coefficients @ xp.concat([q, q * q], axis=0)
        flat += constant
        matrices: Floats = xp.reshape(flat, (k, k, q.shape[1]))
        return matrices

    return forms


def _products(
    xp: ModuleType, code: Code, weights: Floats, kind: Floats
) -> Callable[[Floats], Floats]:
    root = np.sqrt(weights)[:, np.newaxis]
    plus, both = like(xp, root * (code > 0), kind), like(xp, root * np.abs(code), kind)

    def forms(q: Floats) -> Floats:
        shape = (code.shape[1], code.shape[1], q.shape[1])
        matrices = xp.moveaxis(
            xp.empty((shape[2], *shape[:2]), dtype=q.dtype, device=device(q)), 0, -1
        )
        for i in range(shape[2]):
            v = plus - q[:, i : i + 1] * both
            matrices[:, :, i] = v.T @ v
        result: Floats = matrices
        return result

    return forms
