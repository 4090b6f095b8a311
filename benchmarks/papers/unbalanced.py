"""MST09 §5: does the rank margin serve unbalanced classes? Into docs/science/rank_margin.md.

``python benchmarks/papers/unbalanced.py`` takes some three minutes of one core, and keeps every run
in docs/results/mst09_unbalanced.csv; what is there is not run again. Two normal classes in ten
dimensions differ in three of them, in mean and in spread. Classifiers are trained on 1000 cases,
weights are found on another 1000, of which 1 in 2 to 1 in 101 are positive, and the AUC is measured
on 4000 of each class; runs are paired over the rules.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from kept import RESULTS, Kept, Key
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy.combination import auc, rank_margin_weights, tuned_margin_weights
from polychotomy.reproduction.mst09 import boost

PAGE = Path(__file__).parents[2] / "docs" / "science" / "rank_margin.md"
BEGIN, END = "<!-- unbalanced -->", "<!-- end of unbalanced -->"
RATIOS = (1, 3, 10, 30, 100)
RUNS = 20
KEYS = ("classifiers", "negatives", "run")
RULES = ("rank margin", "plain average", "tuned margin", "stacked logistic", "best single")
FAMILIES = ("seven boosted from random weights", "seven of different kinds")


def draw(rng: np.random.Generator, positives: int, negatives: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs (n, 10) and labels, positives first."""
    y = np.repeat([1, 0], [positives, negatives])
    X = rng.normal(size=(len(y), 10))
    X[y == 1, :3] = X[y == 1, :3] * [1.0, 1.0, 1.8] + [0.8, 0.5, 0.0]
    return X, y


def of_kinds(X: np.ndarray, y: np.ndarray) -> list[Callable[[np.ndarray], np.ndarray]]:
    """Scorers to [−1, 1]: six learners, and one that sees noise only."""
    learners = (
        LogisticRegression(),
        LinearDiscriminantAnalysis(),
        GaussianNB(),
        DecisionTreeClassifier(max_depth=4, random_state=0),
        KNeighborsClassifier(15),
        DecisionTreeClassifier(max_depth=1, random_state=0),
    )
    fitted = [learner.fit(X, y) for learner in learners]
    noise = LogisticRegression().fit(X[:, 3:], y)
    scorers = [lambda Z, f=f: 2 * f.predict_proba(Z)[:, 1] - 1 for f in fitted]
    return [*scorers, lambda Z: 2 * noise.predict_proba(Z[:, 3:])[:, 1] - 1]


def run(seed: int, ratio: int, family: str, n: int = 1000) -> list[float]:
    """Test AUC of each of the RULES."""
    rng = np.random.default_rng([seed, ratio])
    positives = max(4, round(n / (1 + ratio)))
    train, tuning = (draw(rng, positives, n - positives) for _ in range(2))
    X, y = draw(rng, 4000, 4000)
    scorers = boost(*train, seed) if family == FAMILIES[0] else of_kinds(*train)
    S, T = (np.column_stack([f(Z) for f in scorers]) for Z in (tuning[0], X))
    codes = tuning[1]
    stacked = LogisticRegression(C=10.0).fit(S, codes)
    singles = [auc(column, codes) for column in S.T]
    combined = (
        T @ rank_margin_weights(S, codes).weights,
        T.mean(axis=1),
        T @ tuned_margin_weights(S, codes).weights,
        stacked.decision_function(T),
        T[:, int(np.argmax(singles))],
    )
    return [float(auc(scores, y)) for scores in combined]


def tabulate(found: np.ndarray) -> list[str]:
    """Rows of Markdown from AUCs (families, ratios, runs, rules)."""
    lines = []
    for family, table in zip(FAMILIES, found, strict=True):
        lines += ["", f"| {family} | " + " | ".join(RULES) + " |", "| --- " * 6 + "|"]
        for ratio, runs in zip(RATIOS, table, strict=True):
            gains = runs - runs[:, 1:2]
            error = gains.std(axis=0, ddof=1) / np.sqrt(len(runs))
            cells = [f"{mean:.3f}" for mean in runs.mean(axis=0)]
            for j in (0, 2, 3, 4):
                sign = gains[:, j].mean() / max(error[j], 1e-12)
                cells[j] += " ▲" if sign > 2 else " ▼" if sign < -2 else ""
            lines.append(f"| 1 : {ratio} | " + " | ".join(cells) + " |")
    return [*lines, "", ""]


def plan() -> Iterator[tuple[list[Key], object]]:
    """List all runs."""
    for family in FAMILIES:
        for ratio in RATIOS:
            for seed in range(RUNS):
                key = (family, str(ratio), str(seed))
                yield [key], lambda s=seed, r=ratio, f=family: [run(s, r, f)]


def gather(kept: Kept) -> np.ndarray:
    """AUCs (families, ratios, runs, rules)."""
    return np.array([[kept.groups[family, str(r)] for r in RATIOS] for family in FAMILIES])


def main() -> None:
    """Run all, print the tables and write them to the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="into the page, not only here")
    asked = parser.parse_args()
    kept = Kept(RESULTS / "mst09_unbalanced.csv", KEYS, RULES)
    kept.run(plan(), 600)
    lines = tabulate(gather(kept))
    print("\n".join(lines))
    if asked.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(f"{BEGIN}\n")
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
