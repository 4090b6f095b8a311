"""Candidates that do to their process what real ones have been seen to do, and a study of them.

The last column of ``X`` numbers the samples; a hostile candidate is hostile where sample 0 is in
its training set, which is one fold of two.
"""

import atexit
import builtins
import ctypes
import gc
import os
import pickle
import random
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.study import RepeatedFolds, Study
from polychotomy.study.workers.processes import ForkServer

X, y = load_iris(return_X_y=True)
X = np.column_stack([X, np.arange(len(y))])


def raise_error():
    raise FloatingPointError("not today")


def leave():
    raise SystemExit(3)


def leave_with_words():
    raise SystemExit("enough of this")


def interrupt():
    raise KeyboardInterrupt("mine")


def interrupt_by_signal():
    signal.raise_signal(signal.SIGINT)


def close_generator():
    raise GeneratorExit


def raise_base():
    raise BaseException("all of it")


def raise_half_a_pair():
    raise ValueError("half \udce9 pair")


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def raise_mute():
    raise Mute


class Nameless(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")


class NamelessError(Exception, metaclass=Nameless):
    pass


def raise_nameless():
    raise NamelessError("somebody")


def warn_much():
    for number in range(20_000):
        warnings.warn(f"number {number}", stacklevel=1)


def raise_long():
    raise ValueError("x" * 10**6)


def raise_chain():
    try:
        raise_mute()
    except Mute as error:
        raise KeyError("then") from error


def recurse():
    recurse()


def hang():
    time.sleep(600)


def spin():
    while True:
        pass


def stop():
    os.kill(os.getpid(), signal.SIGSTOP)


def eat():
    eaten = []
    while True:
        eaten.append(np.ones(10**7))


def eat_at_once():
    np.ones(3 * 2**30 // 8)


def end_process():
    os._exit(7)


def end_quietly():
    os._exit(0)


def end_from_a_thread():
    threading.Thread(target=os._exit, args=[9]).start()
    time.sleep(600)


def segfault():
    ctypes.string_at(0)


def segfault_by_signal():
    os.kill(os.getpid(), signal.SIGSEGV)


def abort():
    os.abort()


def become_another_program():
    os.execv("/bin/true", ["true"])


def kill_itself():
    os.kill(os.getpid(), signal.SIGKILL)


def terminate_itself():
    os.kill(os.getpid(), signal.SIGTERM)


def kill_guardian():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


def kill_study_server():
    os.kill(parent_of(os.getppid()), signal.SIGKILL)
    time.sleep(600)


def stop_guardian():
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(600)


def stop_guardian_and_end():
    os.kill(os.getppid(), signal.SIGSTOP)
    os._exit(4)


def stop_study_server():
    os.kill(parent_of(os.getppid()), signal.SIGSTOP)


def fork_and_return():
    os.fork()


def fork_and_raise():
    if os.fork() == 0:
        raise ValueError("from the copy")


def fork_and_stay():
    if os.fork() == 0:
        time.sleep(600)


def leave_a_child():
    subprocess.Popen(["sleep", "600"])


def leave_many_children():
    for _ in range(20):
        subprocess.Popen(["sleep", "600"], start_new_session=True)


def leave_an_orphan():
    subprocess.run(["sh", "-c", "setsid sleep 600 & setsid sh -c 'sleep 600 & sleep 600' &"])


def leave_a_deaf_child():
    subprocess.Popen(["sh", "-c", "trap '' TERM HUP INT; sleep 600; sleep 600"])


def leave_children_and_end():
    leave_an_orphan()
    leave_a_child()
    os._exit(7)


def use_loky():
    from joblib import Parallel, delayed

    Parallel(n_jobs=2)(delayed(abs)(number) for number in range(4))


def use_multiprocessing():
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(2) as pool:
        pool.map(abs, range(4))


def leave_a_thread():
    threading.Thread(target=time.sleep, args=[600]).start()


def print_much():
    for _ in range(20):
        print("out " * 10**5)
        print("err " * 10**5, file=sys.stderr)
        os.write(1, b"raw " * 10**5)


def close_output():
    os.close(1)
    os.close(2)


def close_files():
    os.closerange(3, 256)


def write_into_all_files():
    for number in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                os.write(number, b"\x05" + b"\0" * 7 + b"junk!")
        except OSError:
            pass


def change_folder():
    os.chdir("/")


def remove_its_folder():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)


def remove_shared_folder():
    for line in Path("/proc/self/maps").read_text().splitlines():
        path = Path(line.partition("/")[1] + line.partition("/")[2])
        if path.parent.name.startswith("polychotomy-"):
            shutil.rmtree(path.parent, ignore_errors=True)


def cut_shared_files():
    for line in Path("/proc/self/maps").read_text().splitlines():
        path = Path(line.partition("/")[1] + line.partition("/")[2])
        if path.parent.name.startswith("polychotomy-") and path.is_file():
            os.truncate(path, 0)


def say_to_the_driver(*message):
    """Write a well-formed message into every pipe; the driver's is one of them."""
    for number in range(3, 64):
        with suppress(OSError):
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                os.write(number, pickle.dumps(message, 5))


def answer_for_another():
    row = ("ok", 0, 1e-3, 1e-3, None, "", "", "[]", bytes(75), bytes(75 * 3 * 4), 3)
    say_to_the_driver("Answer", ([("iris", "bayes", "1x2 folds", 0, 0, 0, *row)],))


def answer_for_nobody():
    say_to_the_driver("Answer", ([],))


def refuse_for_all():
    say_to_the_driver("Refused", ("mine", True))


def give_no_probabilities():
    from polychotomy.study.fitting import fit

    fit._check_shares = lambda shares: None
    Hostile.predict_proba = lambda self, X: np.full((len(X), 3), np.nan)


def hide_from_the_clock():
    maps = Path("/proc/self/maps").read_text()
    (board,) = {line.split()[-1] for line in maps.splitlines() if "/board" in line}
    begun = int.from_bytes(Path(board).read_bytes()[:8], sys.byteorder)
    while True:
        for number in (begun - 1, begun, begun + 1):
            with open(board, "r+b") as file:
                file.write(number.to_bytes(8, sys.byteorder))
            time.sleep(0.05)


def block_no_more():
    for number in range(64):
        with suppress(OSError):
            os.set_blocking(number, False)


def exchange_files():
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(21):
        if number != nothing:
            os.dup2(nothing, number)


def trace_everything():
    def refuse(frame, event, argument):
        raise RuntimeError("traced")

    sys.settrace(refuse)
    sys.setprofile(refuse)


def end_with_collections():
    gc.callbacks.append(lambda phase, about: os._exit(5))
    gc.collect()


def leave_hooks():
    atexit.register(time.sleep, 600)
    sys.excepthook = threading.excepthook = sys.stdout = sys.stderr = None


def use_up_its_time():
    resource.setrlimit(resource.RLIMIT_CPU, (1, 2))
    spin()


def be_alone_and_small():
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_STACK):
        resource.setrlimit(limit, (0, 0))


def end_on_a_timer():
    signal.signal(signal.SIGALRM, lambda number, frame: os._exit(0))
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    time.sleep(600)


def end_its_group():
    os.killpg(0, signal.SIGTERM)
    time.sleep(600)


def forget_environment():
    os.environ.clear()


def forget_modules():
    for name in [name for name in sys.modules if name.startswith(("numpy", "polychotomy"))]:
        del sys.modules[name]


def break_builtins():
    builtins.len = builtins.tuple = builtins.sorted = None


def raise_floating_point_errors():
    np.seterr(all="raise")


def patch_naive_bayes():
    GaussianNB.predict_proba = lambda self, X: np.tile([1.0, 0.0, 0.0], (len(X), 1))
    GaussianNB.predict = lambda self, X: np.zeros(len(X), dtype=int)


def patch_logistic():
    LogisticRegression.fit = lambda self, X, y: 1 / 0
    StandardScaler.transform = lambda self, X: X


def patch_numpy():
    np.unique = np.asarray = np.zeros = None


def patch_polychotomy():
    from polychotomy.study.fitting import fit

    fit.clone = fit.succeed = None


def make_warnings_errors():
    warnings.simplefilter("error")


def ignore_signals():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_IGN)


def set_an_alarm():
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.alarm(1)


def seed_everybody():
    np.random.seed(0)  # noqa: NPY002
    random.seed(0)


def leave_the_session():
    os.setpgid(0, 0) if os.getpgid(0) != os.getpid() else None
    subprocess.Popen(["sleep", "600"], start_new_session=True)


def lower_its_limits():
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


def write_on_its_data():
    gc.disable()
    sys.setrecursionlimit(60)


def stay_calm():
    pass


class Hostile(ClassifierMixin, BaseEstimator):
    """Answers class 0, after doing something first."""

    def __init__(self, deed="stay_calm", seconds=0.0, always=False):
        self.deed = deed
        self.seconds = seconds
        self.always = always

    def fit(self, X, y):
        time.sleep(self.seconds)
        if self.always or X[:, -1].min() == 0:
            globals()[self.deed]()
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def calm_candidates():
    return {
        "MAX": DummyClassifier(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "1-NN": make_pipeline(StandardScaler(), KNeighborsClassifier(1)),
        "slow": Hostile(seconds=0.005),
    }


def study_of(candidates, **plan):
    return Study(candidates, X, y, dataset="iris", plan=RepeatedFolds(**plan))


def contents(path):
    """All but clocks and who ran it."""
    with sqlite3.connect(path) as connection:
        trials = connection.execute(
            "SELECT dataset, candidate, plan, run, repetition, fold, status, hard, cause, "
            "warnings, model_bytes, predicted, probabilities FROM trials ORDER BY 1, 2, 3, 4, 5, 6"
        ).fetchall()
        rest = [
            connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in ("facts WHERE name = 'specification'", "samples", "splits")
        ]
    connection.close()
    return trials, rest


def children_of(pid):
    """Process ids of the living children of a process (Linux)."""
    found = []
    for path in Path("/proc").iterdir():
        try:
            state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):  # no process, or one that has ended meanwhile
            continue
        if path.name.isdigit() and int(parent) == pid and state != "Z":
            found.append(int(path.name))
    return found


def descendants_of(pid):
    """Process ids of all living processes that a process has started, directly or not."""
    children = children_of(pid)
    return children + [deeper for child in children for deeper in descendants_of(child)]


def share_fork_server():
    """Let this fork of a process use the fork server that its parent has started."""
    server = ForkServer._running
    if server is not None:
        server._owner = os.getpid()
        server.process = SimpleNamespace(poll=lambda: None)  # nobody's child here


def wait_until(condition, seconds=200):  # many, for a busy machine: it is no measure of speed
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
