"""A classifier whose probabilities go through a recalibration learned beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from polychotomy.calibration.calibrators import Calibrator, Unchanged
from polychotomy.comparison.criteria import least_cost_labels
from polychotomy.core.arguments import check_share, unexpected, wrong_shape
from polychotomy.core.arrays import Bools, Floats, Ints, Probabilities
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import check_probabilities
from polychotomy.validation.sets import sets_by


class RecalibratedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier, and a map that corrects its probabilities.

    The map was learned on out-of-fold probabilities of the same learner
    (:func:`polychotomy.recalibrate`), so ``fit`` fits the classifier only. ``predict`` is always
    the class of the highest corrected probability, or with costs that of the least expected cost by
    the corrected probabilities.

    Parameters
    ----------
    estimator : classifier
        One without ``predict_proba`` counts as giving ones and zeros.
    calibrator : Calibrator, optional
        What corrects the probabilities; without it they stay as they are.
    costs : (k, k) floats, optional
        ``costs[truth, predicted]``, in the order of ``classes_``. An estimator that gives labels
        only keeps them.
    set_thresholds : (99, k) floats, optional
        Of `PredictionSets`, for ``predict_sets``.

    Attributes
    ----------
    estimator_ : classifier
        The fitted one.
    classes_ : (k,) array
        Class labels.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.model import RecalibratedClassifier
    >>> from polychotomy.validation import Temperature
    >>> X, y = load_iris(return_X_y=True)
    >>> cautious = RecalibratedClassifier(GaussianNB(), Temperature(0.5)).fit(X, y)
    >>> GaussianNB().fit(X, y).predict_proba(X[70:71]).round(3)
    array([[0.   , 0.154, 0.846]])
    >>> cautious.predict_proba(X[70:71]).round(3)
    array([[0.001, 0.299, 0.7  ]])
    >>> cautious.decide(cautious.predict_proba(X[70:71]))
    array([2])

    Sets of classes, by the thresholds of a verdict (``verdict.sets.thresholds``):

    >>> cautious.set_thresholds = np.full((99, 3), 0.25)
    >>> cautious.predict_sets(X[70:71], coverage=0.9)
    array([[False,  True,  True]])
    >>> cautious.choose_sets(np.array([[0.1, 0.2, 0.7]]), 0.9)
    array([[False, False,  True]])
    """

    def __init__(
        self,
        estimator: Any,
        calibrator: Calibrator | None = None,
        costs: Floats | None = None,
        set_thresholds: Floats | None = None,
    ) -> None:
        self.estimator = estimator
        self.calibrator = calibrator
        self.costs = costs
        self.set_thresholds = set_thresholds

    def fit(self, X: Any, y: Any) -> RecalibratedClassifier:
        """Fit the classifier; the map stays as it is."""
        if isinstance(self.estimator, type) or not hasattr(self.estimator, "fit"):
            raise InvalidInput(f"estimator is {self.estimator!r}; expected a classifier.")
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_ = np.asarray(self.estimator_.classes_)
        if self.calibrator is not None and not hasattr(self.calibrator, "apply"):
            raise unexpected("calibrator", self.calibrator, "None or a Calibrator")
        k = len(self.classes_)
        if self.costs is not None and np.shape(self.costs) != (k, k):
            expected = f"({k}, {k}), rows are true classes, columns predicted ones"
            raise wrong_shape("costs", np.asarray(self.costs), expected)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def predict_proba(self, X: Any) -> Probabilities:
        """Corrected class probabilities, (n, k)."""
        check_is_fitted(self)
        calibrator = Unchanged() if self.calibrator is None else self.calibrator
        return calibrator.apply(self._raw_probabilities(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Classes of the highest corrected probability, or of the least expected cost, (n,)."""
        codes = self.decide(self.predict_proba(X))
        return np.asarray(self.classes_[codes])

    def predict_sets(self, X: Any, coverage: float = 0.9) -> Bools:
        """Which classes are in a set, (n, k), that holds the true one with this coverage."""
        return self.choose_sets(self.predict_proba(X), coverage)

    def choose_sets(self, probabilities: Probabilities, coverage: float) -> Bools:
        """Return the sets of cases with these corrected probabilities, (n, k)."""
        expected = 99, probabilities.shape[1]
        thresholds = np.asarray(self.set_thresholds)
        if thresholds.shape != expected:
            raise InvalidInput(
                "the model has no sets of classes; expected one made by a verdict, of a candidate "
                "that gives probabilities."
            )
        at = round(100 * check_share("coverage", coverage, such_as=0.9)) - 1
        return sets_by(probabilities, thresholds[min(max(at, 0), 98)])

    def decide(self, probabilities: Probabilities) -> Ints:
        """Return codes of the classes to predict, (n,), from corrected probabilities, (n, k)."""
        winners: Ints = probabilities.argmax(axis=1)
        if self.costs is None or self.is_hard:
            return winners
        return least_cost_labels(probabilities, self.costs, winners)

    @property
    def is_hard(self) -> bool:
        """Whether the classifier gives labels only."""
        return not hasattr(getattr(self, "estimator_", self.estimator), "predict_proba")

    def _raw_probabilities(self, X: Any) -> Probabilities:
        if not self.is_hard:
            return check_probabilities(self.estimator_.predict_proba(X))
        predicted = np.asarray(self.estimator_.predict(X))
        votes: Probabilities = (predicted[:, np.newaxis] == self.classes_).astype(np.float64)
        return votes

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags = inner.classifier_tags
        return tags
