"""Platt's sigmoid: against scikit-learn, and where nothing determines it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import expit
from sklearn.calibration import _SigmoidCalibration as Peer
from sklearn.linear_model import LogisticRegression

from polychotomy.calibration.isotonic import fit_isotonic_scores
from polychotomy.calibration.sigmoid import fit_platt


def noisy_scores(n, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=n)
    return scores, rng.random(n) < expit(2.5 * scores - 0.7), rng.random(n) + 0.5


class TestSigmoid:
    def test_is_logistic_regression_on_platts_targets(self):
        """Soft targets t are weights t on the + and 1 − t on the − side of doubled samples."""
        scores, positive, weights = noisy_scores(400)
        n_positive, n_negative = weights[positive].sum(), weights[~positive].sum()
        t = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
        oracle = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(
            np.tile(scores, 2)[:, None],
            np.repeat([1, 0], scores.size),
            sample_weight=np.concatenate([weights * t, weights * (1 - t)]),
        )
        fit = fit_platt(scores, positive, weights)
        assert_allclose(fit.slope, oracle.coef_[0, 0], rtol=1e-5)
        assert_allclose(fit.intercept, oracle.intercept_[0], atol=1e-5)

    @pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
    def test_does_not_depend_on_the_unit(self, scale):
        scores, positive, weights = noisy_scores(100)
        fit = fit_platt(scores, positive, weights)
        other = fit_platt(scores * scale, positive, weights)
        assert_allclose(other.slope * scale, fit.slope, rtol=1e-9)

    def test_separated_constant_and_single_scores_are_finite(self):
        ones = np.ones(6)
        separated = fit_platt(np.array([-3.0, -2, -1, 1, 2, 3]), np.arange(6) > 2, ones)
        assert 0 < separated.slope < 10
        constant = fit_platt(ones, np.arange(6) > 3, ones)
        # Platt's targets: (2 · 3/4 + 4 · 1/6) / 6
        assert_allclose(expit(constant.logits(ones)), (2 * 0.75 + 4 / 6) / 6, atol=1e-9)
        assert np.isfinite(fit_platt(np.zeros(2), np.array([True, False]), np.ones(2)).slope)

    def test_keep_sign_never_contradicts_the_score(self):
        scores, positive, weights = noisy_scores(200)
        for truth in (positive, ~positive, np.ones(200, dtype=bool)):
            fit = fit_platt(scores, truth, weights, keep_sign=True)
            assert fit.intercept == 0
            assert fit.slope > 0


def test_isotonic_is_monotone_and_never_certain():
    scores, positive, weights = noisy_scores(300)
    fit = fit_isotonic_scores(scores, positive, weights)
    grid = fit.logits(np.linspace(-5, 5, 200))
    assert np.isfinite(grid).all()
    assert (np.diff(grid) >= 0).all()


@settings(max_examples=20)
@given(st.integers(0, 1000), st.floats(0.1, 10))
def test_equals_scikit_learns(seed, unit):
    rng = np.random.default_rng(seed)
    y = rng.random(40) < 0.5
    scores = unit * (rng.normal(size=40) + y)
    fit = fit_platt(scores, y, keep_order=True)
    peer = Peer().fit(scores, y)
    if peer.a_ < 0 and 0 < y.sum() < 40:  # the peer may turn the order round, ours does not
        assert_allclose(expit(fit.logits(scores)), peer.predict(scores), atol=2e-3)


def test_keep_order_never_turns_the_order_round():
    positive = np.array([True, True, False, False])
    assert fit_platt(np.arange(4.0), positive).slope < 0
    assert fit_platt(np.arange(4.0), positive, keep_order=True).slope > 0


@pytest.mark.parametrize("constant", [0.1, 3.0, 1e9])
def test_constant_scores_give_the_share(constant):
    scores = np.full(100, constant)
    fit = fit_platt(scores, np.arange(100) < 25, keep_order=True)
    assert_allclose(expit(fit.logits(scores)), 0.25, atol=0.01)


def test_a_common_offset_does_not_matter():
    scores, positive, weights = noisy_scores(100)
    near, far = (fit_platt(s, positive, weights) for s in (scores, scores + 1e6))
    assert_allclose(far.logits(scores + 1e6), near.logits(scores), atol=1e-7)
