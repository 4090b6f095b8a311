"""The pool: what workers receive, what they say, and what becomes of those that cannot start."""

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from hostile import Hostile, study_of
from sklearn.dummy import DummyClassifier

from polychotomy.core.exceptions import StudyError
from polychotomy.study.design.candidates import choose
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.study import Study, plan_trials
from polychotomy.study.workers import processes
from polychotomy.study.workers.batching import sorted_by_training_set
from polychotomy.study.workers.pool import Pool
from polychotomy.study.workers.processes import Gone
from polychotomy.study.workers.protocol import pack, send_setup
from polychotomy.study.workers.worker import load_work


def work_of(candidates, **plan):
    work = study_of(candidates, **plan).work()
    return work, list(plan_trials(work.datasets, work.candidates, work.plans))


class Unloadable(DummyClassifier):
    """What no process can unpickle."""

    def __setstate__(self, state):
        raise ImportError("not there")


class Noting(BytesIO):
    """Keeps what is written as it is given."""

    def __init__(self):
        super().__init__()
        self.written = []

    def write(self, data):
        self.written.append(data)
        return super().write(data)


@pytest.mark.parametrize("frame", [False, True])
def test_a_table_is_sent_without_being_copied_before(frame):
    X = np.arange(80_000.0).reshape(-1, 4)
    study = Study({"MAX": DummyClassifier()}, pd.DataFrame(X) if frame else X, [0, 1] * 10_000)
    setup = pack(study.work(), Limits())
    pipe = Noting()
    send_setup(pipe, setup)
    large = [one for one in pipe.written if memoryview(one).nbytes >= X.nbytes]
    assert [np.shares_memory(np.frombuffer(one), study.X) for one in large] == [True]
    pipe.seek(0)
    found = load_work(pickle.load(pipe), pipe).datasets["data"]
    np.testing.assert_array_equal(found.X, X)
    found.X[:1] = 0  # it can be written to, as any other table


SCRIPT = """
import sys
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from polychotomy.study import Study

class Mine(DummyClassifier):  # of the script itself, which has no "if __name__"
    def fit(self, X, y):
        print("x" * 10**6)
        print("x" * 10**6, file=sys.stderr)
        return super().fit(X, y)

print("script")
with Study({"mine": Mine()}, *load_iris(return_X_y=True)).run(n_jobs=2) as ledger:
    print({trial["status"] for trial in ledger.trials()}, len(ledger.trials()))
"""


@pytest.mark.long
def test_classes_of_a_script_work_and_what_they_print_floods_nobody():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.stdout == "script\n{'ok'} 10\n", done.stderr
    assert done.stderr == ""


def test_one_pool_may_serve_twice():
    work, keys = work_of({"MAX": DummyClassifier()})
    with Pool(pack(work, Limits()), 1) as pool:
        first = [outcome.key for outcome in filter(None, pool.run(keys[:3]))]
        second = [outcome.key for outcome in filter(None, pool.run(keys[3:]))]
    assert first + second == sorted_by_training_set(keys)


@pytest.mark.long
def test_where_no_process_can_be_copied_every_worker_loads_for_itself():
    work, keys = work_of({"MAX": DummyClassifier(), "ends": Hostile("end_process")}, repetitions=1)
    with Pool(pack(work, Limits(seconds=30)), 1) as pool:
        pool._forks = False
        outcomes = {outcome.key: outcome.status for outcome in filter(None, pool.run(keys))}
    assert sorted(outcomes) == sorted(keys)
    assert sorted(outcomes.values()) == ["crashed", "ok", "ok", "ok"]


@pytest.mark.long
def test_a_study_server_with_threads_declines(monkeypatch, tmp_path):
    (tmp_path / "threaded.py").write_text(
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=[99], daemon=True).start()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    work, keys = work_of({"MAX": DummyClassifier()}, repetitions=1)
    loads = b"cthreaded\n__name__\n0" + pickle.dumps(replace(work, candidates={}, datasets={}))
    with Pool(pack(work, Limits())._replace(work=loads), 1) as pool:
        assert [outcome.status for outcome in filter(None, pool.run(keys))] == ["ok", "ok"]
        assert not pool._forks


@pytest.mark.skipif(sys.platform != "linux", reason="there are no fork servers elsewhere")
def test_libraries_that_are_installed_here_do_not_forbid_to_copy_processes():
    """Skrub imports polars where it can, whose thread once made every worker load for itself."""
    work, keys = work_of(choose(["MAX", "logistic"]), repetitions=1)
    with Pool(pack(work, Limits()), 1) as pool:
        assert [outcome.status for outcome in filter(None, pool.run(keys))] == ["ok"] * 4
        assert pool._forks


@pytest.mark.parametrize("text", [False, True])
def test_skrub_is_loaded_where_a_column_is_no_number(text):
    """It takes as long as scikit-learn; its version counts in any case."""
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [*("xxyy" if text else range(4))]})
    study = Study(choose(["logistic"]), table, list("abab"))
    assert ("skrub" in pack(study.work(), Limits()).modules) == text
    assert "skrub" in study.specification["versions"]


def test_a_candidate_that_cannot_be_loaded_fails_alone():
    work, keys = work_of({"MAX": DummyClassifier(), "bad": Unloadable()}, repetitions=1)
    with Pool(pack(work, Limits()), 1) as pool:
        found = {one.key.candidate: one for one in filter(None, pool.run(keys))}
    assert found["MAX"].status == "ok"
    assert (found["bad"].status, found["bad"].cause) == ("failed", "ImportError: not there")


def test_what_a_worker_cannot_load_is_said():
    work, keys = work_of({"MAX": DummyClassifier()})
    setup = pack(work, Limits())._replace(work=b"cnowhere_to_be_found\nThing\n.")
    with (
        pytest.raises(StudyError, match=r"cannot load the candidates .* 'nowhere_to_be_found'"),
        Pool(setup, 1) as pool,
    ):
        list(filter(None, pool.run(keys)))


def test_a_worker_with_other_versions_is_refused():
    work, keys = work_of({"MAX": DummyClassifier()})
    setup = pack(work, Limits())
    setup = setup._replace(versions=setup.versions | {"scipy": "0.1"})
    with (
        pytest.raises(StudyError, match=r"it has scipy .*, and the driver has scipy 0\.1"),
        Pool(setup, 1) as pool,
    ):
        list(filter(None, pool.run(keys)))


@pytest.mark.parametrize("program", ["_SERVER", "_WORKER"])
def test_workers_that_cannot_start_are_given_up(monkeypatch, program):
    monkeypatch.setattr(processes.ForkServer, "_running", None)
    monkeypatch.setattr(processes, program, "import sys; sys.exit(5)")
    work, keys = work_of({"MAX": DummyClassifier()})
    pool = Pool(pack(work, Limits()), 1)
    pool._forks = program == "_SERVER"
    with (
        pytest.raises(StudyError, match=r"3 worker processes ended before .* with exit code 5"),
        pool,
    ):
        list(filter(None, pool.run(keys)))
    processes.ForkServer.stop()


class Unreadable(DummyClassifier):
    """Raises, or ends the process, where it is read from its pickle."""

    def __init__(self, ends=False):
        super().__init__()
        self.ends = ends

    def __setstate__(self, state):
        if state["ends"]:
            os._exit(6)
        raise ValueError("not here")


@pytest.mark.parametrize(
    ("ends", "status", "cause"),
    [(False, "failed", "ValueError: not here"), (True, "crashed", "exit code 6, before it was")],
)
def test_a_candidate_that_cannot_be_loaded_harms_itself_alone(ends, status, cause):
    work, keys = work_of({"MAX": DummyClassifier(), "bad": Unreadable(ends)}, repetitions=1)
    with Pool(pack(work, Limits()), 1) as pool:
        outcomes = list(filter(None, pool.run(keys)))
    assert sorted(outcome.key for outcome in outcomes) == sorted(keys)
    for outcome in outcomes:
        assert outcome.status == ("ok" if outcome.candidate == "MAX" else status)
        assert outcome.status == "ok" or cause in outcome.cause


def test_a_fit_over_the_limit_is_a_timeout_even_if_it_ends():
    """Between two looks at the clock a fit may finish late; it is held to the limit as well."""
    work, keys = work_of({"slow": Hostile(seconds=0.2)}, repetitions=1)
    with Pool(pack(work, Limits(seconds=0.15)), 1) as pool:
        outcomes = list(filter(None, pool.run(keys)))
    assert [outcome.status for outcome in outcomes] == ["timeout"] * 2


@pytest.mark.parametrize(
    ("returncode", "words"),
    [
        (7, "ended by itself with exit code 7"),
        (0, "ended by itself with exit code 0"),
        (-11, "ended by SIGSEGV"),
        (-9, "ended by SIGKILL (out of memory, or killed by somebody)"),
        (-77, "ended by signal 77"),
    ],
)
def test_how_a_process_ended(returncode, words):
    assert words in str(Gone(returncode))
