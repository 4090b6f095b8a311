"""Adjusted p-values for a family of tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_floats, check_entries
from polychotomy.core.arrays import Floats


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
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted.reshape(p.shape)


def _checked(pvalues: ArrayLike) -> Floats:
    p = as_floats("pvalues", pvalues)
    check_entries("pvalues", p, (p >= 0) & (p <= 1), "numbers from 0 to 1")
    return p
