"""What stays open about the choice: rivals not told apart, equals, and what recalibration does."""

from __future__ import annotations

import numpy as np

from polychotomy.comparison import PairAnswers
from polychotomy.comparison.mcnemar import MID_P
from polychotomy.comparison.paired_t import CASE_TEST, GIVEN_TEST
from polychotomy.core.numbers import (
    RULE_OF_THREE,
    amount,
    at_least,
    few,
    gap,
    join,
    measured,
    percent,
    plus_minus,
    pvalue,
    rough,
    span,
)
from polychotomy.telling.choice import call, degrees_of
from polychotomy.telling.trust import assume_independence
from polychotomy.verdict import Sentence, Undecided, Verdict
from polychotomy.verdict.choosing import same_losses


def say_recalibrated(verdict: Verdict) -> list[Sentence]:
    """Say who would be chosen were the probabilities recalibrated, if somebody else."""
    found = verdict.recalibrated
    if found is None:
        return []
    criterion = verdict.criterion
    gain = found.best_after - found.after
    claim = f"recalibrated, {found.name} would be chosen"
    if verdict.guesses:
        does = "would" if found.low > 0 else "may"
        claim = f"recalibrated, {found.name} {does} beat guessing"
    other = "guessing" if verdict.guesses else f"{verdict.best}, recalibrated where that gains,"
    text = (
        f"But {claim}{_though_no_better(verdict)}: {found.method} recalibration takes its "
        f"{criterion.words} from {amount(found.before, criterion)} to "
        f"{amount(found.after, criterion)}, where {other} has "
        f"{amount(found.best_after, criterion)} ({100 * found.level:.0f} % interval of the "
        f"difference {span(found.low, found.high, criterion)})."
    )
    basis = (
        "Each candidate's out-of-fold probabilities recalibrated where that is shown to gain, by "
        "a map fitted to the other folds, then the same rule. The difference is "
        f"{gap(gain, criterion)}, its interval that of the corrected resampled t test. To have it "
        "judged and written as a model, wrap the candidate in scikit-learn's "
        "CalibratedClassifierCV. "
        "Assumed: the fits behind the other folds, which saw this fold, are as sure of themselves."
    )
    return [Sentence(text=text, basis=basis, section="trust", emphasis=claim)]


def _though_no_better(verdict: Verdict) -> str:
    """Say why one would be chosen that does not do better: by the rule, as the simpler one."""
    found = verdict.recalibrated
    if found is None or verdict.guesses or found.after <= found.best_after:
        return ""
    near = "not shown to be worse"
    if verdict.rule == "margin":
        near = f"within the margin of {gap(verdict.margin, verdict.criterion)}"
    return f", being {degrees_of(verdict).more} and {near}"


def how_compared(pairs: PairAnswers) -> str:
    """Name the test behind the intervals of pairs, as part of a sentence."""
    if pairs.method == MID_P:
        return "McNemar's test in its mid-p form (the interval: Agresti and Min 2005)"
    if pairs.method == GIVEN_TEST:
        return "the t test over rows"
    if by_rows(pairs):
        return "the t test over rows, its standard error widened for the luck of the training sets"
    return "the corrected resampled t test (Nadeau and Bengio 2003)"


def assumed_of(pairs: PairAnswers) -> str:
    """Say what that test assumes."""
    if pairs.method in (MID_P, GIVEN_TEST):
        return (
            "Assumed: rows, or groups of them, are independent. It is of these models as they are: "
            "how much another fit of the same learner would differ, one test set cannot tell."
        )
    if by_rows(pairs):
        return (
            "Assumed: rows, or groups of them, are independent, and the training sets add as much "
            "luck as on tables whose truth is known: there nineteen of twenty such intervals held."
        )
    return (
        "Assumed: the folds' differences are normal, and correlated as the correction takes them "
        "to be."
    )


def by_rows(pairs: PairAnswers) -> bool:
    """Whether the intervals come from rows, and not from folds."""
    return pairs.method in (CASE_TEST, GIVEN_TEST, MID_P)


def say_undecided(verdict: Verdict) -> list[Sentence]:
    """Say where the data cannot tell, and how much more would."""
    found = verdict.undecided
    if found is None:
        return []
    pairs = verdict.differences
    i, j = pairs.names.index(verdict.best), pairs.names.index(found.rival)
    claim, seen = _what_is_open(verdict, found, i, j)
    simpler = f"the {degrees_of(verdict).of('more', 'one')}"
    keep = simpler if i < j else f"{verdict.best}, which does better here"
    until = "" if verdict.guesses else f"; until then, take {keep}"
    text = f"{claim}{seen} {_what_would(verdict, found)}{until}."
    basis = (
        f"{100 * pairs.level:.0f} % interval of {how_compared(pairs)}, "
        f"{pvalue(pairs.pvalues[i, j])} for no difference. {_plan(found)} {assumed_of(pairs)}"
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def _what_is_open(verdict: Verdict, found: Undecided, i: int, j: int) -> tuple[str, str]:
    """Return what cannot be told, and the difference seen with what it may be."""
    criterion, pairs = verdict.criterion, verdict.differences
    seen = float(pairs.estimate[i, j])
    size = plus_minus(abs(seen), float(pairs.high[i, j] - pairs.low[i, j]) / 2, criterion)
    margin = f"the margin of {gap(pairs.margin, criterion)}"
    side = "better" if seen > 0 else "worse"
    if pairs.answers[i][j] == "worse" and found.asks != "any difference":
        claim = f"{verdict.best} is shown to be worse than {found.rival}"
        return claim, f", by {size}; whether by more than {margin}, the data cannot tell."
    if verdict.guesses:
        claim = f"The data cannot tell whether {found.rival} beats guessing"
        by = "" if found.asks == "any difference" else f" by more than {margin}"
        return claim, f"{by}: it is {size} {side}."
    if found.rival in verdict.baselines:
        claim = f"The data cannot tell {verdict.best} from guessing"
        return claim, f": guessing is {size} {side}."
    claim = f"The data cannot tell {verdict.best} from {found.rival}"
    if found.asks == "any difference":
        return claim, f": {found.rival} is {size} {side}."
    by = "within" if found.asks == "more than margin" else f"{side} by more than"
    return claim, f": {found.rival} is {size} {side}, and may be {by} {margin}."


_MOST_TIMES = 10  # the rows that there are: nobody gets more of the same kind


def within_reach(verdict: Verdict, more_rows: float | None) -> bool:
    """Whether somebody with such a table could get so many more rows of the kind."""
    return more_rows is not None and more_rows <= _MOST_TIMES * verdict.dataset["rows"]


def _what_would(verdict: Verdict, found: Undecided) -> str:
    """Say how many more rows, and which margin, would settle it."""
    needed = at_least(found.margin_needed, verdict.criterion)
    so_far = f"(so far a difference of {needed} or more is ruled out)"
    any_ = found.asks == "any difference"
    if not within_reach(verdict, found.more_rows):
        told = "No table of this kind will tell"
        return f"{told} {so_far}" if any_ else f"{told}; a margin of {needed} would decide it"
    rows = f"About {rough(found.more_rows or 0)} more rows"
    if any_:
        return f"{rows} may tell {so_far}"
    return f"{rows} may tell; a margin of {needed} would decide it"


def _plan(found: Undecided) -> str:
    plan = found.plan
    asked = {
        "less than margin": "that the difference is less than the margin",
        "more than margin": "that the difference is more than the margin",
        "any difference": "that there is a difference",
    }[found.asks]
    end = "What is ruled out" if found.asks == "any difference" else "The margin to accept"
    end += " is the upper end of the interval, rounded up."
    resamples = "would not decide it, however many"
    if not np.isinf(plan.resamples):
        resamples = f"would decide it from about {rough(plan.resamples)} folds on"
    return (
        f"Rows: to show {asked}, one-sided at level {plan.alpha:.3g} with power {plan.power:g}, if "
        f"the difference seen is the true one ({times_the_data(plan.data_factor)}); one picked as "
        "the largest is likely smaller in truth: where the truth is known, as many rows told in "
        "about four of ten. More repetitions of the same rows "
        f"{resamples}. {end}"
    )


def times_the_data(factor: float) -> str:
    """Write how many times the data would be needed.

    Examples
    --------
    >>> times_the_data(6.43), times_the_data(213.0), times_the_data(float("inf"))
    ('6.4 times the data', '210 times the data', 'no number of rows would do')
    """
    if not np.isfinite(factor):
        return "no number of rows would do"
    return f"{float(f'{factor:.2g}'):,g} times the data"


def say_equals(verdict: Verdict) -> list[Sentence]:
    """Say which other candidates are as good for practical purposes."""
    pairs, criterion = verdict.differences, verdict.criterion
    shown, alike = equals(verdict)
    margin = gap(pairs.margin, criterion)
    said = []
    if shown and not verdict.guesses:
        verb = "is" if len(shown) == 1 else "are"
        text = f"Practically equal to it, shown to be within {margin}, {verb} {join(few(shown))}."
        basis = (
            f"{100 * pairs.level:.0f} % intervals of {how_compared(pairs)} within the margin of "
            f"{margin} on both sides, each for itself. {assumed_of(pairs)}"
        )
        said.append(Sentence(text=text, basis=basis, section="real"))
    if alike:
        rows = verdict.judged_rows
        text = (
            f"{join(few(alike))} did exactly as well in every fold, but {rows} rows cannot show "
            f"that the difference is less than {percent(RULE_OF_THREE / rows)} of rows."
        )
        basis = (
            "The errors are the same in every fold, so that their spread says nothing; by the rule "
            f"of three, what was never seen in {rows} independent rows may be up to 3 in {rows} "
            f"(95 %). {assume_independence(verdict)}"
        )
        said.append(Sentence(text=text, basis=basis, section="real"))
    return said


def equals(verdict: Verdict) -> tuple[list[str], list[str]]:
    """Return who is shown to be equivalent to the best, and who only never differed from it.

    Losses that are the same in every fold, as without any error, have an interval of no width;
    they show no more than the rule of three allows.
    """
    pairs = verdict.differences
    i = pairs.names.index(verdict.best)
    answers = list(zip(pairs.names, pairs.answers[i], strict=True))
    shown = [name for name, answer in answers if answer == "equivalent"]
    alike = [
        name
        for j, (name, answer) in enumerate(answers)
        if answer == "undecided" and same_losses(pairs, i, j)
    ]
    return shown, alike


def say_shown(verdict: Verdict) -> list[Sentence]:
    """Say whom the best candidate is shown to be better than, and by how much than the nearest."""
    pairs = verdict.differences
    best = pairs.names.index(verdict.best)
    worse = [j for j, answer in enumerate(pairs.answers[best]) if answer == "better"]
    if not worse:
        return []
    nearest = min(worse, key=lambda j: float(pairs.estimate[j, best]))
    value, numbers = _lead(verdict, nearest, best)
    whom = join(few([call(verdict, pairs.names[j]) for j in worse]))
    of_them = f" than {call(verdict, pairs.names[nearest])}, the nearest of them,"
    of_them *= len(worse) > 1
    claim = f"shown to be better than {whom}"
    text = f"{verdict.best} is {claim}{';' if of_them else ','}{of_them} by {value} ({numbers})."
    basis = (
        f"{100 * pairs.level:.0f} % intervals of {how_compared(pairs)} on one side of zero, each "
        f"for itself: not corrected for their number. {assumed_of(pairs)}"
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def say_open(verdict: Verdict) -> list[Sentence]:
    """Say which others the data do not tell from the best, of those named nowhere else."""
    pairs = verdict.differences
    best = pairs.names.index(verdict.best)
    rivals = open_rivals(verdict, best)
    if not rivals:
        return []
    first = min(rivals, key=lambda j: float(pairs.estimate[j, best]))
    ahead = bool(pairs.estimate[first, best] < 0)
    value, numbers = _lead(verdict, *((best, first) if ahead else (first, best)))
    named = {j: call(verdict, pairs.names[j]) for j in rivals}
    whom = join(few(list(named.values())))
    claim = f"Against {whom} the data cannot decide"
    if verdict.guesses:
        any_of = "any of " if len(rivals) > 1 else ""
        claim = f"Whether {any_of}{whom} beats guessing, the data cannot decide"
    who = ": it" if len(rivals) == 1 else f"; {named[first]}, the nearest of them,"
    text = f"{claim}{who} is {value} {'better' if ahead else 'worse'} here ({numbers})."
    basis = (
        f"{100 * pairs.level:.0f} % intervals of {how_compared(pairs)} with zero inside and not "
        f"all within {gap(pairs.margin, verdict.criterion)} of it, each for itself: not corrected "
        f"for their number. {assumed_of(pairs)}"
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def open_rivals(verdict: Verdict, best: int) -> list[int]:
    """Return who is undecided against the best and named by no other sentence.

    The rival that matters most has a sentence of its own, and so have those that did the same in
    every fold; whom the paper's rule passed over for the best is shown to be worse by its test.
    """
    pairs, ordering, found = verdict.differences, verdict.ordering, verdict.undecided
    by_test = verdict.rule == "paper"
    return [
        j
        for j, (name, answer) in enumerate(zip(pairs.names, pairs.answers[best], strict=True))
        if answer == "undecided"
        and not same_losses(pairs, best, j)
        and not (found is not None and found.rival == name)
        and not (by_test and j < best and ordering.edges[j, best])
        and not (verdict.guesses and name in verdict.baselines)
    ]


def _lead(verdict: Verdict, behind: int, ahead: int) -> tuple[str, str]:
    """Write by how much one is worse than another, and the interval with its p-value."""
    pairs, criterion = verdict.differences, verdict.criterion
    three = (pairs.estimate, pairs.low, pairs.high)
    estimate, low, high = (float(one[behind, ahead]) for one in three)
    value, *ends = measured(estimate, low, high, criterion, clear_of=(0.0,))
    found = pvalue(pairs.pvalues[ahead, behind])
    numbers = f"{100 * pairs.level:.0f} % interval {' to '.join(ends)}, {found}"
    return f"{value}{' points' if criterion.is_rate else ''}", numbers


def say_ranks(verdict: Verdict) -> list[Sentence]:
    """Say who may have rank 1, of several models on one test set."""
    if verdict.ranks is None:
        return []
    basis = (
        "All pairs tested at one level for all: that of the largest |t| in 1000 draws of the "
        f"multiplier bootstrap, {verdict.ranks.critical:.2f}. Every model's ranks are in to_dict() "
        "and in the JSON."
    )
    return [Sentence(text=str(verdict.ranks), basis=basis, section="real")]
