"""Which candidates are said to contradict themselves, of scikit-learn's own and of broken ones.

::

    python -m benchmarks.contradictions

cross-validates every candidate on each table by two repetitions of five folds and asks
``find_contradictions``. It prints two tables: candidates whose labels rightly differ from the class
of highest probability, or not at all, of which none should be named; and candidates with an error
that gives the labels and the probabilities to each other's classes or rows, all of which should be.
Each cell says on how many tables it was named, of those where labels and probabilities differ at
all.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import (
    FixedThresholdClassifier,
    StratifiedKFold,
    TunedThresholdClassifierCV,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, NuSVC

from polychotomy.core.predictions import OutOfFold
from polychotomy.verdict.evidence import find_contradictions

REPETITIONS, FOLDS = 2, 5

Data = tuple[np.ndarray, np.ndarray]


def made(n: int, k: int, *, noise: float, first: float | None = None, seed: int = 0) -> Data:
    """A table of six numbers; ``first`` is the share of the first class, noise of random labels."""
    weights = None if first is None else [first] + [(1 - first) / (k - 1)] * (k - 1)
    X, y = make_classification(
        n, 6, n_informative=4, n_classes=k, flip_y=noise, weights=weights, random_state=seed
    )
    return X, y


SEEDS = range(1, 5)  # the cut-offs were chosen by seed 0

TABLES: dict[str, list[Callable[[], Data]]] = {
    "iris, wine, cancer": [
        lambda: load_iris(return_X_y=True),
        lambda: load_wine(return_X_y=True),
        lambda: load_breast_cancer(return_X_y=True),
    ],
    "2 classes": [
        partial(made, n, 2, noise=noise, first=first, seed=seed)
        for n, noise, first in ((300, 0.3, None), (60, 0.3, None), (400, 0.05, 0.9))
        for seed in SEEDS
    ],
    "4 or 8 classes": [
        partial(made, n, k, noise=noise, first=first, seed=seed)
        for n, k, noise, first in (
            (300, 4, 0.3, None), (80, 4, 0.3, None), (400, 4, 0.1, 0.7), (600, 8, 0.2, None)
        )
        for seed in SEEDS
    ],
    "only noise, 2 or 4 classes": [
        partial(made, 200, k, noise=1.0, seed=seed) for k in (2, 4) for seed in SEEDS
    ],
}  # fmt: skip


class ByCost(ClassifierMixin, BaseEstimator):
    """Decides for the class of least expected cost, where missing the last class is dear."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> ByCost:
        self.inner_ = LogisticRegression(max_iter=1000).fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return self.inner_.predict_proba(X)

    def predict(self, X: np.ndarray) -> np.ndarray:
        weights = np.r_[np.ones(len(self.classes_) - 1), 5.0]
        return self.classes_[(self.predict_proba(X) * weights).argmax(axis=1)]


class Broken(ClassifierMixin, BaseEstimator):
    """A random forest with an error in what it says; as such it gets most rows right."""

    def __init__(self, how: str = "") -> None:
        self.how = how

    def fit(self, X: np.ndarray, y: np.ndarray) -> Broken:
        self.inner_ = RandomForestClassifier(30, random_state=0).fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        codes = self.inner_.predict_proba(X).argmax(axis=1)
        if self.how == "labels moved on by one class":
            codes = (codes + 1) % len(self.classes_)
        return self.classes_[codes]

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        p = self.inner_.predict_proba(X)
        return {
            "columns reversed": p[:, ::-1],
            "columns moved on by one": np.roll(p, 1, axis=1),
            "first two columns swapped": p[:, [1, 0, *range(2, p.shape[1])]],
            "columns in order of frequency": p[:, np.argsort(-p.sum(axis=0), kind="stable")],
            "rows moved on by one": np.roll(p, 1, axis=0),
            "rows in order of the first column": p[np.argsort(p[:, 0])],
            "1 - p": (1 - p) / (1 - p).sum(axis=1, keepdims=True),
            "labels moved on by one class": p,
        }[self.how]


def scaled(learner: Any) -> Any:
    return make_pipeline(StandardScaler(), learner)


LOGISTIC = LogisticRegression(max_iter=1000)

SOUND: dict[str, Any] = {
    "SVC(probability=True)": scaled(SVC(probability=True, random_state=0)),
    "the same, balanced": scaled(SVC(probability=True, class_weight="balanced", random_state=0)),
    "the same, C=100": scaled(SVC(probability=True, C=100, random_state=0)),
    "NuSVC(0.1, probability=True)": scaled(NuSVC(nu=0.1, probability=True, random_state=0)),
    "OneVsRestClassifier of SVC": scaled(
        OneVsRestClassifier(SVC(probability=True, random_state=0))
    ),
    "CalibratedClassifierCV": scaled(CalibratedClassifierCV(SVC(), cv=3)),
    "the same, isotonic": scaled(CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=3)),
    "FixedThresholdClassifier, 0.05": FixedThresholdClassifier(scaled(LOGISTIC), threshold=0.05),
    "FixedThresholdClassifier, 0.95": FixedThresholdClassifier(scaled(LOGISTIC), threshold=0.95),
    "TunedThresholdClassifierCV": TunedThresholdClassifierCV(scaled(LOGISTIC), cv=3),
    "5 times the cost of one class": scaled(ByCost()),
    "SGDClassifier, modified Huber": scaled(SGDClassifier(loss="modified_huber", random_state=0)),
    "2 nearest neighbours (ties)": scaled(KNeighborsClassifier(2)),
}

ERRORS = [
    "columns reversed",
    "columns moved on by one",
    "first two columns swapped",
    "columns in order of frequency",
    "rows moved on by one",
    "rows in order of the first column",
    "1 - p",
    "labels moved on by one class",
]


def predict(candidate: Any, X: np.ndarray, y: np.ndarray) -> OutOfFold:
    """Cross-validate a candidate, as a study does."""
    n, k = len(y), len(np.unique(y))
    said = np.empty((1, 1, REPETITIONS, n), dtype=int)
    p = np.empty((1, 1, REPETITIONS, n, k), dtype=np.float32)
    folds = np.empty((1, REPETITIONS, n), dtype=int)
    for repetition in range(REPETITIONS):
        splits = StratifiedKFold(FOLDS, shuffle=True, random_state=repetition).split(X, y)
        for fold, (train, test) in enumerate(splits):
            model = clone(candidate).fit(X[train], y[train])
            folds[0, repetition, test] = fold
            said[0, 0, repetition, test] = model.predict(X[test])
            p[0, 0, repetition, test] = model.predict_proba(X[test])
    return OutOfFold(
        names=("it",), classes=tuple(map(str, range(k))), y=y, predicted=said, folds=folds,
        probabilities=p, hard=np.array([False]),
    )  # fmt: skip


def cell(candidate: Any, tables: list[Data]) -> str:
    """Return on how many tables a candidate is named, of those on which it can be fitted."""
    named = []
    for X, y in tables:
        with suppress(ValueError):  # made for two classes
            found = predict(candidate, X, y)
            if not np.array_equal(found.probabilities.argmax(axis=-1), found.predicted):
                named.append(bool(find_contradictions(found)))
    return f"{sum(named)} of {len(named)}" if named else "–"


def main() -> None:
    warnings.simplefilter("ignore")
    tables = {name: [make() for make in several] for name, several in TABLES.items()}
    for candidates in (SOUND, {how: Broken(how) for how in ERRORS}):
        print(f"\n| candidate | {' | '.join(tables)} |")
        print(f"| --- |{' ---: |' * len(tables)}")
        for name, candidate in candidates.items():
            cells = [cell(candidate, several) for several in tables.values()]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
