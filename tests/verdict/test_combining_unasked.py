"""With very many classes combining is not asked about; how to ask is said, and answers."""

import re
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy import Ledger, judge, would_combining_help
from polychotomy.app import judge_request
from polychotomy.app.request import Request
from polychotomy.verdict import question

DEAR = "3 pairs of classes, more than 2, would take too long"


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch):
    monkeypatch.setattr(question, "_MOST_CLASS_PAIRS", 2)


def test_the_way_that_is_named_answers(tmp_path):
    candidates = {"MAX": DummyClassifier(), "Bayes": GaussianNB()}
    study = tmp_path / "study"
    verdict = judge(candidates, *load_iris(return_X_y=True), study=study, anatomy=False)
    (note,) = [one for one in verdict.notes if one.startswith("combining was not asked about: ")]
    assert DEAR in note
    assert DEAR in verdict.to_html()
    with Ledger(study) as ledger:
        names = {"would_combining_help": would_combining_help, "ledger": ledger}
        advice = eval(re.search(r"would_combining_help\(.*\)$", note)[0], names)
    assert advice.over == verdict.best == "Bayes"


def test_it_is_said_before_the_first_fit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    load_iris(as_frame=True).frame.to_csv("iris.csv", index=False)
    asked = Request(table=Path("iris.csv"), target="target", candidates="MAX,nearest mean",
                    anatomy=False, jobs=1)  # fmt: skip
    shown = []
    judge_request(asked, confirm=shown.append)
    (estimate,) = shown
    assert estimate.notes == (
        f"combining will not be asked about: {DEAR}; the page says how to ask",
    )


@pytest.mark.long
def test_so_it_is_for_every_table_of_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("both").mkdir()
    frame = load_iris(as_frame=True).frame
    frame.to_csv("both/iris.csv", index=False)
    frame[frame["target"] != 2].to_csv("both/two.csv", index=False)
    assert len(pd.read_csv("both/two.csv")) == 100
    asked = Request(table=Path("both"), target="target", candidates="MAX,nearest mean",
                    anatomy=False, jobs=1)  # fmt: skip
    shown = []
    judge_request(asked, confirm=shown.append)
    (estimate,) = shown
    assert [note.partition(":")[0] for note in estimate.notes] == ["iris"]
