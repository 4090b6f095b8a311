"""A specification is the same in every process, and differences are said in words."""

import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from polychotomy.study.dataset import Dataset
from polychotomy.study.plan import RepeatedFolds
from polychotomy.study.specification import (
    describe,
    find_conflicts,
    fingerprint,
    hash_data,
    specify,
)
from polychotomy.study.target import Target

X = np.arange(8.0).reshape(4, 2)
TARGET = Target.from_labels(["a", "b", "a", "b"])


def made(**changes):
    parts = {
        "dataset": "toy",
        "X": X,
        "candidates": {"MAX": DummyClassifier()},
        "plan": RepeatedFolds(),
        "seed": 0,
    } | changes
    return specify(
        datasets={parts["dataset"]: Dataset(parts["X"], TARGET)},
        candidates=parts["candidates"],
        plans={parts["plan"].name: parts["plan"]},
        seed=parts["seed"],
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 1}, "the seed was 0, now 1"),
        ({"X": X[:, :1]}, "the data 'toy' had columns 2, now 1"),
        ({"X": X + 1}, "some values of the data 'toy' have changed"),
        (
            {"candidates": {"MAX": DummyClassifier(strategy="stratified")}},
            "the candidate 'MAX' was .*strategy='prior'.*now .*strategy='stratified'",
        ),
    ],
)
def test_differences_in_words(changes, words):
    (conflict,) = find_conflicts(made(), made(**changes))
    assert re.search(words, conflict)


def test_more_candidates_or_runs_are_no_conflict():
    more = {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}
    assert find_conflicts(made(), made(candidates=more, plan=RepeatedFolds(runs=9))) == []


def test_another_plan_or_data_set_is_no_conflict():
    assert find_conflicts(made(), made(plan=RepeatedFolds(folds=5), dataset="other")) == []


def test_version_of_a_library_is_a_conflict():
    was, now = made(), made()
    now["versions"]["numpy"] = "0.1"
    assert find_conflicts(was, now) == [f"numpy was {np.__version__}, now 0.1"]


def test_fingerprint_is_the_same_in_another_process():
    code = (
        "from sklearn.pipeline import make_pipeline; from sklearn.feature_selection import "
        "SelectKBest, f_classif; from sklearn.neighbors import KNeighborsClassifier; "
        "from polychotomy.study.specification import describe; "
        "print(describe(make_pipeline(SelectKBest(f_classif), KNeighborsClassifier())), end='')"
    )
    here = describe(make_pipeline(SelectKBest(f_classif), KNeighborsClassifier()))
    there = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert there == here
    assert "sklearn.feature_selection._univariate_selection.f_classif" in here


def test_objects_without_a_repr_of_their_own_have_no_address():
    assert " at 0x" not in describe(DummyClassifier(constant=object()))


def test_arrays_as_parameters_count():
    a = describe(DummyClassifier(constant=np.array([1])))
    b = describe(DummyClassifier(constant=np.array([2])))
    assert a != b


def test_data_are_hashed_by_value_and_kind():
    frame = pd.DataFrame({"u": [1.0, 2, 3, 4], "v": ["a", None, "b", "c"]})
    hashes = {
        hash_data(value, TARGET)
        for value in (X, X.astype(np.float32), sparse.csr_matrix(X), frame, frame.iloc[:, ::-1])
    }
    assert len(hashes) == 5
    assert hash_data(frame.copy(), TARGET) in hashes
    assert hash_data(np.asfortranarray(X), TARGET) == hash_data(X, TARGET)
    other = Target.from_labels(["b", "a", "a", "b"])
    assert hash_data(X, other) not in hashes


def test_fingerprint_changes_with_any_part():
    assert fingerprint(made()) == fingerprint(made())
    assert fingerprint(made()) != fingerprint(made(seed=3))
