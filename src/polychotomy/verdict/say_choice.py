"""What to use, what error to expect of it, and why not another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polychotomy.comparison import MarginOrdering, Ordering
from polychotomy.verdict.sentence import Sentence
from polychotomy.verdict.wording import (
    amount,
    gap,
    join,
    number,
    percent,
    pvalue,
    rough,
    span,
    times,
)

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict

_MUCH_CHEAPER = 2.0
_NAMED = 4  # candidates named in one sentence before "and N more"


def say_headline(verdict: Verdict) -> list[Sentence]:
    """Say what to use; a candidate that only guesses is no answer."""
    if verdict.guesses:
        text = f"Nothing is shown to beat guessing ({verdict.best})."
    else:
        text = f"Use {verdict.best}."
    return [Sentence(text=text, basis=_describe_rule(verdict), section="which", emphasis=text[:-1])]


def _describe_rule(verdict: Verdict) -> str:
    ordering = verdict.ordering
    order = f"Order of preference: {', '.join(ordering.names)}."
    if isinstance(ordering, MarginOrdering):
        return (
            "The most preferred candidate whose mean is within the margin of every less preferred "
            f"one's ({gap(ordering.margin, verdict.criterion)}): MultiTest with a margin, by the "
            f"{ordering.test} at level ½, over {ordering.errors[0].size} folds. A best guess, not "
            "a proof: of all rules tried in the truth lab, see the documentation, the one with the "
            f"simplest picks among those that cost next to nothing. {order}"
        )
    return (
        "The most preferred candidate that is not shown to be worse than another: MultiTest "
        f"(Yildiz and Alpaydin 2006), by the one-sided {ordering.test}, together at level "
        f"{ordering.alpha:g} (Bonferroni). Assumed: {ordering.assumption}. {order}"
    )


def say_error(verdict: Verdict) -> list[Sentence]:
    """Say what error to expect, corrected for the choice."""
    best, criterion = verdict.candidate(verdict.best), verdict.criterion
    plain = amount(best.loss, criterion)
    selected = verdict.selected
    also = "" if criterion.name == "error" else f" It gives {percent(best.error)} wrong labels."
    if selected is None:
        text = f"Its {criterion.words} is {plain}, not corrected for having been chosen.{also}"
        basis = f"{_plain_mean(verdict)} {_sees(verdict)}"
        return [Sentence(text=text, basis=basis, section="which", emphasis=plain)]
    expected = amount(selected.expected, criterion)
    alone = len(verdict.ordering.names) == 1
    inside = span(selected.low, max(selected.high, selected.expected), criterion)
    basis = (
        f"{_plain_mean(verdict)} The winner was chosen for a low mean, which flatters it: "
        "corrected by bootstrap bias corrected cross-validation (Tsamardinos et al. 2018; "
        f"{selected.n_replicates} replicates, {100 * selected.level:.0f} % interval), and never "
        f"below what was seen. {_sees(verdict)} Assumed: new rows come from where these did."
    )
    return [
        Sentence(
            text=f"Expect {_article(criterion.words)} of {expected} ({inside})"
            f"{'' if alone else ', corrected for its having been chosen'}.{also}",
            basis=basis,
            section="which",
            emphasis=expected,
        )
    ]


def _article(words: str) -> str:
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _plain_mean(verdict: Verdict) -> str:
    best, criterion = verdict.candidate(verdict.best), verdict.criterion
    return (
        f"The plain mean over {verdict.ordering_folds} folds ({verdict.plan_words}) is "
        f"{amount(best.loss, criterion)}."
    )


def _sees(verdict: Verdict) -> str:
    return (
        f"Fits see {100 * verdict.training_share:.0f} % of the rows, so one on all of them may do "
        "a little better."
    )


def say_choice(verdict: Verdict) -> list[Sentence]:
    """Say why nothing simpler was taken and nothing more complex."""
    if len(verdict.ordering.names) == 1:
        return []
    if isinstance(verdict.ordering, MarginOrdering):
        return [_say_margin(verdict, verdict.ordering)]
    return _say_paper(verdict, verdict.ordering)


def _say_margin(verdict: Verdict, ordering: MarginOrdering) -> Sentence:
    criterion, names, best = verdict.criterion, ordering.names, ordering.best
    means = ordering.mean_errors
    within = gap(ordering.margin, criterion)
    parts = []
    if best > 0:
        nearest = int(np.argmin(means[:best]))
        lead = means[nearest] - means[best:].min()
        parts.append(
            f"nothing simpler comes within {within} of the best (the nearest, {names[nearest]}, "
            f"is {gap(lead, criterion)} off)"
        )
    if best < len(names) - 1:
        lowest = best + int(np.argmin(means[best:]))
        if lowest == best:
            parts.append("nothing more complex does better")
        else:
            parts.append(
                f"{names[lowest]}, the best of the more complex, is only "
                f"{gap(means[best] - means[lowest], criterion)} better"
            )
    text = "; ".join(parts)
    return Sentence(
        text=f"{text.replace('nothing', 'Nothing', 1) if text.startswith('nothing') else text}.",
        basis=f"{_describe_rule(verdict)} Means over the same folds, simplest first: "
        + ", ".join(f"{name} {amount(x, criterion)}" for name, x in zip(names, means, strict=True))
        + ".",
        section="which",
    )


def _say_paper(verdict: Verdict, ordering: Ordering) -> list[Sentence]:
    best, names = ordering.best, ordering.names
    sentences = []
    level = float(np.min(np.broadcast_to(np.asarray(ordering.level), ordering.edges.shape)[0, -1]))
    simpler = []
    for i in range(best):
        rivals = np.flatnonzero(ordering.edges[i])
        strongest = rivals[np.argmin(ordering.pvalues[i, rivals])]
        found = pvalue(ordering.pvalues[i, strongest])
        simpler.append(f"{names[i]} ({found} against {names[strongest]})")
    basis = (
        f"One-sided {ordering.test}, each held to level {level:.3g} ({ordering.alpha:g} shared "
        f"out over {len(names) * (len(names) - 1) // 2} pairs). Assumed: {ordering.assumption}."
    )
    if simpler:
        text = f"Whatever is preferred to it is shown to be worse than another: {join(simpler)}."
        sentences.append(Sentence(text=text, basis=basis, section="which"))
    complex_ = range(best + 1, len(names))
    if complex_:
        smallest = min(ordering.pvalues[best, j] for j in complex_)
        text = (
            f"No less preferred one is shown to be better ({len(complex_)} tried, smallest "
            f"{pvalue(smallest)})."
        )
        sentences.append(Sentence(text=text, basis=basis, section="which"))
    return sentences


def say_undecided(verdict: Verdict) -> list[Sentence]:
    """Say where the data cannot tell, and how much more would."""
    found = verdict.undecided
    if found is None:
        return []
    criterion, pairs = verdict.criterion, verdict.differences
    i, j = pairs.names.index(verdict.best), pairs.names.index(found.rival)
    reach = (pairs.high[i, j] - pairs.low[i, j]) / 2
    rows = f"about {rough(found.more_rows)} more rows, or " if found.more_rows else ""
    doubt = f"The data cannot tell {verdict.best} from {found.rival}"
    keep = "simpler one" if i < j else "one that is better on average"
    text = (
        f"{doubt}: the difference is {_signed(pairs.estimate[i, j], criterion)} ± "
        f"{gap(reach, criterion)}. {rows[:1].upper()}{rows[1:]}{'a' if rows else 'A'}ccepting a "
        f"margin of {gap(found.margin_needed, criterion)}, would decide it; until then, take the "
        f"{keep}."
    )
    basis = (
        f"{100 * pairs.level:.0f} % interval of the corrected resampled t test (Nadeau and "
        f"Bengio 2003), {pvalue(pairs.pvalues[i, j])}. Rows: for power {found.plan.power:g} at "
        f"level {found.plan.alpha:g}, if the difference seen is the true one; a difference picked "
        "as the largest is likely smaller, and needs more. More repetitions of the same rows "
        f"{_resamples(found.plan.resamples)}."
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=doubt)]


def _resamples(needed: float) -> str:
    if np.isinf(needed):
        return "would not decide it, however many"
    return f"would decide it from about {rough(needed)} folds on"


def _signed(value: float, criterion: object) -> str:
    from polychotomy.comparison import Criterion

    assert isinstance(criterion, Criterion)
    return number(100 * value) if criterion.is_rate else f"{value:.2g}".replace("-", "−")


def say_equals(verdict: Verdict) -> list[Sentence]:
    """Say which other candidates are as good for practical purposes."""
    pairs, criterion = verdict.differences, verdict.criterion
    i = pairs.names.index(verdict.best)
    basis = (
        f"{100 * pairs.level:.0f} % intervals of the corrected resampled t test within the margin "
        f"of {gap(pairs.margin, criterion)} on both sides, each for itself."
    )
    equal = [name for name, answer in zip(pairs.names, pairs.answers[i], strict=True)
             if answer == "equivalent"]  # fmt: skip
    if not equal:
        return []
    verb = "is" if len(equal) == 1 else "are"
    text = (
        f"Practically equal to it, shown to be within {gap(pairs.margin, criterion)}, {verb} "
        f"{join(_some(equal))}."
    )
    return [Sentence(text=text, basis=basis, section="real")]


def _some(names: list[str]) -> list[str]:
    rest = len(names) - _NAMED
    return names if rest <= 1 else [*names[:_NAMED], f"{rest} more"]


def say_price(verdict: Verdict) -> list[Sentence]:
    """Say what is as good and much cheaper, else what it costs beside its nearest rival."""
    price = verdict.price
    if not (price.fit_seconds > 0).all():  # predictions may come without clocks
        return []
    i = price.names.index(verdict.best)
    basis = (
        "Mean wall-clock seconds of the same fits, one thread each; times vary with the machine "
        "and what else it does."
    )
    cheaper = _cheaper_equal(verdict, i)
    if cheaper is not None:
        j, ratio = cheaper
        claim = f"{price.names[j]} is practically equal and {times(ratio)} cheaper"
        within = gap(verdict.margin, verdict.criterion)
        text = f"{claim}, fitting and asking together (within {within})."
        return [Sentence(text=text, basis=basis, section="price", emphasis=claim)]
    rivals = [int(j) for j in np.argsort(price.loss, kind="stable")[:3] if j != i]
    rivals = [j for j in rivals if price.names[j] not in verdict.yardsticks]
    if not rivals:
        return []
    j = rivals[0]
    fit = _dearer(float(price.fit_seconds[j] / price.fit_seconds[i]), "fit")
    ask = _dearer(float(price.predict_seconds[j] / price.predict_seconds[i]), "ask")
    text = f"Beside {price.names[j]} it is {fit} and {ask}."
    return [Sentence(text=text, basis=basis, section="price")]


def _cheaper_equal(verdict: Verdict, best: int) -> tuple[int, float] | None:
    """Return the cheapest candidate equivalent to the best and how many times it is cheaper."""
    answers = verdict.differences.answers[best]
    spent = [c.fit_seconds + c.predict_seconds for c in map(verdict.candidate, verdict.price.names)]
    equal = [j for j, answer in enumerate(answers) if answer == "equivalent"]
    if not equal:
        return None
    cheapest = min(equal, key=lambda j: spent[j])
    ratio = spent[best] / spent[cheapest]
    return (cheapest, ratio) if ratio >= _MUCH_CHEAPER else None


def _dearer(ratio: float, verb: str) -> str:
    if ratio >= 1.5:
        return f"{times(ratio)} cheaper to {verb}"
    return f"{times(1 / ratio)} dearer to {verb}" if ratio <= 1 / 1.5 else f"as dear to {verb}"
