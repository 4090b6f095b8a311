"""One driver a study, also within one process."""

import os
import platform
import subprocess
import sys

import pytest

from polychotomy.study import Ledger
from polychotomy.study.ledger.file_system import Lock


def test_a_lock_excludes_others_until_it_is_released(tmp_path):
    path = tmp_path / "study"
    path.touch()
    first = Lock(path)
    assert first.is_held
    second = Lock(path)
    assert not second.is_held
    second.release()
    assert not Lock(path).is_held
    first.release()
    third = Lock(path)
    assert third.is_held
    third.release()
    assert os.listdir(tmp_path) == ["study"]


@pytest.mark.long
def test_another_process_is_excluded_by_any_name_of_the_file(tmp_path):
    path, other = tmp_path / "study", tmp_path / "link"
    path.touch()
    other.symlink_to(path)
    code = (
        "import sys, pathlib; from polychotomy.study.ledger.file_system import Lock; "
        "print(Lock(pathlib.Path(sys.argv[1])).is_held)"
    )
    lock = Lock(path)
    command = [sys.executable, "-c", code, str(other)]
    found = subprocess.run(command, capture_output=True, text=True)
    lock.release()
    assert found.stdout.strip() == "False"


def test_the_driver_is_described(tmp_path):
    with Ledger(tmp_path / "study") as ledger:
        ledger.lock()
        driver = ledger.fact("driver")
    assert driver["pid"] == os.getpid()
    assert driver["host"] == platform.node()
    assert driver["since"].endswith("+00:00")
