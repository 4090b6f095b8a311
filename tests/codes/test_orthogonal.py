"""Hadamard matrices and orthogonal codes (M24 eq. 10), greedy and harmonic ones included."""

import time
from itertools import product

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_array_equal

from polychotomy.codes import orthogonal_greedy, orthogonal_harmonic
from polychotomy.codes.hadamard import (
    construction,
    hadamard,
    prime_power,
    quadratic_characters,
    reachable_order,
)
from polychotomy.codes.orthogonal import orthogonal
from polychotomy.core.exceptions import InvalidInput


def assert_orthogonal(code):
    gram = code.T.astype(np.float64) @ code
    assert_array_equal(gram, len(code) * np.eye(code.shape[1]))
    assert_array_equal(np.abs(code), 1)


def constant_rows(code):
    return int((code == code[:, :1]).all(axis=1).sum())


def test_hadamard_matrices_are_orthogonal():
    for order in range(1, 200):
        if construction(order) is not None:
            assert_orthogonal(hadamard(order))


def test_sylvester_is_scipys():
    assert_array_equal(hadamard(64), scipy.linalg.hadamard(64))


def test_only_orders_known_to_need_other_constructions_are_missed():
    # The orders below 300 that Sylvester, Paley and products do not reach, as in the literature
    # (92 was first found by computer in 1962, by Williamson's method).
    missed = [n for n in range(4, 300, 4) if construction(n) is None]
    assert missed == [92, 116, 156, 172, 184, 188, 232, 236, 260, 268, 292]


@pytest.mark.parametrize(("order", "q"), [(28, 27), (52, 25), (100, 49), (244, 243), (344, 343)])
def test_prime_powers_are_used(order, q):
    assert prime_power(q)[1] > 1
    assert construction(order) is not None
    assert_orthogonal(hadamard(order))


@pytest.mark.parametrize("q", [3, 5, 7, 9, 13, 25, 27, 49, 81, 125])
def test_quadratic_characters_have_their_known_products(q):
    # Jacobsthal: Q Qᵀ = q I − J, and Q is symmetric for q ≡ 1, skew for q ≡ 3 (mod 4).
    characters = quadratic_characters(q).astype(int)
    assert_array_equal(characters @ characters.T, q * np.eye(q) - np.ones((q, q)))
    assert_array_equal(characters.T, characters if q % 4 == 1 else -characters)


def test_squares_of_a_prime_field_are_squares():
    assert_array_equal(quadratic_characters(11)[:, 0], [0, 1, -1, 1, 1, 1, -1, -1, -1, 1, -1])


def test_orthogonal_is_orthogonal_and_shortest():
    for k in [*range(2, 70), 92, 100, 128, 500, 1000]:
        code = orthogonal(k)
        assert code.dtype == np.int8
        assert code.shape == (reachable_order(k), k)
        assert_orthogonal(code)
        assert constant_rows(code) == {2: 1, 3: 1}.get(k, 0)


@pytest.mark.parametrize("k", range(4, 11))
def test_long_codes_have_no_constant_row(k):
    for length in (n for n in range(k, 260) if construction(n) is not None):
        code = orthogonal(k, length=length)
        assert code.shape == (length, k)
        assert_orthogonal(code)
        assert constant_rows(code) == 0


@pytest.mark.parametrize(("k", "share"), [(2, 2), (3, 4)])
@pytest.mark.parametrize("length", [4, 8, 12, 20])
def test_constant_rows_that_cannot_be_avoided_are_plus(k, share, length):
    code = orthogonal(k, length=length)
    assert_orthogonal(code)
    constant = (code == code[:, :1]).all(axis=1)
    assert constant.sum() == length // share
    assert (code[constant] == 1).all()


def test_three_classes_cannot_do_without_a_constant_row():
    # All choices of three columns of length 4; the first may be taken as + + + +.
    columns = list(product([-1, 1], repeat=4))
    for b, c in product(columns, columns):
        code = np.array([(1, 1, 1, 1), b, c]).T
        if np.array_equal(code.T @ code, 4 * np.eye(3)):
            assert constant_rows(code * np.array([1, 1, 1])) == 1


@pytest.mark.parametrize("k", [1000, 2048, 2188, 3000, 4000])
def test_thousands_of_classes_take_less_than_a_second(k):
    start = time.process_time()
    code = orthogonal(k)
    assert time.process_time() - start < 1
    assert code.shape == (reachable_order(k), k)
    assert constant_rows(code) == 0


@pytest.mark.parametrize("k", [16, 64, 100, 256])
def test_no_side_is_small(k):
    code = orthogonal(k)
    smaller = np.minimum((code > 0).sum(axis=1), (code < 0).sum(axis=1))
    assert smaller.min() >= k // 6


@pytest.mark.parametrize(
    ("k", "length", "message"),
    [
        (5, 6, "length is 6.*5 classes.*possible: 8"),
        (5, 92, "possible: 96"),
        (5, 3, "possible: 8"),
        (3, 10, "possible: 12"),
        (20, 12, "possible: 20"),
        (4, 0, "length is 0"),
        (4, 8.0, "length is 8.0"),
    ],
)
def test_impossible_lengths_say_which_are_possible(k, length, message):
    with pytest.raises(InvalidInput, match=message):
        orthogonal(k, length=length)


def test_the_printed_harmonic_code():
    printed = [  # M24 eq. (14)
        [-1, -1, -1, -1, 1, 1, 1, 1],
        [1, 1, -1, -1, -1, -1, 1, 1],
        [-1, -1, 1, 1, -1, -1, 1, 1],
        [-1, 1, 1, -1, -1, 1, 1, -1],
        [-1, 1, -1, 1, -1, 1, -1, 1],
    ]
    assert_array_equal(orthogonal_harmonic(5).T, printed)


@pytest.mark.parametrize("k", range(2, 18))
def test_harmonic_codes_are_orthogonal(k):
    code = orthogonal_harmonic(k)
    assert code.shape == (2 ** -(-(k + 1) // 2), k)
    assert_orthogonal(code)
    assert constant_rows(code) == {2: 2, 3: 1}.get(k, 0)


def test_harmonic_codes_end_somewhere():
    with pytest.raises(InvalidInput, match=r"use orthogonal\(41\)"):
        orthogonal_harmonic(41)


@pytest.mark.parametrize(
    ("k", "length"), [(2, 2), (2, 6), (3, 4), (4, 4), (4, 12), (5, 8), (8, 8), (12, 12), (16, 16)]
)
@pytest.mark.parametrize("seed", range(3))
def test_greedy_codes_are_orthogonal(k, length, seed):
    code = orthogonal_greedy(k, length=length, random_state=seed)
    assert code.shape == (length, k)
    assert_orthogonal(code)
    assert k < 4 or constant_rows(code) == 0


def test_greedy_codes_are_drawn_with_the_seed():
    first, again, other = (orthogonal_greedy(6, length=12, random_state=s) for s in (1, 1, 2))
    assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize(("k", "length"), [(5, 6), (5, 4), (5, 28), (2, 3), (3, 6)])
def test_greedy_refuses_lengths_without_orthogonal_columns(k, length):
    with pytest.raises(InvalidInput, match=f"length is {length}.*expected a multiple of"):
        orthogonal_greedy(k, length=length)


def greedily(length, rng):
    """M24's search to its end: columns at random, none twice, kept if orthogonal to all."""
    drawn = rng.permutation(2**length - 2) + 1  # not the two constant columns
    columns = np.where(drawn[:, np.newaxis] >> np.arange(length) & 1, 1, -1)
    kept = []
    while len(columns):
        kept.append(columns[0])
        columns = columns[columns @ columns[0] == 0]
    return np.array(kept)


def test_how_often_the_papers_search_fills_the_matrix():
    """Almost always where the length is a multiple of 4, says §3; of length 4 not so."""
    rng = np.random.default_rng(0)
    full = {
        length: np.mean([len(greedily(length, rng)) == length for _ in range(300)])
        for length in (4, 6, 8)
    }
    assert 0.5 < full[4] < 0.7
    assert full[6] == 0
    assert full[8] > 0.9
