"""Sets of ranks: by hand, against tests of single pairs, and that they hold together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from polychotomy.comparison import league_ranks, league_strengths, rank_sets
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
        assert found.critical == pytest.approx(2.0, abs=0.12)


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
    assert str(found).startswith("Rank 1 may be that of a and b (95 %")
    assert len(found.to_frame()) == 3
    found.plot()
    assert rank_sets(np.stack([wrong[0]] * 2)).last.tolist() == [2, 2]
    with pytest.raises(InvalidInput, match="systems, cases"):
        rank_sets(wrong[0])


def test_ranks_over_few_tables_hold_together():
    """A t over five tables would tell apart in a fifth of all leagues of equals."""
    rng = np.random.default_rng(0)
    for m, n in ((5, 5), (10, 10)):
        found = [league_ranks(rng.normal(size=(m, n)), random_state=i) for i in range(200)]
        held = np.mean([(one.first == 1).all() & (one.last == m).all() for one in found])
        assert held >= 0.92
    graded = league_ranks(rng.normal(np.arange(5)[:, None], 0.4, size=(5, 30)))
    assert graded.first.tolist() == graded.last.tolist() == [1, 2, 3, 4, 5]


def test_strengths_are_those_of_bradley_and_terry():
    """The likelihood of the wins, one tie added to each pair, has its maximum there."""
    rng = np.random.default_rng(1)
    found = league_strengths(rng.normal([[0.0], [0.3], [0.6], [1.5]], 1.0, size=(4, 40)))
    wins = found.wins + 0.5 * (1 - np.eye(4))
    odds = np.exp(found.strengths[:, None] - found.strengths)
    expected = (41 * odds / (1 + odds) * (1 - np.eye(4))).sum(axis=1)
    np.testing.assert_allclose((wins * (1 - np.eye(4))).sum(axis=1), expected, rtol=1e-4)
    assert found.strengths.sum() == pytest.approx(0, abs=1e-9)
    assert ((found.low <= found.strengths) & (found.strengths <= found.high)).all()
    assert found.elo == pytest.approx(found.strengths * 173.7178, rel=1e-5)
    assert len(found.to_frame()) == 4
    found.plot()
    always = league_strengths(np.arange(12.0).reshape(3, 4))
    assert np.isfinite(always.strengths).all()
