"""What MST09's printed deviations allow: into docs/results/mst09_deviations.md.

``python benchmarks/papers/deviations.py --data DIR`` takes some ten minutes of one core. The paper
gives means and deviations over ten runs and does not say what was drawn anew in a run. Here each of
fifty random splits into thirds is kept while the classifiers start ten times from other weights.
What was run is kept in docs/results/mst09_starts.csv, so that a later call goes on, and the page is
written once all splits are there.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.stats import combine_pvalues, f

sys.path.insert(0, str(Path(__file__).parent))
from kept import RESULTS, Kept, Key, write_between

from polychotomy.combination import auc
from polychotomy.reproduction.inputs import load_numbers
from polychotomy.reproduction.mst09 import COMBINERS, FIRST_SEED, boost, split_parts
from polychotomy.reproduction.mst09_page import DATA_SETS

RULES, RUNS, SPLITS = ("RankMargin", "SVM"), 10, 50
OURS = 20  # splits behind the errors in mst09.csv


def start_anew(name: str, data: Path, seed: int, runs: int) -> np.ndarray:
    """Test AUCs (runs, rules) of five classifiers in one split, from other weights each time."""
    X, y = load_numbers(f"b_{name}", data, one_of_n=False)
    (train, y_train), (tuning, y_tuning), (test, y_test) = split_parts(X, y, seed, 1 / 3)
    found = []
    for run in range(runs):
        scorers = boost(train, y_train, 10_000 + 100 * seed + run, size=5)
        S, T = (np.column_stack([g(Z) for g in scorers]) for Z in (tuning, test))
        found.append([auc(COMBINERS[rule](S, y_tuning, T), y_test) for rule in RULES])
    return np.array(found)


def printed_and_ours() -> dict[tuple[str, str], tuple[float, float, float]]:
    """{(set, rule): printed AUC, printed deviation, our deviation over splits}, Table 2."""
    with (RESULTS / "mst09.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == "Table 2"]
    return {
        (row["row"], row["column"]): (
            float(row["printed"]),
            float(row["printed_error"]) * np.sqrt(RUNS),
            float(row["ours_error"]) * np.sqrt(OURS),
        )
        for row in rows
    }


def as_small(printed: float, ours: float, df: int) -> float:
    """Probability that a deviation over ten runs is as small as printed, were ours the true kind.

    A printed deviation is known to ±.0005, so the largest that rounds to it is taken.
    """
    return float(f.cdf(((printed + 0.0005) / ours) ** 2, RUNS - 1, df))


def tabulate(known: dict, anew: dict[str, np.ndarray]) -> list[str]:
    """Tables in Markdown; ``anew`` holds AUCs (splits, runs, rules) of each set."""
    lines: list[str] = []
    for j, rule in enumerate(RULES):
        lines += [
            "",
            f"| {rule} | printed AUC | ours, a split's mean | printed deviation | over splits | "
            "over first weights | as small by splits, p | by first weights, p | splits as high |",
            "| --- " * 9 + "|",
        ]
        chances = []
        for name, found in anew.items():
            mean, printed, over_splits = known[name, rule]
            within = np.sqrt(found[..., j].var(axis=1, ddof=1).mean())
            means = found[..., j].mean(axis=1)
            df = found.shape[0] * (found.shape[1] - 1)
            pair = as_small(printed, over_splits, OURS - 1), as_small(printed, within, df)
            chances.append(pair)
            high = f"{int((means >= mean - 0.0005).sum())} of {len(means)}"
            lines.append(
                f"| {name} | {mean:.3f} | {means.min():.3f} to {means.max():.3f} | {printed:.3f} | "
                f"{over_splits:.3f} | {within:.3f} | {pair[0]:.2g} | {pair[1]:.2g} | "
                f"{high} |"
            )
        joint = [combine_pvalues(column).pvalue for column in zip(*chances, strict=True)]
        lines.append(f"| all (Fisher) | | | | | | {joint[0]:.2g} | {joint[1]:.2g} | |")
    return lines


def plan(data: Path, splits: int) -> Iterator[tuple[list[Key], object]]:
    """List all splits, one of every set after the other."""
    for split in range(splits):
        for name in DATA_SETS:
            keys = [(name, str(split), str(run)) for run in range(RUNS)]
            yield (
                keys,
                lambda name=name, split=split: start_anew(name, data, FIRST_SEED + split, RUNS),
            )


def gather(kept: Kept) -> dict[str, np.ndarray]:
    """AUCs (splits, runs, rules) of each set, of the splits that all sets have."""
    whole = min(sum(key[0] == name for key in kept.rows) // RUNS for name in DATA_SETS)
    return {
        name: np.array(
            [
                [kept.rows[name, str(split), str(run)] for run in range(RUNS)]
                for split in range(whole)
            ]
        )
        for name in DATA_SETS
    }


def main() -> None:
    """Run what is missing and print the tables; once all splits are there, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    kept = Kept(asked.results / "mst09_starts.csv", ("data", "split", "start"), RULES)
    kept.run(plan(asked.data, asked.splits), asked.minutes)
    found = gather(kept)
    whole = len(found[DATA_SETS[0]])
    if whole < 2:
        print(f"{whole} splits of all sets so far; the tables need two.")
        return
    lines = tabulate(printed_and_ours(), found)
    print("\n".join(lines))
    if whole >= asked.splits:
        write_between(asked.results / "mst09_deviations.md", lines[1:])


if __name__ == "__main__":
    main()
