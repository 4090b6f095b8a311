"""The page over all papers says what their tables say."""

import csv
import importlib.util
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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
        rows = csv.DictWriter(file, ["table", "verdict", "cause"])
        rows.writeheader()
        for table, verdict in (("A", "agrees"), ("A", "differs"), ("B", "cannot"), ("B", "few")):
            cause = "learner" if verdict == "differs" else ""
            rows.writerow({"table": table, "verdict": verdict, "cause": cause})
    script.gather(page, tmp_path)
    lines = page.read_text().splitlines()
    assert lines[0] == "before"
    assert "| [T96](results/t96.md) | A | 2 | 1 | 1 | 0 | 0 |" in lines
    assert "|  | B | 2 | 0 | 0 | 1 | 1 |" in lines
    assert "| **all** |  | 4 | 1 | 1 | 1 | 1 |" in lines
    assert "| details of the learner are not printed | 1 | 1 |" in lines
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
    found = re.search(r"Of these (\d+) means (\d+) agrees? .*? and (\d+) where", result("ya06"))
    means, coded, compared = found.groups()
    assert f"so do {compared} of the {means} such means, against {coded} with" in words(
        "reproduction"
    )
    assert f"[{compared} of {means} means agree so, {coded} with" in words("papers")
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
