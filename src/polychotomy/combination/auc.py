"""Area under the ROC curve and its sampling error (DeLong, DeLong & Clarke-Pearson 1988)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Floats
from polychotomy.codes.arguments import as_array
from polychotomy.combination.two_class_scores import check_two_class_scores
from polychotomy.exceptions import InvalidInput
from polychotomy.placements import placement_covariance, placements


def auc(scores: ArrayLike, y: ArrayLike) -> float:
    """Share of crucial pairs that the scores rank rightly; ties count half.

    Parameters
    ----------
    scores : (n,) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative).

    Examples
    --------
    >>> from polychotomy.combination import auc
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
