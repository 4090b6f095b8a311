"""PrunedTreeClassifier: pruning against enumeration of all prunings, and scikit-learn's checks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.core.exceptions import InvalidInput
from polychotomy.learners import PrunedTreeClassifier
from polychotomy.learners.pruned_tree import prune_by_errors


@parametrize_with_checks([PrunedTreeClassifier()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@st.composite
def small_trees(draw):
    """A random binary tree of up to 7 inner nodes, with errors of every node as a leaf."""
    left, right, leaves = [-1], [-1], [0]
    for _ in range(draw(st.integers(0, 7))):
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        left[node], right[node] = len(left), len(left) + 1
        leaves += [left[node], right[node]]
        left += [-1, -1]
        right += [-1, -1]
    errors = draw(st.lists(st.integers(0, 6), min_size=len(left), max_size=len(left)))
    return np.array(left), np.array(right), np.array(errors, dtype=float)


def all_prunings(left, right, errors, node=0):
    """Yield (errors, leaves) of every subtree with the same root."""
    yield errors[node], 1
    if left[node] >= 0:
        for a, m in all_prunings(left, right, errors, left[node]):
            for b, n in all_prunings(left, right, errors, right[node]):
                yield a + b, m + n


def leaves_left(left, answers):
    return np.unique(answers[left < 0])


@given(small_trees())
def test_pruned_tree_has_fewest_errors_and_then_fewest_leaves(tree):
    left, right, errors = tree
    kept = leaves_left(left, prune_by_errors(left, right, errors))
    assert (errors[kept].sum(), len(kept)) == min(all_prunings(left, right, errors))


def test_nothing_to_prune_with_leaves_the_root():
    # No pruning errors anywhere: every split is as good as none, and the smaller tree wins.
    left, right = np.array([1, -1, -1]), np.array([2, -1, -1])
    assert prune_by_errors(left, right, np.zeros(3)).tolist() == [0, 0, 0]


def test_noise_is_pruned_away():
    X, y = make_classification(600, flip_y=0.3, random_state=0)
    tree = PrunedTreeClassifier(random_state=0).fit(X, y)
    assert tree.n_leaves_ < tree.tree_.get_n_leaves() / 3


def test_grows_on_four_fifths():
    X, y = load_iris(return_X_y=True)
    tree = PrunedTreeClassifier(random_state=0).fit(X, y)
    assert tree.tree_.tree_.n_node_samples[0] == 120


def test_probabilities_are_shares_of_the_growing_part():
    X, y = load_iris(return_X_y=True)
    tree = PrunedTreeClassifier(random_state=1).fit(X, y)
    p = tree.predict_proba(X)
    assert_allclose(p.sum(axis=1), 1)
    assert_array_equal(tree.predict(X), tree.classes_[p.argmax(axis=1)])


def test_with_nothing_held_out_the_tree_is_scikit_learns():
    X, y = load_iris(return_X_y=True)
    ours = PrunedTreeClassifier(pruning_fraction=1e-6, min_samples_leaf=1, random_state=0).fit(X, y)
    theirs = DecisionTreeClassifier(criterion="entropy").fit(X, y)
    assert ours.n_leaves_ == ours.tree_.get_n_leaves()
    assert_array_equal(ours.predict(X), theirs.predict(X))  # both fit every case
    two = PrunedTreeClassifier(min_samples_leaf=1).fit([[0.0], [1.0]], ["a", "b"])
    assert two.predict([[0.0], [1.0]]).tolist() == ["a", "b"]


def test_a_class_with_one_member_keeps_its_column():
    X = np.arange(20.0)[:, None]
    y = np.array(["a"] * 10 + ["b"] * 9 + ["rare"])
    for seed in range(6):  # whichever part the one member falls into
        p = PrunedTreeClassifier(random_state=seed).fit(X, y).predict_proba(X)
        assert p.shape == (20, 3)
        assert_allclose(p.sum(axis=1), 1)


def test_sparse_and_missing_input():
    X, y = load_iris(return_X_y=True)
    dense = PrunedTreeClassifier(random_state=0).fit(X, y).predict_proba(X)
    from_sparse = PrunedTreeClassifier(random_state=0).fit(sparse.csr_matrix(X), y)
    assert_allclose(from_sparse.predict_proba(sparse.csr_matrix(X)), dense)
    X[::7, 2] = np.nan
    assert PrunedTreeClassifier(random_state=0).fit(X, y).score(X, y) > 0.85


def test_beats_a_full_tree_on_noisy_data():
    X, y = make_classification(2000, flip_y=0.3, random_state=3)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)
    full = DecisionTreeClassifier(random_state=0).fit(X, y)
    pruned = PrunedTreeClassifier(random_state=0).fit(X, y)
    assert pruned.score(X_test, y_test) > full.score(X_test, y_test) + 0.02


@pytest.mark.parametrize("fraction", [0, 1, -0.2])
def test_bad_fraction(fraction):
    with pytest.raises(InvalidInput, match="pruning_fraction"):
        PrunedTreeClassifier(pruning_fraction=fraction).fit([[0], [1]], [0, 1])
