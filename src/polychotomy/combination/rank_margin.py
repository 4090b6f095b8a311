"""The rank margin of a combination (MST09 eq. 1)."""

from __future__ import annotations

import numpy as np
from array_api_compat import is_numpy_namespace
from numpy.typing import ArrayLike

from polychotomy.arrays import Floats
from polychotomy.codes.arguments import as_floats
from polychotomy.combination.sides import Sides
from polychotomy.combination.two_class_scores import check_scores_anywhere
from polychotomy.exceptions import InvalidInput


def rank_margin(scores: ArrayLike, y: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """Smallest difference between a positive's and a negative's combined score.

    [MST09]_ eq. (1) of the combination of eq. (3). The minimum over all N⁺N⁻ crucial pairs is the
    lowest positive minus the highest negative, so no pair is formed. Negative when some pair is
    ranked wrongly.

    Parameters
    ----------
    scores : (n, m) array-like
        Column j holds classifier j's scores. The paper takes them in [−1, 1]; any finite scores
        will do, and the margin is in their unit. Arrays of PyTorch, CuPy and the like are worked
        on where they are.
    y : (n,) array-like
        1 (positive) or 0 (negative); both must occur.
    weights : (m,) array-like, optional
        Weights of the classifiers, any finite numbers; uniform when left out.

    Returns
    -------
    float
        For an array of another library, its array of no dimension.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy import rank_margin
    >>> scores = np.array([[0.9, 0.2], [0.1, 0.8], [0.3, 0.0], [0.0, 0.4]])
    >>> rank_margin(scores, [1, 1, 0, 0])  # 0.45 − 0.2
    0.25
    >>> round(rank_margin(scores, [1, 1, 0, 0], weights=[1, 0]), 6)  # 0.1 − 0.3
    -0.2
    """
    sides = Sides.split(*check_scores_anywhere(scores, y))
    xp = sides.xp
    high, low = sides.combine(_check_weights(weights, m=sides.m))
    if is_numpy_namespace(xp):
        return sides.margin(high, low)
    difference: float = xp.min(high) - xp.max(low)
    return difference


def _check_weights(weights: ArrayLike | None, *, m: int) -> Floats:
    if weights is None:
        return np.full(m, 1.0 / m)
    try:
        checked = as_floats("weights", weights)
    except InvalidInput:
        raise InvalidInput(f"weights are {weights!r}; expected {m} real numbers.") from None
    if checked.shape != (m,):
        raise InvalidInput(
            f"weights has shape {checked.shape}; expected ({m},), one a column of the scores."
        )
    if not np.isfinite(checked).all():
        first = int(np.argmin(np.isfinite(checked)))
        raise InvalidInput(f"weights[{first}] is {checked[first]}; expected finite numbers.")
    return checked
