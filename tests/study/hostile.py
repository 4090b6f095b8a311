"""Candidates that do to their process what real ones have been seen to do, and a study of them.

The last column of ``X`` numbers the samples; a hostile candidate is hostile where sample 0 is in
its training set, which is one fold of two.
"""

import ctypes
import os
import sqlite3
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.study import RepeatedFolds, Study

X, y = load_iris(return_X_y=True)
X = np.column_stack([X, np.arange(len(y))])


def raise_error():
    raise FloatingPointError("not today")


def leave():
    raise SystemExit(3)


def hang():
    time.sleep(600)


def spin():
    while True:
        pass


def eat():
    eaten = []
    while True:
        eaten.append(np.ones(10**7))


def end_process():
    os._exit(7)


def segfault():
    ctypes.string_at(0)


def stay_calm():
    pass


class Hostile(ClassifierMixin, BaseEstimator):
    """Answers class 0, after doing something first."""

    def __init__(self, deed="stay_calm", seconds=0.0):
        self.deed = deed
        self.seconds = seconds

    def fit(self, X, y):
        time.sleep(self.seconds)
        if X[:, -1].min() == 0:
            globals()[self.deed]()
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def calm_candidates():
    return {
        "MAX": DummyClassifier(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "1-NN": make_pipeline(StandardScaler(), KNeighborsClassifier(1)),
        "slow": Hostile(seconds=0.005),
    }


def study_of(candidates, **plan):
    return Study(candidates, X, y, dataset="iris", plan=RepeatedFolds(**plan))


def contents(path):
    """All but clocks and who ran it."""
    with sqlite3.connect(path) as connection:
        trials = connection.execute(
            "SELECT dataset, candidate, plan, run, repetition, fold, status, hard, cause, "
            "warnings, model_bytes, predicted, probabilities FROM trials ORDER BY 1, 2, 3, 4, 5, 6"
        ).fetchall()
        rest = [
            connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in ("facts WHERE name = 'specification'", "samples", "splits")
        ]
    connection.close()
    return trials, rest


def children_of(pid):
    """Process ids of the living children of a process (Linux)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(stat.parent.name))
    return found


def descendants_of(pid):
    """Process ids of all living processes that a process has started, directly or not."""
    children = children_of(pid)
    return children + [deeper for child in children for deeper in descendants_of(child)]


def wait_until(condition, seconds=200):  # many, for a busy machine: it is no measure of speed
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
