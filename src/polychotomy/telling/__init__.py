"""A verdict in words: what to do first, then why, then what stays open."""

from __future__ import annotations

from polychotomy.telling import choice, improving, rest, trust, uncertainty
from polychotomy.verdict import Sentence, Verdict

_FIRST_SCREEN = (
    choice.say_headline, choice.say_warnings, trust.say_contradictions,
    uncertainty.say_recalibrated, rest.say_gate, choice.say_error, choice.say_choice,
    uncertainty.say_undecided, trust.say_trust, improving.say_bagging, improving.say_combining,
    improving.say_more_data, rest.say_failures, rest.say_race, rest.say_not_tried,
)  # fmt: skip

_FURTHER = (
    uncertainty.say_shown, uncertainty.say_open, uncertainty.say_equals, rest.say_price,
    trust.say_confusion, trust.say_decisions, rest.say_frequency, rest.say_other_rule,
    rest.say_left_out, rest.say_spent,
)  # fmt: skip


def say_verdict(verdict: Verdict) -> tuple[Sentence, ...]:
    """Return the sentences of a verdict, the conclusion first."""
    return tuple(one for say in (*_FIRST_SCREEN, *_FURTHER) for one in say(verdict))


def say_top(verdict: Verdict) -> tuple[Sentence, ...]:
    """Return the sentences for a reader with one minute."""
    return tuple(one for say in _FIRST_SCREEN for one in say(verdict))
