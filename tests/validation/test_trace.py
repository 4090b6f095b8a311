from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import linregress, pearsonr

import polychotomy
from polychotomy.core.exceptions import InvalidInput, PolychotomyError
from polychotomy.validation import probability_trace
from validation_strategies import draw_forecasts, forecasts


def looped_trace(p, y):
    """M24 eqs. 16–19 with the limits of the sums corrected, item by item in exact fractions."""
    n, k = p.shape
    items = [(p[s, c], s, c) for s in range(n) for c in range(k)]
    items.sort(key=lambda item: item[0])  # stable: (sample, class) stays
    start = next((i for i, item in enumerate(items) if item[0] >= 1 / k), len(items))
    values = []
    for step in range(-start, len(items) - start + 1):
        total = Fraction(0)
        if step > 0:
            for q, s, c in items[start : start + step]:
                total += (c == y[s]) / Fraction(q)
        for q, s, c in items[start + step : start]:
            total += ((c == y[s]) - 1) / (1 - Fraction(q))
        values.append(float(total))
    return np.arange(-start, len(items) - start + 1), np.array(values)


def test_by_hand():
    # sorted: .1 (class 1 of 0: false), .3 (class 0 of 1: true), .7 (false), .9 (true)
    trace = probability_trace([[0.9, 0.1], [0.3, 0.7]], [0, 0])
    assert_array_equal(trace.steps, [-2, -1, 0, 1, 2])
    assert_allclose(trace.trace, [-1 / 0.9, 0, 0, 0, 1 / 0.9], rtol=1e-15)
    # slope: Σ x y / Σ x² = 2 · 2/0.9 / 10; the means are 0, so both slopes agree
    assert_allclose([trace.slope, trace.slope_through_origin], 4 / 9, rtol=1e-15)
    # r = Σxy / sqrt(Σx² Σy²) = (4/.9) / sqrt(10 · 2/.81)
    assert_allclose(trace.r, 4 / np.sqrt(20), rtol=1e-15)


def test_slopes_differ_where_the_trace_is_not_centred():
    # k = 2, all ½: nothing lies below, the trace runs 0, 2, 2, 2, 4 over 0..4
    trace = probability_trace(np.full((2, 2), 0.5), [0, 1])
    assert_array_equal(trace.trace, [0, 2, 2, 2, 4])
    assert_allclose(trace.slope, 0.8)
    assert_allclose(trace.slope_through_origin, (2 + 4 + 6 + 16) / 30)


@given(forecasts())
def test_equals_the_loop_of_the_printed_formulas(case):
    p, y = case
    steps, values = looped_trace(p, y)
    got = probability_trace(p, y)
    assert_array_equal(got.steps, steps)
    assert_allclose(got.trace, values, atol=1e-12)
    assert got.trace[got.steps == 0] == 0


@pytest.mark.parametrize(("n", "k"), [(200, 2), (60, 7), (30, 100)])
def test_line_agrees_with_scipy(n, k):
    p, y = draw_forecasts(np.random.default_rng(n), n, k)
    trace = probability_trace(p, y)
    line = linregress(trace.steps, trace.trace)
    assert_allclose(trace.slope, line.slope, rtol=1e-12)
    assert_allclose(trace.r, pearsonr(trace.steps, trace.trace).statistic, rtol=1e-12)
    through = np.linalg.lstsq(trace.steps[:, None].astype(float), trace.trace, rcond=None)[0][0]
    assert_allclose(trace.slope_through_origin, through, rtol=1e-12)


@given(forecasts())
def test_is_finite_increasing_and_bounded(case):
    p, y = case
    trace = probability_trace(p, y)
    assert np.isfinite(trace.trace).all()
    rise = np.diff(trace.trace)
    assert (rise >= 0).all()
    assert (rise <= max(p.shape[1], 1) * (1 + 1e-12)).all()  # 1/p ≤ k; 1/(1−p) < k/(k−1)
    assert -1 <= trace.r <= 1
    assert np.isfinite([trace.slope, trace.slope_through_origin]).all()


@given(forecasts(min_k=2))
def test_mean_trace_over_true_classes_is_the_diagonal(case):
    """E trace = steps: the trace is linear in the indicators, so put p in their place."""
    p, _ = case
    n, k = p.shape
    mean = np.zeros(n * k)
    # each sample alone, each class in turn, weighted by its probability
    order = np.argsort(p.ravel(), kind="stable")
    start = np.searchsorted(p.ravel()[order], 1 / k)
    for s in range(n):
        for c in range(k):
            y = np.full(n, -1)
            y[s] = c
            hit = (y[:, None] == np.arange(k)).ravel()[order].astype(float)
            mean += p[s, c] * hit
    q = p.ravel()[order]
    rise = np.where(
        np.arange(n * k) < start,
        (1 - mean) / np.where(q < 1, 1 - q, 1),
        mean / np.where(q > 0, q, 1),
    )
    assert_allclose(rise, 1, atol=1e-12)


def test_certain_and_right():
    trace = probability_trace(np.eye(4), np.arange(4))
    assert_array_equal(trace.trace, trace.steps)
    assert (trace.r, trace.slope) == (1.0, 1.0)


def test_certain_and_wrong_is_flat_with_r_zero():
    trace = probability_trace(np.eye(2), [1, 0])
    assert_array_equal(trace.trace, np.zeros(5))
    assert (trace.r, trace.slope, trace.slope_through_origin) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("k", [2, 3, 6, 7, 49, 100])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_equal_probabilities_are_all_winning(k, dtype):
    p = np.full((5, k), 1 / k, dtype=dtype)
    trace = probability_trace(p, np.arange(5) % k)
    assert trace.steps[0] == 0
    assert_allclose(trace.trace[-1], 5 * k, rtol=1e-6)


def test_one_sample():
    trace = probability_trace([[0.2, 0.3, 0.5]], [2])
    assert_allclose(trace.trace, [-1 / 0.8 - 1 / 0.7, -1 / 0.7, 0, 2])


def test_ties_go_by_sample_then_class():
    p = np.array([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]])
    assert_array_equal(probability_trace(p, [0, 1, 0]).trace, [0, 2, 2, 2, 4, 6, 6])
    assert_array_equal(probability_trace(p, [1, 1, 0]).trace, [0, 0, 2, 2, 4, 6, 6])


def test_per_class():
    p, y = draw_forecasts(np.random.default_rng(3), 40, 3)
    whole = probability_trace(p, y)
    classes = whole.per_class()
    assert len(classes) == 3
    for c, one in enumerate(classes):
        assert one.steps.size == 41
        q = np.sort(p[:, c])
        hit = (y == c)[np.argsort(p[:, c], kind="stable")]
        rise = np.where(q >= 1 / 3, hit / q, (1 - hit) / (1 - q))
        assert_allclose(np.diff(one.trace), rise, atol=1e-12)
        assert one.trace[one.steps == 0] == 0
    # the increments of all classes are those of the whole
    assert_allclose(
        sum(one.trace[-1] - one.trace[0] for one in classes), whole.trace[-1] - whole.trace[0]
    )


@pytest.mark.parametrize(
    "convert",
    [
        lambda p: p.tolist(),
        lambda p: np.asfortranarray(p),
        lambda p: np.repeat(p, 2, axis=1)[:, ::2],
    ],
)
def test_accepts_any_array(convert):
    p, y = draw_forecasts(np.random.default_rng(1), 50, 4)
    expected = probability_trace(p, y)
    got = probability_trace(convert(p), y.tolist())
    assert_array_equal(got.trace, expected.trace)


def test_arrays_of_other_libraries_are_copied_to_numpy(library):
    p, y = draw_forecasts(np.random.default_rng(1), 50, 3)
    for kind in ("float64", "float32"):
        expected = probability_trace(p.astype(kind), y)
        found = probability_trace(library.move(p, kind), library.move(y, "int64"))
        assert_array_equal(found.trace, expected.trace)
        assert found.threshold == expected.threshold


def test_single_precision_and_unsigned_codes():
    p, y = draw_forecasts(np.random.default_rng(1), 50, 4)
    expected = probability_trace(p, y)
    got = probability_trace(p.astype(np.float32), y.astype(np.uint8))
    assert_allclose(got.slope, expected.slope, rtol=1e-4)
    assert got.trace.dtype == np.float64


def test_input_is_not_changed_and_result_is_frozen():
    p, y = draw_forecasts(np.random.default_rng(1), 10, 3)
    before = p.copy()
    trace = probability_trace(p, y)
    p[0, 0] = 7
    assert_array_equal(trace.probabilities, before)
    assert p.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        trace.trace[0] = 1


def test_frame_plot_and_words():
    p, y = draw_forecasts(np.random.default_rng(1), 30, 3)
    trace = probability_trace(p, y)
    frame = trace.to_frame()
    assert frame["class"].tolist() == ["all", "0", "1", "2"]
    assert frame["slope"][0] == trace.slope
    axes = trace.plot()
    assert_array_equal(axes.lines[1].get_ydata(), trace.trace)
    assert f"slope {trace.slope:.4f}" in str(trace)
    assert trace.per_class()[0].to_frame().shape[0] == 1


@pytest.mark.parametrize(
    ("p", "y", "message"),
    [
        ([[0.5, 0.5], [0.5, 0.6]], [0, 1], r"row 1 of probabilities sums to 1\.1; expected 1"),
        ([[0.5, 0.5], [np.nan, 0.5]], [0, 1], r"probabilities\[1, 0\] is nan"),
        ([[1.5, -0.5]], [0], r"probabilities\[0, 0\] is 1\.5; expected a number from 0 to 1"),
        ([[np.inf, -np.inf]], [0], r"probabilities\[0, 0\] is inf"),
        ([0.5, 0.5], [0, 1], r"shape \(2,\).*column_stack"),
        (np.empty((0, 2)), [], r"shape \(0, 2\)"),
        ([[0.5, 0.5]], [2], r"y\[0\] is 2; expected a class code from 0 to 1"),
        ([[0.5, 0.5]], [-1], r"y\[0\] is -1"),
        ([[0.5, 0.5]], [0.5], r"y\[0\] is 0\.5"),
        ([[0.5, 0.5]], [np.nan], r"y\[0\] is nan"),
        (
            [[0.5, 0.5]],
            ["a"],
            "y holds 1 different labels, .*pass class codes",
        ),
        ([[0.5, 0.5]], [0, 1], r"y has shape \(2,\); expected \(1,\)"),
        ([["a", "b"]], [0], "probabilities has dtype"),
    ],
)
def test_refuses(p, y, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        probability_trace(p, y)
    assert isinstance(caught.value, PolychotomyError)
    assert isinstance(caught.value, ValueError)


def test_rounded_probabilities_pass():
    p = np.array([[0.333333, 0.333333, 0.333333], [1 + 1e-9, -1e-9, 0]])
    assert np.isfinite(probability_trace(p, [0, 0]).r)


def test_public():
    assert polychotomy.probability_trace is probability_trace
