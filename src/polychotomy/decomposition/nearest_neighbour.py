"""The error of 1-NN for T96 eq. (33): out of bag, on the bootstrap samples of the other fits."""

from __future__ import annotations

from typing import Any

import numpy as np

from polychotomy.core.arguments import as_floats, unexpected
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition.from_predictions import resolve_bound
from polychotomy.decomposition.losses import Loss, is_named

_NEIGHBOURS = 40  # that none of 40 is in a bootstrap sample has probability 0.37^40, 4e-18

_QUERIES = 1000  # enough samples for a bound of this kind; more would outlast the fits


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
    return np.take_along_axis(found, self_last, axis=1)[:, :count]


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


def neighbour_error(
    wanted: float | str | None, X: Any, y: Ints, loss: Loss, in_bag: Ints
) -> float | None:
    """Return the error of 1-NN as given, or out of bag, on features as they are.

    Found where that is wanted and can be: the mean over samples of each one's error over the
    bootstrap samples, whose counts ``in_bag`` (b, n) are. With more than 1000 samples, on 1000 of
    them evenly spread over the rows.

    Examples
    --------
    Only the third is in bag, and the others get its class:

    >>> import numpy as np
    >>> from polychotomy.decomposition import Misclassification
    >>> X, y, in_bag = [[0.0], [1.0], [3.0]], np.array([0, 0, 1]), np.array([[0, 0, 3]])
    >>> neighbour_error("bootstrap", X, y, Misclassification(), in_bag)
    1.0
    """
    if not isinstance(wanted, str):
        resolve_bound(wanted, loss, 2)  # an impossible error is refused
        return wanted
    if wanted != "bootstrap":
        raise unexpected("nearest_neighbour_error", wanted, "a rate, 'bootstrap' or None")
    features = numeric_features(X) if is_named(loss) else None
    if features is None:
        return None
    queries = np.linspace(0, len(y) - 1, min(len(y), _QUERIES)).astype(np.intp)
    neighbours = nearest_neighbours(features, queries)
    total, wrong = np.zeros(len(queries)), np.zeros(len(queries))
    for counts in in_bag:
        left = np.flatnonzero(counts[queries] == 0)
        inside = counts[neighbours[left]] > 0  # (left, neighbours)
        found = inside.any(axis=1)
        left, first = left[found], inside[found].argmax(axis=1)
        total[left] += 1
        wrong[left] += y[neighbours[left, first]] != y[queries[left]]
    seen = total > 0
    return float((wrong[seen] / total[seen]).mean()) if seen.any() else 0.0
