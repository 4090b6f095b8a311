"""YA06's Tables 2 and 3 from the other readings of its learners: docs/results/ya06_again.md.

``python benchmarks/papers/tables_again.py --data DIR`` runs what is not yet kept; all trees take
some two minutes of one core. All readings of a run share its folds: categories compared as equal
or not (monks: as numbers), logistic classification after 300 steps or without penalty, C4.5's own
splits. The fold errors are kept in docs/results/ya06_readings.csv; without ``--data`` only tables
are written again, and on YA06's own page what it says of these readings.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from kept import RESULTS, Kept, Key, table, write_between

from polychotomy.reproduction.blocks import Heading
from polychotomy.reproduction.cells import CAUSES
from polychotomy.reproduction.printed import read_printed
from polychotomy.reproduction.result import Reproduction
from polychotomy.reproduction.ya06 import AS_NUMBERS, READING_RUNS, TREE_RUNS
from polychotomy.reproduction.ya06_page import show_readings
from polychotomy.reproduction.ya06_reading import (
    COMPARING,
    load_mixed,
    run_as_numbers,
    run_logistic,
    run_reading,
    standardised,
    ten_folds,
)
from polychotomy.reproduction.ya06_selections import SelectionCounts, count_selections
from polychotomy.reproduction.ya06_tables import DATA_SETS, LEARNERS, Reading, explain
from polychotomy.reproduction.ya06_tree import run_tree

KEYS, FOLDS = ("reading", "data", "learner", "run"), [f"fold {i + 1}" for i in range(10)]
LOGISTIC = ("300 steps", "no penalty")
METHODS = ("TestFirst", "Newman-Keuls", "MultiTest")


def run_alike(name: str, data: Path, seed: int) -> dict[str, list[float]]:
    """Ten fold errors of MAX, which has no other reading; and of NMC and NN on numbers alone."""
    mixed = load_mixed(name, data)

    def errors(train: np.ndarray, test: np.ndarray) -> dict[str, float]:
        most = np.bincount(mixed.y[train]).argmax()
        found = {"MAX": float(np.mean(mixed.y[test] != most))}
        if not mixed.categories.size:
            parts = standardised(mixed, np.sort(train), np.sort(test))
            for learner, rule in COMPARING.items():
                found[learner] = float(np.mean(rule(*parts) != parts[1].y))
        return found

    return ten_folds(len(mixed.y), seed, errors)


def plan(data: Path) -> Iterator[tuple[list[Key], object]]:
    """List all readings, one run of all sets after the other."""
    mixed = {n for n, file in DATA_SETS.items() if load_mixed(file, data).categories.size}
    for run in range(READING_RUNS):
        for name, file in DATA_SETS.items():
            has_categories = name in mixed
            if run < TREE_RUNS:
                alike = ["MAX"] if has_categories else ["MAX", "NMC", "NN"]
                yield _task("alike", alike, run_alike, name, file, data, run)
            if name == AS_NUMBERS:
                learners = ["NMC", "LGC", "NN"]
                yield _task("as numbers", learners, run_as_numbers, name, file, data, run)
            if has_categories:
                yield _task("equal or not", ["NMC", "NN"], run_reading, name, file, data, run)
            keys = [(word, name, "LGC", str(run)) for word in LOGISTIC]

            def logistic(file=file, run=run):
                found = run_logistic(file, data, run)
                return [found[word] for word in LOGISTIC]

            yield keys, logistic
            if run < TREE_RUNS:
                yield _task("gain ratio", ["C4.5"], run_tree, name, file, data, run)


def _task(reading, learners, function, name, file, data, run):
    keys = [(reading, name, learner, str(run)) for learner in learners]

    def task():
        found = function(file, data, run)
        return [found[learner] for learner in learners]

    return keys, task


def gather(kept: Kept, logistic: str) -> np.ndarray:
    """Fold errors (data sets, runs, learners, 5, 2) of one reading of every learner."""

    def folds(name: str, learner: str, run: int) -> list[float]:
        if learner == "LGC" and name != AS_NUMBERS:
            return kept.rows[logistic, name, learner, str(run)]
        readings = ("as numbers", "equal or not", "gain ratio", "alike")
        keys = [(reading, name, learner, str(run)) for reading in readings]
        return next(kept.rows[key] for key in keys if key in kept.rows)

    return np.array(
        [
            [[folds(name, learner, run) for learner in LEARNERS] for run in range(TREE_RUNS)]
            for name in DATA_SETS
        ]
    ).reshape(len(DATA_SETS), TREE_RUNS, len(LEARNERS), 5, 2)


def first_choices(counts: SelectionCounts) -> dict[tuple[str, str], str]:
    """Who is named most often, by data set and method; "" for nobody."""
    words = ("", *counts.names)
    return {
        (name, method): words[int(counts.counts[counts.methods.index(method), i].argmax())]
        for i, name in enumerate(counts.data_sets)
        for method in METHODS
    }


def printed_choices() -> dict[tuple[str, str], str]:
    """The same as printed."""
    return {
        (row["data"], row["method"]): row["learner"].replace("*", "")
        for row in read_printed("ya06_table2")
        if row["place"] == "1"
    }


def lowest(errors: np.ndarray) -> int:
    """On how many data sets the learner of lowest printed mean has the lowest one here."""
    printed = {(r["data"], r["learner"]): float(r["mean"]) for r in read_printed("ya06_table1")}
    means = errors.mean(axis=(1, 3, 4))
    return sum(
        LEARNERS[int(means[i].argmin())] == min(LEARNERS, key=lambda w, n=name: printed[n, w])
        for i, name in enumerate(DATA_SETS)
    )


def tabulate(kept: Kept) -> list[str]:
    """Table 3 again, and how many first choices of Table 2 are as printed."""
    cells = [
        c for c in Reproduction.read(RESULTS / "ya06.md").cells if c.table.startswith("Table 3")
    ]
    errors = {word: gather(kept, word) for word in LOGISTIC}
    found = {
        word: count_selections(own, names=LEARNERS, data_sets=tuple(DATA_SETS))
        for word, own in errors.items()
    }
    rows = []
    for cell in cells:
        shares = []
        for counts in found.values():
            j = ("not found", *LEARNERS).index(cell.column)
            own = counts.counts[counts.methods.index(cell.row), :, j] / TREE_RUNS
            share = own.mean()
            # Runs vary within a set, sets do not; where no run varied, one run in all might have.
            spread = np.sqrt((own * (1 - own)).sum() / (TREE_RUNS - 1)) / len(own)
            error = 100 * max(spread, 1 / (TREE_RUNS * len(own)))
            near = abs(100 * share - float(cell.printed)) <= 2 * error
            shares.append(f"{100 * share:.1f} ± {error:.1f}{' ✓' if near else ''}")
        texts = [f"{float(cell.printed):.2f}", f"{float(cell.ours):.2f}"]
        mark = " ✓" if cell.verdict == "agrees" else ""
        rows.append([cell.row, cell.column, texts[0], f"{texts[1]}{mark}", *shares])
    header = ["method", "names", "printed, %", "our first reading", *LOGISTIC]
    lines = ["## Table 3 again", "", *table(header, rows), "## Table 2 again", ""]
    rows = []
    printed = printed_choices()
    for word, counts in found.items():
        own = first_choices(counts)
        same = [sum(own[n, m] == printed[n, m] for n in DATA_SETS) for m in METHODS]
        rows.append([word, *map(str, same), str(sum(same)), str(lowest(errors[word]))])
    header = ["logistic classification", *METHODS, "all, of 90", "lowest mean in Table 1, of 30"]
    return [*lines, *table(header, rows)]


def tell_again(kept: Kept, path: Path) -> None:
    """Write YA06's page anew with the kept readings: their table, and the reasons of Table 1."""
    folds: dict[tuple[str, str, str], list[float]] = {}
    for (which, name, learner, _), errors in kept.rows.items():
        folds.setdefault((which, name, learner), []).extend(errors)
    reading = Reading({key: 100 * np.array(errors) for key, errors in folds.items()})
    found = Reproduction.read(path)
    printed = {(row["data"], row["learner"]): row for row in read_printed("ya06_table1")}
    cells = []
    for cell in found.cells:
        if cell.table.startswith("Table 1, ") and cell.verdict == "differs":
            row = printed[cell.row, cell.column]
            cause, basis, why = explain(row, cell.table.removeprefix("Table 1, "), reading, cell)
            noted = "; ".join(text for text in (row["note"], why or CAUSES[cause]) if text)
            cell = replace(cell, cause=cause, basis=basis, why=noted)
        cells.append(cell)
    titles = {block.text: i for i, block in enumerate(found.blocks) if isinstance(block, Heading)}
    start = titles["Other readings"]
    end = min((i for i in titles.values() if i > start), default=len(found.blocks))
    shown = show_readings(cells, reading)
    blocks = (*found.blocks[:start], *shown, *found.blocks[end:])
    replace(found, cells=tuple(cells), blocks=blocks).write(path)


def main() -> None:
    """Run what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    kept = Kept(asked.results / "ya06_readings.csv", KEYS, FOLDS)
    if asked.data:
        kept.run(plan(asked.data), asked.minutes)
    lines = tabulate(kept)
    print("\n".join(lines))
    if (page := asked.results / "ya06_again.md").exists():
        write_between(page, lines)
    if (page := asked.results / "ya06.md").exists():
        tell_again(kept, page)


if __name__ == "__main__":
    main()
