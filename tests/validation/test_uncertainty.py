from collections import Counter
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from polychotomy.core.exceptions import InvalidInput
from polychotomy.validation import uncertainty_coefficient

labels = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)


def test_by_hand():
    # H(true) = 1 bit; knowing pred: 3 of 4 cases leave H(1/3) = .9183 bits, the other none
    got = uncertainty_coefficient([0, 0, 1, 1], [0, 0, 0, 1])
    assert_allclose(got, 1 - 0.75 * 0.9182958340544896, rtol=1e-12)
    assert type(got) is float


def entropy(labels):
    return -sum(n / len(labels) * log(n / len(labels)) for n in Counter(labels).values())


@given(labels)
def test_is_the_share_of_entropy_that_is_removed(pair):
    true, pred = pair
    information = entropy(true) + entropy(pred) - entropy(list(zip(true, pred, strict=True)))
    for direction, entropies in (
        ("true-given-pred", [entropy(true)]),
        ("pred-given-true", [entropy(pred)]),
        ("symmetric", [entropy(true), entropy(pred)]),
    ):
        got = uncertainty_coefficient(true, pred, direction=direction)
        expected = len(entropies) * information / sum(entropies) if sum(entropies) > 0 else 1.0
        assert_allclose(got, expected, atol=1e-9)
        assert 0 <= got <= 1


@given(labels)
def test_names_of_classes_do_not_matter(pair):
    true, pred = pair
    renamed = np.array(["e", "d", "c", "b", "a"], dtype=object)[pred]
    assert_allclose(
        uncertainty_coefficient(true, renamed), uncertainty_coefficient(true, pred), atol=1e-12
    )


def test_perfect_constant_and_single():
    assert uncertainty_coefficient(["a", "b", "c"], ["a", "b", "c"]) == 1.0
    assert uncertainty_coefficient([0, 1, 2], [2, 0, 1]) == 1.0  # a permutation tells all
    assert uncertainty_coefficient([0, 1, 0, 1], [1, 1, 1, 1]) == 0.0
    assert uncertainty_coefficient([1, 1], [0, 1]) == 1.0  # nothing to know
    assert uncertainty_coefficient([3], [4], direction="symmetric") == 1.0


@pytest.mark.parametrize(
    ("true", "pred", "direction", "message"),
    [
        ([0, 1], [0], "symmetric", r"y_pred has shape \(1,\); expected \(2,\)"),
        ([], [], "symmetric", r"y_true has shape \(0,\)"),
        ([[0]], [0], "symmetric", r"y_true has shape \(1, 1\)"),
        ([0, 1], [0.0, np.nan], "symmetric", r"y_pred\[1\] is missing"),
        ([None, 1], [1, 2], "symmetric", r"y_true\[0\] is missing"),
        ([0, 1], ["a", pd.NA], "symmetric", r"y_pred\[1\] is missing"),
        ([0, 1], np.array(["2020", "NaT"], "M8[D]"), "symmetric", r"y_pred\[1\] is missing"),
        ([0], [0], "both", "direction is 'both'; expected 'true-given-pred'"),
    ],
)
def test_refuses(true, pred, direction, message):
    with pytest.raises(InvalidInput, match=message):
        uncertainty_coefficient(true, pred, direction=direction)
