"""HT98 §1: Friedman's max-wins rule; on other codes, Hamming decoding."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Code, Floats, Probabilities
from polychotomy.codes.checks import check_code
from polychotomy.decoding.arguments import check_outputs, check_weights, like
from polychotomy.decoding.products import times_code


def decode_votes(code: Code, outputs: ArrayLike) -> Probabilities:
    """Return each class's share of votes: max-wins on one-vs-one, Hamming decoding on ±1 codes.

    Every dichotomy votes for the classes on its more probable side, half a vote each for both
    sides at q = ½. A class's votes are counted against the number of dichotomies it takes part
    in, and the shares are scaled to add up to 1. On one-vs-one and on ±1 codes all classes take
    part equally often, so these are plain votes; on nested dichotomies the class that wins all of
    its dichotomies comes first, however few these are.

    Parameters
    ----------
    code : (l, k)
        Coding matrix with entries −1, 0, +1. One-sided rows do not vote.
    outputs : (n, l)
        Probabilities of the + sides.

    Returns
    -------
    (n, k)
        Rows add up to 1. Equal largest entries are HT98's regions of indecision.

    Examples
    --------
    HT98's example: every class wins once.

    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding import decode_votes
    >>> decode_votes(one_vs_one(3), [[0.9, 0.4, 0.7]]).round(4)
    array([[0.3333, 0.3333, 0.3333]])
    """
    code = check_code(code)
    return count_votes(code, outputs, check_weights(code, None))


def count_votes(code: Code, outputs: ArrayLike, weights: Floats) -> Probabilities:
    """Return the votes of the dichotomies whose weight is not zero; each counts the same.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> count_votes(one_vs_one(3), [[0.9, 0.4, 0.7]], np.array([1.0, 0.0, 1.0])).round(4)
    array([[0.6667, 0.3333, 0.    ]])
    """
    xp, q = check_outputs(code, outputs)
    counts = (weights > 0).astype(np.float64)[np.newaxis]
    contests = times_code(np, counts, code, np.abs)
    winner = xp.sign(q - 0.5) * like(xp, counts, q)  # +1, −1, or 0 at ½
    margins = times_code(xp, winner, code, np.asarray)  # contests won less those lost
    shares = 0.5 + 0.5 * margins / like(xp, np.maximum(contests, 1.0), q)
    shares = shares * like(xp, contests > 0, q)
    if not contests.any():
        shares = shares + 1.0
    proportions: Probabilities = shares / xp.sum(shares, axis=1, keepdims=True)
    return proportions
