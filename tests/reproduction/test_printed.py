"""The printed tables are complete, and agree with what the papers' own sums and scans say."""

from collections import Counter

import numpy as np
import pytest

from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction import read_printed
from polychotomy.reproduction.printed import TABLES


@pytest.mark.parametrize(
    ("table", "cells"),
    [
        ("ya06_table1", 150),
        ("ya06_table2", 180),
        ("ya06_table3", 24),
        ("m24", 60),
        ("mst09", 60),
        ("t96", 50),
        ("ht98", 10),
    ],
)
def test_every_cell_is_there_once(table, cells):
    rows = read_printed(table)
    assert len(rows) == cells
    keys = [name for name in rows[0] if name not in ("mean", "sd", "error", "value", "note")]
    keys = [name for name in keys if name not in ("runs", "percent", "bold")]
    if table == "ya06_table2":
        keys.remove("learner")
    assert len({tuple(row[key] for key in keys) for row in rows}) == cells
    assert set(TABLES) >= {table}


def test_totals_of_ya06_add_up():
    totals = Counter()
    for row in read_printed("ya06_table3"):
        totals[row["method"]] += int(row["runs"])
        assert float(row["percent"]) == pytest.approx(int(row["runs"]) / 300, abs=0.0051)
    assert set(totals.values()) == {30_000}


def test_table_2_of_ya06_agrees_with_table_3():
    """The first two places explain the totals but for third places and rounding."""
    shares = Counter()
    for row in read_printed("ya06_table2"):
        if row["learner"]:
            name = "not found" if row["learner"] == "*" else row["learner"]
            shares[row["method"], name] += 10 * int(row["percent"])
    for row in read_printed("ya06_table3"):
        if row["method"] != "Anova":
            gap = int(row["runs"]) - shares[row["method"], row["learner"]]
            assert -60 < gap < 400, row


def test_plausible_learners_of_ya06_err_more_than_max():
    """Which, says its §4.1, they must not; and MultiTest names one of them where MAX errs less."""
    means = {
        (row["data"], row["learner"]): float(row["mean"]) for row in read_printed("ya06_table1")
    }
    worse = [key for key, mean in means.items() if mean > means[key[0], "MAX"]]
    assert len(worse) == 11
    assert len({data for data, _ in worse}) == 6
    named = {
        row["data"]: int(row["percent"])
        for row in read_printed("ya06_table2")
        if row["method"] == "MultiTest" and (row["data"], row["learner"]) in worse
    }
    assert named == {"bupa": 8, "cmc": 29}


def test_shares_of_mst09_are_of_fewer_samples():
    """Its Table 1 prints 54.01 % of 625 for Balance, and 65.01 % of 699 for Breast."""

    def counts(share, n):
        return [count for count in range(n) if round(100 * count / n, 2) == share]

    assert counts(54.01, 625) == counts(65.01, 699) == []
    assert counts(54.01, 624) == [337]
    assert counts(65.01, 683) == [444]


def test_table_2_of_t96_is_consistent():
    """AE = PE(Y, C) − PE(Y, C_A), and Bias = PE(Y, C_A) − Bayes rate, to rounding."""
    cells = {
        (row["problem"], row["learner"], row["column"], row["row"]): float(row["mean"])
        for row in read_printed("t96")
    }
    for problem, bayes in (("two normals", 0.159), ("concentric normals", 0.058)):
        for learner in ("LDF", "5-NN"):
            for column in ("true", "estimate"):
                key = (problem, learner, column)
                effect = cells[*key, "PE(Y, C)"] - cells[*key, "PE(Y, C_A)"]
                assert cells[*key, "AE(C)"] == pytest.approx(effect, abs=0.0021)
            bias = cells[problem, learner, "true", "PE(Y, C_A)"] - bayes
            assert cells[problem, learner, "true", "Bias(C)"] == pytest.approx(bias, abs=0.0011)


def test_mean_ranks_of_mst09_are_those_known():
    """Mean ranks worked out by hand from the print: 1.40, 2.85, 1.75 and 1.2, 2.8, 2.0."""
    from polychotomy.comparison import friedman_test

    for classifiers, expected in (("5", [1.40, 2.85, 1.75]), ("7", [1.2, 2.8, 2.0])):
        rows = [row for row in read_printed("mst09") if row["classifiers"] == classifiers]
        scores = np.array([float(row["mean"]) for row in rows]).reshape(10, 3)
        assert friedman_test(scores, better="larger").mean_ranks == pytest.approx(expected)


def test_no_other_table():
    with pytest.raises(InvalidInput, match="there is no printed table 'x'"):
        read_printed("x")
