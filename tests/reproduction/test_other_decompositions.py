import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlxtend.evaluate import bias_variance_decomp
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
from test_from_predictions import drawn

from polychotomy.decomposition import decompose_predictions
from polychotomy.reproduction.other_decompositions import (
    breiman,
    domingos,
    kohavi_wolpert,
    reconcile,
)

cases = st.tuples(st.integers(0, 10**6), st.integers(1, 20), st.integers(2, 5))


def shares(seed, n, k):
    rng = np.random.default_rng(seed)
    return rng.multinomial(6, np.full(k, 1 / k), n) / 6, rng.integers(0, k, n)  # ties happen


@given(case=cases)
def test_kohavi_wolpert_adds_up(case):
    votes, y = shares(*case)
    bias, variance = kohavi_wolpert(votes, y)
    assert_allclose(bias + variance, 1 - votes[np.arange(len(y)), y], atol=1e-12)
    truth = np.eye(votes.shape[1])[y]
    assert_allclose(bias, 0.5 * ((truth - votes) ** 2).sum(axis=1), atol=1e-12)


@given(case=cases)
def test_breiman_adds_up_and_is_one_or_the_other(case):
    votes, y = shares(*case)
    bias, variance = breiman(votes, y)
    assert_allclose(bias + variance, 1 - votes[np.arange(len(y)), y], atol=1e-12)
    most = votes.argmax(axis=1)
    alone = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) == 1
    assert (bias[alone & (most == y)] == 0).all()
    assert (variance[alone & (most != y)] == 0).all()


def test_breiman_with_the_truth_known():
    """Eq. (47) by hand: posterior .7/.3, a share .6 or .2 of the votes for the better class."""
    posterior = np.array([[0.7, 0.3], [0.7, 0.3]])
    bias, variance = breiman(np.array([[0.6, 0.4], [0.2, 0.8]]), np.array([0, 0]), posterior)
    assert_allclose(variance, [0.7 - (0.42 + 0.12), 0])
    assert_allclose(bias, [0, 0.7 - (0.14 + 0.24)])
    error = 1 - np.array([0.42 + 0.12, 0.14 + 0.24])
    assert_allclose(0.3 + bias + variance, error)


@given(case=cases)
def test_domingos_adds_up(case):
    votes, y = shares(*case)
    bias, unbiased, biased = domingos(votes, y)
    assert_allclose(bias + unbiased - biased, 1 - votes[np.arange(len(y)), y], atol=1e-12)


def test_kohavi_wolpert_is_t96_squared_halved():
    """T96 §7: their decomposition is eq. (18) with Q2, on votes."""
    predictions, in_bag, y = drawn(3, b=20, votes=True)
    budget = decompose_predictions(predictions, in_bag, y, loss="squared")
    terms = reconcile(budget).set_index(["decomposition", "term"])["value"]
    assert terms["kohavi-wolpert", "bias"] == pytest.approx(budget.aggregated_error / 2)
    assert terms["kohavi-wolpert", "variance"] == pytest.approx(budget.variance / 2)


def test_domingos_is_t96_on_votes():
    budget = decompose_predictions(*drawn(4, b=20, votes=True))
    terms = reconcile(budget).set_index(["decomposition", "term"])["value"]["domingos"]
    assert terms["bias"] == pytest.approx(budget.aggregated_error)
    net = terms["unbiased variance"] - terms["biased variance (subtracts)"]
    assert net == pytest.approx(budget.aggregation_effect)


def test_bias_and_variance_are_mlxtends_on_its_own_fits():
    """mlxtend's 0–1 terms (Domingos without the sign) from the same bootstrap fits and test set."""
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(150) % 3 > 0, np.arange(150) % 3 == 0
    tree = DecisionTreeClassifier(random_state=0, max_depth=2)
    loss, bias, variance = bias_variance_decomp(
        tree, X[train], y[train], X[test], y[test], loss="0-1_loss", num_rounds=15, random_seed=1
    )
    rng = np.random.RandomState(1)
    votes = np.zeros((test.sum(), 3))
    for _ in range(15):
        rows = rng.choice(np.arange(100), size=100, replace=True)
        votes += np.eye(3)[tree.fit(X[train][rows], y[train][rows]).predict(X[test])] / 15
    ours, unbiased, biased = domingos(votes, y[test])
    assert ours.mean() == pytest.approx(bias)
    assert (1 - votes.max(axis=1)).mean() == pytest.approx(variance)  # its variance, never signed
    assert (ours + unbiased - biased).mean() == pytest.approx(loss)  # ours add up to its loss
