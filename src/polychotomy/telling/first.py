"""The first screen: warnings above it, one caveat, and what to do next, each in a line.

With what to use, the error to expect and the worst confusion the last two are some 60 words; every
number in them stands in a sentence further below, whose basis they share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from polychotomy.combination.advice import NEGLIGIBLE
from polychotomy.core.numbers import few, gap, join, percent, points, rough, short
from polychotomy.telling import choice, improving, tried, trust, uncertainty
from polychotomy.telling.choice import LONGEST_NAME
from polychotomy.verdict import Sentence, Verdict
from polychotomy.verdict.findings import Section

_FIT = "fit it by --model or verdict.fit()"


_Found = tuple[str, Sentence]  # in a line, and the sentence that has the details


def say_warnings(verdict: Verdict) -> list[Sentence]:
    """Say in a line each what may make all that follows misleading, and what to do about it."""
    found: list[_Found] = [
        (note.line, _plain(f"Found in the table before the first fit: {note}."))
        for note in verdict.warnings
    ]
    if verdict.drift is not None:
        grows = choice.say_drift(verdict).removesuffix(".")
        found.append((grows[0].lower() + grows[1:], _plain(choice.explain_drift(verdict))))
    for one, detail in zip(verdict.contradictions, trust.say_contradictions(verdict), strict=True):
        if one.name == verdict.best:
            text = f"its labels contradict its probabilities in {percent(one.share)} of cases"
            mend = "; let predict_proba have a column for each of classes_, in order"
            found.append((text + mend, replace(detail, basis=f"{detail.text} {detail.basis}")))
    return [
        replace(detail, text=f"Warning: {text}.", section="warning", emphasis="Warning")
        for text, detail in found
    ]


def say_contradictions(verdict: Verdict) -> list[Sentence]:
    """Say whose labels contradict their probabilities; of the best one a warning tells."""
    pairs = zip(verdict.contradictions, trust.say_contradictions(verdict), strict=True)
    return [said for one, said in pairs if one.name != verdict.best]


def say_caveat(verdict: Verdict) -> list[Sentence]:
    """Say the one thing that matters most of what speaks against the choice or its numbers.

    Columns like the target stand in the headline, and a gate is an answer by itself: beside them
    there is none.
    """
    if verdict.leaks or verdict.gate is not None:
        return []
    return _say_first("Caveat", chain(_against_it(verdict), _left_open(verdict)))


def say_next(verdict: Verdict) -> list[Sentence]:
    """Say what to do now: the first that applies of what would change the answer or improve it."""
    said = _say_first("Next", chain(_first_of_all(verdict), _to_improve(verdict)))
    warned = {note.kind for note in verdict.warnings} - {"drift", "reading"}
    held_back = verdict.gate is not None and not verdict.gate.passed
    if not (warned or verdict.contradicts) or held_back or _lost(verdict):
        return said
    first = "Next: settle what is warned of above; then "
    return [replace(one, text=one.text.replace("Next: ", first, 1)) for one in said]


def _say_first(label: str, found: Iterable[_Found]) -> list[Sentence]:
    text, detail = next(iter(found), ("", None))
    return [replace(detail, text=f"{label}: {text}.", emphasis=label)] if detail else []


def _plain(basis: str, section: Section = "which") -> Sentence:
    return Sentence(text="", basis=basis, section=section)


def _lost(verdict: Verdict) -> bool:
    """Whether nobody is shown to beat guessing, as the headline says then."""
    return bool(verdict.guesses or verdict.unbeaten_guess)


def _against_it(verdict: Verdict) -> Iterator[_Found]:
    """Yield what speaks against the choice, or against its numbers."""
    pairs, rival = verdict.differences, _rival(verdict)
    if rival and "worse" in pairs.answers[pairs.names.index(verdict.best)]:
        yield rival
    if _as_guessing(verdict):
        yield "it is not shown to beat guessing", choice.say_error(verdict)[0]
    again, finding = verdict.recalibrated, verdict.trust.finding
    if again is not None:
        (detail,) = uncertainty.say_recalibrated(verdict)
        yield detail.emphasis.replace(again.name, short(again.name, LONGEST_NAME)), detail
    failed = [short(c.name, LONGEST_NAME) for c in verdict.candidates if c.n_failed]
    if failed:
        yield f"left out, for fits failed: {join(few(failed, 2))}", tried.say_failures(verdict)[0]
    if _lost(verdict):
        return
    if finding in trust.WRONG:
        yield f"its probabilities {trust.WRONG[finding]}", trust.say_trust(verdict)[0]


def _as_guessing(verdict: Verdict) -> bool:
    """Whether answers from elsewhere, none of which are guesses, may be no better than these."""
    guess, selected = verdict.guessing, verdict.selected
    told = verdict.criterion.name == "error" and not verdict.baselines
    return bool(told and guess and selected and selected.high >= guess.error)


def _left_open(verdict: Verdict) -> Iterator[_Found]:
    """Yield what the data do not decide; else that nothing is open about the choice."""
    pairs, rival = verdict.differences, _rival(verdict)
    if rival is not None:
        yield rival
    dear = [one.name for one in verdict.left_out if one.ask_for]
    if dear:
        (detail,) = tried.say_not_tried(verdict)
        yield f"not tried, for the time it takes: {join(dear[:3])}", detail
    missed = trust.missed(verdict)
    if missed and verdict.knows_labels and not _lost(verdict):
        all_of = "nearly " * any(found for *_, found in missed) + "all of"
        named = [f"{name} ({rows} rows)" for name, rows, _ in missed]
        yield f"it misses {all_of} {join(few(named, 2))}", trust.say_confusion(verdict)[0]
    own = {one for one in pairs.answers[pairs.names.index(verdict.best)] if one}
    if own == {"better"} and not _lost(verdict):
        (detail,) = uncertainty.say_shown(verdict)
        yield "none; it is shown to be better than every other", detail


def _rival(verdict: Verdict) -> _Found | None:
    """Name the rival that matters most of those not told apart, and count the others."""
    pairs, found = verdict.differences, verdict.undecided
    best, others = pairs.names.index(verdict.best), uncertainty.open_rivals(verdict)
    if _lost(verdict) or (found is None and not others):
        return None
    say = uncertainty.say_open if found is None else uncertainty.say_undecided
    (detail,) = say(verdict)
    first = others.pop(0) if found is None else pairs.names.index(found.rival)
    seen = float(pairs.estimate[first, best])
    size = gap(abs(seen), verdict.criterion)
    name = short(choice.call(verdict, pairs.names[first]), LONGEST_NAME)
    if pairs.answers[best][first] == "worse":
        return f"{name} is shown to be better, by {size}", detail
    # Less is rounding.
    told = f"{size} {'worse' if seen > 0 else 'better'}" if abs(seen) > 1e-9 else "equal here"
    count = len(others) + len({*uncertainty.equals(verdict)[1]} - {pairs.names[first]})
    more = f" and {count} more" if count else ""
    return f"the data cannot tell it from {name} ({told}){more}", detail


def _first_of_all(verdict: Verdict) -> Iterator[_Found]:
    """Yield what comes before using any of them."""
    gate = verdict.gate
    if gate is not None and not gate.passed:
        kept = short(choice.call(verdict, gate.against), LONGEST_NAME)
        yield f"keep {kept}", _plain("The gate was not passed.", "real")
    if _as_guessing(verdict):
        yield "judge more rows, or other models", choice.say_error(verdict)[0]
    if _lost(verdict):
        yield _beyond_guessing(verdict)


def _beyond_guessing(verdict: Verdict) -> _Found:
    found, advice = verdict.undecided, verdict.combination
    if any(one.n_failed for one in verdict.candidates):
        return "see below why fits failed, and judge again", tried.say_failures(verdict)[0]
    if verdict.guesses and advice is not None and advice.conclusion == "helps":
        (detail,) = improving.say_combining(verdict)
        return "judge by --loss auc or log-loss, for the columns do tell the classes apart", detail
    if found is not None and uncertainty.within_reach(verdict, found.more_rows):
        rows = rough(found.more_rows or 0)
        return f"about {rows} more rows may tell", uncertainty.say_undecided(verdict)[0]
    basis = "Nobody is shown to know more of the class than its frequency, by this loss."
    if any(note.kind == "rare" for note in verdict.warnings):
        return "judge by another loss, as is said above", _plain(basis)
    blind = verdict.criterion.name == "error" and not (verdict.guesses or verdict.trust.hard)
    by_auc = ", or judge by --loss auc" * (blind and not verdict.drift)  # to rows of a rare class
    return f"look for columns that tell more of the class{by_auc}", _plain(basis)


def _to_improve(verdict: Verdict) -> Iterator[_Found]:
    """Yield what is shown to improve it, what would decide, and at last how to use it."""
    imported = bool(verdict.provenance.get("imported"))
    own, advice, model = (
        verdict.trust,
        verdict.combination,
        short(verdict.model or "", LONGEST_NAME),
    )
    fit = f"use {model}" if model else _FIT
    for detail in trust.say_decisions(verdict):  # whose loss is not that of the headline
        loss = f"its {verdict.criterion.words} to {detail.emphasis.partition(' to ')[2]}"
        do = "weigh the classes" if imported else fit
        yield f"{do}: deciding by weights takes {loss}", detail
    wrong = own.finding in trust.WRONG and not own.hard and not verdict.contradicts
    if wrong and own.recalibration.chosen != "none" and not imported:
        does = f"{own.recalibration.chosen} recalibration improves its probabilities"
        yield f"{fit}: {does}", trust.say_trust(verdict)[0]
    if verdict.anatomy is not None:
        forecast, bagging = verdict.anatomy.forecast, verdict.anatomy.bagging
        for detail in improving.say_more_data(verdict):
            if forecast is not None and forecast.answers[0] == "yes":
                gain = points(float(forecast.to_frame()["gain"].iloc[0]))
                yield f"get more rows; twice as many may take about {gain} off", detail
        for detail in improving.say_bagging(verdict):
            if bagging.answer == "yes":
                gain = points(bagging.expected)
                yield f"try bagging it, which may take about {gain} off its error", detail
    # Of labels alone a combination always ranks better, as it has more than two values.
    helps = advice is not None and advice.conclusion == "helps" and not own.hard
    if advice is not None and helps and advice.interval[0] >= NEGLIGIBLE:
        gain = points(advice.difference)
        (detail,) = improving.say_combining(verdict)
        yield f"combine the candidates, which may rank better by {gain} of AUC", detail
    yield from _to_decide(verdict, imported)
    do = "use it" if imported else f"predict new rows with {model}" if model else _FIT
    yield do, _plain("Nothing that was asked speaks for doing more first.")


def _to_decide(verdict: Verdict, imported: bool) -> Iterator[_Found]:
    """Say how many rows may tell, of what the caveat says that these do not."""
    found, caveat = verdict.undecided, _rival(verdict)
    if caveat is None:
        return
    pairs = verdict.differences
    nearest = found.rival if found else pairs.names[uncertainty.open_rivals(verdict)[0]]
    rival = short(choice.call(verdict, nearest), LONGEST_NAME)
    if found is not None and uncertainty.within_reach(verdict, found.more_rows):
        rows = rough(found.more_rows or 0)
        yield f"use it; about {rows} more rows may tell it from {rival}", caveat[1]
    elif imported:
        both = f"{short(verdict.best, LONGEST_NAME)} and {rival}"
        yield f"choose between {both} by cost, or judge more rows", caveat[1]
