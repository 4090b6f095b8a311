"""RankBoost for two classes (Freund, Iyer, Schapire & Singer 2003, section 3.2), MST09's rival.

The weight of a crucial pair is the product of a weight of its positive and one of its negative, and
stays so: a round costs O(n) a feature after one sort of each feature, instead of O(N⁺N⁻).
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from polychotomy.combination.two_classes import TwoClassBoosting
from polychotomy.core.arrays import Bools, Floats, Ints


@dataclass(frozen=True)
class ThresholdRankers:
    """Rounds of boosting: ranker t says 1 where feature ``features[t]`` exceeds its threshold."""

    features: Ints  # (T,)
    thresholds: Floats  # (T,)
    alphas: Floats  # (T,)

    def rank(self, X: Floats) -> Floats:
        """Return Σ_t α_t h_t(x), (n,)."""
        return np.asarray((X[:, self.features] > self.thresholds) @ self.alphas)


def boost_rankers(X: Floats, positive: Bools, *, rounds: int, counts: Floats) -> ThresholdRankers:
    """Run RankBoost with threshold rankers.

    Round t takes the ranker h of largest |r|, r = Σ_pairs D (h(positive) − h(negative)), with
    α = ½ ln((1 + r)/(1 − r)), and multiplies the pair's weight by exp(α (h(negative) −
    h(positive))). 1 − |r| is kept above 1/(N⁺N⁻), so that a ranker without errors has a finite
    α. Boosting ends early when no ranker is left with r ≠ 0.

    Parameters
    ----------
    X : (n, d) floats
    positive : (n,) bools
    rounds : int
    counts : (n,) floats
        Sample weights; ones for none.

    Examples
    --------
    One feature that separates the classes at 2½:

    >>> import numpy as np
    >>> from polychotomy.combination.rank_boost import boost_rankers
    >>> X = np.array([[1.0], [2.0], [3.0]])
    >>> found = boost_rankers(X, np.array([False, False, True]), rounds=1, counts=np.ones(3))
    >>> found.thresholds, found.alphas.round(4)
    (array([2.5]), array([0.5493]))
    """
    cuts = _Cuts.of(X)
    ups, downs = counts[positive].sum(), counts[~positive].sum()
    signed = np.where(positive, counts / ups, -counts / downs)
    most = 1.0 - 1.0 / max(ups * downs, 2.0)
    steps: list[tuple[int, float, float]] = []
    for _ in range(rounds):
        feature, place, r = cuts.best(signed)
        if abs(r) < 1e-12:
            break
        threshold = cuts.threshold(feature, place)
        alpha = float(np.arctanh(np.clip(r, -most, most)))
        signed = _reweight(signed, positive, X[:, feature] > threshold, alpha)
        steps.append((feature, threshold, alpha))
    features, thresholds, alphas = np.array(steps).reshape(-1, 3).T
    return ThresholdRankers(features.astype(np.intp), thresholds, alphas)


def _reweight(signed: Floats, positive: Bools, above: Bools, alpha: float) -> Floats:
    """Multiply by exp(−α h) for positives and exp(α h) for negatives; each class sums to ±1."""
    signed = signed * np.where(above, np.where(positive, np.exp(-alpha), np.exp(alpha)), 1.0)
    high = signed[positive].sum()
    low = high - signed.sum()
    return np.asarray(signed * np.where(positive, 1.0 / high, 1.0 / low))


@dataclass(frozen=True)
class _Cuts:
    """All places at which a feature's sorted values may be cut."""

    X: Floats  # (n, d)
    orders: Ints  # (d, n), each feature's samples by ascending value
    tied: Bools  # (d, n), after which there is no cut: the next value is equal, or there is none

    @classmethod
    def of(cls, X: Floats) -> _Cuts:
        orders = np.argsort(X.T, axis=1, kind="stable")
        values = np.take_along_axis(X.T, orders, axis=1)
        tied = np.ones(values.shape, dtype=bool)
        np.less_equal(values[:, 1:], values[:, :-1], out=tied[:, :-1])
        return cls(X, orders, tied)

    def best(self, signed: Floats) -> tuple[int, int, float]:
        """Feature, place and r of the best cut: above it lies minus what lies up to it."""
        below = np.take(signed, self.orders, mode="clip")  # all in range
        np.cumsum(below, axis=1, out=below)
        below[self.tied] = 0.0
        sizes = np.maximum(below.max(axis=1), -below.min(axis=1))
        # The first of those that differ by rounding only, so that rounding decides nothing.
        least = sizes.max() - 1e-12
        feature = int(np.argmax(sizes >= least))
        place = int(np.argmax(np.abs(below[feature]) >= least))
        return feature, place, -float(below[feature, place])

    def threshold(self, feature: int, place: int) -> float:
        low, high = self.X[self.orders[feature, place : place + 2], feature]
        middle = low + (high - low) / 2
        return float(middle if middle < high else low)


class RankBoostClassifier(TwoClassBoosting):
    """RankBoost over threshold rankers, for two classes.

    Freund, Iyer, Schapire & Singer (2003), section 3.2; the rival of [MST09]_ with 100 rounds.
    It learns to rank, for a large AUC; so that it can classify too, the sum of its rankers is
    moved so that 0 is where it made the fewest errors on the training samples.

    It has no probabilities. ``CodedClassifier(RankBoostClassifier())`` learns them out of fold, for
    two classes and for more.

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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")]
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
    >>> from polychotomy.combination.rank_boost import fewest_errors
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
