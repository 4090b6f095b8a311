"""The exponent of decoded probabilities: by hand, against scipy, and in the classifier."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize, minimize_scalar
from sklearn.datasets import load_digits, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.svm import SVC, LinearSVC

from polychotomy.calibration.temperature import (
    fit_exponent,
    fit_exponent_and_share,
    fit_temperature,
    sharpen,
)
from polychotomy.decoding.decode import decode
from polychotomy.multiclass import CodedClassifier


def random_problem(exponent, n=2000, k=4, seed=0):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(k), size=n)
    true = sharpen(p, exponent)
    y = (rng.random((n, 1)) > true.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return p, y, rng.random(n) + 0.5


@pytest.mark.parametrize("exponent", [0.3, 1.0, 2.5, 8.0])
def test_minimises_the_log_loss(exponent):
    p, y, weights = random_problem(exponent)
    fit = fit_exponent(p, y, weights)

    def loss(t):
        return log_loss(y, sharpen(np.maximum(p, 1e-6), t), sample_weight=weights)

    oracle = minimize_scalar(loss, bounds=(0.05, 20), method="bounded", options={"xatol": 1e-8})
    assert fit == pytest.approx(oracle.x, rel=1e-4)
    assert fit == pytest.approx(exponent, rel=0.15)


@pytest.mark.parametrize("exponent", [0.05, 1.0, 2.5, 30.0])
@pytest.mark.parametrize("n", [3, 20, 2000])
def test_maximises_the_posterior(exponent, n):
    p, y, _ = random_problem(exponent, n=n, seed=n)

    def cost(log_exponent):
        q = sharpen(np.maximum(p, 1e-6), np.exp(log_exponent))
        return log_exponent**2 / 2 - np.log(q[np.arange(n), y]).sum()

    oracle = minimize_scalar(cost, bounds=(-5, 5), method="bounded", options={"xatol": 1e-10})
    assert fit_temperature(p, y).exponent == pytest.approx(np.exp(oracle.x), rel=1e-5)


def test_nothing_to_learn_and_everything_right_are_finite():
    uniform = np.full((5, 3), 1 / 3)
    assert fit_exponent(uniform, np.zeros(5, dtype=int), np.ones(5)) == 1.0
    sure = np.tile([0.9, 0.05, 0.05], (5, 1))
    assert np.isfinite(fit_exponent(sure, np.zeros(5, dtype=int), np.ones(5)))
    wrong = fit_exponent(sure, np.ones(5, dtype=int), np.ones(5))
    assert 0 < wrong < 0.1


def test_share_minimises_the_loss_of_what_predict_proba_gives():
    p, codes, weights = random_problem(1.0)
    p[:40] = np.eye(4)[(codes[:40] + 1) % 4]  # forty classes given up

    def loss(at):
        q = sharpen(p, np.exp(at[0]), share=1 / (1 + np.exp(-at[1])))
        priors = at[0] ** 2 / 2 - 0.25 * (at[1] - 2 * np.logaddexp(0, at[1]))
        return priors - weights @ np.log(q[np.arange(codes.size), codes])

    oracle = minimize(loss, [0.0, -2.0], method="Nelder-Mead", options={"maxiter": 1000})
    exponent, share = fit_exponent_and_share(p, codes, weights)
    assert loss([np.log(exponent), np.log(share / (1 - share))]) <= oracle.fun * (1 + 5e-4)
    assert share > 0.01


def test_no_class_is_below_the_floor():
    X, y = load_iris(return_X_y=True)
    far = np.concatenate([X, 100 * X, -100 * X])
    for code in ("one-vs-one", "one-vs-rest", "orthogonal"):
        model = CodedClassifier(LinearSVC(dual=False), code=code).fit(X, y)
        p = model.predict_proba(far)
        assert 1e-6 <= model.floor_ <= p.min() * (1 + 1e-9)
        outputs, named = model.predict_dichotomies(far), {"decoder": model.decoder_}
        plain = decode(model.code_, outputs, weights=model.weights_, **named)
        assert_allclose(p, sharpen(plain, model.temperature_, share=3 * model.floor_), atol=1e-12)
    assert CodedClassifier(LinearSVC(dual=False), calibration=None).fit(X, y).floor_ == 0.0
    assert CodedClassifier(SVC(), decoder="votes").fit(X, y).floor_ == 0.0


def test_sharpen_keeps_order_zeros_and_the_simplex():
    p, *_ = random_problem(1.0)
    p[:5] = [0.0, 0.5, 0.5, 0.0]
    for exponent in (0.01, 3.0, 400.0):
        q = sharpen(p, exponent)
        assert np.isfinite(q).all()
        assert_allclose(q.sum(axis=1), 1.0)
        assert_array_equal(q.argmax(axis=1), p.argmax(axis=1))
        assert (q[:5, 0] == 0).all()


def test_only_with_calibration_and_more_than_two_classes():
    X, y = load_iris(return_X_y=True)
    assert CodedClassifier(LogisticRegression(max_iter=500)).fit(X, y).temperature_ == 1.0
    assert CodedClassifier(SVC(), calibration=None).fit(X, y).temperature_ == 1.0
    assert CodedClassifier(SVC()).fit(X[50:], y[50:]).temperature_ == 1.0
    assert CodedClassifier(SVC()).fit(X, y).temperature_ != 1.0
    votes = CodedClassifier(SVC(), decoder="votes").fit(X, y)
    assert_allclose(votes.predict_proba(X[:1]), [[2 / 3, 1 / 3, 0.0]])


@pytest.mark.long
def test_better_than_what_was_decoded():
    X, y = load_digits(return_X_y=True)
    # Pairs gain little here, since their sigmoids are good; those of an orthogonal code do not.
    model = CodedClassifier(SVC(gamma=0.001), code="orthogonal", decoder="least-squares")
    model.fit(X[::2], y[::2])
    plain = decode(
        model.code_,
        model.predict_dichotomies(X[1::2]),
        decoder="least-squares",
        weights=model.weights_,
    )
    sharpened = model.predict_proba(X[1::2])
    expected = sharpen(plain, model.temperature_, share=10 * model.floor_)
    assert_allclose(sharpened, expected, atol=1e-12)
    assert log_loss(y[1::2], sharpened) < 0.9 * log_loss(y[1::2], plain)


def test_a_prior_holds_the_exponent_of_few_samples_near_1():
    p, codes = np.tile([0.6, 0.3, 0.1], (12, 1)), np.repeat([0, 1], [10, 2])  # be surer
    found = [
        fit_exponent_and_share(p, codes, np.ones(12), precision=precision)[0]
        for precision in (1.0, 10.0, 1e6)
    ]
    assert found[0] > found[1] > found[2] == pytest.approx(1, abs=1e-4)
    many = np.tile(p, (1000, 1)), np.tile(codes, 1000), np.ones(12_000)
    loose, held = (fit_exponent_and_share(*many, precision=precision)[0] for precision in (1, 10))
    assert held == pytest.approx(loose, rel=0.01)
