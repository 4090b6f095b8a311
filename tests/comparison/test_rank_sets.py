"""Sets of ranks: by hand, against tests of single pairs, and that they hold together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from polychotomy.comparison import rank_sets
from polychotomy.core.exceptions import InvalidInput


def league(seed, truth, n=200):
    rng = np.random.default_rng(seed)
    return rng.random((len(truth), n)) < 2 * np.asarray(truth)[:, None] * rng.random(n)


def test_two_systems_are_told_apart_as_by_the_t_test():
    for seed in range(40):
        wrong = league(seed, [0.2, 0.3]).astype(float)
        p = ttest_rel(wrong[0], wrong[1]).pvalue
        found = rank_sets(wrong, n_replicates=4000)
        if abs(p - 0.05) > 0.01:  # the draws decide there
            assert (found.first.tolist() != [1, 1]) == (p < 0.05)
        assert found.critical == pytest.approx(1.97, abs=0.12)


@given(seed=st.integers(0, 10**6), m=st.integers(2, 6))
def test_ranks_are_possible_and_do_not_depend_on_the_order(seed, m):
    wrong = league(seed, np.linspace(0.1, 0.4, m), n=60).astype(float)
    found = rank_sets(wrong)
    own = 1 + (found.means[:, None] > found.means).sum(axis=1)
    assert (found.first <= own).all()
    assert (own <= found.last).all()
    turned = rank_sets(wrong[::-1])
    assert turned.first[::-1].tolist() == found.first.tolist()
    assert turned.last[::-1].tolist() == found.last.tolist()


def test_all_sets_hold_together():
    truth = np.array([0.2, 0.2, 0.2, 0.3, 0.3, 0.3])
    held = 0
    for seed in range(300):
        found = rank_sets(league(seed, truth), n_replicates=300)
        held += (found.first <= [1, 1, 1, 4, 4, 4]).all() & (found.last >= [3, 3, 3, 6, 6, 6]).all()
    assert held / 300 >= 0.92


def test_cases_of_one_group_count_together():
    wrong = np.repeat(league(0, [0.2, 0.3], n=40), 25, axis=1)
    alone, together = rank_sets(wrong), rank_sets(wrong, groups=np.arange(1000) // 25)
    assert alone.first.tolist() == [1, 2]
    few = rank_sets(league(0, [0.2, 0.3], n=40))
    assert together.first.tolist() == few.first.tolist()


def test_systems_that_are_the_same_share_their_ranks():
    wrong = league(1, [0.2, 0.2, 0.4])
    wrong[1] = wrong[0]
    found = rank_sets(wrong, names=["a", "b", "c"])
    assert found.first.tolist() == [1, 1, 3]
    assert found.winners == ("a", "b")
    assert str(found).startswith("Rank 1 may be that of any of 2: a and b (95 %")
    assert len(found.to_frame()) == 3
    found.plot()
    assert rank_sets(np.stack([wrong[0]] * 2)).last.tolist() == [2, 2]
    with pytest.raises(InvalidInput, match="systems, cases"):
        rank_sets(wrong[0])
