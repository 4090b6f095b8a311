"""NearestMeanClassifier: NearestCentroid's decisions, LDA's probabilities for a spherical model."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal
from sklearn.datasets import load_wine
from sklearn.neighbors import NearestCentroid
from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.learners import NearestMeanClassifier


@parametrize_with_checks([NearestMeanClassifier()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_decisions_are_those_of_nearest_centroid():
    X, y = load_wine(return_X_y=True)
    assert_array_equal(
        NearestMeanClassifier().fit(X, y).predict(X), NearestCentroid().fit(X, y).predict(X)
    )


def test_probabilities_are_those_of_spherical_normals():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = NearestMeanClassifier().fit(X, y)
    densities = np.column_stack(
        [multivariate_normal(mean, model.variance_ * np.eye(13)).pdf(X) for mean in model.means_]
    )
    expected = densities / densities.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), expected, atol=1e-12)


def test_variance_is_unbiased():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 4)
    found = [
        NearestMeanClassifier().fit(random.normal(size=(12, 2)) * 3 + y[:, None], y).variance_
        for _ in range(500)
    ]
    assert np.mean(found) == pytest.approx(9, rel=0.06)


def test_one_point_a_class():
    model = NearestMeanClassifier().fit([[0.0], [1.0], [4.0]], ["a", "b", "c"])
    assert_allclose(model.predict_proba([[0.4], [100.0]]), [[1, 0, 0], [0, 0, 1]])
    assert_allclose(model.predict_proba([[0.5]]), [[0.5, 0.5, 0]])
