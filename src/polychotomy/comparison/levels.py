"""What level each test of a MultiTest is held to, and the edges that follow."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from polychotomy.arrays import Bools, Floats
from polychotomy.codes.arguments import shown
from polychotomy.comparison._inputs import Values
from polychotomy.exceptions import InvalidInput

Correction: TypeAlias = Literal["bonferroni", "holm"] | None


def require_correction(correction: str | None) -> None:
    """Refuse a correction that is not one."""
    names = get_args(get_args(Correction)[0])
    if correction is not None and not (isinstance(correction, str) and correction in names):
        raise InvalidInput(f"correction is {shown(correction)}; expected one of {names} or None.")


def family_levels(pvalues: Floats, alpha: float, correction: Correction) -> Values:
    """Return the level of each test in a family along the last axis, (..., M).

    A scalar, except for Holm: there the test with the r-th smallest p-value is held to
    α/(M − r + 1), and all from the first accepted one on to the level at which that one failed. So
    in each case a test rejects exactly where p ≤ level.

    Examples
    --------
    >>> import numpy as np
    >>> family_levels(np.array([0.4, 0.01, 0.02]), 0.06, "holm")
    array([0.06, 0.02, 0.03])
    >>> family_levels(np.array([0.4, 0.01, 0.02]), 0.06, "bonferroni")
    0.02
    """
    if correction is None:
        return alpha
    if correction == "bonferroni":
        return alpha / max(int(pvalues.shape[-1]), 1)
    return _holm_levels(pvalues, alpha)


def _holm_levels(pvalues: Floats, alpha: float) -> Floats:
    count = pvalues.shape[-1]
    if not count:
        return pvalues.copy()
    order = np.argsort(pvalues, axis=-1, kind="stable")
    steps = alpha / np.arange(count, 0, -1)
    accepted = np.take_along_axis(pvalues, order, axis=-1) > steps
    stopped = np.logical_or.accumulate(accepted, axis=-1)
    last_step = steps[np.argmax(accepted, axis=-1)][..., None]  # of the first accepted
    levels = np.empty_like(pvalues)
    np.put_along_axis(levels, order, np.where(stopped, last_step, steps), axis=-1)
    return levels


def decide_edges(
    pairs: Floats, m: int, alpha: float, correction: Correction, *, margin: bool
) -> tuple[Bools, Values]:
    """Edges (..., m, m) and levels from the p-values of the pairs, (..., m (m − 1)/2).

    Examples
    --------
    >>> import numpy as np
    >>> edges, level = decide_edges(np.array([0.01, 0.3, 0.2]), 3, 0.06, "bonferroni", margin=False)
    >>> np.argwhere(edges).tolist(), level
    ([[0, 1]], 0.02)
    """
    if margin:
        levels = _candidate_levels(pairs, m, alpha, correction)
        overrides = ~((pairs <= levels) & (pairs < 0.5))
    else:
        levels = family_levels(pairs, alpha, correction)
        overrides = (pairs <= levels) & (pairs < 0.5)
    edges = np.zeros((*pairs.shape[:-1], m, m), dtype=bool)
    edges[(..., *np.triu_indices(m, 1))] = overrides
    return edges, levels if isinstance(levels, float) else as_matrix(levels, m)


def _candidate_levels(pairs: Floats, m: int, alpha: float, correction: Correction) -> Values:
    """Levels where each row i < m − 1 is one candidate, judged by its largest p-value."""
    starts = np.cumsum([0, *range(m - 1, 1, -1)])
    worst = np.maximum.reduceat(pairs, starts, axis=-1) if m > 1 else pairs
    levels = family_levels(worst, alpha, correction)
    if isinstance(levels, float):
        return levels
    return np.repeat(levels, np.arange(m - 1, 0, -1), axis=-1)


def as_matrix(pairs: Floats, m: int) -> Floats:
    """Put the values of the pairs i < j in (..., m, m), NaN elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> as_matrix(np.array([0.5]), 2)
    array([[nan, 0.5],
           [nan, nan]])
    """
    matrix = np.full((*pairs.shape[:-1], m, m), np.nan)
    matrix[(..., *np.triu_indices(m, 1))] = pairs
    return matrix
