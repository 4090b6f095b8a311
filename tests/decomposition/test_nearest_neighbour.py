import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.decomposition.bootstrap_fits import draw_counts
from polychotomy.decomposition.from_ledger import NeighbourError, nearest_neighbours


def test_agrees_with_scikit_learns_neighbours():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1, 5, 0.1]
    y = rng.integers(0, 3, 60)
    counting = NeighbourError(X, y)
    errors = np.full((25, 60), np.nan)
    for fit, seed in enumerate(np.random.SeedSequence(1).spawn(25)):
        counts = draw_counts(seed, 60)
        counting.add(counts)
        inside, outside = counts > 0, counts == 0
        learner = KNeighborsClassifier(1).fit(X[inside], y[inside])
        errors[fit, outside] = learner.predict(X[outside]) != y[outside]
    assert counting.mean() == pytest.approx(np.nanmean(np.nanmean(errors, axis=0)), abs=1e-12)


def test_doubles_are_neighbours_of_each_other():
    X = np.zeros((4, 1))
    X[3] = 1.0
    found = nearest_neighbours(X, np.arange(4))
    assert all(sample not in row for sample, row in enumerate(found))
    assert [sorted(row) for row in found] == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]


def test_many_samples_are_thinned():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    counting = NeighbourError(X, (X[:, 0] > 0).astype(int))
    counting.add(draw_counts(np.random.SeedSequence(0), 3000))
    assert len(counting._queries) == 1000
    assert counting.mean() < 0.05
