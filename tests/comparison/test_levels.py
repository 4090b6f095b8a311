"""Levels: Holm's in a batch are one by one, and rejection is p ≤ level."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from polychotomy.comparison import bonferroni, holm
from polychotomy.comparison.ordering import decide_edges, family_levels

families = arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 8)), elements=st.floats(0, 1))


@given(families, st.floats(0.01, 0.99))
def test_p_at_most_the_level_is_what_the_adjusted_pvalue_says(pvalues, alpha):
    levels = family_levels(pvalues, alpha, "holm")
    single = np.array([family_levels(row, alpha, "holm") for row in pvalues])
    assert_array_equal(levels, single)
    for row, level in zip(pvalues, levels, strict=True):
        clear = np.abs(holm(row) - alpha) > 1e-9  # not decided by rounding
        assert_array_equal((row <= level)[clear], (holm(row) <= alpha)[clear])
        clear = np.abs(bonferroni(row) - alpha) > 1e-9
        equal = row <= family_levels(row, alpha, "bonferroni")
        assert_array_equal(equal[clear], (bonferroni(row) <= alpha)[clear])


def test_with_a_margin_the_family_is_the_candidates():
    pairs = np.array([0.01, 0.02, 0.2, 0.001, 0.002, 0.04])  # rows 0: three pairs, 1: two, 2: one
    edges, level = decide_edges(pairs, 4, 0.06, "bonferroni", margin=True)
    assert level == 0.06 / 3
    assert np.argwhere(edges).tolist() == [[0, 3], [2, 3]]
    edges, levels = decide_edges(pairs, 4, 0.06, "holm", margin=True)
    # Largest p-values 0.2, 0.002, 0.04: row 1 is held to 0.02, then row 2 to 0.03 fails.
    assert_array_equal(levels[0, 1:], [0.03, 0.03, 0.03])
    assert_array_equal(levels[1, 2:], [0.02, 0.02])
    assert np.argwhere(edges).tolist() == [[0, 3], [2, 3]]
