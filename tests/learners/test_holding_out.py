"""Holding out: the rows and the randomness of scikit-learn's train_test_split."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split

from polychotomy.learners.pruned_tree import hold_out


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=8),
    st.floats(0.01, 0.99),
    st.integers(0, 2**32 - 1),
)
def test_rows_and_randomness_are_those_of_scikit_learn(sizes, share, seed):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    np.random.default_rng(seed).shuffle(codes)
    n = len(codes)
    n_held = min(max(1, round(share * n)), n - 1)
    if n < 2:
        return
    ours, theirs = np.random.RandomState(seed), np.random.RandomState(seed)
    stratify = min(sizes) >= 2 and len(sizes) <= min(n_held, n - n_held)
    expected = train_test_split(
        np.arange(n), test_size=n_held, random_state=theirs, stratify=codes if stratify else None
    )
    for found, rows in zip(hold_out(codes, n_held, ours), expected, strict=True):
        np.testing.assert_array_equal(found, np.sort(rows))
    assert ours.randint(2**31 - 1) == theirs.randint(2**31 - 1)


@pytest.mark.parametrize("seed", range(5))
def test_every_row_is_in_one_part_and_every_class_as_often_as_it_should(seed):
    counts = np.array([2, 5, 30])
    codes = np.repeat([0, 1, 2], counts)
    kept, held = hold_out(codes, 12, np.random.RandomState(seed))
    assert sorted([*kept, *held]) == list(range(37))
    assert (np.abs(np.bincount(codes[held], minlength=3) - 12 * counts / 37) < 1).all()
