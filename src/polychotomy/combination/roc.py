"""Areas under ROC curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_array, wrong_shape
from polychotomy.core.arrays import Floats
from polychotomy.core.ranking import check_two_class_scores, placements


def auc(scores: ArrayLike, y: ArrayLike) -> float:
    """Share of crucial pairs that the scores rank rightly; ties count half.

    Parameters
    ----------
    scores : (n,) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive.

    Examples
    --------
    >>> from polychotomy.combination.roc import auc
    >>> auc([0.9, 0.4, 0.4, 0.1], [1, 1, 0, 0])  # 3½ of 4 pairs
    0.875
    """
    column = as_array("scores", scores)
    if column.ndim != 1:
        raise wrong_shape("scores", column, "(n,). For several columns use aucs")
    return float(aucs(column[:, None], y)[0])


def aucs(scores: ArrayLike, y: ArrayLike) -> Floats:
    """AUC of each column of scores.

    Parameters
    ----------
    scores : (n, m) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive.

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
