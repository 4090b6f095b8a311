"""The page over all papers says what their tables say."""

import csv
import importlib.util
import re
import shutil
from pathlib import Path

import pytest

from polychotomy.reproduction.result import Reproduction

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("paper", ["ya06", "m24", "mst09", "t96", "ht98"])
def test_committed_pages_are_what_this_version_writes(paper, tmp_path):
    """Read back and written again, every page and every CSV stays as it is."""
    for path in (ROOT / "docs" / "results").glob(f"{paper}[._]*"):
        shutil.copy(path, tmp_path)
    for path in Reproduction.read(tmp_path / f"{paper}.md").write(tmp_path / f"{paper}.md"):
        assert path.read_text() == (ROOT / "docs" / "results" / path.name).read_text(), path.name


@pytest.fixture(scope="module")
def script():
    path = ROOT / "benchmarks" / "papers" / "reproduce_all.py"
    spec = importlib.util.spec_from_file_location("reproduce_all", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_verdicts_are_counted_table_by_table(script, tmp_path):
    page = tmp_path / "page.md"
    causes = f"{script.WHY_BEGIN}\nold\n{script.WHY_END}"
    page.write_text(f"before\n{script.BEGIN}\nold\n{script.END}\n{causes}\nafter\n")
    with (tmp_path / "t96.csv").open("w", newline="") as file:
        rows = csv.DictWriter(file, ["table", "verdict", "cause", "basis", "practical"])
        rows.writeheader()
        for table, verdict in (("A", "agrees"), ("A", "differs"), ("B", "cannot"), ("B", "few")):
            why = {"cause": "learner", "basis": "guess"} if verdict == "differs" else {}
            rows.writerow({"table": table, "verdict": verdict, "practical": "same", **why})
    script.gather(page, tmp_path)
    lines = page.read_text().splitlines()
    assert lines[0] == "before"
    assert "| [T96](results/t96.md) | A | 2 | 1 | 1 | 0 | 0 | 1 |" in lines
    assert "|  | B | 2 | 0 | 0 | 1 | 1 | 0 |" in lines
    assert "| **all** |  | 4 | 1 | 1 | 1 | 1 | 1 |" in lines
    assert "| details of the learner are not printed | 1 | 1 | 0 | 1 | 0 |" in lines
    assert "| **all** | 1 | 1 | 0 | 1 | 0 |" in lines
    assert lines[-2:] == [script.WHY_END, "after"]
    assert "old" not in lines


def test_committed_page_is_that_of_the_committed_tables(script, tmp_path):
    page = shutil.copy(ROOT / "docs" / "reproduction.md", tmp_path)
    script.gather(Path(page), ROOT / "docs" / "results")
    assert Path(page).read_text() == (ROOT / "docs" / "reproduction.md").read_text()


def result(paper: str) -> str:
    return (ROOT / f"docs/results/{paper}.md").read_text(encoding="utf-8")


def words(page: str) -> str:
    """A page as one line."""
    return " ".join((ROOT / f"docs/{page}.md").read_text(encoding="utf-8").split())


def test_words_about_ya06_are_those_of_its_page():
    said = r"equal or not: of these (\d+) means (\d+) agree with our first reading, (\d+) so read"
    means, coded, compared = re.search(said, result("ya06")).groups()
    assert f"so do {compared} of the {means} such means, against {coded} with" in words(
        "reproduction"
    )
    assert f"[{compared} of {means} means agree so, {coded} with" in words("papers")
    for reading in ("no penalty", "300 steps"):
        said = rf"{reading}: of these 30 means (\d+) agree .*, (\d+) so read"
        before, now = re.search(said, result("ya06")).groups()
        assert f"{now} of the 30 means of LGC agree" in words("reproduction"), reading
        assert f"against {before} with C = 1" in words("reproduction")
    before, now = re.search(
        r"gain ratio: of these 30 means (\d+) .*, (\d+) so", result("ya06")
    ).groups()
    assert f"{now} of the 30 means of C4.5 agree, against {before}" in words("reproduction")
    listed, both = re.search(
        r"lists (\d+) of these sets; (\d+) of them are among", result("ya06")
    ).groups()
    assert listed == both
    assert f"on all {both} data sets that the paper lists" in words("reproduction")


def test_words_about_ht98_are_those_of_its_page():
    percent = {
        name: f"{float(value):.1f}"
        for name, value in re.findall(r"^\| ([^|]+) \| ([\d.]+) % \|", result("ht98"), flags=re.M)
    }
    text = words("reproduction")
    assert f"from {percent['LDA']} to {percent['coupled pairwise LDA']} %" in text
    thresholds = percent["coupled pairwise 5-NN, thresholds"]
    assert f"from {percent['coupled pairwise 5-NN']} to {thresholds} %" in text
    assert "MultiTest finds no significant gain from coupling over max-wins" in text
    for gain in ("coupled beats max-wins", "coupled with thresholds beats coupled"):
        assert result("ht98").count(f"{gain} on 0") == 2


def test_words_about_mst09_are_those_of_its_page():
    page, text = result("mst09"), words("papers")
    for classifiers in ("5", "7"):
        means = re.search(rf"^\| {classifiers} classifiers \| (.*?) \|$", page, flags=re.M)[1]
        first = ", ".join(mean.lstrip("0") for mean in means.split(" | ")[:3])
        assert first in text
    assert re.search(r"15 of the 60 printed AUCs differ instead of 26.*for 32 our error", text)
    assert "15 differ; for 32 our error" in page
