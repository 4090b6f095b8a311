"""How sure is the choice? Rivals not told apart, equals, the gate, runs and rules that differ."""

from __future__ import annotations

import numpy as np

from polychotomy.comparison import MarginOrdering, PairAnswers
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
    short,
    span,
)
from polychotomy.telling.choice import LONGEST_NAME, call, degrees_of
from polychotomy.telling.trust import assume_independence
from polychotomy.verdict import Sentence, Undecided, Verdict
from polychotomy.verdict.choosing import same_losses


def say_recalibrated(verdict: Verdict) -> list[Sentence]:
    """Say who would be chosen were the probabilities recalibrated, if somebody else."""
    found, criterion = verdict.recalibrated, verdict.criterion
    if found is None:
        return []
    claim = f"recalibrated, {found.name} would be chosen"
    other, why = f"{verdict.best}, recalibrated where that gains,", ""
    if verdict.guesses:
        claim = f"recalibrated, {found.name} {'would' if found.low > 0 else 'may'} beat guessing"
        other = "guessing"
    elif found.after > found.best_after:  # by the rule, as the simpler one
        near = "not shown to be worse"
        if verdict.rule == "margin":
            near = f"within the margin of {gap(verdict.margin, criterion)}"
        why = f", being {degrees_of(verdict).more} and {near}"
    before, after, best = (
        amount(one, criterion) for one in (found.before, found.after, found.best_after)
    )
    text = (
        f"But {claim}{why}: {found.method} recalibration takes its {criterion.words} from {before} "
        f"to {after}, where {other} has {best} ({100 * found.level:.0f} % interval of the "
        f"difference {span(found.low, found.high, criterion)})."
    )
    basis = (
        "Each candidate recalibrated where that is shown to gain, by a map fitted to the other "
        "folds, then the same rule. The difference is "
        f"{gap(found.best_after - found.after, criterion)}, its interval that of the corrected "
        "resampled t test. To have it judged, wrap the candidate in CalibratedClassifierCV."
    )
    return [Sentence(text=text, basis=basis, section="trust", emphasis=claim)]


# What the corrected resampled t test assumes.
NORMAL_FOLDS = (
    "Assumed: the folds' differences are normal, and correlated as the correction takes them to be."
)


_MODELS = (
    "Assumed: rows, or groups of them, are independent. It is of these models as they are, not of "
    "another fit of the same learner."
)

_LUCK = (
    "Assumed: rows, groups of them or, in order of time, twenty stretches of it are independent, "
    "and the training sets add as much luck as on tables whose truth is known: there nineteen of "
    "twenty such intervals of errors held, of two nearest neighbours nine of ten."
)


def how_compared(pairs: PairAnswers) -> tuple[str, str]:
    """Name the test behind the intervals of pairs, as part of a sentence, and what it assumes."""
    over_folds = "the corrected resampled t test (Nadeau and Bengio 2003)"
    return {
        MID_P: ("McNemar's test in its mid-p form (the interval: Agresti and Min 2005)", _MODELS),
        GIVEN_TEST: ("the t test over rows", _MODELS),
        CASE_TEST: ("the t test over rows, widened for the luck of the training sets", _LUCK),
    }.get(pairs.method, (over_folds, NORMAL_FOLDS))


def say_undecided(verdict: Verdict) -> list[Sentence]:
    """Say where the data cannot tell, and how much more would."""
    found, pairs = verdict.undecided, verdict.differences
    if found is None:
        return []
    i, j = pairs.names.index(verdict.best), pairs.names.index(found.rival)
    claim, seen = _what_is_open(verdict, found, i, j)
    told = "Ten times these rows may not tell"
    if within_reach(verdict, found.more_rows):
        told = f"About {rough(found.more_rows or 0)} more rows may tell"
    text = f"{claim}{seen} {told}."
    test, assumed = how_compared(pairs)
    basis = (
        f"{100 * pairs.level:.0f} % interval of {test}, {pvalue(pairs.pvalues[i, j])} for no "
        f"difference. {_plan(verdict, found)} {assumed}"
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def _what_is_open(verdict: Verdict, found: Undecided, i: int, j: int) -> tuple[str, str]:
    """Return what cannot be told, and the difference seen with what it may be."""
    criterion, pairs, rival = verdict.criterion, verdict.differences, found.rival
    estimate = float(pairs.estimate[i, j])
    reach = float(pairs.high[i, j] - pairs.low[i, j]) / 2
    seen = plus_minus(abs(estimate), reach, criterion)
    side = "better" if estimate > 0 else "worse"
    margin = f"the margin of {gap(pairs.margin, criterion)}"
    is_any = found.asks == "any difference"
    if pairs.answers[i][j] == "worse":
        claim = f"{call(verdict, verdict.best)} is shown to be worse than {rival}"
        end = f"; whether by more than {margin}, the data cannot tell."
        if is_any:
            end = " in the test of this pair; MultiTest's, all pairs together, do not show it."
        return claim, f", by {seen}{end}"
    if verdict.guesses:
        by = "" if is_any else f" by more than {margin}"
        return f"The data cannot tell whether {rival} beats guessing", f"{by}: it is {seen} {side}."
    guesses = rival in verdict.baselines
    name = "guessing" if guesses else rival
    may = ""
    if not (guesses or is_any):
        by = "within" if found.asks == "more than margin" else f"{side} by more than"
        may = f", and may be {by} {margin}"
    claim = f"The data cannot tell {verdict.best} from {name}"
    return claim, f": {name} is {seen} {side}{may}."


_MOST_TIMES = 10  # the rows that there are: nobody gets more of the same kind


def within_reach(verdict: Verdict, more_rows: float | None) -> bool:
    """Whether somebody with such a table could get so many more rows of the kind."""
    return more_rows is not None and more_rows <= _MOST_TIMES * verdict.dataset["rows"]


def _plan(verdict: Verdict, found: Undecided) -> str:
    plan, is_any = found.plan, found.asks == "any difference"
    asked = "that there is a difference" if is_any else f"that the difference is {found.asks}"
    resamples, rows = "would not decide it, however many", "no number of rows would do"
    if not np.isinf(plan.resamples):
        resamples = f"would decide it from about {rough(plan.resamples)} folds on"
    if np.isfinite(plan.data_factor):
        rows = f"{float(f'{plan.data_factor:.2g}'):,g} times the data"
    return (
        f"Rows: to show {asked.replace(' margin', ' the margin')}, one-sided at level "
        f"{plan.alpha:.3g} with power {plan.power:g}, if the difference seen is the true one "
        f"({rows}); the largest of several is likely smaller in truth, and about four of ten such "
        f"plans told. More repetitions of the same rows {resamples}. Ruled out, by the interval's "
        f"upper end: a difference of {at_least(found.margin_needed, verdict.criterion)} or more."
    )


def say_equals(verdict: Verdict) -> list[Sentence]:
    """Say which other candidates are as good for practical purposes."""
    pairs = verdict.differences
    shown, alike = equals(verdict)
    margin, said = gap(pairs.margin, verdict.criterion), []
    if shown and not verdict.guesses:
        verb = "is" if len(shown) == 1 else "are"
        text = f"Practically equal to it, shown to be within {margin}, {verb} {join(few(shown))}."
        basis = _by_intervals(verdict, f"within the margin of {margin} on both sides")
        said.append(Sentence(text=text, basis=basis, section="real"))
    if alike:
        rows = verdict.judged_rows
        text = (
            f"{join(few(alike))} did exactly as well in every fold, but {rows} rows cannot show "
            f"that they differ on less than {percent(min(RULE_OF_THREE / rows, 1.0))} of all."
        )
        basis = (
            "Errors that are the same in every fold say nothing of their spread. Rule of three: "
            f"what was never seen in {rows} independent rows may be up to 3 in {rows} (95 %). "
            f"{assume_independence(verdict)}"
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
    open_ = [j for j, (_, answer) in enumerate(answers) if answer == "undecided"]
    return shown, [pairs.names[j] for j in open_ if same_losses(pairs, i, j)]


def say_shown(verdict: Verdict) -> list[Sentence]:
    """Say whom the best candidate is shown to be better than, and by how much than the nearest."""
    pairs = verdict.differences
    best = pairs.names.index(verdict.best)
    worse = [j for j, answer in enumerate(pairs.answers[best]) if answer == "better"]
    if not worse:
        return []
    nearest = min(worse, key=lambda j: float(pairs.estimate[j, best]))
    value, numbers = _lead(verdict, nearest, best)
    named = {j: call(verdict, pairs.names[j]) for j in worse}
    claim = f"shown to be better than {join(few([*named.values()]))}"
    of_them = f"; than {named[nearest]}, the nearest of them," if len(worse) > 1 else ","
    who = "Guessing" if verdict.guesses else verdict.best
    text = f"{who} is {claim}{of_them} by {value} ({numbers})."
    basis = _by_intervals(verdict, "on one side of zero")
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def _by_intervals(verdict: Verdict, where: str) -> str:
    pairs = verdict.differences
    test, assumed = how_compared(pairs)
    each = "each for itself: not corrected for their number."
    if verdict.ranks is not None:
        each = "each for itself. Better or worse is said at one level for all pairs, as of ranks."
    return f"{100 * pairs.level:.0f} % intervals of {test} {where}, {each} {assumed}"


def say_open(verdict: Verdict) -> list[Sentence]:
    """Say which others the data do not tell from the best, of those named nowhere else."""
    pairs, rivals = verdict.differences, open_rivals(verdict)
    if not rivals:
        return []
    best, first = pairs.names.index(verdict.best), rivals[0]
    seen = float(pairs.estimate[first, best])
    value, numbers = _lead(verdict, *((best, first) if seen < 0 else (first, best)))
    named = [call(verdict, pairs.names[j]) for j in rivals]
    whom, several = join(few(named)), len(rivals) > 1
    claim = f"Against {whom} the data cannot decide"
    if verdict.guesses:
        claim = f"Whether {'any of ' * several}{whom} beats guessing, the data cannot decide"
    who = f"; {named[0]}, the nearest of them," if several else ": it"
    told = f"{value} {'better' if seen < 0 else 'worse'}" if abs(seen) > 1e-9 else "equal"
    text = f"{claim}{who} is {told} here ({numbers})."
    margin = gap(pairs.margin, verdict.criterion)
    inside = "with zero inside" if verdict.ranks is None else "not clear of zero for all pairs"
    basis = _by_intervals(verdict, f"{inside} and not all within {margin} of it")
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def open_rivals(verdict: Verdict) -> list[int]:
    """Return who is undecided against the best and named by no other sentence, nearest first.

    The rival that matters most has a sentence of its own, and so have those that did the same in
    every fold; whom the paper's rule passed over for the best is shown to be worse by its test.
    """
    pairs, ordering, found = verdict.differences, verdict.ordering, verdict.undecided
    best, by_test = pairs.names.index(verdict.best), verdict.rule == "paper"
    rivals = [
        j
        for j, (name, answer) in enumerate(zip(pairs.names, pairs.answers[best], strict=True))
        if answer == "undecided"
        and not same_losses(pairs, best, j)
        and not (found is not None and found.rival == name)
        and not (by_test and j < best and ordering.edges[j, best])
        and not (verdict.guesses and name in verdict.baselines)
    ]
    return sorted(rivals, key=lambda j: float(pairs.estimate[j, best]))


def _lead(verdict: Verdict, behind: int, ahead: int) -> tuple[str, str]:
    """Write by how much one is worse than another, and the interval with its p-value."""
    pairs, criterion = verdict.differences, verdict.criterion
    three = (pairs.estimate, pairs.low, pairs.high)
    estimate, low, high = (float(one[behind, ahead]) for one in three)
    value, *ends = measured(estimate, low, high, criterion, clear_of=(0.0,))
    found = pvalue(pairs.pvalues[ahead, behind])
    numbers = f"{100 * pairs.level:.0f} % interval {' to '.join(ends)}, {found}"
    if low * high > 0 and pairs.answers[behind][ahead] == "undecided":
        numbers += " by itself, not with all pairs counted"
    return f"{value}{' points' if criterion.is_rate else ''}", numbers


def say_ranks(verdict: Verdict) -> list[Sentence]:
    """Say who may have rank 1, of several models on one test set."""
    if verdict.ranks is None:
        return []
    basis = (
        "All pairs tested at one level for all: that of the largest |t| in 1000 draws of the "
        f"multiplier bootstrap, {f'{verdict.ranks.critical:.2f}'.replace('inf', '∞')}. Every "
        "model's ranks are in to_dict() and in the JSON."
    )
    return [Sentence(text=str(verdict.ranks), basis=basis, section="real")]


def say_gate(verdict: Verdict) -> list[Sentence]:
    """Say whether the best candidate may replace the one it is held against."""
    gate, criterion = verdict.gate, verdict.criterion
    if gate is None:
        return []
    claim = "The gate is passed" if gate.passed else "The gate is not passed"
    shown = "not shown" if gate.passed else "shown"
    side = "more" if criterion.sign * gate.difference >= 0 else "less"
    low, high = sorted((criterion.sign * gate.low, criterion.sign * gate.high))
    test, assumed = how_compared(verdict.differences)
    by = gap(abs(gate.difference), criterion)
    against = short(call(verdict, gate.against), LONGEST_NAME)
    challenger = "it" if gate.challenger == verdict.best else short(gate.challenger, LONGEST_NAME)
    text = f"{claim}: {challenger} is {shown} to be worse than {against}"
    text += "." if gate.passed else f" ({by})."
    basis = (
        f"It has {by} {side} {criterion.words} "
        f"({pvalue(gate.pvalue)}). H0 “{gate.challenger} is no worse than {gate.against}”, "
        f"one-sided, level 0.05, over {verdict.folds_words}, by {test}; difference "
        f"{span(low, high, criterion)} (95 %, two-sided: the gate asks in one direction, and so is "
        f"stricter). Not shown to be worse is not shown to be as good. {assumed}"
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def say_frequency(verdict: Verdict) -> list[Sentence]:
    """Say in how many runs the paper's rule gave this order."""
    runs = int(verdict.plan.get("runs", 1))
    if runs == 1 or isinstance(verdict.ordering, MarginOrdering):
        return []
    top, different = verdict.frequencies[0].runs, len(verdict.frequencies)
    often = f"all {runs} runs"
    if different > 1:
        often = f"{top} of {runs} runs ({different} different orders in all)"
    text = f"This order was found in {often}."
    basis = (
        "One MultiTest for each run, with new folds of the same rows (Yildiz and Alpaydin 2006, "
        "Table 2); of equally frequent orders the first. Runs share their rows, so that many "
        "agreeing ones are no proof."
    )
    return [Sentence(text=text, basis=basis, section="which")]


def say_other_rule(verdict: Verdict) -> list[Sentence]:
    """Say what the rule that was not asked for would have chosen, and why it can differ."""
    other = verdict.other_rule
    if other is None:
        return []
    chosen = "the same" if other.best == verdict.best else call(verdict, other.best)
    pairs, though = verdict.differences, ""
    own = pairs.answers[pairs.names.index(verdict.best)][pairs.names.index(other.best)]
    if verdict.rule == "margin" and own == "better":
        though = ", whom its tests, all pairs together at 5 %, do not show to be worse as ours do"
    text = f"{other.name} would have chosen {chosen} on these folds{though}."
    return [Sentence(text=text, basis=other.why, section="computed")]
