"""Folds: even, disjoint, the same for the same seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study.design.folds import assign_folds
from polychotomy.study.design.plan import NestedSizes, RepeatedFolds

labels = st.lists(st.integers(0, 3), min_size=2, max_size=60).map(np.array)


@given(labels, st.integers(2, 6), st.booleans(), st.integers(0, 99))
def test_folds_are_even(codes, n_folds, stratified, seed):
    folds = assign_folds(codes, n_folds, stratified=stratified, seed=seed)
    sizes = np.bincount(folds, minlength=n_folds)
    assert sizes.max() - sizes.min() <= 1
    if stratified:
        for code in np.unique(codes):
            in_class = np.bincount(folds[codes == code], minlength=n_folds)
            assert in_class.max() - in_class.min() <= 1


def test_every_class_is_trained_on_and_tested_when_it_has_as_many_members_as_folds():
    codes = np.repeat([0, 1, 2], 2)
    for seed in range(50):
        folds = assign_folds(codes, 2, stratified=True, seed=seed)
        assert all(set(folds[codes == c]) == {0, 1} for c in range(3))


def test_more_runs_do_not_change_the_first_ones():
    codes = np.arange(30) % 3
    few = RepeatedFolds(runs=1).split(codes, seed=4)
    many = RepeatedFolds(runs=3).split(codes, seed=4)
    assert many.shape == (3, 5, 30)
    np.testing.assert_array_equal(many[:1], few)
    assert len({split.tobytes() for split in many.reshape(15, -1)}) == 15


def test_unstratified_folds_differ_from_stratified_ones():
    codes = np.repeat([0, 1], [90, 10])
    shares = [
        np.bincount(codes[assign_folds(codes, 2, stratified=False, seed=s) == 0])[1]
        for s in range(40)
    ]
    assert min(shares) < 5 < max(shares)


@pytest.mark.parametrize(("name", "value"), [("runs", 0), ("folds", 1), ("repetitions", 2.5)])
def test_bad_counts_are_refused_by_name(name, value):
    with pytest.raises(InvalidInput, match=f"{name} is {value}.*at least"):
        RepeatedFolds(**{name: value})


@pytest.mark.parametrize(
    "make",
    [
        lambda: RepeatedFolds(folds=40_000),
        # A row that no size takes would be 39,999.
        lambda: NestedSizes(folds=10_000, sizes=(0.2, 0.5, 1.0)),
    ],
)
def test_what_a_split_row_cannot_hold_is_refused(make):
    with pytest.raises(
        InvalidInput, match=r"number of folds of .* is 40000; expected at most 32767"
    ):
        make()
