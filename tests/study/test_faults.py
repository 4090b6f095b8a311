"""What a study survives: real processes, real signals, real files."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import (
    Hostile,
    calm_candidates,
    contents,
    descendants_of,
    share_fork_server,
    study_of,
    wait_until,
)
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.study import Ledger
from polychotomy.study.fitting.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

TIMEOUT = ("timeout", "not done within the time limit of 4 seconds")
MEMORY = ("failed", "(the memory limit is 0.391 GiB a fit)")
OK = ("ok", "")
NO_OUTCOME = ("crashed", "what it sent is no outcome of a fit")
DEEDS = {
    "raise_error": ("failed", "FloatingPointError: not today"),
    "leave": ("failed", "SystemExit: 3"),
    "leave_with_words": ("failed", "SystemExit: enough of this"),
    "interrupt": ("failed", "KeyboardInterrupt: mine"),
    "interrupt_by_signal": ("failed", "KeyboardInterrupt"),
    "close_generator": ("failed", "GeneratorExit"),
    "raise_base": ("failed", "BaseException: all of it"),
    "raise_half_a_pair": ("failed", "ValueError: half \\udce9 pair"),
    "raise_mute": ("failed", "Mute, whose message cannot be had: RuntimeError"),
    "raise_nameless": ("failed", "NamelessError: somebody"),
    "warn_much": OK,
    "raise_long": ("failed", "ValueError: xxx"),
    "raise_chain": ("failed", "KeyError: 'then'"),
    "recurse": ("failed", "RecursionError"),
    "hang": TIMEOUT,
    "spin": TIMEOUT,
    "stop": TIMEOUT,
    "eat": MEMORY,
    "eat_at_once": MEMORY,
    "end_process": ("crashed", "ended by itself with exit code 7"),
    "end_quietly": ("crashed", "ended by itself with exit code 0"),
    "end_from_a_thread": ("crashed", "ended by itself with exit code 9"),
    "segfault": ("crashed", "ended by SIGSEGV"),
    "segfault_by_signal": ("crashed", "ended by SIGSEGV"),
    "abort": ("crashed", "ended by SIGABRT"),
    "become_another_program": ("crashed", "ended by itself with exit code 0"),
    "kill_itself": ("crashed", "ended by SIGKILL"),
    "terminate_itself": ("crashed", "ended by SIGTERM"),
    "kill_guardian": ("crashed", "ended by SIGKILL"),
    "kill_study_server": ("crashed", "ended by SIGKILL"),
    "stop_guardian": TIMEOUT,
    "stop_guardian_and_end": ("crashed", "exit code 4"),
    "stop_study_server": OK,
    "fork_and_return": OK,
    "fork_and_raise": OK,
    "fork_and_stay": OK,
    "leave_a_child": OK,
    "leave_many_children": OK,
    "leave_an_orphan": OK,
    "leave_a_deaf_child": OK,
    "leave_children_and_end": ("crashed", "exit code 7"),
    "use_loky": OK,
    "use_multiprocessing": OK,
    "leave_a_thread": OK,
    "print_much": OK,
    "close_output": OK,
    "close_files": ("crashed", ""),
    "write_into_all_files": ("crashed", ""),
    "change_folder": OK,
    "remove_its_folder": OK,
    "remove_shared_folder": OK,
    "cut_shared_files": None,  # what it is about to read, too
    "answer_for_another": NO_OUTCOME,
    "answer_for_nobody": NO_OUTCOME,
    "refuse_for_all": ("failed", "mine"),
    "give_no_probabilities": NO_OUTCOME,
    "hide_from_the_clock": TIMEOUT,
    "block_no_more": OK,
    "exchange_files": None,
    "trace_everything": ("failed", "RuntimeError: traced"),
    "end_with_collections": ("crashed", "ended by itself with exit code 5"),
    "leave_hooks": OK,
    "use_up_its_time": ("crashed", "ended by SIGXCPU"),
    "be_alone_and_small": OK,
    "end_on_a_timer": ("crashed", "ended by itself with exit code 0"),
    "end_its_group": ("crashed", "ended by SIGTERM"),
    "forget_environment": OK,
    "forget_modules": None,
    "break_builtins": None,
    "raise_floating_point_errors": OK,
    "patch_naive_bayes": OK,
    "patch_logistic": OK,
    "patch_numpy": None,
    "patch_polychotomy": None,
    "make_warnings_errors": OK,
    "ignore_signals": OK,
    "set_an_alarm": OK,
    "seed_everybody": OK,
    "leave_the_session": OK,
    "lower_its_limits": OK,
    "write_on_its_data": None,
}
"""What a hostile fit is recorded as, and a part of the cause; None: whatever it brings upon itself.

"""
SOME = [  # one of each sort; all of them are in the long tests
    "raise_error", "leave", "interrupt_by_signal", "raise_mute", "eat_at_once", "end_process",
    "segfault", "become_another_program", "kill_guardian", "stop_guardian_and_end",
    "stop_study_server", "raise_nameless", "fork_and_return", "leave_an_orphan",
    "leave_children_and_end", "print_much", "close_files", "change_folder", "remove_shared_folder",
    "forget_modules", "patch_naive_bayes", "patch_logistic", "make_warnings_errors",
    "ignore_signals", "lower_its_limits", "cut_shared_files", "exchange_files",
    "answer_for_another", "refuse_for_all", "give_no_probabilities", "hide_from_the_clock",
]  # fmt: skip
LIMITS = Limits(seconds=4, memory=400 * 2**20)


def good_candidates():
    """Candidates on whom hostile ones would leave traces, if they could."""
    return {
        "bayes": GaussianNB(),
        "scaled": make_pipeline(StandardScaler(), GaussianNB()),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "forest": make_pipeline(PCA(2), RandomForestClassifier(5)),
    }


@pytest.mark.parametrize(
    ("deeds", "n_jobs"),
    [
        (SOME, 2),
        pytest.param(list(DEEDS), 1, marks=pytest.mark.long),
        pytest.param(list(DEEDS), 3, marks=pytest.mark.long),
    ],
)
def test_a_hostile_candidate_harms_nobody_but_itself(tmp_path, capfd, deeds, n_jobs):
    good = good_candidates()
    study_of(good, repetitions=1).run(tmp_path / "calm").close()
    before = set(descendants_of(os.getpid()))
    hostile = {deed: Hostile(deed) for deed in deeds[::2]}
    for deed in deeds[1::2]:  # these share their first step with some of the good
        hostile[deed] = make_pipeline(StandardScaler(), Hostile(deed, always=True))
    names = [*deeds[: len(deeds) // 2], *good, *deeds[len(deeds) // 2 :]]
    study = study_of({name: (good | hostile)[name] for name in names}, repetitions=1)
    study.run(tmp_path / "hostile", n_jobs=n_jobs, limits=LIMITS).close()
    # No process that a fit has started is left, counted from /proc.
    assert set(descendants_of(os.getpid())) - before == set()
    assert capfd.readouterr() == ("", "")
    trials = contents(tmp_path / "hostile")[0]
    assert [trial for trial in trials if trial[1] in good] == contents(tmp_path / "calm")[0]
    found = {name: [trial for trial in trials if trial[1] == name] for name in deeds}
    wrong = {
        name: [(trial[6], trial[8]) for trial in two]
        for name, two in found.items()
        if not as_expected(name, two)
    }
    assert wrong == {}


def as_expected(name, two):
    """Whether a hostile fit, one or both of two, is recorded for what it is."""
    if DEEDS[name] is None:
        return len(two) == 2
    status, cause = DEEDS[name]
    told = [trial[6] == status and cause in trial[8] for trial in two]
    return len(two) == 2 and any(told) and all(told[i] or two[i][6] == "ok" for i in (0, 1))


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

every = {"MAX": DummyClassifier(), "good": GaussianNB(), "raises": Raises(), "ends": Ends()}
"""


@pytest.mark.parametrize(
    ("names", "code"), [(["raises", "ends"], 1), pytest.param([], 0, marks=pytest.mark.long)]
)
def test_the_exit_code_tells_when_a_fit_fails(run, tmp_path, names, code):
    load_iris(as_frame=True).frame.to_csv(tmp_path / "plants.csv", index=False)
    kept = f"raw_candidates = {{n: every[n] for n in ['MAX', 'good', *{names}]}}\n"
    (tmp_path / "mine.py").write_text(MISBEHAVED + kept)
    asked = ["--candidates", "mine.py", "--no-anatomy", "--json", "--rule", "paper", "--jobs", "1"]
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


def start_driver(path, *, n_jobs, seconds, inherited=signal.SIG_DFL):
    """Start a driver that inherits how Ctrl-C is taken, whoever has started these tests."""
    arguments = [str(Path(__file__).parent), str(path), str(n_jobs), str(seconds)]
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, inherited),
    )


def wait_for(process, done):
    for line in process.stdout:
        if int(line) >= done:
            return


@pytest.mark.parametrize(
    ("n_jobs", "inherited"),
    [
        (1, signal.SIG_IGN),  # as under nohup
        (2, signal.SIG_DFL),
    ],
)
@pytest.mark.long
def test_ctrl_c_once_finishes_what_is_running_and_tells_how_to_go_on(tmp_path, n_jobs, inherited):
    driver = start_driver(tmp_path / "s", n_jobs=n_jobs, seconds=1.0, inherited=inherited)
    wait_for(driver, 3)
    driver.send_signal(signal.SIGINT)
    _, errors = driver.communicate(timeout=250)
    assert driver.returncode != 0
    assert "stopping when the fits that are running have ended; Ctrl-C stops now" in errors
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
    workers = descendants_of(driver.pid)
    driver.send_signal(signal.SIGINT)
    while "Ctrl-C stops now" not in driver.stderr.readline():
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
    wait_until(lambda: len(descendants_of(driver.pid)) >= 6)  # two servers, two guarded workers
    workers = descendants_of(driver.pid)
    driver.kill()
    driver.wait()
    wait_until(lambda: not any(map(is_alive, workers)), seconds=100)  # of 300
    driver.stdout.close()
    driver.stderr.close()


@pytest.mark.parametrize("kills", [3, pytest.param(30, marks=pytest.mark.long)])
def test_a_driver_killed_at_random_moments_leaves_the_same_ledger(tmp_path, kills):
    study = study_of(calm_candidates(), repetitions=5, runs=max(2, kills // 2))
    study.run(tmp_path / "calm").close()
    moments = random.Random(20261115)
    for _ in range(kills):
        kill_after(moments.randrange(1, 20), study, tmp_path / "killed")
    with Ledger(tmp_path / "killed") as ledger:
        assert len(ledger.finished()) < study.plan.n_trials * 4  # killed in the middle
    study.run(tmp_path / "killed").close()
    assert contents(tmp_path / "killed") == contents(tmp_path / "calm")


def kill_after(count, study, path):
    """Run a study in a process of its own; kill that after so many fits."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            share_fork_server()
            study.run(path, progress=lambda now: os.write(writing, b".")).close()
        finally:
            os._exit(0)
    os.close(writing)
    while count and os.read(reading, 1):
        count -= 1
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(reading)


@pytest.mark.parametrize("kills", [1, pytest.param(8, marks=pytest.mark.long)])
def test_killed_workers_are_replaced_and_their_trials_redone(tmp_path, kills):
    study = study_of(calm_candidates(), repetitions=5, runs=4 * kills)
    study.run(tmp_path / "calm").close()
    moments, victims = random.Random(7), set()
    every = study.plan.n_trials * 4 // (kills + 1)

    def kill_one(now):
        alive = descendants_of(os.getpid())  # none where the last victim had started the others
        if alive and len(victims) < min(kills, now.done // every):
            victim = moments.choice(alive)
            os.kill(victim, signal.SIGKILL)
            victims.add(victim)

    study.run(tmp_path / "killed", n_jobs=2, progress=kill_one).close()
    assert len(victims) == kills
    assert contents(tmp_path / "killed") == contents(tmp_path / "calm")
