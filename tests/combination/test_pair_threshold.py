"""The threshold below which a number of pairs lies, against all pairs sorted."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from margin_families import FAMILIES, draw

from polychotomy.combination.soft_margin import find_threshold


def sorted_sides(family, seed, n):
    scores, y = draw(family, seed, n=n, m=2)
    combined = scores @ np.array([0.3, 0.7])
    return np.sort(combined[y == 1]), np.sort(combined[y == 0])


def margins_of(high, low):
    return np.sort((high[:, None] - low).ravel())


@settings(max_examples=150)
@given(
    st.sampled_from(sorted(FAMILIES)),
    st.integers(0, 10**6),
    st.integers(4, 120),
    st.one_of(st.floats(0.001, 1.0), st.sampled_from([1.0, 1e-9])),
)
def test_the_bracket_holds_the_wanted_pairs(family, seed, n, share):
    high, low = sorted_sides(family, seed, n)
    margins = margins_of(high, low)
    wanted = max(1.0, share * len(margins))
    found = find_threshold(high, low, wanted, 1e-9)
    assert found.lower.pairs < wanted <= found.upper.pairs
    rounding = 1e-12 * max(1.0, np.abs(margins).max())
    for rho, counts, pairs in found:
        assert counts.sum() == pairs
        inside = np.count_nonzero(margins < rho - rounding)
        assert inside <= pairs <= np.count_nonzero(margins <= rho + rounding)
    ties = margins[found.lower.pairs] == margins[found.upper.pairs - 1]
    assert ties or found.error(wanted) <= 1e-9 or found.upper.rho - found.lower.rho <= rounding
