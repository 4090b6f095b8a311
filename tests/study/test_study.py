"""A study: the same ledger whatever the workers, crashes and resumes."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, datetime
from threading import Lock

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from polychotomy.core.exceptions import InvalidInput, InvalidTable, StudyError
from polychotomy.study import RepeatedFolds, Study

X, y = load_iris(return_X_y=True)
CANDIDATES = {"MAX": DummyClassifier(), "forest": RandomForestClassifier(5)}


class Moody(ClassifierMixin, BaseEstimator):
    """Fails, or ends its process, in folds whose first row has an even sum."""

    def __init__(self, deadly=False):
        self.deadly = deadly

    def fit(self, X, y):
        if int(10 * X[0].sum()) % 2 == 0:
            if self.deadly:
                os._exit(7)
            raise FloatingPointError("bad mood")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def contents(path):
    """All but clocks and who ran it."""
    with sqlite3.connect(path) as connection:
        trials = connection.execute(
            "SELECT dataset, candidate, plan, run, repetition, fold, status, hard, cause, "
            "warnings, predicted, probabilities FROM trials ORDER BY 1, 2, 3, 4, 5, 6"
        ).fetchall()
        rest = [
            connection.execute(f"SELECT * FROM {table}").fetchall()
            for table in (
                "facts WHERE name <> 'driver' ORDER BY 1",
                "samples ORDER BY 1",
                "splits ORDER BY 1, 2, 3, 4",
            )
        ]
    connection.close()
    return trials, rest


def test_workers_do_not_change_the_ledger(tmp_path):
    Study(CANDIDATES, X, y).run(tmp_path / "one").close()
    Study(CANDIDATES, X, y).run(tmp_path / "two", n_jobs=2).close()
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_nothing_is_fitted_twice(tmp_path):
    Study(CANDIDATES, X, y).run(tmp_path / "s").close()
    before = (tmp_path / "s").read_bytes()
    calls = []
    Study(CANDIDATES, X, y).run(tmp_path / "s", progress=calls.append).close()
    assert [(now.done, now.planned, now.resumed) for now in calls] == [(20, 20, 20)]
    assert contents(tmp_path / "s")[0]
    assert len(before) == len((tmp_path / "s").read_bytes())


def test_a_failing_candidate_does_not_stop_the_others():
    candidates = {"MAX": DummyClassifier(), "moody": Moody()}
    with Study(candidates, X, y).run() as ledger:
        trials = ledger.trials()
    failed = [t for t in trials if t["status"] == "failed"]
    assert len(trials) == 20
    assert 0 < len(failed) < 10
    assert all(t["candidate"] == "moody" for t in failed)
    assert all(t["cause"] == "FloatingPointError: bad mood" for t in failed)


def test_a_candidate_that_ends_its_worker_is_a_row_too():
    candidates = {"MAX": DummyClassifier(), "deadly": Moody(deadly=True)}
    plan = RepeatedFolds(repetitions=2)
    with Study(candidates, X, y, plan=plan).run(n_jobs=2) as ledger:
        trials = ledger.trials()
    crashed = [t for t in trials if t["status"] == "crashed"]
    assert len(trials) == 8
    assert 0 < len(crashed) < 4
    assert {t["candidate"] for t in crashed} == {"deadly"}


SCRIPT = """
import sys
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from polychotomy.study import Study
X, y = load_iris(return_X_y=True)
study = Study({"MAX": DummyClassifier(), "forest": RandomForestClassifier(5)}, X, y)
study.run(sys.argv[1], progress=lambda now: print(now.done, flush=True)).close()
"""


@pytest.mark.long
def test_killed_driver_resumes_to_the_same_ledger(tmp_path):
    Study(CANDIDATES, X, y).run(tmp_path / "calm").close()
    for stop_after in (3, 11):
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(tmp_path / "killed")], stdout=subprocess.PIPE
        )
        for line in process.stdout:
            if int(line.split()[0]) >= stop_after:
                break
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    Study(CANDIDATES, X, y).run(tmp_path / "killed").close()
    assert contents(tmp_path / "killed") == contents(tmp_path / "calm")


@pytest.mark.long
def test_a_second_driver_is_told_who_holds_the_study(tmp_path):
    with Study(CANDIDATES, X, y).run(tmp_path / "s"):
        result = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path / "s")], capture_output=True, text=True
        )
    assert result.returncode != 0
    assert f"is being run by process {os.getpid()} on" in result.stderr
    assert f"since {datetime.now(UTC).year}-" in result.stderr


@pytest.mark.long
def test_a_dead_drivers_hold_ends_with_it(tmp_path):
    waiting = "; print('held', flush=True); import time; time.sleep(99)"
    holding = SCRIPT.replace("study.run(", "ledger = study.run(").replace(".close()", waiting)
    process = subprocess.Popen(
        [sys.executable, "-c", holding, str(tmp_path / "s")], stdout=subprocess.PIPE, text=True
    )
    assert any("held" in line for line in process.stdout)
    with pytest.raises(StudyError, match=f"process {process.pid} on"):
        Study(CANDIDATES, X, y).run(tmp_path / "s")
    process.kill()
    process.wait()
    process.stdout.close()
    Study(CANDIDATES, X, y).run(tmp_path / "s").close()
    assert os.listdir(tmp_path) == ["s"]


def test_what_was_finished_is_kept_on_an_interrupt(tmp_path):
    def interrupt(now):
        if now.done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Study(CANDIDATES, X, y).run(tmp_path / "s", progress=interrupt)
    assert len(contents(tmp_path / "s")[0]) == 7


def test_results_are_written_as_they_come(tmp_path):
    seen = []

    def look(now):
        time.sleep(0.05)
        with sqlite3.connect(tmp_path / "s") as reader:
            seen.append(reader.execute("SELECT count(*) FROM trials").fetchone()[0])
        reader.close()

    Study(CANDIDATES, X, y).run(tmp_path / "s", progress=look).close()
    assert any(0 < count < 20 for count in seen)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"candidates": {}}, "candidates is {}; expected {name: classifier}"),
        (
            {"candidates": [DummyClassifier()]},
            r"is \[DummyClassifier\(\)\]; expected {name: ",
        ),
        (
            {"candidates": {"../../x": DummyClassifier()}},
            "named '../../x'; expected text",
        ),
        ({"candidates": {"a\nb": DummyClassifier()}}, "control characters"),
        ({"candidates": {" ": DummyClassifier()}}, "text that is not empty"),
        ({"candidates": {"a": DummyClassifier}}, "expected a classifier, an object with fit"),
        ({"candidates": {"a": 3}}, "the candidate 'a' is 3; expected a classifier"),
        ({"X": X[:-1]}, r"X has shape \(149, 4\) and y has 150 labels"),
        ({"random_state": None}, "random_state is None; expected an int of at least 0"),
    ],
)
def test_bad_studies_are_refused_before_the_first_fit(changes, message):
    with pytest.raises(InvalidInput, match=message):
        Study(**({"candidates": CANDIDATES, "X": X, "y": y} | changes))


def test_rare_class_is_refused():
    with pytest.raises(InvalidTable, match="'7' has 1; the folds need at least 2"):
        Study(CANDIDATES, X, np.where(np.arange(150) == 3, 7, y))


def test_what_no_worker_could_receive_is_refused_before_the_first_fit(tmp_path):
    locked = make_pipeline(FunctionTransformer(Lock().acquire), DummyClassifier())
    with pytest.raises(InvalidInput, match=r"'locked' cannot be sent to a worker"):
        Study({"locked": locked}, X, y).run(tmp_path / "s")
    assert os.listdir(tmp_path) == []
    pipeline = make_pipeline(FunctionTransformer(lambda X: X), DummyClassifier())
    with Study({"lambda": pipeline}, X, y).run(tmp_path / "s", n_jobs=2) as ledger:
        assert {trial["status"] for trial in ledger.trials()} == {"ok"}


def test_bad_number_of_workers():
    with pytest.raises(InvalidInput, match="n_jobs is 0"):
        Study(CANDIDATES, X, y).run(n_jobs=0)


def test_lists_will_do():
    with Study({"1-NN": KNeighborsClassifier(1)}, X.tolist(), y.tolist()).run() as ledger:
        assert len(ledger.finished()) == 10
