"""Euclidean projection on the simplex."""

import numpy as np
import pytest
from decoding_strategies import SEEDS
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding import project_to_simplex


def michelot(x):
    """M24's loop with its sign repaired: Michelot's algorithm."""
    p, alive = np.array(x, dtype=float), np.ones(len(x), dtype=bool)
    while True:
        p[alive] -= (p[alive].sum() - 1) / alive.sum()
        if (p[alive] >= 0).all():
            return p
        alive &= p > 0
        p[~alive] = 0


def test_by_hand():
    points = [[0.5, 0.3, 0.2], [2, 0, 0], [0.6, 0.6, 0], [-1, -1, -1], [1, 1, -5]]
    expected = [[0.5, 0.3, 0.2], [1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3, [0.5, 0.5, 0]]
    assert_allclose(project_to_simplex(points), expected, atol=1e-15)


@given(seed=SEEDS, k=st.integers(1, 12), scale=st.sampled_from([0.01, 1.0, 100.0]))
def test_it_is_michelots(seed, k, scale):
    points = np.random.default_rng(seed).normal(0, scale, size=(5, k))
    expected = np.array([michelot(x) for x in points])
    assert_allclose(project_to_simplex(points), expected, atol=1e-12)


@given(seed=SEEDS, k=st.integers(2, 12))
def test_it_is_the_nearest_point(seed, k):
    """(x − p)·(y − p) ≤ 0 for every corner y of the simplex."""
    x = np.random.default_rng(seed).normal(size=(4, k))
    p = project_to_simplex(x)
    corners = ((x - p)[:, None, :] * (np.eye(k) - p[:, None, :])).sum(axis=2)
    assert (corners <= 1e-12).all()
    assert_allclose(project_to_simplex(p), p, atol=1e-14)
    assert_allclose(project_to_simplex(x + 7.5), p, atol=1e-12)


def test_shapes_kinds_and_ties():
    assert_array_equal(project_to_simplex([3, 3]), [0.5, 0.5])
    assert project_to_simplex(np.zeros((2, 3, 4))).shape == (2, 3, 4)
    assert project_to_simplex(np.zeros((0, 4))).shape == (0, 4)
    assert_array_equal(project_to_simplex([[5]]), [[1.0]])
    assert project_to_simplex(np.array([1, 0], dtype=np.float32)).dtype == np.float64
    assert_allclose(project_to_simplex([1e300, 1e300, -1e300]), [0.5, 0.5, 0])


def test_many_chunks_are_one():
    points = np.random.default_rng(0).normal(size=(70_000, 7))
    p = project_to_simplex(points)
    assert_allclose(p[-3:], project_to_simplex(points[-3:]))


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (1.0, r"shape \(\)"),
        (np.zeros((3, 0)), r"shape \(3, 0\)"),
        ([[0.0, np.nan]], "NaN or infinite entries; expected finite"),
        ([0.0, -np.inf], "NaN or infinite entries; expected finite"),
        (["a"], "expected an array of real numbers"),
        ([1j, 0], "real numbers"),
    ],
)
def test_errors(points, message):
    with pytest.raises(InvalidInput, match=message):
        project_to_simplex(points)
