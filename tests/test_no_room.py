"""A full disk, or a limit on the size of files: one sentence in place of a traceback."""

import errno
import os
import subprocess
import sys

import pytest
import typer

from polychotomy.cli.terminal import errors_explained
from polychotomy.core.files import writing_whole

pytest.importorskip("resource")

JUDGE = ["judge", "--candidates", "MAX", "--no-anatomy", "--jobs", "1"]  # the built-in example
SMALL = 20_000  # bytes: fewer than a page or a study has


def test_a_page_that_has_no_room_is_named(run, tmp_path):
    result = run(*JUDGE, "-o", "p.html", cwd=tmp_path, largest_file=SMALL)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert result.stderr.splitlines()[-1] == (
        "error: 'p.html' could not be used: File too large. Mend that, or name a file in another"
        " folder."
    )
    assert result.stdout == ""
    assert os.listdir(tmp_path) == []  # nothing half written


def test_a_study_that_has_no_room_is_named(run, tmp_path):
    asked = [*JUDGE, "--study", "s.polychotomy"]
    result = run(*asked, cwd=tmp_path, largest_file=SMALL)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "'s.polychotomy'" in result.stderr.splitlines()[-1]
    assert "ake room" in result.stderr.splitlines()[-1]
    assert "wine-verdict.html" not in os.listdir(tmp_path)


def test_a_study_that_runs_out_of_room_has_failed_and_says_what_is_kept(run, tmp_path):
    asked = [*JUDGE, "--study", "s.polychotomy", "--runs", "4"]
    result = run(*asked, cwd=tmp_path, largest_file=70_000)
    assert result.returncode == 1  # not 2: something was run
    assert "Traceback" not in result.stderr
    last = result.stderr.splitlines()[-1]
    assert last.startswith("error: stopped safely, ")
    assert "make room and run the same study again" in last
    kept = int(last.split("stopped safely, ")[1].split()[0])
    again = run("status", "s.polychotomy", cwd=tmp_path)
    assert again.stdout.startswith(f"{kept} of 100 fits recorded")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_what_is_printed_has_no_room():
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "polychotomy", "--version"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr == (
        "error: the output could not be used: No space left on device. Mend that, or name a file"
        " in another folder.\n"
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_write_that_fails_names_the_file_asked_for(tmp_path):
    def write():
        with writing_whole(tmp_path / "p.html"), open("/dev/full", "w") as full:
            full.write("x")

    with pytest.raises(OSError, match="No space left") as caught:
        write()
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(tmp_path / "p.html"))
    assert os.listdir(tmp_path) == []


def test_an_error_of_another_file_keeps_its_name(tmp_path):
    with pytest.raises(FileNotFoundError, match="elsewhere"), writing_whole(tmp_path / "p.html"):
        (tmp_path / "elsewhere").read_bytes()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device", "p.html"),
            "error: 'p.html' could not be used: No space left on device. Mend that, or name a "
            "file in another folder. Finished fits are kept in {study!r}; the same command goes on "
            "from there.\n",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied", "p.html"),
            "error: 'p.html' could not be used: Permission denied. Mend that, or name a file in "
            "another folder. Finished fits are kept in {study!r}; the same command goes on from "
            "there.\n",
        ),
    ],
)
def test_the_finished_fits_are_told_of(error, words, tmp_path, capsys):
    study = tmp_path / "s.polychotomy"
    study.touch()
    with pytest.raises(typer.Exit) as caught, errors_explained(study):
        raise error
    assert caught.value.exit_code == 1
    assert capsys.readouterr().err == words.format(study=str(study))


@pytest.mark.parametrize(
    ("there", "words"),
    [
        (True, "stopped: finished fits are kept in {study}; the same command goes on from there."),
        (False, "stopped before the first fit; nothing was kept."),
    ],
)
def test_ctrl_c_tells_of_a_study_that_is_there(there, words, tmp_path, capsys):
    study = tmp_path / "s.polychotomy"
    if there:
        study.touch()
    with pytest.raises(typer.Exit) as caught, errors_explained(study):
        raise KeyboardInterrupt
    assert caught.value.exit_code == 130
    assert capsys.readouterr().err == f"\n{words}\n".format(study=study)


def test_a_reader_that_has_enough_is_no_error():
    with pytest.raises(BrokenPipeError), errors_explained(None):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")
