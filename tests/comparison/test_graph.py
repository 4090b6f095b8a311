"""The order by removal: the paper's steps done by hand, over every small graph."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from polychotomy.comparison import order_by_removal
from polychotomy.core.exceptions import InvalidInput


def remove_one_by_one(edges):
    """YA06 Fig. 1 and 2: the lowest node without an edge out, then again without it."""
    left, order = list(range(len(edges))), []
    while left:
        best = min(i for i in left if not any(edges[i][j] for j in left))
        order.append(best)
        left.remove(best)
    return order


def all_graphs(m):
    pairs = np.triu_indices(m, 1)
    graphs = np.zeros((2 ** len(pairs[0]), m, m), dtype=bool)
    graphs[(slice(None), *pairs)] = list(product([False, True], repeat=len(pairs[0])))
    return graphs


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_every_graph(m):
    graphs = all_graphs(m)
    orders = order_by_removal(graphs)
    assert_array_equal(orders, [remove_one_by_one(graph) for graph in graphs])


def test_no_edges_keep_the_preference_and_all_edges_reverse_it():
    assert order_by_removal(np.zeros((4, 4))).tolist() == [0, 1, 2, 3]
    assert order_by_removal(np.triu(np.ones((4, 4)), 1)).tolist() == [3, 2, 1, 0]


def test_errors():
    with pytest.raises(InvalidInput, match="edges from lower to higher rows only"):
        order_by_removal([[0, 0, 0], [0, 0, 0], [1, 0, 0]])
    with pytest.raises(InvalidInput, match=r"shape \(2, 3\)"):
        order_by_removal(np.zeros((2, 3)))
