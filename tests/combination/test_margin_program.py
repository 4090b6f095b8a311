"""The program on a working set: margin and bound meet, whatever the scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_families import FAMILIES, draw
from scipy.optimize import linprog

from polychotomy.combination.linear_program import WorkingSet, solve_saddle


def solve(high, low):
    """Margin and bound in the unit of the scores."""
    working = WorkingSet.of(high, low, np.arange(len(high)), np.arange(len(low)))
    saddle = solve_saddle(working)
    return working.margin(margin_at(working, saddle)), working.margin(saddle.bound)


def margin_at(working, saddle):
    return (working.high @ saddle.weights).min() - (working.low @ saddle.weights).max()


def value_by_highs(high, low):
    p, q, m = len(high), len(low), high.shape[1]
    solution = linprog(
        np.append(np.zeros(m), [-1.0, 1.0]),
        A_ub=np.block([[-high, np.ones((p, 1)), np.zeros((p, 1))],
                       [low, np.zeros((q, 1)), -np.ones((q, 1))]]),
        b_ub=np.zeros(p + q),
        A_eq=np.append(np.ones(m), [0.0, 0.0])[None],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)] * 2,
    )  # fmt: skip
    return -solution.fun


@given(
    st.sampled_from(sorted(FAMILIES)),
    st.integers(0, 10**6),
    st.integers(2, 30),
    st.integers(2, 10),
)
def test_both_sides_meet(family, seed, n, m):
    scores, y = draw(family, seed, n=n, m=m)
    scores = (scores - scores[0]) / (np.abs(scores - scores[0]).max() or 1.0)
    high, low = scores[y == 1], scores[y == 0]
    margin, bound = solve(high, low)
    assert bound - margin <= 1e-12
    assert margin == pytest.approx(value_by_highs(high, low), abs=1e-8)


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 12), st.integers(1, 6))
def test_ties_do_not_part_them(seed, p, q, m):
    rng = np.random.default_rng(seed)
    high, low = rng.integers(-1, 2, (p, m)) / 1.0, rng.integers(-1, 2, (q, m)) / 1.0
    margin, bound = solve(high, low)
    assert bound - margin <= 1e-13


def test_saddle_by_hand():
    scores = np.array([[0.9, 0.2], [0.1, 0.8], [0.0, 0.0]])
    working = WorkingSet.of(scores[:2], scores[2:], np.array([0, 1]), np.array([2]))
    saddle = solve_saddle(working)
    np.testing.assert_allclose(saddle.weights, [3 / 7, 4 / 7])
    assert working.margin(margin_at(working, saddle)) == pytest.approx(0.5)
    assert working.margin(saddle.bound) == pytest.approx(0.5)


def test_rows_that_cannot_bind_are_left_out():
    scores = np.array([[0.9, 0.8], [0.5, 0.4], [0.0, 0.1]])
    working = WorkingSet.of(scores[:2], scores[2:], np.array([0, 1]), np.array([2]))
    assert working.positives.tolist() == [1]
