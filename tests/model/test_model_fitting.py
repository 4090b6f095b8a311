"""Fitting on all data: the seed, the card's facts, failures in words."""

import numpy as np
import pandas as pd
import pytest
from messy_tables import messy
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from polychotomy.core.exceptions import InvalidInput, InvalidTable, LearnerError
from polychotomy.model import fit_model


def test_same_seed_same_model():
    X, y = messy()
    numbers = X[["count"]]
    fits = [
        fit_model(
            DecisionTreeClassifier(splitter="random", max_leaf_nodes=3), numbers, y, random_state=s
        )
        for s in (0, 0, 1, 2, 3)
    ]
    tables = [fit.predict_table(numbers).frame for fit in fits]
    pd.testing.assert_frame_equal(tables[0], tables[1])
    assert any(not tables[0].equals(other) for other in tables[2:])


def test_what_the_caller_gave_is_not_fitted():
    X, y = messy()
    given = GaussianNB()
    fit_model(given, X[["size"]], y)
    assert not hasattr(given, "classes_")


def test_a_failing_learner_is_named():
    X, y = messy()
    with pytest.raises(
        LearnerError, match="the candidate 'nb' cannot be fitted on all data: ValueError"
    ):
        fit_model(GaussianNB(), X, y, candidate="nb")


def test_wrong_shapes_and_labels():
    X, y = messy()
    with pytest.raises(InvalidInput, match=r"X has shape \(90, 9\) and y has 89 labels"):
        fit_model(GaussianNB(), X, y[:-1])
    with pytest.raises(InvalidTable, match="the target 'tree' has the one class 'ash'"):
        fit_model(GaussianNB(), X, ["ash"] * 90, target="tree")


def test_a_learner_that_cannot_predict_says_why():
    X = pd.DataFrame({"u": np.arange(8.0), "v": np.arange(8.0)})
    model = fit_model(GaussianNB(), X, [0, 1] * 4, candidate="nb")
    with pytest.raises(LearnerError, match=r"'nb' cannot predict .* contains infinity"):
        model.predict_table(X.assign(v=[0, 1, np.inf, 0, 0, 0, 0, 0]))


def test_no_rows():
    X, y = messy()
    with pytest.raises(InvalidTable, match="no rows"):
        fit_model(DummyClassifier(), X, y).predict_table(X.head(0))


@pytest.mark.parametrize("estimator", [None, "tree", GaussianNB])
def test_what_is_no_classifier_is_refused(estimator):
    with pytest.raises(InvalidInput, match=r"estimator is .* expected a classifier"):
        fit_model(estimator, [[0.0], [1.0]] * 5, [0, 1] * 5)
