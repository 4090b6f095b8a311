"""Speed of the error budget: against loops of the formulas, and against the bare fits.

``python benchmarks/speed_decomposition.py`` prints the table; ``--quick`` a small version.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.decomposition import decompose_error, decompose_predictions
from side_by_side import Row, machine, markdown, measure

PART = 100  # samples the loops are timed on, of all


def q1_arrays(p, c):
    """Eq. (41) on numpy vectors, as one would write it down."""
    winners = np.flatnonzero(c >= c.max() - 1e-9)
    return p.max() - p[winners].mean()


def q1_lists(p, c):
    """Eq. (41) on lists of floats, which Python does fastest."""
    highest = max(c)
    winners = [j for j, value in enumerate(c) if value >= highest - 1e-9]
    return max(p) - sum(p[j] for j in winners) / len(winners)


def loop_arrays(predictions, in_bag, y):
    """Eqs. (24)–(29), sample by sample and fit by fit; no Monte-Carlo errors."""
    rows = []
    for i in range(len(y)):
        left = predictions[in_bag[:, i] == 0, i]
        average, truth = left.mean(axis=0), np.eye(left.shape[1])[y[i]]
        rows.append(
            (
                np.mean([q1_arrays(truth, c) for c in left]),
                q1_arrays(truth, average),
                np.mean([q1_arrays(c, average) for c in left]),
                np.mean([q1_arrays(average, c) for c in left]),
            )
        )
    return np.mean(rows, axis=0)


def loop_lists(predictions, in_bag, y):
    """The same on lists."""
    rows, k = [], len(predictions[0][0])
    for i, code in enumerate(y):
        left = [fit[i] for fit, bag in zip(predictions, in_bag, strict=True) if bag[i] == 0]
        average = [sum(c[j] for c in left) / len(left) for j in range(k)]
        truth = [float(j == code) for j in range(k)]
        rows.append(
            (
                sum(q1_lists(truth, c) for c in left) / len(left),
                q1_lists(truth, average),
                sum(q1_lists(c, average) for c in left) / len(left),
                sum(q1_lists(average, c) for c in left) / len(left),
            )
        )
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def bare_fits(learner, X, y, b: int) -> Callable[[], None]:
    """Bootstrap fits and their out-of-bag predictions, nothing done with them."""

    def run() -> None:
        rng = np.random.default_rng(0)
        for _ in range(b):
            rows = rng.integers(0, len(y), len(y))
            left = np.setdiff1d(np.arange(len(y)), rows)
            clone(learner).fit(X[rows], y[rows]).predict_proba(X[left])

    return run


def rows(quick: bool) -> list[Row]:
    n, b, k = (500, 50, 3) if quick else (5000, 200, 3)
    rng = np.random.default_rng(0)
    predictions = rng.dirichlet(np.full(k, 0.5), (b, n))
    in_bag, y = rng.multinomial(n, np.full(n, 1 / n), b), rng.integers(0, k, n)
    some = predictions[:, :PART], in_bag[:, :PART], y[:PART]
    listed = [array.tolist() for array in some]
    work = f"error budget of {b} fits × {n} samples × {k} classes, with Monte-Carlo errors"
    X, labels = make_classification(n, 20, n_informative=10, n_classes=k, random_state=0)
    fits = 10 if quick else 50
    logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))

    ours = partial(decompose_predictions, predictions, in_bag, y)

    def engine(learner) -> Callable[[], object]:
        return lambda: decompose_error(learner, X, labels, n_bootstraps=fits, random_state=0)

    # Promises are for the full size; a small one is all start-up.
    faster, overhead = (None, None) if quick else (50.0, 1 / 1.05)
    return [
        Row(
            work, "Python loop of the formulas", ours, lambda: loop_arrays(*some), faster, n / PART
        ),
        Row(work, "the same on lists of floats", ours, lambda: loop_lists(*listed), None, n / PART),
        Row(
            f"decompose_error, {fits} fits of scaled logistic regression, n = {n}",
            "the bare fits (1/1.05: 5 % overhead)",
            engine(logistic),
            bare_fits(logistic, X, labels, fits),
            overhead,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    print(machine() + "\n")
    print(markdown(measure(row, repetitions=2 if quick else 5) for row in rows(quick)))


if __name__ == "__main__":
    main()
