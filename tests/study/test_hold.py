"""One driver a study, also within one process."""

import os
import platform
import subprocess
import sys

from polychotomy.study.ledger.file import Hold, describe_holder


def test_a_hold_excludes_others_until_it_is_released(tmp_path):
    path = tmp_path / "study"
    path.touch()
    first = Hold(path)
    assert first.is_held
    second = Hold(path)
    assert not second.is_held
    second.release()
    assert not Hold(path).is_held
    first.release()
    third = Hold(path)
    assert third.is_held
    third.release()
    assert os.listdir(tmp_path) == ["study"]


def test_another_process_is_excluded_by_any_name_of_the_file(tmp_path):
    path, other = tmp_path / "study", tmp_path / "link"
    path.touch()
    other.symlink_to(path)
    code = (
        "import sys, pathlib; from polychotomy.study.ledger.file import Hold; "
        "print(Hold(pathlib.Path(sys.argv[1])).is_held)"
    )
    hold = Hold(path)
    command = [sys.executable, "-c", code, str(other)]
    found = subprocess.run(command, capture_output=True, text=True)
    hold.release()
    assert found.stdout.strip() == "False"


def test_the_holder_is_described():
    holder = describe_holder()
    assert holder["pid"] == os.getpid()
    assert holder["host"] == platform.node()
    assert holder["since"].endswith("+00:00")
