"""Who was tried, stopped, left out or failed, and what that cost, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polychotomy.core.numbers import counted, gap, join, percent, pvalue, times
from polychotomy.study import Race
from polychotomy.study.racing import pair_levels
from polychotomy.telling.uncertainty import NORMAL_FOLDS, equals
from polychotomy.verdict import Sentence, Verdict
from polychotomy.verdict.choosing import STEADY
from polychotomy.verdict.question import MOST_RUNS


def say_spent(verdict: Verdict) -> list[Sentence]:
    """Say how many fits the choice rests on where they grew as needed, and what more would do."""
    plan = verdict.plan
    held_out = plan.get("kind") == "hold-out"
    grows = plan.get("kind") == "repeated folds" and plan.get("of", plan["repetitions"]) == 1
    if verdict.steady is None or not (grows or held_out):
        return []
    runs, count = int(plan["runs"]), len(verdict.candidates)
    tenths = round(10 * (1 - verdict.steady))
    how = "change the choice in about {}0 % of cases" if tenths else "hardly change the choice"
    change = f"would {how.format(tenths)}"
    if held_out:
        text = (
            f"{'One fifth' if runs == 1 else f'{runs} fifths'} of the rows decided: {runs * count} "
            f"fits on the others; testing on the rest of the rows {change}."
        )
        again, most = "The other fifths are held out as well, one by one,", ""
    else:
        folds, drawn = int(plan["folds"]), "once" if runs == 1 else f"{runs} times"
        text = (
            f"The candidates were compared on {folds} folds, drawn {drawn}: {runs * folds * count} "
            f"fits; more drawings of the folds {change}."
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
    listed = bool(last.cause)  # else it is the budget that does not allow it, named or not
    remedy = f"name it: {name_candidates(pair)}" if listed else "allow more time by --budget"
    limits = "Limits of the built-in list, so that no verdict takes hours unasked. " * listed
    text = f"Not tried, for the time it takes on such a table: {names}."
    text += f" To have one compared, {remedy}."
    reasons = "; ".join(f"{one.name}: {one.reason}" for one in dear)
    basis = f"{limits}{reasons}."
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
        why = f"none was shown to be worse before the last of {looks} repetitions"
    return Sentence(text=f"{claim}: {why}.", basis=basis, section="which", emphasis=claim)


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
    near = all(1 / _ALIKE < one < _ALIKE for one in (fit, ask))
    does = f"{_compare(fit, 'fit')} and {'to predict' if near else _compare(ask, 'predict')}"
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
