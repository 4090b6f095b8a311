"""Outputs of exactly 0 and 1: limits, without NaN and without warnings."""

import warnings

import numpy as np
import pytest
from decoding_strategies import CODES, SEEDS, outputs_of
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from polychotomy.codes import one_vs_one, random_sparse
from polychotomy.decoding.couple import couple
from polychotomy.decoding.decode import decode

DECODERS = ["bradley-terry", "least-squares", "votes", "loss"]


def table_of(k, certain, rest=0.5):
    """A table with r_ij = 1 for the pairs in ``certain``."""
    table = np.full((k, k), rest)
    for i, j in certain:
        table[i, j], table[j, i] = 1.0, 0.0
    return table


def top_component(table):
    """Classes that reach all others along i → j where r_ij > 0, by Warshall's closure."""
    reach = (table > 0) | np.eye(len(table), dtype=bool)
    for m in range(len(table)):
        reach |= np.outer(reach[:, m], reach[m])
    return reach.all(axis=1)


def test_a_certain_winner_takes_all():
    table = table_of(3, [(0, 1), (0, 2)], rest=0.3)
    table[1, 2], table[2, 1] = 0.7, 0.3
    for decoder in ("bradley-terry", "least-squares", "loss"):
        assert_allclose(couple(table, decoder=decoder), [1, 0, 0], atol=1e-9)


def test_a_total_order():
    k = 6
    table = table_of(k, [(i, j) for i in range(k) for j in range(i + 1, k)])
    for decoder in DECODERS:
        p = couple(table, decoder=decoder)
        assert p.argmax() == 0
        assert (np.diff(p) <= 0).all()
        if decoder != "votes":
            assert_allclose(p, np.eye(k)[0], atol=1e-9)


def test_a_cycle_of_certain_wins_has_a_minimiser():
    cycle = table_of(3, [(0, 1), (1, 2), (2, 0)])
    for decoder in DECODERS:
        assert_allclose(couple(cycle, decoder=decoder), np.full(3, 1 / 3), atol=1e-10)


def test_the_top_component_has_its_own_solution():
    inner = np.array([[0.5, 0.9, 0.4], [0.1, 0.5, 0.7], [0.6, 0.3, 0.5]])
    table = table_of(5, [(i, j) for i in range(3) for j in (3, 4)])
    table[:3, :3] = inner
    p = couple(table)
    assert_allclose(p[:3], couple(inner), atol=1e-9)
    assert_allclose(p[3:], 0, atol=1e-9)


@given(seed=SEEDS, k=st.integers(3, 8))
def test_all_probability_goes_to_the_top_component(seed, k):
    generator = np.random.default_rng(seed)
    upper = generator.choice([0.0, 0.3, 0.8, 1.0], p=[0.4, 0.1, 0.1, 0.4], size=(k, k))
    table = np.triu(upper, 1) + np.tril(1 - upper.T, -1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        p = couple(table)
    top = top_component(table)
    assert_allclose(p[~top], 0, atol=1e-9)
    alone = couple(table[np.ix_(top, top)]) if top.sum() > 1 else [1.0]
    assert_allclose(p[top], alone, atol=1e-7)
    # Where a minimiser exists its score equations hold.
    inside = table[np.ix_(top, top)]
    mu = p[top][:, None] / (p[top][:, None] + p[top])
    off = ~np.eye(top.sum(), dtype=bool)
    assert_allclose((mu * off).sum(axis=1), (inside * off).sum(axis=1), atol=1e-7)


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("name", CODES)
@settings(max_examples=20)
@given(seed=SEEDS, k=st.integers(2, 7))
def test_certain_outputs_give_probabilities_without_warnings(name, decoder, seed, k):
    code = CODES[name](k)
    generator = np.random.default_rng(seed)
    outputs = generator.choice([0.0, 0.5, 1.0, 1e-300, 0.9], size=(3, len(code)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        p = decode(code, outputs, decoder=decoder)
    assert np.isfinite(p).all()
    assert (p >= 0).all()
    assert_allclose(p.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares", "loss"])
@pytest.mark.parametrize("name", CODES)
@settings(max_examples=20)
@given(k=st.integers(2, 7), data=st.data())
def test_a_certain_class_is_found_by_every_code(name, decoder, k, data):
    """All dichotomies that have the class say so, the others say ½."""
    code = CODES[name](k)
    j = data.draw(st.integers(0, k - 1))
    outputs = 0.5 + 0.5 * code[:, j][None].astype(float)
    p = decode(code, outputs, decoder=decoder)[0]
    assert p.argmax() == j
    if decoder != "loss":
        assert p[j] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares"])
@pytest.mark.parametrize("name", CODES)
def test_impossible_classes_are_given_back(name, decoder):
    """Consistent outputs of probabilities with exact zeros."""
    code = CODES[name](5)
    p = np.array([[0.5, 0.0, 0.3, 0.2, 0.0], [0.0, 0.6, 0.0, 0.4, 0.0]])
    with np.errstate(invalid="ignore"):
        outputs = np.nan_to_num(outputs_of(code, p), nan=0.5)
    assert_allclose(decode(code, outputs, decoder=decoder), p, atol=1e-5)


@pytest.mark.parametrize("k", [5, 40])
def test_tiny_outputs_are_close_to_zero_ones(k):
    """No jump between 0 and 1e-13, nor between 1e-9 and 1e-12."""
    code = one_vs_one(k)
    generator = np.random.default_rng(0)
    hard = generator.choice([0.0, 0.4, 1.0], size=(20, len(code)))
    soft = np.clip(hard, 1e-9, 1 - 1e-9)
    for decoder in ("bradley-terry", "least-squares"):
        p, q = decode(code, hard, decoder=decoder), decode(code, soft, decoder=decoder)
        assert_allclose(p, q, atol=1e-4)


def test_a_thousand_classes_in_total_order_do_not_underflow():
    k = 200
    table = table_of(k, [(i, j) for i in range(k) for j in range(i + 1, k)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for decoder in DECODERS:
            p = couple(table, decoder=decoder)
            assert p.sum() == pytest.approx(1, abs=1e-12)
            assert (np.diff(p) <= 1e-15).all()


def test_missing_pairs_between_certain_ones():
    """0 and 2 both beat 1 for certain and were never compared: as even as can be."""
    table = table_of(3, [(0, 1), (2, 1)])
    weights = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    for decoder in ("bradley-terry", "least-squares"):
        assert_allclose(couple(table, weights=weights, decoder=decoder), [0.5, 0, 0.5], atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_certain_outputs_of_many_classes_on_a_sparse_code_warn_of_nothing(seed):
    """Some thousand steps towards the border, of which a few overflow and are not taken."""
    code = random_sparse(20, length=20, random_state=seed)
    outputs = np.random.default_rng(seed).integers(0, 2, (12, 20)).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        p = decode(code, outputs)
    assert_allclose(p.sum(axis=1), 1)
    assert (p >= 0).all()
