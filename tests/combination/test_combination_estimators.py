"""scikit-learn's own checks of the combination estimators."""

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
