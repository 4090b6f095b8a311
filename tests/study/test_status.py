"""How far a study is, counted and said."""

from polychotomy.study import RepeatedFolds
from polychotomy.study.design.specification import unite_planned
from polychotomy.study.ledger.status import count_planned, say_status

PLAN = RepeatedFolds(repetitions=4)
SPECIFICATION = {"plans": {PLAN.name: PLAN.to_dict()}}
PLANNED = {PLAN.name: {"iris": {"MAX": 4, "1-NN": 4}}}
STOP = {"dataset": "iris", "plan": PLAN.name, "candidate": "1-NN", "repetitions": 3}


def row(candidate, trials, failed=0, dataset="iris", plan=PLAN.name, seconds=1.0):
    return {
        "dataset": dataset,
        "plan": plan,
        "candidate": candidate,
        "trials": trials,
        "failed": failed,
        "seconds": seconds,
    }


def test_plans_add_up_and_never_shrink():
    more = {PLAN.name: {"iris": {"MAX": 2}, "wine": {"MAX": 1}}, "bootstrap": {"iris": {"MAX": 9}}}
    assert unite_planned(PLANNED, more) == {
        PLAN.name: {"iris": {"MAX": 4, "1-NN": 4}, "wine": {"MAX": 1}},
        "bootstrap": {"iris": {"MAX": 9}},
    }
    assert unite_planned(more, PLANNED) == unite_planned(PLANNED, more)


def test_what_was_stopped_is_not_to_come():
    assert count_planned(SPECIFICATION, PLANNED, [STOP]) == {
        ("iris", PLAN.name, "MAX"): 8,
        ("iris", PLAN.name, "1-NN"): 6,
    }


def test_one_data_set_in_words():
    text = say_status(SPECIFICATION, PLANNED, [row("MAX", 5, failed=2)], [])
    assert text == "5 of 16 fits recorded\n  MAX: 5 of 8, 2 failed\n  1-NN: 0 of 8"


def test_several_data_sets_in_words():
    planned = {PLAN.name: {"iris": {"MAX": 4}, "wine": {"MAX": 4}}}
    text = say_status(SPECIFICATION, planned, [row("MAX", 8), row("MAX", 1, dataset="wine")], [])
    assert text.splitlines()[1:] == [
        f"  iris, {PLAN.name}:",
        "    MAX: 8 of 8",
        f"  wine, {PLAN.name}:",
        "    MAX: 1 of 8",
    ]
