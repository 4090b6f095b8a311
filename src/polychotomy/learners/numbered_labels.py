"""Labels of any kind for classifiers that take the numbers 0, 1, … only, as XGBoost's do."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, column_or_1d, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, check_is_fitted

from polychotomy.core.arrays import Probabilities
from polychotomy.core.exceptions import InvalidInput


def _has_probabilities(wrapper: NumberedLabelsClassifier) -> bool:
    return hasattr(getattr(wrapper, "estimator_", wrapper.estimator), "predict_proba")


class NumberedLabelsClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier that is given the numbers of the classes and answers with their labels.

    The classes present in ``fit`` are numbered 0, 1, … in sorted order, without a gap where a
    class is absent from a training fold.

    Parameters
    ----------
    estimator : classifier
        Cloned before it is fitted.

    Attributes
    ----------
    estimator_ : classifier
        The fitted one; its classes are numbers.
    classes_ : (k,) array
        Class labels, as given to ``fit``.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.learners.numbered_labels import NumberedLabelsClassifier
    >>> X, y = [[0.0], [1.0], [8.0], [9.0]], ["low", "low", "high", "high"]
    >>> model = NumberedLabelsClassifier(GaussianNB()).fit(X, y)
    >>> model.predict([[2.0], [7.0]]).tolist()
    ['low', 'high']
    >>> model.estimator_.classes_.tolist(), model.classes_.tolist()
    ([0, 1], ['high', 'low'])
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> NumberedLabelsClassifier:
        """Fit the classifier to the numbers of the classes.

        Parameters
        ----------
        X : (n, features) array-like
            Given to the classifier as it is.
        y : (n,) array-like
        sample_weight : (n,) array-like, optional
            Given to the classifier as it is; nothing is given where it is None.
        """
        if y is None:
            raise InvalidInput("fit requires y to be passed, but the target y is None.")
        labels = column_or_1d(y, warn=True)
        assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.estimator_ = clone(self.estimator).fit(X, codes, **weights)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
            elif hasattr(self, name):  # of an earlier fit
                delattr(self, name)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Labels, (n,)."""
        check_is_fitted(self)
        return np.asarray(self.classes_[np.asarray(self.estimator_.predict(X)).astype(np.intp)])

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]  # has no types
    def predict_proba(self, X: Any) -> Probabilities:
        """Class probabilities, (n, k), in the order of ``classes_``."""
        check_is_fitted(self)
        found = np.asarray(self.estimator_.predict_proba(X))
        # Of one class XGBoost has a second column even then.
        return np.ones((len(found), 1)) if len(self.classes_) == 1 else found

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.non_deterministic = inner.non_deterministic
        if inner.classifier_tags is not None:
            tags.classifier_tags = inner.classifier_tags
            tags.classifier_tags.multi_label = False
        return tags


def with_numbered_labels(estimator: Any) -> Any:
    """Wrap a classifier of the package xgboost, also as the last step of a pipeline.

    It, or the class it was derived from, takes the labels 0, 1, … only; a search of its settings
    or a calibration is wrapped as a whole, so that the names of its settings stay. Anything else
    comes back as it is; what is given is never changed.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.learners.numbered_labels import with_numbered_labels
    >>> with_numbered_labels(GaussianNB())  # where xgboost is installed, try XGBClassifier()
    GaussianNB()
    """
    if isinstance(estimator, Pipeline) and estimator.steps:
        *before, (name, last) = estimator.steps
        changed = copy.copy(estimator)
        changed.steps = [*before, (name, with_numbered_labels(last))]
        return estimator if changed.steps[-1][1] is last else changed
    homes = {".".join(kind.__module__.split(".")[:2]) for kind in type(estimator).__mro__}
    strict = any(home.split(".")[0] == "xgboost" for home in homes)
    if homes & {"sklearn.model_selection", "sklearn.calibration"}:
        strict = with_numbered_labels(estimator.estimator) is not estimator.estimator
    return NumberedLabelsClassifier(estimator) if strict else estimator
