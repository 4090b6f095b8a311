"""Whether the dichotomies that count compare all classes with each other, directly or not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Code, Floats
from polychotomy.exceptions import InvalidInput


def check_connected(code: Code, weights: Floats) -> None:
    """Raise where some classes share no chain of dichotomies of positive weight with the others.

    Nothing is known then about the probability of the one group against the other.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> check_connected(one_vs_one(3), np.array([1.0, 0.0, 0.0]))
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: weights leave class 2 never compared with class 0, not
    even through others, so their probabilities are not determined. Give a positive weight to a
    dichotomy that has both.
    """
    if (weights > 0).all():
        members = code
    else:
        members = code[weights > 0]
    reached = np.zeros(code.shape[1], dtype=np.bool_)
    reached[0] = True
    _spread(members, reached)
    if not reached.all() and weights.any():
        raise InvalidInput(
            f"weights leave class {int(np.flatnonzero(~reached)[0])} never compared with class 0, "
            "not even through others, so their probabilities are not determined. Give a positive "
            "weight to a dichotomy that has both."
        )


def _spread(members: Code, reached: NDArray[np.bool_]) -> None:
    """Grow ``reached`` by every row that touches it, until nothing is added."""
    while not reached.all():
        touching = members[:, reached].any(axis=1)
        grown = reached | members[touching].any(axis=0)
        if (grown == reached).all():
            return
        reached |= grown
