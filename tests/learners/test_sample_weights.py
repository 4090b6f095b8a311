"""Learners that take weights, ensembles that pass them on, and those that do neither."""

import pytest
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from polychotomy import RankMarginClassifier
from polychotomy.core.estimators import takes_sample_weight

BAYES, NEIGHBOURS = ("bayes", GaussianNB()), ("neighbours", KNeighborsClassifier())


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (GaussianNB(), True),
        (KNeighborsClassifier(), False),
        (VotingClassifier([BAYES, ("gone", "drop")]), True),
        (VotingClassifier([BAYES, NEIGHBOURS]), False),
        (StackingClassifier([("inner", VotingClassifier([BAYES]))]), True),
        (RankMarginClassifier([BAYES]), True),
        (RankMarginClassifier([]), False),
        (BaggingClassifier(), True),
        (make_pipeline(GaussianNB()), False),  # it would need gaussiannb__sample_weight
    ],
)
def test_who_takes_weights(estimator, expected):
    assert takes_sample_weight(estimator) is expected
