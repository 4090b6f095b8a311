"""Votes: max-wins and Hamming decoding."""

import numpy as np
import pytest
from decoding_strategies import CODES, SEEDS, random_outputs
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from polychotomy.codes import one_vs_one
from polychotomy.codes.orthogonal import orthogonal
from polychotomy.codes.random_codes import nested
from polychotomy.decoding import decode_votes
from polychotomy.decoding.decode import decode


def test_one_vs_one_by_hand():
    p = decode_votes(one_vs_one(3), [[0.9, 0.4, 0.7], [0.9, 0.8, 0.5], [0.5, 0.5, 0.5]])
    assert_allclose(p, np.array([[1, 1, 1], [2, 0.5, 0.5], [1, 1, 1]]) / 3)


@given(seed=SEEDS, k=st.integers(2, 8))
def test_max_wins_counts_pairs(seed, k):
    """Friedman: Σ_j 1{r_ij > r_ji}, over the number of pairs."""
    q = random_outputs(one_vs_one(k), seed)
    for p, row in zip(decode_votes(one_vs_one(k), q), q, strict=True):
        table = np.zeros((k, k))
        table[np.triu_indices(k, 1)] = row
        table += np.tril(1 - table.T, -1)
        wins = (table > 0.5).sum(axis=1)
        assert_allclose(p, wins / wins.sum())


@pytest.mark.parametrize("k", [4, 7, 12])
def test_hamming_decoding_on_signs(k):
    code = orthogonal(k)
    q = random_outputs(code, seed=k, n=30)
    distance = (np.sign(q - 0.5)[:, :, None] != code).sum(axis=1)
    assert_allclose(
        decode_votes(code, q),
        (len(code) - distance) / (len(code) - distance).sum(axis=1, keepdims=True),
    )


def test_the_class_that_wins_all_its_nested_dichotomies_comes_first():
    code = nested(6, random_state=0)
    for j in range(6):
        outputs = np.where(code[:, j] != 0, 0.5 + 0.4 * code[:, j], 0.9)
        assert decode_votes(code, outputs[None])[0].argmax() == j


def test_weights_only_leave_out():
    code = one_vs_one(3)
    q = [[0.9, 0.4, 0.7]]
    assert_allclose(decode(code, q, decoder="votes", weights=[5, 1, 2]), decode_votes(code, q))
    p = decode(code, q, decoder="votes", weights=[1, 0, 1])
    assert_allclose(p, [[2 / 3, 1 / 3, 0]])


@pytest.mark.parametrize("name", CODES)
def test_shares_add_up_to_one(name):
    code = CODES[name](5)
    p = decode_votes(code, random_outputs(code, seed=0))
    assert_allclose(p.sum(axis=1), 1)
    assert (p >= 0).all()


def test_without_a_dichotomy_to_vote_all_are_equal():
    assert_allclose(decode_votes([[1, 0], [0, 1]], [[1.0, 1.0]]), [[0.5, 0.5]])
