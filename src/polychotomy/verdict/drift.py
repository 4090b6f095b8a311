"""Whether the best candidate's error grows through time: a trend over folds in their order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.verdict.evidence import Evidence

_LEVEL = 0.05


class Drift(NamedTuple):
    """An error that grows from fold to fold: that of the first and the last, and the p-value.

    Examples
    --------
    >>> from polychotomy.verdict.drift import Drift
    >>> Drift(first=0.23, last=0.74, pvalue=0.001).last
    0.74
    """

    first: float
    last: float
    pvalue: float


def find_drift(evidence: Evidence, best: str, *, grouped: bool) -> Drift | None:
    """Find out whether the best one's share of wrong labels grows over folds in order of time.

    Where it falls, more rows to learn from may be why. Rows of one group are not independent, so
    that of them it is not asked.
    """
    folds = evidence.predictions.folds[0, 0]
    shares = evidence.errors[evidence.predictions.names.index(best), 0, 0]
    sizes = np.bincount(folds[folds >= 0], minlength=len(shares))
    p = trend(shares, sizes)
    if grouped or p >= _LEVEL or shares[-1] <= shares[0]:
        return None
    return Drift(float(shares[0]), float(shares[-1]), p)


def trend(shares: ArrayLike, sizes: ArrayLike) -> float:
    """Return the two-sided p-value of a rise of shares over folds; 1 where they do not rise.

    The test of Cochran and Armitage: fold numbers are the scores, and rows are independent.

    Parameters
    ----------
    shares : (folds,) array-like
        Of wrong rows, in order of time.
    sizes : (folds,) array-like
        Rows in each.

    Examples
    --------
    >>> round(trend([0.2, 0.3, 0.4], [50, 50, 50]), 3), trend([0.4, 0.3, 0.2], [50, 50, 50])
    (0.029, 1.0)
    """
    found, rows = np.asarray(shares, dtype=float), np.asarray(sizes, dtype=float)
    overall = float((rows * found).sum() / rows.sum())
    scores = np.arange(len(rows)) - (rows * np.arange(len(rows))).sum() / rows.sum()
    spread = overall * (1 - overall) * float((rows * scores**2).sum())
    rise = float((rows * found * scores).sum())
    if spread <= 0 or rise <= 0:
        return 1.0
    return float(2 * special.ndtr(-rise / np.sqrt(spread)))
