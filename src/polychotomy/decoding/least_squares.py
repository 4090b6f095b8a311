"""Least-squares decoding of any code: M24 eqs. (7)–(12), Wu, Lin & Weng (2004)."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from array_api_compat import device
from numpy.typing import ArrayLike

from polychotomy.codes.code import check_code
from polychotomy.core.arrays import Code, Floats, Outputs, Probabilities
from polychotomy.core.chunks import Buffers
from polychotomy.decoding import prepared
from polychotomy.decoding.kernels.elimination import matrix_size
from polychotomy.decoding.kernels.pairs import prepare_by_structure
from polychotomy.decoding.kernels.pairwise_least_squares import couple_least_squares
from polychotomy.decoding.kernels.quadratic import (
    is_orthogonal,
    make_quadratic_forms,
    minimise_on_simplex,
)
from polychotomy.decoding.prepared import PreparedDecoder, Work
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
    return prepare_least_squares(check_code(code), weights)(outputs)


def prepare_least_squares(code: Code, weights: ArrayLike | None) -> PreparedDecoder:
    """Return the decoder of a checked code, made for its structure.

    Examples
    --------
    >>> from polychotomy.codes import one_vs_one
    >>> prepare_least_squares(one_vs_one(3), None)([[0.9, 0.4, 0.7]]).round(6)
    array([[0.457233, 0.202129, 0.340638]])
    """
    return prepare_by_structure(code, weights, couple_least_squares, _prepare_any)


def _prepare_orthogonal(code: Code) -> PreparedDecoder:
    """Return the decoder that projects Aᵀ(2q − 1)/l."""
    length = len(code)

    def start(xp: ModuleType, kind: Floats) -> Work:
        # Not a fast Walsh–Hadamard transform: below a thousand classes it is no faster.
        signs = prepared.like(xp, code, kind)
        at_zero = prepared.like(xp, code.sum(axis=0, dtype=np.int64) / length, kind)

        def work(q: Outputs) -> Probabilities:
            points = q @ signs
            points *= 2.0 / length
            points -= at_zero
            return project_rows(xp, points)

        return work

    return PreparedDecoder(code.shape, start, 3 * sum(code.shape))


def _prepare_any(code: Code, w: Floats) -> PreparedDecoder:
    if is_orthogonal(code, w):
        return _prepare_orthogonal(code)
    counted = np.flatnonzero(w > 0)
    ridge = 1e-13 if prepared.is_determined(code[counted]) else 1e-10

    def start(xp: ModuleType, kind: Floats) -> Work:
        forms = make_quadratic_forms(xp, code[counted], w[counted], kind)
        rows, buffers = xp.asarray(counted, device=device(kind)), Buffers(xp, kind)

        def work(q: Outputs) -> Probabilities:
            quadratic = forms(xp.take(q.T, rows, axis=0))
            return minimise_on_simplex(xp, quadratic, ridge=ridge, buffers=buffers).T

        return work

    numbers_each = matrix_size(code.shape[1]) + len(code)
    return PreparedDecoder(code.shape, start, numbers_each, in_double=True)
