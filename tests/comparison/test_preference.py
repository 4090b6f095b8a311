"""An order of preference from costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from polychotomy.comparison import order_by_cost
from polychotomy.core.exceptions import InvalidInput


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=8))
def test_one_cost_orders_by_itself_and_ties_keep_their_order(costs):
    order = order_by_cost(costs)
    pairs = [(costs[i], i) for i in order]
    assert pairs == sorted(pairs)
    assert_array_equal(order_by_cost({"seconds": costs}), order)


def test_several_costs_have_no_unit():
    seconds, bytes_ = np.array([3.0, 1.0, 2.0]), np.array([10, 30, 20])
    assert order_by_cost({"fit": seconds, "memory": bytes_}).tolist() == [0, 1, 2]
    assert order_by_cost({"fit": 60 * seconds, "memory": bytes_}).tolist() == [0, 1, 2]
    weights = {"fit": 2.0, "memory": 1.0}
    assert order_by_cost({"fit": seconds, "memory": bytes_}, weights=weights).tolist() == [1, 2, 0]


def test_errors():
    with pytest.raises(InvalidInput, match=r"costs\['fit'\]\[1\] is nan"):
        order_by_cost({"fit": [1, np.nan]})
    with pytest.raises(InvalidInput, match="expected one for each learner"):
        order_by_cost({"fit": [1, 2], "memory": [1, 2, 3]})
    with pytest.raises(InvalidInput, match="weights is"):
        order_by_cost({"fit": [1, 2]}, weights={"memory": 1})
    with pytest.raises(InvalidInput, match="costs is empty"):
        order_by_cost({})
    with pytest.raises(InvalidInput, match=r"shape \(1, 2\)"):
        order_by_cost([[1, 2]])
