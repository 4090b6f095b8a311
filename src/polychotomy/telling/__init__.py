"""A verdict in words: what to do first, then why, then what stays open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polychotomy.telling.choice import say_choice, say_error, say_headline
from polychotomy.telling.improving import say_bagging, say_combining, say_more_data
from polychotomy.telling.rest import (
    say_failures,
    say_frequency,
    say_gate,
    say_left_out,
    say_not_tried,
    say_other_rule,
    say_price,
    say_race,
)
from polychotomy.telling.trust import say_confusion, say_contradictions, say_trust
from polychotomy.telling.uncertainty import (
    say_equals,
    say_open,
    say_recalibrated,
    say_shown,
    say_undecided,
)
from polychotomy.verdict.findings import Sentence

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict


_FIRST_SCREEN = (
    say_headline,
    say_contradictions,
    say_recalibrated,
    say_gate,
    say_error,
    say_choice,
    say_undecided,
    say_trust,
    say_bagging,
    say_combining,
    say_more_data,
    say_failures,
    say_race,
    say_not_tried,
)

_FURTHER = (
    say_shown,
    say_open,
    say_equals,
    say_price,
    say_confusion,
    say_frequency,
    say_other_rule,
    say_left_out,
)


def say_verdict(verdict: Verdict) -> tuple[Sentence, ...]:
    """Return the sentences of a verdict, the conclusion first."""
    return tuple(one for say in (*_FIRST_SCREEN, *_FURTHER) for one in say(verdict))


def say_top(verdict: Verdict) -> tuple[Sentence, ...]:
    """Return the sentences for a reader with one minute."""
    return tuple(one for say in _FIRST_SCREEN for one in say(verdict))
