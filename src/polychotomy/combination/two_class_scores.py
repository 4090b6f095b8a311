"""What the combination functions take: scores (n, m) of several classifiers and labels 0 and 1."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj, is_numpy_array
from numpy.typing import ArrayLike, NDArray

from polychotomy.arrays import Bools, Floats, missing_entries, to_host
from polychotomy.codes.arguments import as_array
from polychotomy.exceptions import InvalidInput


def check_two_class_scores(scores: ArrayLike, y: ArrayLike) -> tuple[Floats, Bools]:
    """Return the scores as a float64 matrix and the mask of the positives, or say what is wrong.

    A C- or Fortran-contiguous float64 matrix is not copied.

    Parameters
    ----------
    scores : (n, m) array-like
        Column j holds classifier j's scores; finite, larger for more surely positive.
    y : (n,) array-like
        1 (positive) or 0 (negative); both must occur.

    Examples
    --------
    >>> from polychotomy.combination.two_class_scores import check_two_class_scores
    >>> scores, positive = check_two_class_scores([[0.5], [0.1]], [1, 0])
    >>> scores.shape, positive.tolist()
    ((2, 1), [True, False])
    """
    matrix = _as_matrix(scores)
    positive = check_labels(y, n=len(matrix))
    # A row's sum is finite unless the row holds a NaN or an infinity (or is about to overflow):
    # one product instead of a mask of n × m.
    if not np.isfinite(matrix @ np.full(matrix.shape[1], 1.0 / matrix.shape[1])).all():
        _refuse_non_finite(matrix)
    return matrix, positive


def check_scores_anywhere(scores: ArrayLike, y: ArrayLike) -> tuple[Floats, Bools]:
    """Do as :func:`check_two_class_scores`; arrays of other libraries keep kind, device, precision.

    Only a verdict, or the words of an error, are copied to the host.

    Examples
    --------
    >>> import array_api_strict as xp
    >>> from polychotomy.combination.two_class_scores import check_scores_anywhere
    >>> scores, positive = check_scores_anywhere(xp.asarray([[0.5], [0.1]]), [1, 0])
    >>> positive
    Array([ True, False], dtype=array_api_strict.bool)
    """
    if not is_array_api_obj(scores) or is_numpy_array(scores):
        return check_two_class_scores(scores, y)
    array: Any = scores
    xp = array_namespace(array)
    labels: Any = y if is_array_api_obj(y) and not is_numpy_array(y) else None
    if labels is None:
        labels = xp.asarray(check_labels(y, n=np.size(y)).tolist(), device=device(array))
    is_mask = xp.isdtype(labels.dtype, "bool")
    positive, negative = (labels, ~labels) if is_mask else (labels == 1, labels == 0)
    is_matrix = array.ndim == 2 and 0 not in array.shape and labels.shape == array.shape[:1]
    if not is_matrix or not bool(
        xp.all(positive | negative) & xp.any(positive) & xp.any(negative)
        & xp.all(xp.isfinite(array))
    ):  # fmt: skip
        check_two_class_scores(to_host(array), to_host(labels))  # raises, with words
    is_float = xp.isdtype(array.dtype, "real floating")
    return array if is_float else xp.astype(array, xp.float64), positive


def check_labels(y: ArrayLike, *, n: int) -> Bools:
    """Return the mask of the positives of ``n`` labels 0 and 1, or say what is wrong.

    Examples
    --------
    >>> from polychotomy.combination.two_class_scores import check_labels
    >>> check_labels([1, 0, 1], n=3).tolist()
    [True, False, True]
    """
    try:
        labels = np.asarray(y)
    except ValueError as error:
        raise InvalidInput(f"y is not a list of labels: {error}.") from None
    if labels.shape != (n,):
        raise InvalidInput(
            f"y has shape {labels.shape}; expected ({n},), one label a row of the scores."
        )
    missing = missing_entries(labels)
    if missing.any():
        _refuse_label(labels, int(missing.argmax()))
    positive = np.asarray(labels == 1, dtype=bool)
    other = ~(positive | np.asarray(labels == 0, dtype=bool))
    if other.any():
        _refuse_label(labels, int(other.argmax()))
    for label, absent in ((1, not positive.any()), (0, bool(positive.all()))):
        if absent:
            raise InvalidInput(
                f"y holds no {label}: class {label} is missing among the {n} labels. A margin "
                "is a difference between the two classes, so both must occur."
            )
    return positive


def _as_matrix(scores: ArrayLike) -> Floats:
    raw = as_array("scores", scores)
    if raw.ndim != 2:
        raise InvalidInput(
            f"scores has shape {raw.shape}; expected (n, m), a row a sample and a column a "
            "classifier. For one classifier pass scores[:, np.newaxis]."
        )
    if 0 in raw.shape:
        raise InvalidInput(f"scores has shape {raw.shape}; expected at least one row and column.")
    matrix = _as_floats(raw)
    contiguous = matrix.flags.c_contiguous or matrix.flags.f_contiguous
    return matrix if contiguous else np.ascontiguousarray(matrix)


def _as_floats(raw: NDArray[Any]) -> Floats:
    try:
        if raw.dtype.kind in "fiubO":
            return raw.astype(np.float64, copy=False)
        problem = ""
    except (TypeError, ValueError) as error:
        problem = f" ({error})"
    raise InvalidInput(f"scores has dtype {raw.dtype}; expected real numbers{problem}.")


def _refuse_label(labels: NDArray[Any], row: int) -> NoReturn:
    raise InvalidInput(
        f"y[{row}] is {labels.tolist()[row]!r}; expected 0 (negative) or 1 (positive). For other "
        "labels pass y == positive_label."
    )


def _refuse_non_finite(matrix: Floats) -> None:
    bad = ~np.isfinite(matrix)
    if bad.any():
        row, column = (int(index) for index in np.argwhere(bad)[0])
        raise InvalidInput(
            f"the score of classifier {column} in row {row} is {matrix[row, column]}; expected "
            f"finite numbers ({int(bad.sum())} of {matrix.size} are not). Leave that classifier "
            "or those rows out."
        )
    raise InvalidInput("the scores overflow when they are averaged; divide them by their maximum.")
