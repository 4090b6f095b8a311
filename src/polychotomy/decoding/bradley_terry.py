"""Bradley–Terry decoding of any code: HT98's pairwise coupling and its generalisation."""

from __future__ import annotations

from types import ModuleType

from numpy.typing import ArrayLike

from polychotomy.arrays import Code, Floats, Outputs, Probabilities
from polychotomy.codes.checks import check_code
from polychotomy.decoding.arguments import check_outputs, check_weights
from polychotomy.decoding.buffers import Buffers
from polychotomy.decoding.chunks import in_chunks
from polychotomy.decoding.divergence import make_sides
from polychotomy.decoding.elimination import matrix_size
from polychotomy.decoding.identified import check_connected
from polychotomy.decoding.interior_point import follow_path
from polychotomy.decoding.nesting import is_nested, multiply_branches
from polychotomy.decoding.pairs import Pairs, find_pairs
from polychotomy.decoding.pairwise_bradley_terry import couple_bradley_terry


def decode_bradley_terry(
    code: Code, outputs: ArrayLike, *, weights: ArrayLike | None = None
) -> Probabilities:
    """Return the class probabilities whose dichotomies are nearest to the outputs in KL divergence.

    Minimises Σ_l w_l KL(q_l ‖ S₊/(S₊ + S₋)) over the simplex, S₊ and S₋ the probability on the
    two sides of dichotomy l. On one-vs-one this is HT98's coupling, criterion (4), with w = n_ij;
    on nested dichotomies it is the product of the outputs on the way to each class.

    Parameters
    ----------
    code : (l, k)
        Coding matrix with entries −1, 0, +1. One-sided rows do not count.
    outputs : (n, l)
        Probabilities of the + sides. Exact 0 and 1 give the limit of solutions for outputs that
        tend to them: on one-vs-one all probability goes to the smallest set of classes that beat
        all others for certain, and inside it the rest of the outputs decides.
    weights : (l,), optional
        Weights of the dichotomies, at least 0; all ones by default.

    Returns
    -------
    (n, k)
        Rows add up to 1. Of the kind of array given.

    Notes
    -----
    One-vs-one is solved by Newton's method in log p; outputs within 2⁻⁴⁰ of 0 and 1 count as
    certain, and each certain defeat leaves a class a factor of 2⁻⁴⁰, so that classes stay in order.
    Other codes are solved by an interior-point method, the minimiser being approached through
    those of the criterion minus τ Σ log p, τ falling to 0; where the dichotomies leave the
    minimiser undetermined this ends at the most even one. The criterion is convex for one-vs-one
    (in log p) and for codes without zeros (in p), so the minimum is the lowest. For other codes
    with zeros it can have several minima; the one on this path is the lowest nearly always (in
    1075 of 1080 random samples of 180 codes with random outputs).

    Examples
    --------
    HT98's example (1); the paper prints an iterate stopped early, (0.47, 0.25, 0.28):

    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding import decode_bradley_terry
    >>> decode_bradley_terry(one_vs_one(3), [[0.9, 0.4, 0.7]]).round(6)
    array([[0.481068, 0.241639, 0.277293]])
    """
    code = check_code(code)
    xp, q = check_outputs(code, outputs)
    w = check_weights(code, weights)
    check_connected(code, w)
    pairs = find_pairs(code, w)
    if pairs is not None:
        return _decode_pairs(xp, pairs, q)
    if w.all() and is_nested(code):
        return multiply_branches(xp, code, q)
    return _decode_any(xp, code, q, w)


def _decode_pairs(xp: ModuleType, pairs: Pairs, q: Outputs) -> Probabilities:
    buffers = Buffers(xp, q)

    def work(rows: Outputs) -> Probabilities:
        r = pairs.arrange(xp, rows, buffers)
        return couple_bradley_terry(xp, r, pairs.weights, pairs.k, buffers).T

    return in_chunks(xp, work, q, numbers_each=matrix_size(pairs.k))


def _decode_any(xp: ModuleType, code: Code, q: Outputs, w: Floats) -> Probabilities:
    counted = w > 0
    sides = make_sides(xp, code[counted], w[counted], q)
    rows_counted = xp.asarray(counted.nonzero()[0], device=q.device)

    def work(rows: Outputs) -> Probabilities:
        return follow_path(xp, sides, xp.take(rows.T, rows_counted, axis=0), code.shape[1]).T

    return in_chunks(xp, work, q, numbers_each=matrix_size(code.shape[1]) + len(code))
