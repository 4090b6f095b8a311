"""The error of 1-NN for T96 eq. (33): out of bag, on the bootstrap samples of the other fits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.core.arguments import as_floats, unexpected
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition.bootstrap_fits import encode_labels
from polychotomy.decomposition.error_decomposition import ErrorDecomposition
from polychotomy.decomposition.from_predictions import decompose_predictions, resolve_bound
from polychotomy.decomposition.losses import Loss, LossLike, is_named, resolve_loss

_NEIGHBOURS = 40  # that none of 40 is in a bootstrap sample has probability 0.37^40, 4e-18

_QUERIES = 1000  # enough samples for a bound of this kind; more would outlast the fits


class NeighbourError:
    """Counts the out-of-bag errors of 1-NN over bootstrap samples, on features as they are.

    Where y are no codes but numbers, its squared errors.

    With more than 1000 samples, on 1000 of them evenly spread over the rows.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition.from_ledger import NeighbourError
    >>> counting = NeighbourError(np.array([[0.0], [1.0], [3.0]]), np.array([0, 0, 1]))
    >>> counting.add(np.array([0, 0, 3]))  # only the third in bag: the others get its class
    >>> counting.mean()
    1.0
    """

    def __init__(self, X: Floats, y: Ints | Floats) -> None:
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
        true = self._y[self._queries[left]]
        self._wrong[left] += (said - true) ** 2 if self._y.dtype.kind == "f" else said != true

    def mean(self) -> float:
        """Mean over samples of each one's error; 0 if none was ever out of bag."""
        seen = self._total > 0
        return float((self._wrong[seen] / self._total[seen]).mean()) if seen.any() else 0.0


def nearest_neighbours(X: Floats, queries: Ints) -> Ints:
    """Return the other samples nearest to each query, nearest first: (q, up to 40).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition.from_ledger import nearest_neighbours
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
    >>> from polychotomy.decomposition.from_ledger import numeric_features
    >>> numeric_features([["a"], ["b"]]) is None
    True
    """
    try:
        rows = as_floats("X", X)
    except InvalidInput:
        return None
    return rows if rows.ndim == 2 and rows.size and np.isfinite(rows).all() else None


def make_neighbours(
    wanted: float | str | None, X: Any, codes: Ints | Floats, loss: Loss
) -> NeighbourError | float | None:
    """Return the error of 1-NN as given, or what counts it where that is wanted and can be."""
    if not isinstance(wanted, str):
        if codes.dtype.kind != "f":
            resolve_bound(wanted, loss, 2)  # an impossible error is refused before the fits
        return wanted
    if wanted != "bootstrap":
        raise unexpected("nearest_neighbour_error", wanted, "a rate, 'bootstrap' or None")
    features = numeric_features(X) if is_named(loss) else None
    return None if features is None else NeighbourError(features, codes)


class BootstrapLedger(Protocol):
    """What is asked of a ledger: the bootstrap fits of a candidate."""

    def bootstrap_predictions(
        self, candidate: str, *, dataset: str | None = None
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return predictions (b, n, k), classes in sorted order, and in-bag counts (b, n)."""


def decompose_from_ledger(
    ledger: BootstrapLedger,
    candidate: str,
    X: Any,
    y: ArrayLike,
    *,
    dataset: str | None = None,
    loss: LossLike = "misclassification",
    nearest_neighbour_error: float | Literal["bootstrap"] | None = "bootstrap",
) -> ErrorDecomposition:
    """Split the error of a ledger's candidate into its parts, without a fit of it.

    Parameters
    ----------
    ledger : Ledger
        One that holds bootstrap fits of the candidate.
    candidate : str
        Its name there.
    X : (n, features) array-like, or None
        Read for the 1-NN error only.
    y : (n,) array-like
        The labels, of any kind.
    dataset : str, optional
        Which data set, where the ledger holds several.
    loss, nearest_neighbour_error
        As in :func:`decompose_error`.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import decompose_from_ledger
    >>> class Stored:  # a stand-in: three fits of two samples
    ...     def bootstrap_predictions(self, candidate, *, dataset=None):
    ...         p = np.array([[[1, 0], [np.nan] * 2], [[1, 0], [0, 1]], [[np.nan] * 2, [1, 0]]])
    ...         return p, np.array([[0, 2], [0, 0], [2, 0]])
    >>> budget = decompose_from_ledger(Stored(), "tree", None, ["no", "yes"])
    >>> budget.error, budget.classes, budget.n_out_of_bag.tolist()
    (0.25, ('no', 'yes'), [2, 2])
    """
    if not hasattr(ledger, "bootstrap_predictions"):
        raise InvalidInput(
            f"ledger is of type {type(ledger).__name__}; expected an open Ledger with bootstrap "
            "fits. Without a ledger decompose_error fits the estimator itself."
        )
    predictions, in_bag = ledger.bootstrap_predictions(candidate, dataset=dataset)
    classes, codes = encode_labels(np.asarray(y))
    if predictions.shape[1:] != (len(codes), len(classes)):
        raise InvalidInput(
            f"the ledger's predictions of {candidate!r} have shape {predictions.shape}; expected "
            f"(b, {len(codes)}, {len(classes)}) for the {len(codes)} labels and {len(classes)} "
            "classes of y. Pass the y that the study was made with."
        )
    chosen = resolve_loss(loss, len(classes))
    nearest = make_neighbours(nearest_neighbour_error, X, codes, chosen)
    if isinstance(nearest, NeighbourError):
        for counts in in_bag:
            nearest.add(counts)
        nearest = nearest.mean()
    budget = decompose_predictions(
        predictions, in_bag, codes, loss=loss, nearest_neighbour_error=nearest
    )
    return replace(budget, classes=tuple(str(label) for label in classes))
