"""Placements: what the area under a ROC curve and its sampling error are made of.

The AUC is the share of pairs (positive, negative) ranked rightly, ties counting half. DeLong,
DeLong & Clarke-Pearson (1988) take its variance from the placements: for each positive the share of
negatives below it, for each negative the share of positives above it. One pair of sorts gives all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.combination.scores import check_two_class_scores
from polychotomy.core.arguments import as_array
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.exceptions import InvalidInput


def placements(scores: Floats, positive: Bools) -> tuple[Floats, Floats]:
    """Shares of negatives below each positive, and of positives above each negative.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.auc import placements
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
    >>> from polychotomy.combination.auc import placement_covariance
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


def auc(scores: ArrayLike, y: ArrayLike) -> float:
    """Share of crucial pairs that the scores rank rightly; ties count half.

    Parameters
    ----------
    scores : (n,) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative).

    Examples
    --------
    >>> from polychotomy.combination.auc import auc
    >>> auc([0.9, 0.4, 0.4, 0.1], [1, 1, 0, 0])  # 3½ of 4 pairs
    0.875
    """
    column = as_array("scores", scores)
    if column.ndim != 1:
        raise InvalidInput(
            f"scores has shape {column.shape}; expected (n,). For several columns use aucs."
        )
    return float(aucs(column[:, None], y)[0])


def aucs(scores: ArrayLike, y: ArrayLike) -> Floats:
    """AUC of each column of scores.

    Parameters
    ----------
    scores : (n, m) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative).

    Returns
    -------
    (m,) floats

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination import aucs
    >>> aucs(np.array([[0.9, 0.1], [0.2, 0.5]]), [1, 0])
    array([1., 0.])
    """
    matrix, positive = check_two_class_scores(scores, y)
    return np.array([placements(column, positive)[0].mean() for column in matrix.T])


def auc_covariance(scores: ArrayLike, y: ArrayLike) -> Floats:
    """DeLong's covariance of the AUCs of several classifiers on the same samples.

    Parameters
    ----------
    scores : (n, m) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative). A class with a single sample has no sample variance and
        contributes none.

    Returns
    -------
    (m, m) floats

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination import auc_covariance
    >>> scores = np.array([[3.0], [1.0], [2.0], [1.0]])
    >>> auc_covariance(scores, [1, 1, 0, 0])  # 0.28125/2 + 0.03125/2
    array([[0.15625]])
    """
    matrix, positive = check_two_class_scores(scores, y)
    parts = [placements(column, positive) for column in matrix.T]
    return placement_covariance(
        np.array([high for high, _ in parts]), np.array([low for _, low in parts])
    )
