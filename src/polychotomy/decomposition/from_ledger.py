"""T96 §4 from fits that a ledger already holds: nothing is fitted again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.decomposition.check_losses import LossLike, is_named, resolve_loss
from polychotomy.decomposition.error_decomposition import ErrorDecomposition
from polychotomy.decomposition.from_predictions import decompose_predictions
from polychotomy.decomposition.nearest_neighbour import NeighbourError, numeric_features
from polychotomy.decomposition.planning import encode_labels
from polychotomy.exceptions import InvalidInput


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
    nearest = _neighbour_error(nearest_neighbour_error, X, codes, in_bag, loss)
    budget = decompose_predictions(
        predictions, in_bag, codes, loss=loss, nearest_neighbour_error=nearest
    )
    return replace(budget, classes=tuple(str(label) for label in classes))


def _neighbour_error(
    wanted: float | str | None, X: Any, codes: NDArray[Any], in_bag: NDArray[Any], loss: LossLike
) -> float | None:
    if wanted is None or not isinstance(wanted, str):
        return wanted
    if wanted != "bootstrap":
        raise InvalidInput(
            f"nearest_neighbour_error is {wanted!r}; expected a rate, 'bootstrap' or None."
        )
    named = is_named(resolve_loss(loss, int(codes.max()) + 1))
    features = numeric_features(X) if named else None
    if features is None:
        return None
    neighbours = NeighbourError(features, codes)
    for counts in in_bag:
        neighbours.add(counts)
    return neighbours.mean()
