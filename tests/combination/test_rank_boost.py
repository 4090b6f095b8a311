"""RankBoost against the textbook, which keeps a weight for every pair."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from polychotomy.combination import RankBoostClassifier
from polychotomy.combination.rank_boost import boost_rankers, fewest_errors
from polychotomy.core.exceptions import InvalidInput


def textbook(X, positive, rounds):
    """Freund et al. (2003), figure 1: D over pairs, every cut of every feature tried."""
    high, low = np.flatnonzero(positive), np.flatnonzero(~positive)
    D = np.full((len(high), len(low)), 1 / (len(high) * len(low)))
    total = np.zeros(len(X))
    for _ in range(rounds):
        best = (0.0, None)
        for j in range(X.shape[1]):
            values = np.unique(X[:, j])
            for cut in (values[1:] + values[:-1]) / 2:
                h = (X[:, j] > cut).astype(float)
                r = (D * (h[high][:, None] - h[low])).sum()
                if abs(r) > abs(best[0]) + 1e-12:
                    best = (r, h)
        r, h = best
        if h is None:
            break
        most = 1 - 1 / (len(high) * len(low))
        alpha = 0.5 * np.log((1 + np.clip(r, -most, most)) / (1 - np.clip(r, -most, most)))
        D *= np.exp(alpha * (h[low][None] - h[high][:, None]))
        D /= D.sum()
        total += alpha * h
    return total


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(4, 14), st.integers(1, 3))
def test_equals_the_textbook(seed, n, d):
    rng = np.random.default_rng(seed)
    positive = np.arange(n) < rng.integers(1, n)
    X = rng.normal(size=(n, d)) + 0.7 * positive[:, None]
    ours = boost_rankers(X, positive, rounds=6, counts=np.ones(n)).rank(X)
    np.testing.assert_allclose(ours, textbook(X, positive, 6), atol=1e-8)


def test_weights_are_repetitions():
    rng = np.random.default_rng(0)
    positive = rng.random(30) < 0.5
    X = rng.normal(size=(30, 2)) + positive[:, None]
    counts = rng.integers(1, 4, 30)
    weighted = boost_rankers(X, positive, rounds=20, counts=counts.astype(float)).rank(X)
    repeated = np.repeat(np.arange(30), counts)
    again = boost_rankers(
        X[repeated], positive[repeated], rounds=20, counts=np.ones(len(repeated))
    ).rank(X)
    np.testing.assert_allclose(weighted, again, atol=1e-9)


def test_stops_when_no_ranker_is_left():
    found = boost_rankers(np.ones((4, 2)), np.arange(4) < 2, rounds=5, counts=np.ones(4))
    assert len(found.alphas) == 0
    assert found.rank(np.ones((3, 2))).tolist() == [0, 0, 0]


def test_neighbouring_floats_can_be_cut():
    X = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    found = boost_rankers(X, np.array([False, True]), rounds=1, counts=np.ones(2))
    assert (found.rank(X) > 0).tolist() == [False, True]


def test_training_loss_falls():
    rng = np.random.default_rng(1)
    y = rng.random(200) < 0.4
    X = rng.normal(size=(200, 4)) + 0.5 * y[:, None]
    areas = [
        roc_auc_score(y, RankBoostClassifier(n_estimators=t).fit(X, y).decision_function(X))
        for t in (1, 10, 100)
    ]
    assert areas == sorted(areas)


def test_threshold_with_fewest_errors():
    positive = np.array([False, True, False, True, True])
    assert fewest_errors(np.arange(5.0), positive, np.ones(5)) == 0.5
    assert fewest_errors(np.zeros(5), positive, np.ones(5)) < 0  # all positive: two errors
    assert fewest_errors(np.arange(5.0), positive, np.array([1, 1, 5, 1, 1.0])) == 2.5


def test_three_classes_are_refused_with_the_way_out():
    with pytest.raises(InvalidInput, match=r"3 classes, \[0, 1, 2\]\..*CodedClassifier\(RankBoost"):
        RankBoostClassifier().fit(np.arange(6.0)[:, None], [0, 1, 2, 0, 1, 2])
