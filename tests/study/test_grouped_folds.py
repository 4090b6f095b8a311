"""Groups stay whole; classes are spread as evenly as groups allow."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedGroupKFold

from polychotomy.core.arrays import count_classes
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import RepeatedFolds
from polychotomy.study.design.folds import assign_groups


@st.composite
def grouped(draw):
    n = draw(st.integers(4, 60))
    column = st.lists(st.integers(0, 11), min_size=n, max_size=n)
    groups = np.unique(draw(column), return_inverse=True)[1]
    codes = np.unique(np.array(draw(column)) % 3, return_inverse=True)[1]
    return codes, groups


@given(grouped(), st.integers(2, 5), st.booleans(), st.integers(0, 9))
def test_no_group_on_both_sides_and_no_empty_fold(data, folds, stratified, seed):
    codes, groups = data
    assume(groups.max() + 1 >= folds)
    plan = RepeatedFolds(repetitions=1, folds=folds, stratified=stratified)
    row = plan.split(codes, groups=groups, seed=seed)[0, 0]
    for fold in range(folds):
        train, test = plan.rows(row, fold)
        assert len(test)
        assert not set(groups[train]) & set(groups[test])
    assert len(np.bincount(row)) == folds


def test_groups_of_one_are_ordinary_stratified_folds():
    codes = np.repeat([0, 1, 2], [20, 10, 5])
    row = assign_groups(codes, np.arange(35), 5, np.random.default_rng(0))
    for code in range(3):
        assert set(np.bincount(row[codes == code], minlength=5)) == {np.sum(codes == code) // 5}


def imbalance(codes, folds):
    counts = count_classes(codes, folds).astype(float)
    shares = counts / counts.sum(axis=0)
    return np.abs(shares - 1 / len(counts)).max()


def test_nearly_as_even_as_scikit_learn():
    # Which deals the same hands whenever all groups differ in spread; ours must not.
    rng = np.random.default_rng(1)
    ours, theirs = [], []
    for seed in range(30):
        groups = rng.integers(0, 40, size=300)
        codes = (groups + rng.integers(0, 2, size=300)) % 3
        _, groups = np.unique(groups, return_inverse=True)
        ours.append(imbalance(codes, assign_groups(codes, groups, 4, np.random.default_rng(seed))))
        folds = np.empty(300, dtype=int)
        splitter = StratifiedGroupKFold(4, shuffle=True, random_state=seed)
        for fold, (_, test) in enumerate(splitter.split(codes, codes, groups)):
            folds[test] = fold
        theirs.append(imbalance(codes, folds))
    assert np.mean(ours) < 1.3 * np.mean(theirs)


def test_repetitions_differ_also_where_all_groups_have_different_sizes():
    groups = np.repeat(np.arange(12), np.arange(1, 13))
    rows = RepeatedFolds(repetitions=10).split(np.arange(78) % 2, groups=groups, seed=0)[0]
    halves = {tuple(row if row[0] == 0 else 1 - row) for row in rows}
    assert len(halves) > 5


def test_too_few_groups():
    with pytest.raises(InvalidInput, match="there are 2 groups; expected at least 3"):
        RepeatedFolds(folds=3).split(np.arange(6) % 2, groups=np.arange(6) % 2, seed=0)


def test_time_is_refused():
    with pytest.raises(InvalidInput, match=r"train on what comes later.*TimeFolds"):
        RepeatedFolds().split(np.arange(6) % 2, time=np.arange(6), seed=0)
