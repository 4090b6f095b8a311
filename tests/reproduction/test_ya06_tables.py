"""YA06: printed tables are recognised in themselves, and others are not."""

import numpy as np
import pytest

from polychotomy.reproduction.printed import read_printed
from polychotomy.reproduction.ya06_selections import SelectionCounts
from polychotomy.reproduction.ya06_tables import (
    DATA_SETS,
    LEARNERS,
    Reading,
    chance_of_shares,
    compare_table_1,
    compare_table_2,
    compare_table_3,
)


def printed_errors(runs=40, shift=0.0):
    """Fold errors with the printed means and deviations (divisor n), in every run."""
    pattern = np.tile([-1.0, 1.0], 5)
    cells = {(row["data"], row["learner"]): row for row in read_printed("ya06_table1")}
    folds = [
        [
            float(cells[name, learner]["mean"])
            + shift
            + float(cells[name, learner]["sd"]) * pattern
            for learner in LEARNERS
        ]
        for name in DATA_SETS
    ]
    tables = np.array(folds).reshape(len(DATA_SETS), 1, len(LEARNERS), 5, 2) / 100
    return np.repeat(tables, runs, axis=1)


def printed_selections():
    """Counts of the methods whose places in Table 2 and totals in Table 3 both add up to all."""
    labels = ("*", *LEARNERS)
    methods = ("Anova", "TestFirst", "Newman-Keuls", "MultiTest")
    counts = np.zeros((4, len(DATA_SETS), 6), dtype=int)
    names = tuple(DATA_SETS)
    for row in read_printed("ya06_table2"):
        if row["learner"]:
            place = methods.index(row["method"]), names.index(row["data"])
            counts[*place, labels.index(row["learner"])] = 10 * int(row["percent"])
    counts[..., 0] += 1000 - counts.sum(axis=-1)
    return SelectionCounts(names=LEARNERS, methods=methods, counts=counts, data_sets=names)


def test_table_1_agrees_with_itself():
    rows = {name: i for i, name in enumerate(DATA_SETS)}
    cells = compare_table_1(printed_errors(), rows, Reading({}))
    assert len(cells) == 300
    assert {cell.verdict for cell in cells} == {"agrees"}


def test_table_1_differs_from_something_else():
    rows = {name: i for i, name in enumerate(DATA_SETS)}
    cells = compare_table_1(printed_errors(shift=2.0), rows, Reading({}))
    assert {cell.verdict for cell in cells if cell.table.endswith("mean")} == {"differs"}
    means = [cell for cell in cells if cell.table == "Table 1, mean"]
    causes = {(cell.row, cell.column): cell.cause for cell in means}
    assert causes["iris", "C4.5"] == causes["iris", "LGC"] == "learner"
    assert (causes["horse", "C4.5"], causes["iris", "NN"]) == ("data", "unknown")


@pytest.mark.parametrize(
    ("shifts", "expected", "words"),
    [
        ({"equal or not": 0.0}, ("inputs", "shown"), "21.82, which agrees"),
        ({"equal or not": 5.0}, ("unknown", "none"), "compared as equal or not: 26.82"),
        ({}, ("unknown", "none"), "all inputs are numbers"),
    ],
)
def test_reason_is_shown_by_a_reading_or_none(shifts, expected, words):
    """Car, NN: 21.82 is printed; a reading that was run and differs explains nothing."""
    cell = explained("car", "NN", 21.82, 1.36, shifts)
    assert (cell.cause, cell.basis) == expected
    assert cell.why.endswith(words)


@pytest.mark.parametrize(
    ("shifts", "expected"),
    [
        ({"no penalty": 0.0, "300 steps": 5.0}, ("learner", "shown")),
        ({"no penalty": -5.0, "300 steps": 5.0}, ("learner", "guess")),  # a stop in between
        ({"no penalty": 3.0, "300 steps": 5.0}, ("unknown", "none")),
        ({}, ("learner", "guess")),
    ],
)
def test_descent_explains_what_lies_on_its_way(shifts, expected):
    cell = explained("car", "LGC", 6.89, 0.77, shifts)
    assert (cell.cause, cell.basis) == expected


def test_tree_with_other_splits_explains_or_does_not():
    shown = explained("car", "C4.5", 15.55, 1.5, {"gain ratio": 0.0})
    assert (shown.cause, shown.basis) == ("learner", "shown")
    none = explained("car", "C4.5", 15.55, 1.5, {"gain ratio": 5.0})
    assert (none.cause, none.basis) == ("unknown", "none")


def test_trees_split_categories_only_where_there_are_some():
    rows = {name: i for i, name in enumerate(DATA_SETS)}
    cells = compare_table_1(printed_errors(shift=2.0), rows, Reading({}))
    said = {cell.row for cell in cells if "splits categories many ways" in cell.why}
    numbers = "bupa ecoli glass iris ionosphere optdigits pendigits segment wave wine yeast"
    assert said
    assert not said & set(numbers.split())


def explained(name, learner, mean, sd, shifts):
    """The mean of Table 1 two points off, beside readings that are off by the shifts."""
    right = np.tile([mean - sd, mean + sd], 50)
    folds = {(which, name, learner): right + shift for which, shift in shifts.items()}
    rows = {name: i for i, name in enumerate(DATA_SETS)}
    cells = compare_table_1(printed_errors(shift=2.0), rows, Reading(folds))
    (cell,) = [c for c in cells if (c.table, c.row, c.column) == ("Table 1, mean", name, learner)]
    return cell


def test_table_2_agrees_with_itself():
    cells = compare_table_2(printed_selections())
    assert len(cells) == 180 - sum(not row["learner"] for row in read_printed("ya06_table2"))
    wrong = [cell for cell in cells if cell.verdict != "agrees"]
    # What is neither in the first nor the second place was counted as "not found" above.
    assert all(cell.printed.startswith("*") for cell in wrong)


def test_few_runs_agree_with_no_share():
    few = printed_selections()
    tenth = SelectionCounts(
        names=few.names,
        methods=few.methods,
        counts=few.counts // 50,  # 20 runs
        data_sets=few.data_sets,
    )
    verdicts = {cell.printed: cell.verdict for cell in compare_table_2(tenth)}
    assert verdicts["NMC (53)"] == "few"
    assert verdicts["LGC (100)"] == "agrees"


def test_table_3_needs_all_sets():
    counts = printed_selections()
    fewer = SelectionCounts(
        names=counts.names,
        methods=counts.methods,
        counts=counts.counts[:, :3],
        data_sets=counts.data_sets[:3],
    )
    cells = compare_table_3(fewer)
    assert {cell.verdict for cell in cells} == {"cannot"}
    assert "lacks 27 of 30 data sets" in cells[0].why
    keuls = [cell for cell in compare_table_3(counts) if cell.row == "Newman-Keuls"]
    assert sum(cell.ours for cell in keuls) == pytest.approx(100)


def test_shares_of_runs_are_held_to_the_rounding_of_the_print():
    assert chance_of_shares(199, 200, 100.0) == pytest.approx(1.0)  # 99.5 % rounds to 100
    assert chance_of_shares(180, 200, 100.0) < 1e-6
    assert chance_of_shares(0, 5, 16.0) > 0.05
