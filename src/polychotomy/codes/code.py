"""What a coding matrix must be, checked in one place for every function that takes one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.core.arrays import Bools, Code
from polychotomy.core.exceptions import InvalidCode

_BLOCK = 1 << 22  # entries looked at together, so that one-vs-one of 1000 classes needs no copies


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
    matrix = _as_matrix(code)
    _check_entries(matrix)
    ternary: Code = matrix.astype(np.int8, copy=False)
    _check_empty(ternary)
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
    sided: NDArray[np.bool_] = (code.max(axis=1) > 0) & (code.min(axis=1) < 0)
    return sided


def _as_matrix(code: ArrayLike) -> NDArray[np.generic]:
    try:
        matrix = np.asarray(code)
    except ValueError as error:
        raise InvalidCode(f"code is not a matrix: {error}.") from error
    if matrix.dtype.kind not in "biuf":
        raise InvalidCode(
            f"code has entries of type {matrix.dtype}; expected the numbers -1, 0 and +1."
        )
    if matrix.ndim != 2 or matrix.shape[0] < 1 or matrix.shape[1] < 2:
        raise InvalidCode(
            f"code has shape {matrix.shape}; expected (dichotomies, classes): at least one row, "
            "and a column for each of at least two classes."
        )
    return matrix


def _check_entries(matrix: NDArray[np.generic]) -> None:
    if matrix.dtype.kind in "iu" and matrix.min() >= -1 and matrix.max() <= 1:
        return
    for start, rows in _blocks(matrix):
        wrong = np.argwhere((rows != 0) & (rows != 1) & (rows != -1))
        if len(wrong):
            row, column = (int(i) for i in wrong[0])
            raise InvalidCode(
                f"code[{start + row}, {column}] is {rows[row, column]}; expected -1, 0 or +1."
            )


def _check_empty(code: Code) -> None:
    for start, rows in _blocks(code):
        empty = np.flatnonzero(~rows.any(axis=1))
        if len(empty):
            raise InvalidCode(
                f"row {start + int(empty[0])} of code is all zeros: that dichotomy has no classes. "
                "Remove it."
            )
    absent = np.flatnonzero(~code.any(axis=0))
    if len(absent):
        raise InvalidCode(
            f"column {int(absent[0])} of code is all zeros: that class is in no dichotomy, so "
            "nothing is known of its probability. Add a dichotomy that has it on one side."
        )


def _check_equal_columns(code: Code) -> None:
    """Columns with different checksums differ; the few with equal ones are compared."""
    multipliers = np.random.default_rng(0).random((code.shape[0],))
    sums = np.zeros(code.shape[1])
    step = max(1, _BLOCK // code.shape[1])
    for start in range(0, code.shape[0], step):
        sums += multipliers[start : start + step] @ code[start : start + step].astype(np.float64)
    order = np.argsort(sums, kind="stable")
    close = np.flatnonzero(np.diff(sums[order]) < 1e-9 * code.shape[0])
    for i in close:
        # Equal columns have bitwise equal sums, so they stand next to each other.
        first, second = sorted((int(order[i]), int(order[i + 1])))
        if np.array_equal(code[:, first], code[:, second]):
            raise InvalidCode(
                f"columns {first} and {second} of code are equal: no dichotomy tells these two "
                "classes apart. Change one of them, or add a dichotomy between the two."
            )


def _blocks(matrix: NDArray[np.generic]) -> Iterator[tuple[int, NDArray[np.generic]]]:
    step = max(1, _BLOCK // matrix.shape[1])
    for start in range(0, matrix.shape[0], step):
        yield start, matrix[start : start + step]


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
