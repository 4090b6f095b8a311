"""--live: the page while the verdict forms, and after."""

import re

import pytest
from sklearn.datasets import load_iris

from polychotomy.app import live
from polychotomy.study import progress

ASKED = ["judge", "plants.csv", "--target", "target", "--jobs", "1"]
THREE = ["--candidates", "MAX,nearest mean,1-NN", "--no-anatomy"]


@pytest.fixture
def plants(tmp_path):
    load_iris(as_frame=True).frame.to_csv(tmp_path / "plants.csv", index=False)
    return tmp_path


@pytest.fixture
def written(monkeypatch):
    """Every page on the way, as none is waited for."""
    pages, write = [], live.page_or_file

    def keep(page, path):
        pages.append(page)
        write(page, path)

    monkeypatch.setattr(live, "page_or_file", keep)
    monkeypatch.setattr(live, "RELOADS_EVERY", 0)
    monkeypatch.setattr(live, "_SHARE", 1.0)
    monkeypatch.setattr(progress, "_COMMIT_SECONDS", 0.0)
    return pages


@pytest.mark.long
@pytest.mark.parametrize("plan", [[], ["--plan", "2x3"]])
def test_the_page_forms_and_its_last_one_is_the_same_as_without(run, plants, written, plan):
    result = run(*ASKED, *THREE, *plan, "--live", "--study", "s", cwd=plants)
    assert result.returncode == 0, result.stderr
    assert "plants-verdict.html, which reloads itself" in result.stderr
    waiting = [page for page in written if "No verdict yet." in page]
    so_far = [page for page in written if "Still running:" in page]
    assert waiting + so_far == written
    assert waiting
    assert so_far
    assert all('<meta http-equiv="refresh"' in page for page in written)
    row = r"<td><bdi>1-NN</bdi></td><td>1</td><td>\d+\.\d %</td>"  # the fit that was timed
    assert re.search(row, waiting[0])
    if not plan:
        assert any("not in it yet: 1-NN" in page for page in so_far)
    last = (plants / "plants-verdict.html").read_bytes()
    assert b"refresh" not in last
    assert b"--live" not in last
    assert run(*ASKED, *THREE, *plan, "--study", "s", "-o", "b.html", cwd=plants).returncode == 0
    assert (plants / "b.html").read_bytes() == last


def test_a_page_that_cannot_be_drawn_costs_nothing(run, plants, written, monkeypatch):
    monkeypatch.setattr(live, "render", lambda *_, **__: 1 / 0)
    monkeypatch.setattr(live, "conclude", lambda *_, **__: 1 / 0)
    result = run(*ASKED, *THREE[:1], "MAX,1-NN", "--no-anatomy", "--live", cwd=plants)
    assert (result.returncode, written) == (0, []), result.stderr
    assert b"refresh" not in (plants / "plants-verdict.html").read_bytes()


FAILING = """
from sklearn.naive_bayes import GaussianNB
class Fails(GaussianNB):
    def fit(self, X, y):
        raise ValueError("never")
candidates = {"fails": Fails()}
"""


def test_without_a_verdict_no_page_is_left(run, plants, written):
    (plants / "c.py").write_text(FAILING)
    result = run(*ASKED, "--candidates", "c.py", "--live", cwd=plants)
    assert result.returncode == 1, result.stderr
    assert written
    assert not (plants / "plants-verdict.html").exists()


def test_it_is_for_one_table(run, plants):
    result = run("judge", ".", "--target", "target", "--live", cwd=plants)
    assert (result.returncode, "--live is for one table" in result.stderr) == (2, True)
