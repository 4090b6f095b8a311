"""The classic codes: one class against one, one against the rest, and all ways to split them."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np

from polychotomy.core.arguments import check_classes
from polychotomy.core.arrays import Code
from polychotomy.core.exceptions import InvalidInput


def one_vs_one(k: SupportsIndex) -> Code:
    """Return the code of all pairs of classes: HT98's pairwise setting.

    Rows are the pairs (0, 1), (0, 2), …, (k−2, k−1); the lower class is on the + side, so the
    output of row (i, j) is HT98's r_ij.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.

    Returns
    -------
    (k(k−1)/2, k) int8

    Examples
    --------
    >>> from polychotomy.codes import one_vs_one
    >>> one_vs_one(3)
    array([[ 1, -1,  0],
           [ 1,  0, -1],
           [ 0,  1, -1]], dtype=int8)
    """
    k = check_classes(k)
    code = np.zeros((k * (k - 1) // 2, k), dtype=np.int8)
    low, high = np.triu_indices(k, 1)
    rows = np.arange(len(code))
    code[rows, low], code[rows, high] = 1, -1
    return code


def one_vs_rest(k: SupportsIndex) -> Code:
    """Return the code in which dichotomy i has class i on its + side and all others on its − side.

    With two classes the second row would only repeat the first with its sides exchanged, so one
    row is returned.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.

    Returns
    -------
    (k, k) int8, or (1, 2) for two classes

    Examples
    --------
    >>> from polychotomy.codes import one_vs_rest
    >>> one_vs_rest(3)
    array([[ 1, -1, -1],
           [-1,  1, -1],
           [-1, -1,  1]], dtype=int8)
    """
    k = check_classes(k)
    code = (2 * np.eye(k, dtype=np.int8) - 1).astype(np.int8)
    return code if k > 2 else code[:1]


MOST_CLASSES = 12


def exhaustive(k: SupportsIndex) -> Code:
    """Return the code of all 2^(k−1) − 1 ways of splitting the classes in two.

    Class 0 is always on the + side; a split and its reverse are one dichotomy.

    Parameters
    ----------
    k : int
        Number of classes, 2 to 12.

    Returns
    -------
    (2^(k−1) − 1, k) int8

    Examples
    --------
    >>> from polychotomy.codes.classic_codes import exhaustive
    >>> exhaustive(3)
    array([[ 1, -1, -1],
           [ 1, -1,  1],
           [ 1,  1, -1]], dtype=int8)
    """
    k = check_classes(k)
    if k > MOST_CLASSES:
        raise InvalidInput(
            f"k is {k}; an exhaustive code would need {2 ** (k - 1) - 1} dichotomies. At most "
            f"{MOST_CLASSES} classes are allowed: use random_dense({k}) or orthogonal({k})."
        )
    numbers = np.arange(2 ** (k - 1) - 1)[:, np.newaxis]
    bits = numbers >> np.arange(k - 2, -1, -1) & 1
    ones = np.ones((len(numbers), 1), dtype=np.int8)
    return np.hstack([ones, (2 * bits - 1).astype(np.int8)])
