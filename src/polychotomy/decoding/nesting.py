"""Nested dichotomies: a class's probability is the product of the outputs on the way to it."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from array_api_compat import device

from polychotomy.arrays import Code, Floats, Outputs, Probabilities
from polychotomy.decoding.arguments import like
from polychotomy.decoding.prepared import PreparedDecoder, Work


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


def prepare_branches(code: Code) -> PreparedDecoder:
    """Return Π q over the branchings where a class is on the + side, times Π (1 − q) elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> code = np.array([[1, -1, -1], [0, 1, -1]], dtype=np.int8)
    >>> prepare_branches(code)([[0.5, 0.6]])
    array([[0.5, 0.3, 0.2]])
    """

    def start(xp: ModuleType, kind: Floats) -> Work:
        plus, minus, absent = (like(xp, side, kind) for side in (code > 0, code < 0, code == 0))

        def multiply(q: Outputs) -> Probabilities:
            p: Probabilities = xp.ones((q.shape[0], code.shape[1]), dtype=q.dtype, device=device(q))
            for i in range(code.shape[0]):
                branch = q[:, i : i + 1]
                p = p * (branch * plus[i, :] + (1.0 - branch) * minus[i, :] + absent[i, :])
            scaled: Probabilities = p / xp.sum(p, axis=1, keepdims=True)  # but for rounding, 1
            return scaled

        return multiply

    return PreparedDecoder(code.shape, start, 4 * sum(code.shape))
