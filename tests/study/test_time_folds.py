"""Time folds: nothing is learnt from the future."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.model_selection import TimeSeriesSplit

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import TimeFolds
from polychotomy.study.design.folds import cut_blocks
from polychotomy.study.design.specification import plan_from_dict

times = st.lists(st.integers(0, 12), min_size=4, max_size=60).map(
    lambda values: np.unique(values, return_inverse=True)[1]
)


def split_or_skip(plan, codes, time, groups=None):
    try:
        return plan.split(codes, time=time, groups=groups, seed=0)[0, 0]
    except InvalidInput:
        assume(False)


@given(times, st.integers(1, 5), st.data())
def test_no_future_in_training_and_equal_times_together(time, folds, data):
    codes = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(time), max_size=len(time))))
    row = split_or_skip(TimeFolds(folds=folds), codes, time)
    tested = []
    for fold in range(folds):
        train, test = TimeFolds(folds=folds).rows(row, fold)
        assert time[train].max() < time[test].min()
        tested.extend(test)
    first = np.flatnonzero(row == -1)
    assert sorted([*tested, *first]) == list(range(len(time)))
    for moment in np.unique(time):
        assert len(np.unique(row[time == moment])) == 1


@given(times, st.integers(1, 4), st.data())
def test_no_group_on_both_sides(time, folds, data):
    n = len(time)
    codes = np.arange(n) % 2
    groups = np.array(data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)))
    plan = TimeFolds(folds=folds)
    row = split_or_skip(plan, codes, time, groups)
    for fold in range(folds):
        train, test = plan.rows(row, fold)
        assert not set(groups[train]) & set(groups[test])
        assert time[train].max() < time[test].min()
    parts, n_parts = plan.parts(row)
    assert n_parts == folds
    assert (parts >= -1).all()


def test_agrees_with_scikit_learn():
    n, folds = 24, 5
    row = TimeFolds(folds=folds).split(np.arange(n) % 2, time=np.arange(n), seed=0)[0, 0]
    for fold, (train, test) in enumerate(TimeSeriesSplit(folds).split(np.zeros(n))):
        ours = TimeFolds(folds=folds).rows(row, fold)
        np.testing.assert_array_equal(ours[0], train)
        np.testing.assert_array_equal(ours[1], test)


def test_order_of_the_rows_does_not_matter():
    rng = np.random.default_rng(0)
    order = rng.permutation(30)
    plan = TimeFolds(folds=4)
    straight = plan.split(np.arange(30) % 2, time=np.arange(30), seed=0)[0, 0]
    mixed = plan.split((np.arange(30) % 2)[order], time=np.arange(30)[order], seed=1)[0, 0]
    np.testing.assert_array_equal(mixed, straight[order])


@given(times, st.integers(2, 6))
def test_blocks_are_cut_at_the_nearest_change_of_time(time, n_blocks):
    assume(time.max() + 1 >= n_blocks)
    blocks = cut_blocks(time, n_blocks)
    assert sorted(set(blocks)) == list(range(n_blocks))
    assert (np.diff(blocks[np.argsort(time, kind="stable")]) >= 0).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "needs the time of every sample"),
        ({"time": np.array([0, 0, 0, 1, 1, 1])}, "2 distinct times; expected at least 3"),
        ({"time": np.arange(6), "groups": np.zeros(6, dtype=int)}, "no sample of a group that is"),
    ],
)
def test_errors(options, message):
    with pytest.raises(InvalidInput, match=message):
        TimeFolds(folds=2).split(np.array([0, 1, 0, 1, 0, 1]), seed=0, **options)


def test_a_past_of_one_class():
    with pytest.raises(InvalidInput, match="all 2 samples before time fold 0 are of one class"):
        TimeFolds(folds=2).split(np.array([0, 0, 1, 1, 0, 1]), time=np.arange(6), seed=0)


def test_one_split_predicts_the_last_block_from_all_before():
    plan = TimeFolds(folds=1, of=5)
    time = np.random.default_rng(0).permutation(50)
    row = plan.split(np.arange(50) % 2, time=time, seed=0)[0, 0]
    train, test = plan.rows(row, 0)
    assert sorted(time[test]) == list(range(40, 50))
    assert sorted(time[train]) == list(range(40))
    assert (plan.name, plan.training_share) == ("last 1/5 in time", 0.8)
    assert plan_from_dict(plan.to_dict()) == plan
    assert TimeFolds(folds=5).to_dict() == {"kind": "time folds", "folds": 5}  # as in older files
    with pytest.raises(InvalidInput, match="at least 2"):
        TimeFolds(folds=1, of=1)
