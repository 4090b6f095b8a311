"""What kind of learner a candidate is, in whatever is wrapped around it."""

import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
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
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy import CodedClassifier, judge
from polychotomy.study import Study
from polychotomy.study.design.candidates import ladder
from polychotomy.verdict.case import case_of_study, kind_of

FOREST = RandomForestClassifier()


class Counting(GaussianNB):
    """A learner that is no pipeline, and takes a number of steps."""

    def __init__(self, steps=100):
        super().__init__()
        self.steps = steps


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
        (Counting(), "naive Bayes"),
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


def test_a_candidate_may_have_a_number_of_steps():
    candidates = {"plain": Counting(), "scaled": make_pipeline(StandardScaler(), Counting())}
    verdict = judge(candidates, *load_iris(return_X_y=True), plan="1x2", anatomy=False)
    assert verdict.is_clean
