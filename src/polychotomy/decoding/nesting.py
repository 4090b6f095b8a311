"""Nested dichotomies: a class's probability is the product of the outputs on the way to it."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from polychotomy.arrays import Code, Outputs, Probabilities
from polychotomy.decoding.arguments import like


def is_nested(code: Code) -> bool:
    """Return whether the rows are the branchings of a binary tree with the classes as leaves.

    There are k − 1 rows, one of which has all classes; each other row has the classes of one side
    of another row. Both decoders then fit all outputs exactly, by the product rule.

    Examples
    --------
    >>> from polychotomy.codes import nested, one_vs_one
    >>> is_nested(nested(5, random_state=0)), is_nested(one_vs_one(3))
    (True, False)
    """
    rows, k = code.shape
    if rows != k - 1:
        return False
    supports = {row.tobytes() for row in code != 0}
    sides = {row.tobytes() for side in (code > 0, code < 0) for row in side}
    everybody = np.ones(k, dtype=np.bool_).tobytes()
    return len(supports) == rows and everybody in supports and supports <= {everybody, *sides}


def multiply_branches(xp: ModuleType, code: Code, outputs: Outputs) -> Probabilities:
    """Return Π q over the branchings where a class is on the + side, times Π (1 − q) elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> code = np.array([[1, -1, -1], [0, 1, -1]], dtype=np.int8)
    >>> multiply_branches(np, code, np.array([[0.5, 0.6]]))
    array([[0.5, 0.3, 0.2]])
    """
    p: Probabilities = xp.ones_like(outputs[:, :1] + like(xp, np.zeros(code.shape[1]), outputs))
    for i, row in enumerate(code):
        plus, minus = like(xp, row > 0, outputs), like(xp, row < 0, outputs)
        q = outputs[:, i : i + 1]
        p = p * (q * plus + (1.0 - q) * minus + (1.0 - plus - minus))
    scaled: Probabilities = p / xp.sum(p, axis=1, keepdims=True)  # adds up to 1 but for rounding
    return scaled
