"""RankBoostClassifier: RankBoost as a scikit-learn estimator."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from polychotomy.arrays import Bools, Floats
from polychotomy.combination.rank_boost import ThresholdRankers, boost_rankers
from polychotomy.combination.two_class_boosting import TwoClassBoosting


class RankBoostClassifier(TwoClassBoosting):
    """RankBoost over threshold rankers, for two classes.

    Freund, Iyer, Schapire & Singer (2003), section 3.2; the rival of [MST09]_ with 100 rounds.
    It learns to rank, for a large AUC; so that it can classify too, the sum of its rankers is
    moved so that 0 is where it made the fewest errors on the training samples.

    Parameters
    ----------
    n_estimators : int
        Rounds of boosting.

    Attributes
    ----------
    classes_ : (2,) array
        The second is ranked above the first.
    rankers_ : ThresholdRankers
        ``features``, ``thresholds`` and ``alphas`` of the rounds.
    threshold_ : float
        What is taken from the sum of the rankers.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.metrics import roc_auc_score
    >>> from polychotomy import RankBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> ranker = RankBoostClassifier().fit(X[::2], y[::2])
    >>> bool(roc_auc_score(y[1::2], ranker.decision_function(X[1::2])) > 0.98)
    True
    """

    rankers_: ThresholdRankers
    threshold_: float

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, *, n_estimators: int = 100) -> None:
        self.n_estimators = n_estimators

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost the rankers."""
        rows, positive, counts = self._begin(X, y, sample_weight, dtype=np.float64)
        weighty = counts > 0  # a sample of no weight must not decide where a feature is cut
        features, positive, counts = rows[weighty], positive[weighty], counts[weighty]
        self.rankers_ = boost_rankers(features, positive, rounds=self.n_estimators, counts=counts)
        self.threshold_ = fewest_errors(self.rankers_.rank(features), positive, counts)
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the sum of the rankers less the threshold, (n,); larger for ``classes_[1]``."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return self.rankers_.rank(np.asarray(X)) - self.threshold_


def fewest_errors(scores: Floats, positive: Bools, counts: Floats) -> float:
    """Threshold above which calling a sample positive makes the fewest weighted errors.

    The middle of the two neighbouring scores; the first such place where several are as good.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.rank_boost_classifier import fewest_errors
    >>> fewest_errors(np.array([1.0, 2.0, 4.0]), np.array([False, False, True]), np.ones(3))
    3.0
    """
    values, places = np.unique(scores, return_inverse=True)
    ups = np.bincount(places, counts * positive)
    downs = np.bincount(places, counts * ~positive)
    # Cut 0 calls all positive; cut i calls the i smallest values negative.
    errors = downs.sum() + np.concatenate([[0.0], np.cumsum(ups - downs)])
    ends = np.concatenate([[values[0] - 1.0], values, [values[-1] + 1.0]])
    cut = int(errors.argmin())
    return float(ends[cut] + (ends[cut + 1] - ends[cut]) / 2)
