"""A real scheduler and real workers: the same ledger, whatever happens to them."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hostile import Hostile, calm_candidates, children_of, contents, study_of, wait_until
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from polychotomy.core.exceptions import InvalidInput, StudyError
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.workers.cluster import WorkerNotUsed, warn_beyond_loopback

pytest.importorskip("distributed")
HERE = str(Path(__file__).parent)


class Cluster:
    """``dask scheduler`` and some ``dask worker`` as processes of their own."""

    def __init__(self, folder, **environment):
        self.folder, self.file = folder, folder / "scheduler.json"
        self._processes, self._environment = [], environment

    def start(self, n_workers, *, host="127.0.0.1", **environment):
        self.start_scheduler(host, **environment)
        self.workers = [self._start_worker(number) for number in range(n_workers)]
        return self.wait()

    def start_scheduler(self, host="127.0.0.1", **environment):
        here = ["--host", host, "--port", "0", "--no-dashboard"]
        self.scheduler = self._start(["scheduler", *here], environment)
        wait_until(self.file.exists, 120)
        return self

    def wait(self):
        from distributed import Client

        with Client(scheduler_file=str(self.file), set_as_default=False) as client:
            wait_until(lambda: self._has_joined(client), 200)
        return self

    def start_alone(self, *preload, name="alone", **environment):
        """Start a worker without a nanny, whose process is the worker itself."""
        place = str(self.folder / name)
        return self._start(
            ["worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name,
             "--local-directory", place, *preload],
            environment,
        )  # fmt: skip

    def address_of(self, name):
        """Return the address of a worker, when it has joined."""
        from distributed import Client

        with Client(scheduler_file=str(self.file), set_as_default=False) as client:
            wait_until(lambda: self._named(client, name), 120)
            return self._named(client, name)[0]

    @staticmethod
    def _named(client, name):
        joined = client.scheduler_info()["workers"].items()
        return [address for address, worker in joined if worker["name"] == name]

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

    def _start(self, arguments, environment=None):
        path = os.pathsep.join([HERE, *filter(None, sys.path)])
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--scheduler-file", str(self.file)],
            env=os.environ | {"PYTHONPATH": path} | self._environment | (environment or {}),
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
def processes(tmp_path):
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture
def cluster(processes):
    return processes.start(n_workers=2)


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
    with pytest.raises(InvalidInput, match="'nowhere' is neither an address nor a scheduler file"):
        study.run(tmp_path / "s", cluster="nowhere")
    assert not (tmp_path / "s").exists()


def shadowed(folder, content):
    """Return a path of imports where the package is another one."""
    (folder / "polychotomy").mkdir(parents=True)
    (folder / "polychotomy" / "__init__.py").write_text(content)
    return {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)])}


def without_package(folder):
    lacking = "raise ModuleNotFoundError(\"No module named 'polychotomy'\", name='polychotomy')"
    return shadowed(folder, lacking)


def with_another_version(folder):
    """Return a path of imports where the package is this one, but for its number."""
    import polychotomy

    source = Path(polychotomy.__file__).parent
    shutil.copytree(source, folder / "polychotomy", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "polychotomy" / "_version.py").write_text('__version__ = "0.0.1"\n')
    return {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)])}


def sentences(caught):
    return [str(one.message) for one in caught if issubclass(one.category, WorkerNotUsed)]


@pytest.mark.long
def test_the_study_goes_on_with_the_good_workers_and_names_the_others(processes, tmp_path):
    processes.start_scheduler()
    ends = processes.start_alone(name="ends")
    processes.start_alone(name="lacks", **without_package(tmp_path / "lacking"))
    processes.start_alone(name="old", **with_another_version(tmp_path / "old"))
    processes.start_alone(name="good")
    where = {name: processes.address_of(name) for name in ("ends", "lacks", "old", "good")}
    study = study_of(calm_candidates(), runs=2)
    study.run(tmp_path / "near").close()

    def end_it(now):
        if not now.done:
            ends.kill()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        study.run(tmp_path / "far", cluster=processes.file, progress=end_it).close()
    assert contents(tmp_path / "far") == contents(tmp_path / "near")
    said = {where[name]: name for name in where}
    told = {}
    for sentence in sentences(caught):
        address, reason = re.fullmatch(
            r"the worker at (tcp://\S+) gets no fits: (.*)\. Others make them\.", sentence
        ).groups()
        told[said[address]] = reason
    from polychotomy import __version__

    assert told == {
        "ends": "it is gone, or was not heard of for a minute",
        "lacks": "ModuleNotFoundError: No module named 'polychotomy'",
        "old": f"it has polychotomy 0.0.1, and the driver has polychotomy {__version__}",
    }
    assert len(sentences(caught)) == 3


@pytest.mark.long
def test_no_good_worker_is_said_before_anything_is_written(processes, tmp_path, run):
    processes.start_scheduler()
    processes.start_alone(name="lacks", **without_package(tmp_path / "lacking"))
    address = processes.address_of("lacks")
    table = tmp_path / "iris.csv"
    load_iris(as_frame=True).frame.to_csv(table, index=False)
    done = run("judge", table, "--target", "target", "--study", tmp_path / "s",
               "--cluster", processes.file, cwd=tmp_path)  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"error: no worker of the cluster can be used ({address}: ModuleNotFoundError: No module "
        "named 'polychotomy'). Expected workers with the same Python packages as here"
    )
    assert not (tmp_path / "s").exists()


@pytest.mark.long
def test_a_scheduler_without_the_package_is_named(processes, tmp_path):
    processes.start_scheduler(**without_package(tmp_path / "lacking"))
    address = json.loads(processes.file.read_text())["address"]
    study = study_of({"MAX": DummyClassifier()})
    with pytest.raises(StudyError, match=rf"the scheduler at {address} .* 'polychotomy'"):
        study.run(tmp_path / "s", cluster=processes.file)
    assert not (tmp_path / "s").exists()


@pytest.mark.long
def test_a_worker_that_does_not_answer_is_not_waited_for(processes, tmp_path, monkeypatch):
    monkeypatch.setattr("polychotomy.study.workers.cluster._LATE", 3.0)
    processes.start_scheduler()
    processes.start_alone(name="good")
    stopped = processes.start_alone(name="stopped")
    address = processes.address_of("stopped")
    processes.address_of("good")
    stopped.send_signal(signal.SIGSTOP)
    study = study_of({"MAX": DummyClassifier()})
    with pytest.warns(WorkerNotUsed, match=f"{address} gets no fits: it has not answered yet"):
        study.run(tmp_path / "s", cluster=processes.file).close()
    assert {row[6] for row in contents(tmp_path / "s")[0]} == {"ok"}


@pytest.mark.long
def test_a_worker_that_is_stopped_in_a_fit_costs_no_more_than_its_silence(
    processes, tmp_path, monkeypatch
):
    monkeypatch.setattr("polychotomy.study.workers.cluster._SILENCE", 4.0)
    processes.start_scheduler()
    processes.start_alone(name="good")
    stopped = processes.start_alone(name="stopped")
    for name in ("good", "stopped"):
        processes.address_of(name)

    def stop(now):
        if now.done == 60:
            stopped.send_signal(signal.SIGSTOP)

    study = study_of(calm_candidates(), runs=12)
    study.run(tmp_path / "near").close()
    start = time.monotonic()
    with pytest.warns(WorkerNotUsed, match="it is gone, or was not heard of"):
        study.run(tmp_path / "far", cluster=processes.file, progress=stop).close()
    assert time.monotonic() - start < 60
    assert contents(tmp_path / "far") == contents(tmp_path / "near")


@pytest.mark.long
def test_a_worker_that_comes_late_gets_fits(processes, tmp_path):
    processes.start_scheduler()
    first, late = processes.start_alone(name="first"), []
    processes.address_of("first")

    def exchange(now):
        if now.done >= 20 and not late:
            late.append(processes.start_alone(name="late"))
            processes.address_of("late")
            first.kill()

    study = study_of(calm_candidates(), runs=4)
    study.run(tmp_path / "near").close()
    with pytest.warns(WorkerNotUsed, match="it is gone"):
        study.run(tmp_path / "far", cluster=processes.file, progress=exchange).close()
    assert contents(tmp_path / "far") == contents(tmp_path / "near")


COUNTING = """
from distributed.comm import tcp

read, received = getattr(tcp, "uncounted", tcp.from_frames), 0  # it is imported twice
tcp.uncounted = read

async def from_frames(frames, *more, **options):
    global received
    received += sum(memoryview(frame).nbytes for frame in frames)
    open({path!r}, "w").write(str(received))
    return await read(frames, *more, **options)

tcp.from_frames = from_frames
"""


@pytest.mark.long
def test_data_travel_to_a_worker_once_for_all_the_plans_of_a_judge(processes, tmp_path, run):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2000)).round(3)
    table = pd.DataFrame(X, columns=[f"x{i}" for i in range(2000)])
    table["kind"] = np.where(X[:, 0] + rng.normal(size=300) > 0, "yes", "no")
    table.to_parquet(tmp_path / "wide.parquet")
    processes.start_scheduler()
    for name in "ab":
        (tmp_path / f"{name}.py").write_text(COUNTING.format(path=str(tmp_path / f"{name}.count")))
        processes.start_alone("--preload", str(tmp_path / f"{name}.py"), name=name)
    for name in "ab":
        processes.address_of(name)
    before = {name: int((tmp_path / f"{name}.count").read_text()) for name in "ab"}
    done = run("judge", tmp_path / "wide.parquet", "--target", "kind", "--candidates",
               "MAX,nearest mean", "--study", tmp_path / "s", "--cluster", processes.file,
               "--anatomy", cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (
        len({row[2] for row in contents(tmp_path / "s")[0]}) == 3
    )  # plans, each a work of its own
    for name in "ab":
        received = int((tmp_path / f"{name}.count").read_text()) - before[name]
        assert X.nbytes < received < 1.5 * X.nbytes


def certificate(folder, name):
    """Make a certificate that signs itself, for this machine's own address."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to make certificates with")
    made = {kind: folder / f"{name}.{kind}" for kind in ("key", "cert")}
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", made["key"], "-out", made["cert"]],
        check=True, capture_output=True,
    )  # fmt: skip
    prefix, whose = "DASK_DISTRIBUTED__COMM__TLS__", ("CLIENT", "SCHEDULER", "WORKER")
    return {f"{prefix}CA_FILE": str(made["cert"])} | {
        f"{prefix}{one}__{kind.upper()}": str(path) for one in whose for kind, path in made.items()
    }


@pytest.mark.long
def test_certificates_are_handed_over_as_dask_takes_them(tmp_path):
    ours, others = certificate(tmp_path, "ours"), certificate(tmp_path, "others")
    processes = Cluster(tmp_path, **ours)
    (tmp_path / "iris.csv").write_text(load_iris(as_frame=True).frame.to_csv(index=False))
    request = ["judge", tmp_path / "iris.csv", "--target", "target", "--candidates", "MAX,1-NN",
               "--no-anatomy", "--plan", "1x2", "--cluster", processes.file]  # fmt: skip

    def ask(study, environment):  # in an environment of its own, which Dask reads when imported
        return subprocess.run(
            [sys.executable, "-m", "polychotomy", *map(str, request), "--study", str(study)],
            env=os.environ | environment, cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip

    try:
        processes.start_scheduler("tls://127.0.0.1")
        processes.start_alone(name="good")
        done = ask(tmp_path / "far", ours)
        assert done.returncode == 0, done.stderr
        assert "other machines" not in done.stderr
        address = json.loads(processes.file.read_text())["address"]
        assert address.startswith("tls://")
        done = ask(tmp_path / "no", others)  # without any: below
        problem = f"no Dask scheduler answers at '{address}': TLS certificate does not match"
        assert (done.returncode, problem in done.stderr) == (2, True), done.stderr
        assert not (tmp_path / "no").exists()
    finally:
        processes.stop()


def test_tls_without_certificates_is_said_before_anything_is_written(tmp_path):
    study = study_of({"MAX": DummyClassifier()})
    with pytest.raises(StudyError, match=r"tls://127.0.0.1:1 needs certificates.*TLS__CA_FILE"):
        study.run(tmp_path / "s", cluster="tls://127.0.0.1:1")
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
