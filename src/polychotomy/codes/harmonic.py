"""M24 eq. (14): orthogonal columns from square waves."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np

from polychotomy.codes.orthogonal import resign
from polychotomy.core.arguments import check_classes
from polychotomy.core.arrays import Code
from polychotomy.core.exceptions import InvalidInput

MOST_CLASSES = 40


def orthogonal_harmonic(k: SupportsIndex) -> Code:
    """Return M24's orthogonal code of square waves, of length 2^⌈(k+1)/2⌉.

    The columns are waves of log₂ l frequencies in two phases each, the fastest in one: 2 log₂ l − 1
    classes (M24 prints l and k exchanged). For an even k one wave is left out. Columns are
    re-signed where a row would be constant, which cannot be avoided for two and three classes.

    Parameters
    ----------
    k : int
        Number of classes, 2 to 40. The length doubles with every second class: ``orthogonal(k)``
        needs hardly more than k.

    Returns
    -------
    (2^⌈(k+1)/2⌉, k) int8

    Examples
    --------
    M24 eq. (14):

    >>> from polychotomy.codes import orthogonal_harmonic
    >>> orthogonal_harmonic(5).T
    array([[-1, -1, -1, -1,  1,  1,  1,  1],
           [ 1,  1, -1, -1, -1, -1,  1,  1],
           [-1, -1,  1,  1, -1, -1,  1,  1],
           [-1,  1,  1, -1, -1,  1,  1, -1],
           [-1,  1, -1,  1, -1,  1, -1,  1]], dtype=int8)
    """
    k = check_classes(k)
    if k > MOST_CLASSES:
        raise InvalidInput(
            f"k is {k}; a harmonic code would need 2^{(k + 2) // 2} dichotomies. At most "
            f"{MOST_CLASSES} classes are allowed: use orthogonal({k})."
        )
    waves = _waves((k + 2) // 2)
    if k % 2 == 0:
        # sin·cos of one frequency is ± sin of the next, so only four waves whose product is
        # constant can be without a constant row; leaving out this one keeps such four.
        waves = np.delete(waves, -3, axis=1)
    constant = (waves == waves[:, :1]).all(axis=1)
    if constant.any() and k > 3:
        return resign(waves)
    waves[constant] = 1
    return waves


def _waves(frequencies: int) -> Code:
    """Sine and cosine of each frequency, slowest first, sine only of the fastest."""
    length = 2**frequencies
    time = np.arange(length)
    columns = []
    for f in range(frequencies):
        period = length >> f
        columns.append(_square(time, period))
        if f < frequencies - 1:
            quarter_later = _square(time + period // 4, period)
            columns.append(-quarter_later if f == 0 else quarter_later)
    return np.stack(columns, axis=1)


def _square(time: np.ndarray[tuple[int], np.dtype[np.intp]], period: int) -> Code:
    return np.where(time % period < period // 2, -1, 1).astype(np.int8)
