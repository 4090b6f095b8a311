"""Modest AdaBoost: one step by hand, and what the random start is for."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score

from polychotomy.combination import ModestAdaBoostClassifier
from polychotomy.combination.modest_adaboost import modest_leaf_scores
from polychotomy.core.exceptions import InvalidInput


def test_leaf_scores_by_hand():
    # Leaf 0: both positives of weights .4 and .1; leaf 1: a positive of .2, a negative of .3.
    weights = np.array([0.4, 0.1, 0.2, 0.3])
    found = modest_leaf_scores(
        np.array([0, 0, 1, 1]), np.array([True, True, True, False]), weights, np.ones(4)
    )
    # Inverse weights (.6, .9, .8, .7)/3.
    expected = [0.5 * (1 - 0.5), 0.2 * (1 - 0.8 / 3) - 0.3 * (1 - 0.7 / 3)]
    np.testing.assert_allclose(found, expected)


def test_two_steps_by_hand():
    # One feature, one cut, no error: both leaves are pure in either step.
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    once = ModestAdaBoostClassifier(n_estimators=1, random_state=0).fit(X, y)
    np.testing.assert_allclose(once.decision_function(X), [-0.25, -0.25, 0.25, 0.25])
    # All weights shrink alike and are scaled back to 1/4: the second step repeats the first.
    twice = ModestAdaBoostClassifier(n_estimators=2, random_state=0).fit(X, y)
    np.testing.assert_allclose(twice.decision_function(X), [-0.5, -0.5, 0.5, 0.5])


def test_random_starts_make_different_rankers():
    X, y = load_breast_cancer(return_X_y=True)
    scores = [
        ModestAdaBoostClassifier(initial_weights="random", random_state=seed)
        .fit(X[::2], y[::2])
        .decision_function(X[1::2])
        for seed in (0, 1)
    ]
    assert not np.allclose(*scores)
    assert min(roc_auc_score(y[1::2], score) for score in scores) > 0.97


def test_order_of_samples_does_not_matter():
    X, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    one, two = (
        ModestAdaBoostClassifier(random_state=0).fit(X[rows], y[rows]).decision_function(X)
        for rows in (np.arange(len(y)), order)
    )
    np.testing.assert_allclose(one, two, atol=1e-9)


def test_three_classes_are_refused_with_the_way_out():
    with pytest.raises(InvalidInput, match=r"CodedClassifier\(ModestAdaBoostClassifier\(…\)\)"):
        ModestAdaBoostClassifier().fit(np.arange(6.0)[:, None], [0, 1, 2, 0, 1, 2])
