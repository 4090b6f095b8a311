"""Trials are listed once each, repetition by repetition."""

from polychotomy.study.design.plan import RepeatedFolds
from polychotomy.study.study import plan_trials

PLAN = RepeatedFolds(repetitions=2, folds=3)


def test_plan_has_every_trial_once():
    keys = list(plan_trials(["iris", "wine"], ["a", "b"], {PLAN.name: PLAN}))
    assert len(keys) == len(set(keys)) == 2 * 2 * 2 * 3
    assert {key.fold for key in keys} == {0, 1, 2}


def test_repetitions_come_one_after_the_other():
    keys = list(plan_trials(["iris"], ["a", "b"], {PLAN.name: PLAN}))
    assert [key.repetition for key in keys] == [0] * 6 + [1] * 6
