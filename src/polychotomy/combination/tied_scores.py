"""Ties: scores that are equal but for rounding are equal, and no ranker wins by rounding.

Probabilities are kept to a precision (in a ledger, single). The odds 1 : 3 of two leaves of a tree,
kept as 1/7 : 3/7 and as 1/5 : 3/5, then differ in the last digit; so do sums of the same numbers in
another order. Ranked as they stand, such ties are broken by rounding. Here every score comes with a
bound of its rounding error, and scores that no more than their errors set apart are joined.
"""

from __future__ import annotations

import numpy as np

from polychotomy.arrays import Floats

_ROUNDING = float(np.finfo(np.float64).eps)


def join_ties(values: Floats, errors: Floats) -> Floats:
    """Give values that differ by no more than their errors one value, the smallest of them.

    Parameters
    ----------
    values : floats
        Of any shape; infinities are values like others.
    errors : floats
        How far from the truth each may be, of the same shape.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.tied_scores import join_ties
    >>> join_ties(np.array([0.31, 0.1, 0.3]), np.full(3, 0.01))
    array([0.3, 0.1, 0.3])
    """
    order = np.argsort(values, axis=None, kind="stable")
    ordered, reach = values.ravel()[order], errors.ravel()[order]
    apart = np.empty(len(ordered), dtype=np.bool_)
    apart[:1] = True
    with np.errstate(invalid="ignore"):  # two infinities: the same
        apart[1:] = np.diff(ordered) > reach[1:] + reach[:-1]
    joined = np.empty_like(ordered)
    joined[order] = ordered[apart][np.cumsum(apart) - 1]
    return joined.reshape(values.shape)


def combine(scores: Floats, weights: Floats, errors: Floats | float = 0.0) -> Floats:
    """Weighted sums of the rows of scores (n, m), the tied ones joined.

    Parameters
    ----------
    scores : (n, m) floats
    weights : (m,) floats, at least 0
    errors : (n, m) floats, or 0
        How far from the truth each score may be, beside the rounding of the sum.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.tied_scores import combine
    >>> one, other = combine(np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]), np.full(3, 1 / 3))
    >>> bool(one == other)
    True
    """
    m = scores.shape[1]
    reach = np.abs(scores) * (m * _ROUNDING) + errors
    return join_ties(scores @ weights, reach @ weights)
