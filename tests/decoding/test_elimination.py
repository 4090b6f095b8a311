"""Batched elimination."""

import numpy as np
import pytest
from decoding_strategies import SEEDS
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.decoding.kernels.elimination import (
    solve_batched,
    solve_if_definite,
    solve_laplacian,
    solve_large_laplacian,
)
from polychotomy.decoding.kernels.quadratic import minimise_on_simplex


def definite(seed, k, n=4):
    a = np.random.default_rng(seed).normal(size=(n, k, k + 2))
    return np.moveaxis(a @ np.swapaxes(a, 1, 2), 0, -1)


@pytest.mark.parametrize("k", [1, 2, 3, 10, 30, 31, 45])
def test_definite_systems_are_solved(k):
    a, b = definite(k, k), np.random.default_rng(0).normal(size=(k, 4))
    x = solve_if_definite(np, a.copy(), b, least=0.0)[0]
    assert_allclose(np.einsum("ijn,jn->in", a, x), b, atol=1e-7)
    if k > 1:
        lower_spoilt = a.copy()
        lower_spoilt[np.tril_indices(k, -1)] = np.nan
        again = solve_if_definite(np, lower_spoilt, b, least=0.0)[0]
        assert_allclose(again, x, atol=1e-10)


def test_indefinite_matrices_are_told():
    for k in (3, 40):
        a = np.repeat(np.eye(k)[:, :, None], 2, axis=2)
        a[0, 1, 1] = a[1, 0, 1] = 2.0
        x, ok = solve_if_definite(np, a, np.ones((k, 2)), least=1e-12)
        assert_array_equal(ok, [True, False])
        assert_allclose(x[:, 0], 1)


@given(seed=SEEDS, k=st.integers(2, 9))
def test_laplacians_are_solved_to_full_relative_precision(seed, k):
    """Conductances from 1e-12 to 1: currents are balanced relative to the conductances."""
    generator = np.random.default_rng(seed)
    w = np.triu(10.0 ** generator.uniform(-12, 0, size=(k, k)), 1)
    w = w + w.T
    potential = generator.normal(size=k)
    potential -= potential[-1]
    current = (w * (potential[:, None] - potential)).sum(axis=1)
    x = solve_laplacian(np, w[:, :, None].copy(), current[:, None])[:, 0]
    again = (w * (x[:, None] - x)).sum(axis=1)
    assert_allclose(again, current, rtol=1e-9, atol=1e-15)


def test_the_large_laplacian_agrees_with_the_small():
    generator = np.random.default_rng(0)
    w = np.triu(generator.uniform(size=(12, 12)), 1)
    w = (w + w.T)[:, :, None]
    b = generator.normal(size=(12, 1))
    b -= b.mean()
    small, large = solve_laplacian(np, w.copy(), b), solve_large_laplacian(np, w.copy(), b)
    assert_allclose(large - large[-1], small, atol=1e-12)


def test_batched_solutions_are_numpys():
    a, b = definite(0, 6), np.random.default_rng(0).normal(size=(6, 4))
    x, ok = solve_batched(np, a.copy(), b)
    assert ok.all()
    for i in range(4):
        assert_allclose(x[:, i], np.linalg.solve(a[:, :, i], b[:, i]), atol=1e-8)


@given(seed=SEEDS, k=st.integers(2, 8), rank=st.integers(1, 9))
def test_forms_are_minimised_on_the_simplex(seed, k, rank):
    generator = np.random.default_rng(seed)
    a = generator.normal(size=(5, rank, k))
    forms = np.swapaxes(a, 1, 2) @ a
    p = minimise_on_simplex(np, np.moveaxis(forms, 0, -1)).T
    slope = (forms @ p[:, :, None])[:, :, 0]
    level = (p * slope).sum(axis=1, keepdims=True)
    assert (slope >= level - 1e-8).all()
    assert (p >= 0).all()
    assert_allclose(p.sum(axis=1), 1)
