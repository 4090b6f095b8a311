"""A verdict in words: what to do first, then why, then what stays open."""

from __future__ import annotations

from polychotomy.telling import choice, first, improving, tried, trust, uncertainty
from polychotomy.verdict import Sentence, Verdict

_FIRST_SCREEN = (
    choice.say_headline, uncertainty.say_gate, choice.say_error, first.say_caveat,
    trust.say_confusion, first.say_next,
)  # fmt: skip

_FURTHER = (
    choice.say_warnings, trust.say_contradictions, uncertainty.say_recalibrated, choice.say_choice,
    choice.say_seen, tried.say_race, tried.say_not_tried, uncertainty.say_undecided,
    uncertainty.say_shown, uncertainty.say_open, uncertainty.say_equals,
    uncertainty.say_ranks, tried.say_price,
    trust.say_trust, improving.say_bagging, improving.say_more_data, improving.say_combining,
    choice.say_columns, trust.say_by, trust.say_sets, trust.say_decisions, tried.say_failures,
    uncertainty.say_frequency, uncertainty.say_other_rule, tried.say_left_out, tried.say_spent,
)  # fmt: skip


def say_verdict(verdict: Verdict) -> tuple[Sentence, ...]:
    """Return the sentences of a verdict, those of the first screen first."""
    return (*say_top(verdict), *(one for say in _FURTHER for one in say(verdict)))


def say_top(verdict: Verdict) -> tuple[Sentence, ...]:
    """Return what a reader with ten seconds needs: five or six sentences, some 60 words."""
    return tuple(one for say in _FIRST_SCREEN for one in say(verdict))
