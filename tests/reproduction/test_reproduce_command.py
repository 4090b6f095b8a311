"""The command, as a user runs it."""

import pytest
from typer.testing import CliRunner

from polychotomy.cli import app
from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction.output import check_output


@pytest.mark.long
def test_command_writes_a_page_that_it_may_overwrite(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["reproduce", "ht98", "--runs", "1", "--budget", "0"])
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("HT98: of 16 printed cells ")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "ht98-reproduction.csv",
        "ht98-reproduction.html",
    ]
    page = tmp_path / "ht98-reproduction.html"
    assert check_output(page, "ht98", force=False) == page


def test_other_files_are_spared(tmp_path):
    page = tmp_path / "notes.md"
    page.write_text("mine")
    with pytest.raises(InvalidInput, match="exists and is no page of this command"):
        check_output(page, "ht98", force=False)
    assert check_output(page, "ht98", force=True) == page
    with pytest.raises(InvalidInput, match="there is no folder"):
        check_output(tmp_path / "none" / "page.md", "ht98", force=False)


def test_wrong_requests_have_exit_code_2(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(app, ["reproduce", "ht99"])
    assert refused.exit_code == 2
    assert "there is no paper 'ht99'" in refused.stderr
    assert not list(tmp_path.iterdir())
