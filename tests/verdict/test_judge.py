"""judge: what it says follows from the ledger alone."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from polychotomy import judge, multitest
from polychotomy.combination import would_combining_help
from polychotomy.exceptions import InvalidInput, LearnerError
from polychotomy.study import RepeatedFolds, Study
from polychotomy.validation import assess_trust
from polychotomy.verdict import conclude

X, y = load_iris(return_X_y=True)
CANDIDATES = {
    "MAX": DummyClassifier(),
    "naive Bayes": GaussianNB(),
    "1-NN": KNeighborsClassifier(1),
}


class Broken(ClassifierMixin, BaseEstimator):
    """Never fits."""

    def fit(self, X, y):
        raise ValueError("cannot be fitted")

    def predict(self, X):
        return X


def test_best_and_order_are_multitests():
    study = Study(CANDIDATES, X, y)
    with study.run() as ledger:
        errors = study.gather(ledger).fold_errors()[:, 0]
        verdict = conclude(study, ledger)
    expected = multitest(errors, names=list(CANDIDATES))
    assert verdict.best == expected.ordered_names[0]
    assert verdict.ordering.ordered_names == expected.ordered_names
    np.testing.assert_array_equal(verdict.ordering.edges, expected.edges)


def test_errors_agree_with_scikit_learn():
    verdict = judge(CANDIDATES, X, y)
    folds = RepeatedFolds().split(y, seed=0)[0]
    splits = [(np.flatnonzero(f != i), np.flatnonzero(f == i)) for f in folds for i in (0, 1)]
    for name, estimator in CANDIDATES.items():
        theirs = 1 - cross_val_score(estimator, X, y, cv=splits)
        assert verdict.candidate(name).error == pytest.approx(theirs.mean(), abs=1e-12)
        assert verdict.candidate(name).sd == pytest.approx(theirs.std(ddof=1), abs=1e-12)


def test_failed_candidate_is_left_out_and_named():
    verdict = judge({**CANDIDATES, "broken": Broken()}, X, y)
    assert verdict.best == judge(CANDIDATES, X, y).best
    assert "broken" not in verdict.ordering.names
    assert len(verdict.failures) == 10
    assert verdict.failures[0].cause == "ValueError: cannot be fitted"
    assert "broken (10 fits, ValueError: cannot be fitted)" in str(verdict)
    assert verdict.to_dict()["candidates"][3] == {"name": "broken", "error": None, "sd": None}


def test_all_failed():
    with pytest.raises(LearnerError, match=r"every candidate failed.*ValueError: cannot be fitted"):
        judge({"broken": Broken()}, X, y)


def test_several_runs_give_the_most_frequent_order():
    data, labels = load_wine(return_X_y=True)
    candidates = {"tree-like": KNeighborsClassifier(15), "Bayes": GaussianNB()}
    verdict = judge(candidates, data, labels, runs=7)
    assert sum(f.runs for f in verdict.frequencies) == 7
    assert verdict.frequencies[0].runs == max(f.runs for f in verdict.frequencies)
    assert verdict.ordering.ordered_names == verdict.frequencies[0].order
    assert "of 7 runs" in str(verdict)


def test_single_candidate():
    verdict = judge({"only": GaussianNB()}, X, y)
    assert verdict.best == "only"
    assert verdict.sentences()[0] == "Use only."


def test_json_has_no_nan_and_keeps_clocks_apart():
    one = judge(CANDIDATES, X, y).to_dict()
    two = judge(CANDIDATES, X, y).to_dict()
    text = json.dumps(one, allow_nan=False)
    assert json.loads(text) == one
    kept = [{k: v for k, v in d.items() if k not in ("timings", "provenance")} for d in (one, two)]
    assert kept[0] == kept[1]
    assert "seconds" not in json.dumps(kept[0])


def test_sentences_name_test_numbers_and_doubt():
    data, labels = load_wine(return_X_y=True)
    verdict = judge(
        {
            "MAX": DummyClassifier(),
            "naive Bayes": GaussianNB(),
            "logistic": LogisticRegression(max_iter=5000),
        },
        data,
        labels,
    )
    text = str(verdict)
    assert "one-sided 5×2cv t test" in text
    assert f"{100 * verdict.candidate(verdict.best).error:.1f} %" in text
    assert "MAX (p" in text


def test_trust_is_that_of_the_best_from_the_same_predictions():
    study = Study(CANDIDATES, X, y)
    with study.run() as ledger:
        expected = assess_trust(study.gather(ledger), "naive Bayes", random_state=0)
        verdict = conclude(study, ledger)
    assert verdict.best == "naive Bayes"
    assert verdict.trust.to_frame().equals(expected.to_frame())
    assert f"{expected.trace.slope:.3f}" in str(verdict)


def test_combination_is_asked_of_the_same_predictions():
    study = Study(CANDIDATES, X, y)
    with study.run() as ledger:
        expected = would_combining_help(study.gather(ledger))
        verdict = conclude(study, ledger)
    assert verdict.combination.to_frame().equals(expected.to_frame())
    assert str(expected) in verdict.sentences()
    assert verdict.to_dict()["combination"]["difference"] == expected.difference


def test_one_candidate_cannot_be_combined_and_the_notes_say_so():
    verdict = judge({"only": GaussianNB()}, X, y)
    assert verdict.combination is None
    assert any("it takes two candidates" in note for note in verdict.notes)
    assert "This was not asked" in verdict.to_html()


def test_labels_only_are_said_to_be_no_probabilities():
    verdict = judge({"linear SVM": LinearSVC()}, X, y)
    assert "It gives labels only" in str(verdict)
    assert "Reliability diagram" not in verdict.to_html()


def test_a_lower_mean_that_is_not_shown_is_left_open():
    # The preferred one is a little worse in every fold, but not shown to be.
    data, labels = load_wine(return_X_y=True)
    candidates = {"5 neighbours": KNeighborsClassifier(5), "1 neighbour": KNeighborsClassifier(1)}
    verdict = judge(candidates, data, labels)
    means = [verdict.candidate(name).error for name in candidates]
    assert verdict.best == "5 neighbours"
    assert means[1] < means[0]
    text = str(verdict)
    assert f"{100 * (means[0] - means[1]):.1f} points lower" in text
    assert "ask by the rule “margin”" in text
    assert "more rows would show it" in text


def test_margin_takes_the_most_preferred_within_a_point_of_the_rest():
    data, labels = load_wine(return_X_y=True)
    candidates = {
        "MAX": DummyClassifier(),
        "5 neighbours": KNeighborsClassifier(5),
        "naive Bayes": GaussianNB(),
        "same again": GaussianNB(var_smoothing=1e-10),
    }
    verdict = judge(candidates, data, labels, rule="margin")
    means = np.array([verdict.candidate(name).error for name in candidates])
    assert verdict.plan["folds"] == 5
    within = [i for i in range(4) if (means[i] - means[i + 1 :] < 0.01).all()]
    assert verdict.best == list(candidates)[within[0]] == "naive Bayes"
    assert "within 1 point of every less preferred one's" in str(verdict)
    page = verdict.to_html()
    assert "a best guess, not a proof" in page
    assert "lower by more than the margin" in page


def test_margin_uses_the_folds_of_all_runs():
    verdict = judge(CANDIDATES, X, y, rule="margin", runs=2)
    assert verdict.ordering.errors.shape == (3, 10, 5)
    assert "of 2 runs" not in str(verdict)


def test_unknown_rule():
    with pytest.raises(InvalidInput, match="rule is 'best'; expected 'paper' or 'margin'"):
        judge(CANDIDATES, X, y, rule="best")


def test_guessing_is_no_answer():
    noise = np.random.default_rng(0).normal(size=(60, 2))
    verdict = judge(
        {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}, noise, np.arange(60) % 2
    )
    assert verdict.best == "MAX"
    assert verdict.sentences()[0] == "Nothing is shown to beat guessing (MAX)."
    assert "Use MAX" not in verdict.to_html()


def test_nothing_is_left_open_where_the_best_has_the_lowest_mean():
    assert "cannot tell" not in str(judge({"MAX": DummyClassifier(), "Bayes": GaussianNB()}, X, y))


def test_warnings_of_learners_become_notes():
    verdict = judge({"hasty": LogisticRegression(max_iter=2)}, X, y)
    (note,) = [note for note in verdict.notes if "ConvergenceWarning" in note]
    assert note.endswith("(hasty in 10 fits)")


def test_study_file_is_reused(tmp_path):
    first = judge(CANDIDATES, X, y, study=tmp_path / "s")
    calls = []
    again = judge(CANDIDATES, X, y, study=tmp_path / "s", progress=lambda *now: calls.append(now))
    assert calls == [(30, 30, 0)]
    assert again.to_html() == first.to_html()


def test_frame_has_a_row_a_candidate():
    frame = judge({**CANDIDATES, "broken": Broken()}, X, y).to_frame()
    assert frame["candidate"].tolist() == [*CANDIDATES, "broken"]
    assert frame["n_failed"].tolist() == [0, 0, 0, 10]
    assert sorted(frame["place"].dropna()) == [1, 2, 3]
