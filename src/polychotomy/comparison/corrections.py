"""Adjusted p-values for a family of tests."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_floats, check_entries
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput


def bonferroni(pvalues: ArrayLike) -> Floats:
    """p-values times their number, at most 1.

    Valid for any dependence between the tests.

    Parameters
    ----------
    pvalues : array-like of any shape
        One family of p-values.

    Returns
    -------
    array of the same shape

    Examples
    --------
    >>> from polychotomy.comparison import bonferroni
    >>> bonferroni([0.01, 0.02, 0.4])
    array([0.03, 0.06, 1.  ])
    """
    p = _checked(pvalues)
    return np.minimum(p * max(p.size, 1), 1.0)


def holm(pvalues: ArrayLike) -> Floats:
    """p-values adjusted by Holm's step-down procedure.

    The smallest is held to α/M, the next to α/(M−1), and so on until one is accepted. Valid for any
    dependence between the tests, and never less powerful than `bonferroni`.

    Parameters
    ----------
    pvalues : array-like of any shape
        One family of p-values.

    Returns
    -------
    array of the same shape

    Examples
    --------
    >>> from polychotomy.comparison import holm
    >>> holm([0.01, 0.02, 0.4])
    array([0.03, 0.04, 0.4 ])
    """
    p = _checked(pvalues)
    order = np.argsort(p, axis=None, kind="stable")
    stepped = np.maximum.accumulate(p.ravel()[order] * np.arange(p.size, 0, -1))
    return _put_back(stepped, order, p)


def hommel(pvalues: ArrayLike) -> Floats:
    """p-values adjusted by Hommel's procedure.

    More powerful than `holm`, but valid only where Simes's inequality holds: independent tests, or
    positively dependent ones, such as one-sided tests of several learners against one control.
    Where that is not known, use `holm`.

    Parameters
    ----------
    pvalues : array-like of any shape
        One family of p-values.

    Returns
    -------
    array of the same shape

    Examples
    --------
    >>> from polychotomy.comparison import hommel
    >>> hommel([0.01, 0.02, 0.4])
    array([0.03, 0.04, 0.4 ])
    """
    p = _checked(pvalues)
    order = np.argsort(p, axis=None, kind="stable")
    ordered = p.ravel()[order]
    count = p.size
    adjusted = ordered.copy()
    for size in range(count, 1, -1):
        # Simes over the `size` largest p-values, its first term apart: each p-value before them
        # takes the place of that term. Those after it get at least as much from a smaller size.
        others = (size * ordered[count - size + 1 :] / np.arange(2, size + 1)).min()
        first = ordered[: count - size + 1]
        adjusted[: count - size + 1] = np.maximum(
            adjusted[: count - size + 1], np.minimum(others, size * first)
        )
    return _put_back(adjusted, order, p)


def shaffer(pvalues: ArrayLike) -> Floats:
    """p-values of all pairs of m learners adjusted by Shaffer's static procedure (1986).

    As `holm`, but uses that pairwise *equalities* hang together: if A differs from B, C cannot be
    equal to both. Each step divides α by the most equalities that can still hold. Valid for
    **two-sided** tests of all m (m − 1)/2 pairs, and for no other family: for one-sided ones, such
    as those of `multitest`, use `holm`.

    Parameters
    ----------
    pvalues : (m (m − 1)/2,) array-like
        One p-value a pair, in any order.

    Returns
    -------
    array of the same shape

    Examples
    --------
    With three learners, once one equality is rejected at most one of the other two can hold:

    >>> from polychotomy.comparison import shaffer
    >>> shaffer([0.01, 0.02, 0.4])
    array([0.03, 0.03, 0.4 ])
    """
    p = _checked(pvalues)
    m = round((1 + np.sqrt(1 + 8 * p.size)) / 2)
    if m * (m - 1) // 2 != p.size:
        raise InvalidInput(
            f"{p.size} p-values are not those of all pairs of a number of learners; expected 1, 3, "
            "6, 10, …"
        )
    order = np.argsort(p, axis=None, kind="stable")
    possible = np.array(sorted(_possible_equalities(m)))
    left = np.arange(p.size, 0, -1)
    most = possible[np.searchsorted(possible, left, side="right") - 1]
    return _put_back(np.maximum.accumulate(p.ravel()[order] * most), order, p)


@lru_cache(maxsize=256)
def _possible_equalities(m: int) -> frozenset[int]:
    """How many of the pairs of m learners can be equal: those inside the blocks of a partition."""
    if m < 2:
        return frozenset({0})
    return frozenset(
        block * (block - 1) // 2 + rest
        for block in range(1, m + 1)
        for rest in _possible_equalities(m - block)
    )


def _put_back(ordered: Floats, order: Ints, p: Floats) -> Floats:
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(ordered, 1.0)
    return adjusted.reshape(p.shape)


def _checked(pvalues: ArrayLike) -> Floats:
    p = as_floats("pvalues", pvalues)
    check_entries("pvalues", p, (p >= 0) & (p <= 1), "numbers from 0 to 1")
    return p
