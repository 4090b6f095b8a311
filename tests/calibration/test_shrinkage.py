"""A dichotomy's sigmoid is held near that of all of them, by how few cases it has seen."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from polychotomy.calibration.sigmoid import PRECISION, Sigmoid, fit_around
from polychotomy.multiclass import CodedClassifier
from polychotomy.multiclass.training import deal_folds


def test_priors_against_a_minimiser():
    rng = np.random.default_rng(0)
    scores, weights = rng.normal(size=30), rng.uniform(0.5, 2, size=30)
    positive, starts, pooled = scores + rng.normal(size=30) > 0.5, np.array([0, 8]), (1.5, -0.5)
    found = fit_around(Sigmoid(*pooled), scores, positive, weights, starts)
    for number, own in enumerate((slice(0, 8), slice(8, 30))):

        def loss(line, own=own):
            z = np.where(positive, -1, 1)[own] * (line[0] * scores[own] + line[1])
            apart = (line - np.array(pooled)) / np.array([pooled[0], 1.0])
            return weights[own] @ np.log1p(np.exp(z)) + PRECISION / 2 * apart @ apart

        expected = minimize(loss, pooled, tol=1e-10).x
        assert_allclose([found.slope[number], found.intercept[number]], expected, atol=1e-4)


def table(per_class):
    return make_classification(
        per_class * 4, n_informative=6, n_classes=4, n_clusters_per_class=1, random_state=0
    )


def scores_by_hand(X, y, first, second):
    """Out-of-fold decision values of a pair, and which samples are of its first class."""
    pair = (y == first) | (y == second)
    scores, positive = [], []
    for train, test in deal_folds(y, 5):
        inside, outside = train[pair[train]], test[pair[test]]
        machine = SVC(gamma=1 / (X.shape[1] * X.var()), tol=1e-9)
        scores.append(machine.fit(X[inside], y[inside] == first).decision_function(X[outside]))
        positive.append(y[outside] == first)
    return np.concatenate(scores), np.concatenate(positive)


def lines(model):
    return np.array([(d.calibrator.slope, d.calibrator.intercept) for d in model.dichotomies_])


@pytest.mark.parametrize("precision", [0.5, 3.0, 1e9])
def test_of_a_model_against_fits_by_hand(precision, monkeypatch):
    monkeypatch.setattr("polychotomy.calibration.sigmoid.PRECISION", precision)
    X, y = table(8)
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    apart = [scores_by_hand(X, y, *pair) for pair in pairs]
    scores, positive = (np.concatenate(part) for part in zip(*apart, strict=True))
    # Platt's slope without intercept is a logistic regression on doubled samples.
    n_up, n_down = positive.sum(), (~positive).sum()
    t = np.where(positive, (n_up + 1) / (n_up + 2), 1 / (n_down + 2))
    oracle = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000, fit_intercept=False).fit(
        np.tile(scores, 2)[:, None],
        np.repeat([1, 0], scores.size),
        sample_weight=np.concatenate([t, 1 - t]),
    )
    pooled = Sigmoid(float(oracle.coef_[0, 0]), 0.0)
    starts = np.cumsum([0, *(len(each[0]) for each in apart)])[:-1]
    expected = fit_around(pooled, scores, positive, np.ones(scores.size), starts)
    found = lines(CodedClassifier(SVC(tol=1e-9), cv=5).fit(X, y))
    assert_allclose(found, np.column_stack([expected.slope, expected.intercept]), atol=2e-4)
    if precision == 1e9:
        assert_allclose(found, np.tile([pooled.slope, 0.0], (6, 1)), atol=1e-6)


def test_many_cases_stay_as_they_are(monkeypatch):
    X, y = table(400)
    held = CodedClassifier(SVC()).fit(X, y).predict_dichotomies(X)
    monkeypatch.setattr("polychotomy.calibration.sigmoid.PRECISION", 1e-6)
    free = CodedClassifier(SVC()).fit(X, y).predict_dichotomies(X)
    assert_allclose(held, free, atol=0.05)
