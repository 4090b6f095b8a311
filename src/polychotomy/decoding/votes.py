"""Products with a code, a block of its rows at a time, so that any code fits in memory."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.codes.code import check_code
from polychotomy.core.arrays import Code, Floats, Outputs, Probabilities
from polychotomy.core.chunks import Buffers
from polychotomy.decoding.kernels.in_place import into
from polychotomy.decoding.prepared import PreparedDecoder, Work, check_weights, like

_BLOCK = 1 << 22  # entries of the code made floats at a time


def make_product(
    xp: ModuleType, code: Code, kind: Floats, entries: Callable[[Code], NDArray[np.generic]]
) -> Callable[[Floats], Floats]:
    """Return the function from values (n, l) to ``entries(code)`` times values, (k, n).

    Samples come last, along which sums over classes are fast.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> make_product(np, one_vs_one(3), np.ones(1), np.abs)(np.array([[1.0, 2.0, 4.0]])).ravel()
    array([3., 5., 6.])
    """
    rows, k = code.shape
    step = max(1, _BLOCK // k)
    if rows <= step:
        matrix = like(xp, entries(code).T, kind)
        return lambda values: matrix @ values.T

    def multiply(values: Floats) -> Floats:
        total = like(xp, entries(code[:step]).T, kind) @ values[:, :step].T
        for start in range(step, rows, step):
            stop = min(start + step, rows)
            total += like(xp, entries(code[start:stop]).T, kind) @ values[:, start:stop].T
        return total

    return multiply


_HUGE = 2.0**60  # times the least q − ½ that is not 0, this is above 1: faster than a sign


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
    return prepare_votes(check_code(code), None)(outputs)


def prepare_votes(code: Code, weights: ArrayLike | None) -> PreparedDecoder:
    """Return the decoder that counts the dichotomies whose weight is not zero, each the same.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> prepare_votes(one_vs_one(3), np.array([1.0, 0.0, 1.0]))([[0.9, 0.4, 0.7]]).round(4)
    array([[0.6667, 0.3333, 0.    ]])
    """
    counts = (check_weights(code, weights) > 0).astype(np.float64)[np.newaxis]
    contests = make_product(np, code, counts, np.abs)(counts)  # (k, 1)
    share_of_each = np.where(contests > 0, 0.5 / np.maximum(contests, 1.0), 0.0)
    at_even_odds = np.where(contests > 0, 0.5, 0.0 if contests.any() else 1.0)

    def start(xp: ModuleType, kind: Floats) -> Work:
        counted, buffers = like(xp, counts, kind), Buffers(xp, kind)
        each, even = like(xp, share_of_each, kind), like(xp, at_even_odds, kind)
        margins = make_product(xp, code, kind, np.asarray)  # contests won less those lost

        def count(q: Outputs) -> Probabilities:
            winners = into(xp, buffers.get("winners", q.shape), xp.subtract, q, 0.5)
            winners *= _HUGE * counted
            shares = margins(xp.clip(winners, -1.0, 1.0))  # of +1, −1, or 0 at ½
            shares *= each
            shares += even
            shares /= xp.sum(shares, axis=0)
            return shares.T

        return count

    return PreparedDecoder(code.shape, start, 4 * sum(code.shape))
