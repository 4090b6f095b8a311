"""The command, as a user runs it."""

import subprocess
import sys


def run(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "polychotomy", "reproduce", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def test_command_writes_a_page_and_may_overwrite_it(tmp_path):
    done = run("ht98", "--runs", "1", "--budget", "0", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("HT98: of 16 printed cells ")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "ht98-reproduction.csv",
        "ht98-reproduction.html",
    ]
    assert run("ht98", "--runs", "1", "--budget", "0", cwd=tmp_path).returncode == 0


def test_command_spares_other_files(tmp_path):
    page = tmp_path / "notes.md"
    page.write_text("mine")
    refused = run("ht98", "--output", "notes.md", cwd=tmp_path)
    assert refused.returncode == 2
    assert "exists and is no page of this command" in refused.stderr
    assert page.read_text() == "mine"


def test_wrong_requests_have_exit_code_2(tmp_path):
    for arguments, words in ((("ht99",), "no paper"), (("ht98", "--data", "x"), "no folder")):
        refused = run(*arguments, cwd=tmp_path)
        assert refused.returncode == 2
        assert words in refused.stderr
