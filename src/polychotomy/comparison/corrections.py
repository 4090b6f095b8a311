"""Adjusted p-values for a family of tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Floats
from polychotomy.comparison._inputs import as_floats
from polychotomy.exceptions import InvalidInput


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


def _put_back(
    ordered: Floats, order: np.ndarray[tuple[int, ...], np.dtype[np.intp]], p: Floats
) -> Floats:
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(ordered, 1.0)
    return adjusted.reshape(p.shape)


def _checked(pvalues: ArrayLike) -> Floats:
    p = as_floats(pvalues, "pvalues")
    bad = ~((p >= 0) & (p <= 1))
    if bad.any():
        where = np.argwhere(bad)[0].tolist()
        raise InvalidInput(
            f"pvalues{where if where else ''} is {p[bad][0]}; expected numbers from 0 to 1."
        )
    return p
