"""Codes over more letters: by hand, against all codes that there are, and by properties."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from polychotomy.codes import balanced, check_letters, letters_as_dichotomies
from polychotomy.core.exceptions import InvalidCode, InvalidInput


def shared(code):
    """In how many rows each pair of classes has one letter."""
    k = code.shape[1]
    return np.array([(code[:, i] == code[:, j]).sum() for i, j in combinations(range(k), 2)])


@given(st.integers(2, 40), st.integers(2, 12), st.integers(0, 10**6))
def test_every_letter_is_as_frequent_and_all_classes_differ(k, q, seed):
    code = balanced(k, q, random_state=seed)
    assert check_letters(code).shape[1] == k
    for row in code:
        counts = np.bincount(row, minlength=min(k, q))
        assert counts.max() - counts.min() <= 1
        assert counts.size <= q


def test_as_good_as_the_best_of_all_second_rows():
    first = np.array([0, 0, 1, 1, 2, 2])
    rows = {tuple(np.array(first)[list(order)]) for order in permutations(range(6))}
    best = min(shared(np.array([first, row])).max() for row in rows)
    for seed in range(20):
        assert shared(balanced(6, 3, length=2, random_state=seed)).max() == best == 1


def test_digits_of_a_square_tell_all_classes_apart_in_two_rows():
    # 9 classes, 3 letters: a Latin square has every pair share a letter in one row at most, in 4.
    code = balanced(9, 3, length=4, random_state=0)
    assert shared(code).max() <= 2
    assert shared(balanced(100, 10, length=12, random_state=0)).max() <= 4


def test_a_letter_for_each_class_is_one_row():
    assert_array_equal(balanced(4), [[0, 1, 2, 3]])
    assert balanced(5, letters=2, random_state=0).shape == (14, 5)


def test_each_letter_against_the_others():
    dichotomies, places = letters_as_dichotomies([[0, 1, 1, -1], [0, 0, 1, 2]])
    expected = [[1, -1, -1, 0], [-1, 1, 1, 0], [1, 1, -1, -1], [-1, -1, 1, -1], [-1, -1, -1, 1]]
    assert_array_equal(dichotomies, expected)
    assert_array_equal(places, [[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]])


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ([[0, 1, -2]], r"code\[0, 2\] is -2; expected a letter 0, 1"),
        ([[0, 1.5, 1]], r"code\[0, 1\] is 1.5"),
        ([[0, 1, 2], [0, 0, -1]], "row 1 of code has one letter only"),
        ([[0, 1, 1]], "two columns of code are equal"),
        ([0, 1], r"code has shape \(2,\)"),
    ],
)
def test_errors(code, said):
    with pytest.raises(InvalidCode, match=said):
        check_letters(code)


def test_too_few_rows():
    with pytest.raises(InvalidInput, match="length is 1, and some of 12 classes have the same 3"):
        balanced(12, 3, length=1)
