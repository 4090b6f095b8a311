"""The usual weights, and what turns outputs into scores and scores into probabilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_families import draw
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB

from polychotomy.combination import (
    aucs,
    average_weights,
    best_single_weights,
    greedy_selection_weights,
    stacked_logistic_weights,
)
from polychotomy.combination.rank_margin_classifier import used_members
from polychotomy.combination.roc import auc
from polychotomy.combination.two_classes import find_scaling, positive_output, response_of, scale
from polychotomy.core.exceptions import InvalidInput


def test_best_single_and_average():
    scores, y = draw("good and bad", 0, n=80, m=4)
    assert best_single_weights(scores, y).argmax() == aucs(scores, y).argmax()
    assert average_weights(scores, y).tolist() == [0.25] * 4


def test_greedy_selection_by_hand():
    # Alone the first ranks 3 of 4 pairs rightly, the second 3; their sum all four.
    scores = np.array([[3.0, 1.0], [1.0, 3.0], [2.0, 0.0], [0.0, 2.0]])
    y = [1, 1, 0, 0]
    weights = greedy_selection_weights(scores, y, steps=2)
    assert weights.tolist() == [0.5, 0.5]
    assert auc(scores @ weights, y) == 1.0


@given(st.integers(0, 1000))
def test_greedy_selection_is_never_below_the_best_single(seed):
    scores, y = draw("useful", seed, n=25, m=4)
    weights = greedy_selection_weights(scores, y, steps=8)
    assert auc(scores @ weights, y) >= aucs(scores, y).max() - 1e-12
    with pytest.raises(InvalidInput, match="steps is 0"):
        greedy_selection_weights(scores, y, steps=0)
    for C in (0, -1.0, np.nan, np.inf, "x", None):
        with pytest.raises(InvalidInput, match=r"C is .*; expected a finite number above 0"):
            stacked_logistic_weights(scores, y, C=C)


def test_stacked_logistic_is_scikit_learns():
    scores, y = draw("useful", 0, n=80, m=3)
    expected = LogisticRegression(max_iter=1000).fit(scores, y).coef_[0]
    np.testing.assert_allclose(stacked_logistic_weights(scores, y), expected)


def test_responses_in_order():
    assert response_of(GaussianNB()) == "predict_proba"
    assert response_of(Perceptron()) == "decision_function"
    assert response_of(CalibratedClassifierCV(Perceptron())) == "predict_proba"
    assert response_of(object()) == "predict"


def scaled(values, positive):
    return scale(values, "decision_function", find_scaling(values, "decision_function", positive))


def test_scores_are_within_bounds_and_increase():
    values = np.concatenate([[-1e9], np.linspace(-2, 2, 300), [1e9]])
    scores = scaled(values, values > np.cos(50 * values))
    assert (np.abs(scores) <= 1).all()
    assert (np.diff(scores) >= 0).all()
    assert (np.diff(scores[1:-1]) > 1e-4).all()


def test_the_unit_and_zero_of_a_decision_function_do_not_matter():
    rng = np.random.default_rng(0)
    positive = np.arange(200) % 3 == 0
    values = rng.normal(size=200) + positive
    for unit, zero in ((1e-6, 0.0), (1e6, 3.0), (2.0, -1e3)):
        moved = scaled(unit * values + zero, positive)
        np.testing.assert_allclose(moved, scaled(values, positive), atol=1e-6)


def test_a_constant_decision_function_scores_about_the_rate():
    scores = scaled(np.full(100, 3.0), np.arange(100) < 25)
    np.testing.assert_allclose(scores, 2 * 0.25 - 1, atol=0.02)


def test_a_decision_function_counts_like_the_probabilities_it_stands_for():
    rng = np.random.default_rng(1)
    positive = rng.random(2000) < 0.5
    log_odds = rng.normal(size=2000) * 2
    positive = rng.random(2000) < expit(log_odds)
    np.testing.assert_allclose(
        scaled(0.01 * log_odds, positive), 2 * expit(log_odds) - 1, atol=0.12
    )


def test_labels_become_signs():
    assert positive_output(np.array(["a", "b"]), "predict", "b").tolist() == [-1.0, 1.0]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([], "all estimators are dropped or none was given"),
        ([("a", "drop")], "all estimators are dropped"),
        ([GaussianNB()], r"estimators is \[GaussianNB\(\)\]; expected a list of"),
        ([("a", GaussianNB()), ("a", GaussianNB())], "two estimators are called 'a'"),
        ([("a__b", GaussianNB())], "an estimator is called 'a__b'"),
        ([("cv", GaussianNB())], "an estimator is called 'cv'"),
        ([("a", "gone")], "the estimator 'a' is 'gone'; expected a classifier, or 'drop'"),
        ([("a", 3)], "the estimator 'a' is 3; expected a classifier"),
    ],
)
def test_members_are_refused(members, message):
    with pytest.raises(InvalidInput, match=message):
        used_members(members, {"cv"})
