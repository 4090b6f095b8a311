"""The nearest point of a polytope, against scipy's general solver and by its own conditions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from polychotomy.combination.linear_program import nearest_on_simplex, to_simplex


def test_by_hand():
    uniform = np.full(3, 1 / 3)
    nearest = nearest_on_simplex(uniform, np.array([[1.0, 0.0, 0.0]]), np.array([0.5]))
    np.testing.assert_allclose(nearest, [0.5, 0.25, 0.25])
    unchanged = nearest_on_simplex(uniform, np.eye(3), np.zeros(3))
    np.testing.assert_allclose(unchanged, uniform)


def test_no_such_point():
    assert nearest_on_simplex(np.full(2, 0.5), np.eye(2), np.array([0.8, 0.8])) is None


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 8), st.booleans())
def test_equals_a_general_solver(seed, m, rows, dependent):
    rng = np.random.default_rng(seed)
    normals, inside = rng.normal(size=(rows, m)), rng.dirichlet(np.ones(m))
    if dependent:
        normals = np.round(normals)
    offsets = normals @ inside - rng.uniform(0, 0.2, rows)
    centre = np.full(m, 1 / m)
    ours = nearest_on_simplex(centre, normals, offsets)
    peer = minimize(
        lambda w: ((w - centre) ** 2).sum(),
        inside,
        jac=lambda w: 2 * (w - centre),
        bounds=[(0, 1)] * m,
        constraints=[
            {"type": "eq", "fun": lambda w: w.sum() - 1},
            {"type": "ineq", "fun": lambda w: normals @ w - offsets},
        ],
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert (normals @ ours >= offsets - 1e-9).all()
    assert ((ours - centre) ** 2).sum() <= peer.fun + 1e-7


def test_to_simplex_leaves_no_negative_zero_or_dust():
    weights = to_simplex(np.array([-1e-17, 1e-18, -0.0, 2.0]))
    assert weights.tolist() == [0.0, 0.0, 0.0, 1.0]
    assert not np.signbit(weights).any()
