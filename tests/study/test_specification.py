"""A specification is the same in every process."""

import os
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

from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.plan import RepeatedFolds
from polychotomy.study.design.specification import describe, fingerprint, print_data, specify

X = np.arange(8.0).reshape(4, 2)
DATA = Dataset.of(X, ["a", "b", "a", "b"])


def made(**changes):
    parts = {
        "datasets": {"toy": print_data(DATA)},
        "candidates": {"MAX": DummyClassifier()},
        "plans": {"5x2 folds": RepeatedFolds()},
        "seed": 0,
    }
    return specify(**(parts | changes))


@pytest.mark.long
def test_fingerprint_is_the_same_in_another_process():
    code = (
        "from sklearn.pipeline import make_pipeline; from sklearn.feature_selection import "
        "SelectKBest, f_classif; from sklearn.neighbors import KNeighborsClassifier; "
        "from polychotomy.study.design.specification import describe; "
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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a", "b"}, {"a", "c"}),
        (np.array(["x", None], dtype=object), np.array(["x", "y"], dtype=object)),
        (np.random.RandomState(0), np.random.RandomState(1)),
        (np.random.default_rng(0), np.random.default_rng(1)),
        (sparse.eye(3), 2 * sparse.eye(3)),
        (pd.DataFrame({"a": range(999)}), pd.DataFrame({"a": range(1, 1000)})),
    ],
)
def test_values_whose_text_hides_them_are_told_apart(one, other):
    assert describe(one) == describe(one)
    assert describe(one) != describe(other)


@pytest.mark.long
def test_sets_are_the_same_in_another_process():
    module = "polychotomy.study.design.specification"
    code = f"from {module} import describe; print(describe(set('abcdef')))"
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    there = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONHASHSEED": seed},
    )
    assert there.stdout == describe(set("abcdef")) + "\n"


def test_fingerprint_changes_with_any_part():
    assert fingerprint(made()) == fingerprint(made())
    assert fingerprint(made()) != fingerprint(made(seed=3))
