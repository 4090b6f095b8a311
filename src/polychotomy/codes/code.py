"""What a coding matrix must be, checked in one place for every function that takes one."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.core.arrays import Bools, Code
from polychotomy.core.exceptions import InvalidCode


def check_code(code: ArrayLike) -> Code:
    """Return the matrix as int8, or say what keeps it from being a code.

    A code is an (l, k) matrix with entries −1, 0 and +1 and at least two columns, in which no
    row and no column is all zeros and no two columns are equal. One-sided rows (no +1, or no −1)
    are allowed: they are never fitted and say nothing about the class.

    Parameters
    ----------
    code : array_like, (l, k)
        Any numbers equal to −1, 0 or +1.

    Returns
    -------
    (l, k) int8
        The same object where it was an int8 array already.

    Raises
    ------
    InvalidCode
        Naming the first offending entry, row or column.

    Examples
    --------
    >>> from polychotomy.codes import check_code
    >>> check_code([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
    array([[ 1, -1,  0],
           [ 0,  1, -1]], dtype=int8)
    >>> check_code([[1, -1, 2]])
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidCode: code[0, 2] is 2; expected -1, 0 or +1.
    """
    try:
        matrix = np.asarray(code)
    except ValueError as error:
        raise InvalidCode(f"code is not a matrix: {error}.") from error
    if matrix.dtype.kind not in "biuf" or matrix.ndim != 2 or not len(matrix) or len(matrix.T) < 2:
        raise InvalidCode(
            f"code has entries of type {matrix.dtype} and shape {matrix.shape}; expected the "
            "numbers -1, 0 and +1, a row for each dichotomy and a column for each of at least two "
            "classes."
        )
    if matrix.dtype.kind in "bf" or matrix.min() < -1 or matrix.max() > 1:
        wrong = np.argwhere((matrix != 0) & (matrix != 1) & (matrix != -1))
        for row, column in wrong[:1].tolist():
            raise InvalidCode(
                f"code[{row}, {column}] is {matrix[row, column]}; expected -1, 0 or +1."
            )
    ternary: Code = matrix.astype(np.int8, copy=False)
    for line, filled in (("row", ternary.any(axis=1)), ("column", ternary.any(axis=0))):
        if not filled.all():
            raise InvalidCode(
                f"{line} {int(np.argmin(filled))} of code is all zeros; expected classes in every "
                "dichotomy, and a dichotomy for every class."
            )
    _check_equal_columns(ternary)
    return ternary


def two_sided(code: Code) -> NDArray[np.bool_]:
    """Return which rows have both a +1 and a −1; only these can be fitted or tell classes apart.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes.code import two_sided
    >>> two_sided(np.array([[1, 1], [1, -1]], dtype=np.int8))
    array([False,  True])
    """
    return np.asarray((code.max(axis=1) > 0) & (code.min(axis=1) < 0))


def _check_equal_columns(code: Code) -> None:
    first: dict[bytes, int] = {}
    for number, column in enumerate(code.T):
        # A digest of each, not each itself: one-vs-one of 1000 classes is half a gigabyte.
        same = first.setdefault(blake2b(column.tobytes()).digest(), number)
        if same != number:
            raise InvalidCode(
                f"columns {same} and {number} of code are equal: no dichotomy tells these two "
                "classes apart. Change one of them, or add a dichotomy between the two."
            )


def connected(code: Code) -> bool:
    """Return whether every class is compared with every other, directly or through others.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes.code import connected
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
