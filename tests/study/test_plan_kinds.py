"""Every kind of plan: back from the file, the same rows one by one and all at once."""

import json

import numpy as np
import pytest

from polychotomy.study import Bootstrap, FixedSplit, NestedSizes, RepeatedFolds, TimeFolds
from polychotomy.study.design.specification import plan_from_dict

CODES = np.arange(60) % 3
PLANS = [
    RepeatedFolds(repetitions=2, folds=3, runs=2),
    RepeatedFolds(stratified=False),
    TimeFolds(folds=4),
    Bootstrap(replicates=4),
    FixedSplit(test=0.25),
    FixedSplit(test=[1, 5, 9]),
    NestedSizes(folds=3, sizes=(0.5, 1.0), repetitions=2),
]
BY_NAME = pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)


def split_of(plan, seed=5):
    time = np.arange(60) if isinstance(plan, TimeFolds) else None
    return plan.split(CODES, time=time, seed=seed)


@BY_NAME
def test_plain_values_and_back(plan):
    again = plan_from_dict(json.loads(json.dumps(plan.to_dict())))
    assert again == plan
    assert again.name == plan.name


@BY_NAME
def test_splits_are_small_numbers_of_the_announced_shape(plan):
    split = split_of(plan)
    assert split.dtype == np.int16
    assert split.shape == (plan.runs, plan.repetitions, 60)
    assert plan.n_trials == plan.runs * plan.repetitions * plan.n_folds
    np.testing.assert_array_equal(split, split_of(plan))


@BY_NAME
def test_parts_say_what_rows_say(plan):
    for row in split_of(plan).reshape(-1, 60):
        part, n_parts = plan.parts(row)
        for fold in range(plan.n_folds):
            train, test = plan.rows(row, fold)
            np.testing.assert_array_equal(test, np.flatnonzero(part == fold % n_parts))
            assert len(train)
            assert not set(train) & set(test)


def test_numpy_numbers_will_do():
    plan = RepeatedFolds(repetitions=np.int64(2), folds=np.int32(3))
    assert json.dumps(plan.to_dict())
    assert plan == RepeatedFolds(repetitions=2, folds=3)
