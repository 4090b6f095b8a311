"""The error of 1-NN for T96 eq. (33): out of bag, on the bootstrap samples of the other fits."""

from __future__ import annotations

from typing import Any

import numpy as np

from polychotomy.arrays import Floats, Ints
from polychotomy.codes.arguments import as_floats
from polychotomy.exceptions import InvalidInput

_NEIGHBOURS = 40  # that none of 40 is in a bootstrap sample has probability 0.37^40, 4e-18
_QUERIES = 1000  # enough samples for a bound of this kind; more would outlast the fits


class NeighbourError:
    """Counts the out-of-bag errors of 1-NN over bootstrap samples, on features as they are.

    With more than 1000 samples, on 1000 of them evenly spread over the rows.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition.nearest_neighbour import NeighbourError
    >>> counting = NeighbourError(np.array([[0.0], [1.0], [3.0]]), np.array([0, 0, 1]))
    >>> counting.add(np.array([0, 0, 3]))  # only the third in bag: the others get its class
    >>> counting.mean()
    1.0
    """

    def __init__(self, X: Floats, y: Ints) -> None:
        n = len(X)
        self._y = y
        self._queries = np.unique(np.linspace(0, n - 1, min(n, _QUERIES)).astype(np.intp))
        self._neighbours = nearest_neighbours(X, self._queries)
        self._total = np.zeros(len(self._queries))
        self._wrong = np.zeros(len(self._queries))

    def add(self, in_bag: Ints) -> None:
        """Count the errors on one bootstrap sample, given how often each sample is in it."""
        left = np.flatnonzero(in_bag[self._queries] == 0)
        inside = in_bag[self._neighbours[left]] > 0  # (left, neighbours)
        found = inside.any(axis=1)
        left, first = left[found], inside[found].argmax(axis=1)
        said = self._y[self._neighbours[left, first]]
        self._total[left] += 1
        self._wrong[left] += said != self._y[self._queries[left]]

    def mean(self) -> float:
        """Mean over samples of each one's error; 0 if none was ever out of bag."""
        seen = self._total > 0
        return float((self._wrong[seen] / self._total[seen]).mean()) if seen.any() else 0.0


def nearest_neighbours(X: Floats, queries: Ints) -> Ints:
    """Return the other samples nearest to each query, nearest first: (q, up to 40).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition.nearest_neighbour import nearest_neighbours
    >>> nearest_neighbours(np.array([[0.0], [1.0], [3.0]]), np.array([0, 2])).tolist()
    [[1, 2], [1, 0]]
    """
    from sklearn.neighbors import NearestNeighbors

    count = min(_NEIGHBOURS, len(X) - 1)
    search = NearestNeighbors(n_neighbors=count + 1).fit(X)
    found: Ints = search.kneighbors(X[queries], return_distance=False)
    # A query finds itself, but not always first, nor always at all where it has many doubles.
    self_last = np.argsort(found == queries[:, None], axis=1, kind="stable")
    ordered: Ints = np.take_along_axis(found, self_last, axis=1)[:, :count]
    return ordered


def numeric_features(X: Any) -> Floats | None:
    """Return the rows as finite floats, or None where they are not: text, gaps, sparse.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition.nearest_neighbour import numeric_features
    >>> numeric_features([["a"], ["b"]]) is None
    True
    """
    try:
        rows = as_floats("X", X)
    except InvalidInput:
        return None
    return rows if rows.ndim == 2 and rows.size and np.isfinite(rows).all() else None
