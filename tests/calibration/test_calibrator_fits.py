import time

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import logit
from sklearn.isotonic import IsotonicRegression

from polychotomy.calibration import fit_isotonic, fit_sigmoid, fit_temperature
from validation_strategies import draw_forecasts, forecasts

FITS = [fit_temperature, fit_sigmoid, fit_isotonic]


def sharpened(p, power):
    return p**power / (p**power).sum(axis=1, keepdims=True)


def test_temperature_undoes_sharpening():
    p, y = draw_forecasts(np.random.default_rng(0), 20_000, 3)
    assert_allclose(fit_temperature(sharpened(p, 3.0), y).exponent, 1 / 3, rtol=0.03)
    assert_allclose(fit_temperature(p, y).exponent, 1, rtol=0.03)


def test_sigmoid_is_the_optimum_of_its_posterior():
    p, y = draw_forecasts(np.random.default_rng(0), 80, 3)
    fitted = fit_sigmoid(p, y)
    for c in range(3):
        x, t = logit(p[:, c]), y == c

        def cost(ab, x=x, t=t):
            z = ab[0] * x + ab[1]
            return np.logaddexp(0, np.where(t, -z, z)).sum() + ((ab - [1, 0]) ** 2).sum() / 2

        best = minimize(cost, [1, 0], tol=1e-12).x
        assert_allclose([fitted.slope[c], fitted.intercept[c]], best, atol=1e-5)


def test_sigmoid_ends_soon_with_many_cases():
    """Rounding of a large sum is no climb: a fit takes a few Newton steps, not thousands."""
    p, y = draw_forecasts(np.random.default_rng(0), 20_000, 5)
    began = time.process_time()
    fitted = fit_sigmoid(p, y)
    assert time.process_time() - began < 2
    assert_allclose(fitted.slope, 1, atol=0.1)


def test_sigmoid_undoes_a_shift_of_log_odds():
    p, y = draw_forecasts(np.random.default_rng(0), 20_000, 2)
    shifted = np.column_stack([p[:, 0], 5 * p[:, 1]])
    shifted /= shifted.sum(axis=1, keepdims=True)
    fitted = fit_sigmoid(shifted, y)
    assert_allclose(fitted.slope, 1, atol=0.05)
    assert_allclose(fitted.intercept, [np.log(5), -np.log(5)], atol=0.08)
    assert_allclose(fitted.apply(shifted), p, atol=0.02)


def test_isotonic_equals_scikit_learn_away_from_the_ends():
    p, y = draw_forecasts(np.random.default_rng(0), 300, 2)
    fitted = fit_isotonic(p, y)
    oracle = IsotonicRegression(out_of_bounds="clip", y_min=1 / 302, y_max=301 / 302)
    new = np.linspace(0, 1, 101)
    expected = oracle.fit(p[:, 1], y).predict(new)
    got = fitted.apply(np.column_stack([1 - new, new]))[:, 1]
    assert_allclose(got, expected, atol=1e-6)


@pytest.mark.parametrize("fit", FITS)
@given(case=forecasts())
def test_maps_to_the_open_simplex(fit, case):
    p, y = case
    got = fit(p, y).apply(p)
    assert np.isfinite(got).all()
    assert_allclose(got.sum(axis=1), 1, atol=1e-12)
    if fit is not fit_temperature:
        assert (got > 0).all()


@pytest.mark.parametrize("fit", FITS)
def test_few_and_separable_cases_do_not_make_certain(fit):
    """All five right: no map may turn 0.8 into certainty."""
    p = np.tile([[0.8, 0.2], [0.2, 0.8]], (3, 1))[:5]
    got = fit(p, np.array([0, 1, 0, 1, 0])).apply(p)
    assert got.max() < 0.97
    assert got.max() > 0.8


@pytest.mark.parametrize("fit", FITS)
def test_zeros_and_ones_are_recalibrated(fit):
    """Always certain, right in 8 of 10: recalibrated, the log loss is near the entropy."""
    y = np.arange(200) % 2
    said = np.where(np.arange(200) % 5 == 0, 1 - y, y)
    p = np.eye(2)[said]
    got = fit(p, y).apply(p)
    loss = -np.log(got[np.arange(200), y]).mean()
    assert loss < 1.02 * -(0.8 * np.log(0.8) + 0.2 * np.log(0.2))


@pytest.mark.parametrize("fit", FITS)
def test_an_absent_class_is_no_error(fit):
    p, _ = draw_forecasts(np.random.default_rng(0), 20, 3)
    got = fit(p, np.zeros(20, dtype=int)).apply(p)
    assert np.isfinite(got).all()
