"""Predictions made elsewhere are judged like ours."""

import json

import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy.app import judge_request
from polychotomy.app.request import Request
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Ledger, RepeatedFolds, Study, StudySpec, import_predictions
from polychotomy.study.ledger.export import export_predictions
from polychotomy.verdict import conclude
from polychotomy.verdict.judge import judge
from polychotomy.verdict.question import plan_of


def two_classes():
    """Those of iris that are not told apart without errors."""
    return (part[50:] for part in load_iris(return_X_y=True))


@pytest.fixture(scope="module")
def exported_once(tmp_path_factory):
    path = tmp_path_factory.mktemp("exported") / "p.csv"
    X, y = two_classes()
    candidates = {"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}
    study = Study(candidates, X, y, plan=plan_of("margin", plan="5x5")[0])
    with study.run() as ledger:
        export_predictions(ledger, path)
        return path, conclude(study, ledger)


@pytest.fixture
def exported(exported_once, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where the pages are written
    return exported_once


def test_the_same_verdict_as_of_the_study_itself(exported):
    path, ours = exported
    theirs = judge_request(Request(predictions=path)).verdict
    for part in ("best", "ordering", "candidates", "differences", "selected", "trust", "confusion"):
        assert json.dumps(theirs.to_dict()[part]) == json.dumps(ours.to_dict()[part]), part
    assert theirs.anatomy is None
    (why,) = [note for note in theirs.notes if note.startswith("what limits the error was not")]
    assert "nothing can be fitted again; judge(candidates, X, y)" in why


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
        ({"against": "x"}, "against 'x' is none of"),
    ],
)
def test_what_makes_no_sense_there(exported, options, words):
    with pytest.raises(InvalidInput, match=words):
        judge_request(Request(predictions=exported[0], **options))


def test_the_same_verdict_from_python(exported):
    path, _ = exported
    command = judge_request(Request(predictions=path, loss="brier", force=True)).verdict.to_dict()
    with import_predictions(path) as ledger:
        ours = judge(ledger, loss="brier").to_dict()
    for part in set(ours) - {"provenance"}:
        assert json.dumps(ours[part]) == json.dumps(command[part]), part


def test_learners_from_elsewhere_are_judged_beside_those_of_the_study(exported, tmp_path):
    """The verdict of a study file that has both is that of all candidates, fitted here."""
    X, y = two_classes()
    study = Study({"MAX": DummyClassifier()}, X, y, plan=plan_of("margin", plan="5x5")[0])
    study.run(tmp_path / "s").close()
    text = exported[0].read_text().splitlines(keepends=True)
    (tmp_path / "nb.csv").write_text("".join([text[0], *[t for t in text if "naive" in t]]))
    with import_predictions(tmp_path / "nb.csv", into=tmp_path / "s", dataset="data") as ledger:
        both = judge(ledger).to_dict()
    whole = exported[1].to_dict()
    for part in ("best", "ordering", "differences", "selected", "trust", "baselines"):
        assert json.dumps(both[part]) == json.dumps(whole[part]), part


def test_one_of_several_data_sets_is_judged_by_name(tmp_path):
    X, y = load_iris(return_X_y=True)
    spec = StudySpec({"one": (X, y), "two": (X[:, 2:], y)}, {"NB": GaussianNB()})
    with spec.run() as ledger:
        verdict = judge(ledger, dataset="two")
        assert verdict.candidates[0].error == ledger.fold_errors(dataset="two").mean()
        with pytest.raises(
            InvalidInput, match="predictions are of 'one', 'two'; expected dataset="
        ):
            judge(ledger)
        with pytest.raises(InvalidInput, match=r"of 'one', 'two'; .* not 'three'"):
            judge(ledger, dataset="three")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"X": [[1]]}, "X=… together with predictions; expected the predictions alone"),
        ({"y": [1]}, "y=… together with predictions"),
        ({"groups": [1]}, "groups=… together"),
        ({"race": True}, "race=… together"),
        ({"runs": 3}, "runs=… together"),
        ({"study": "s"}, "study=… together"),
        ({"random_state": 1}, "random_state=… together"),
        ({"against": "x"}, "against 'x' is none of"),
        ({"loss": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}, "the cost matrix has 3 rows; expected 2"),
    ],
)
def test_what_judge_cannot_ask_of_predictions(exported, options, words):
    with import_predictions(exported[0]) as ledger, pytest.raises(InvalidInput, match=words):
        judge(ledger, **options)


def test_ledgers_that_cannot_be_judged_alone():
    X, y = load_iris(return_X_y=True)
    with Ledger() as ledger, pytest.raises(InvalidInput, match="the ledger is empty; expected"):
        judge(ledger)
    study = Study({"NB": GaussianNB()}, X, y, groups=range(150))
    with study.run() as ledger, pytest.raises(InvalidInput, match="follow groups of the rows"):
        judge(ledger)
    with Study({"NB": GaussianNB()}, X, y).run() as ledger:
        Study({"NB": GaussianNB()}, X, y, plan=RepeatedFolds(folds=3)).run(ledger)
        with pytest.raises(InvalidInput, match="has 2 plans of folds of 'data': '5x2 folds', '5x3"):
            judge(ledger)


def test_candidates_without_a_table_are_told_both_ways():
    with pytest.raises(InvalidInput, match=r"X is None; .* judge\(import_predictions\("):
        judge({"NB": GaussianNB()})
    with pytest.raises(InvalidInput, match=r"X is None; .* judge\(import_predictions\("):
        judge("predictions.csv")


def test_semicolons_are_noted_and_change_nothing(exported, tmp_path):
    path, ours = exported
    other = tmp_path / "other.csv"
    pd.read_csv(path).to_csv(other, sep=";", decimal=",", index=False)
    assert "e-" in other.read_text()  # small probabilities
    theirs = judge_request(Request(predictions=other)).verdict
    for part in ("best", "ordering", "candidates", "differences", "selected", "trust"):
        assert json.dumps(theirs.to_dict()[part]) == json.dumps(ours.to_dict()[part]), part
    assert theirs.notes[0] == "fields are separated by semicolons, decimals by commas"


def test_without_clocks_no_time_is_told(exported, tmp_path):
    bare = tmp_path / "bare.csv"
    pd.read_csv(exported[0]).drop(columns=["fit_seconds", "predict_seconds"]).to_csv(
        bare, index=False
    )
    judged = judge_request(Request(predictions=bare))
    headings, rows = judged.verdict.text_table()
    assert headings[-1] == "sd"  # of folds; there is no column of times
    assert {len(cells) for _, cells in rows} == {len(headings)}
    alone = pd.DataFrame({"a": [1, 0, 1] * 20, "b": [1, 1, 0] * 20})
    verdict = judge(import_predictions(alone))
    verdict.to_html(tmp_path / "page.html")
    assert "sd over parts of one test set" in (tmp_path / "page.html").read_text()
    headings, rows = verdict.text_table()
    assert headings == ["candidate", "place", "mean error"]
    assert {len(cells) for _, cells in rows} == {3}
    page = judged.page.read_text()
    assert "not timed" in page
    assert "The predictions came without times." in page
    assert "0 µs" not in page
    assert "of computing" not in page
    timings = judged.verdict.to_dict()["timings"]
    assert timings["efficient_to_fit"] == timings["efficient_to_ask"] == timings["sentences"] == []
