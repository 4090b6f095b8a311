"""Bradley–Terry decoding: oracles, properties, limits."""

from pathlib import Path

import choix
import numpy as np
import pandas as pd
import pytest
from decoding_strategies import CODES, SEEDS, divergence, outputs_of, random_outputs
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from polychotomy.codes import one_vs_one, one_vs_rest, random_dense, random_sparse
from polychotomy.codes.orthogonal import orthogonal
from polychotomy.codes.random_codes import nested
from polychotomy.decoding import decode_bradley_terry, decode_least_squares

ORACLES = Path(__file__).parent / "oracles"


def test_r_glm_agrees():
    """Stored fits of oracles/bradley_terry.R."""
    pairs = pd.read_csv(ORACLES / "bradley_terry_pairs.csv")
    fits = pd.read_csv(ORACLES / "bradley_terry_fits.csv")
    for case, fit in fits.groupby("case"):
        given_pairs = pairs[pairs["case"] == case]
        p = decode_bradley_terry(
            one_vs_one(len(fit)), given_pairs[["r"]].to_numpy().T, weights=given_pairs["weight"]
        )
        assert_allclose(p[0], fit["p"], atol=1e-12)


@pytest.mark.parametrize("k", [3, 6, 12, 40])
def test_choix_agrees(k):
    q = random_outputs(one_vs_one(k), seed=k, n=2)
    first, second = np.triu_indices(k, 1)
    for p, r in zip(decode_bradley_terry(one_vs_one(k), q), q, strict=True):
        table = np.zeros((k, k))
        table[first, second], table[second, first] = r, 1 - r
        theta = choix.ilsr_pairwise_dense(table, tol=1e-13, max_iter=5000)
        assert_allclose(p, np.exp(theta) / np.exp(theta).sum(), atol=1e-10)


@pytest.mark.parametrize("name", CODES)
@settings(max_examples=20)
@given(seed=SEEDS, k=st.integers(3, 6))
def test_no_other_point_is_better(name, seed, k):
    """Minimisation by scipy from our answer and from elsewhere finds nothing lower."""
    code = CODES[name](k)
    generator = np.random.default_rng(seed)
    q = random_outputs(code, seed, n=1)[0]
    weights = generator.uniform(0.2, 1, size=len(code))
    p = decode_bradley_terry(code, q[None], weights=weights)[0]
    ours = divergence(code, q, np.maximum(p, 1e-30), weights)

    def criterion(theta):
        shifted = np.exp(theta - theta.max()) + 1e-30
        return divergence(code, q, shifted / shifted.sum(), weights)

    for start in (np.log(np.maximum(p, 1e-6)), np.zeros(k)):
        assert ours <= minimize(criterion, start, method="BFGS").fun + 1e-9


@pytest.mark.parametrize("name", CODES)
@settings(max_examples=20)
@given(seed=SEEDS, k=st.integers(2, 8))
def test_consistent_outputs_give_back_p(name, seed, k):
    code = CODES[name](k)
    p = np.random.default_rng(seed).dirichlet(np.ones(k), size=3)
    outputs = outputs_of(code, p)
    assert_allclose(decode_bradley_terry(code, outputs), p, atol=1e-9)


@pytest.mark.parametrize("name", ["one-vs-one", "one-vs-rest", "orthogonal", "random-sparse"])
@settings(max_examples=20)
@given(seed=SEEDS)
def test_class_order_does_not_matter(name, seed):
    code, k = CODES[name](5), 5
    order = np.random.default_rng(seed).permutation(k)
    q = random_outputs(code, seed)
    p, permuted = decode_bradley_terry(code, q), decode_bradley_terry(code[:, order], q)
    assert_allclose(permuted, p[:, order], atol=1e-9)


@pytest.mark.parametrize("name", ["one-vs-one", "one-vs-rest", "random-sparse"])
def test_order_and_direction_of_rows_do_not_matter(name):
    code = CODES[name](5)
    q = random_outputs(code, seed=1)
    order = np.random.default_rng(0).permutation(len(code))
    signs = np.where(np.arange(len(code)) % 3 == 0, -1, 1)
    turned = np.where(signs > 0, q, 1 - q)
    p = decode_bradley_terry(code, q)
    other = decode_bradley_terry((code * signs[:, None])[order], turned[:, order])
    assert_allclose(other, p, atol=1e-10)


@given(seed=SEEDS, k=st.integers(2, 9))
def test_nested_dichotomies_multiply(seed, k):
    code = nested(k, random_state=seed)
    q = random_outputs(code, seed)
    product = np.ones((len(q), k))
    for row, output in zip(code, q.T, strict=True):
        product[:, row > 0] *= output[:, None]
        product[:, row < 0] *= 1 - output[:, None]
    assert_allclose(decode_bradley_terry(code, q), product, atol=1e-12)
    # The product rule is a shortcut: the general solver, made to do it, agrees.
    doubled = np.vstack([code, code[:1]])
    again = np.hstack([q, q[:, :1]])
    assert_allclose(decode_bradley_terry(doubled, again), product, atol=1e-9)


def test_a_pair_given_twice_is_averaged():
    code = np.vstack([one_vs_one(3), -one_vs_one(3)[:1]])
    q = np.array([[0.9, 0.4, 0.7, 0.3]])  # the last row says P(0 | 0 or 1) = 0.7
    weights = np.array([1.0, 1.0, 1.0, 3.0])
    expected = decode_bradley_terry(
        one_vs_one(3), [[(0.9 + 3 * 0.7) / 4, 0.4, 0.7]], weights=[4, 1, 1]
    )
    assert_allclose(decode_bradley_terry(code, q, weights=weights), expected, atol=1e-10)


@pytest.mark.parametrize("name", ["one-vs-one", "one-vs-rest", "random-sparse"])
@pytest.mark.parametrize("decode", [decode_bradley_terry, decode_least_squares])
def test_elementwise_and_batched_elimination_agree(name, decode, monkeypatch):
    code = CODES[name](7)
    q = random_outputs(code, seed=0, n=20)
    small = decode(code, q)
    for module in ("elimination", "pairs", "newton", "interior_point", "quadratic"):
        monkeypatch.setattr(f"polychotomy.decoding.kernels.{module}.ELEMENTWISE", 2)
    assert_allclose(decode(code, q), small, atol=1e-11)


def test_hard_tables_need_few_steps():
    """Tables on which the paper's sweeps need tens of thousands."""
    k = 8
    p = 10.0 ** -np.arange(k)
    q = outputs_of(one_vs_one(k), (p / p.sum())[None])
    q = np.clip(q + 1e-4 * np.random.default_rng(0).normal(size=q.shape), 1e-7, 1 - 1e-7)
    solution = decode_bradley_terry(one_vs_one(k), q)[0]
    table = np.zeros((k, k))
    table[np.triu_indices(k, 1)] = q[0]
    table += np.tril(1 - table.T, -1)
    mu = solution[:, None] / (solution[:, None] + solution)
    np.fill_diagonal(mu, 0)
    assert_allclose(mu.sum(axis=1), table.sum(axis=1), atol=1e-12)


@pytest.mark.parametrize("k", [100, 300])
@pytest.mark.long
def test_hundreds_of_classes(k):
    generator = np.random.default_rng(k)
    p = generator.dirichlet(np.ones(k), size=2)
    for code in (one_vs_one(k), orthogonal(k), one_vs_rest(k)):
        decoded = decode_bradley_terry(code, outputs_of(code, p))
        assert_allclose(decoded, p, atol=1e-8)
        assert_allclose(decoded.sum(axis=1), 1, atol=1e-12)


@pytest.mark.long
def test_a_thousand_classes_fit_in_memory():
    code = one_vs_one(1000)
    p = np.random.default_rng(0).dirichlet(np.ones(1000), size=2)
    q = outputs_of(code, p)
    assert_allclose(decode_bradley_terry(code, q), p, atol=1e-9)
    assert_allclose(decode_least_squares(code, q), p, atol=1e-9)


def test_undetermined_probabilities_are_the_most_even():
    """Two dichotomies for four classes: only their sides' sums are known."""
    code = np.array([[1, 1, -1, -1], [1, -1, 1, -1]], dtype=np.int8)
    p = decode_bradley_terry(code, [[0.7, 0.5], [0.5, 0.5]])
    assert_allclose(p, [[0.35, 0.35, 0.15, 0.15], [0.25] * 4], atol=1e-4)


def slopes_of(code, q, p, weights=1.0):
    """∂/∂p of the criterion, (n, k)."""
    plus, minus = p @ (code.T > 0), p @ (code.T < 0)
    return (
        (weights / (plus + minus)) @ (code != 0)
        - (weights * q / plus) @ (code > 0)
        - (weights * (1 - q) / minus) @ (code < 0)
    )


@pytest.mark.parametrize(
    "code",
    [
        random_sparse(6, length=12, random_state=3),
        random_sparse(40, random_state=0),
        random_dense(12, length=20, random_state=0),
        random_dense(60, random_state=0),
        orthogonal(256),
        one_vs_rest(50),
    ],
    ids=lambda code: str(code.shape),
)
def test_inconsistent_outputs_reach_the_conditions_of_optimality(code):
    """p·slope = 0 and slope ≥ 0; for codes without zeros that is the minimum."""
    q = random_outputs(code, seed=5, n=3)
    weights = np.random.default_rng(0).uniform(0.3, 1, size=len(code))
    p = decode_bradley_terry(code, q, weights=weights)
    slopes = slopes_of(code, q, p, weights)
    assert (np.abs(p * slopes) < 1e-10).all()
    assert (slopes > -1e-6).all()
