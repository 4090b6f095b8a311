"""Would recalibration change the choice, computed again by counting."""

import numpy as np
import pytest
from all_sentences import all_sentences
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.study import Study
from polychotomy.verdict import Question, conclude
from polychotomy.verdict.question import criterion_of, plan_of

X, y = load_breast_cancer(return_X_y=True)
X, y = X[:200, :4], y[:200]


@pytest.fixture(scope="module")
def sure_of_itself():
    """1-NN, which says 0 or 1: right in 8 of 10 cases, its log loss is far above guessing's."""
    candidates = {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}
    study = Study(candidates, X, y, plan=plan_of("margin", plan="5x5")[0])
    with study.run() as ledger:
        verdict = conclude(study, ledger, Question(criterion=criterion_of("log-loss")))
        return verdict, study.gather(ledger)


def test_guessing_wins_and_the_remedy_is_named(sure_of_itself):
    verdict, _ = sure_of_itself
    assert verdict.best == "MAX"
    assert verdict.recalibrated.name == "1-NN"
    text = all_sentences(verdict)
    assert "But recalibrated, 1-NN would beat guessing" in text
    assert f"from {verdict.candidate('1-NN').loss:.3g} to {verdict.recalibrated.after:.3g}" in text


def test_the_loss_after_is_that_of_saying_how_often_one_is_right(sure_of_itself):
    verdict, predictions = sure_of_itself
    right = predictions.predicted[1, 0] == y  # (repetitions, n)
    losses = []
    for repetition, folds in enumerate(predictions.folds[0]):
        for fold in range(5):
            inside = folds == fold
            share = right[repetition, ~inside].mean()
            chance = np.where(right[repetition, inside], share, 1 - share)
            losses.append(-np.log(chance).mean())
    assert verdict.recalibrated.after == pytest.approx(np.mean(losses), abs=0.02)
    prior = verdict.candidate("MAX").loss
    assert verdict.recalibrated.best_after == pytest.approx(prior, abs=1e-3)
    assert verdict.recalibrated.low < prior - np.mean(losses) < verdict.recalibrated.high
    assert verdict.to_dict()["recalibrated"]["method"] == verdict.recalibrated.method


def test_no_parody_of_who_only_guesses(sure_of_itself):
    verdict, _ = sure_of_itself
    said = {sentence.section for sentence in verdict.sentences()}
    assert not said & {"limits", "price", "errors"}
    assert "can be trusted" not in all_sentences(verdict)
    assert "MAX errs" not in all_sentences(verdict)


@pytest.mark.parametrize("loss", ["error", "auc"])
def test_not_asked_where_probabilities_do_not_matter(loss):
    candidates = {"MAX": DummyClassifier(), "Bayes": GaussianNB()}
    study = Study(candidates, X, y, plan=plan_of("margin", plan="5x5")[0])
    with study.run() as ledger:
        assert conclude(study, ledger, Question(criterion=criterion_of(loss))).recalibrated is None
