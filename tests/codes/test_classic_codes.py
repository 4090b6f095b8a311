"""One-vs-one, one-vs-rest and the exhaustive code."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from polychotomy.codes import one_vs_one, one_vs_rest
from polychotomy.codes.classic_codes import exhaustive
from polychotomy.core.exceptions import InvalidInput


@pytest.mark.parametrize("k", [2, 3, 4, 7, 20])
def test_one_vs_one_has_the_pairs_in_order_with_the_lower_class_on_the_plus_side(k):
    code = one_vs_one(k)
    assert code.dtype == np.int8
    assert code.shape == (k * (k - 1) // 2, k)
    pairs = [(int(row.argmax()), int(row.argmin())) for row in code]
    assert pairs == list(combinations(range(k), 2))
    assert (np.abs(code).sum(axis=1) == 2).all()


def test_one_vs_rest():
    assert_array_equal(one_vs_rest(3), [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    assert_array_equal(one_vs_rest(2), [[1, -1]])
    assert one_vs_rest(5).dtype == np.int8


@pytest.mark.parametrize("k", range(2, 13))
def test_exhaustive_has_every_split_once(k):
    code = exhaustive(k)
    assert code.shape == (2 ** (k - 1) - 1, k)
    assert code.dtype == np.int8
    assert (code[:, 0] == 1).all()
    assert (code.min(axis=1) == -1).all()
    assert len(np.unique(code, axis=0)) == len(code)


def test_exhaustive_refuses_more_than_twelve_classes():
    with pytest.raises(InvalidInput, match=r"4095 dichotomies.*orthogonal"):
        exhaustive(13)


@pytest.mark.parametrize("code", [one_vs_one, one_vs_rest, exhaustive])
@pytest.mark.parametrize("k", [1, 0, -3, 2.0, "3", None, True])
def test_the_number_of_classes_must_be_one(code, k):
    with pytest.raises(InvalidInput, match="expected a whole number of classes, at least 2"):
        code(k)


def test_numpy_integers_are_numbers_of_classes():
    assert one_vs_one(np.int64(3)).shape == (3, 3)
