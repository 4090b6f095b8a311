"""Whether the dichotomies compare all classes with each other, directly or through others."""

from __future__ import annotations

import numpy as np

from polychotomy.arrays import Bools, Code


def connected(code: Code) -> bool:
    """Return whether every class is compared with every other, directly or through others.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes.connection import connected
    >>> connected(np.array([[1, -1, 0, 0], [0, 0, 1, -1]], dtype=np.int8))
    False
    """
    return bool(compared_with_first(code).all())


def compared_with_first(code: Code) -> Bools:
    """Return which classes share a chain of dichotomies with class 0.

    Examples
    --------
    >>> import numpy as np
    >>> compared_with_first(np.array([[1, -1, 0, 0], [0, 0, 1, -1]], dtype=np.int8))
    array([ True,  True, False, False])
    """
    reached: Bools = np.zeros(code.shape[1], dtype=np.bool_)
    reached[0] = True
    while not reached.all():
        touching = code[:, reached].any(axis=1)
        grown = reached | code[touching].any(axis=0)
        if (grown == reached).all():
            break
        reached = grown
    return reached
