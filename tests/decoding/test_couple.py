"""Coupling of pairwise tables: HT98 §2."""

import numpy as np
import pytest
from decoding_strategies import SEEDS
from hastie_tibshirani_sweeps import sweep
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.codes import one_vs_one
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding.couple import (
    couple,
    couple_by_markov_chain,
    couple_by_sweeps,
    couple_in_closed_form,
)
from polychotomy.decoding.decode import decode

EXAMPLE = np.array([[0.0, 0.9, 0.4], [0.1, 0.0, 0.7], [0.6, 0.3, 0.0]])  # HT98 (1)
DECODERS = ["bradley-terry", "least-squares", "votes", "loss"]


def random_tables(seed, k, n=3, low=0.02):
    upper = np.triu(np.random.default_rng(seed).uniform(low, 1 - low, size=(n, k, k)), 1)
    return upper + np.tril(1 - np.swapaxes(upper, 1, 2), -1)


def test_the_example_of_the_paper():
    # Exact to 1e-14 by three independent programs. The paper prints (0.47, 0.25, 0.28), an iterate
    # stopped early.
    p = couple(EXAMPLE)
    assert_allclose(p, [0.481068, 0.241639, 0.277293], atol=5e-7)
    assert_allclose(p, [0.47, 0.25, 0.28], atol=0.012)
    r = EXAMPLE[np.triu_indices(3, 1)]
    mu = np.array([p[i] / (p[i] + p[j]) for i, j in [(0, 1), (0, 2), (1, 2)]])
    divergence = (r * np.log(r / mu) + (1 - r) * np.log((1 - r) / (1 - mu))).sum()
    assert divergence == pytest.approx(0.375643, abs=5e-7)


def test_the_printed_solution_is_an_iterate():
    assert_allclose(
        sweep(EXAMPLE, np.ones((3, 3)), np.full(3, 1 / 3), 3), [0.4707, 0.2479, 0.2815], atol=5e-5
    )
    start = EXAMPLE.sum(axis=1) / 3
    assert_allclose(sweep(EXAMPLE, np.ones((3, 3)), start, 2), [0.4722, 0.2466, 0.2812], atol=5e-5)


def test_other_couplings_of_the_example():
    assert_allclose(
        couple(EXAMPLE, decoder="least-squares"), [0.457233, 0.202129, 0.340638], atol=5e-7
    )
    assert_allclose(couple(EXAMPLE, decoder="votes"), np.full(3, 1 / 3))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_papers_own_sweeps_end_where_we_do(k):
    generator = np.random.default_rng(k)
    weights = generator.integers(1, 50, size=(k, k)).astype(float)
    weights += weights.T
    table = random_tables(k, k, n=1, low=0.2)[0]
    swept = sweep(table, weights, np.full(k, 1 / k), 4000)
    assert_allclose(couple(table, weights=weights), swept, atol=1e-9)
    assert_allclose(couple_by_sweeps(table, sweeps=4000, weights=weights), swept, atol=1e-12)


def test_public_sweeps_are_those_of_the_paper_for_many_tables_at_once():
    tables = random_tables(3, 4)
    found = couple_by_sweeps(tables, sweeps=7)
    for table, p in zip(tables, found, strict=True):
        assert_allclose(p, sweep(table, np.ones((4, 4)), np.full(4, 1 / 4), 7), atol=1e-14)


def test_public_sweeps_where_pairs_are_certain_or_missing():
    certain = np.array([[0, 1.0, 1.0], [0, 0, 1.0], [0, 0, 0]])
    assert_allclose(couple_by_sweeps(certain, sweeps=50).sum(), 1.0)
    weights, table = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]]), EXAMPLE.copy()
    table[1, 2] = table[2, 1] = np.nan
    swept = couple_by_sweeps(table, sweeps=500, weights=weights)
    assert_allclose(swept, couple(table, weights=weights), atol=1e-9)
    with pytest.raises(InvalidInput, match="sweeps is 0"):
        couple_by_sweeps(EXAMPLE, sweeps=0)


@given(seed=SEEDS, k=st.integers(2, 8))
def test_the_score_equations_hold(seed, k):
    """HT98 eq. (5): Σ_j n_ij μ_ij = Σ_j n_ij r_ij."""
    table = random_tables(seed, k)
    weights = np.random.default_rng(seed).uniform(0.1, 5, size=(k, k))
    weights += weights.T
    p = couple(table, weights=weights)
    mu = p[:, :, None] / (p[:, :, None] + p[:, None, :])
    off = weights * ~np.eye(k, dtype=bool)
    assert_allclose((off * mu).sum(axis=2), (off * table).sum(axis=2), atol=1e-10)


@pytest.mark.parametrize("decoder", DECODERS)
def test_any_leading_shape(decoder):
    tables = random_tables(0, 4, n=6)
    flat = couple(tables, decoder=decoder)
    assert flat.shape == (6, 4)
    assert_allclose(couple(tables[2], decoder=decoder), flat[2], atol=1e-14)
    assert_allclose(
        couple(tables.reshape(2, 3, 4, 4), decoder=decoder), flat.reshape(2, 3, 4), atol=1e-14
    )
    assert couple(tables[:0], decoder=decoder).shape == (0, 4)


@pytest.mark.parametrize("decoder", DECODERS)
def test_it_is_decode_on_one_vs_one(decoder):
    tables = random_tables(1, 5, n=4)
    first, second = np.triu_indices(5, 1)
    assert_allclose(
        couple(tables, decoder=decoder),
        decode(one_vs_one(5), tables[:, first, second], decoder=decoder),
        atol=1e-13,
    )


@pytest.mark.parametrize("decoder", DECODERS)
def test_two_classes(decoder):
    two = couple([[7.0, 0.8], [0.2, np.nan]], decoder=decoder)
    assert_allclose(two, [1, 0] if decoder == "votes" else [0.8, 0.2], atol=1e-12)


def test_the_diagonal_is_ignored():
    assert_array_equal(couple(EXAMPLE + np.diag([5.0, np.nan, -3.0])), couple(EXAMPLE))


@pytest.mark.parametrize("decoder", DECODERS)
def test_missing_pairs_are_ignored(decoder):
    table = EXAMPLE.copy()
    table[0, 2] = table[2, 0] = np.nan
    weights = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    p = couple(table, weights=weights, decoder=decoder)
    if decoder in ("bradley-terry", "least-squares"):  # a chain: p₀ : p₁ : p₂ = 9·7 : 7 : 3
        assert_allclose(p, np.array([63, 7, 3]) / 73, atol=1e-10)
    assert p.sum() == pytest.approx(1)


def test_classes_never_compared_are_an_error():
    weights = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    for decoder in ("bradley-terry", "least-squares"):
        with pytest.raises(InvalidInput, match="class 2 is never compared with class 0"):
            couple(EXAMPLE, weights=weights, decoder=decoder)


def test_weights_pull_towards_their_pair():
    heavy = np.ones((3, 3))
    heavy[0, 1] = heavy[1, 0] = 1e6
    p = couple(EXAMPLE, weights=heavy)
    assert p[0] / (p[0] + p[1]) == pytest.approx(0.9, abs=1e-4)
    assert_allclose(couple(EXAMPLE, weights=7 * np.ones((3, 3))), couple(EXAMPLE), atol=1e-12)


def test_single_precision_tables_pass():
    p = couple(EXAMPLE.astype(np.float32))
    assert p.dtype == np.float64
    assert_allclose(p, couple(EXAMPLE), atol=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((0, 1, 0.95), r"table\[0, 1\] is 0.95 and table\[1, 0\] is 0.1; .*add up to 1"),
        ((1, 2, np.nan), r"table\[1, 2\] is nan"),
        ((2, 1, np.nan), r"table\[1, 2\] is 0.7 and table\[2, 1\] is nan"),
        ((0, 2, -0.4), r"table\[0, 2\] is -0.4"),
        ((0, 1, np.inf), r"table\[0, 1\] is inf"),
    ],
)
def test_bad_entries_are_named(change, message):
    i, j, value = change
    table = EXAMPLE.copy()
    table[i, j] = value
    with pytest.raises(InvalidInput, match=message):
        couple(table)
    with pytest.raises(InvalidInput, match=message.replace(r"table\[", r"table\[1, ")):
        couple(np.stack([EXAMPLE, table]))


def test_a_pair_outside_the_interval_that_adds_up_to_one_is_named():
    table = EXAMPLE.copy()
    table[0, 1], table[1, 0] = 1.4, -0.4
    with pytest.raises(InvalidInput, match=r"table\[0, 1\] is 1.4 and table\[1, 0\] is -0.4"):
        couple(table)


@pytest.mark.parametrize(
    "table",
    [0.5, [0.5], np.zeros((3, 2)), np.zeros((2, 0, 0)), [["a"]], [[0.5]], np.zeros((3, 1, 1))],
)
def test_wrong_shapes_are_refused(table):
    with pytest.raises(
        InvalidInput, match=r"table (has shape|is .*expected an array of real|has entries)"
    ):
        couple(table)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones((2, 2)), r"shape \(2, 2\); expected \(3, 3\)"),
        ([[0, 1, 1], [1, 0, -2], [1, -2, 0]], r"weights\[1, 2\] is -2"),
        ([[0, 1, 1], [1, 0, np.nan], [1, np.nan, 0]], r"weights\[1, 2\] is nan"),
        ([[0, 1, 3], [1, 0, 1], [2, 1, 0]], r"weights\[0, 2\] is 3; expected a symmetric matrix"),
    ],
)
def test_bad_weights_are_named(weights, message):
    with pytest.raises(InvalidInput, match=message):
        couple(EXAMPLE, weights=weights)


def test_an_unknown_decoder_is_refused():
    with pytest.raises(InvalidInput, match="decoder is 'hamming'; expected 'bradley-terry'"):
        couple(EXAMPLE, decoder="hamming")


def test_the_table_is_not_changed():
    table = EXAMPLE.copy()
    for decoder in DECODERS:
        couple(table, decoder=decoder)
    assert_array_equal(table, EXAMPLE)


@pytest.mark.parametrize("method", [couple_in_closed_form, couple_by_markov_chain])
def test_older_methods_give_consistent_probabilities_back(method):
    p = np.random.default_rng(0).dirichlet(np.ones(5), size=(3, 2))
    table = p[..., :, None] / (p[..., :, None] + p[..., None, :])
    assert_allclose(method(table), p, rtol=1e-9)


def test_older_methods_fulfil_their_equations():
    rng, k = np.random.default_rng(1), 4
    r = np.triu(rng.uniform(size=(k, k)), 1)
    r += np.tril(1 - r.T, -1)
    p = couple_by_markov_chain(r)
    others = [[j for j in range(k) if j != i] for i in range(k)]
    said = [sum(r[i, j] * (p[i] + p[j]) for j in others[i]) / (k - 1) for i in range(k)]
    assert_allclose(p, said, rtol=1e-9)
    each = np.array([1 / (sum(1 / r[i, j] for j in others[i]) - (k - 2)) for i in range(k)])
    assert_allclose(couple_in_closed_form(r), each / each.sum(), rtol=1e-9)


def test_older_methods_take_certain_pairs():
    order = np.triu(np.ones((3, 3)), 1)  # 0 beats all, 1 beats 2
    cycle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0.0]])
    for method in (couple_in_closed_form, couple_by_markov_chain):
        assert_allclose(method(order), [1, 0, 0], atol=1e-9)
        assert_allclose(method(cycle), np.full(3, 1 / 3), atol=1e-9)
        ahead = (np.arange(21) - np.arange(21)[:, np.newaxis]) % 21  # each beats the next ten
        assert_allclose(method((ahead <= 10) * 1.0), np.full(21, 1 / 21), atol=1e-9)
