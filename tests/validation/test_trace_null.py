import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binomtest, kstest

from polychotomy.core.exceptions import InvalidInput
from polychotomy.validation import probability_trace
from polychotomy.validation.trace import draw_columns, monte_carlo_pvalue
from validation_strategies import draw_forecasts


def test_pvalue_by_hand():
    assert monte_carlo_pvalue(np.array([0.1, 0.2, 0.3, 0.4]), 0.3) == 3 / 5


def test_drawn_classes_have_their_probabilities():
    p = np.tile([0.2, 0.5, 0.3], (20_000, 1))
    drawn = draw_columns(
        p.cumsum(axis=1), np.arange(20_000), np.random.default_rng(0), complete=True
    )
    for c, expected in enumerate([0.2, 0.5, 0.3]):
        assert binomtest(int((drawn == c).sum()), 20_000, expected).pvalue > 0.001


def test_rows_of_one_case_share_their_class():
    p = np.tile([0.2, 0.5, 0.3], (600, 1))
    drawn = draw_columns(
        p.cumsum(axis=1), np.repeat(np.arange(200), 3), np.random.default_rng(0), complete=True
    )
    assert_array_equal(drawn[::3], drawn[1::3])
    assert len(np.unique(drawn)) == 3


def test_simulated_traces_are_traces_of_drawn_classes():
    p, y = draw_forecasts(np.random.default_rng(5), 40, 3)
    null = probability_trace(p, y).null_band(1, random_state=7, level=0.5)
    drawn = draw_columns(p.cumsum(axis=1), np.arange(40), np.random.default_rng(7), complete=True)
    again = probability_trace(p, drawn)
    assert_allclose([null.r[0], null.slope[0]], [again.r, again.slope], rtol=1e-12)
    reach = np.where(again.trace < null.steps, null.lower, null.upper)
    assert_allclose(reach, again.trace, atol=1e-12)


def test_slope_and_trace_have_the_mean_that_theory_says():
    p, y = draw_forecasts(np.random.default_rng(5), 80, 4)
    null = probability_trace(p, y).null_band(2000, random_state=0)
    assert abs(null.slope.mean() - 1) < 4 * null.slope.std() / np.sqrt(2000)
    assert ((null.lower <= null.steps) & (null.steps <= null.upper)).all()


@pytest.mark.long
@pytest.mark.parametrize(("n", "k", "concentration"), [(40, 2, 0.5), (60, 3, 1.0), (30, 20, 0.2)])
def test_level(n, k, concentration):
    """True probabilities: p-values are uniform, and 5 % tests reject about 5 %."""
    rng = np.random.default_rng(n)
    pvalues = np.empty((400, 3))
    for row in pvalues:
        p, y = draw_forecasts(rng, n, k, concentration=concentration)
        null = probability_trace(p, y).null_band(59, random_state=rng)
        row[:] = null.pvalue_r, null.pvalue_slope, null.pvalue
    for column in (0, 1):
        # a Monte-Carlo p-value is uniform on 1/60 … 1: jitter makes it continuous
        jittered = pvalues[:, column] - rng.random(400) / 60
        assert kstest(jittered, "uniform").pvalue > 0.001
        assert binomtest(int((pvalues[:, column] <= 0.05).sum()), 400, 0.05).pvalue > 0.001
    assert (pvalues[:, 2] <= 0.05).mean() <= 0.075  # Bonferroni: at most 5 %, and some chance


@pytest.mark.long
def test_level_holds_with_repetitions():
    """Three rows of each case: drawn together the level holds, drawn apart it does not."""
    rng = np.random.default_rng(2)
    together, apart = [], []
    for _ in range(200):
        p, y = draw_forecasts(rng, 40, 3)
        p, y, samples = np.repeat(p, 3, axis=0), np.repeat(y, 3), np.repeat(np.arange(40), 3)
        for kept, grouping in ((together, samples), (apart, None)):
            null = probability_trace(p, y, samples=grouping).null_band(59, random_state=rng)
            kept.append(null.pvalue_slope)
    assert np.mean(np.array(together) <= 0.05) <= 0.1
    assert np.mean(np.array(apart) <= 0.05) >= 0.12


@pytest.mark.parametrize(("power", "side"), [(2.5, "sure"), (0.4, "cautious")])
def test_finds_distorted_probabilities_and_their_direction(power, side):
    rng = np.random.default_rng(0)
    p, y = draw_forecasts(rng, 400, 3)
    said = p**power / (p**power).sum(axis=1, keepdims=True)
    trace = probability_trace(said, y)
    null = trace.null_band(199, random_state=0)
    assert null.pvalue_slope == 1 / 200
    assert (trace.slope < 1) == (side == "sure")
    assert "speaks against" in str(null)


@pytest.mark.long
def test_true_probabilities_stay_in_the_band_all_along():
    rng, left = np.random.default_rng(8), []
    for _ in range(100):
        p, y = draw_forecasts(rng, 40, 3)
        null = probability_trace(p, y).null_band(99, random_state=rng)
        out = (null.observed < null.lower - 1e-9) | (null.observed > null.upper + 1e-9)
        left.append(out.any())
        if null.pvalue_band <= 0.02:
            assert out.any()
    assert sum(left) <= 12  # 100 at 5 %: more in 1 of 500


def test_per_class_nulls():
    p, y = draw_forecasts(np.random.default_rng(1), 300, 3)
    y_wrong = np.where(y == 0, 1, y)  # class 0 never comes true
    pvalues = [
        one.null_band(99, random_state=0).pvalue
        for one in probability_trace(p, y_wrong).per_class()
    ]
    assert pvalues[0] == 0.01
    assert pvalues[1] == 0.02
    assert pvalues[2] > 0.05


def test_certain_forecasts():
    right = probability_trace(np.eye(3), [0, 1, 2]).null_band(19, random_state=0)
    wrong = probability_trace(np.eye(3), [0, 1, 1]).null_band(19, random_state=0)
    assert right.pvalue == 1.0
    assert (wrong.pvalue_r, wrong.pvalue_slope) == (0.05, 0.05)


def test_seeds():
    trace = probability_trace(*draw_forecasts(np.random.default_rng(1), 30, 3))
    a, b = (trace.null_band(20, random_state=3) for _ in range(2))
    assert_array_equal(a.slope, b.slope)
    assert not np.array_equal(a.slope, trace.null_band(20, random_state=4).slope)


def test_frame_and_plot():
    null = probability_trace(*draw_forecasts(np.random.default_rng(1), 30, 3)).null_band(49)
    frame = null.to_frame()
    assert frame["statistic"].tolist() == ["r", "slope"]
    assert frame["pvalue"][0] == null.pvalue_r
    assert_array_equal(null.plot().lines[0].get_ydata(), null.observed - null.steps)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_simulations": 0}, "n_simulations is 0; expected an int of at least 1"),
        ({"n_simulations": "x"}, "n_simulations is 'x'; expected an int of at least 1"),
        ({"level": 1.0}, r"level is 1\.0; expected a number between 0 and 1"),
    ],
)
def test_refuses(options, message):
    with pytest.raises(InvalidInput, match=message):
        probability_trace([[0.5, 0.5]], [0]).null_band(**options)


@pytest.mark.parametrize("digits", [None, 2], ids=["all different", "many equal"])
@pytest.mark.parametrize("k", [2, 12])
def test_a_grid_tells_what_all_places_tell(k, digits, monkeypatch):
    p, y = draw_forecasts(np.random.default_rng(3), n=2400 // k, k=k)
    if digits is not None:
        p = p.round(digits) + 1e-3
        p /= p.sum(axis=1, keepdims=True)
    trace = probability_trace(p, y)
    exact = trace.null_band(99, random_state=5)
    monkeypatch.setattr("polychotomy.validation.trace._EXACT", 0)
    monkeypatch.setattr("polychotomy.validation.trace._GRID", 600)
    coarse = trace.null_band(99, random_state=5)
    assert_allclose(coarse.slope, exact.slope, rtol=2e-3)
    assert_allclose(coarse.r, exact.r, atol=2e-3)
    assert coarse.observed_r == exact.observed_r
    assert abs(coarse.pvalue - exact.pvalue) <= 0.06
    away = np.abs(coarse.steps) > 5  # at 0 all traces meet, which only the grid has as a place
    upper = np.interp(coarse.steps, exact.steps, exact.upper)
    assert_allclose(coarse.upper[away], upper[away], rtol=0.05, atol=3)
