"""A user's file is the same module in every process, and a new one when it changes."""

import pickle
import subprocess
import sys

import pytest

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study.fitting.user_module import load_module, loaded_sources

SOURCE = "class Thing:\n    size = 3\n"


@pytest.mark.long
def test_what_one_process_pickles_another_reads(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    data = pickle.dumps(load_module(path).Thing())
    assert str(path) in [source.path for source in loaded_sources()]
    code = (
        "import pickle, sys; "
        "from polychotomy.study.fitting.user_module import UserSource, load_source; "
        "load_source(UserSource('elsewhere.py', bytes.fromhex(sys.argv[1]))); "
        "print(pickle.loads(bytes.fromhex(sys.argv[2])).size)"
    )
    there = subprocess.run(
        [sys.executable, "-c", code, SOURCE.encode().hex(), data.hex()],
        capture_output=True,
        text=True,
    )
    assert there.stdout == "3\n", there.stderr


def test_a_changed_file_is_another_module(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    before = load_module(path)
    assert load_module(path) is before
    path.write_text(SOURCE.replace("3", "4"))
    assert load_module(path).Thing.size == 4


def test_a_file_that_fails_is_named_and_leaves_no_module(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import nowhere_to_be_found")
    for _ in range(2):
        with pytest.raises(InvalidInput, match=r"'mine\.py' cannot be run: ModuleNotFoundError"):
            load_module(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n\ny = x / 0\n", "ZeroDivisionError: division by zero (line 3)."),
        ("def f():\n    raise ValueError('no.')\nf()\n", "ValueError: no (line 2)."),
        ("import json\njson.loads('{')\n", "column 2 (char 1) (line 2)."),
        ("x = 1\nx = = 2\n", "SyntaxError: invalid syntax (mine.py, line 2)."),
    ],
)
def test_the_line_that_failed_is_named(text, words, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=r"'mine\.py' cannot be run") as caught:
        load_module(path)
    assert str(caught.value).endswith(words)


def test_a_file_in_another_encoding_is_named(tmp_path):
    path = tmp_path / "mine.py"
    path.write_bytes("x = 1\ny = 2\n# für Bäume\n".encode("cp1252"))
    with pytest.raises(InvalidInput, match=r"'mine\.py' cannot be run: UnicodeDecodeError"):
        load_module(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InvalidInput, match=r"cannot read .*No such file"):
        load_module(tmp_path / "mine.py")


def test_a_file_may_import_what_lies_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "lies_beside_it.py").write_text("NUMBER = 7\n")
    (tmp_path / "mine.py").write_text("from lies_beside_it import NUMBER\n")
    assert load_module(tmp_path / "mine.py").NUMBER == 7
    assert sys.path[-1] == str(tmp_path), "last: installed modules come first"
