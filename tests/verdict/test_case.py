"""What kind of learner a candidate is, in whatever is wrapped around it."""

import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy import CodedClassifier
from polychotomy.study import Study
from polychotomy.study.design.candidates import ladder
from polychotomy.verdict.case import case_of_study, kind_of

FOREST = RandomForestClassifier()


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        (FOREST, "forest"),
        (ExtraTreesClassifier(), "forest"),
        (BaggingClassifier(LogisticRegression()), "forest"),
        (CalibratedClassifierCV(FOREST), "forest"),
        (GridSearchCV(FOREST, {}), "forest"),
        (CodedClassifier(FOREST), "forest"),
        (make_pipeline(SelectFromModel(FOREST), LogisticRegression()), "linear"),
        (HistGradientBoostingClassifier(), "boosting"),
        (AdaBoostClassifier(), "boosting"),
        (GradientBoostingClassifier(), "boosting"),
        (DecisionTreeClassifier(), "tree"),
        (KNeighborsClassifier(), "neighbours"),
        (GaussianNB(), "naive Bayes"),
        (LinearDiscriminantAnalysis(), "linear"),
        (LinearSVC(), "linear"),
        (CalibratedClassifierCV(), None),
        (MLPClassifier(), None),
        (LogisticRegression(), "linear"),
    ],
)
def test_kinds(candidate, expected):
    assert kind_of(candidate) == expected


def test_of_the_built_in_ones_the_forest_does():
    study = Study(ladder(), [[float(i)] for i in range(40)], [i % 2 for i in range(40)])
    case = case_of_study(study)
    assert list(case.kinds.values()) == [
        None, "linear", "linear", "tree", "neighbours", "neighbours", "kernel", "kernel", "forest",
        "boosting",
    ]  # fmt: skip
    assert case.baselines == ("MAX",)
