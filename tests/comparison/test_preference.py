"""An order of preference from costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.comparison import order_by_cost
from polychotomy.core.exceptions import InvalidInput


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=8))
def test_one_cost_orders_by_itself_and_ties_keep_their_order(costs):
    order = order_by_cost(costs)
    pairs = [(costs[i], i) for i in order]
    assert pairs == sorted(pairs)


def test_errors():
    with pytest.raises(InvalidInput, match=r"costs\[1\] is nan"):
        order_by_cost([1, np.nan])
    with pytest.raises(InvalidInput, match=r"shape \(1, 2\)"):
        order_by_cost([[1, 2]])
