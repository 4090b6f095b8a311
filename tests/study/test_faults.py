"""What a study survives: real processes, real signals, real files."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile import (
    Hostile,
    calm_candidates,
    contents,
    descendants_of,
    study_of,
    wait_until,
)
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from polychotomy.study import Ledger
from polychotomy.study.fitting.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

DEEDS = {
    "raises": ("raise_error", "failed", "FloatingPointError: not today"),
    "leaves": ("leave", "failed", "SystemExit: 3"),
    "hangs": ("hang", "timeout", "not done within the time limit of 4 seconds"),
    "spins": ("spin", "timeout", "not done within the time limit of 4 seconds"),
    "eats": ("eat", "failed", "(the memory limit is 0.195 GiB a fit)"),
    "ends": ("end_process", "crashed", "ended by itself with exit code 7"),
    "segfaults": ("segfault", "crashed", "ended by SIGSEGV"),
}
LIMITS = Limits(seconds=4, memory=200 * 2**20)


def hostile_study(names, **plan):
    hostile = {name: Hostile(DEEDS[name][0]) for name in names}
    return study_of({"MAX": DummyClassifier(), **hostile}, **plan)


def check_hostile(ledger, names):
    trials = ledger.trials()
    assert len(trials) == 2 * (1 + len(names))
    for trial in trials:
        bad = trial["status"] != "ok"
        if trial["candidate"] == "MAX":
            assert not bad
        elif bad:
            _, status, cause = DEEDS[trial["candidate"]]
            assert trial["status"] == status
            assert cause in trial["cause"]
    failed = [trial["candidate"] for trial in trials if trial["status"] != "ok"]
    assert sorted(failed) == sorted(names)  # one fold of two each


@pytest.mark.parametrize(
    ("names", "n_jobs"),
    [
        (["raises", "leaves", "hangs", "eats", "ends", "segfaults"], 2),
        pytest.param(list(DEEDS), 1, marks=pytest.mark.long),
    ],
)
def test_a_hostile_candidate_is_a_row_and_all_others_finish(names, n_jobs):
    study = hostile_study(names, repetitions=1)
    with study.run(n_jobs=n_jobs, limits=LIMITS) as ledger:
        check_hostile(ledger, names)


MISBEHAVED = """
import os
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

class Raises(DummyClassifier):
    def fit(self, X, y):
        raise FloatingPointError("not today")

class Ends(DummyClassifier):
    def fit(self, X, y):
        os._exit(7)

candidates = {"MAX": DummyClassifier(), "good": GaussianNB(), "raises": Raises(), "ends": Ends()}
"""


@pytest.mark.parametrize(
    ("names", "code"), [(["raises", "ends"], 1), pytest.param([], 0, marks=pytest.mark.long)]
)
def test_the_exit_code_tells_when_a_fit_fails(run, tmp_path, names, code):
    load_iris(as_frame=True).frame.to_csv(tmp_path / "plants.csv", index=False)
    kept = f"candidates = {{n: candidates[n] for n in ['MAX', 'good', *{names}]}}\n"
    (tmp_path / "mine.py").write_text(MISBEHAVED + kept)
    asked = ["--candidates", "mine.py", "--no-anatomy", "--json", "--jobs", "1"]
    found = run("judge", "plants.csv", "--target", "target", *asked, cwd=tmp_path)
    assert found.returncode == code, found.stderr
    document = json.loads(found.stdout)
    assert document["best"] == "good"
    assert {failure["candidate"] for failure in document["failures"]} == set(names)


@pytest.mark.long
def test_what_batch_mates_do_is_not_held_against_a_trial(tmp_path):
    """Trials of a millisecond share batches of hundreds with one that ends the process."""
    candidates = {"MAX": DummyClassifier(), "ends": Hostile("end_process")}
    with study_of(candidates, repetitions=1, runs=1).run(n_jobs=2) as ledger:
        crashed = [t for t in ledger.trials() if t["status"] == "crashed"]
    assert [t["candidate"] for t in crashed] == ["ends"]
    assert "tried 2 times, the last time alone" in crashed[0]["details"]


DRIVER = """
import sys
sys.path.insert(0, sys.argv[1])
from hostile import *
candidates = {"MAX": DummyClassifier(), "slow": Hostile(seconds=float(sys.argv[4]))}
study = study_of(candidates)
study.run(sys.argv[2], n_jobs=int(sys.argv[3]), progress=lambda now: print(now.done, flush=True))
"""


def start_driver(path, *, n_jobs, seconds):
    arguments = [str(Path(__file__).parent), str(path), str(n_jobs), str(seconds)]
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(process, done):
    for line in process.stdout:
        if int(line) >= done:
            return


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_ctrl_c_once_finishes_what_is_running_and_tells_how_to_go_on(tmp_path, n_jobs):
    driver = start_driver(tmp_path / "s", n_jobs=n_jobs, seconds=1.0)
    wait_for(driver, 3)
    time.sleep(0.5)  # into the next slow fit
    driver.send_signal(signal.SIGINT)
    _, errors = driver.communicate(timeout=250)
    assert driver.returncode != 0
    assert "finishing the fits that are running; Ctrl-C again stops now" in errors
    with Ledger(tmp_path / "s") as ledger:
        trials = ledger.trials()
    assert 3 < len(trials) < 20  # the one that was running is there, the rest is not
    assert all(trial["status"] == "ok" for trial in trials)
    assert f"KeyboardInterrupt: stopped after {len(trials)} of 20 fits, which are kept" in errors
    assert "the same study with the same file goes on from there" in errors


@pytest.mark.long
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_twice_stops_now(tmp_path, n_jobs):
    driver = start_driver(tmp_path / "s", n_jobs=n_jobs, seconds=300)
    wait_for(driver, 1)
    time.sleep(0.3)  # into the first slow fit
    workers = descendants_of(driver.pid)
    driver.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert driver.poll() is None
    driver.send_signal(signal.SIGINT)
    driver.communicate(timeout=250)  # of the 300 that the fit would take
    assert driver.returncode != 0
    wait_until(lambda: not any(map(is_alive, workers)))
    with Ledger(tmp_path / "s") as ledger:
        assert {trial["candidate"] for trial in ledger.trials()} == {"MAX"}


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.long
def test_workers_end_within_seconds_of_their_driver(tmp_path):
    driver = start_driver(tmp_path / "s", n_jobs=2, seconds=300)
    wait_for(driver, 1)
    wait_until(lambda: len(descendants_of(driver.pid)) == 3)  # the nest and two workers
    workers = descendants_of(driver.pid)
    driver.kill()
    driver.wait()
    wait_until(lambda: not any(map(is_alive, workers)), seconds=100)  # of 300
    driver.stdout.close()
    driver.stderr.close()


@pytest.mark.parametrize("kills", [5, pytest.param(100, marks=pytest.mark.long)])
def test_a_driver_killed_at_random_moments_leaves_the_same_ledger(tmp_path, kills):
    study = study_of(calm_candidates(), repetitions=5, runs=max(2, kills // 10))
    study.run(tmp_path / "calm").close()
    moments, survived = random.Random(20261115), 0
    for _ in range(kills):
        survived += not kill_after(
            moments.uniform(0.0, 0.25), lambda: study.run(tmp_path / "killed").close()
        )
    study.run(tmp_path / "killed").close()
    assert survived < kills  # at least one was killed in the middle
    assert contents(tmp_path / "killed") == contents(tmp_path / "calm")


def kill_after(seconds, work):
    """Do some work in a process of its own; kill that; say whether it was in time."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("kills", [1, pytest.param(8, marks=pytest.mark.long)])
def test_killed_workers_are_replaced_and_their_trials_redone(tmp_path, kills):
    study = study_of(calm_candidates(), repetitions=5, runs=4 * kills)
    study.run(tmp_path / "calm").close()
    moments, victims = random.Random(7), set()
    every = study.plan.n_trials * 4 // (kills + 1)

    def kill_one(now):
        if now.done and now.done % every == 0 and len(victims) < kills:
            victim = moments.choice(descendants_of(os.getpid()))
            os.kill(victim, signal.SIGKILL)
            victims.add(victim)

    study.run(tmp_path / "killed", n_jobs=2, progress=kill_one).close()
    assert len(victims) == kills
    assert contents(tmp_path / "killed") == contents(tmp_path / "calm")
