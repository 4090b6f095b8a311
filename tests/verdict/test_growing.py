"""A study grows by repetitions only while another drawing of the folds may change the choice."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy import judge
from polychotomy.core.arguments import read_duration
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Ledger, RepeatedFolds, Study
from polychotomy.study.progress import Progress, record
from polychotomy.study.workers.runner import run_trials
from polychotomy.verdict.choosing import steadiness
from polychotomy.verdict.conclusions import conclude
from polychotomy.verdict.question import Question, plan_of, read_plan
from polychotomy.verdict.running import interrupting_at, so_far, with_runs


def lowest(errors):
    return errors.mean(axis=(-1, -2)).argmin(axis=-1)


def wrong(rng, shares, repetitions, n, flips):
    """0/1 losses of candidates whose rows are wrong alike in all repetitions, but for flips."""
    base = rng.random((len(shares), 1, n)) < np.reshape(shares, (-1, 1, 1))
    return (base ^ (rng.random((len(shares), repetitions, n)) < flips)).astype(float)


def in_folds(cases):
    return cases.reshape(*cases.shape[:2], 5, -1).mean(axis=-1)


@pytest.mark.parametrize("repetitions", [1, 2, 5])
def test_what_is_far_apart_is_steady_and_a_tie_is_not(repetitions):
    rng = np.random.default_rng(0)
    apart = wrong(rng, [0.4, 0.1], repetitions, 500, 0.1)
    assert steadiness(in_folds(apart), apart, lowest) == 1.0
    shares = []
    for _ in range(40):  # wrong on the same rows, but for the luck of the folds
        tie = np.repeat(wrong(rng, [0.2], 1, 500, 0.0), 2, axis=0).repeat(repetitions, axis=1)
        tie = np.abs(tie - (rng.random(tie.shape) < 0.2))
        shares.append(steadiness(in_folds(tie), tie, lowest))
    assert 0.6 < np.mean(shares) < 0.9


def test_steadiness_is_how_often_all_drawings_of_the_folds_choose_alike():
    """Of many tables: the share on which the mean over all drawings leads to the same choice."""
    rng = np.random.default_rng(1)
    said, alike = [], []
    for _ in range(300):
        chances = rng.beta(0.3, 0.8, size=(2, 400))  # of each row to be wrong, by the folds' luck
        cases = (rng.random((3, 2, 400)) < chances).astype(float).swapaxes(0, 1)
        said.append(steadiness(in_folds(cases), cases, lowest))
        alike.append(cases.mean(axis=(1, 2)).argmin() == chances.mean(axis=1).argmin())
    assert np.mean(said) == pytest.approx(np.mean(alike), abs=0.06)
    sure = np.asarray(said) > 0.9
    assert np.mean(np.asarray(alike)[sure]) > 0.88


def test_a_clear_choice_takes_one_repetition():
    X, y = load_iris(return_X_y=True)
    verdict = judge({"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}, X, y, anatomy=False)
    assert verdict.plan["runs"] == 1
    assert verdict.plan["name"] == "1x5 folds"
    assert verdict.plan_words == "1×5 folds"


def test_an_unclear_one_takes_more_and_ends_like_a_study_of_as_many(tmp_path):
    X, y = make_classification(90, 6, n_informative=3, flip_y=0.2, random_state=3)
    who = {"tree": DecisionTreeClassifier(random_state=0), "1-NN": KNeighborsClassifier(1),
           "5-NN": KNeighborsClassifier(5), "naive Bayes": GaussianNB()}  # fmt: skip
    grown = judge(who, X, y, anatomy=False, study=tmp_path / "study")
    runs = grown.plan["runs"]
    assert 1 < runs <= 5
    words = f"5 folds, drawn {runs} times"
    assert grown.plan_words == grown.to_dict()["plan_words"] == words
    told = " ".join(f"{one.text} {one.basis}" for one in grown.sentences())
    assert f"over {5 * runs} folds ({words}) is" in told
    assert f"The candidates were compared on {words}: {5 * runs * len(who)} fits" in told
    assert f">{words}<" in grown.to_html()
    assert "1×5" not in told + grown.to_html()
    fixed = RepeatedFolds(repetitions=1, folds=5, runs=grown.plan["runs"])
    same = judge(who, X, y, anatomy=False, plan=fixed)
    assert same.best == grown.best
    np.testing.assert_array_equal(same.differences.low, grown.differences.low)
    with Ledger(tmp_path / "study") as ledger:
        fits = len(ledger.trials())
    judge(who, X, y, anatomy=False, study=tmp_path / "study")
    with Ledger(tmp_path / "study") as ledger:
        assert len(ledger.trials()) == fits  # resumed: it settles where it settled


def test_a_plan_that_is_asked_for_is_kept():
    X, y = load_iris(return_X_y=True)
    verdict = judge({"naive Bayes": GaussianNB()}, X, y, anatomy=False, plan="2x3")
    assert verdict.ordering.errors.shape[1:] == (2, 3)
    assert verdict.plan_words == "2×3 folds"
    twice = judge({"naive Bayes": GaussianNB()}, X, y, anatomy=False, plan="2x3", runs=2)
    assert twice.plan_words == "2×3 folds, 2 runs"


def test_plans_and_most_runs():
    assert plan_of("margin") == (RepeatedFolds(repetitions=1, folds=5), 5)
    assert plan_of("paper")[1] == plan_of("margin", 2)[1] == plan_of("margin", race=True)[1] == 1
    assert plan_of("margin", race=True)[0].name == "5x5 folds"


@pytest.mark.parametrize("text", ["5", "5x1", "x5", "five by five", "0x5", "5x5x5"])
def test_a_plan_that_is_none(text):
    with pytest.raises(InvalidInput, match="expected repetitions x folds"):
        read_plan(text)


@pytest.mark.parametrize("text", ["", "0", "ten", "10 days", "-5s", "1e3"])
def test_a_budget_that_is_none(text):
    with pytest.raises(InvalidInput, match="expected a time"):
        read_duration(text)


def test_so_far_counts_what_all_have(tmp_path):
    X, y = load_iris(return_X_y=True)
    plan = RepeatedFolds(repetitions=1, folds=5)
    both = Study({"a": GaussianNB(), "b": DummyClassifier()}, X, y, plan=plan)
    alone = Study({"a": GaussianNB()}, X, y, plan=plan)
    with Ledger(None) as ledger:
        with_runs(alone, 3).run(ledger)
        part, left_out = so_far(both, ledger, Question())
        assert (list(part.candidates), part.plan.runs) == (["a"], 3)
        assert [one.name for one in left_out] == ["b"]
        with_runs(both, 2).run(ledger)
        part, left_out = so_far(both, ledger, Question())
        assert (list(part.candidates), part.plan.runs, left_out) == (["a", "b"], 2, ())


def finish(ledger, study, some):
    """Run some of a study's fits into a ledger: the trials for which ``some`` is true."""
    work, to_do, planned = study.begin(ledger)
    outcomes = run_trials(work, [key for key in to_do if some(key)])
    record(ledger, outcomes, Progress(done=0, planned=planned), lambda now: None)


def test_so_far_of_a_plan_that_was_asked_for():
    X, y = load_iris(return_X_y=True)
    who = {"MAX": DummyClassifier(), "a": GaussianNB(), "b": KNeighborsClassifier(5)}
    study = Study(who, X, y, plan=RepeatedFolds(repetitions=3, folds=4))
    with Ledger(None) as ledger:
        finish(ledger, study, lambda key: key.repetition == 0 and key.candidate == "MAX")
        assert so_far(study, ledger, Question(), grows=False) is None  # guesses are no choice
        finish(ledger, study, lambda key: key.repetition == 0 and key.candidate == "a")
        part, left_out = so_far(study, ledger, Question(), grows=False)
        assert (list(part.candidates), [one.name for one in left_out]) == (["MAX", "a"], ["b"])
        finish(ledger, study, lambda key: key.repetition < 2 or key.fold == 0)
        assert so_far(study, ledger, Question(rule="paper"), grows=False) is None
        part, left_out = so_far(study, ledger, Question(), grows=False)
        assert (part.plan.repetitions, part.plan.name, left_out) == (2, "3x4 folds", ())
        verdict = conclude(part, ledger)
        same = judge(who, X, y, anatomy=False, plan="2x4")
        np.testing.assert_array_equal(verdict.differences.low, same.differences.low)
        np.testing.assert_array_equal(verdict.ordering.errors, same.ordering.errors)
        assert verdict.plan_words == "3×4 folds, the first 2 repetitions"
        finish(ledger, study, lambda key: True)
        assert so_far(study, ledger, Question(), grows=False)[0].plan is study.plan
        with_runs(study, 2).run(ledger)  # more than was asked for
        assert so_far(study, ledger, Question(), grows=False)[0].plan.runs == 1


def test_so_far_of_a_race_counts_those_that_run():
    X, y = load_iris(return_X_y=True)
    who = {"naive Bayes": GaussianNB(), "MAX": DummyClassifier()}
    study = Study(who, X, y, plan=RepeatedFolds(repetitions=5, folds=5))
    with Ledger(None) as ledger:
        finish(ledger, study, lambda key: key.repetition < (4 if key.candidate != "MAX" else 2))
        reason = {"better": "naive Bayes", "error": 0.6, "better_error": 0.1, "pvalue": 1e-9}
        facts = {"dataset": "data", "plan": "5x5 folds", "candidate": "MAX", "repetitions": 2}
        levels = {"level": 1e-4, "alpha": 0.05, "of": 5, "reason": "worse"}
        ledger.stop_candidates([facts | reason | levels])
        question = Question(race=True)
        part, left_out = so_far(study, ledger, question, grows=False)
        assert (part.plan.repetitions, list(part.candidates), left_out) == (4, list(who), ())
        verdict = conclude(part, ledger, question)
    assert "MAX after 2 of 5 repetitions" in str(verdict)


_SLOW = """
import pathlib, time
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
class Sleepy(GaussianNB):
    def fit(self, X, y):
        with pathlib.Path({fits!r}).open("a") as file:
            file.write("x")
        endless = pathlib.Path({fits!r}).stat().st_size > {last}
        time.sleep(600 if endless else 0.25)  # longer than a batch lasts: each is recorded alone
        return super().fit(X, y)
candidates = {{"MAX": DummyClassifier(), "sleepy": Sleepy()}}
"""


def begin(folder, *more, last=10):
    """The command, judging iris, in its own process; a candidate's fits after the last never end.

    By ten it is fitted once in all folds and to find out how long a fit takes.
    """
    X, y = load_iris(return_X_y=True, as_frame=True)
    pd.concat([X, y.rename("kind")], axis=1).to_csv(folder / "iris.csv", index=False)
    (folder / "mine.py").write_text(_SLOW.format(fits=str(folder / "fits"), last=last))
    command = [sys.executable, "-m", "polychotomy", "judge", "iris.csv", "--target", "kind"]
    command += ["--candidates", "mine.py", "--jobs", "1", *more]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=folder, **pipes, start_new_session=True)


def stop(process, folder, *, last=10):
    """Press Ctrl-C twice in the fit that never ends; return what is printed."""
    fits = folder / "fits"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (fits.exists() and fits.stat().st_size > last):
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)  # once would wait for the fit that is running
    time.sleep(2)
    os.kill(process.pid, signal.SIGINT)
    said, told = process.communicate(timeout=120)
    assert process.returncode == 130, told
    return said, told


@pytest.mark.long
def test_whoever_stops_it_gets_the_verdict_so_far(tmp_path):
    said, _ = stop(begin(tmp_path, "--study", "study"), tmp_path)
    assert said.startswith("Use sleepy.")
    assert "this is the verdict so far, as somebody stopped it" in said
    assert "of two equal 1-NN, 8 to 11 in 100 are yet called different" in " ".join(said.split())
    assert (tmp_path / "iris-verdict.html").exists()


@pytest.mark.long
@pytest.mark.parametrize(("last", "made"), [(14, ", by [12] of 3 repetitions,"), (20, ",")])
def test_so_does_whoever_stops_a_plan_that_was_asked_for(tmp_path, last, made):
    """In the third repetition, and in the fits that ask what limits the winner."""
    process = begin(tmp_path, "--plan", "3x5", "--anatomy", last=last)
    said, _ = stop(process, tmp_path, last=last)
    assert said.startswith("Use sleepy.")
    assert re.search(f"this is the verdict so far{made} as somebody stopped it", said)
    assert (tmp_path / "iris-verdict.html").exists()


@pytest.mark.long
def test_stopped_too_early_it_says_that_there_is_no_verdict(tmp_path):
    said, told = stop(begin(tmp_path, "--plan", "3x5", last=3), tmp_path, last=3)
    assert not said
    assert "there is no verdict yet, as no candidate has one repetition of the folds; with" in told


@pytest.mark.long
@pytest.mark.parametrize("more", [(), ("--plan", "2x5")])
def test_a_budget_ends_it_within_a_fit_with_what_there_is(tmp_path, more):
    process = begin(tmp_path, "--budget", "30s", *more)
    said, told = process.communicate(timeout=200)
    assert process.returncode == 0, told
    assert said.startswith("Use sleepy.")
    assert "the verdict so far" in said
    assert "as its 30 s are over" in said


def test_interruptions_end_with_what_they_interrupt():
    for wait in (-1.0, *np.linspace(0, 0.02, 50)):
        with suppress(KeyboardInterrupt), interrupting_at(time.monotonic() + wait, 0.01):
            time.sleep(0.01)
        count = threading.active_count()
        time.sleep(0.02)  # nothing comes
        assert threading.active_count() == count
    came = 0
    # Not at once, nor soon one after the other: on a busy machine the next line takes its time.
    with suppress(KeyboardInterrupt), interrupting_at(time.monotonic() + 1, 1):
        with suppress(KeyboardInterrupt):
            deaf_for(60)
        came += 1
        deaf_for(60)
        came += 1
    assert came == 1


def deaf_for(seconds):
    """A signal that another thread raises does not end a sleep."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.005)


@pytest.mark.long
def test_a_budget_that_is_too_small_is_an_error_in_words(tmp_path):
    process = begin(tmp_path, "--budget", "15s", last=3)
    said, told = process.communicate(timeout=200)
    assert (process.returncode, said) == (1, "")
    assert "its 15 s are over; there is no verdict yet, as no candidate has one repetition" in told
