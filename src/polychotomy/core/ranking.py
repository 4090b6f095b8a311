"""Two classes ranked by scores: what is checked, and how samples are placed.

A sample's placement is the share of the other class that it is ranked rightly against; areas under
ROC curves are means of placements, and DeLong's covariance is theirs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_array, as_floats, check_codes, check_finite, wrong_shape
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.exceptions import InvalidInput


def check_two_class_scores(scores: ArrayLike, y: ArrayLike) -> tuple[Floats, Bools]:
    """Return the scores as a float64 matrix and the mask of the positives, or say what is wrong.

    A C- or Fortran-contiguous float64 matrix is not copied.

    Parameters
    ----------
    scores : (n, m) array-like
        Column j holds classifier j's scores; finite, larger for more surely positive.
    y : (n,) array-like
        1 (positive) or 0 (negative), or two labels as texts, of which the second in sorted order
        is positive; both must occur.

    Examples
    --------
    >>> from polychotomy.core.ranking import check_two_class_scores
    >>> scores, positive = check_two_class_scores([[0.5], [0.1]], [1, 0])
    >>> scores.shape, positive.tolist()
    ((2, 1), [True, False])
    """
    matrix = _as_matrix(scores)
    positive = check_labels(y, n=len(matrix))
    # A row's sum is finite unless the row holds a NaN or an infinity (or is about to overflow):
    # one product instead of a mask of n × m.
    if not np.isfinite(matrix @ np.full(matrix.shape[1], 1.0 / matrix.shape[1])).all():
        check_finite("scores", matrix, advice="Leave that classifier or those rows out.")
        raise InvalidInput("the scores overflow when averaged; divide them by their maximum.")
    return matrix, positive


def check_labels(y: ArrayLike, *, n: int) -> Bools:
    """Return the mask of the positives of ``n`` labels: 1, or the second of two texts.

    Examples
    --------
    >>> from polychotomy.core.ranking import check_labels
    >>> check_labels([1, 0, 1], n=3).tolist()
    [True, False, True]
    >>> check_labels(["sick", "well", "sick"], n=3).tolist()
    [False, True, False]
    """
    positive: Bools = check_codes(y, n=n, k=2) == 1
    for label, absent in ((1, not positive.any()), (0, bool(positive.all()))):
        if absent:
            raise InvalidInput(
                f"y holds no {label}: class {label} is missing among the {n} labels, and both "
                "classes must occur."
            )
    return positive


def _as_matrix(scores: ArrayLike) -> Floats:
    raw = as_array("scores", scores)
    if raw.ndim != 2:
        raise InvalidInput(
            f"scores has shape {raw.shape}; expected (n, m): rows are samples, columns "
            "classifiers. For one classifier pass scores[:, np.newaxis]."
        )
    if 0 in raw.shape:
        raise wrong_shape("scores", raw, "at least one row and column")
    matrix = as_floats("scores", raw)
    contiguous = matrix.flags.c_contiguous or matrix.flags.f_contiguous
    return matrix if contiguous else np.ascontiguousarray(matrix)


def placements(scores: Floats, positive: Bools) -> tuple[Floats, Floats]:
    """Shares of negatives below each positive, and of positives above each negative.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.core.ranking import placements
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
    >>> from polychotomy.core.ranking import placement_covariance
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
