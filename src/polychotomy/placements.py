"""Placements: what the area under a ROC curve and its sampling error are made of.

The AUC is the share of pairs (positive, negative) ranked rightly, ties counting half. DeLong,
DeLong & Clarke-Pearson (1988) take its variance from the placements: for each positive the share of
negatives below it, for each negative the share of positives above it. One pair of sorts gives all.
"""

from __future__ import annotations

import numpy as np

from polychotomy.arrays import Bools, Floats


def placements(scores: Floats, positive: Bools) -> tuple[Floats, Floats]:
    """Shares of negatives below each positive, and of positives above each negative.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.placements import placements
    >>> high, low = placements(np.array([3.0, 1.0, 2.0, 1.0]), np.array([True, True, False, False]))
    >>> high, low
    (array([1.  , 0.25]), array([0.5 , 0.75]))
    """
    high, low = scores[positive], scores[~positive]
    sorted_high, sorted_low = np.sort(high), np.sort(low)
    below = np.searchsorted(sorted_low, high, "left") + np.searchsorted(sorted_low, high, "right")
    up_to = np.searchsorted(sorted_high, low, "left") + np.searchsorted(sorted_high, low, "right")
    return below / (2 * len(low)), 1.0 - up_to / (2 * len(high))


def placement_covariance(high: Floats, low: Floats) -> Floats:
    """Covariance of the means of placements (m, N⁺) and (m, N⁻).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.placements import placement_covariance
    >>> placement_covariance(np.array([[1.0, 0.25]]), np.array([[0.5, 0.75]]))
    array([[0.15625]])
    """
    covariance = np.zeros((len(high), len(high)))
    for part in (high, low):
        count = part.shape[1]
        if count > 1:
            away = part - part.mean(axis=1, keepdims=True)
            covariance += away @ away.T / (count * (count - 1))
    return covariance
