"""Folds on demand are those drawn at once."""

import pickle

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Dataset, RepeatedFolds, StudySpec
from polychotomy.study.design.plan import Samples
from polychotomy.study.fitting import work as lazy_folds
from polychotomy.study.fitting.work import LazyFolds, split_data

PLAN = RepeatedFolds(repetitions=3, runs=4)
DATA = Dataset.of(np.arange(40.0)[:, None], np.arange(40) % 3, groups=np.arange(40) // 2)


@pytest.mark.parametrize("groups", [None, DATA.groups])
def test_the_same_rows(groups):
    whole = PLAN.split(DATA.target.codes, groups=groups, seed=9)
    lazy = LazyFolds(PLAN, Samples(DATA.target.codes, groups), 9)
    assert lazy.shape == whole.shape
    for run, repetition in [*np.ndindex(4, 3), (0, 0)]:
        np.testing.assert_array_equal(lazy[run, repetition], whole[run, repetition])
        assert lazy[run, repetition].dtype == np.int16


def test_little_is_remembered_and_nothing_is_sent():
    lazy = LazyFolds(RepeatedFolds(runs=100), Samples(DATA.target.codes), 0)
    before = len(pickle.dumps(lazy))
    for run in range(100):
        lazy[run, 0]
    assert lazy_folds.draw_row.cache_info().currsize <= 16
    assert len(pickle.dumps(lazy)) == before


def test_a_study_of_either_kind_has_the_same_ledger(monkeypatch):
    spec = StudySpec({"toy": DATA}, {"MAX": DummyClassifier()}, plan=PLAN)
    with spec.run() as ledger:
        whole = ledger.out_of_fold()
    monkeypatch.setattr(lazy_folds, "_LARGEST", 10)
    assert isinstance(split_data(PLAN, DATA, 0), LazyFolds)
    with spec.run() as ledger:
        lazy = ledger.out_of_fold()
    np.testing.assert_array_equal(lazy.folds, whole.folds)
    np.testing.assert_array_equal(lazy.probabilities, whole.probabilities)


def test_errors_come_at_once(monkeypatch):
    monkeypatch.setattr(lazy_folds, "_LARGEST", 10)
    with pytest.raises(InvalidInput, match="20 groups; expected at least 30"):
        split_data(RepeatedFolds(folds=30), DATA, 0)
