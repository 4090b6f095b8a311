"""Of very many forecasts some are asked: the same answers, and a note that says so."""

import sys

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy.study import Ledger, Study
from polychotomy.verdict import conclude
from polychotomy.verdict.question import Question
from polychotomy.verdict.running import run_study


@pytest.fixture(scope="module")
def judged():
    X, y = make_classification(900, 6, n_informative=4, n_classes=3, random_state=0)
    study = Study({"MAX": DummyClassifier(), "Bayes": GaussianNB()}, X, y)
    with run_study(study, Question(), Ledger()) as ledger:
        yield study, ledger


def patch(monkeypatch, module, **limits):
    for name, value in limits.items():
        monkeypatch.setattr(sys.modules[f"polychotomy.{module}"], name, value)


def test_trust_is_asked_of_some_forecasts(judged, monkeypatch):
    every = conclude(*judged)
    assert not any("forecasts, for the sake" in note for note in every.notes)
    patch(monkeypatch, "verdict.conclusions", _MOST_FORECASTS=700)
    patch(monkeypatch, "validation.recalibration", _MOST_ROWS=dict.fromkeys(
        ("temperature", "sigmoid", "isotonic"), 400))  # fmt: skip
    some = conclude(*judged)
    assert "trust was asked about of 700 of 4500 forecasts, for the sake of time" in some.notes
    assert some.trust.trace.y.size == 700
    assert some.trust.finding == every.trust.finding
    assert some.trust.scores.log_loss == pytest.approx(every.trust.scores.log_loss, abs=0.1)
    assert some.candidates == every.candidates


def test_what_limits_the_error_is_asked_of_some_rows(judged, monkeypatch):
    every = conclude(*judged)
    patch(monkeypatch, "verdict.anatomy", _MOST_ROWS=500)
    some = conclude(*judged)
    said = "what limits the error was asked about of 500 of 900 rows, for the sake of time"
    assert said in some.notes
    ours, theirs = (one.anatomy.budgets["Bayes"] for one in (some, every))
    assert np.isclose(ours.error, theirs.error, atol=0.05)
    assert some.anatomy.bagging.answer == every.anatomy.bagging.answer
