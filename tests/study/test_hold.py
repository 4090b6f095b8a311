"""A hold ends with its holder and leaves no file."""

import os

from polychotomy.study.hold import describe_holder, try_hold


def test_one_at_a_time_and_no_file_left(tmp_path):
    path = tmp_path / "s"
    path.write_bytes(b"x")
    first = try_hold(path)
    assert try_hold(path) is None
    first.close()
    second = try_hold(path)
    assert second is not None
    second.close()
    assert os.listdir(tmp_path) == ["s"]


def test_the_holder_says_who_and_since_when():
    holder = describe_holder()
    assert holder["pid"] == os.getpid()
    assert holder["since"].endswith("+00:00")
