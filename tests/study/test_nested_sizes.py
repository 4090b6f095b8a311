"""Nested sizes: one training part inside the next, tried on the same samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import NestedSizes


@given(
    st.lists(st.integers(0, 3), min_size=10, max_size=80),
    st.integers(2, 5),
    st.lists(st.floats(0.05, 1), min_size=1, max_size=5, unique=True),
    st.booleans(),
    st.integers(0, 9),
)
def test_nested_and_tried_on_the_same_samples(values, folds, sizes, grouped, seed):
    codes = np.unique(values, return_inverse=True)[1]
    groups = np.arange(len(codes)) // 2 if grouped else None
    plan = NestedSizes(folds=folds, sizes=sorted(sizes))
    row = plan.split(codes, groups=groups, seed=seed)[0, 0]
    every = []
    for fold in range(folds):
        before = np.array([], dtype=int)
        for size in range(len(sizes)):
            train, test = plan.rows(row, size * folds + fold)
            assert set(before) <= set(train)
            assert not set(train) & set(test)
            if groups is not None:
                assert not set(groups[train]) & set(groups[test])
            np.testing.assert_array_equal(test, plan.rows(row, fold)[1])
            before = train
        every.extend(test)
    assert sorted(every) == list(range(len(codes)))


def test_sizes_are_met_in_every_fold():
    plan = NestedSizes(folds=5, sizes=(0.2, 0.5, 1.0))
    row = plan.split(np.arange(100) % 2, seed=0)[0, 0]
    found = [len(plan.rows(row, fold)[0]) for fold in range(15)]
    assert found == [16] * 5 + [40] * 5 + [80] * 5


def test_every_class_comes_first_and_then_in_proportion():
    codes = np.repeat([0, 1, 2], [80, 16, 4])
    plan = NestedSizes(folds=2, sizes=(0.12, 1.0))
    for seed in range(20):
        row = plan.split(codes, seed=seed)[0, 0]
        assert set(codes[plan.rows(row, 0)[0]]) == {0, 1, 2}
    half = NestedSizes(folds=2, sizes=(0.5,)).split(codes, seed=1)[0, 0]
    train = NestedSizes(folds=2, sizes=(0.5,)).rows(half, 0)[0]
    assert np.bincount(codes[train]).tolist() == [20, 4, 1]


def test_names_say_the_content():
    assert NestedSizes(folds=3, sizes=(0.5, 1.0)).name == "sizes 0.5, 1 of 3 folds"
    assert NestedSizes(folds=3, sizes=(0.5,), repetitions=2).name == "sizes 0.5 of 2x3 folds"


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((), "expected shares of the training part"),
        (0.5, "expected shares"),
        ("all", "expected shares"),
        ((0.5, 1.5), "expected shares"),
        ((0.5, 2), "expected shares"),
        ((10, 20), "expected shares"),
        ((0.5, 0.5), "each larger than the one before"),
    ],
)
def test_bad_sizes(sizes, message):
    with pytest.raises(InvalidInput, match=message):
        NestedSizes(sizes=sizes)
