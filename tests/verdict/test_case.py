"""Who averages many fits already: forests, in whatever is wrapped around them."""

import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from polychotomy import CodedClassifier
from polychotomy.study import Study
from polychotomy.study.design.candidates import ladder
from polychotomy.verdict.case import case_of_study, is_average

FOREST = RandomForestClassifier()


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        (FOREST, True),
        (ExtraTreesClassifier(), True),
        (BaggingClassifier(LogisticRegression()), True),
        (CalibratedClassifierCV(FOREST), True),
        (GridSearchCV(FOREST, {}), True),
        (CodedClassifier(FOREST), True),
        (make_pipeline(SelectFromModel(FOREST), LogisticRegression()), False),
        (HistGradientBoostingClassifier(), False),
        (CalibratedClassifierCV(), False),
        (LogisticRegression(), False),
    ],
)
def test_who_averages(candidate, expected):
    assert is_average(candidate) == expected


def test_of_the_built_in_ones_the_forest_does():
    study = Study(ladder(), [[float(i)] for i in range(40)], [i % 2 for i in range(40)])
    case = case_of_study(study)
    assert case.averages == ("random forest",)
    assert case.baselines == ("MAX",)
