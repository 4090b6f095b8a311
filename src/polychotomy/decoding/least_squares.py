"""Least-squares decoding of any code: M24 eqs. (7)–(12), Wu, Lin & Weng (2004)."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Code, Floats, Outputs, Probabilities
from polychotomy.codes.checks import check_code
from polychotomy.decoding.arguments import check_outputs, check_weights, like
from polychotomy.decoding.chunks import in_chunks
from polychotomy.decoding.identified import check_connected
from polychotomy.decoding.nonnegative import minimise_on_simplex
from polychotomy.decoding.pairs import find_pairs
from polychotomy.decoding.pairwise_least_squares import couple_least_squares
from polychotomy.decoding.simplex import project_rows


def decode_least_squares(
    code: Code, outputs: ArrayLike, *, weights: ArrayLike | None = None
) -> Probabilities:
    """Return the class probabilities that fit the dichotomies' outputs best in least squares.

    Minimises Σ_l w_l ((1 − q_l) S₊ − q_l S₋)² over the simplex, S₊ and S₋ the probability on the
    two sides of dichotomy l. On one-vs-one this is the second method of Wu, Lin & Weng (2004); on
    an orthogonal code it is M24 eq. (11), the projection of Aᵀr/l on the simplex, r = 2q − 1.

    Parameters
    ----------
    code : (l, k)
        Coding matrix with entries −1, 0, +1. One-sided rows do not count.
    outputs : (n, l)
        Probabilities of the + sides; 0 and 1 are as good as any.
    weights : (l,), optional
        Weights of the dichotomies, at least 0; all ones by default.

    Returns
    -------
    (n, k)
        Rows add up to 1. Of the kind of array given.

    Notes
    -----
    Where the dichotomies leave the minimiser undetermined (fewer than k − 1 of them, say), the
    one nearest to equal probabilities is returned.

    Examples
    --------
    Outputs made from known probabilities give them back:

    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding import decode_least_squares
    >>> outputs = np.array([[0.5 / 0.8, 0.5 / 0.7, 0.3 / 0.5]])  # of p = (0.5, 0.3, 0.2)
    >>> decode_least_squares(one_vs_one(3), outputs).round(6)
    array([[0.5, 0.3, 0.2]])
    """
    code = check_code(code)
    xp, q = check_outputs(code, outputs)
    w = check_weights(code, weights)
    check_connected(code, w)
    k = code.shape[1]
    pairs = find_pairs(code, w)
    if pairs is not None:
        return in_chunks(
            xp,
            lambda rows: couple_least_squares(xp, pairs.arrange(xp, rows), pairs.weights, k).T,
            q,
            numbers_each=2 * k * k,
        )
    if _is_orthogonal(code, w):
        signs = like(xp, code * (w / w.sum())[:, np.newaxis], q)
        return in_chunks(
            xp,
            lambda rows: project_rows(xp, (2.0 * rows - 1.0) @ signs),
            q,
            numbers_each=sum(code.shape),
        )
    return in_chunks(
        xp, lambda rows: _fit(xp, code, rows, w), q, numbers_each=2 * k * k + code.size
    )


def _is_orthogonal(code: Code, w: Floats) -> bool:
    """Whether AᵀWA is a multiple of the identity, up to one-sided rows."""
    if (np.abs(code).min(axis=1) == 0).any():
        return False
    counted = np.where(w > 0, w, 1.0) if (w[w > 0] == 1).all() else w
    gram = (code.T * counted) @ code.astype(np.float64)
    return bool(np.allclose(gram, counted.sum() * np.eye(len(gram)), rtol=0, atol=1e-12 * len(w)))


def _fit(xp: ModuleType, code: Code, q: Outputs, w: Floats) -> Probabilities:
    """Rows v = √w ((1 − q) a₊ − q a₋) make the objective |V p|²."""
    root = np.sqrt(w)[:, np.newaxis]
    plus, both = like(xp, root * (code > 0), q), like(xp, root * np.abs(code), q)
    residual = plus - q[:, :, None] * both  # (n, l, k)
    gram = xp.matmul(xp.moveaxis(residual, 1, 2), residual)
    return minimise_on_simplex(xp, xp.moveaxis(gram, 0, -1)).T
