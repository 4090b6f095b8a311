"""Nearest neighbours, as many as leave-one-out finds best."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from polychotomy.core.arguments import as_array, check_count, unexpected
from polychotomy.core.arrays import Floats, Ints, Probabilities

_QUERIES = 2000  # samples on which k is chosen; more hardly change it


class ChosenNeighboursClassifier(ClassifierMixin, BaseEstimator):
    """k nearest neighbours, with k chosen by leave-one-out on the training data.

    One search finds the neighbours for every k at once, so choosing costs about as much as
    predicting the training data. With more than 2000 samples, 2000 of them, evenly spread over
    the rows, are asked. Of equally good k the larger is taken, for its smoother probabilities.

    Parameters
    ----------
    candidates : sequence of int
        The k to choose from; those that exceed the number of other samples are passed over.
    at_most : int, optional
        Keep as many samples as this, drawn at random, where there are more: predicting takes time
        by the samples kept.

    Attributes
    ----------
    n_neighbors_ : int
        The k chosen.
    errors_ : {k: float}
        Leave-one-out error of each k tried.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> model = ChosenNeighboursClassifier(candidates=(1, 2, 5)).fit(X, list("aaabbb"))
    >>> model.n_neighbors_, model.predict([[3.0]]).tolist()
    (2, ['a'])
    """

    def __init__(
        self, candidates: Any = (1, 3, 5, 7, 9, 13, 17, 25, 35, 51), at_most: int | None = None
    ) -> None:
        self.candidates = candidates
        self.at_most = at_most

    def fit(self, X: ArrayLike, y: ArrayLike) -> ChosenNeighboursClassifier:
        """Keep the training data and choose k.

        Parameters
        ----------
        X : (n, features) array-like
        y : (n,) array-like
        """
        candidates = _checked_candidates(self.candidates)
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_, self._codes = np.unique(labels, return_inverse=True)
        if self.at_most is not None and len(rows) > check_count("at_most", self.at_most):
            kept = np.random.default_rng(0).permutation(len(rows))[: self.at_most]
            rows, self._codes = rows[kept], self._codes[kept]
        n = len(rows)
        self._search = NearestNeighbors().fit(rows)
        tried = sorted({k for k in candidates if k < n}) or [1]
        queries = np.linspace(0, n - 1, min(n, _QUERIES)).astype(np.intp)
        self.errors_ = self._leave_one_out(rows, queries, tried) if n > 1 else {1: 0.0}
        self.n_neighbors_ = max(self.errors_, key=lambda k: (-self.errors_[k], k))
        return self

    def _leave_one_out(self, rows: Floats, queries: Ints, tried: list[int]) -> dict[int, float]:
        found = self._search.kneighbors(rows[queries], tried[-1] + 1, return_distance=False)
        own = found == queries[:, None]
        # A sample with many copies may not be among its own neighbours: then the last one goes.
        own[~own.any(axis=1), -1] = True
        others = self._codes[found[~own].reshape(len(queries), -1)]
        votes: Ints = np.cumsum(others[..., None] == np.arange(len(self.classes_)), axis=1)
        truth = self._codes[queries]
        return {k: float((votes[:, k - 1].argmax(axis=1) != truth).mean()) for k in tried}

    def predict_proba(self, X: ArrayLike) -> Probabilities:
        """Shares of the classes among the neighbours, (n, k)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        found = self._search.kneighbors(rows, self.n_neighbors_, return_distance=False)
        shares = [(self._codes[found] == c).mean(axis=1) for c in range(len(self.classes_))]
        return np.stack(shares, axis=1)

    def predict(self, X: ArrayLike) -> np.ndarray[Any, Any]:
        """Most frequent class among the neighbours, (n,); the first of equals."""
        winners = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[winners])


def _checked_candidates(candidates: Any) -> list[int]:
    given = as_array("candidates", candidates)
    if given.ndim != 1 or given.dtype.kind not in "iu" or given.min(initial=1) < 1:
        raise unexpected("candidates", candidates, "numbers of neighbours, such as (1, 3, 5)")
    return given.tolist()
