"""Modest AdaBoost (Vezhnevets & Vezhnevets 2005): the classifiers that MST09 combines."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from polychotomy.combination.two_classes import TwoClassBoosting
from polychotomy.core.arrays import Bools, Floats, Ints


def modest_leaf_scores(leaves: Ints, positive: Bools, weights: Floats, counts: Floats) -> Floats:
    """Score of each leaf: P⁺(1 − P̄⁺) − P⁻(1 − P̄⁻).

    P^s is the weight of class s in the leaf. P̄^s is the same under the inverse weights, large
    where the samples were easy so far: a leaf earns less where all is well already. That is what
    is modest.

    Parameters
    ----------
    leaves : (n,) ints
        Leaf of each sample, from 0.
    positive : (n,) bools
    weights : (n,) floats
        The boosting weights, sum 1.
    counts : (n,) floats
        How many samples each stands for: ones, or the sample weights.

    Returns
    -------
    (leaves,) floats

    Examples
    --------
    Two leaves of two samples each; the second is impure:

    >>> import numpy as np
    >>> from polychotomy.combination.modest_adaboost import modest_leaf_scores
    >>> modest_leaf_scores(np.array([0, 0, 1, 1]), np.array([True, True, True, False]),
    ...                    np.full(4, 0.25), np.ones(4))
    array([0.25, 0.  ])
    """
    inverse = np.maximum(counts - weights, 0.0)
    total = inverse.sum()
    inverse = inverse / total if total > 0 else weights

    def mass(of: Floats, members: Bools) -> Floats:
        return np.asarray(np.bincount(leaves, of * members), dtype=np.float64)

    up = mass(weights, positive) * (1 - mass(inverse, positive))
    down = mass(weights, ~positive) * (1 - mass(inverse, ~positive))
    return np.asarray(up - down)


class ModestAdaBoostClassifier(TwoClassBoosting):
    """Modest AdaBoost over small decision trees, for two classes.

    Vezhnevets & Vezhnevets (2005). Each step fits a tree to the weighted samples, scores its
    leaves by :func:`modest_leaf_scores`, and multiplies each weight by exp(−y f(x)). [MST09]_
    combines five or seven of these, with 10 steps, depth 3 and random initial weights.

    It has no probabilities. ``CodedClassifier(ModestAdaBoostClassifier())`` learns them out of
    fold, for two classes and for more.

    Parameters
    ----------
    n_estimators : int
        Boosting steps.
    max_depth : int
        Depth of the trees.
    initial_weights : {"equal", "random"}
        Random ones, uniform on (0, 1] before they are scaled, make several such classifiers
        differ.
    random_state : int, RandomState or None
        For random initial weights, and for ties between splits.

    Attributes
    ----------
    classes_ : (2,) array
        The second is the positive class.
    estimators_ : list of DecisionTreeClassifier
    leaf_scores_ : list of (nodes,) arrays
        Score of each tree's nodes; zero at those that are no leaf.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from polychotomy import ModestAdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> boosted = ModestAdaBoostClassifier(random_state=0).fit(X[::2], y[::2])
    >>> bool(boosted.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_depth": [Interval(Integral, 1, None, closed="left")],
        "initial_weights": [StrOptions({"equal", "random"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        n_estimators: int = 10,
        max_depth: int = 3,
        initial_weights: Literal["equal", "random"] = "equal",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.initial_weights = initial_weights
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost the trees."""
        rows, positive, counts = self._begin(X, y, sample_weight)
        random = check_random_state(self.random_state)
        weights = counts
        if self.initial_weights == "random":
            weights = counts * (1.0 - random.uniform(size=len(counts)))  # (0, 1]
        weights = weights / weights.sum()
        self.estimators_, self.leaf_scores_ = [], []
        for _ in range(self.n_estimators):
            tree = DecisionTreeClassifier(max_depth=self.max_depth, random_state=random)
            tree.fit(rows, positive, sample_weight=_with_exact_sums(weights, counts))
            nodes = np.asarray(tree.apply(rows))
            scores = modest_leaf_scores(nodes, positive, weights, counts)
            weights = weights * np.exp(np.where(positive, -1.0, 1.0) * scores[nodes])
            weights /= weights.sum()
            self.estimators_.append(tree)
            self.leaf_scores_.append(np.pad(scores, (0, tree.tree_.node_count - len(scores))))
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the sum of the trees' leaf scores, (n,); positive for ``classes_[1]``."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        steps = zip(self.estimators_, self.leaf_scores_, strict=True)
        return np.asarray(np.sum([scores[tree.apply(X)] for tree, scores in steps], axis=0))


def _with_exact_sums(weights: Floats, counts: Floats) -> Floats:
    """Round to multiples of 2⁻⁴⁰ a unit of count, whose sums have no rounding error.

    Small trees meet many splits that are equally good; which one is taken must not depend on the
    order of the samples, nor on whether a sample is repeated or weighs double.
    """
    each = np.divide(weights, counts, out=np.zeros_like(weights), where=counts > 0)
    return np.asarray(np.ldexp(np.round(np.ldexp(each, 40)), -40) * counts)
