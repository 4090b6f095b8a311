"""By what candidates are preferred, in words: simplicity, unless time or memory was asked for."""

from __future__ import annotations

from typing import NamedTuple

from polychotomy.report._verdict_like import VerdictLike


class Degrees(NamedTuple):
    """What the most preferred candidate is called, a more preferred one, and a less preferred."""

    most: str = "simplest"
    more: str = "simpler"
    less: str = "more complex"


_DEGREES = {
    "time": Degrees("fastest", "faster", "slower"),
    "memory": Degrees("smallest", "smaller", "larger"),
}


def degrees_of(verdict: VerdictLike) -> Degrees:
    """Say by what the candidates of a verdict are ordered."""
    asked = verdict.provenance.get("question", {})
    return _DEGREES.get(asked.get("prefer", ""), Degrees())
