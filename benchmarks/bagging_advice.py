"""How often is ``would_bagging_help`` right? Truth from left-out cases of real data sets.

For each data set, learner, size n and draw: n cases are drawn, the advice is taken from their
cross-validation and bootstrap fits alone, and the classifier fitted to all n cases and the bagged
one are both tried on the cases left out. ``python benchmarks/bagging_advice.py --data DIR`` writes
docs/results/bagging_advice.csv (a row a case), .md and .svg; ``--quick`` a few cases only, to see
that it runs; ``--report`` makes the report anew from the CSV.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from polychotomy.decomposition import decompose_predictions, would_bagging_help

RESULTS = Path(__file__).parents[1] / "docs" / "results"
SETS = (
    "abalone", "car", "letter", "nursery", "optdigits", "pendigits", "sat", "segment", "spambase",
    "wave", "wave40", "yeast",
)  # fmt: skip
LEARNERS = {
    "tree": DecisionTreeClassifier(),
    "stump": DecisionTreeClassifier(max_depth=2),
    "1-nn": KNeighborsClassifier(1),
    "5-nn": KNeighborsClassifier(5),
    "lda": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(var_smoothing=1e-3),
    "logistic": LogisticRegression(max_iter=200),
}
SIZES = (150, 400)
BAGS = 100
TEST = 3000


def load(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Features as numbers, categories as indicators; rare classes joined into one."""
    table = pd.read_csv(folder / f"{name}.csv.gz")
    y = table.pop("class").astype(str)
    counts = y.value_counts()
    y = y.where(y.map(counts) >= max(20, 0.03 * len(y)), "rare")
    X = pd.get_dummies(table).to_numpy(dtype=float)
    return X, np.unique(y, return_inverse=True)[1]


def predict(learner, X, y, rows, k):
    """Probabilities with a column for each of k classes."""
    found = np.zeros((len(X), k))
    found[:, learner.classes_] = learner.predict_proba(X)
    return found


def try_case(X, y, learner, n, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(y))
    inside, outside = order[:n], order[n : n + TEST]
    scale = StandardScaler().fit(X[inside])
    X, k = scale.transform(X), y.max() + 1
    Xi, yi, Xo, yo = X[inside], y[inside], X[outside], y[outside]
    folds = np.full((2, n, k), np.nan)
    for repetition in range(2):
        plan = StratifiedKFold(10, shuffle=True, random_state=seed + repetition)
        for train, test in plan.split(Xi, yi):
            folds[repetition, test] = predict(
                learner.fit(Xi[train], yi[train]), Xi[test], yi, test, k
            )
    bags, counts = np.zeros((BAGS, n, k)), np.zeros((BAGS, n), dtype=int)
    total = np.zeros((len(yo), k))
    for bag in range(BAGS):
        rows = rng.integers(0, n, n)
        counts[bag] = np.bincount(rows, minlength=n)
        learner.fit(Xi[rows], yi[rows])
        bags[bag] = predict(learner, Xi, yi, rows, k)
        total += predict(learner, Xo, yo, rows, k)
    single = predict(learner.fit(Xi, yi), Xo, yo, None, k)
    gains = 1.0 * (single.argmax(1) != yo) - (total.argmax(1) != yo)
    budget = decompose_predictions(bags, counts, yi)
    advice = would_bagging_help(folds, budget.aggregated, yi)
    return {
        "estimate": advice.estimate,
        "standard_error": advice.standard_error,
        "answer": advice.answer,
        "single_error": float((single.argmax(1) != yo).mean()),
        "cross_validated_error": advice.cross_validated_error,
        "bagged_error": advice.bagged_error,
        "aggregation_effect": budget.aggregation_effect,
        "monte_carlo_error": float(budget.monte_carlo_errors[0, 1]),
        "spread": float(np.nanstd(advice.differences, ddof=1)),
        "truth": float(gains.mean()),
        "truth_error": float(gains.std(ddof=1) / np.sqrt(len(gains))),
    }


def run(folder: Path, draws: int, budget_s: float) -> pd.DataFrame:
    warnings.simplefilter("ignore")
    rows, start = [], time.process_time()
    for draw in range(draws):
        for name in SETS:
            X, y = load(folder, name)
            for n in SIZES:
                for label, learner in LEARNERS.items():
                    if time.process_time() - start > budget_s:
                        return pd.DataFrame(rows)
                    case = try_case(X, y, learner, n, 1000 * draw + n)
                    rows.append({"data": name, "learner": label, "n": n, "draw": draw} | case)
            print(draw, name, round(time.process_time() - start), file=sys.stderr, flush=True)
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument(
        "--seconds", type=float, default=1e9, help="stop drawing after this much CPU"
    )
    parser.add_argument("--output", type=Path, default=RESULTS / "bagging_advice.csv")
    arguments = parser.parse_args()
    run(arguments.data, arguments.draws, arguments.seconds).to_csv(
        arguments.output, index=False, float_format="%.6g"
    )


if __name__ == "__main__":
    main()
