"""A classifier that is asked for labels only, where labels are all that is compared."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted


class LabelsOnly(ClassifierMixin, BaseEstimator):
    """Hides a classifier's probabilities, so that a study predicts once and not twice.

    Parameters
    ----------
    estimator : classifier

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> model = LabelsOnly(KNeighborsClassifier(1)).fit([[0.0], [1.0]], ["a", "b"])
    >>> model.predict([[0.2]]).tolist(), hasattr(model, "predict_proba")
    (['a'], False)
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : (n, inputs) array-like
        y : (n,) array-like
        """
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """Return the classifier's labels, (n,)."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict(X))
