"""MST09 with more boosting steps: into docs/results/mst09_steps.csv and mst09_steps.md.

``python benchmarks/papers/steps.py --data DIR`` takes some five minutes of one core: the twenty
splits of Tables 2 and 3, with 10 steps of Modest AdaBoost (as printed), 20, 50 and 100. What was
run is kept; without ``--data`` only the tables are written again. ``--readings`` keeps the splits
of the page's two other readings too, in docs/results/mst09_readings.csv.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from kept import RESULTS, Kept, Key, read_again, table, write_between

from polychotomy.combination import ModestAdaBoostClassifier, auc
from polychotomy.reproduction.cells import Cell, explains
from polychotomy.reproduction.inputs import load_numbers
from polychotomy.reproduction.mst09 import (
    COMBINERS,
    FIRST_SEED,
    SIZES,
    run_on_inputs,
    run_other_reading,
    split_parts,
)
from polychotomy.reproduction.mst09_page import DATA_SETS, RULES
from polychotomy.reproduction.result import Reproduction

STEPS, SPLITS = (10, 20, 50, 100), 20
COLUMNS = [f"{rule} {m}" for m in SIZES for rule in RULES]


def staged(model: ModestAdaBoostClassifier, X: np.ndarray) -> np.ndarray:
    """Scores (steps, n) after 10, 20, 50 and 100 of the steps."""
    pairs = zip(model.estimators_, model.leaf_scores_, strict=True)
    sums = np.cumsum([scores[tree.apply(X)] for tree, scores in pairs], axis=0)
    return sums[[step - 1 for step in STEPS]]


def run_split(name: str, data: Path, seed: int) -> list[list[float]]:
    """Test AUCs (steps, sizes × rules) in one split."""
    X, y = load_numbers(f"b_{name}", data, one_of_n=False)
    (train, y_train), *others = split_parts(X, y, seed, 1 / 3)
    columns = []
    for j in range(max(SIZES)):
        model = ModestAdaBoostClassifier(
            n_estimators=max(STEPS), initial_weights="random", random_state=1000 * seed + j
        ).fit(train, y_train)
        largest = np.abs(staged(model, train)).max(axis=1, keepdims=True)
        columns.append([staged(model, Z) / np.where(largest > 0, largest, 1) for Z, _ in others])
    tuning, test = (np.stack([column[i] for column in columns], axis=-1) for i in range(2))
    (_, y_tuning), (_, y_test) = others
    return [
        [
            auc(COMBINERS[rule](S[:, :m], y_tuning, T[:, :m]), y_test)
            for m in SIZES
            for rule in RULES
        ]
        for S, T in zip(tuning, test, strict=True)
    ]


def plan(data: Path) -> Iterator[tuple[list[Key], object]]:
    """List all splits, one of every set after the other."""
    for split in range(SPLITS):
        for name in DATA_SETS:
            keys = [(name, str(split), str(steps)) for steps in STEPS]
            yield keys, lambda name=name, split=split: run_split(name, data, FIRST_SEED + split)


def plan_readings(data: Path) -> Iterator[tuple[list[Key], object]]:
    """List the splits of the page's other readings: 60 % to train on, RankBoost on inputs."""
    for split in range(SPLITS):
        for name in DATA_SETS:
            for reading, run in READINGS.items():

                def task(name=name, split=split, run=run):
                    found = run(f"b_{name}", data, FIRST_SEED + split)
                    return [
                        [
                            found.get(f"{m}|{rule}", float("nan"))
                            for m in SIZES
                            for rule in (*RULES, "RankBoost on inputs")
                        ]
                    ]

                yield [(reading, name, str(split))], task


READINGS = {"60 % to train on": run_other_reading, "tuning inputs": run_on_inputs}
READING_COLUMNS = [f"{rule} {m}" for m in SIZES for rule in (*RULES, "RankBoost on inputs")]

TABLES = {5: "Table 2", 7: "Table 3"}


def aucs_of(kept: Kept, name: str, steps: int, m: int, rule: str) -> list[float]:
    """AUCs of all splits."""
    j = COLUMNS.index(f"{rule} {m}")
    return [row[j] for key, row in kept.rows.items() if (key[0], key[2]) == (name, str(steps))]


def read_with(kept: Kept, cells: Iterable[Cell], steps: int) -> dict[tuple[str, str, str], Cell]:
    """Every printed AUC beside what so many steps give."""
    sizes = {name: m for m, name in TABLES.items()}
    return {
        (cell.table, cell.row, cell.column): read_again(
            cell, aucs_of(kept, cell.row, steps, sizes[cell.table], cell.column), 10
        )
        for cell in cells
        if cell.table in sizes
    }


def tabulate(kept: Kept, cells: Sequence[Cell]) -> list[str]:
    """Means over the sets, who is ahead, how many cells agree; then those that steps settle."""
    found = {steps: read_with(kept, cells, steps) for steps in STEPS}
    lines = []
    for m, name in TABLES.items():
        rows = []
        for steps, own in found.items():
            means = {
                rule: [float(own[name, data, rule].ours) for data in DATA_SETS] for rule in RULES
            }
            best = Counter(max(RULES, key=lambda rule, i=i: means[rule][i]) for i in range(10))
            verdicts = Counter(cell.verdict for key, cell in own.items() if key[0] == name)
            rows.append(
                [str(steps)]
                + [f"{np.mean(means[rule]):.3f}" for rule in RULES]
                + [str(best[rule]) for rule in RULES]
                + [str(verdicts[verdict]) for verdict in ("agrees", "differs", "few")]
            )
        printed = {
            rule: np.mean([float(own[name, data, rule].printed) for data in DATA_SETS])
            for rule in RULES
        }
        rows.append(["printed", *(f"{printed[rule]:.3f}" for rule in RULES), *[""] * 6])
        header = [f"{m} classifiers, steps", *(f"{rule}, mean AUC" for rule in RULES)]
        header += [f"{rule} best" for rule in RULES]
        lines += table([*header, "of 30 cells agree", "differ", "too few runs"], rows)
    settled = sum(
        cell.verdict == "differs" and explains(own[cell.table, cell.row, cell.column], cell)
        for cell in cells
        if cell.table in TABLES.values()
        for own in found.values()
    )
    differ = sum(c.verdict == "differs" for c in cells if c.table in TABLES.values())
    return [*lines, f"Of the {differ} AUCs that differ with 10 steps, more steps settle {settled}."]


def main() -> None:
    """Run what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--readings", action="store_true")
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    kept = Kept(asked.results / "mst09_steps.csv", ("data", "split", "steps"), COLUMNS)
    if asked.data and asked.readings:
        readings = asked.results / "mst09_readings.csv"
        others = Kept(readings, ("reading", "data", "split"), READING_COLUMNS)
        others.run(plan_readings(asked.data), asked.minutes)
    elif asked.data:
        kept.run(plan(asked.data), asked.minutes)
    lines = tabulate(kept, Reproduction.read(RESULTS / "mst09.md").cells)
    print("\n".join(lines))
    if (page := asked.results / "mst09_steps.md").exists():
        write_between(page, lines)


if __name__ == "__main__":
    main()
