"""The exchangeable learners: right answers, and no winner."""

import numpy as np
import pytest
from benchmarks.truth.nulls import (
    HOLD_OUT,
    Linear,
    Nearest,
    Tree,
    draw_cases,
    draw_order,
    resample,
)
from numpy.testing import assert_array_equal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

PEERS = {
    Linear: LinearDiscriminantAnalysis(),
    Nearest: KNeighborsClassifier(1),
    Tree: DecisionTreeClassifier(random_state=0),
}


@pytest.mark.parametrize("learner", PEERS)
def test_answers_are_those_of_scikit_learn(learner):
    rng = np.random.default_rng(0)
    views, y = draw_cases(rng, 3, 120, handicap=False)
    X = views[1].astype(np.float32).astype(float)  # what a tree of scikit-learn sees
    order = draw_order(rng, 3, 120)
    folds = learner(X, y)(order, 5)
    held_out = learner(X, y)(order, 10, HOLD_OUT)
    for sample in range(3):
        blocks = order[sample].reshape(5, -1)
        for fold in range(5):
            training = np.delete(blocks, fold, axis=0).ravel()
            expected = wrong(PEERS[learner], X[sample], y[sample], training, blocks[fold])
            assert_array_equal(folds[sample, fold], expected)
        test, training = np.split(order[sample], [36])
        expected = wrong(PEERS[learner], X[sample], y[sample], training, test)
        assert_array_equal(held_out[sample], expected)


def wrong(estimator, X, y, training, test):
    return estimator.fit(X[training], y[training]).predict(X[test]) != y[test]


@pytest.mark.long
@pytest.mark.parametrize("family", ["linear", "1-NN"])
def test_neither_learner_is_better_unless_handicapped(family):
    rng = np.random.default_rng(1)
    for handicap in (False, True):
        one = resample(rng, family=family, n=100, repetitions=400, handicap=handicap)
        a, b = one.fifths.sum(axis=(2, 3)).T / 500
        t = (b - a).mean() / ((b - a).std(ddof=1) / 20)
        assert t > 5 if handicap else abs(t) < 3


def test_counts_add_up():
    one = resample(np.random.default_rng(2), family="linear", n=50, repetitions=30, handicap=False)
    assert one.halves.shape == (30, 2, 5, 2)
    assert one.fifths.shape == (30, 2, 5, 5)
    assert one.tenths.shape == (30, 2, 10, 10)
    assert one.tenths.max() <= 5
    assert one.discordant.sum(axis=1).max() <= 15


def test_an_order_is_a_permutation_of_each_sample():
    order = draw_order(np.random.default_rng(0), 4, 20)
    assert_array_equal(np.sort(order, axis=1), np.tile(np.arange(20), (4, 1)))
    assert len(np.unique(order, axis=0)) == 4
