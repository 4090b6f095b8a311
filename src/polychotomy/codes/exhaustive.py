"""Every dichotomy that splits all classes in two (Dietterich & Bakiri 1995)."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np

from polychotomy.arrays import Code
from polychotomy.codes.checks import check_classes
from polychotomy.exceptions import InvalidInput

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
    >>> from polychotomy.codes import exhaustive
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
