"""Verdicts by costs: confusion, sentences and the saved model are those of the cheapest labels."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from polychotomy import judge
from polychotomy.comparison import Criterion
from polychotomy.model import load_model
from polychotomy.study import Study
from polychotomy.verdict.asking import judge_request
from polychotomy.verdict.judge import conclude
from polychotomy.verdict.question import Question
from polychotomy.verdict.request import Request

COSTS = np.array([[0.0, 1.0], [5.0, 0.0]])


def churn(n=200):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 1))
    return X, np.where(X[:, 0] + random.normal(size=n) > 0.8, "yes", "no")


@pytest.fixture(scope="module")
def judged():
    study = Study({"MAX": DummyClassifier(), "logistic": LogisticRegression()}, *churn())
    with study.run() as ledger:
        predictions = ledger.out_of_fold(["logistic"], dataset=study.dataset, plan=study.plan.name)
        question = Question(criterion=Criterion(name="cost", costs=COSTS))
        return conclude(study, ledger, question), conclude(study, ledger), predictions


def test_the_confusion_is_that_of_the_labels_scored(judged):
    verdict, plain, predictions = judged
    p, y = predictions.probabilities[0, ..., 1].reshape(-1, 200), predictions.y
    cheapest = p > 1 / 6
    by_hand = [[((y == t) & (cheapest == c)).sum() / len(p) for c in (0, 1)] for t in (0, 1)]
    np.testing.assert_allclose(verdict.confusion.counts, by_hand)
    assert not np.array_equal(verdict.confusion.counts, plain.confusion.counts)
    costs = (verdict.confusion.counts * COSTS).sum() / 200
    assert verdict.candidate("logistic").loss == pytest.approx(costs)


def test_sentences_say_which_labels_are_meant(judged):
    verdict, plain, _ = judged
    said = {one.section: one for one in verdict.sentences()}
    assert said["errors"].text.startswith("Deciding by least expected cost, it errs most by")
    assert "the label of least expected cost by its probabilities" in said["errors"].basis
    wrong = 1 - np.trace(verdict.confusion.counts) / 200
    expected = f"Of its labels, those of least expected cost, {100 * wrong:.1f} % were wrong."
    assert expected in str(verdict)
    assert "least expected cost" not in str(plain)
    assert "most probable labels" not in str(plain)
    assert "not the most probable ones" in verdict.to_html()
    assert "not the most probable ones" not in plain.to_html()
    assert "error of most probable" in verdict.text_table()[0]


def test_labels_only_are_not_called_the_cheapest():
    verdict = judge({"svm": LinearSVC()}, *churn(), loss=COSTS, anatomy=False)
    assert "least expected cost" not in str(verdict)
    assert verdict.model_words == "which gives labels only, no probabilities"


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ("none", "without recalibration: none was shown to help; its labels are those of least "
         "expected cost"),
        ("temperature", "with temperature recalibration; its labels are those of least expected "
         "cost by the recalibrated probabilities (the cost judged is before that)"),
    ],
)  # fmt: skip
def test_what_is_in_the_model_stands_beside_the_command(judged, chosen, words):
    verdict, plain, _ = judged

    def mended(one):
        found = replace(one.trust.recalibration, chosen=chosen)
        return replace(one, trust=replace(one.trust, recalibration=found), model="m.skops")

    assert mended(verdict).model_words == words
    assert f"<bdi>m.skops</bdi>, {words}." in mended(verdict).to_html()
    assert mended(plain).model_words == words.partition(";")[0]


def test_the_saved_model_decides_by_the_costs_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = churn()
    pd.DataFrame({"x": X[:, 0], "churned": y}).to_csv("t.csv", index=False)
    Path("costs.csv").write_text(",no,yes\nno,0,1\nyes,5,0\n")
    judge_request(
        Request(table=Path("t.csv"), target="churned", candidates="MAX,logistic", anatomy=False,
                jobs=1, loss="costs.csv", model=Path("m.skops"))
    )  # fmt: skip
    found = load_model("m.skops").predict_table(pd.read_csv("t.csv")).frame
    assert found["predicted"].tolist() == np.where(found["p:yes"] > 1 / 6, "yes", "no").tolist()
    assert (found["p:yes"].between(1 / 6, 1 / 2)).any()
