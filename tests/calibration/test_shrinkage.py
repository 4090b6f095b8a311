"""A dichotomy's sigmoid is drawn to that of all of them, by how few cases it has seen."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from polychotomy.calibration.sigmoid import Sigmoid, fit_platt, shrink_sigmoid
from polychotomy.multiclass import CodedClassifier
from polychotomy.multiclass.training import deal_folds

OWN, POOLED = Sigmoid(3.0, 1.0), Sigmoid(1.0, -1.0)


@pytest.mark.parametrize(
    ("n", "c", "expected"),
    [
        (12.0, 0.0, OWN),
        (12.0, np.inf, POOLED),
        (0.0, 20.0, POOLED),
        (0.0, 0.0, POOLED),
        (1e12, 20.0, OWN),
        (20.0, 20.0, Sigmoid(2.0, 0.0)),
    ],
)
def test_limits(n, c, expected):
    found = shrink_sigmoid(OWN, POOLED, n, c)
    assert found.slope == pytest.approx(expected.slope)
    assert found.intercept == pytest.approx(expected.intercept, abs=1e-9)


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


@pytest.mark.parametrize("c", [0.0, 7.0, np.inf])
def test_of_a_model_against_fits_by_hand(c, monkeypatch):
    monkeypatch.setattr("polychotomy.calibration.sigmoid.SHRINKAGE", c)
    X, y = table(8)
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    apart = [scores_by_hand(X, y, *pair) for pair in pairs]
    own = [fit_platt(*each) for each in apart]
    scores, positive = (np.concatenate(part) for part in zip(*apart, strict=True))
    # Platt's slope without intercept is a logistic regression on doubled samples.
    n_up, n_down = positive.sum(), (~positive).sum()
    t = np.where(positive, (n_up + 1) / (n_up + 2), 1 / (n_down + 2))
    oracle = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000, fit_intercept=False).fit(
        np.tile(scores, 2)[:, None],
        np.repeat([1, 0], scores.size),
        sample_weight=np.concatenate([t, 1 - t]),
    )
    pooled = np.array([oracle.coef_[0, 0], 0.0])
    expected = [
        n / (n + c) * np.array([fit.slope, fit.intercept]) + (1 - n / (n + c)) * pooled
        for fit, (_, sides) in zip(own, apart, strict=True)
        for n in [4 * sides.sum() * (~sides).sum() / sides.size]
    ]
    assert_allclose(lines(CodedClassifier(SVC(tol=1e-9)).fit(X, y)), expected, atol=2e-4)


def test_many_cases_stay_as_they_are(monkeypatch):
    X, y = table(400)
    shrunk = lines(CodedClassifier(SVC()).fit(X, y))
    monkeypatch.setattr("polychotomy.calibration.sigmoid.SHRINKAGE", 0.0)
    assert_allclose(shrunk, lines(CodedClassifier(SVC()).fit(X, y)), rtol=0.1, atol=0.05)
