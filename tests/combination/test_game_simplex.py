"""Our small simplex against scipy's HiGHS, on games easy and degenerate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_families import FAMILIES, draw
from scipy.optimize import linprog

from polychotomy.combination import linear_program as game_simplex
from polychotomy.combination.linear_program import solve_game


def sides(found, high, low):
    """Margin of the weights, and bound of the duals, after rounding to the simplices."""
    w, a, b = (np.maximum(part, 0) for part in (found.weights, found.high, found.low))
    w, a, b = w / w.sum(), a / a.sum(), b / b.sum()
    return (high @ w).min() - (low @ w).max(), (a @ high - b @ low).max()


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


def test_by_hand():
    # Rock, paper, scissors, against one negative at zero: value 0, everything played alike.
    high = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    found = solve_game(high, np.zeros((1, 3)))
    np.testing.assert_allclose(found.weights, 1 / 3)
    np.testing.assert_allclose(found.high, 1 / 3)
    assert found.low.tolist() == [1.0]


def test_one_classifier_needs_no_pivot():
    found = solve_game(np.array([[0.4], [0.3]]), np.array([[0.1], [0.2]]))
    assert found.weights.tolist() == [1.0]
    assert found.high.tolist() == [0.0, 1.0]
    assert found.low.tolist() == [0.0, 1.0]


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
    margin, bound = sides(solve_game(high, low), high, low)
    assert bound - margin <= 1e-13
    assert margin == pytest.approx(value_by_highs(high, low), abs=1e-8)


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 12), st.integers(1, 6))
def test_small_integers_do_not_make_it_cycle(seed, p, q, m):
    rng = np.random.default_rng(seed)
    high, low = rng.integers(-1, 2, (p, m)) / 1.0, rng.integers(-1, 2, (q, m)) / 1.0
    margin, bound = sides(solve_game(high, low), high, low)
    assert bound - margin <= 1e-13


def test_pivots_grow_with_the_classifiers_only():
    rng = np.random.default_rng(0)
    for m in (5, 50):
        high, low = np.tanh(rng.normal(size=(2, 100, m)))
        assert solve_game(high, low).pivots <= 6 * m


def test_gives_up_rather_than_going_on(monkeypatch):
    monkeypatch.setattr(game_simplex, "_PIVOTS", 0)
    assert solve_game(np.eye(2), np.zeros((1, 2))) is None
