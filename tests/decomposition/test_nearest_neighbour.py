import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import Misclassification
from polychotomy.decomposition.from_estimator import draw_counts
from polychotomy.decomposition.nearest_neighbour import nearest_neighbours, neighbour_error


def test_agrees_with_scikit_learns_neighbours():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1, 5, 0.1]
    y = rng.integers(0, 3, 60)
    errors = np.full((25, 60), np.nan)
    in_bag = np.array([draw_counts(seed, 60) for seed in np.random.SeedSequence(1).spawn(25)])
    for fit, counts in enumerate(in_bag):
        inside, outside = counts > 0, counts == 0
        learner = KNeighborsClassifier(1).fit(X[inside], y[inside])
        errors[fit, outside] = learner.predict(X[outside]) != y[outside]
    found = neighbour_error("bootstrap", X, y, Misclassification(), in_bag)
    assert found == pytest.approx(np.nanmean(np.nanmean(errors, axis=0)), abs=1e-12)


def test_doubles_are_neighbours_of_each_other():
    X = np.zeros((4, 1))
    X[3] = 1.0
    found = nearest_neighbours(X, np.arange(4))
    assert all(sample not in row for sample, row in enumerate(found))
    assert [sorted(row) for row in found] == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]


def test_many_samples_are_thinned():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    y, in_bag = (X[:, 0] > 0).astype(int), draw_counts(np.random.SeedSequence(0), 3000)[None]
    assert neighbour_error("bootstrap", X, y, Misclassification(), in_bag) < 0.05


def test_a_word_that_is_none_is_refused():
    with pytest.raises(InvalidInput, match="nearest_neighbour_error is 'loo'; expected a rate"):
        neighbour_error("loo", np.eye(2), np.arange(2), Misclassification(), np.eye(2, dtype=int))
