"""Weights that practitioners expect beside the margin's: scores and labels in, weights out."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.combination.roc import aucs
from polychotomy.core.arguments import check_count, unexpected
from polychotomy.core.arrays import Floats
from polychotomy.core.ranking import check_two_class_scores, placements


def best_single_weights(scores: ArrayLike, y: ArrayLike) -> Floats:
    """All weight on the classifier of largest AUC; the first of equals.

    Examples
    --------
    >>> from polychotomy.combination import best_single_weights
    >>> best_single_weights([[0.1, 0.9], [0.2, 0.3]], [1, 0])
    array([0., 1.])
    """
    matrix, positive = check_two_class_scores(scores, y)
    weights = np.zeros(matrix.shape[1])
    weights[aucs(matrix, positive).argmax()] = 1.0
    return weights


def average_weights(scores: ArrayLike, y: ArrayLike) -> Floats:
    """Weigh all classifiers alike, whatever the scores: the plain average.

    Examples
    --------
    >>> from polychotomy.combination import average_weights
    >>> average_weights([[0.1, 0.9], [0.2, 0.3]], [1, 0])
    array([0.5, 0.5])
    """
    matrix, _ = check_two_class_scores(scores, y)
    return np.full(matrix.shape[1], 1.0 / matrix.shape[1])


def greedy_selection_weights(scores: ArrayLike, y: ArrayLike, *, steps: int = 50) -> Floats:
    """Ensemble selection with replacement (Caruana et al. 2004) for a large AUC.

    Each step adds the classifier whose addition to the sum gives the largest AUC; a weight is how
    often its classifier was added up to the step of largest AUC.

    Examples
    --------
    >>> from polychotomy.combination import greedy_selection_weights
    >>> greedy_selection_weights([[0.1, 0.9], [0.2, 0.3]], [1, 0], steps=3)
    array([0., 1.])
    """
    matrix, positive = check_two_class_scores(scores, y)
    steps = check_count("steps", steps, least=1, unit="steps")
    counts, total = np.zeros(matrix.shape[1]), np.zeros(len(matrix))
    best_area, best_counts = -1.0, counts
    for _ in range(steps):
        areas = [placements(total + column, positive)[0].mean() for column in matrix.T]
        added = int(np.argmax(areas))
        counts[added] += 1
        total += matrix[:, added]
        if areas[added] > best_area:
            best_area, best_counts = areas[added], counts.copy()
    return np.asarray(best_counts / best_counts.sum())


def stacked_logistic_weights(scores: ArrayLike, y: ArrayLike, *, C: float = 1.0) -> Floats:
    """Coefficients of a logistic regression on the scores; of any sign, not on the simplex.

    Examples
    --------
    >>> from polychotomy.combination import stacked_logistic_weights
    >>> weights = stacked_logistic_weights([[0.1, 0.9], [0.2, 0.3]], [1, 0])
    >>> bool(weights[1] > 0 > weights[0])
    True
    """
    from sklearn.linear_model import LogisticRegression

    matrix, positive = check_two_class_scores(scores, y)
    if not isinstance(C, Real) or not 0 < C < math.inf:
        raise unexpected("C", C, "a finite number above 0, the inverse of the regularisation")
    return np.asarray(LogisticRegression(C=C, max_iter=1000).fit(matrix, positive).coef_[0])
