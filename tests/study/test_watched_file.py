"""A study file that is removed, renamed, replaced, copied without its log, or cannot be written."""

import os
import shutil
import subprocess
import warnings

import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from typer.testing import CliRunner

from polychotomy.cli import app
from polychotomy.core.exceptions import StudyError, StudyStopped
from polychotomy.study import Ledger, RepeatedFolds, Study, progress
from polychotomy.study.ledger.rows import DamagedRecords

X, y = load_iris(return_X_y=True)


def study(repetitions=5):
    return Study({"MAX": DummyClassifier()}, X, y, plan=RepeatedFolds(repetitions=repetitions))


def replace(path):
    path.unlink()
    path.write_text("something else")


WAYS = {
    "removed": os.unlink,
    "renamed": lambda path: path.rename(path.with_name("elsewhere")),
    "replaced": replace,
    "its folder renamed": lambda path: path.parent.rename(path.parent.with_name("moved")),
}


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(WAYS[name], marks=[pytest.mark.long] if "renamed" in name else [], id=name)
        for name in WAYS
    ],
)
def test_it_is_said_at_once_and_nothing_is_lost(tmp_path, monkeypatch, way):
    monkeypatch.setattr(progress, "_COMMIT_SECONDS", 0.0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    for name in ("folder", "temporary"):
        (tmp_path / name).mkdir()
    path, seen = tmp_path / "folder" / "s", []

    def harm(now):
        seen.append(now.done)
        if now.done == 20:
            way(path)

    with pytest.raises(StudyStopped, match="removed, renamed or replaced") as caught:
        study(30).run(path, progress=harm)
    assert seen[-1] <= 22
    rescued = str(caught.value).split("results are in ")[1].split("'")[1]
    assert "s-rescued" in rescued
    with Ledger(rescued, read_only=True) as ledger:
        assert len(ledger.finished()) >= 20
        assert ledger.damage() == []
    if way is replace:
        assert path.read_text() == "something else"
    with study(30).run(rescued) as ledger, study(30).run() as calm:
        assert (ledger.fold_errors() == calm.fold_errors()).all()


def test_a_second_rescue_has_another_name(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "_COMMIT_SECONDS", 0.0)
    path = tmp_path / "s"
    for _ in range(2):
        with pytest.raises(StudyStopped):
            study().run(path, progress=lambda now: path.unlink(missing_ok=True))
    assert sorted(os.listdir(tmp_path)) == ["s-rescued", "s-rescued-2"]


@pytest.fixture
def copies(tmp_path, monkeypatch):
    """A study that is copied while it is written, with its log and without."""
    monkeypatch.setattr(progress, "_COMMIT_SECONDS", 0.0)
    path = tmp_path / "s"

    def copy(now):
        if now.done == 6:
            shutil.copy(path, tmp_path / "alone")
            shutil.copy(path, tmp_path / "both")
            shutil.copy(f"{path}-wal", tmp_path / "both-wal")

    study().run(path, progress=copy).close()
    return tmp_path


def test_a_copy_without_its_log_says_so(copies):
    with Ledger(copies / "alone", read_only=True) as ledger:
        (damage,) = ledger.damage()
        assert "its log" in damage
        assert "alone-wal) is not beside it" in damage
        assert damage in ledger.say_status()
    with pytest.warns(DamagedRecords, match="is not beside it"):
        study().run(copies / "alone").close()
    with Ledger(copies / "alone", read_only=True) as ledger:
        assert ledger.damage() == []
        assert "10 of 10" in ledger.say_status()


@pytest.mark.parametrize("name", ["both", "s"])
def test_a_copy_with_its_log_and_a_finished_study_are_whole(copies, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Ledger(copies / name, read_only=True) as ledger:
            assert ledger.damage() == []
            assert len(ledger.finished()) >= 5
        Ledger(copies / name).close()  # no driver, but the last one: the log is folded in
        with Ledger(copies / name, read_only=True) as ledger:
            assert ledger.damage() == []


@pytest.fixture
def read_only_disk(tmp_path):
    """A folder in which not even root can write."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root may mount a file system")
    yield folder, lambda: subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    subprocess.run(["umount", "-l", str(folder)], check=True)


def check_it_is_judged(folder, monkeypatch, out):
    monkeypatch.chdir(out)
    path = str(folder / "s")
    again = [*JUDGE, "--study", path, "--output", "again.html"]
    for asked in (again, ["status", path], ["export", path, "--output", "all.csv"]):
        found = CliRunner().invoke(app, asked)
        assert found.exit_code == 0, found.output
    refused = CliRunner().invoke(app, [*again, "--force", "--seed", "1"])
    assert refused.exit_code == 2
    refused = CliRunner().invoke(app, [*JUDGE, "--study", path, "--runs", "2", "--force"])
    assert refused.exit_code == 2, refused.output
    assert "cannot be written" in refused.output
    assert "Copy it" in refused.output


JUDGE = ["judge", "--candidates", "MAX,nearest mean", "--rule", "paper", "--no-anatomy"]
JUDGE += ["--jobs", "1"]


@pytest.mark.long
def test_a_finished_study_on_a_read_only_disk_is_judged_again(
    read_only_disk, tmp_path, monkeypatch
):
    folder, lock = read_only_disk
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(app, [*JUDGE, "--study", str(folder / "s"), "--output", "p.html"])
    assert made.exit_code == 0, made.output
    lock()
    check_it_is_judged(folder, monkeypatch, tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_finished_study_in_a_read_only_folder_is_judged_again(tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    folder.mkdir()
    CliRunner().invoke(app, [*JUDGE, "--study", str(folder / "s")])
    folder.chmod(0o500)
    try:
        check_it_is_judged(folder, monkeypatch, tmp_path)
    finally:
        folder.chmod(0o700)


def test_a_study_that_cannot_be_written(tmp_path, monkeypatch):
    study().run(tmp_path / "s").close()
    monkeypatch.setattr("polychotomy.study.ledger.file.is_writable", lambda path: False)
    before = (tmp_path / "s").read_bytes()
    with study().run(tmp_path / "s") as ledger:
        assert ledger.fold_errors().shape == (1, 1, 5, 2)
    with pytest.raises(StudyError, match=r"cannot be written, .*Copy it"):
        study(7).run(tmp_path / "s")
    assert (tmp_path / "s").read_bytes() == before
    assert os.listdir(tmp_path) == ["s"]
