"""What the user gave: options, samples and targets, checked at the door."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_regressor
from sklearn.utils import check_array, check_consistent_length, indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from polychotomy.arrays import Floats, Ints
from polychotomy.decoding.threads import check_jobs
from polychotomy.exceptions import InvalidInput

DECODERS = ("bradley-terry", "least-squares", "loss", "votes")
CALIBRATIONS = ("auto", "isotonic", "sigmoid", None)
THRESHOLDS = ("optimal", None)


def check_options(estimator: Any, options: dict[str, Any]) -> None:
    """Raise for a learner that is none, and for an option with a value it cannot have."""
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise InvalidInput(
            f"estimator is {estimator!r}; expected a classifier with fit, "
            "such as LogisticRegression()."
        )
    if is_regressor(estimator):
        raise InvalidInput(f"estimator is the regressor {estimator!r}; expected a classifier.")
    check_jobs(options["n_jobs"])
    allowed = {"decoder": DECODERS, "calibration": CALIBRATIONS, "thresholds": THRESHOLDS}
    for name, values in allowed.items():
        got = options[name]
        if not any(got is value or (isinstance(got, str) and got == value) for value in values):
            raise InvalidInput(
                f"{name} is {got!r}; expected one of {', '.join(map(repr, values))}."
            )


def read_samples(X: Any) -> Any:
    """Return X such that rows can be taken; data frames and arrays stay as they are.

    Examples
    --------
    >>> from polychotomy.multiclass.inputs import read_samples
    >>> read_samples([[1, 2], [3, 4]])
    array([[1, 2],
           [3, 4]])
    """
    if not hasattr(X, "shape"):
        X = _array(X)
    return indexable(X)[0]  # sparse matrices without rows become CSR


def check_samples(X: Any, *, pairwise: bool, square: bool) -> Any:
    """Raise where rows of X cannot be taken, or, for a pairwise X, columns."""
    if pairwise:
        X = check_array(X, accept_sparse="csr", input_name="X")
        if square and X.shape[0] != X.shape[1]:
            raise InvalidInput(
                f"X has shape {X.shape}; expected a square matrix of kernel values or distances "
                "between the training samples, as the learner asks for."
            )
    if isinstance(X, np.ndarray) and X.ndim < 2 and X.dtype.kind in "biufc":
        raise InvalidInput(
            f"X has shape {X.shape}; expected a 2D array, a row a sample. Reshape your data with "
            "X.reshape(-1, 1) if it has a single feature, or X.reshape(1, -1) for a single sample."
        )
    return X


def _array(X: Any) -> np.ndarray[Any, Any]:
    array = np.asarray(X)
    mixed = array.dtype.kind in "US" and not all(isinstance(v, str | bytes) for v in _flat(X))
    return np.array(X, dtype=object) if mixed else array  # NumPy would turn numbers into text


def _flat(X: Any) -> list[Any]:
    return [v for row in X for v in (row if isinstance(row, list | tuple) else [row])]


def read_targets(X: Any, y: Any) -> tuple[np.ndarray[Any, Any], Ints]:
    """Return the sorted classes (k,) and the class codes (n,) of labels of any kind."""
    _check_missing(y)
    check_classification_targets(y)
    labels = column_or_1d(y, warn=True)
    check_consistent_length(X, labels)
    classes, codes = np.unique(labels, return_inverse=True)
    if classes.size < 2:
        found = f"one class only, {classes.tolist()[0]!r}" if classes.size else "no sample"
        raise InvalidInput(f"y has {found}; expected at least two classes to tell apart.")
    return classes, codes


def _check_missing(y: Any) -> None:
    """Raise for None, NaN and NA among labels."""
    if isinstance(y, np.ndarray) and y.dtype.kind not in "Of":
        return
    import pandas as pd

    missing = np.atleast_1d(pd.isna(y)) if hasattr(y, "__len__") else np.zeros(1)
    if missing.any():
        raise InvalidInput(
            f"y[{int(np.argmax(missing.ravel()))}] is missing; expected a label for every sample. "
            "Drop the samples without one."
        )


def codes_of(y: Any, classes: np.ndarray[Any, Any]) -> Ints:
    """Class codes (n,) of labels that must all be among ``classes``."""
    labels = column_or_1d(y, warn=True)
    codes = np.clip(np.searchsorted(classes, labels), 0, classes.size - 1)
    unknown = classes[codes] != labels
    if np.any(unknown):
        first = int(np.argmax(unknown))
        raise InvalidInput(
            f"y[{first}] is {labels[first]!r}, which is none of the classes "
            f"{classes.tolist()!r} given at the first call of partial_fit."
        )
    return np.asarray(codes, dtype=np.intp)


def class_totals(codes: Ints, weights: Floats, k: int) -> Floats:
    """Sum of sample weights in each class, (k,)."""
    return np.bincount(codes, weights=weights, minlength=k).astype(np.float64)
