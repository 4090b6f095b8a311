"""Folds for out-of-fold scores: made once on all samples, restricted to each dichotomy.

Stratifying by class once stratifies the sides of every dichotomy, so that no dichotomy needs
folds of its own, and a class with few members is spread over as many folds as it has members.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np

from polychotomy.arrays import Ints
from polychotomy.exceptions import InvalidInput

Fold: TypeAlias = tuple[Ints, Ints]
"""Rows to train on, rows to score."""

DEFAULT_FOLDS = 5


def make_folds(cv: object, X: Any, codes: Ints, split_params: dict[str, Any]) -> list[Fold]:
    """Return the folds asked for by ``cv``: None, a number, a splitter, or (train, test) pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.folds import make_folds
    >>> for train, test in make_folds(2, None, np.array([0, 0, 1, 1, 1]), {}):
    ...     print(train, test)
    [1 3] [0 2 4]
    [0 2 4] [1 3]
    """
    if cv is None or (isinstance(cv, Integral) and not isinstance(cv, bool)):
        return deal_folds(codes, DEFAULT_FOLDS if cv is None else int(cv))
    if hasattr(cv, "split") and not isinstance(cv, str):
        pairs = cv.split(X, codes, **split_params)
    elif isinstance(cv, Iterable) and not isinstance(cv, str):
        pairs = cv
    else:
        raise InvalidInput(
            f"cv is {cv!r}; expected None, a number of folds ≥ 2, a scikit-learn splitter or an "
            "iterable of (train, test) index arrays."
        )
    return [(_rows(train), _rows(test)) for train, test in pairs]


def deal_folds(codes: Ints, n_folds: int) -> list[Fold]:
    """Deal each class's members at random, evenly, to ``n_folds`` folds.

    At random because tables are often sorted: folds in their order would each ask a learner about
    inputs that it has not met at all, and thresholds learned from that were measured to more than
    double the error. The deal is the same for the same labels. A class with fewer members than
    folds goes to as many folds as it has members.
    """
    if n_folds < 2:
        raise InvalidInput(f"cv is {n_folds}; expected at least 2 folds.")
    fold = np.empty(codes.size, dtype=np.intp)
    order = np.random.default_rng(0).permutation(codes.size)
    for code in np.unique(codes):
        members = order[codes[order] == code]
        fold[members] = np.arange(members.size) * n_folds // max(members.size, 1)
    return [
        (np.flatnonzero(fold != f), np.flatnonzero(fold == f))
        for f in range(n_folds)
        if np.any(fold == f)
    ]


def _rows(indices: Any) -> Ints:
    rows = np.asarray(indices)
    return np.flatnonzero(rows) if rows.dtype == np.bool_ else rows.astype(np.intp)
