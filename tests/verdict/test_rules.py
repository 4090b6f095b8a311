"""The two rules on errors whose answer is plain."""

import numpy as np
import pytest

from polychotomy import multitest
from polychotomy.exceptions import InvalidInput
from polychotomy.verdict.rules import MARGIN, order_by_rule, plan_of

NAMES = ["simple", "middle", "complex"]


def errors(*means, runs=1, folds=5, seed=0):
    noise = 0.002 * np.random.default_rng(seed).standard_normal((len(means), runs, 5, folds))
    return np.array(means)[:, None, None, None] + noise


@pytest.mark.parametrize(
    ("means", "best"),
    [
        ((0.100, 0.095, 0.093), "simple"),  # all within a point
        ((0.120, 0.105, 0.100), "middle"),
        ((0.300, 0.200, 0.100), "complex"),
        ((0.100, 0.300, 0.300), "simple"),
    ],
)
def test_margin_takes_the_most_preferred_within_a_point(means, best):
    _, ordering = order_by_rule("margin", errors(*means), NAMES)
    assert ordering.ordered_names[0] == best
    found = ordering.mean_errors
    within = [i for i in range(3) if (found[i] - found[i + 1 :] < MARGIN).all()]
    assert NAMES[within[0]] == best


def test_paper_is_multitest_in_every_run():
    table = errors(0.11, 0.1, 0.1, runs=9, folds=2)
    frequencies, ordering = order_by_rule("paper", table, NAMES)
    by_hand = [multitest(table[:, run], names=NAMES).ordered_names for run in range(9)]
    assert {f.order: f.runs for f in frequencies} == {o: by_hand.count(o) for o in set(by_hand)}
    assert ordering.ordered_names == max(set(by_hand), key=by_hand.count)


def test_plans():
    assert plan_of("paper", 3).to_dict()["folds"] == 2
    assert plan_of("margin", 3).to_dict()["folds"] == 5
    with pytest.raises(InvalidInput, match="rule is 'x'"):
        plan_of("x", 1)
