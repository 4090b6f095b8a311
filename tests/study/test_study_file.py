"""The study file: strangers, damage, full disks, readers beside a driver; real files, processes."""

import contextlib
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.core.exceptions import StudyError
from polychotomy.study import Ledger, RepeatedFolds, Study

X, y = load_iris(return_X_y=True)
CANDIDATES = {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "s"
    Study(CANDIDATES, X, y, plan=RepeatedFolds(repetitions=20)).run(path).close()
    return path


@pytest.fixture
def copy(finished, tmp_path):
    return shutil.copy(finished, tmp_path / "s")


def refused(path, **options):
    """Return the message, having seen that nothing was touched or left behind."""
    before, names = Path(path).read_bytes(), sorted(os.listdir(path.parent))
    with pytest.raises(StudyError) as caught, Ledger(path, **options) as ledger:
        ledger.fold_errors()
    assert Path(path).read_bytes() == before
    assert sorted(os.listdir(path.parent)) == names
    return str(caught.value)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.999])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_truncated_file(copy, share, read_only):
    os.truncate(copy, int(share * copy.stat().st_size))
    assert "is damaged" in refused(copy, read_only=read_only)


@pytest.mark.parametrize("seed", range(5))
def test_garbage_pages(copy, seed):
    rng = np.random.default_rng(seed)
    content = bytearray(copy.read_bytes())
    page = 4096 * int(rng.integers(1, len(content) // 4096))
    content[page : page + 4096] = rng.bytes(4096)
    copy.write_bytes(content)
    message = refused(copy)
    assert "is damaged" in message
    assert "left untouched" in message


def test_a_garbage_head(copy):
    content = bytearray(copy.read_bytes())
    content[:4096] = np.random.default_rng(0).bytes(4096)
    copy.write_bytes(content)
    assert "not a polychotomy study" in refused(copy)


def test_a_newer_format(copy):
    content = bytearray(copy.read_bytes())
    content[60:64] = (99).to_bytes(4, "big")
    copy.write_bytes(content)
    for read_only in (False, True):
        message = refused(copy, read_only=read_only)
        assert "has study format 99; this version reads format 4" in message


def test_reading_leaves_no_trace(copy):
    before, stamp = copy.read_bytes(), copy.stat().st_mtime_ns
    with Ledger(copy, read_only=True) as ledger:
        assert ledger.fold_errors().shape == (2, 1, 20, 2)
        assert os.listdir(copy.parent) == ["s"]
    assert (copy.read_bytes(), copy.stat().st_mtime_ns) == (before, stamp)
    assert os.listdir(copy.parent) == ["s"]


def test_reading_where_nothing_can_be_written(copy):
    copy.chmod(0o400)
    copy.parent.chmod(0o500)
    try:
        with Ledger(copy, read_only=True) as ledger:
            assert "80 of 80 fits" in ledger.say_status()
    finally:
        copy.parent.chmod(0o700)


def test_a_reader_does_not_write(copy):
    with Ledger(copy, read_only=True) as ledger, pytest.raises(StudyError, match="read only"):
        ledger.record([])


def test_there_is_no_study_to_read(tmp_path):
    with pytest.raises(StudyError, match="there is no study"):
        Ledger(tmp_path / "none", read_only=True)
    assert os.listdir(tmp_path) == []


UNBORN = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")  # so that pages reach the file before the commit
connection.executescript("BEGIN; PRAGMA application_id = 1; CREATE TABLE facts (value);")
connection.executemany("INSERT INTO facts VALUES (?)", [(os.urandom(3000),)] * 200)
os._exit(9)
"""


def test_a_driver_killed_while_it_made_the_file(tmp_path):
    subprocess.run([sys.executable, "-c", UNBORN, str(tmp_path / "s")])
    assert sorted(os.listdir(tmp_path)) == ["s", "s-journal"]
    assert (tmp_path / "s").stat().st_size > 0
    with Study(CANDIDATES, X, y).run(tmp_path / "s") as ledger:
        assert "20 of 20" in ledger.say_status()
    assert os.listdir(tmp_path) == ["s"]


def test_a_file_that_lost_its_log_mode_gets_it_back(copy):
    with sqlite3.connect(copy) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    with Ledger(copy) as ledger:
        mode = ledger._file.connection.execute("PRAGMA journal_mode").fetchone()[0]
    assert mode == "wal"


READ_ALL = """
import sys
from pathlib import Path
import numpy, pandas
from polychotomy import Ledger
from polychotomy.study.ledger.export import export_predictions
sys.addaudithook(lambda event, _: sys.exit(9) if event == "pickle.find_class" else None)
with Ledger(sys.argv[1], read_only=True) as ledger:
    ledger.say_status(), ledger.trials(), ledger.summary(), ledger.done(), ledger.model_bytes()
    ledger.out_of_fold(), ledger.fold_errors()
    export_predictions(ledger, Path(sys.argv[2]))
print("read")
"""


@pytest.mark.long
def test_nothing_is_ever_unpickled(copy, tmp_path):
    command = [sys.executable, "-c", READ_ALL, str(copy), str(tmp_path / "all.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "read"), done.stderr


def test_a_closed_ledger_says_so(copy):
    ledger = Ledger(copy)
    ledger.close()
    ledger.close()
    with pytest.raises(StudyError, match="is closed"):
        ledger.fact("specification")


SLOW = """
import sys, time
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from polychotomy.study import RepeatedFolds
from polychotomy.study import Study
X, y = load_iris(return_X_y=True)
def pause(now):
    print(now.done, flush=True)
    time.sleep(0.02)
plan = RepeatedFolds(repetitions=int(sys.argv[2]))
Study({"MAX": DummyClassifier()}, X, y, plan=plan).run(sys.argv[1], progress=pause).close()
print("closed", flush=True)
"""


@contextlib.contextmanager
def driver(path, repetitions=2000):
    command = [sys.executable, "-c", SLOW, str(path), str(repetitions)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if int(line) >= 60:  # more than the first commit
                break
        yield process
        process.kill()


@pytest.mark.long
def test_a_reader_beside_a_driver_sees_what_is_committed_and_stops_nothing(tmp_path):
    with driver(tmp_path / "s") as process:
        names = sorted(os.listdir(tmp_path))
        with Ledger(tmp_path / "s", read_only=True) as ledger:
            first = ledger.summary()[0]["trials"]
            deadline = time.monotonic() + 300
            while ledger.summary()[0]["trials"] == first and time.monotonic() < deadline:
                time.sleep(0.1)
            assert ledger.summary()[0]["trials"] > first > 0
        assert sorted(os.listdir(tmp_path)) == names
        assert process.poll() is None


@pytest.mark.long
def test_a_reader_after_a_killed_driver_needs_no_recovery(tmp_path):
    with driver(tmp_path / "s") as process:
        process.kill()
        process.wait()
        before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
        assert "s-wal" in before
        for without_index in (False, True):
            if without_index:
                (tmp_path / "s-shm").unlink(missing_ok=True)
                before.pop("s-shm", None)
            with Ledger(tmp_path / "s", read_only=True) as ledger:
                assert ledger.summary()[0]["trials"] > 0
            assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before
    with Ledger(tmp_path / "s") as ledger:
        assert ledger.summary()[0]["trials"] > 0
    assert os.listdir(tmp_path) == ["s"]


def test_a_reader_of_a_study_at_rest_notices_a_driver_that_begins(copy):
    with Ledger(copy, read_only=True) as reader:
        assert reader.summary()[0]["trials"] == 40
        more = Study(CANDIDATES, X, y, plan=RepeatedFolds(repetitions=20, runs=2))
        with more.run(copy):
            assert reader.summary()[0]["trials"] == 80
        assert reader.summary()[0]["trials"] == 80


def test_a_study_that_is_deleted_while_it_is_read(copy):
    with Ledger(copy, read_only=True) as reader:
        copy.unlink()
        with pytest.raises(StudyError, match="is gone"):
            reader.summary()


def test_a_reader_that_stays_finds_everything_in_the_file(tmp_path):
    path = tmp_path / "s"
    study = Study(CANDIDATES, X, y)
    with study.run(path) as ledger:
        reader = Ledger(path, read_only=True)
        ledger.close()
        assert "20 of 20" in reader.say_status()
    alone = shutil.copy(path, tmp_path / "alone")  # without its log
    with Ledger(alone, read_only=True) as ledger:
        assert "20 of 20" in ledger.say_status()
    reader.close()
    Ledger(path).close()
    assert sorted(os.listdir(tmp_path)) == ["alone", "s"]


@pytest.mark.long
def test_sigterm_closes_the_file(tmp_path):
    with driver(tmp_path / "s") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=300) == 128 + signal.SIGTERM
        assert "closed" not in process.stdout.read()
    assert os.listdir(tmp_path) == ["s"]
    with Ledger(tmp_path / "s", read_only=True) as ledger:
        assert ledger.summary()[0]["trials"] >= 60


def _limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))


@pytest.mark.long
def test_a_limit_on_the_size_of_files_stops_safely_and_resumes(tmp_path):
    path = tmp_path / "s"
    command = [sys.executable, "-c", SLOW.replace("0.02", "0.004"), str(path), "400"]
    stopped = subprocess.run(command, capture_output=True, text=True, preexec_fn=_limit_files)
    assert stopped.returncode == 1
    assert "StudyStopped: stopped safely, " in stopped.stderr
    check_resumed(path, stopped.stderr)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 600 kB in memory."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(tmp_path)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small file system")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs is Linux's")
def test_a_full_disk_stops_safely_and_resumes_when_there_is_room(small_disk):
    path = small_disk / "s"
    command = [sys.executable, "-c", SLOW.replace("0.02", "0.004"), str(path), "400"]
    stopped = subprocess.run(command, capture_output=True, text=True)
    assert stopped.returncode == 1
    assert "StudyStopped: stopped safely, " in stopped.stderr
    assert "no room left" in stopped.stderr
    enlarged = ["mount", "-o", "remount,size=20m", str(small_disk)]
    subprocess.run(enlarged, check=True, capture_output=True)
    check_resumed(path, stopped.stderr)


def check_resumed(path, message):
    """What was kept is kept, and the end is as if nothing had happened."""
    kept = int(message.split("stopped safely, ")[1].split()[0])
    with Ledger(path, read_only=True) as ledger:
        assert ledger.summary()[0]["trials"] == kept > 0
    study = Study({"MAX": DummyClassifier()}, X, y, plan=RepeatedFolds(repetitions=400))
    seen = []
    with study.run(path, progress=seen.append) as ledger, study.run() as calm:
        assert seen[0].done == kept
        assert ledger.summary()[0]["trials"] == 800
        np.testing.assert_array_equal(
            study.gather(ledger).probabilities, study.gather(calm).probabilities
        )
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
