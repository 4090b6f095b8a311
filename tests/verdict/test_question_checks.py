"""A question that a study could not answer is refused before the first fit."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy import judge
from polychotomy.core.exceptions import InvalidInput

X, y = load_iris(return_X_y=True)


class Unfitted(GaussianNB):
    """Must not be fitted."""

    def fit(self, X, y, sample_weight=None):
        raise AssertionError("fitted")


TWO = {"first": Unfitted(), "second": Unfitted()}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"against": "thrid"},
            "against 'thrid' is none of the candidates: first, second. Expected",
        ),
        (
            {"against": "baseline"},
            "against 'baseline' is none of the candidates: first, second. Expected one of them "
            "that does not fail, or 'baseline' for the one that ignores the features: on the "
            "command line MAX, among the names in --candidates",
        ),
        ({"prefer": "speed"}, "prefer is 'speed'; expected 'listed', 'time' or 'memory'"),
        ({"rule": "best"}, "rule is 'best'; expected 'margin' or 'paper'"),
        ({"margin": 5}, "margin is 5; expected a positive difference below 1"),
        ({"loss": "logloss"}, "the loss is 'logloss'. Did you mean 'log-loss'"),
        ({"loss": [["a", "b"], ["c", "d"]]}, "the cost matrix is .* expected an array of real"),
        (
            {"loss": np.eye(2)},
            "the cost matrix has 2 rows; expected 3, one for each of the classes",
        ),
        ({"race": True, "time": np.arange(150)}, "cannot be raced; expected RepeatedFolds"),
    ],
)
def test_it_is_refused_before_the_first_fit(options, message, tmp_path):
    with pytest.raises(InvalidInput, match=message):
        judge(TWO, X, y, study=tmp_path / "never", **options)
    assert not (tmp_path / "never").exists()


def test_one_candidate_cannot_be_held_against_itself():
    with pytest.raises(InvalidInput, match="against 'first', which is the only candidate"):
        judge({"first": Unfitted()}, X, y, against="first")


def test_baseline_stands_for_the_one_that_ignores_the_features():
    two = {"guess": DummyClassifier(), "bayes": GaussianNB()}
    verdict = judge(two, X, y, against="baseline", anatomy=False)
    assert verdict.gate.against == "guess"
