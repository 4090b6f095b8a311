"""A forgotten ledger lets its study go; one still open in this process is named as that."""

import gc
import sys
import threading

import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from polychotomy.core.exceptions import StudyError
from polychotomy.study import Ledger, Study, import_predictions
from polychotomy.study.ledger.export import export_predictions
from polychotomy.study.ledger.file import let_go
from polychotomy.study.ledger.file_system import Lock
from polychotomy.study.workers.processes import _shared_folder

STUDY = Study({"MAX": DummyClassifier()}, *load_iris(return_X_y=True))


def test_a_forgotten_ledger_lets_the_study_go(tmp_path):
    first = STUDY.run(tmp_path / "s").fold_errors()
    gc.collect()
    second = STUDY.run(tmp_path / "s").fold_errors()
    gc.collect()
    assert first.tolist() == second.tolist()
    assert [one.name for one in tmp_path.iterdir()] == ["s"]  # the log is folded in


def test_no_reference_cycle_keeps_a_ledger(tmp_path):
    gc.disable()
    try:
        STUDY.run(tmp_path / "s")
        STUDY.run(tmp_path / "s").close()
    finally:
        gc.enable()


def test_the_same_import_twice_as_bare_statements(tmp_path):
    with STUDY.run(tmp_path / "s") as ledger:
        export_predictions(ledger, str(tmp_path / "p.csv"))
    for _ in range(2):
        import_predictions(tmp_path / "p.csv", into=tmp_path / "imported", dataset="data")
        gc.collect()


def test_a_study_open_in_this_process_is_named_as_that(tmp_path):
    message = r"still open in this process: .* close\(\) that one"
    with STUDY.run(tmp_path / "s"), pytest.raises(StudyError, match=message):
        STUDY.run(tmp_path / "s")
    STUDY.run(tmp_path / "s").close()


def test_a_ledger_forgotten_in_another_thread_lets_go(tmp_path):
    ledgers = [STUDY.run(tmp_path / "s")]
    thread = threading.Thread(target=ledgers.clear)
    thread.start()
    thread.join()
    gc.collect()
    STUDY.run(tmp_path / "s").close()


def test_a_copy_of_the_process_closes_nothing(tmp_path):
    with Ledger(tmp_path / "s") as ledger:
        lock = Lock(tmp_path / "s")
        let_go(ledger._file, [lock], owner=-1)
        assert lock.is_held
        assert ledger.finished() == set()
        lock.release()


@pytest.mark.skipif(sys.platform != "linux", reason="a folder in memory is Linux's")
def test_folders_of_studies_that_were_killed_are_removed(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    left, held, no_study = (tmp_path / f"polychotomy-{name}" for name in ("left", "held", "other"))
    for folder in (left, held):
        folder.mkdir()
        (folder / "lock").touch()
    no_study.mkdir()
    with (held / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mine, own = _shared_folder(tmp_path)
        with own:
            again, other = _shared_folder(tmp_path)
            other.close()
            assert not left.exists()
            assert held.exists()
            assert no_study.exists()
            assert mine.exists()
    assert again.name.startswith("polychotomy-")
