"""The page over all papers says what their tables say."""

import csv
import importlib.util
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
