"""Data sets as numbers: 1-of-n coding once, gaps and scales from the training part only."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction.data.fetching import load

if TYPE_CHECKING:
    from polychotomy.reproduction.data.folder import Dataset


def find_sets(names: Sequence[str], data: Path | None) -> list[str]:
    """Return those of the data sets that the folder has; without a folder, all.

    Raises
    ------
    InvalidInput
        If the folder has none.
    """
    if data is None:
        return list(names)
    found = [name for name in names if (data / f"{name}.csv.gz").is_file()]
    if not found:
        raise InvalidInput(
            f"{str(data)!r} has none of the paper's data sets; expected at least one of "
            f"{', '.join(f'{name}.csv.gz' for name in names[:5])} …"
        )
    return found


def load_numbers(name: str, data: Path | None, *, one_of_n: bool = True) -> tuple[Floats, Ints]:
    """Load a data set as numbers (n, inputs), with NaN for gaps, and class codes (n,).

    Without 1-of-n coding, categories that are written as numbers are these numbers.
    """
    dataset = load(name, data)
    inputs = encode_inputs(dataset) if one_of_n else dataset.X.to_numpy(dtype=np.float64)
    return inputs, np.unique(dataset.y, return_inverse=True)[1].astype(np.intp)


def digest_arrays(*arrays: Floats | Ints) -> str:
    """Return a short text that other numbers, or another order of them, would not have.

    Examples
    --------
    >>> digest_arrays(np.array([1.0, 2.0])) == digest_arrays(np.array([2.0, 1.0]))
    False
    """
    found = hashlib.sha256()
    for array in arrays:
        found.update(f"{array.shape} {array.dtype}".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:16]


def encode_inputs(dataset: Dataset) -> Floats:
    """1-of-n coding of nominal and binary columns by their known values; others as they are.

    A missing category is a row of zeros.

    Examples
    --------
    >>> import pandas as pd
    >>> from polychotomy.reproduction.data.folder import Dataset
    >>> X = pd.DataFrame({"size": [1.5, None], "colour": pd.Categorical(["red", "blue"])})
    >>> kinds = {"size": "numeric", "colour": "nominal"}
    >>> encode_inputs(Dataset(name="two", X=X, y=np.array([0, 1]), kinds=kinds))
    array([[1.5, 0. , 1. ],
           [nan, 1. , 0. ]])
    """
    parts = []
    for column, kind in dataset.kinds.items():
        values = dataset.X[column]
        if kind in ("nominal", "binary"):
            codes = values.astype("category").cat.codes.to_numpy()
            parts.append((codes[:, None] == np.arange(codes.max() + 1)).astype(np.float64))
        else:
            parts.append(values.to_numpy(dtype=np.float64)[:, None])
    return np.hstack(parts)


class Standardiser(TransformerMixin, BaseEstimator):
    """Fill gaps with the column's mean, then scale it to mean 0 and variance 1.

    What scikit-learn's ``SimpleImputer`` and ``StandardScaler`` do together, in one quick step;
    constant columns become 0.

    Examples
    --------
    >>> Standardiser().fit_transform(np.array([[0.0, 5.0], [2.0, 5.0], [np.nan, 5.0]]))
    array([[-1.,  0.],
           [ 1.,  0.],
           [ 0.,  0.]])
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn means and deviations.

        Parameters
        ----------
        X : (n, inputs) floats
            May hold NaN.
        y
            Not used.
        """
        rows = np.asarray(X, dtype=np.float64)
        there = ~np.isnan(rows)
        counts = np.maximum(there.sum(axis=0), 1)
        self.mean_ = np.where(there, rows, 0.0).sum(axis=0) / counts
        away = np.where(there, rows - self.mean_, 0.0)
        deviation = np.sqrt((away**2).sum(axis=0) / counts)
        # Below rounding a column is constant; dividing by noise would blow it up.
        noise = 1e-12 * np.abs(self.mean_)
        self.scale_ = np.where(deviation > noise, deviation, 1.0)
        return self

    def transform(self, X: Any) -> Floats:
        """Return X without gaps, scaled."""
        scaled: Floats = (np.asarray(X, dtype=np.float64) - self.mean_) / self.scale_
        np.nan_to_num(scaled, copy=False, nan=0.0)
        return scaled
