"""YA06's decision trees: grown on one part of the rows, pruned by their errors on the other."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.core.estimators import check_parameters


def prune_by_errors(left: Ints, right: Ints, errors_as_leaf: Floats) -> Ints:
    """Reduced-error pruning: where each node of a binary tree ends up.

    From the leaves upwards, a node becomes a leaf unless its subtree makes fewer errors on the
    pruning data (Quinlan 1987). Ties go to the smaller tree.

    Parameters
    ----------
    left, right : (nodes,) ints
        Children, −1 at leaves; children come after their parents.
    errors_as_leaf : (nodes,) floats
        Weight of the pruning samples that reach a node and are not of its majority class.

    Returns
    -------
    (nodes,) ints
        For every node the node that answers for it: itself, or the ancestor that became a leaf.

    Examples
    --------
    The subtree at node 1 makes 2 errors where node 1 alone makes 1; the root is worth its split:

    >>> import numpy as np
    >>> left, right = np.array([1, 3, -1, -1, -1]), np.array([2, 4, -1, -1, -1])
    >>> prune_by_errors(left, right, np.array([5.0, 1.0, 0.0, 1.0, 1.0]))
    array([0, 1, 2, 1, 1])
    """
    best = errors_as_leaf.astype(float).copy()
    becomes_leaf = np.ones(len(left), dtype=bool)
    for node in np.flatnonzero(left >= 0)[::-1]:
        subtree = best[left[node]] + best[right[node]]
        if subtree < errors_as_leaf[node]:
            best[node], becomes_leaf[node] = subtree, False
    answers = np.arange(len(left))
    for node in np.flatnonzero(left >= 0):
        if becomes_leaf[node] or answers[node] != node:
            answers[left[node]] = answers[right[node]] = answers[node]
    return answers


class PrunedTreeClassifier(ClassifierMixin, BaseEstimator):
    """Decision tree with reduced-error pruning on a held-out part of the training data.

    This is the tree of [YA06]_: grown by information gain on 80 % of the training data, then
    pruned bottom-up on the other 20 %. scikit-learn's own trees know cost-complexity pruning only.

    Parameters
    ----------
    pruning_fraction : float, default=0.2
        Share of the training data kept for pruning.
    min_samples_leaf : int, default=2
        Least number of growing samples in a leaf.
    random_state : int, RandomState instance or None, default=None
        For the split and for ties between features.

    Attributes
    ----------
    tree_ : DecisionTreeClassifier
        The tree as grown.
    answers_ : (nodes,) ints
        For each node the node that answers for it after pruning.
    n_leaves_ : int
        Leaves that remain.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = PrunedTreeClassifier(random_state=0).fit(X, y)
    >>> bool(tree.n_leaves_ <= tree.tree_.get_n_leaves())
    True
    >>> bool(tree.score(X, y) > 0.9)
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012 - scikit-learn's own form
        "pruning_fraction": [Interval(Real, 0, 1, closed="neither")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        pruning_fraction: float = 0.2,
        min_samples_leaf: int = 2,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.pruning_fraction = pruning_fraction
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> PrunedTreeClassifier:
        """Grow on one part, prune on the other.

        Parameters
        ----------
        X : (n, features) array-like or sparse matrix
            May hold NaN.
        y : (n,) array-like
            Labels.
        sample_weight : (n,) array-like, optional
            Weights for growing and for pruning.
        """
        check_parameters(self)
        rows, labels = validate_data(self, X, y, accept_sparse="csr", ensure_all_finite="allow-nan")
        check_classification_targets(labels)
        weight: Floats = _check_sample_weight(sample_weight, rows)
        random = check_random_state(self.random_state)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        growing, pruning = _split(codes, self.pruning_fraction, random)
        self.tree_ = DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=self.min_samples_leaf,
            random_state=random.randint(2**31 - 1),
        ).fit(rows[growing], codes[growing], sample_weight=weight[growing])
        left, right = self.tree_.tree_.children_left, self.tree_.tree_.children_right
        self.answers_ = np.arange(len(left))
        if len(pruning):  # else every split would be a tie, and the root all that is left
            errors = self._errors_as_leaf(rows[pruning], codes[pruning], weight[pruning])
            self.answers_ = prune_by_errors(left, right, errors)
        self.n_leaves_ = len(np.unique(self.answers_[left < 0]))
        return self

    def predict_proba(self, X: ArrayLike) -> Probabilities:
        """Class shares of the growing samples in the leaf each row falls into, (n, k)."""
        check_is_fitted(self)
        rows = validate_data(
            self, X, accept_sparse="csr", ensure_all_finite="allow-nan", reset=False
        )
        return self._shares()[self.answers_[self.tree_.apply(rows)]]

    def predict(self, X: ArrayLike) -> np.ndarray[Any, Any]:
        """Most frequent class of the leaf each row falls into, (n,)."""
        winners = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[winners])

    def _shares(self) -> Probabilities:
        """Class shares in every node, (nodes, k), zero for classes the growing part lacks."""
        values = self.tree_.tree_.value[:, 0, :]
        shares = np.zeros((len(values), len(self.classes_)))
        shares[:, self.tree_.classes_] = values / values.sum(axis=1, keepdims=True)
        return shares

    def _errors_as_leaf(self, X: Any, codes: Ints, weight: Floats) -> Floats:
        """Weight of the samples that pass a node and are not of its majority class, (nodes,)."""
        k = len(self.classes_)
        passing = self.tree_.decision_path(X).T @ (weight[:, None] * np.eye(k)[codes])  # (nodes, k)
        others = np.arange(k) != self._shares().argmax(axis=1)[:, None]
        return np.asarray((passing * others).sum(axis=1))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _split(codes: Ints, share: float, random: np.random.RandomState) -> tuple[Ints, Ints]:
    """Split into growing and pruning rows, ascending, evenly in every class where there are enough.

    Too few rows leave nothing to prune with.
    """
    n, counts = len(codes), np.bincount(codes)
    rows, n_pruning = np.arange(n), round(share * n)
    if n_pruning < 1 or n_pruning >= n:
        return rows, rows[:0]
    enough = counts.min() >= 2 and len(counts) <= min(n_pruning, n - n_pruning)
    growing, pruning = train_test_split(
        rows, test_size=n_pruning, stratify=codes if enough else None, random_state=random
    )
    return np.sort(growing), np.sort(pruning)
