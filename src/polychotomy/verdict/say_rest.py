"""What else a reader should know: the gate, the other rule, failures and what was not tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from polychotomy.comparison import MarginOrdering
from polychotomy.verdict.candidates import LeftOut
from polychotomy.verdict.sentence import Sentence
from polychotomy.verdict.wording import gap, join, pvalue, span

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict


def say_gate(verdict: Verdict) -> list[Sentence]:
    """Say whether the best candidate may replace the one it is held against."""
    gate = verdict.gate
    if gate is None:
        return []
    claim = "The gate is passed" if gate.passed else "The gate is not passed"
    shown = "not shown" if gate.passed else "shown"
    worse = gap(abs(gate.difference), verdict.criterion)
    side = "more" if gate.difference >= 0 else "less"
    text = (
        f"{claim}: {gate.challenger} is {shown} to be worse than {gate.against} ({worse} {side} "
        f"{verdict.criterion.words}, {pvalue(gate.pvalue)})."
    )
    if not gate.passed and gate.low <= 0:
        text += (
            " The gate asks in one direction, at 5 %, and so is stricter than the two-sided 95 % "
            "interval, which leaves it open."
        )
    basis = (
        f"One-sided corrected resampled t test of H0 “{gate.challenger} is no worse than "
        f"{gate.against}”, level 0.05, over {verdict.ordering_folds} folds; difference "
        f"{span(gate.low, gate.high, verdict.criterion)} (95 %, two-sided, so that the "
        "gate, which asks in one direction, may be stricter). Not shown to be worse is not "
        "shown to be as good. Assumed: the folds' differences are normal, and correlated as the "
        "correction takes them to be."
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


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
        "One MultiTest a run, each with new folds of the same rows (Yildiz and Alpaydin 2006, "
        "Table 2); of orders found equally often the one found first. Assumed: nothing; runs "
        "share their rows, so that many agreeing ones are no proof."
    )
    return [Sentence(text=text, basis=basis, section="which")]


def say_other_rule(verdict: Verdict) -> list[Sentence]:
    """Say what the rule that was not asked for would have chosen, and why it can differ."""
    other = verdict.other_rule
    if other is None:
        return []
    if other.best == verdict.best:
        text = f"{other.name} would have chosen the same."
    else:
        text = f"{other.name} would have chosen {other.best}."
    return [Sentence(text=f"{text[0].upper()}{text[1:]}", basis=other.why, section="computed")]


def say_failures(verdict: Verdict) -> list[Sentence]:
    """Say who was left out of the comparison because fits failed."""
    failed = [c for c in verdict.candidates if c.n_failed]
    if not failed:
        return []
    causes = {failure.candidate: failure.cause for failure in reversed(verdict.failures)}
    names = [
        f"{c.name} ({c.n_failed} {'fit' if c.n_failed == 1 else 'fits'}, "
        f"{causes[c.name].splitlines()[0][:160]})"
        for c in failed
    ]
    text = f"Left out of the comparison because fits failed: {'; '.join(names)}."
    basis = "A candidate is compared only where every fold has its predictions."
    return [Sentence(text=text, basis=basis, section="failed")]


def say_not_tried(verdict: Verdict) -> list[Sentence]:
    """Say which built-in candidates take too long on such a table, and how to have them tried."""
    dear = [one for one in verdict.left_out if one.remedy]
    if not dear:
        return []
    causes = _by_cause(dear)
    names = join([f"{join(who)} ({cause})" for cause, who in causes.items()])
    last = dear[-1]
    asked = last.remedy.split('"')[1].split(",")
    pair = [name for name in asked if name in (verdict.best, last.name)]
    claim = "Not tried"
    text = (
        f"{claim}, for the time it takes on such a table: {names}. To have one compared, name it: "
        f'--candidates "{",".join(pair)}".'
    )
    reasons = "; ".join(f"{one.name}: {one.reason}" for one in dear)
    basis = (
        f"Limits of the built-in list, so that a verdict does not take hours unasked. {reasons}. "
        "Nothing is said about how good they would be here."
    )
    return [Sentence(text=text, basis=basis, section="which", emphasis=claim)]


def _by_cause(left_out: Sequence[LeftOut]) -> dict[str, list[str]]:
    """Gather candidates left out for the same cause, said without what it costs."""
    causes: dict[str, list[str]] = {}
    for one in left_out:
        causes.setdefault(one.reason.partition(":")[0], []).append(one.name)
    return causes


def say_left_out(verdict: Verdict) -> list[Sentence]:
    """Say which built-in candidates were not tried because that would tell nothing new."""
    vain = [one for one in verdict.left_out if not one.remedy]
    if not vain:
        return []
    names = join([f"{one.name} ({one.reason})" for one in vain])
    basis = "Of two candidates that are the same, the built-in list keeps the first."
    return [Sentence(text=f"Not tried: {names}.", basis=basis, section="which")]
