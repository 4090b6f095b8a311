import joblib
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal

from polychotomy.validation import trace_sums
from polychotomy.validation.trace_sums import ascending_order
from validation_strategies import forecasts


@given(forecasts(max_n=30))
def test_order_is_stable(case):
    values = case[0].ravel()
    order, in_order = ascending_order(values)
    assert_array_equal(order, np.argsort(values, kind="stable"))
    assert_array_equal(in_order, values[order])


@given(forecasts(max_n=30))
def test_order_is_stable_where_numbers_are_dealt_into_parts(case):
    values = case[0].ravel()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trace_sums, "MANY", 0)
        order, in_order = ascending_order(values)
    assert_array_equal(order, np.argsort(values, kind="stable"))
    assert_array_equal(in_order, values[order])


@pytest.mark.parametrize("power", [0.01, 1, 30, 400])
def test_order_is_exact_for_tiny_and_crowded_values(power):
    rng = np.random.default_rng(0)
    values = rng.random(150_000) ** power
    values[::7] = values[0]
    values[::11] = 0
    values[::13] = np.nextafter(values[0], 1)
    values[5:9] = [1, 5e-324, 1, np.nextafter(1, 0)]
    order, in_order = ascending_order(values)
    assert_array_equal(order, np.argsort(values, kind="stable"))
    assert_array_equal(in_order, values[order])


def test_threads_sort_alike(monkeypatch):
    monkeypatch.setattr(joblib, "cpu_count", lambda: 4)
    monkeypatch.setattr(trace_sums, "THREADED", 0)
    values = np.round(np.random.default_rng(0).beta(0.3, 3.0, 120_000), 5)  # with ties
    alone, several = ascending_order(values), ascending_order(values, n_jobs=3)
    np.testing.assert_array_equal(several[0], alone[0])
    np.testing.assert_array_equal(several[1], alone[1])


def test_threads_are_for_very_many_numbers_only(monkeypatch):
    """With a million the threads cost more than they bring."""
    asked = []

    def in_threads(prepare, items, *, n_jobs):
        asked.append(n_jobs)
        return [prepare()(item) for item in items]

    monkeypatch.setattr(trace_sums, "in_threads", in_threads)
    values = np.random.default_rng(0).random(200_000)
    ascending_order(values, n_jobs=2)
    assert set(asked) == {1}
    monkeypatch.setattr(trace_sums, "THREADED", values.size)
    ascending_order(values, n_jobs=2)
    assert set(asked) == {1, 2}
