"""The two rules on errors whose answer is plain."""

import numpy as np
import pytest

from polychotomy import multitest
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Bootstrap
from polychotomy.verdict import Question, order_by_rule
from polychotomy.verdict.choosing import chooser
from polychotomy.verdict.question import plan_of

NAMES = ["simple", "middle", "complex"]
MARGIN, PAPER = Question(), Question(rule="paper")


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
    _, ordering = order_by_rule(MARGIN, errors(*means), NAMES)
    assert ordering.ordered_names[0] == best
    found = ordering.mean_errors
    within = [i for i in range(3) if (found[i] - found[i + 1 :] < 0.01).all()]
    assert NAMES[within[0]] == best


def test_a_margin_of_ones_own():
    table = errors(0.15, 0.12, 0.1)
    best = [order_by_rule(Question(margin=m), table, NAMES)[1].ordered_names[0]
            for m in (0.01, 0.03, 0.1)]  # fmt: skip
    assert best == ["complex", "middle", "simple"]


def test_paper_is_multitest_in_every_run():
    table = errors(0.11, 0.1, 0.1, runs=9, folds=2)
    frequencies, ordering = order_by_rule(PAPER, table, NAMES)
    by_hand = [multitest(table[:, run], names=NAMES).ordered_names for run in range(9)]
    assert {f.order: f.runs for f in frequencies} == {o: by_hand.count(o) for o in set(by_hand)}
    assert ordering.ordered_names == max(set(by_hand), key=by_hand.count)


@pytest.mark.parametrize("question", [MARGIN, PAPER])
def test_the_chooser_chooses_as_the_rule_does(question):
    tables = np.stack([errors(0.12, 0.11, 0.1, folds=2, seed=s)[:, 0] for s in range(20)])
    by_rule = [order_by_rule(question, one[:, None], NAMES)[1].best for one in tables]
    assert chooser(question)(tables).tolist() == by_rule


def test_plans():
    assert plan_of("paper", 3)[0].to_dict()["folds"] == 2
    assert plan_of("margin", 3)[0].to_dict()["folds"] == 5
    assert plan_of("margin", in_time=True)[0].name == "5 time folds"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("x", 1, False), "rule is 'x'; expected 'margin' or 'paper'"),
        (("paper", 1, True), "the rule 'paper', .* together with time"),
        (("margin", 3, True), "runs=3 .* together with time"),
    ],
)
def test_plans_that_do_not_exist(arguments, words):
    rule, runs, in_time = arguments
    with pytest.raises(InvalidInput, match=words):
        plan_of(rule, runs, in_time=in_time)


def test_a_bootstrap_is_no_plan_to_compare_by():
    with pytest.raises(InvalidInput, match="expected folds; anatomy=True asks a bootstrap"):
        plan_of("margin", plan=Bootstrap(replicates=3))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rule": "best"}, "rule is 'best'; expected 'margin' or 'paper'"),
        ({"prefer": "size"}, "prefer is 'size'; expected 'listed', 'time' or 'memory'"),
        ({"margin": 0.0}, "margin is 0.0; expected a positive difference"),
        ({"margin": float("nan")}, "margin is nan"),
    ],
)
def test_what_cannot_be_asked(arguments, words):
    with pytest.raises(InvalidInput, match=words):
        Question(**arguments)
