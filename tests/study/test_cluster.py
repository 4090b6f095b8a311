"""A real scheduler and real workers: the same ledger, whatever happens to them."""

import os
import signal
import socket
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hostile import Hostile, calm_candidates, children_of, contents, study_of, wait_until
from sklearn.dummy import DummyClassifier

from polychotomy.core.exceptions import InvalidInput, StudyError
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.workers.cluster import warn_beyond_loopback

pytest.importorskip("distributed")
HERE = str(Path(__file__).parent)


class Cluster:
    """``dask scheduler`` and some ``dask worker`` as processes of their own."""

    def __init__(self, folder):
        self.folder, self.file = folder, folder / "scheduler.json"
        self._processes = []

    def start(self, n_workers):
        from distributed import Client

        here = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.scheduler = self._start(["scheduler", *here])
        wait_until(self.file.exists, 120)
        self.workers = [self._start_worker(number) for number in range(n_workers)]
        with Client(scheduler_file=str(self.file), set_as_default=False) as client:
            wait_until(lambda: self._has_joined(client), 200)
        return self

    def _start_worker(self, number, patience=10):
        place = str(self.folder / f"worker{number}")
        return self._start(
            ["worker", "--nthreads", "1", "--memory-limit", "1GiB", "--death-timeout",
             str(patience), "--no-dashboard", "--local-directory", place]
        )  # fmt: skip

    def _has_joined(self, client):
        """Say whether all workers are there; those that a busy machine made late get more time."""
        for number, worker in enumerate(self.workers):
            if worker.poll() is not None:
                self.workers[number] = self._start_worker(number, patience=100)
        return len(client.scheduler_info()["workers"]) == len(self.workers)

    def _start(self, arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--scheduler-file", str(self.file)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join([HERE, *filter(None, sys.path)])},
            stderr=subprocess.DEVNULL,
        )
        self._processes.append(process)
        return process

    def stop(self):
        for process in reversed(self._processes):
            for child in children_of(process.pid):
                os.kill(child, signal.SIGKILL)
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    made = Cluster(tmp_path)
    try:
        yield made.start(n_workers=3)
    finally:
        made.stop()


def kill_worker(process):
    """Kill a Dask worker and the nanny that would restart it."""
    children = children_of(process.pid)
    process.kill()
    for child in children:
        os.kill(child, signal.SIGKILL)


@pytest.mark.long
def test_a_killed_worker_and_a_lost_scheduler_cost_nothing_that_was_recorded(cluster, tmp_path):
    study = study_of(calm_candidates(), runs=12)
    study.run(tmp_path / "calm").close()
    seen = []

    def kill_one(now):
        seen.append(now)
        if now.done == 60:
            kill_worker(cluster.workers[0])
        if now.done == 300:
            cluster.scheduler.kill()

    with pytest.raises(StudyError, match="connection to the Dask scheduler was lost"):
        study.run(tmp_path / "far", cluster=str(cluster.file), progress=kill_one)
    recorded = contents(tmp_path / "far")[0]
    assert 300 <= len(recorded) < 480
    assert set(recorded) <= set(contents(tmp_path / "calm")[0])
    study.run(tmp_path / "far").close()
    assert contents(tmp_path / "far") == contents(tmp_path / "calm")


MINE = """
from sklearn.dummy import DummyClassifier

class Mine(DummyClassifier):
    pass
"""


@pytest.mark.long
def test_limits_crashes_and_users_files_are_as_on_one_machine(cluster, tmp_path):
    from polychotomy.study.fitting.user_module import load_module

    (tmp_path / "mine.py").write_text(MINE)
    candidates = {
        "MAX": DummyClassifier(),
        "mine": load_module(tmp_path / "mine.py").Mine(),
        "ends": Hostile("end_process"),
        "hangs": Hostile("hang"),
        "raises": Hostile("raise_error"),
    }
    (tmp_path / "mine.py").unlink()  # no worker needs the file
    study = study_of(candidates, repetitions=1)
    limits = Limits(seconds=4)
    study.run(tmp_path / "near", n_jobs=2, limits=limits).close()
    address = cluster.file
    study.run(tmp_path / "far", cluster=address, limits=limits).close()
    assert contents(tmp_path / "far") == contents(tmp_path / "near")
    assert {row[6] for row in contents(tmp_path / "far")[0]} == {
        "ok", "crashed", "timeout", "failed"
    }  # fmt: skip
    # When the study is done, the worker processes of ours end with it.
    dask = [child for worker in cluster.workers for child in children_of(worker.pid)]
    wait_until(lambda: not any(ours(child) for parent in dask for child in children_of(parent)), 10)


def ours(pid):
    return b"polychotomy.study.workers" in Path(f"/proc/{pid}/cmdline").read_bytes()


def test_no_address_is_said_before_anything_is_written(tmp_path):
    study = study_of({"MAX": DummyClassifier()})
    with pytest.raises(InvalidInput, match="'nowhere' is neither an address nor a file"):
        study.run(tmp_path / "s", cluster="nowhere")
    assert not (tmp_path / "s").exists()


@pytest.mark.long
def test_no_scheduler_is_said_before_anything_is_written(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    study = study_of({"MAX": DummyClassifier()})
    with pytest.raises(StudyError, match=f"no Dask scheduler answers at 'tcp://127.0.0.1:{port}'"):
        study.run(tmp_path / "s", cluster=f"tcp://127.0.0.1:{port}")
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:8786", "tcp://[::1]:8786", "tls://10.0.0.7:8786", "inproc://a/1"]
)
def test_no_warning_where_others_cannot_get_in(address):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_beyond_loopback(address)


@pytest.mark.parametrize("address", ["tcp://10.0.0.7:8786", "tcp://head-node:8786"])
def test_a_warning_where_others_can(address):
    with pytest.warns(UserWarning, match=f"{address} can be reached from other machines"):
        warn_beyond_loopback(address)
