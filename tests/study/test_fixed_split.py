"""A fixed split: drawn once or given, and never leaking."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import FixedSplit

CODES = np.repeat([0, 1, 2], [60, 30, 10])


def test_a_share_of_every_class():
    row = FixedSplit(test=0.3).split(CODES, seed=0)[0, 0]
    assert np.bincount(CODES[row == 0]).tolist() == [18, 9, 3]
    assert set(row) == {-1, 0}


def test_rows_and_masks_are_the_same_plan():
    mask = np.zeros(100, dtype=bool)
    mask[[5, 70, 95]] = True
    plans = [FixedSplit(test=test) for test in ([95, 5, 70], mask, np.array([5, 70, 95]))]
    assert len(set(plans)) == 1
    train, test = plans[0].rows(plans[0].split(CODES, seed=0)[0, 0], 0)
    assert test.tolist() == [5, 70, 95]
    assert len(train) == 97
    assert plans[0].name != FixedSplit(test=[5, 70]).name


@given(st.lists(st.integers(0, 9), min_size=20, max_size=60), st.floats(0.1, 0.6))
def test_whole_groups(values, share):
    groups = np.unique(values, return_inverse=True)[1]
    codes = np.arange(len(groups)) % 2
    try:
        row = FixedSplit(test=share).split(codes, groups=groups, seed=1)[0, 0]
    except InvalidInput:
        assume(False)
    assert not set(groups[row == 0]) & set(groups[row == -1])


@given(st.lists(st.integers(0, 9), min_size=10, max_size=40), st.floats(0.1, 0.9))
def test_the_latest(values, share):
    time = np.unique(values, return_inverse=True)[1]
    assume(time.max() > 0)
    codes = np.arange(len(time)) % 2
    try:
        row = FixedSplit(test=share).split(codes, time=time, seed=1)[0, 0]
    except InvalidInput:
        assume(False)
    assert time[row == -1].max() < time[row == 0].min()


@pytest.mark.parametrize("test", [0, 1, 0.0, 1.0, -0.5, "x", [], [1, 1], [-1, 3], [[1]], [0.5]])
def test_bad_tests(test):
    with pytest.raises(InvalidInput, match="test"):
        FixedSplit(test=test)


@pytest.mark.parametrize(
    ("test", "options", "message"),
    [
        ([3, 400], {}, "test has row 400; there are 100"),
        (
            [3],
            {"groups": np.zeros(100, dtype=int)},
            "row 0 is trained on but is of a group",
        ),
        ([3], {"time": np.arange(100)}, "row 4 is trained on but is no earlier"),
        (np.r_[60:100], {}, "to train on are of 1 class"),
    ],
)
def test_rows_that_leak(test, options, message):
    with pytest.raises(InvalidInput, match=message):
        FixedSplit(test=test).split(CODES, seed=0, **options)
