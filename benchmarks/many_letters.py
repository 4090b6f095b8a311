"""Learners that take ten classes at most, on more: codes over letters beside other ways.

    python benchmarks/many_letters.py --data DIR [--output docs/results] [--seeds 1]

DIR holds ``letter.csv.gz`` (26 classes) and ``leaf_margin.csv.gz`` (100), last column ``class``.
The learners are extra trees and logistic regression, kept to ten classes by force. Beside
``CodedClassifier(learner, classes_at_most=10)``: the learner without a limit, and the many-class
wrapper of ``tabpfn-extensions`` where that can be imported (it is no requirement of polychotomy:
``pip install tabpfn-extensions``). *Fits* counts those of the temperature, too.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.codes import balanced
from polychotomy.multiclass import CodedClassifier

MOST, SAMPLES, LOWEST = 10, 1200, 1e-6
ROWS = {"letter": 8, "leaf_margin": 12}
LEARNERS = {
    "extra trees": ExtraTreesClassifier(100, random_state=0),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=200)),
}


class Limited(ClassifierMixin, BaseEstimator):
    """A learner that refuses more than ten classes."""

    def __init__(self, learner: Any = None) -> None:
        self.learner = learner

    def fit(self, X: Any, y: Any) -> Limited:
        self.classes_ = np.unique(y)
        if self.classes_.size > MOST:
            raise ValueError(f"{self.classes_.size} classes, {MOST} at most")
        self.model_ = clone(self.learner).fit(X, y)
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.model_.predict_proba(X)

    def predict(self, X: Any) -> Any:
        return self.model_.predict(X)


def models(learner: Any, y: np.ndarray, length: int, seed: int) -> Iterator[tuple[str, int, Any]]:
    """Names, numbers of fits, and models."""
    held_out = [train_test_split(np.arange(y.size), test_size=1 / 3, stratify=y, random_state=seed)]
    k, limited = np.unique(y).size, Limited(learner)

    def coded(rows: int, **options: Any) -> CodedClassifier:
        code = balanced(k, MOST, length=rows, random_state=seed)
        return CodedClassifier(limited, classes_at_most=MOST, code=code, **options)

    yield "learner without a limit", 1, learner
    yield "as decoded", length, coded(length, calibration=None)
    yield "with temperature, half the rows", length, coded(length // 2, cv=held_out)
    yield "with temperature", 2 * length, coded(length, cv=held_out)
    yield "… least squares", 2 * length, coded(length, cv=held_out, decoder="least-squares")
    yield "… mean of logs", 2 * length, coded(length, cv=held_out, decoder="log-mean")
    try:
        from tabpfn_extensions.many_class import ManyClassClassifier
    except ImportError:
        return
    peer = {"alphabet_size": MOST, "random_state": seed}
    yield "tabpfn-extensions", length, ManyClassClassifier(limited, n_estimators=length, **peer)
    yield (
        "tabpfn-extensions",
        2 * length,
        ManyClassClassifier(limited, n_estimators=2 * length, **peer),
    )


def measure(folder: Path, seeds: int) -> pd.DataFrame:
    found = []
    for name, length in ROWS.items():
        table = pd.read_csv(folder / f"{name}.csv.gz")
        labels = np.unique(table.pop("class").astype(str), return_inverse=True)[1]
        for seed in range(seeds):
            X, rest, y, others = train_test_split(
                table.to_numpy(float), labels, train_size=SAMPLES, stratify=labels,
                random_state=seed,
            )  # fmt: skip
            Z, z = rest[:SAMPLES], others[:SAMPLES]
            for learner, estimator in LEARNERS.items():
                for model, fits, one in models(estimator, y, length, seed):
                    p = np.asarray(one.fit(X, y).predict_proba(Z))
                    true = np.maximum(p[np.arange(z.size), z], LOWEST)
                    row = {"data": name, "learner": learner, "model": model, "fits": fits}
                    row |= {"seed": seed, "log_loss": float(-np.log(true).mean())}
                    found.append(row | {"error": float((p.argmax(axis=1) != z).mean())})
    return pd.DataFrame(found)


def markdown(found: pd.DataFrame) -> str:
    lines = [
        "# More classes than a learner takes",
        f"Learners kept to {MOST} classes; {SAMPLES} training samples, as many to test on, or what "
        f"is left, {found['seed'].nunique()} split(s). *Fits* counts those "
        "of the temperature, learned on a third of the training rows. Letters of several classes "
        "each suit learners that can draw any boundary; a linear one is better served by rows in "
        "which most classes asked have a letter of their own, as in the peer's.",
        "| data | learner | model | fits | log loss | error |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    keys = ["data", "learner", "model", "fits"]
    for key, part in found.groupby(keys, sort=False):
        cells = [
            f"{part[c].mean():.3f} ± {part[c].sem():.3f}"
            if len(part) > 1
            else f"{part[c].mean():.3f}"
            for c in ("log_loss", "error")
        ]
        lines.append("| " + " | ".join([*map(str, key), *cells]) + " |")
    lines.append("\nRepeat with `python benchmarks/many_letters.py --data DIR`.")
    return "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument("--seeds", type=int, default=1)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    page = markdown(measure(arguments.data, arguments.seeds))
    (arguments.output / "many_letters.md").write_text(page)
    print(page)


if __name__ == "__main__":
    main()
