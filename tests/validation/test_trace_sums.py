import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal

from polychotomy.validation.trace_sums import ascending_order
from validation_strategies import forecasts


@given(forecasts(max_n=30))
def test_order_is_stable(case):
    values = case[0].ravel()
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
