"""What the methods for two classes share (MST09): labels, ties, rows by class, scores on one scale.

Scores and labels 0 and 1 are checked in :mod:`polychotomy.core.ranking`. Estimators take any two
labels, of which the second in sorted order is the positive one.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data

from polychotomy.calibration.sigmoid import Sigmoid, fit_platt
from polychotomy.core.arguments import shown
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.estimators import check_parameters
from polychotomy.core.exceptions import InvalidInput


def split_two_classes(
    y: NDArray[Any], estimator: BaseEstimator, *, counts: Floats
) -> tuple[NDArray[Any], Bools]:
    """Return the two labels, sorted, and the mask of the second, which is the positive class.

    ``counts`` are the sample weights: a class whose samples all weigh nothing is missing.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination import RankBoostClassifier
    >>> from polychotomy.combination.two_classes import split_two_classes
    >>> classes, positive = split_two_classes(
    ...     np.array(["b", "a", "b"]), RankBoostClassifier(), counts=np.ones(3)
    ... )
    >>> classes.tolist(), positive.tolist()
    (['a', 'b'], [True, False, True])
    """
    check_classification_targets(y)
    name = type(estimator).__name__
    classes = np.unique(y)
    if len(classes) > 2:
        raise InvalidInput(
            "Only binary classification is supported. The type of the target is multiclass: "
            f"{len(classes)} classes, {shown(classes.tolist())}. Use CodedClassifier({name}(…))."
        )
    present = np.unique(y[counts > 0])
    if len(present) < 2:
        raise InvalidInput(
            f"y holds one class only, {present.tolist()}, among samples of positive sample_weight; "
            f"{name} ranks one class above another and needs samples of both."
        )
    return classes, np.asarray(y == classes[1], dtype=bool)


_ROUNDING = float(np.finfo(np.float64).eps)


def join_ties(values: Floats, errors: Floats) -> Floats:
    """Give values that differ by no more than their errors one value, the smallest of them.

    Parameters
    ----------
    values : floats
        Of any shape; infinities are values like others.
    errors : floats
        How far from the truth each may be, of the same shape.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.two_classes import join_ties
    >>> join_ties(np.array([0.31, 0.1, 0.3]), np.full(3, 0.01))
    array([0.3, 0.1, 0.3])
    """
    order = np.argsort(values, axis=None, kind="stable")
    ordered, reach = values.ravel()[order], errors.ravel()[order]
    apart = np.empty(len(ordered), dtype=np.bool_)
    apart[:1] = True
    with np.errstate(invalid="ignore"):  # two infinities: the same
        apart[1:] = np.diff(ordered) > reach[1:] + reach[:-1]
    joined = np.empty_like(ordered)
    joined[order] = ordered[apart][np.cumsum(apart) - 1]
    return joined.reshape(values.shape)


def combine(scores: Floats, weights: Floats, errors: Floats | float = 0.0) -> Floats:
    """Weighted sums of the rows of scores (n, m), the tied ones joined.

    Parameters
    ----------
    scores : (n, m) floats
    weights : (m,) floats, at least 0
    errors : (n, m) floats, or 0
        How far from the truth each score may be, beside the rounding of the sum.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.two_classes import combine
    >>> one, other = combine(np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]), np.full(3, 1 / 3))
    >>> bool(one == other)
    True
    """
    m = scores.shape[1]
    reach = np.abs(scores) * (m * _ROUNDING) + errors
    return join_ties(scores @ weights, reach @ weights)


@dataclass(frozen=True)
class Sides:
    """The scores and the two classes' row numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.two_classes import Sides
    >>> sides = Sides.split(np.array([[0.9], [0.2], [0.4]]), np.array([True, False, True]))
    >>> high, low = sides.combine(np.ones(1))
    >>> high, low, round(sides.margin(high, low), 6)
    (array([0.9, 0.4]), array([0.2]), 0.2)
    """

    scores: Floats  # (n, m)
    positives: Ints
    negatives: Ints

    @classmethod
    def split(cls, scores: Floats, positive: Bools) -> Sides:
        """Find the rows of the two classes."""
        return cls(scores, np.flatnonzero(positive), np.flatnonzero(~positive))

    @property
    def m(self) -> int:
        """Number of classifiers."""
        return int(self.scores.shape[1])

    def combine(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the combined scores of the positives and of the negatives."""
        combined = self.scores @ weights
        return combined[self.positives], combined[self.negatives]

    def margin(self, high: Floats, low: Floats) -> float:
        """Smallest difference between a positive's and a negative's combined score."""
        return float(high.min() - low.max())


Response = Literal["predict_proba", "decision_function", "predict"]

Scaling = tuple[float, float]
"""Slope and intercept of the log-odds in a decision function."""


RESPONSES: tuple[Response, ...] = get_args(Response)


def response_of(estimator: BaseEstimator) -> Response:
    """Name the first of the three methods that the estimator has.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from polychotomy.combination.two_classes import response_of
    >>> response_of(LinearSVC())
    'decision_function'
    """
    return next((name for name in RESPONSES if hasattr(estimator, name)), "predict")


def positive_output(output: NDArray[Any], response: Response, positive_label: object) -> Floats:
    """Bring a method's output for two classes to one number for each sample, larger for the second.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.two_classes import positive_output
    >>> positive_output(np.array([[0.25, 0.75]]), "predict_proba", 1)
    array([0.5])
    """
    if response == "predict_proba":
        return np.asarray(2.0 * output[:, 1] - 1.0, dtype=np.float64)
    if response == "predict":
        return np.where(output == positive_label, 1.0, -1.0)
    return np.asarray(output, dtype=np.float64)


def find_scaling(values: Floats, response: Response, positive: Bools) -> Scaling:
    """Slope and intercept for a decision function's values; 1 and 0, unused, for the others.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.two_classes import find_scaling
    >>> slope, intercept = find_scaling(
    ...     np.array([-10.0, 10.0]), "decision_function", np.array([False, True])
    ... )
    >>> round(slope, 2), abs(round(intercept, 2))  # log-odds ±ln 2 at ±10
    (0.07, 0.0)
    """
    if response != "decision_function":
        return 1.0, 0.0
    # A far outlier on the wrong side would flatten the sigmoid for all the others.
    low, high = np.quantile(values, [0.01, 0.99])
    fit = fit_platt(np.clip(values, low, high), positive, keep_order=True)
    return float(fit.slope), float(fit.intercept)


def scale(values: Floats, response: Response, scaling: Scaling) -> Floats:
    """Map to [−1, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.two_classes import scale
    >>> scale(np.array([0.0, 2.0]), "decision_function", (1.0, 0.0)).round(4)  # 2σ(2) − 1
    array([0.    , 0.7616])
    """
    if response != "decision_function":
        return values
    return np.asarray(np.tanh(Sigmoid(*scaling).logits(values) / 2))


class TwoClassClassifier(ClassifierMixin):
    """What says to scikit-learn that a classifier takes two classes and no more."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class TwoClassBoosting(TwoClassClassifier, BaseEstimator):
    """Base of the boosted classifiers: two classes, told apart by the sign of a sum."""

    classes_: NDArray[Any]
    n_features_in_: int

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
