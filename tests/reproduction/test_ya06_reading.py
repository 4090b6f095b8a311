"""YA06's other reading: categories compared as equal or not."""

import numpy as np
import pandas as pd
import pytest

from polychotomy.reproduction.data.folder import Dataset
from polychotomy.reproduction.ya06_reading import (
    Mixed,
    descend,
    predict_nearest_mean,
    predict_nearest_neighbour,
    run_logistic,
    run_reading,
    split_kinds,
)

NONE = np.zeros((3, 0))


def test_numbers_and_categories_are_parted_by_first_appearance():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["y", None, "x"], "c": [5, 5, 6]})
    kinds = {"a": "ordinal", "b": "nominal", "c": "binary"}
    y = np.array(["no", "yes", "no"])
    mixed = split_kinds(Dataset(name="some", X=X, y=y, kinds=kinds))
    assert mixed.numbers.tolist() == [[1.0], [2.0], [3.0]]
    assert mixed.categories.tolist() == [[0, 0], [1, 0], [2, 1]]
    assert mixed.y.tolist() == [0, 1, 0]
    everything = split_kinds(Dataset(name="balance", X=X, y=y, kinds=kinds))
    assert (everything.numbers.shape, everything.categories.shape) == ((3, 0), (3, 3))


def test_nearest_mean_keeps_means_of_numbers_and_modes_of_categories():
    """Class 0: mean 1, mode 0; class 1: mean 3, mode 1. At 2 the category decides, at 0.2 not."""
    numbers = np.array([[0.0], [2.0], [1.0], [3.0], [3.0]])
    train = Mixed(numbers, np.array([[0], [0], [1], [1], [1]]), np.array([0, 0, 0, 1, 1]))
    test = Mixed(np.array([[2.0], [2.0], [0.2]]), np.array([[0], [1], [1]]), np.zeros(3, int))
    assert predict_nearest_mean(train, test).tolist() == [0, 1, 0]


def test_first_in_the_file_wins_ties():
    train = Mixed(NONE, np.array([[0, 1], [1, 0], [1, 1]]), np.array([2, 1, 0]))
    test = Mixed(NONE[:1], np.array([[0, 0]]), np.zeros(1, int))
    assert predict_nearest_neighbour(train, test).tolist() == [2]
    assert predict_nearest_mean(train, test).tolist() == [1]  # the lowest class of the two as near


def test_neighbours_are_those_of_scikit_learn_without_ties():
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(1200, 3)), rng.integers(0, 3, size=(1200, 2))
    y = rng.integers(0, 4, size=1200)
    parts = [Mixed(X[rows], codes[rows], y[rows]) for rows in (slice(0, 600), slice(600, None))]
    halves = [
        np.hstack(
            [part.numbers, *(np.sqrt(0.5) * np.eye(3)[part.categories[:, j]] for j in (0, 1))]
        )
        for part in parts
    ]
    model = KNeighborsClassifier(1).fit(halves[0], parts[0].y)
    assert np.array_equal(predict_nearest_neighbour(*parts), model.predict(halves[1]))


def test_run_gives_ten_folds_and_depends_on_its_seed(sets):
    first, again, other = (run_reading("hepatitis", sets, seed) for seed in (0, 0, 1))
    assert first == again != other
    assert [len(first[name]) for name in ("NMC", "NN")] == [10, 10]
    assert np.mean(first["NN"]) == pytest.approx(0.15, abs=0.15)


def test_descent_arrives_at_maximum_likelihood():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 3, 200)
    found = descend(X, y, steps=3000, rate=0.5)
    model = LogisticRegression(C=1e8, tol=1e-8, max_iter=1000).fit(X, y)
    scores = X @ found[:-1] + found[-1]
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert np.abs(p - model.predict_proba(X)).max() < 1e-4


def test_logistic_readings_have_ten_folds(sets):
    found = run_logistic("hepatitis", sets, 0)
    assert {name: len(errors) for name, errors in found.items()} == {
        "no penalty": 10,
        "300 steps": 10,
    }
