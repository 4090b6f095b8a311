"""A file is written whole or not at all."""

import os
import stat

import pytest

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.files import writing_whole


def write_half(path):
    with writing_whole(path) as temporary:
        temporary.write_text("half")
        raise ZeroDivisionError


def test_the_old_file_stays_on_an_error(tmp_path):
    path = tmp_path / "p.html"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError):
        write_half(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["p.html"]


def test_the_umask_is_obeyed(tmp_path):
    mask = os.umask(0o027)
    try:
        with writing_whole(tmp_path / "p.html") as temporary:
            temporary.write_text("x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "p.html").stat().st_mode) == 0o640


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with (
        pytest.raises(InvalidInput, match=r"cannot write .*No such file"),
        writing_whole(tmp_path / "nowhere" / "p.html"),
    ):
        pass


def test_a_folder_is_no_file(tmp_path):
    match = "is a folder; expected the name of a file"
    with pytest.raises(InvalidInput, match=match), writing_whole(tmp_path):
        raise AssertionError("never begun")
