"""Least-squares decoding: oracles, optimality, properties."""

import numpy as np
import pytest
from decoding_strategies import CODES, SEEDS, outputs_of, random_outputs, squares
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize, nnls

from polychotomy.codes import one_vs_one, one_vs_rest, random_dense, random_sparse
from polychotomy.codes.orthogonal import orthogonal
from polychotomy.decoding import decode_bradley_terry, decode_least_squares, project_to_simplex


def kkt_solution(r):
    """Wu, Lin & Weng's linear system with its multiplier, solved densely for one table."""
    k = len(r)
    q = -r * r.T
    np.fill_diagonal(q, [(np.delete(r[:, i], i) ** 2).sum() for i in range(k)])
    system = np.block([[q, np.ones((k, 1))], [np.ones((1, k)), np.zeros((1, 1))]])
    return np.linalg.solve(system, np.append(np.zeros(k), 1.0))[:k]


@pytest.mark.parametrize("k", [2, 3, 5, 10, 29, 30, 31, 60])
def test_one_vs_one_is_wu_lin_and_weng(k):
    q = random_outputs(one_vs_one(k), seed=k)
    for p, r in zip(decode_least_squares(one_vs_one(k), q), q, strict=True):
        table = np.zeros((k, k))
        table[np.triu_indices(k, 1)] = r
        table += np.tril(1 - table.T, -1)
        assert_allclose(p, kkt_solution(table), atol=1e-12)


@pytest.mark.parametrize("k", [3, 4, 5, 8, 12, 16, 40, 256, 300, 512])
def test_an_orthogonal_code_is_a_projection(k):
    """M24 eq. (11), constant rows with their output of 1 included."""
    code = orthogonal(k)
    q = random_outputs(code, seed=k)
    q[:, (code == 1).all(axis=1)] = 1.0
    expected = project_to_simplex((2 * q - 1) @ code / len(code))
    assert_allclose(decode_least_squares(code, q), expected, atol=1e-12)


@pytest.mark.parametrize("name", CODES)
@settings(max_examples=20)
@given(seed=SEEDS, k=st.integers(2, 7))
def test_the_conditions_of_optimality_hold(name, seed, k):
    """Karush, Kuhn & Tucker: the slope is the same where p > 0 and not less where p = 0."""
    code = CODES[name](k)
    weights = np.random.default_rng(seed).uniform(0.1, 1, size=len(code))
    q = random_outputs(code, seed, low=0.0)
    sided = (code.max(axis=1) > 0) & (code.min(axis=1) < 0)
    for p, row in zip(decode_least_squares(code, q, weights=weights), q, strict=True):
        v = ((code > 0) - row[:, None] * np.abs(code))[sided]
        slope = v.T @ (weights[sided] * (v @ p))
        level = p @ slope
        assert (slope >= level - 1e-10).all()
        assert_allclose(slope[p > 0], level, atol=1e-10)
        assert p.sum() == pytest.approx(1, abs=1e-12)
        assert (p >= 0).all()


@pytest.mark.parametrize("name", ["one-vs-rest", "random-dense", "random-sparse", "exhaustive"])
def test_slsqp_finds_nothing_better(name):
    code = CODES[name](5)
    for q in random_outputs(code, seed=2, n=8):
        p = decode_least_squares(code, q[None])[0]
        found = minimize(
            lambda x, q=q: squares(code, q, x),
            np.full(5, 0.2),
            bounds=[(0, 1)] * 5,
            constraints={"type": "eq", "fun": lambda x: x.sum() - 1},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert squares(code, q, p) <= found.fun + 1e-12
        assert_allclose(p, found.x, atol=1e-5)


def test_nnls_agrees_on_larger_codes():
    """scipy's active set, with Σp = 1 as a very heavy row."""
    code = random_dense(20, length=40, random_state=0)
    q = random_outputs(code, seed=1, n=10)
    for p, row in zip(decode_least_squares(code, q), q, strict=True):
        v = (code > 0) - row[:, None] * np.abs(code)
        heavy = 1e5
        expected, _ = nnls(np.vstack([v, np.full(20, heavy)]), np.append(np.zeros(40), heavy))
        assert_allclose(p, expected / expected.sum(), atol=1e-6)


@pytest.mark.parametrize("name", CODES)
@settings(max_examples=20)
@given(seed=SEEDS, k=st.integers(2, 8))
def test_consistent_outputs_give_back_p(name, seed, k):
    code = CODES[name](k)
    p = np.random.default_rng(seed).dirichlet(np.ones(k), size=3)
    assert_allclose(decode_least_squares(code, outputs_of(code, p)), p, atol=1e-10)


@pytest.mark.parametrize("name", CODES)
@settings(max_examples=20)
@given(seed=SEEDS)
def test_class_order_does_not_matter(name, seed):
    code = CODES[name](5)
    order = np.random.default_rng(seed).permutation(5)
    q = random_outputs(code, seed)
    expected = decode_least_squares(code, q)[:, order]
    assert_allclose(decode_least_squares(code[:, order], q), expected, atol=1e-10)


@pytest.mark.parametrize("name", ["one-vs-one", "orthogonal", "random-sparse"])
def test_weights_are_repetitions(name):
    code = CODES[name](5)
    q = random_outputs(code, seed=3)
    times = np.random.default_rng(0).integers(1, 4, size=len(code))
    repeated = decode_least_squares(np.repeat(code, times, axis=0), np.repeat(q, times, axis=1))
    assert_allclose(decode_least_squares(code, q, weights=times), repeated, atol=1e-10)


@pytest.mark.parametrize("decode", [decode_least_squares, decode_bradley_terry])
def test_a_row_of_no_weight_is_as_good_as_left_out(decode):
    code = CODES["random-sparse"](5)
    q = random_outputs(code, seed=4)
    weights = np.ones(len(code))
    weights[[0, 3]] = 0
    kept = weights > 0
    expected = decode(code[kept], q[:, kept])
    assert_allclose(decode(code, q, weights=weights), expected, atol=1e-10)


@pytest.mark.parametrize("decode", [decode_least_squares, decode_bradley_terry])
def test_one_sided_rows_say_nothing(decode):
    code = np.vstack([one_vs_rest(4), [[1, 1, 1, 1], [1, 1, 0, 0], [0, -1, -1, 0]]])
    q = random_outputs(code, seed=4)
    assert_allclose(decode(code, q), decode(code[:4], q[:, :4]), atol=1e-11)


def test_undetermined_probabilities_are_the_most_even():
    code = np.array([[1, 1, -1, -1], [1, -1, 1, -1]], dtype=np.int8)
    p = decode_least_squares(code, [[0.7, 0.5], [0.5, 0.5]])
    assert_allclose(p, [[0.35, 0.35, 0.15, 0.15], [0.25] * 4], atol=1e-3)


@pytest.mark.parametrize(
    "code", [random_dense(100, random_state=0), random_sparse(60, random_state=0)]
)
def test_many_classes(code):
    k = code.shape[1]
    p = np.random.default_rng(0).dirichlet(np.ones(k), size=3)
    q = np.clip(outputs_of(code, p) + 0.02, 0, 1)
    decoded = decode_least_squares(code, q)
    assert_allclose(decoded.sum(axis=1), 1, atol=1e-12)
    assert all(
        squares(code, row, ours) <= squares(code, row, theirs) + 1e-12
        for row, ours, theirs in zip(q, decoded, p, strict=True)
    )
