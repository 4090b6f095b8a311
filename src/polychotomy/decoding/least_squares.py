"""Least-squares decoding of any code: M24 eqs. (7)–(12), Wu, Lin & Weng (2004)."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Code, Floats, Outputs, Probabilities
from polychotomy.codes.checks import check_code
from polychotomy.decoding.arguments import check_outputs, check_weights
from polychotomy.decoding.buffers import Buffers
from polychotomy.decoding.chunks import in_chunks
from polychotomy.decoding.elimination import matrix_size
from polychotomy.decoding.forms import make_forms
from polychotomy.decoding.identified import check_connected, is_determined
from polychotomy.decoding.nesting import is_nested, multiply_branches
from polychotomy.decoding.nonnegative import minimise_on_simplex
from polychotomy.decoding.orthogonality import is_orthogonal, make_correlations
from polychotomy.decoding.pairs import Pairs, find_pairs
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
    pairs = find_pairs(code, w)
    if pairs is not None:
        return _decode_pairs(xp, pairs, q)
    if is_orthogonal(code, w):
        return _decode_orthogonal(xp, code, q)
    if w.all() and is_nested(code):
        return multiply_branches(xp, code, q)
    return _decode_any(xp, code, q, w)


def _decode_pairs(xp: ModuleType, pairs: Pairs, q: Outputs) -> Probabilities:
    buffers = Buffers(xp, q)

    def work(rows: Outputs) -> Probabilities:
        r = pairs.arrange(xp, rows, buffers)
        return couple_least_squares(xp, r, pairs.weights, pairs.k, buffers).T

    return in_chunks(xp, work, q, numbers_each=matrix_size(pairs.k))


def _decode_orthogonal(xp: ModuleType, code: Code, q: Outputs) -> Probabilities:
    correlate = make_correlations(xp, code, q)

    def work(rows: Outputs) -> Probabilities:
        return project_rows(xp, correlate(2.0 * rows - 1.0) / len(code))

    return in_chunks(xp, work, q, numbers_each=4 * sum(code.shape))


def _decode_any(xp: ModuleType, code: Code, q: Outputs, w: Floats) -> Probabilities:
    counted = w > 0
    forms = make_forms(xp, code[counted], w[counted], q)
    rows_counted = xp.asarray(np.flatnonzero(counted), device=q.device)
    ridge = 1e-13 if is_determined(code[counted]) else 1e-10

    def work(rows: Outputs) -> Probabilities:
        given = forms(xp.take(rows.T, rows_counted, axis=0))
        return minimise_on_simplex(xp, given, ridge=ridge).T

    return in_chunks(xp, work, q, numbers_each=matrix_size(code.shape[1]) + len(code))
