"""scikit-learn's own checks of the combination estimators."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.combination import (
    ModestAdaBoostClassifier,
    RankBoostClassifier,
    RankMarginClassifier,
)
from polychotomy.core.exceptions import InvalidInput


def combined(**parameters):
    members = [
        ("logistic", LogisticRegression()),
        ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
        ("machine", LinearSVC()),
    ]
    return RankMarginClassifier(members, **parameters)


@parametrize_with_checks(
    [ModestAdaBoostClassifier(), RankBoostClassifier(), combined(margin="soft", cv=2)]
)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.long
@parametrize_with_checks([combined(), combined(margin="hard")])
def test_estimator_checks_of_other_margins(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("estimator", "parameter"),
    [
        (ModestAdaBoostClassifier(n_estimators=0), "n_estimators"),
        (ModestAdaBoostClassifier(initial_weights="x"), "initial_weights"),
        (ModestAdaBoostClassifier(random_state=-1), "random_state"),
        (RankBoostClassifier(n_estimators="x"), "n_estimators"),
        (RankMarginClassifier(None), "estimators"),
        (combined(margin="x"), "margin"),
        (combined(cv=1), "cv"),
    ],
)
def test_bad_parameters_are_refused_in_the_librarys_own_error(estimator, parameter):
    with pytest.raises(InvalidInput, match=rf"The '{parameter}' parameter of .* Got"):
        estimator.fit(np.arange(12.0)[:, None], np.arange(12) % 2)
