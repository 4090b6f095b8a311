"""Whether the dichotomies that count determine the classes' probabilities."""

from __future__ import annotations

import numpy as np

from polychotomy.arrays import Bools, Code, Floats
from polychotomy.codes.connection import compared_with_first
from polychotomy.exceptions import InvalidInput


def check_connected(code: Code, weights: Floats) -> None:
    """Raise where some classes share no chain of dichotomies of positive weight with the others.

    Nothing is known then about the probability of the one group against the other.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding.identified import check_connected
    >>> check_connected(one_vs_one(3), np.array([1.0, 0.0, 0.0]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: class 2 is never compared with class 0, ...
    """
    _check_compared(compared_with_first(code if (weights > 0).all() else code[weights > 0]))


def check_pairs_connected(weights: Floats) -> None:
    """Raise likewise for symmetric weights of pairs, (k, k); the diagonal is ignored.

    Examples
    --------
    >>> import numpy as np
    >>> check_pairs_connected(np.ones((3, 3)))
    """
    reached = np.zeros(len(weights), dtype=np.bool_)
    reached[0] = True
    for _ in range(len(weights)):
        grown = reached | (weights[reached] > 0).any(axis=0)
        if (grown == reached).all():
            break
        reached = grown
    _check_compared(reached)


def _check_compared(compared: Bools) -> None:
    if not compared.all():
        raise InvalidInput(
            f"class {int(np.flatnonzero(~compared)[0])} is never compared with class 0, not even "
            "through other classes, so their probabilities are not determined. Add a dichotomy "
            "with both signs and a positive weight that has both classes."
        )


def is_determined(code: Code) -> bool:
    """Return whether outputs of some interior probabilities determine them.

    The dichotomies' equations (1 − q) S₊ = q S₋, with Σp = 1, are solved by p alone just where
    their rank is k; it is taken at arbitrary outputs, where it is largest.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_rest
    >>> is_determined(one_vs_rest(4)), is_determined(np.array([[1, 1, -1], [1, -1, -1]])[:1])
    (True, False)
    """
    rows, k = code.shape
    if rows < k - 1:
        return False
    q = np.random.default_rng(0).uniform(0.3, 0.7, size=(rows, 1))
    equations = np.vstack([(code > 0) - q * np.abs(code), np.ones(k)])
    return bool(np.linalg.matrix_rank(equations) == k)
