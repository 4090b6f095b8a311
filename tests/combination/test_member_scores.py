"""What turns outputs into scores and scores into probabilities."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB

from polychotomy.combination import RankMarginClassifier
from polychotomy.combination.two_classes import find_scaling, positive_output, response_of, scale
from polychotomy.core.exceptions import InvalidInput


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
        ([], "non-empty list of"),
        ([("a", "drop")], "All estimators are dropped"),
        ([GaussianNB()], r"list of \(string, estimator\) tuples"),
        ([("a", GaussianNB()), ("a", GaussianNB())], r"not unique: \['a', 'a'\]"),
        ([("a__b", GaussianNB())], r"must not contain __: got \['a__b'\]"),
        ([("cv", GaussianNB())], r"conflict with constructor arguments: \['cv'\]"),
        ([("a", "gone")], "'gone'.*; expected classifiers, or 'drop'"),
        ([("a", 3)], "3.*; expected classifiers, or 'drop'"),
    ],
)
def test_members_are_refused(members, message):
    with pytest.raises(InvalidInput, match=message):
        RankMarginClassifier(members).fit([[0.0], [1.0]], [0, 1])
