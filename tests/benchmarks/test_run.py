"""The suite's memory: what a baseline keeps and when a row counts as slower."""

from __future__ import annotations

import pytest

import run
from side_by_side import Measured, Row


def measured(work: str, ratio: float, spread: float = 0.05) -> Measured:
    row = Row(work, "peer", ours=list, theirs=list, target=None)
    return Measured(row, [1.0, 1.0, 1.0], [ratio * (1 - spread), ratio, ratio * (1 + spread)])


@pytest.fixture
def baseline(tmp_path) -> run.Ratios:
    found = {"decoding": [measured("couple", 4.0), measured("project", 10.0)]}
    run.save(run.ratios(found), tmp_path / "b.csv")
    return run.load(tmp_path / "b.csv")


def test_a_baseline_comes_back_as_it_was_saved(baseline):
    assert baseline["decoding", "couple", "peer"] == (4.0, 3.8, 4.2)


def test_equal_and_better_ratios_pass(baseline):
    now = {"decoding": [measured("couple", 3.9), measured("project", 30.0)]}
    assert run.compare(run.ratios(now), baseline) == []


def test_a_clear_fall_is_told(baseline):
    now = {"decoding": [measured("couple", 2.0), measured("project", 10.0)]}
    assert run.compare(run.ratios(now), baseline) == ["slower: couple (decoding): 2 times, was 4"]


def test_a_fall_within_the_spread_is_not(baseline):
    now = {"decoding": [measured("couple", 3.0, spread=0.4), measured("project", 10.0)]}
    assert run.compare(run.ratios(now), baseline) == []


def test_rows_that_came_or_went_are_told(baseline):
    now = {"decoding": [measured("couple", 4.0), measured("solve", 1.0)]}
    assert run.compare(run.ratios(now), baseline) == [
        "gone: project (decoding), against peer",
        "not in the baseline: solve (decoding)",
    ]


def test_packages_that_were_not_run_are_not_missed(baseline):
    assert run.compare({("startup", "import", "numpy"): (1.0, 1.0, 1.0)}, baseline) == [
        "not in the baseline: import (startup)"
    ]
