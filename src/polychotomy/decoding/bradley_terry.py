"""Bradley–Terry decoding of any code: HT98's pairwise coupling and its generalisation."""

from __future__ import annotations

from numpy.typing import ArrayLike

from polychotomy.arrays import Code, Probabilities
from polychotomy.codes.checks import check_code
from polychotomy.decoding.arguments import check_outputs, check_weights
from polychotomy.decoding.chunks import in_chunks
from polychotomy.decoding.general_bradley_terry import fit_bradley_terry
from polychotomy.decoding.identified import check_connected
from polychotomy.decoding.pairs import find_pairs
from polychotomy.decoding.pairwise_bradley_terry import couple_bradley_terry


def decode_bradley_terry(
    code: Code, outputs: ArrayLike, *, weights: ArrayLike | None = None
) -> Probabilities:
    """Return the class probabilities whose dichotomies are nearest to the outputs in KL divergence.

    Minimises Σ_l w_l KL(q_l ‖ S₊/(S₊ + S₋)) over the simplex, S₊ and S₋ the probability on the
    two sides of dichotomy l. On one-vs-one this is HT98's coupling, criterion (4), with w = n_ij.

    Parameters
    ----------
    code : (l, k)
        Coding matrix with entries −1, 0, +1. One-sided rows do not count.
    outputs : (n, l)
        Probabilities of the + sides.
    weights : (l,), optional
        Weights of the dichotomies, at least 0; all ones by default.

    Returns
    -------
    (n, k)
        Rows add up to 1. Of the kind of array given.

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
    l, k = code.shape
    pairs = find_pairs(code, w)
    if pairs is not None:
        return in_chunks(
            xp,
            lambda rows: couple_bradley_terry(xp, pairs.arrange(xp, rows), pairs.weights, k).T,
            q,
            numbers_each=4 * k * k,
        )
    return in_chunks(
        xp,
        lambda rows: fit_bradley_terry(xp, code, rows[:, w > 0].T, w).T,
        q,
        numbers_each=4 * k * k + 4 * l,
    )
