"""A classifier whose probabilities go through a recalibration learned beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.utils import Tags, _safe_indexing, get_tags
from sklearn.utils.validation import _num_samples, check_is_fitted

from polychotomy.calibration.calibrators import Calibrator, Unchanged
from polychotomy.calibration.isotonic import fit_isotonic
from polychotomy.calibration.sigmoid import fit_sigmoid
from polychotomy.calibration.temperature import fit_temperature
from polychotomy.comparison.criteria import least_cost_labels
from polychotomy.core.arguments import check_share, shown, unexpected, wrong_shape
from polychotomy.core.arrays import Bools, Floats, Ints, Probabilities
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import check_probabilities
from polychotomy.validation.sets import COVERAGES, class_thresholds, sets_by

# Ways to learn a map from out-of-fold probabilities and class codes.
_LEARNED: dict[str, Callable[[Probabilities, Ints], Calibrator]] = {
    "temperature": fit_temperature,
    "sigmoid": fit_sigmoid,
    "isotonic": lambda p, codes: fit_isotonic(p, codes, n_cases=len(codes)),
}

_FOLDS = 5

_SOME = 2000  # rows, spread over all, tell whether labels are the most probable ones

_TIE = 1e-4  # of probabilities


class RecalibratedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier, and a map that corrects its probabilities.

    ``predict`` is the class of the highest corrected probability, or with costs that of the least
    expected cost by the corrected probabilities. A classifier that decides by a rule of its own,
    such as a threshold that was tuned, keeps its labels unless there are costs.

    Parameters
    ----------
    estimator : classifier
        One without ``predict_proba`` counts as giving ones and zeros.
    calibrator : {"temperature", "sigmoid", "isotonic"} or Calibrator, optional
        What corrects the probabilities: a way to learn it in ``fit``, from the out-of-fold
        probabilities of five folds, or a map learned before (:func:`polychotomy.recalibrate`),
        which stays as it is. Without it the probabilities do.
    costs : (k, k) floats, optional
        ``costs[truth, predicted]``, in the order of ``classes_``. An estimator that gives labels
        only keeps them.
    sets : bool
        Learn in ``fit``, from the same out-of-fold probabilities, which classes belong in a set
        that holds the true one, for `choose_sets`.

    Attributes
    ----------
    estimator_ : classifier
        The fitted one.
    calibrator_ : Calibrator or None
        The map.
    own_labels_ : bool
        Whether the fitted one decides by a rule of its own.
    set_thresholds_ : (99, k) floats or None
        As of `PredictionSets`.
    classes_ : (k,) array
        Class labels.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.model import RecalibratedClassifier
    >>> from polychotomy.calibration import Temperature
    >>> X, y = load_iris(return_X_y=True)
    >>> cautious = RecalibratedClassifier(GaussianNB(), Temperature(0.5)).fit(X, y)
    >>> GaussianNB().fit(X, y).predict_proba(X[70:71]).round(3)
    array([[0.   , 0.154, 0.846]])
    >>> cautious.predict_proba(X[70:71]).round(3)
    array([[0.001, 0.299, 0.7  ]])
    >>> cautious.decide(cautious.predict_proba(X[70:71]))
    array([2])

    Map and sets learned out of fold:

    >>> learned = RecalibratedClassifier(GaussianNB(), "temperature", sets=True).fit(X, y)
    >>> round(learned.calibrator_.exponent, 2)
    0.62
    >>> learned.choose_sets(learned.predict_proba(X[70:71]), coverage=0.95)
    array([[False,  True,  True]])
    """

    def __init__(
        self,
        estimator: Any,
        calibrator: Calibrator | str | None = None,
        costs: Floats | None = None,
        sets: bool = False,
    ) -> None:
        self.estimator = estimator
        self.calibrator = calibrator
        self.costs = costs
        self.sets = sets

    def fit(self, X: Any, y: Any) -> RecalibratedClassifier:
        """Fit the classifier to all rows, and learn what is learned out of fold."""
        self._fit_alone(X, y)
        map_of, known = _LEARNED.get(str(self.calibrator)), self.calibrator
        if isinstance(known, str) and map_of is None:
            raise unexpected("calibrator", known, f"a Calibrator or one of {', '.join(_LEARNED)}")
        if (map_of is None and not self.sets) or self.is_hard:
            return self._learned(None if isinstance(known, str) else known, None)
        labels = np.asarray(y).ravel()
        codes = np.unique(labels, return_inverse=True)[1]
        least = int(np.bincount(codes).min())
        if least < 2:
            raise InvalidInput(
                "a class of y has one row; expected two or more of each, as one is predicted by a "
                "fit to the others. Without calibrator and sets one will do."
            )
        folds = StratifiedKFold(min(_FOLDS, least), shuffle=True, random_state=0)
        ready = clone(self.estimator)
        p = cross_val_predict(ready, X, labels, cv=folds, method="predict_proba")
        p = check_probabilities(p)
        found = map_of(p, codes) if map_of else cast("Calibrator | None", known)
        p = p if found is None else found.apply(p)
        return self._learned(found, class_thresholds(p, codes, COVERAGES) if self.sets else None)

    def _fit_alone(self, X: Any, y: Any) -> RecalibratedClassifier:
        """Fit the classifier; what is learned out of fold is to be told by ``_learned``."""
        if isinstance(self.estimator, type) or not hasattr(self.estimator, "fit"):
            raise InvalidInput(f"estimator is {self.estimator!r}; expected a classifier.")
        known = self.calibrator
        if not (known is None or isinstance(known, str) or hasattr(known, "apply")):
            raise unexpected("calibrator", known, "None, a Calibrator, or a way to learn one")
        self.estimator_ = clone(self.estimator).fit(X, y)
        k = len(self.classes_)
        if k < 2:
            raise InvalidInput(
                f"y has one class, {shown(self.classes_.tolist()[0])}; expected two or more."
            )
        if self.costs is not None and np.shape(self.costs) != (k, k):
            expected = f"({k}, {k}), rows are true classes, columns predicted ones"
            raise wrong_shape("costs", np.asarray(self.costs), expected)
        self.own_labels_ = self.costs is None and self._has_own_rule(X)
        return self

    def _has_own_rule(self, X: Any) -> bool:
        """Tell whether it calls some rows it was fitted to by no class that is most probable."""
        if self.is_hard:
            return False
        some, n = X.tocsr() if hasattr(X, "tocsr") else X, _num_samples(X)
        if n > _SOME:
            some = _safe_indexing(some, np.linspace(0, n - 1, _SOME).astype(int))
        p = check_probabilities(self.estimator_.predict_proba(some))
        given = np.take_along_axis(p, self._own_codes(some)[:, np.newaxis], axis=1)[:, 0]
        return bool((given < p.max(axis=1) - _TIE).any())

    def _own_codes(self, X: Any) -> Ints:
        predicted = np.asarray(self.estimator_.predict(X)).reshape(-1, 1)
        codes: Ints = (predicted == self.estimator_.classes_).argmax(axis=1)
        return codes

    def _learned(
        self, calibrator: Calibrator | None, set_thresholds: Floats | None
    ) -> RecalibratedClassifier:
        """Take a map, and thresholds of sets, that were learned out of fold."""
        self.calibrator_, self.set_thresholds_ = calibrator, set_thresholds
        return self

    @property
    def classes_(self) -> NDArray[Any]:
        """The class labels, (k,), in the order of the probabilities."""
        return np.asarray(self.estimator_.classes_)

    @property
    def n_features_in_(self) -> int:
        """How many columns it wants."""
        return int(self.estimator_.n_features_in_)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the columns; only where it was trained on a data frame."""
        return np.asarray(self.estimator_.feature_names_in_)

    def predict_proba(self, X: Any) -> Probabilities:
        """Corrected class probabilities, (n, k)."""
        check_is_fitted(self)
        calibrator = Unchanged() if self.calibrator_ is None else self.calibrator_
        return calibrator.apply(self._raw_probabilities(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Classes of the highest corrected probability, or of the least expected cost, (n,)."""
        probabilities = self.predict_proba(X)
        codes = self._own_codes(X) if self.own_labels_ else self.decide(probabilities)
        return np.asarray(self.classes_[codes])

    def choose_sets(self, probabilities: Probabilities, coverage: float) -> Bools:
        """Return which classes are in a set that holds the true one with this coverage, (n, k)."""
        expected = 99, probabilities.shape[1]
        thresholds = np.asarray(self.set_thresholds_)
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
        votes: Probabilities = (predicted[:, np.newaxis] == self.estimator_.classes_).astype(
            np.float64
        )
        return votes

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags = replace(inner.classifier_tags, multi_label=False)
        return tags
