"""Does ``learning_curve_forecast`` foresee what more data really does? On large real data sets.

For each data set, learner, size n and draw: n cases are drawn, their learning curve is made by
cross-validation within them and extrapolated to 2 n and 10 n cases. The truth is the error on cases
never used, of fits to n, 2 n and 10 n other cases, averaged over training sets.
``python benchmarks/more_data_advice.py --data DIR`` writes docs/results/more_data_advice.csv (a row
a forecast), .md and .svg; ``--report`` makes the report anew from the CSV.
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
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from bagging_advice import load
from polychotomy.decomposition import learning_curve_forecast, learning_curve_losses

RESULTS = Path(__file__).parents[1] / "docs" / "results"
SETS = ("letter", "mushroom", "nursery", "pendigits", "sat", "shuttle", "spambase", "wave")
LEARNERS = {
    "tree": DecisionTreeClassifier(random_state=0),
    "stump": DecisionTreeClassifier(max_depth=3, random_state=0),
    "5-nn": KNeighborsClassifier(5),
    "lda": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(var_smoothing=1e-3),
    "logistic": LogisticRegression(max_iter=100),
}
SIZES = (200, 400)
FACTORS = (2, 10)
TEST = 2000


def true_error(X, y, learner, size, test, pool, rng, repeats):
    """Mean error on the test cases of fits to training sets from the pool."""
    errors = []
    for _ in range(repeats):
        rows = rng.choice(pool, min(size, len(pool)), replace=False)
        scale = StandardScaler().fit(X[rows])
        learner.fit(scale.transform(X[rows]), y[rows])
        errors.append(np.mean(learner.predict(scale.transform(X[test])) != y[test]))
    return float(np.mean(errors)), float(np.std(errors, ddof=1) / np.sqrt(repeats))


def try_case(X, y, learner, n, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(y))
    inside, rest = order[:n], order[n:]
    test, pool = rest[:TEST], rest[TEST:]
    scaled = StandardScaler().fit_transform(X[inside])
    sizes, losses = learning_curve_losses(
        learner, scaled, y[inside], n_repeats=2, output="votes", random_state=seed
    )
    forecast = learning_curve_forecast(sizes, losses, n=n, factors=FACTORS)
    now, now_error = true_error(X, y, learner, n, test, pool, rng, 8)
    for row, factor in enumerate(FACTORS):
        if factor * n > len(pool):
            continue
        then, then_error = true_error(
            X, y, learner, factor * n, test, pool, rng, 4 if factor < 5 else 2
        )
        yield {
            "factor": factor,
            "answer": forecast.answers[row],
            "low": forecast.forecasts[row, 0],
            "error": forecast.forecasts[row, 1],
            "high": forecast.forecasts[row, 2],
            "gain_low": forecast.gains[row, 0],
            "gain": forecast.gains[row, 1],
            "gain_high": forecast.gains[row, 2],
            "true_now": now,
            "true_error": then,
            "true_gain": now - then,
            "truth_error": float(np.hypot(now_error, then_error)),
            "points": " ".join(f"{v:.5f}" for v in forecast.errors),
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
                    key = {"data": name, "learner": label, "n": n, "draw": draw}
                    rows += [key | case for case in try_case(X, y, learner, n, 1000 * draw + n)]
            print(draw, name, round(time.process_time() - start), file=sys.stderr, flush=True)
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument(
        "--seconds", type=float, default=1e9, help="stop drawing after this much CPU"
    )
    parser.add_argument("--output", type=Path, default=RESULTS / "more_data_advice.csv")
    arguments = parser.parse_args()
    run(arguments.data, arguments.draws, arguments.seconds).to_csv(
        arguments.output, index=False, float_format="%.6g"
    )


if __name__ == "__main__":
    main()
