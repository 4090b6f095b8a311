"""The threshold below which a number of pairs lies, against all pairs sorted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from margin_families import FAMILIES, draw

from polychotomy.combination import soft_margin as pair_threshold
from polychotomy.combination.soft_margin import find_threshold


def sorted_sides(family, seed, n):
    scores, y = draw(family, seed, n=n, m=2)
    combined = scores @ np.array([0.3, 0.7])
    return np.sort(combined[y == 1]), np.sort(combined[y == 0])


def margins_of(high, low):
    return np.sort((high[:, None] - low).ravel())


@pytest.fixture(scope="module", autouse=True)
def thin_early():
    """Let small arrays go the way of large ones."""
    few, many = pair_threshold._FEW, pair_threshold._MANY
    pair_threshold._FEW, pair_threshold._MANY = 8, 16
    yield
    pair_threshold._FEW, pair_threshold._MANY = few, many


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
    assert found.pairs[0] < wanted <= found.pairs[1]
    rounding = 1e-12 * max(1.0, np.abs(margins).max())
    for rho, pairs in ((found.lower, found.pairs[0]), (found.upper, found.pairs[1])):
        inside = np.count_nonzero(margins < rho - rounding)
        assert inside <= pairs <= np.count_nonzero(margins <= rho + rounding)
    ties = margins[found.pairs[0]] == margins[found.pairs[1] - 1]
    assert ties or found.error(wanted) <= 1e-9 or found.upper - found.lower <= rounding
    assert found.counts_lower.sum() == found.pairs[0]
    assert found.counts_upper.sum() == found.pairs[1]


def test_a_model_spares_most_merges(monkeypatch):
    monkeypatch.setattr(pair_threshold, "_FEW", 512)
    monkeypatch.setattr(pair_threshold, "_MANY", 4096)
    rng = np.random.default_rng(0)
    high, low = np.sort(rng.normal(1, 1, 20_000)), np.sort(rng.normal(0, 1, 30_000))
    merged, count = [], pair_threshold._count

    def counted(high, low, rho):
        merged.append(len(high))
        return count(high, low, rho)

    monkeypatch.setattr(pair_threshold, "_count", counted)
    for slack in (1.5, 20.0, 1000.0):
        merged.clear()
        wanted = len(high) * len(low) / slack
        assert find_threshold(high, low, wanted, 2.5e-8).error(wanted) <= 2.5e-8
        assert 2 <= merged.count(20_000) <= 8  # without the model 10 to 26
