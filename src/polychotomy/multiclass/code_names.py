"""Codes by name, for the estimator."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polychotomy import codes
from polychotomy.arrays import Code
from polychotomy.exceptions import InvalidCode, InvalidInput


def _random_dense(k: int, random_state: Any) -> Code:
    """Allwein et al.'s length, 10 log₂ k, or all dichotomies where there are fewer."""
    length = min(math.ceil(10 * math.log2(k)), 2 ** (k - 1) - 1)
    return codes.random_dense(k, length=length, random_state=random_state)


def _random_sparse(k: int, random_state: Any) -> Code:
    """Allwein et al.'s length, 15 log₂ k, or all dichotomies where there are fewer."""
    length = min(math.ceil(15 * math.log2(k)), (3**k - 2 ** (k + 1) + 1) // 2)
    return codes.random_sparse(k, length=length, random_state=random_state)


NAMED_CODES: dict[str, Callable[[int, Any], Code]] = {
    "exhaustive": lambda k, random_state: codes.exhaustive(k),
    "nested": lambda k, random_state: codes.nested(k, random_state=random_state),
    "one-vs-one": lambda k, random_state: codes.one_vs_one(k),
    "one-vs-rest": lambda k, random_state: codes.one_vs_rest(k),
    "orthogonal": lambda k, random_state: codes.orthogonal(k),
    "random-dense": _random_dense,
    "random-sparse": _random_sparse,
}


def code_for(code: str | ArrayLike | Callable[[int], Code], k: int, random_state: Any) -> Code:
    """Return the code for k classes that a name, a matrix or a callable stands for.

    With two classes every name stands for the only dichotomy there is.

    Examples
    --------
    >>> from polychotomy.multiclass.code_names import code_for
    >>> code_for("one-vs-one", 3, None)
    array([[ 1, -1,  0],
           [ 1,  0, -1],
           [ 0,  1, -1]], dtype=int8)
    """
    if isinstance(code, str):
        if code not in NAMED_CODES:
            raise InvalidInput(
                f"code is {code!r}; expected one of {', '.join(map(repr, NAMED_CODES))}, a matrix "
                "(l, k) with entries −1, 0, +1, or a callable k → matrix."
            )
        return codes.one_vs_one(2) if k == 2 else NAMED_CODES[code](k, random_state)
    matrix = codes.check_code(np.asarray(code(k) if callable(code) else code))
    if matrix.shape[1] != k:
        raise InvalidCode(
            f"code has {matrix.shape[1]} columns, but y has {k} classes; expected a column a class."
        )
    return matrix
