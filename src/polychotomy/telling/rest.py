"""What else a reader should know: the gate, the other rule, failures and what was not tried."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polychotomy.comparison import MarginOrdering
from polychotomy.core.numbers import (
    counted,
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
from polychotomy.telling.uncertainty import assumed_of, equals, how_compared
from polychotomy.verdict import Sentence, Verdict
from polychotomy.verdict.choosing import STEADY
from polychotomy.verdict.question import MOST_RUNS


def say_gate(verdict: Verdict) -> list[Sentence]:
    """Say whether the best candidate may replace the one it is held against."""
    gate = verdict.gate
    if gate is None:
        return []
    claim = "The gate is passed" if gate.passed else "The gate is not passed"
    shown = "not shown" if gate.passed else "shown"
    worse = gap(abs(gate.difference), verdict.criterion)
    sign = verdict.criterion.sign
    side = "more" if sign * gate.difference >= 0 else "less"
    low, high = sorted((sign * gate.low, sign * gate.high))
    text = f"{claim}: {gate.challenger} is {shown} to be worse than {gate.against}."
    basis = (
        f"It has {worse} {side} {verdict.criterion.words} ({pvalue(gate.pvalue)}). "
        f"H0 “{gate.challenger} is no worse than {gate.against}”, one-sided, level 0.05, over "
        f"{verdict.folds_words}, by {how_compared(verdict.differences)}; difference "
        f"{span(low, high, verdict.criterion)} (95 %, two-sided, so that the "
        "gate, which asks in one direction, may be stricter). Not shown to be worse is not "
        f"shown to be as good. {assumed_of(verdict.differences)}"
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def say_stricter(verdict: Verdict) -> list[Sentence]:
    """Say why a gate can be missed by a difference that the intervals leave open."""
    gate = verdict.gate
    if gate is None or gate.passed or gate.low > 0:
        return []
    text = (
        "The gate asks in one direction, at 5 %, and so is stricter than the two-sided 95 % "
        "interval, which leaves it open."
    )
    basis = f"One-sided {pvalue(gate.pvalue)}; the interval has 0 inside."
    return [Sentence(text=text, basis=basis, section="real")]


def say_frequency(verdict: Verdict) -> list[Sentence]:
    """Say in how many runs the paper's rule gave this order."""
    runs = int(verdict.plan.get("runs", 1))
    if runs == 1 or isinstance(verdict.ordering, MarginOrdering):
        return []
    top, *others = verdict.frequencies
    text = f"This order was found in all {runs} runs."
    if others:
        often = "as often as another" if others[0].runs == top.runs else "more often than any other"
        text = (
            f"This order was found in {top.runs} of {runs} runs, {often} "
            f"({len(verdict.frequencies)} different orders in all)."
        )
    basis = (
        "One MultiTest for each run, with new folds of the same rows (Yildiz and Alpaydin 2006, "
        "Table 2); of orders found equally often the one found first. Assumed: nothing; runs "
        "share their rows, so that many agreeing ones are no proof."
    )
    return [Sentence(text=text, basis=basis, section="which")]


def say_other_rule(verdict: Verdict) -> list[Sentence]:
    """Say what the rule that was not asked for would have chosen, and why it can differ."""
    other = verdict.other_rule
    if other is None:
        return []
    chosen = "the same" if other.best == verdict.best else call(verdict, other.best)
    rule = "MultiTest's rule, which keeps the most preferred candidate not shown to be worse,"
    if verdict.rule == "paper":
        rule = "The rule with a margin, which takes means as they stand,"
    text = f"{rule} would have chosen {chosen} on these folds."
    return [Sentence(text=text, basis=other.why, section="computed")]


def say_spent(verdict: Verdict) -> list[Sentence]:
    """Say how many fits the choice rests on where they grew as needed, and what more would do."""
    plan = verdict.plan
    grows = plan.get("kind") == "repeated folds" and plan.get("of", plan["repetitions"]) == 1
    if verdict.steady is None or not (grows or plan.get("kind") == "hold-out"):
        return []
    runs = int(plan["runs"])
    change = "would hardly change" if verdict.steady >= STEADY else "might still change"
    if plan["kind"] == "hold-out":
        tested = "One fifth" if runs == 1 else f"{runs} fifths"
        text = (
            f"{tested} of the rows decided: {runs * len(verdict.candidates)} fits on the others; "
            f"testing on the rest of the rows {change} the choice."
        )
        again = f"The other fifths are held out as well, one by one, {_WHILE}"
    else:
        folds, drawn = int(plan["folds"]), "once" if runs == 1 else f"{runs} times"
        text = (
            f"The candidates were compared on {folds} folds, drawn {drawn}: "
            f"{runs * folds * len(verdict.candidates)} fits; more drawings of the folds {change} "
            "the choice."
        )
        again = (
            "Repeated folds average out the luck of their drawing; they do not replace rows. They "
            f"are drawn again {_WHILE}, {MOST_RUNS} times at most"
        )
    basis = (
        f"{again}; --plan asks for more. Assumed: what the drawing does to a mean is what it does "
        "to rows, between drawings where there are several."
    )
    return [Sentence(text=text, basis=basis, section="computed")]


_WHILE = (
    "while the mean over all would choose otherwise with a probability of more than "
    f"{1 - STEADY:.1f}"
)


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
    claim = "Not tried"
    text = (
        f"{claim}, for the time it takes on such a table: {names}. To have one compared, name it: "
        f"{name_candidates(pair)}."
    )
    reasons = "; ".join(f"{one.name}: {one.reason}" for one in dear)
    basis = (
        f"Limits of the built-in list, so that a verdict does not take hours unasked. {reasons}. "
        "Nothing is said about how good they would be here."
    )
    return [Sentence(text=text, basis=basis, section="which", emphasis=claim)]


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
    said = []
    for claim, who, basis in (
        ("Not tried", [one for one in verdict.left_out if not one.ask_for and not one.rows],
         "Of two candidates that are the same, the built-in list keeps the first."),
        ("Fitted on some of the rows only", [one for one in verdict.left_out if one.rows],
         "On large tables candidates are fitted on few rows first. Who could not be the best on "
         "all of them, by three standard errors, even if every fourfold of the rows gained as much "
         "as the last did, is not fitted on more; --plan 1x5 fits all on all rows. Assumed: "
         "learning curves flatten."),
    ):  # fmt: skip
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
    return [Sentence(text=text, basis=f"{basis} {_ASSUMED}", section="which")]


_ASSUMED = (
    "Assumed: the folds' differences are normal, and correlated as the correction takes them to be."
)


def _rule(alpha: float) -> str:
    return (
        "A race: after every repetition but the last, each candidate is held against every more "
        "preferred one by one-sided corrected resampled t tests over all folds so far. The levels "
        "of the looks are spent as by O'Brien and Fleming and divided among the pairs, so that any "
        "candidate that is not worse than a more preferred one is stopped with a probability of at "
        f"most {alpha:g} on a data set."
    )


def _say_nobody(verdict: Verdict) -> Sentence:
    alpha = Race().alpha
    looks = int(verdict.plan["runs"]) * int(verdict.plan["repetitions"])
    folds, count = int(verdict.plan["folds"]), len(verdict.candidates)
    levels = pair_levels(alpha, looks=looks, folds=folds, candidates=count)
    claim = "The race stopped nobody"
    basis = (
        f"{_rule(alpha)} {_strictness(levels, count)}Never stopped are the most preferred "
        f"candidate, here {verdict.candidates[0].name}, and those that only less preferred ones "
        f"beat: a race needs a good candidate early in the list. {_ASSUMED}"
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


def _strictness(levels: dict[int, float], count: int) -> str:
    """Say what p-values were held to: little is spent on early looks, and every pair has a part."""
    if not levels:
        return ""
    (first, lowest), *_, (last, highest) = [*levels.items()] * 2
    return (
        f"For each of {count * (count - 1) // 2} pairs that is p ≤ {_small(lowest)} after "
        f"{first} and {_small(highest)} after {last} repetitions: early looks are strict, so that "
        "all together keep the level; after the last repetition nothing is left to save. "
    )


def _closest(verdict: Verdict, levels: dict[int, float]) -> str:
    """Say who came closest to being stopped, where all repetitions are in the ordering."""
    errors, names = verdict.ordering.errors, verdict.ordering.names
    if errors.ndim != 3 or errors.shape[1] <= max(levels):
        return ""
    found = closest_call(errors, levels, test_train_ratio=1 / (errors.shape[2] - 1))
    if found is None or found[1].pvalue > Race().alpha:
        return ""
    after, call = found
    digits = 2 if _small(call.pvalue) != _small(call.level) else 4
    return (
        f"; {names[call.candidate]} came closest, worse than {names[call.better]} after {after} "
        f"with p = {_small(call.pvalue, digits)} where {_small(call.level, digits)} was needed"
    )


def _small(value: float, digits: int = 2) -> str:
    """Write a small number without an exponent.

    Examples
    --------
    >>> _small(1.1726e-06), _small(0.0020244)
    ('0.0000012', '0.002')
    """
    return str(np.format_float_positional(value, precision=digits, fractional=False, trim="-"))


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
        name, ratio, shown = cheaper
        equal = "is practically equal" if shown else "did as well in every fold"
        claim = f"{name} {equal} and {'' if shown else 'is '}{times(ratio)} cheaper"
        within = f" (within {gap(verdict.margin, verdict.criterion)})" if shown else ""
        text = f"{claim}, fitting and predicting together{within}."
        return [Sentence(text=text, basis=_BASIS, section="price", emphasis=claim)]
    i = price.names.index(verdict.best)
    rivals = [int(j) for j in np.argsort(price.loss, kind="stable")[:3] if j != i]
    rivals = [j for j in rivals if price.names[j] not in verdict.baselines]
    if not rivals:
        return []
    j = rivals[0]
    fit, ask = (float(spent[j] / spent[i]) for spent in (price.fit_seconds, price.predict_seconds))
    again = _compare(ask, "predict", takes="takes " if fit >= _ALIKE else "")
    if all(1 / _ALIKE < ratio < _ALIKE for ratio in (fit, ask)):
        again = "to predict"
    text = f"Compared with {price.names[j]}, it {_compare(fit, 'fit')} and {again}."
    return [Sentence(text=text, basis=_BASIS, section="price")]


def _cheaper_equal(verdict: Verdict) -> tuple[str, float, bool] | None:
    """Return the cheapest candidate as good as the best, how many times, and whether shown."""
    shown, alike = equals(verdict)
    spent = {c.name: c.fit_seconds + c.predict_seconds for c in verdict.candidates}
    if not shown and not alike:
        return None
    cheapest = min([*shown, *alike], key=lambda name: spent[name])
    ratio = spent[verdict.best] / spent[cheapest]
    return (cheapest, ratio, cheapest in shown) if ratio >= _MUCH_CHEAPER else None


_ALIKE = 1.5  # times as long: less is not told apart


def _compare(ratio: float, verb: str, *, takes: str = "takes ") -> str:
    """Say how fast the best is, the other taking ``ratio`` times as long."""
    if ratio >= _ALIKE:
        return f"{verb}s {times(ratio)} as fast"
    if ratio <= 1 / _ALIKE:
        return f"{takes}{times(1 / ratio)} as long to {verb}"
    return f"{takes}about as long to {verb}"


def say_columns(verdict: Verdict) -> list[Sentence]:
    """Say which columns matter most to the best candidate."""
    found, criterion = verdict.columns, verdict.criterion
    if found is None:
        return []
    first, n = found.groups[0], len(found.groups)
    named = [short(one, 40) for one in first[:2]]
    name = join([*named, *[f"{len(first) - 2} more"] * (len(first) > 2)])
    alone = len(first) == 1
    rise, low, high = (float(part[0]) for part in (found.rise, found.low, found.high))
    size = gap(rise, criterion)
    if low == low:
        written, *ends = measured(rise, low, high, criterion, clear_of=(0.0,))
        unit = " points" * criterion.is_rate
        size = f"{written}{unit} (95 % interval {' to '.join(ends)})"
    lost = criterion.words.removeprefix("1 − ")  # of what is better larger
    verb = f"{'raise' if lost == criterion.words else 'lower'}{'s' * alone}"
    words = f"{'it' if alone else 'they'} {verb} the {lost} by {size}"
    claim, then = f"{name} matter{'s' * alone} most", []
    text = f"Of the columns, {claim}: shuffled, {words}"
    if not low > 0:
        claim = "no column is shown to matter by itself"
        text = f"Of the columns, {claim}; {name} came first: shuffled, {words}"
    for group, more, least in zip(found.groups[1:3], found.rise[1:3], found.low[1:3], strict=True):
        if low > 0 and least > 0:
            others = f" with {len(group) - 1} more" * (len(group) > 1)
            then.append(f"{short(group[0], 40)}{others} ({gap(float(more), criterion)})")
    text += f"; then {join(then)}." if then else "."
    basis = (
        f"Permutation importance of {verdict.best}, refitted for {counted(found.folds, 'fold')}: "
        f"the rise on {counted(found.rows, 'held-out row')} when columns are shuffled "
        f"{counted(found.repeats, 'time')} in each, those with a correlation of 0.8 or more "
        "together. The interval is over folds, by the corrected resampled t test, not corrected "
        f"for naming the first of {n}. It tells what this candidate uses, not causes."
    )
    return [Sentence(text=text, basis=basis, section="columns", emphasis=claim)]
