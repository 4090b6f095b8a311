"""M24 eqs. (12), (13): what holds of the projection's steps, and what does not."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.linalg import helmert

from polychotomy.decoding import project_to_simplex
from polychotomy.reproduction.m24_steps import direction_vectors, projection_steps

POINTS = arrays(float, st.integers(2, 9), elements=st.floats(-2, 2))


@given(POINTS)
def test_steps_are_orthogonal_and_add_up(point):
    steps = projection_steps(point)
    end = project_to_simplex(point)
    assert_allclose(point + steps.sum(axis=0), end, atol=1e-9)
    products = steps @ steps.T
    assert_allclose(products - np.diag(np.diag(products)), 0, atol=1e-9)
    assert_allclose((steps**2).sum(), ((end - point) ** 2).sum(), atol=1e-9)  # Pythagoras
    assert len(steps) <= len(point)


def test_eq_13_repaired_is_helmerts_basis():
    for k in (2, 3, 4, 7):
        ours, theirs = direction_vectors(k), helmert(k)[::-1, ::-1]
        assert_allclose(np.abs(ours @ theirs.T), np.eye(k - 1), atol=1e-12)
        printed = direction_vectors(k, as_printed=True)
        right = np.isclose((printed**2).sum(axis=1), 1)
        assert right.tolist() == [False] * (k - 2) + [True]


def test_two_leave_at_once_and_the_step_is_none_of_eq_13():
    steps = projection_steps([-0.3, -0.1, 0.7, 0.7])
    direction = steps[1] / np.linalg.norm(steps[1])
    assert (np.abs(direction_vectors(4) @ direction) < 0.99).all()


def test_constraints_are_not_independent_on_the_plane():
    """§2 says that setting one to zero "shouldn't otherwise affect the solution"."""
    normals = np.eye(4) - 0.25  # of p_j ≥ 0, within Σp = 1
    cosines = normals @ normals.T / 0.75
    assert_allclose(cosines[0, 1:], -1 / 3)
    start = np.array([-0.3, 0.05, 0.55, 0.7])  # only the first is negative …
    assert project_to_simplex(start)[1] == 0  # … and yet the second ends at zero
