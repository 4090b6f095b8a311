"""Predictions made elsewhere are judged like ours."""

import json

import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy.exceptions import InvalidInput
from polychotomy.study import Study
from polychotomy.study.export import export_predictions
from polychotomy.verdict import conclude
from polychotomy.verdict.asking import judge_request
from polychotomy.verdict.request import Request
from polychotomy.verdict.rules import plan_of


@pytest.fixture
def exported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = load_iris(return_X_y=True)
    study = Study({"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}, X, y,
                  plan=plan_of("margin", 1))  # fmt: skip
    with study.run() as ledger:
        export_predictions(ledger, tmp_path / "p.csv")
        return tmp_path / "p.csv", conclude(study, ledger)


def test_the_same_verdict_as_of_the_study_itself(exported):
    path, ours = exported
    theirs = judge_request(Request(predictions=path)).verdict
    for part in ("best", "ordering", "candidates", "differences", "selected", "trust", "confusion"):
        assert json.dumps(theirs.to_dict()[part]) == json.dumps(ours.to_dict()[part]), part
    assert theirs.anatomy is None
    assert any("nothing can be fitted again" in note for note in theirs.notes)


def test_gate_and_loss(exported):
    verdict = judge_request(
        Request(predictions=exported[0], loss="brier", against="naive Bayes", force=True)
    ).verdict
    assert not verdict.gate.passed
    assert verdict.gate.challenger == "MAX"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": "y"}, "--target together with --predictions"),
        ({"candidates": "MAX"}, "--candidates together with --predictions"),
        ({"against": "x"}, "held against 'x'"),
    ],
)
def test_what_makes_no_sense_there(exported, options, words):
    with pytest.raises(InvalidInput, match=words):
        judge_request(Request(predictions=exported[0], **options))


def test_one_fold_tells_nothing(tmp_path):
    (tmp_path / "p.csv").write_text("candidate,sample,fold,truth,predicted\na,0,0,x,x\na,1,0,y,y\n")
    with pytest.raises(InvalidInput, match="of one fold; expected two or more"):
        judge_request(Request(predictions=tmp_path / "p.csv", output=tmp_path / "o.html"))
