"""The multinomial selection procedure: wins by hand, probabilities against all outcomes."""

from itertools import product
from math import factorial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from polychotomy.comparison import multinomial_selection, probability_of_correct_selection
from polychotomy.core.exceptions import InvalidInput


def by_enumeration(n, m, ratio):
    """Add up every way in which n trials can fall on m outcomes."""
    p = np.array([ratio] + [1.0] * (m - 1)) / (ratio + m - 1)
    total = 0.0
    for counts in product(range(n + 1), repeat=m):
        if sum(counts) == n and counts[0] == max(counts):
            ways = factorial(n) / np.prod([factorial(c) for c in counts])
            total += ways * np.prod(p**counts) / counts.count(max(counts))
    return total


@pytest.mark.parametrize("n", [1, 2, 7, 12])
@pytest.mark.parametrize("m", [2, 3, 4])
@pytest.mark.parametrize("ratio", [1.0, 1.3, 3.0])
def test_the_probability_is_the_sum_over_all_outcomes(n, m, ratio):
    expected = by_enumeration(n, m, ratio)
    assert_allclose(probability_of_correct_selection(n, m, ratio), expected, rtol=1e-9)


def test_many_trials_by_simulation():
    rng = np.random.default_rng(0)
    counts = rng.multinomial(500, np.array([1.2, 1, 1, 1, 1]) / 5.2, size=20_000)
    top = counts == counts.max(axis=1, keepdims=True)
    expected = (top[:, 0] / top.sum(axis=1)).mean()
    assert abs(probability_of_correct_selection(500, 5, 1.2) - expected) < 0.015


def test_without_a_better_one_it_is_chance():
    assert_allclose(probability_of_correct_selection(100, 4, 1.0), 0.25, rtol=1e-8)
    assert probability_of_correct_selection(9, 1, 2.0) == 1.0


def test_wins_and_ties():
    values = np.array([[0.9, 0.2, 0.1], [0.5, 0.5, 0.4], [0.3, 0.3, 0.3], [0.1, 0.2, 0.3]])
    found = multinomial_selection(values, names=["A", "B", "C"])
    assert_allclose(found.wins, [1 + 1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 + 1 / 3])
    assert found.best == 0
    assert_allclose(found.to_frame()["share"].sum(), 1)
    assert found.to_frame().shape == (3, 3)
    assert found.plot().get_xlabel() == "share"
    assert "Cases won, of 4: A 1.83333" in str(found)
    assert multinomial_selection(np.full((5, 3), 0.2)).best == 0


def test_errors():
    with pytest.raises(InvalidInput, match=r"expected \(cases, classifiers\)"):
        multinomial_selection([0.1, 0.2])
    with pytest.raises(InvalidInput, match=r"values\[0, 1\] is nan"):
        multinomial_selection([[0.1, np.nan]])
    with pytest.raises(InvalidInput, match=r"ratio is 0\.5"):
        probability_of_correct_selection(5, 2, 0.5)
