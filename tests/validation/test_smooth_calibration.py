import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import brentq

from polychotomy.core.exceptions import InvalidInput
from polychotomy.validation import smooth_calibration_error


def by_definition(f, y):
    """Błasiok & Nakkiran: the reflected kernel image by image, the integral by quadrature."""
    t = (np.arange(2000) + 0.5) / 2000

    def error(width):
        total = np.zeros_like(t)
        for image in range(-3, 4):
            for centre in (2 * image + f, 2 * image - f):
                z = (t[:, None] - centre) / width
                total += np.exp(-(z**2) / 2) @ (y - f)
        return np.abs(total).mean() / (len(f) * width * np.sqrt(2 * np.pi))

    return brentq(lambda width: error(width) - width, 0.01, 1, xtol=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_equals_the_definition(seed):
    rng = np.random.default_rng(seed)
    f = rng.beta(*[(1, 1), (0.3, 0.3), (5, 1)][seed % 3], size=60)
    y = (rng.random(60) < f ** [1, 2][seed % 2]).astype(float)
    assert_allclose(smooth_calibration_error(f, y), by_definition(f, y), atol=2e-5)


@pytest.mark.parametrize(("f", "share"), [(0.7, 0.4), (0.0, 1.0), (1.0, 0.5), (0.5, 0.6)])
def test_one_forecast_value_by_hand(f, share):
    """The residuals have one sign at one place: whatever the width, the error is their mean."""
    y = np.arange(100) < 100 * share
    assert_allclose(smooth_calibration_error(np.full(100, f), y), abs(f - share), atol=1e-9)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40))
def test_range_and_symmetry(pairs):
    f, y = map(np.array, zip(*pairs, strict=True))
    error = smooth_calibration_error(f, y)
    assert 0 <= error <= 1
    assert error <= np.abs(y - f).mean() + 1e-9
    assert_allclose(smooth_calibration_error(1 - f, ~y), error, atol=1e-6)


def test_falls_with_cases_where_calibrated_and_stays_where_not():
    rng = np.random.default_rng(0)
    f = rng.random(100_000)
    y = rng.random(100_000) < f
    assert smooth_calibration_error(f, y) < 0.01
    # says f, is f²: E|f − f²| = 1/6
    z = rng.random(100_000) < f**2
    assert_allclose(smooth_calibration_error(f, z), 1 / 6, atol=0.01)


@pytest.mark.parametrize(
    ("f", "y", "message"),
    [
        ([0.5, 1.2], [0, 1], r"forecasts\[1\] is 1\.2; expected a probability"),
        ([0.5], [2], r"outcomes\[0\] is 2; expected 0 or 1"),
        ([0.5, np.nan], [0, 1], r"forecasts\[1\] is nan"),
        ([[0.5, 0.5]], [0], r"forecasts has shape \(1, 2\)"),
        ([], [], r"n at least 1"),
    ],
)
def test_refuses(f, y, message):
    with pytest.raises(InvalidInput, match=message):
        smooth_calibration_error(f, y)
