"""Verdicts by costs: confusion, sentences and the saved model are those of the cheapest labels."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from all_sentences import all_sentences
from kept_fits import judge_kept
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy import judge
from polychotomy.app import judge_request
from polychotomy.app.request import Request
from polychotomy.comparison import Criterion
from polychotomy.model import load_model
from polychotomy.study import Study
from polychotomy.telling.choice import say_error
from polychotomy.telling.uncertainty import say_recalibrated
from polychotomy.verdict.conclusions import conclude
from polychotomy.verdict.findings import Recalibrated
from polychotomy.verdict.question import Question

COSTS = np.array([[0.0, 1.0], [5.0, 0.0]])


def churn(n=200):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 1))
    return X, np.where(X[:, 0] + random.normal(size=n) > 0.8, "yes", "no")


@pytest.fixture(scope="module")
def judged():
    study = Study({"MAX": DummyClassifier(), "logistic": LogisticRegression()}, *churn())
    rewarding = Criterion(name="cost", costs=np.array([[2.0, 0.5], [0.0, 1.0]]))
    with study.run() as ledger:
        predictions = ledger.out_of_fold(["logistic"], dataset=study.dataset, plan=study.plan.name)
        question = Question(criterion=Criterion(name="cost", costs=COSTS))
        asked = (question, Question(), Question(criterion=rewarding))
        return *(conclude(study, ledger, one) for one in asked), predictions


def test_costs_that_reward_an_error_are_told_of(judged):
    assert not any("rewards an error" in note for note in judged[0].notes)
    verdict = judged[2]
    (note,) = (note for note in verdict.notes if "rewards an error" in note)
    assert note == (
        "the cost matrix rewards an error: 'no' taken for 'yes' costs 0.5, rightly told 2 (and 1 "
        "more like it); rows are true classes, columns predicted classes"
    )


def test_the_confusion_is_that_of_the_labels_scored(judged):
    verdict, plain, _, predictions = judged
    p, y = predictions.probabilities[0, ..., 1].reshape(-1, 200), predictions.y
    cheapest = p > 1 / 6
    by_hand = [[((y == t) & (cheapest == c)).sum() / len(p) for c in (0, 1)] for t in (0, 1)]
    np.testing.assert_allclose(verdict.confusion.counts, by_hand)
    assert not np.array_equal(verdict.confusion.counts, plain.confusion.counts)
    costs = (verdict.confusion.counts * COSTS).sum() / 200
    assert verdict.candidate("logistic").loss == pytest.approx(costs)


def test_sentences_say_which_labels_are_meant(judged):
    verdict, plain, *_ = judged
    said = {one.section: one for one in reversed(verdict.sentences())}  # the first of each
    assert said["errors"].text.startswith("Worst confusion by least expected cost: ")
    assert "the label of least expected cost by its probabilities" in said["errors"].basis
    wrong = 1 - np.trace(verdict.confusion.counts) / 200
    expected = f"Of its labels, those of least expected cost, {100 * wrong:.1f} % were wrong."
    assert expected in all_sentences(verdict)
    assert "least expected cost" not in all_sentences(plain)
    assert "most probable labels" not in all_sentences(plain)
    assert "not the most probable ones" in verdict.to_html()
    assert "not the most probable ones" not in plain.to_html()
    assert "error of most probable" in verdict.text_table()[0]


def test_labels_only_are_not_called_the_cheapest():
    verdict = judge({"svm": LinearSVC()}, *churn(), loss=COSTS, rule="paper", anatomy=False)
    assert "least expected cost" not in all_sentences(verdict)
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
    verdict, plain, *_ = judged

    def recalibrated(one):
        found = replace(one.trust.recalibration, chosen=chosen)
        return replace(one, trust=replace(one.trust, recalibration=found), model="m.skops")

    assert recalibrated(verdict).model_words == words
    assert f"<bdi>m.skops</bdi>, {words}." in recalibrated(verdict).to_html()
    assert recalibrated(plain).model_words == words.partition(";")[0]


def test_the_saved_model_decides_by_the_costs_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = churn()
    pd.DataFrame({"x": X[:, 0], "churned": y}).to_csv("t.csv", index=False)
    Path("costs.csv").write_text(",no,yes\nno,0,1\nyes,5,0\n")
    judge_request(
        Request(table=Path("t.csv"), target="churned", candidates="logistic", anatomy=False,
                rule="paper", jobs=1, loss="costs.csv", model=Path("m.skops"))
    )  # fmt: skip
    found = load_model("m.skops").predict_table(pd.read_csv("t.csv")).frame
    assert found["predicted"].tolist() == np.where(found["p:yes"] > 1 / 6, "yes", "no").tolist()
    assert (found["p:yes"].between(1 / 6, 1 / 2)).any()


def by(costs, **how):
    both = {"tree": DecisionTreeClassifier(), "logistic": LogisticRegression()}
    return judge_kept(both, *churn(), loss=costs, anatomy=False, **how)


@pytest.fixture(scope="module")
def gains():
    """Right answers are paid."""
    return by([[-3.0, 1.0], [1.0, -3.0]])


def test_a_gain_is_no_loss_of_nothing(gains):
    """The mean cost is below zero, and has an interval."""
    verdict = gains
    low, high = -verdict.selected.low, -verdict.selected.high
    text = verdict.sentences()[1].text
    assert verdict.selected.high < 0
    assert re.match(r"Expect a mean cost of −\d\.\d+ \(95 % interval −", text), text
    said = re.search(r"95 % interval −(\S+) to −(\S+)\)", text)
    assert [float(one) for one in said.groups()] == pytest.approx([low, high], abs=0.05)
    mean = f"−{-verdict.candidate(verdict.best).loss:.3g}"
    assert f"is {mean}." in verdict.sentences()[1].basis
    assert any(is_best and mean in cells for is_best, cells in verdict.text_table()[1])


def test_the_interval_over_folds_reaches_below_zero_for_gains(gains):
    text = say_error(replace(gains, selected=None))[0].text
    assert re.match(r"Its mean cost is −\d\.\d+ \(95 % interval −\d\.\d+ to −\d\.\d+\)", text), text


def test_costs_of_nothing_are_said_only_where_all_are_zero():
    X = np.repeat([[0.0], [9.0]], 40, axis=0)
    tree = {"tree": DecisionTreeClassifier()}
    y = np.repeat(["no", "yes"], 40)
    none = judge(tree, X, y, loss=COSTS, rule="paper", anatomy=False)
    assert "Its mean cost was less than 0.001 on these rows." in all_sentences(none)
    cents = by(COSTS / 10_000)
    assert "was less than" not in all_sentences(cents)


def test_one_that_would_be_chosen_as_the_simpler_says_so():
    found = Recalibrated("tree", "sigmoid", 0.63, 0.55, 0.5, -0.1, 0.01, 0.95)
    verdict = replace(by(COSTS), recalibrated=found, best="logistic")
    start = "But recalibrated, tree would be chosen"
    assert say_recalibrated(verdict)[0].text.startswith(
        f"{start}, being simpler and within the margin of 0.036: sigmoid recalibration takes its "
        "mean cost from 0.630 to 0.550, where logistic"
    )
    better = replace(verdict, recalibrated=found._replace(after=0.4))
    assert say_recalibrated(better)[0].text.startswith(f"{start}: sigmoid")
