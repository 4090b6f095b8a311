"""A verdict in words: what to do first, then why, then what stays open."""

from __future__ import annotations

from collections.abc import Callable

from polychotomy.telling import choice, first, improving, tried, trust, uncertainty
from polychotomy.verdict import Sentence, Verdict

_FIRST_SCREEN = (
    choice.say_headline, uncertainty.say_gate, choice.say_error, first.say_caveat,
    trust.say_confusion, first.say_next,
)  # fmt: skip

_FURTHER = (
    first.say_warnings, first.say_contradictions, uncertainty.say_recalibrated, choice.say_choice,
    choice.say_seen, tried.say_race, tried.say_not_tried, uncertainty.say_undecided,
    uncertainty.say_shown, uncertainty.say_open, uncertainty.say_equals,
    uncertainty.say_ranks, tried.say_price,
    trust.say_trust, improving.say_bagging, improving.say_more_data, improving.say_combining,
    choice.say_columns, trust.say_by, trust.say_sets, trust.say_decisions, tried.say_failures,
    uncertainty.say_frequency, uncertainty.say_other_rule, tried.say_left_out, tried.say_spent,
)  # fmt: skip


def say_verdict(verdict: Verdict) -> tuple[Sentence, ...]:
    """Return the sentences of a verdict, those of the first screen first."""
    return (*say_top(verdict), *(one for say in _FURTHER for one in spared(say, verdict)))


def say_top(verdict: Verdict) -> tuple[Sentence, ...]:
    """Return what a reader with ten seconds needs: five or six sentences, some 60 words."""
    return tuple(one for say in _FIRST_SCREEN for one in spared(say, verdict))


def spared(say: Callable[[Verdict], list[Sentence]], verdict: Verdict) -> list[Sentence]:
    """Say one thing; one that cannot be said is named in its place, and costs no other.

    But for the choice and its error: without them there is no answer.
    """
    try:
        return say(verdict)
    except Exception as error:
        if say in (choice.say_headline, choice.say_error):
            raise
        what = say.__name__.removeprefix("say_").replace("_", " ")
        text = f"What there is to say of '{what}' could not be put in words."
        return [Sentence(text=text, basis=f"{type(error).__name__}: {error}", section="computed")]
