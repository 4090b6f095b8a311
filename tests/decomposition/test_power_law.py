import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.decomposition.learning_curve import fit_power_law

SIZES = np.array([40.0, 80, 160, 320])


def test_exact_curves_are_found_within_their_band():
    for floor, scale, exponent in ((0.05, 2.0, 0.7), (0.0, 1.5, 0.5), (0.2, 5.0, 1.2)):
        truth = floor + scale * np.append(SIZES, 640.0) ** -exponent
        curves = fit_power_law(SIZES, truth[:4], np.eye(4) * 1e-8, now=320.0)
        low, middle, high = curves.quantiles(curves.errors(2.0), [0.05, 0.5, 0.95])
        assert low <= truth[4] <= high
        assert middle == pytest.approx(truth[4], abs=0.02)
        assert curves.quantiles(curves.errors(1.0), [0.5])[0] == pytest.approx(truth[3], abs=0.005)


@given(
    errors=st.lists(st.floats(0, 0.9), min_size=4, max_size=4),
    factor=st.floats(1, 100),
)
def test_forecasts_never_rise_nor_fall_below_zero(errors, factor):
    curves = fit_power_law(SIZES, np.array(errors), np.eye(4) * 1e-4, now=320.0)
    assert curves.weights.sum() == pytest.approx(1)
    seen = curves.weights > 0
    assert (curves.gains(factor)[seen] >= -1e-12).all()
    assert (curves.errors(factor)[seen] >= -1e-12).all()
    low, middle, high = curves.quantiles(curves.errors(factor), [0.1, 0.5, 0.9])
    assert low <= middle <= high


def test_less_noise_narrower_band():
    errors = 0.05 + 2 / SIZES
    widths = []
    for noise in (1e-3, 1e-5):
        curves = fit_power_law(SIZES, errors, np.eye(4) * noise, now=320.0)
        low, high = curves.quantiles(curves.errors(2.0), [0.1, 0.9])
        widths.append(high - low)
    assert widths[1] < widths[0]


def test_no_error_among_some_does_not_mean_none():
    curves = fit_power_law(SIZES, np.zeros(4), np.zeros((4, 4)), now=320.0)
    low, high = curves.quantiles(curves.errors(1.0), [0.1, 0.9])
    assert low >= 0
    assert 1 / 320 < high < 5 / 320


def test_errors_common_to_all_points_leave_the_fall_alone():
    """A level that may be off moves the error, not what more data would save of it."""
    errors, sure = 0.1 + 4 / SIZES, np.eye(4) * 1e-7
    spreads = []
    for shared in (0.0, 1e-4):
        curves = fit_power_law(SIZES, errors, sure + shared, now=320.0)
        bands = [curves.quantiles(v, [0.1, 0.9]) for v in (curves.now, curves.gains(2.0))]
        spreads.append([high - low for low, high in bands])
    assert spreads[1][0] > 1.5 * spreads[0][0]
    assert spreads[1][1] < 1.3 * spreads[0][1]
