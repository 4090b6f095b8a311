"""What the boosted classifiers of two classes share: how they begin, and how they predict."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import _check_sample_weight, validate_data

from polychotomy.combination.scores import split_two_classes
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.estimators import check_parameters


class TwoClassBoosting(ClassifierMixin, BaseEstimator):
    """Base of the boosted classifiers: two classes, told apart by the sign of a sum."""

    classes_: NDArray[Any]
    n_features_in_: int

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _begin(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, dtype: Any = "numeric"
    ) -> tuple[NDArray[Any], Bools, Floats]:
        """Check everything; return the samples, the mask of the positives and the weights."""
        check_parameters(self)
        rows, labels = validate_data(self, X, y, dtype=dtype)
        counts = _check_sample_weight(
            sample_weight, rows, dtype=np.float64, ensure_non_negative=True
        )
        self.classes_, positive = split_two_classes(np.asarray(labels), self, counts=counts)
        return np.asarray(rows), positive, counts

    @abstractmethod
    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the sum, (n,); positive for ``classes_[1]``."""

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class on whose side of 0 the sum lies; ``classes_[0]`` at 0."""
        sides = (self.decision_function(X) > 0).astype(np.intp)
        return self.classes_[sides]
