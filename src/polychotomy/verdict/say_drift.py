"""What rows in order of time say of those to come: an error that grows is not expected to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polychotomy.verdict.wording import percent, pvalue

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict


def say_drift(verdict: Verdict) -> str:
    """Say that the best one's error grows through time; nothing where it is not shown to."""
    found = verdict.drift
    if found is None:
        return ""
    return (
        f" Its error grows through time: {percent(found.first)} in the first fold, "
        f"{percent(found.last)} in the last ({pvalue(found.pvalue)}); expect the last rather than "
        "the mean."
    )


def explain_drift(verdict: Verdict) -> str:
    """Say what is assumed of new rows, and by what test a growth is shown."""
    assumed = "Assumed: new rows come from where these did"
    if "time" not in verdict.plan_words:
        return f"{assumed}."
    assumed += "; the interval holds for rows like these, and not for a drift through time."
    if verdict.drift is None:
        return assumed
    return (
        f"{assumed} The growth: test of Cochran and Armitage for a trend over folds in order of "
        "time, two-sided, which takes rows to be independent."
    )
