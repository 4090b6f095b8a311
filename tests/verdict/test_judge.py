"""judge: what it says follows from the ledger alone."""

import json
import pickle
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from all_sentences import all_sentences
from kept_fits import judge_kept
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, matthews_corrcoef
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from turning_rows import turning

from polychotomy import for_tables, judge, multitest
from polychotomy.combination.advice import would_combining_help
from polychotomy.comparison import Criterion
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.study import Ledger, RepeatedFolds, Study
from polychotomy.validation import assess_trust
from polychotomy.verdict import Question, conclude

X, y = load_iris(return_X_y=True)
CANDIDATES = {
    "MAX": DummyClassifier(),
    "naive Bayes": GaussianNB(),
    "1-NN": KNeighborsClassifier(1),
}
EQUAL = 1 - np.eye(3)  # costs


class Broken(ClassifierMixin, BaseEstimator):
    """Never fits."""

    def fit(self, X, y):
        raise ValueError("cannot be fitted")

    def predict(self, X):
        return X


def quick(candidates, *data, **options):
    return judge_kept(candidates, *data, **{"anatomy": False, **options})


def test_the_papers_best_and_order_are_multitests():
    study = Study(CANDIDATES, X, y)
    with study.run() as ledger:
        errors = study.gather(ledger).fold_errors()[:, 0]
        verdict = conclude(study, ledger, Question(rule="paper"))
    expected = multitest(errors, names=list(CANDIDATES))
    assert verdict.best == expected.ordered_names[0]
    assert verdict.ordering.ordered_names == expected.ordered_names
    np.testing.assert_array_equal(verdict.ordering.edges, expected.edges)


def test_errors_agree_with_scikit_learn():
    verdict = quick(CANDIDATES, X, y, rule="paper")
    folds = RepeatedFolds().split(y, seed=0)[0]
    splits = [(np.flatnonzero(f != i), np.flatnonzero(f == i)) for f in folds for i in (0, 1)]
    for name, estimator in CANDIDATES.items():
        theirs = 1 - cross_val_score(estimator, X, y, cv=splits)
        assert verdict.candidate(name).error == pytest.approx(theirs.mean(), abs=1e-12)
        assert verdict.candidate(name).sd == pytest.approx(theirs.std(ddof=1), abs=1e-12)


def test_failed_candidate_is_left_out_and_named():
    verdict = quick({**CANDIDATES, "broken": Broken()}, X, y, rule="paper")
    assert verdict.best == quick(CANDIDATES, X, y, rule="paper").best
    assert "broken" not in verdict.ordering.names
    assert len(verdict.failures) == 10
    assert verdict.failures[0].cause == "ValueError: cannot be fitted"
    assert "broken (10 fits, ValueError: cannot be fitted)" in all_sentences(verdict)
    assert not verdict.is_clean
    broken = verdict.to_dict()["candidates"][3]
    nothing = dict.fromkeys(("error", "sd", "loss", "model_bytes"))
    assert broken == {"name": "broken", **nothing, "n_failed": 10}


def test_all_failed():
    with pytest.raises(LearnerError, match=r"every candidate failed.*ValueError: cannot be fitted"):
        judge({"broken": Broken()}, X, y)


@pytest.mark.parametrize("anatomy", [True, False])
def test_where_all_fail_the_notes_name_the_column(anatomy):
    frame = pd.DataFrame(X.copy(), columns=[f"size {i}" for i in range(X.shape[1])])
    frame.loc[3, "size 1"] = np.inf
    with pytest.raises(LearnerError, match=r"every candidate .* the table: .*'size 1' is infinite"):
        judge({"Bayes": GaussianNB()}, frame, y, anatomy=anatomy)


def test_several_runs_give_the_most_frequent_order():
    data, labels = load_wine(return_X_y=True)
    candidates = {"tree-like": KNeighborsClassifier(15), "Bayes": GaussianNB()}
    verdict = quick(candidates, data, labels, runs=5, rule="paper")
    assert sum(f.runs for f in verdict.frequencies) == 5
    assert verdict.frequencies[0].runs == max(f.runs for f in verdict.frequencies)
    assert verdict.ordering.ordered_names == verdict.frequencies[0].order
    alone = len(verdict.frequencies) == 1
    assert ("found in all 5 runs" if alone else "of 5 runs") in all_sentences(verdict)


def test_single_candidate():
    verdict = quick({"only": GaussianNB()}, X, y, rule="paper")
    assert verdict.best == "only"
    assert str(verdict.sentences()[0]) == "Use only."
    assert verdict.other_rule is None


def test_json_has_no_nan_and_keeps_clocks_apart():
    two = {name: CANDIDATES[name] for name in ("MAX", "naive Bayes")}
    one, two = (judge(two, X, y, rule="paper", against="MAX").to_dict() for _ in range(2))
    text = json.dumps(one, allow_nan=False)
    assert json.loads(text) == one
    kept = [{k: v for k, v in d.items() if k not in ("timings", "provenance")} for d in (one, two)]
    spent = [document.pop("spent") for document in kept]
    assert [(one["fits"], one["left_out"]) for one in spent] == [(one["timings"]["n_fits"], [])] * 2
    assert spent[0]["seconds"] >= one["timings"]["seconds"]
    assert kept[0] == kept[1]
    assert "seconds" not in json.dumps(kept[0])


def test_sentences_name_test_numbers_and_what_is_not_known():
    data, labels = load_wine(return_X_y=True)
    verdict = quick(
        {
            "MAX": DummyClassifier(),
            "naive Bayes": GaussianNB(),
            "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        },
        data,
        labels,
        rule="paper",
    )
    basis = " ".join(sentence.basis for sentence in verdict.sentences())
    assert "one-sided 5×2cv t test" in basis.lower()
    assert f"is {100 * verdict.candidate(verdict.best).error:.1f} %" in basis
    assert "guessing (p" in all_sentences(verdict)


def test_every_sentence_has_its_basis_and_its_place():
    verdict = judge_kept({**CANDIDATES, "broken": Broken()}, X, y, against="MAX", rule="paper")
    sections = {"which", "real", "price", "trust", "limits", "combining", "errors", "columns",
                "failed", "computed"}  # fmt: skip
    for sentence in verdict.sentences():
        assert sentence.section in sections
        assert len(sentence.basis) > 20
        assert sentence.emphasis in sentence.text
        assert sentence.text.endswith(".")
        assert "nan" not in f"{sentence.text} {sentence.basis}".split()
    assert {s.text for s in verdict.top()} <= {s.text for s in verdict.sentences()}


def test_trust_is_that_of_the_best_from_the_same_predictions():
    study = Study(CANDIDATES, X, y)
    with study.run() as ledger:
        expected = assess_trust(study.gather(ledger), "naive Bayes", random_state=0)
        verdict = conclude(study, ledger, Question(rule="paper"))
    assert verdict.best == "naive Bayes"
    assert verdict.trust.to_frame().equals(expected.to_frame())
    said = [one for one in verdict.sentences() if one.section == "trust"]
    assert said
    assert all(f"Mean confidence {expected.confidence:.3f}" in one.basis for one in said)


def test_combination_is_asked_of_the_same_predictions():
    study = Study(CANDIDATES, X, y)
    with study.run() as ledger:
        verdict = conclude(study, ledger)
        expected = would_combining_help(study.gather(ledger), over=verdict.best, level=0.8)
    assert verdict.combination.to_frame().equals(expected.to_frame())
    said = str(expected).replace(" -", " −")
    assert any(sentence.basis.startswith(said) for sentence in verdict.sentences())
    assert verdict.to_dict()["combination"]["difference"] == expected.difference


def test_one_candidate_cannot_be_combined_and_the_notes_say_so():
    verdict = quick({"only": GaussianNB()}, X, y, rule="paper")
    assert verdict.combination is None
    assert any("it takes two candidates" in note for note in verdict.notes)


def test_labels_only_are_said_to_be_no_probabilities():
    verdict = quick({"linear SVM": LinearSVC()}, X, y, rule="paper")
    assert "It gives labels only" in all_sentences(verdict)
    assert "CodedClassifier" in all_sentences(verdict)


def test_a_lower_mean_that_is_not_shown_is_left_open():
    # The preferred one is a little worse in every fold, but not shown to be.
    data, labels = load_wine(return_X_y=True)
    candidates = {"5 neighbours": KNeighborsClassifier(5), "1 neighbour": KNeighborsClassifier(1)}
    verdict = quick(candidates, data, labels, rule="paper")
    means = [verdict.candidate(name).error for name in candidates]
    assert verdict.best == "5 neighbours"
    assert means[1] < means[0]
    assert verdict.undecided.rival == "1 neighbour"
    text = all_sentences(verdict)
    assert "The data cannot tell 5 neighbours from 1 neighbour" in text
    assert verdict.other_rule.best == "1 neighbour"
    assert "would have chosen 1 neighbour on these folds" in text


def test_margin_takes_the_most_preferred_within_a_point_of_the_rest():
    data, labels = load_wine(return_X_y=True)
    candidates = {
        "MAX": DummyClassifier(),
        "5 neighbours": KNeighborsClassifier(5),
        "naive Bayes": GaussianNB(),
        "same again": GaussianNB(var_smoothing=1e-10),
    }
    verdict = quick(candidates, data, labels)
    means = np.array([verdict.candidate(name).error for name in candidates])
    assert verdict.plan["folds"] == 5
    within = [i for i in range(4) if (means[i] - means[i + 1 :] < 0.01).all()]
    assert verdict.best == list(candidates)[within[0]] == "naive Bayes"
    assert "A best guess, not a proof" in verdict.sentences()[0].basis
    assert verdict.differences.answers[2][3] == "undecided"  # 178 rows show no more
    # 178 rows on which they never differ: up to 3 in 178 may, which is more than a point.
    text = "same again did exactly as well in every fold, but 178 rows cannot show that they "
    assert f"{text}differ on less than 1.7 % of all" in all_sentences(verdict)
    assert "Practically equal" not in all_sentences(verdict)


def test_margin_uses_the_folds_of_all_runs():
    verdict = quick(CANDIDATES, X, y, runs=2)
    assert verdict.ordering.errors.shape == (3, 10, 5)
    assert "of 2 runs" not in all_sentences(verdict)


def test_unknown_rule():
    with pytest.raises(InvalidInput, match="rule is 'best'; expected 'margin' or 'paper'"):
        judge(CANDIDATES, X, y, rule="best")


def test_guessing_is_no_answer():
    noise = np.random.default_rng(0).normal(size=(60, 2))
    candidates = {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}
    verdict = judge_kept(candidates, noise, np.arange(60) % 2, rule="paper")
    assert verdict.best == "MAX"
    assert str(verdict.sentences()[0]) == "Nothing is shown to beat guessing."
    assert "Use MAX" not in all_sentences(verdict)
    assert verdict.anatomy is None, "what limits a guess is no question"
    assert any("the best candidate only guesses" in note for note in verdict.notes)


def test_guessing_is_expected_to_err_as_often_as_it_did():
    """It is left where nothing beats it, not chosen for its error: nothing is corrected."""
    twins, y = np.repeat(np.arange(10.0), 2)[:, None], np.arange(20) % 2  # of opposite classes
    candidates = {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}
    verdict = judge(candidates, twins, y, anatomy=False)
    assert verdict.best == "MAX"
    found = verdict.selected
    assert found.plain == found.corrected == found.expected == 0.5
    assert found.low < 0.35
    assert 0.65 < found.high < 0.9
    (own,) = [
        one for one in verdict.sentences() if one.text.startswith("Expect an error of 50.0 %")
    ]
    assert "corrected" not in own.text
    assert "not for its loss that guessing is left: nothing is corrected" in own.basis
    assert found.shares.sum() == pytest.approx(1)
    assert found.names == ("MAX", "1-NN")


def test_who_errs_just_alike_is_no_other_choice():
    """Under another name or not: the choice is no less steady for it."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = np.column_stack([y + rng.normal(0, 1.2, 120), rng.normal(size=120)])
    alone = judge({"Bayes": GaussianNB(), "1-NN": KNeighborsClassifier(1)}, X, y, anatomy=False)
    three = {f"Bayes {i}": GaussianNB() for i in range(3)} | {"1-NN": KNeighborsClassifier(1)}
    found = judge(three, X, y, anatomy=False).selected
    assert alone.best == "Bayes"
    assert found.shares[found.best] == pytest.approx(alone.selected.shares[0], abs=0.05)
    assert found.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize("turn", [True, False])
def test_whom_nobody_is_shown_to_beat_guessing_with_is_no_plain_answer(turn):
    candidates = {"MAX": DummyClassifier(), "Bayes": GaussianNB()}
    verdict = judge(candidates, *turning(turn), time=np.arange(240), anatomy=False)
    assert verdict.best == "Bayes"
    first = verdict.sentences()[0].text
    if turn:
        expected = verdict.selected.expected
        near = "if anything, use" if expected < verdict.candidate("MAX").loss else "closest is"
        assert first == f"Nothing is shown to beat guessing; {near} Bayes."
        assert f"beat guessing; {near} <a" in verdict.to_html()
    else:
        assert (first, verdict.unbeaten_guess) == ("Use Bayes.", None)


def test_nothing_is_left_open_where_the_best_has_the_lowest_mean():
    verdict = quick({"MAX": DummyClassifier(), "Bayes": GaussianNB()}, X, y, rule="paper")
    assert verdict.undecided is None


def test_warnings_of_learners_become_notes():
    verdict = quick({"hasty": LogisticRegression(max_iter=2)}, X, y)
    (note,) = [note for note in verdict.notes if "ConvergenceWarning" in note]
    assert note.endswith("(hasty in 5 fits)")


def test_study_file_is_reused(tmp_path):
    two = {name: CANDIDATES[name] for name in ("MAX", "naive Bayes")}
    asked = {"rule": "paper", "study": tmp_path / "s"}
    first = judge(two, X, y, **asked)
    calls = []
    again = judge(two, X, y, **asked, progress=calls.append)
    assert all(now.done == now.resumed for now in calls), "nothing is fitted again"
    assert (calls[0].done, calls[0].planned) == (20, 20)
    assert calls[-1].done == calls[-1].planned == first.timings.n_fits - 10
    assert again.to_dict() == first.to_dict()


def test_frame_has_a_row_a_candidate():
    frame = quick({**CANDIDATES, "broken": Broken()}, X, y).to_frame()
    assert frame["candidate"].tolist() == [*CANDIDATES, "broken"]
    *none, failed = frame["n_failed"].tolist()
    assert none == [0, 0, 0]
    assert failed in (5, 10, 15, 20, 25)  # every fold of as many repetitions as it took
    assert sorted(frame["place"].dropna()) == [1, 2, 3]


def test_a_candidate_that_is_not_there_is_said_to_be_none():
    verdict = quick({"MAX": DummyClassifier()}, X, y, rule="paper")
    with pytest.raises(InvalidInput, match="no candidate '1-NN'; expected one of MAX"):
        verdict.candidate("1-NN")


@pytest.mark.parametrize(
    "loss",
    ["log-loss", *(pytest.param(one, marks=pytest.mark.long) for one in ("auc", "brier")), EQUAL],
)
def test_other_losses_choose_too(loss):
    verdict = quick(CANDIDATES, X, y, loss=loss, rule="paper")
    assert verdict.best != "MAX"
    assert verdict.to_dict()["candidates"][0]["error"] == pytest.approx(2 / 3)
    assert (verdict.selected is None) == (verdict.criterion.name == "auc")
    json.dumps(verdict.to_dict(), allow_nan=False)


@pytest.mark.parametrize("loss", ["macro-f1", "mcc"])
def test_measures_are_of_all_rows_of_a_repetition(loss):
    measure = {"macro-f1": partial(f1_score, average="macro"), "mcc": matthews_corrcoef}[loss]
    rare = np.flatnonzero((y < 2) | (np.arange(150) % 5 == 0))
    study = Study(CANDIDATES, X[rare], y[rare])
    with study.run() as ledger:
        found = study.gather(ledger)
        verdict = conclude(study, ledger, Question(criterion=Criterion(name=loss)))
    for who, name in enumerate(CANDIDATES):
        expected = [1 - measure(found.y, labels) for labels in found.predicted[who, 0]]
        assert verdict.candidate(name).loss == pytest.approx(np.mean(expected), abs=0.003)
    assert verdict.best != "MAX"
    assert verdict.selected.low < verdict.candidate(verdict.best).loss < verdict.selected.high


def test_costs_change_the_choice():
    # Taking versicolor (1) for virginica (2) is free of cost: naive Bayes and 1-NN are equal.
    costs = 1.0 - np.eye(3)
    costs[1, 2] = costs[2, 1] = 0
    verdict = quick(CANDIDATES, X, y, loss=costs, rule="paper")
    assert verdict.candidate("1-NN").loss == 0
    assert verdict.candidate("1-NN").error > 0


def test_groups_are_kept_together_everywhere():
    groups = np.repeat(np.arange(50), 3)
    verdict = judge({"naive Bayes": GaussianNB()}, X, y, groups=groups, rule="paper")
    assert verdict.anatomy is not None
    twins = np.tile(X[::3], (2, 1)), np.tile(y[::3], 2), np.tile(np.arange(50), 2)
    apart = quick({"1-NN": CANDIDATES["1-NN"]}, *twins[:2], rule="paper")
    whole = quick({"1-NN": CANDIDATES["1-NN"]}, *twins[:2], groups=twins[2], rule="paper")
    assert apart.candidate("1-NN").error < whole.candidate("1-NN").error


def test_time_is_not_turned_back():
    order = np.random.default_rng(0).permutation(150)
    verdict = judge(CANDIDATES, X[order], y[order], time=np.arange(150))
    assert verdict.plan["name"] == "5 time folds"
    assert verdict.ordering.errors.shape == (3, 1, 5)
    assert verdict.anatomy is None
    assert any("order of time" in note for note in verdict.notes)
    assert verdict.best != "MAX"


def test_many_rows_in_order_of_time_are_split_once(monkeypatch, tmp_path):
    monkeypatch.setattr("polychotomy.verdict.question.ONE_SPLIT", 1000)
    rng = np.random.default_rng(0)
    y, time = rng.integers(2, size=1000), rng.permutation(1000)
    X = y[:, np.newaxis] + rng.normal(size=(1000, 2)) * (0.3 + (time > 850))[:, np.newaxis]
    who = {"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}
    file = tmp_path / "study"
    verdict = judge(who, X, y, time=time, anatomy=False, study=file)
    assert (verdict.plan["name"], verdict.in_time) == ("last 1/5 in time", True)
    assert verdict.judged_rows == 200
    assert np.isnan(verdict.wrong[time < 800]).all()
    assert verdict.folds_words == "5 parts of one test set"
    parts = [(time >= low) & (time < low + 40) for low in range(800, 1000, 40)]  # in order of time
    errors = verdict.ordering.errors[verdict.ordering.names.index("naive Bayes")].ravel()
    np.testing.assert_allclose(errors, [verdict.wrong[part].mean() for part in parts])
    assert verdict.drift is not None
    with (
        Ledger(file) as ledger,
        pytest.raises(InvalidInput, match="follow times of the rows, which a ledger does not tell"),
    ):
        judge(ledger)
    coarse = judge(who, X, y, time=time // 50, anatomy=False)  # a part would be a time
    assert coarse.plan["name"] == "5 time folds"


def test_preference_by_time_puts_the_fastest_first():
    slow = {"forest": RandomForestClassifier(10), "naive Bayes": GaussianNB()}
    verdict = quick(slow, X, y, prefer="time", rule="paper")
    assert verdict.ordering.names == ("naive Bayes", "forest")
    assert [c.name for c in verdict.candidates] == ["naive Bayes", "forest"]


def test_preference_by_memory_puts_the_smallest_first():
    large = {"1-NN": KNeighborsClassifier(1), "naive Bayes": GaussianNB()}
    verdict = quick(large, X, y, prefer="memory", rule="paper")
    assert verdict.ordering.names == ("naive Bayes", "1-NN")
    small, whole = (c.model_bytes for c in verdict.candidates)
    assert small < 75 * 4 * 8 < whole  # neighbours keep the training data: rows, columns, bytes
    assert verdict.price.model_bytes.tolist() == [small, whole]
    assert [c["model_bytes"] for c in verdict.to_dict()["candidates"]] == [small, whole]


def test_what_is_equal_and_much_cheaper_is_named():
    same = {"forest": RandomForestClassifier(25), "tree": DecisionTreeClassifier(max_depth=1)}
    easy = np.repeat([[0.0], [9.0]], 40, axis=0)
    verdict = quick(same, easy, np.repeat([0, 1], 40))
    assert verdict.best == "forest"
    (said,) = [s for s in verdict.sentences() if s.section == "price"]
    words = r"tree did as well in every fold and is [\d.]+ times cheaper"
    assert re.match(words, said.text), said.text
    shown = quick(same, np.tile(easy, (2, 1)), np.tile(np.repeat([0, 1], 40), 2), margin=0.04)
    (said,) = [s for s in shown.sentences() if s.section == "price"]
    assert re.match(r"tree is practically equal and [\d.]+ times cheaper", said.text), said.text


def test_gate():
    verdict = quick(CANDIDATES, X, y, against="naive Bayes", rule="paper")
    assert verdict.gate.passed
    assert verdict.is_clean


@pytest.mark.long
@pytest.mark.parametrize("against", ["MAX", "baseline"])
def test_gate_of_guessing(against):
    verdict = quick(CANDIDATES, X, y, against=against, rule="paper")
    assert verdict.gate.passed
    assert verdict.is_clean


def test_gate_not_passed():
    bad = {"old": GaussianNB(), "new": DummyClassifier()}
    verdict = quick(bad, X, y, against="old", rule="paper")
    assert not verdict.gate.passed
    assert not verdict.is_clean
    assert "The gate is not passed: new is shown to be worse than old" in all_sentences(verdict)


def test_a_gate_says_that_it_is_stricter_than_the_interval():
    verdict = quick({"old": GaussianNB(), "new": DummyClassifier()}, X, y, against="old")
    (gate,) = [one for one in verdict.sentences() if one.text.startswith("The gate is")]
    assert "two-sided: the gate asks in one direction, and so is stricter" in gate.basis


def test_gate_against_nobody():
    with pytest.raises(InvalidInput, match="against 'x' is none of the candidates"):
        quick(CANDIDATES, X, y, against="x")


def test_without_anatomy_it_is_said():
    verdict = quick(CANDIDATES, X, y, rule="paper")
    assert verdict.anatomy is None
    assert any("was not asked (--no-anatomy, or anatomy=False" in note for note in verdict.notes)


def test_markdown_and_notebook_are_harmless():
    verdict = quick({"<b>|x|": GaussianNB(), "MAX": DummyClassifier()}, X, y, rule="paper")
    assert "<b>" not in verdict.to_markdown().replace("\\<b\\>", "")
    assert "# Use \\<b\\>" in verdict.to_markdown()
    assert "<b>|x|" not in verdict._repr_html_()
    assert "&lt;b&gt;|x|" in verdict._repr_html_()


def test_a_leak_is_in_the_headline_and_warnings_come_first(tmp_path):
    numbers, kinds = load_iris(return_X_y=True, as_frame=True)
    table = numbers.assign(ward=kinds.map({0: "north", 1: "south", 2: "west"}))
    candidates = {"MAX": DummyClassifier(), "Bayes": for_tables(GaussianNB())}
    verdict = judge(candidates, table, kinds.rename("kind"), anatomy=False)
    top = len(verdict.top())
    first, *_, after = (one.text for one in verdict.sentences()[: top + 1])
    assert first == "Use Bayes, if 'ward' is known when you predict."
    assert after == (
        "Warning: 'ward' gives 'kind' away; unless it is known when you predict, judge again "
        "without it."
    )
    assert verdict.leaks == ("ward",)
    assert not any("gives 'kind' away" in note for note in verdict.remarks)
    assert pickle.loads(pickle.dumps(verdict)).leaks == ("ward",)
    verdict.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.index("Warning") < page.index("<h1") < page.index("is known when you predict.")
    table = page.partition("Test, numbers and assumption")[0]
    assert table.count("&#39;ward&#39; gives &#39;kind&#39; away") == 1
    for text in (str(verdict), verdict.to_markdown(), verdict._repr_html_()):
        assert text.index("Warning") < text.index("Use Bayes")
