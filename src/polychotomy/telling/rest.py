"""What else a reader should know: the gate, the other rule, failures and what was not tried."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polychotomy.comparison import MarginOrdering
from polychotomy.core.numbers import (
    counted,
    few,
    gap,
    join,
    measured,
    percent,
    pvalue,
    short,
    span,
    times,
)
from polychotomy.study import Race
from polychotomy.study.racing import closest_call, pair_levels
from polychotomy.telling.choice import call
from polychotomy.telling.uncertainty import NORMAL_FOLDS, equals, how_compared
from polychotomy.verdict import Sentence, Verdict
from polychotomy.verdict.choosing import STEADY
from polychotomy.verdict.question import MOST_RUNS


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
    text = f"{claim}: {gate.challenger} is {shown} to be worse than {gate.against}."
    basis = (
        f"It has {gap(abs(gate.difference), criterion)} {side} {criterion.words} "
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
    rule = "The rule with a margin" if verdict.rule == "paper" else "MultiTest's rule"
    text = f"{rule} would have chosen {chosen} on these folds."
    return [Sentence(text=text, basis=other.why, section="computed")]


def say_spent(verdict: Verdict) -> list[Sentence]:
    """Say how many fits the choice rests on where they grew as needed, and what more would do."""
    plan = verdict.plan
    held_out = plan.get("kind") == "hold-out"
    grows = plan.get("kind") == "repeated folds" and plan.get("of", plan["repetitions"]) == 1
    if verdict.steady is None or not (grows or held_out):
        return []
    runs, count = int(plan["runs"]), len(verdict.candidates)
    change = "would hardly change" if verdict.steady >= STEADY else "might still change"
    if held_out:
        text = (
            f"{'One fifth' if runs == 1 else f'{runs} fifths'} of the rows decided: {runs * count} "
            f"fits on the others; testing on the rest of the rows {change} the choice."
        )
        again, most = "The other fifths are held out as well, one by one,", ""
    else:
        folds, drawn = int(plan["folds"]), "once" if runs == 1 else f"{runs} times"
        text = (
            f"The candidates were compared on {folds} folds, drawn {drawn}: {runs * folds * count} "
            f"fits; more drawings of the folds {change} the choice."
        )
        again, most = "Folds are drawn again", f", {MOST_RUNS} times at most"
    basis = (
        f"{again} while the mean over all would choose otherwise with a probability of more than "
        f"{1 - STEADY:.1f}{most}; --plan asks for more. That does not replace rows."
    )
    return [Sentence(text=text, basis=basis, section="computed")]


def say_failures(verdict: Verdict) -> list[Sentence]:
    """Say who was left out of the comparison because fits failed."""
    failed = [c for c in verdict.candidates if c.n_failed]
    if not failed:
        return []
    causes = {failure.candidate: failure.cause for failure in reversed(verdict.failures)}
    names = [
        f"{c.name} ({counted(c.n_failed, 'fit')}, {causes[c.name].splitlines()[0][:160]})"
        for c in failed
    ]
    text = f"Left out of the comparison because fits failed: {'; '.join(names)}."
    basis = "A candidate is compared only where every fold has its predictions."
    return [Sentence(text=text, basis=basis, section="failed")]


def say_not_tried(verdict: Verdict) -> list[Sentence]:
    """Say which built-in candidates take too long on such a table, and how to have them tried."""
    dear = [one for one in verdict.left_out if one.ask_for]
    if not dear:
        return []
    causes: dict[str, list[str]] = {}
    for one in dear:
        causes.setdefault(one.cause or one.reason, []).append(one.name)
    names = join([f"{join(who)} ({cause})" for cause, who in causes.items()])
    last = dear[-1]
    pair = [name for name in last.ask_for if name in (verdict.best, last.name)]
    text = (
        f"Not tried, for the time it takes on such a table: {names}. To have one compared, name "
        f"it: {name_candidates(pair)}."
    )
    reasons = "; ".join(f"{one.name}: {one.reason}" for one in dear)
    basis = f"Limits of the built-in list, so that no verdict takes hours unasked. {reasons}."
    return [Sentence(text=text, basis=basis, section="which", emphasis="Not tried")]


def name_candidates(names: Sequence[str]) -> str:
    """Write how the command line is asked for these candidates; nothing for none.

    Examples
    --------
    >>> name_candidates(["logistic", "boosted trees"])
    '--candidates "logistic,boosted trees"'
    """
    return f'--candidates "{",".join(names)}"' if names else ""


def say_left_out(verdict: Verdict) -> list[Sentence]:
    """Say who was not tried for it would tell nothing new, or only on some of the rows."""
    alike = [one for one in verdict.left_out if not one.ask_for and not one.rows]
    some = [one for one in verdict.left_out if one.rows]
    flat = (
        "On large tables candidates are fitted on few rows first. Who could not be the best, by "
        "three standard errors, even if every fourfold of the rows gained as much as the last, is "
        "not fitted on more; --plan 1x5 fits all. Assumed: learning curves flatten."
    )
    same = "Of two candidates that are the same, the built-in list keeps the first."
    said = []
    groups = ("Not tried", alike, same), ("Fitted on some of the rows only", some, flat)
    for claim, who, basis in groups:
        if who:
            names = join([f"{one.name} ({one.reason})" for one in who])
            said.append(Sentence(text=f"{claim}: {names}.", basis=basis, section="which"))
    return said


def say_race(verdict: Verdict) -> list[Sentence]:
    """Say who was not run to the end of a race, and why; or why everybody was."""
    stopped = [(c.name, c.stopped) for c in verdict.candidates if c.stopped is not None]
    if not stopped:
        raced = verdict.provenance.get("question", {}).get("race", False)
        whole = "of" not in verdict.plan  # else it was stopped, and the race is not over
        return [_say_nobody(verdict)] if raced and whole else []
    cases = [
        f"{name} after {why.after} of {why.of} repetitions, worse than {why.better} (error "
        f"{percent(why.error)} against {percent(why.better_error)}, {pvalue(why.pvalue)})"
        for name, why in stopped
    ]
    text = f"Stopped early and left out of the comparison: {join(cases)}."
    basis = f"{_rule(stopped[0][1].alpha)} Without a race all candidates are run to the end."
    return [Sentence(text=text, basis=basis, section="which")]


def _rule(alpha: float) -> str:
    return (
        "A race: after every repetition but the last, each candidate is held against every more "
        "preferred one by one-sided corrected resampled t tests, with levels by O'Brien and "
        "Fleming, shared among the pairs: one that is not worse than a more preferred one is "
        f"stopped with a probability of at most {alpha:g} on a data set. {NORMAL_FOLDS}"
    )


def _say_nobody(verdict: Verdict) -> Sentence:
    alpha = Race().alpha
    looks = int(verdict.plan["runs"]) * int(verdict.plan["repetitions"])
    folds, count = int(verdict.plan["folds"]), len(verdict.candidates)
    levels = pair_levels(alpha, looks=looks, folds=folds, candidates=count)
    claim = "The race stopped nobody"
    basis = (
        f"{_rule(alpha)} Never stopped are the most preferred candidate, here "
        f"{verdict.candidates[0].name}, and those that only less preferred ones beat: a race needs "
        "a good candidate early in the list."
    )
    if count == 1:
        why = "there is one candidate only"
    elif not levels:
        why = f"{looks} repetitions of {folds} folds are too few to look before the end"
    else:
        why = (
            f"before the last of {looks} repetitions none was shown to be worse than a more "
            f"preferred one at the level of a look{_closest(verdict, levels)}"
        )
    return Sentence(text=f"{claim}: {why}.", basis=basis, section="which", emphasis=claim)


def _closest(verdict: Verdict, levels: dict[int, float]) -> str:
    """Say who came closest to being stopped, where all repetitions are in the ordering."""
    errors, names = verdict.ordering.errors, verdict.ordering.names
    if errors.ndim != 3 or errors.shape[1] <= max(levels):
        return ""
    found = closest_call(errors, levels, test_train_ratio=1 / (errors.shape[2] - 1))
    if found is None or found[1].pvalue > Race().alpha:
        return ""
    after, call = found
    return (
        f"; {names[call.candidate]} came closest, worse than {names[call.better]} after {after} "
        f"with p = {call.pvalue:.2g} where {call.level:.2g} was needed"
    )


_MUCH_CHEAPER = 2.0

_BASIS = (
    "Mean wall-clock seconds of the same fits, one thread each; times vary with the machine and "
    "what else it does."
)


def say_price(verdict: Verdict) -> list[Sentence]:
    """Say what is as good and much cheaper, else what it costs beside its nearest rival."""
    price = verdict.price
    if verdict.guesses or not (price.fit_seconds > 0).all():  # predictions may have no clocks
        return []
    cheaper = _cheaper_equal(verdict)
    if cheaper is not None:
        claim, within = cheaper
        text = f"{claim}, fitting and predicting together{within}."
        return [Sentence(text=text, basis=_BASIS, section="price", emphasis=claim)]
    i = price.names.index(verdict.best)
    rivals = [int(j) for j in np.argsort(price.loss, kind="stable")[:3] if j != i]
    rivals = [j for j in rivals if price.names[j] not in verdict.baselines]
    if not rivals:
        return []
    j = rivals[0]
    fit, ask = (float(spent[j] / spent[i]) for spent in (price.fit_seconds, price.predict_seconds))
    does = f"{_compare(fit, 'fit')} and {_compare(ask, 'predict')}"
    text = f"Compared with {price.names[j]}, it {does}."
    return [Sentence(text=text, basis=_BASIS, section="price")]


def _cheaper_equal(verdict: Verdict) -> tuple[str, str] | None:
    """Say which is the cheapest candidate as good as the best, and within what, if much cheaper."""
    shown, alike = equals(verdict)
    spent = {c.name: c.fit_seconds + c.predict_seconds for c in verdict.candidates}
    name = min([*shown, *alike], key=spent.__getitem__, default=verdict.best)
    ratio = spent[verdict.best] / spent[name]
    if ratio < _MUCH_CHEAPER:
        return None
    if name in shown:
        within = f" (within {gap(verdict.margin, verdict.criterion)})"
        return f"{name} is practically equal and {times(ratio)} cheaper", within
    return f"{name} did as well in every fold and is {times(ratio)} cheaper", ""


_ALIKE = 1.5  # times as long: less is not told apart


def _compare(ratio: float, verb: str) -> str:
    """Say how fast the best is, the other taking ``ratio`` times as long."""
    if ratio >= _ALIKE:
        return f"{verb}s {times(ratio)} as fast"
    long = f"{times(1 / ratio)} as long" if ratio <= 1 / _ALIKE else "about as long"
    return f"takes {long} to {verb}"


def say_columns(verdict: Verdict) -> list[Sentence]:
    """Say which columns matter most to the best candidate."""
    found, criterion = verdict.columns, verdict.criterion
    if found is None:
        return []
    first = found.groups[0]
    name = join(few([short(one, 40) for one in first], 2))
    s = "s" if len(first) == 1 else ""
    rise, low, high = (float(part[0]) for part in (found.rise, found.low, found.high))
    size = gap(rise, criterion)
    if low == low:
        written, *ends = measured(rise, low, high, criterion, clear_of=(0.0,))
        unit = " points" * criterion.is_rate
        size = f"{written}{unit} (95 % interval {' to '.join(ends)})"
    lost = criterion.words.removeprefix("1 − ")  # of what is better larger
    verb = "raise" if lost == criterion.words else "lower"
    words = f"shuffled, {'it' if s else 'they'} {verb}{s} the {lost} by {size}"
    claim, text = "no column is shown to matter by itself", f"; {name} came first: {words}."
    if low > 0:
        then = [
            f"{short(group[0], 40)}{f' with {len(group) - 1} more' * (len(group) > 1)} "
            f"({gap(float(found.rise[i]), criterion)})"
            for i, group in enumerate(found.groups[:3])
            if i and found.low[i] > 0
        ]
        claim = f"{name} matter{s} most"
        text = f": {words}{f'; then {join(then)}' if then else ''}."
    basis = (
        f"Permutation importance of {verdict.best}, refitted for {counted(found.folds, 'fold')}: "
        f"the rise on {counted(found.rows, 'held-out row')} when columns are shuffled "
        f"{counted(found.repeats, 'time')} in each, those with a correlation of 0.8 or more "
        "together. Interval over folds: corrected resampled t test, not corrected for naming the "
        f"first of {len(found.groups)}. It tells what this candidate uses, not causes."
    )
    text = f"Of the columns, {claim}{text}"
    return [Sentence(text=text, basis=basis, section="columns", emphasis=claim)]
