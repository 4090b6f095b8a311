"""docs/results/mst09_deviations.md: the probability by hand, and its sentences from its tables."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "results" / "mst09_deviations.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def deviations():
    path = ROOT / "benchmarks" / "papers" / "deviations.py"
    spec = importlib.util.spec_from_file_location("deviations", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(rule):
    text = PAGE.partition(f"| {rule} | printed AUC")[2].partition("| all")[0]
    found = re.findall(r"^\| ([a-z]+) \| (.*) \|$", text, flags=re.M)
    return {name: rest.split(" | ") for name, rest in found}


def test_a_deviation_known_exactly_is_chi_squared(deviations):
    expected = chi2.cdf(9 * (0.0105 / 0.02) ** 2, 9)
    assert deviations.as_small(0.010, 0.02, 10**7) == pytest.approx(expected, rel=1e-4)


def test_what_the_page_says_is_in_its_tables():
    margin, machine = rows("RankMargin"), rows("SVM")
    assert len(margin) == len(machine) == 10
    splits = np.array([float(row[5]) for row in margin.values()])
    starts = {name: float(row[6]) for name, row in margin.items()}
    assert (splits < 0.01).sum() == 8
    assert {name for name, p in starts.items() if p < 0.05} == {"balance", "hayes", "ionosphere"}
    assert sum(float(row[6]) > 0.95 for row in machine.values()) == 6
    assert sum(0.05 < float(row[5]) < 0.985 for row in machine.values()) == 7
    high = {name: row[7].split(" of ") for name, row in margin.items()}
    assert {count for _, count in high.values()} == {"50"}
    assert {name for name, (splits, _) in high.items() if splits == "0"} == {"balance"}
    others = [int(splits) for name, (splits, _) in high.items() if name != "balance"]
    assert (min(others), max(others)) == (3, 17)
    assert machine["balance"][7] == "0 of 50"


def test_every_other_printed_mean_is_within_the_splits():
    low = [float(row[0]) >= float(row[1].split(" to ")[0]) for row in rows("RankMargin").values()]
    assert all(low)


def test_tables_are_those_of_the_kept_starts(deviations):
    kept = deviations.Kept(
        ROOT / "docs/results/mst09_starts.csv", ("data", "split", "start"), deviations.RULES
    )
    found = deviations.gather(kept)
    assert {aucs.shape for aucs in found.values()} == {(50, 10, 2)}
    lines = deviations.tabulate(deviations.printed_and_ours(), found)
    assert "\n".join(lines[1:]) in PAGE
