"""YA06's nearest mean, with the probabilities that belong to it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import euclidean_distances
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from polychotomy.core.arrays import Floats, Probabilities


class NearestMeanClassifier(ClassifierMixin, BaseEstimator):
    """Classify to the class whose mean is nearest.

    The probabilities are those of the model for which this rule is optimal: classes of equal
    weight, normal with one variance for all classes and directions, estimated from the training
    data. So ``predict`` is always the argmax of ``predict_proba``; that of scikit-learn's
    ``NearestCentroid`` need not be, since its probabilities scale every feature by its own spread.

    Attributes
    ----------
    means_ : (k, features) floats
    variance_ : float
        Mean squared deviation from the own class mean, for each feature.

    Examples
    --------
    >>> X, y = [[0.0], [2.0], [10.0], [12.0]], ["low", "low", "high", "high"]
    >>> model = NearestMeanClassifier().fit(X, y)
    >>> model.predict([[5.0], [7.0]]).tolist(), model.variance_
    (['low', 'high'], 2.0)
    >>> model.predict_proba([[6.0]])
    array([[0.5, 0.5]])
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> NearestMeanClassifier:
        """Take the mean of every class.

        Parameters
        ----------
        X : (n, features) array-like
        y : (n,) array-like
        """
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        k = len(self.classes_)
        self.means_ = np.array([rows[codes == c].mean(axis=0) for c in range(k)])
        freedom = max(len(rows) - k, 1) * rows.shape[1]
        self.variance_ = float(((rows - self.means_[codes]) ** 2).sum() / freedom)
        return self

    def predict_proba(self, X: ArrayLike) -> Probabilities:
        """Class probabilities, (n, k)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        squared: Floats = euclidean_distances(rows, self.means_, squared=True)
        # Without spread (each class one point) all the weight is on the nearest.
        variance = max(self.variance_, np.finfo(float).tiny)
        with np.errstate(over="ignore"):
            excess = (squared - squared.min(axis=1, keepdims=True)) / (2 * variance)
        return np.asarray(softmax(-excess, axis=1))

    def predict(self, X: ArrayLike) -> np.ndarray[Any, Any]:
        """Class of the nearest mean, (n,)."""
        winners = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[winners])
