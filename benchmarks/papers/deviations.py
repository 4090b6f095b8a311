"""What MST09's printed deviations allow: into docs/results/mst09_deviations.md.

``python benchmarks/papers/deviations.py --data DIR`` takes some two minutes of one core. The paper
gives means and deviations over ten runs and does not say what was drawn anew in a run. Here each of
ten random splits into thirds is kept while the classifiers start ten times from other weights.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from scipy.stats import combine_pvalues, f

from polychotomy.combination import auc
from polychotomy.reproduction.inputs import load_numbers
from polychotomy.reproduction.mst09 import COMBINERS, FIRST_SEED, boost, split_parts

RESULTS = Path(__file__).parents[2] / "docs" / "results"
RULES, RUNS, SPLITS = ("RankMargin", "SVM"), 10, 10
OURS = 20  # splits behind the errors in mst09.csv


def start_anew(name: str, data: Path, seed: int, runs: int) -> np.ndarray:
    """Test AUCs (runs, rules) of five classifiers in one split, from other weights each time."""
    X, y = load_numbers(f"b_{name}", data, one_of_n=False)
    (train, y_train), (tuning, y_tuning), (test, y_test) = split_parts(X, y, seed, 1 / 3)
    found = []
    for run in range(runs):
        scorers = boost(train, y_train, 10_000 + 100 * seed + run)[:5]
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
            "over first weights | as small by splits, p | by first weights, p |",
            "| --- " * 8 + "|",
        ]
        chances = []
        for name, found in anew.items():
            mean, printed, over_splits = known[name, rule]
            within = np.sqrt(found[..., j].var(axis=1, ddof=1).mean())
            means = found[..., j].mean(axis=1)
            df = found.shape[0] * (found.shape[1] - 1)
            pair = as_small(printed, over_splits, OURS - 1), as_small(printed, within, df)
            chances.append(pair)
            lines.append(
                f"| {name} | {mean:.3f} | {means.min():.3f} to {means.max():.3f} | {printed:.3f} | "
                f"{over_splits:.3f} | {within:.3f} | {pair[0]:.2g} | {pair[1]:.2g} |"
            )
        joint = [combine_pvalues(column).pvalue for column in zip(*chances, strict=True)]
        lines.append(f"| all (Fisher) | | | | | | {joint[0]:.2g} | {joint[1]:.2g} |")
    return lines


def main() -> None:
    """Run, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--splits", type=int, default=SPLITS)
    asked = parser.parse_args()
    known = printed_and_ours()
    names = list(dict.fromkeys(name for name, _ in known))
    anew = {
        name: np.array(
            [start_anew(name, asked.data, FIRST_SEED + s, RUNS) for s in range(asked.splits)]
        )
        for name in names
    }
    lines = tabulate(known, anew)
    print("\n".join(lines))
    path = RESULTS / "mst09_deviations.md"
    if path.exists():
        before, mark, _ = path.read_text(encoding="utf-8").partition("<!-- tables -->\n")
        path.write_text(before + mark + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
