"""A data set of a study: features, labels, and what may not be torn apart or seen too early."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Ints
from polychotomy.datasets.dates import read_dates, with_dates
from polychotomy.exceptions import InvalidInput
from polychotomy.study.target import Target, name_some


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Features and labels of ``n`` samples.

    Parameters
    ----------
    X : (n, features) DataFrame, array or sparse matrix
        Given to the candidates as it is, but for columns of ``datetime.date``, which become dates.
    target : Target
        The labels, encoded.
    groups : (n,) ints, optional
        Codes of what is kept together: samples of one patient, one site, one author.
    time : (n,) ints, optional
        Ranks in time: a plan for ordered data never trains on what comes later.

    Examples
    --------
    >>> data = Dataset.of([[1.0], [2.0], [3.0]], ["a", "b", "a"], groups=["x", "y", "x"])
    >>> data.X.shape, data.target.names, data.groups.tolist()
    ((3, 1), ('a', 'b'), [0, 1, 0])
    """

    X: Any
    target: Target
    groups: Ints | None = None
    time: Ints | None = None

    def __repr__(self) -> str:
        rows, columns = self.X.shape
        return f"<Dataset: {rows} rows, {columns} columns, {len(self.target.names)} classes>"

    @classmethod
    def of(
        cls,
        X: Any,
        y: Sequence[Any] | NDArray[Any],
        *,
        groups: Sequence[Any] | NDArray[Any] | None = None,
        time: Sequence[Any] | NDArray[Any] | None = None,
        name: str = "y",
    ) -> Dataset:
        """Check and encode raw features, labels, groups and times."""
        X = X if hasattr(X, "shape") else np.asarray(X)
        target = Target.from_labels(y, name=name)
        n = len(target.codes)
        if len(X.shape) != 2 or X.shape[0] != n:
            raise InvalidInput(
                f"X has shape {tuple(X.shape)} and y has {n} labels; expected X of shape "
                f"({n}, features)."
            )
        if hasattr(X, "iloc"):
            X = with_dates(X)
        if hasattr(X, "tocsr"):
            X = X.tocsr()  # other sparse formats have no rows to take
        return cls(X, target, _ranks(groups, n, "groups"), _ranks(time, n, "time"))

    @property
    def n(self) -> int:
        """Samples."""
        return len(self.target.codes)


def _ranks(values: Sequence[Any] | NDArray[Any] | None, n: int, name: str) -> Ints | None:
    """Replace values by their ranks among the distinct ones, from 0."""
    if values is None:
        return None
    import pandas as pd

    array = np.asarray(values)
    if array.dtype.kind in "US" and not isinstance(values, np.ndarray):
        array = np.asarray(values, dtype=object)  # NumPy turns [1, "a"] into text without a word
    if array.shape != (n,):
        raise InvalidInput(
            f"{name} has shape {array.shape}; expected one value a sample, shape ({n},)."
        )
    missing = np.flatnonzero(pd.isna(array))
    if len(missing):
        rows = name_some([str(row) for row in missing])
        raise InvalidInput(f"{name} is missing in row {rows}; expected a value for every sample.")
    if name == "time":
        array = _dates(array)
    try:
        _, ranks = np.unique(array, return_inverse=True)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in array.tolist()})
        raise InvalidInput(
            f"{name} mixes values of the types {', '.join(kinds)}; expected one type."
        ) from None
    return ranks.astype(np.intp)


def _dates(time: NDArray[Any]) -> NDArray[Any]:
    """Read text as dates: in the order of the alphabet, "10" would come before "9"."""
    import pandas as pd

    if not len(time) or not all(isinstance(value, str) for value in time.tolist()):
        return time
    found = read_dates(pd.Series(time, dtype=object), "ISO8601")
    rows = np.flatnonzero(found.unread)
    if len(rows):
        raise InvalidInput(
            f"time[{rows[0]}] is the text {str(time[rows[0]])[:60]!r}, which is no date that can "
            f"be read in one way only ({len(rows)} of {len(time)} are not); expected numbers, "
            "dates, or text like '2024-05-31'."
        )
    return np.asarray(found.moments.to_numpy())
