"""The first screen: one caveat, and what to do next, each in a line.

With what to use, the error to expect and the worst confusion these are some 60 words; every
number in them stands in a sentence further below, whose basis they share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from polychotomy.combination.advice import NEGLIGIBLE
from polychotomy.core.numbers import few, gap, join, percent, points, rough, short
from polychotomy.tables.column_notes import Note
from polychotomy.telling.choice import call, explain_drift
from polychotomy.telling.improving import say_bagging, say_combining, say_more_data
from polychotomy.telling.rest import say_failures, say_not_tried
from polychotomy.telling.trust import WRONG, say_contradictions, say_trust
from polychotomy.telling.uncertainty import (
    open_rivals,
    say_open,
    say_recalibrated,
    say_shown,
    say_undecided,
    within_reach,
)
from polychotomy.verdict import Sentence, Verdict
from polychotomy.verdict.findings import Section

_MOST = 110  # characters of what a table's note says in brief

_SOME = 10  # rows of a class that are too many to be missed by chance

_NAME = 40  # characters of a candidate's name, or a model's

_SAME = 1e-9  # difference of means that is rounding

_FIT = "fit it by --model or verdict.fit()"


_Found = tuple[str, Sentence] | None  # in a line, and the sentence that has the details

_Asks = Callable[[Verdict], _Found]


def say_caveat(verdict: Verdict) -> list[Sentence]:
    """Say the one thing that matters most of what speaks against the choice or its numbers.

    Columns like the target stand in the headline, and a gate is an answer by itself: beside them
    only the table can be worse.
    """
    asks = _CAVEATS[:1] if verdict.leaks or verdict.gate is not None else _CAVEATS
    return _say_first("Caveat", verdict, asks)


def say_next(verdict: Verdict) -> list[Sentence]:
    """Say what to do now: the first that applies of what would change the answer or improve it."""
    return _say_first("Next", verdict, _STEPS)


def _say_first(label: str, verdict: Verdict, asks: Sequence[_Asks]) -> list[Sentence]:
    for ask in asks:
        found = ask(verdict)
        if found is not None:
            text, detail = found
            return [replace(detail, text=f"{label}: {text}.", emphasis=label)]
    return []


def _plain(basis: str, section: Section = "which") -> Sentence:
    return Sentence(text="", basis=basis, section=section)


def _lost(verdict: Verdict) -> bool:
    """Whether nobody is shown to beat guessing, as the headline says then."""
    return bool(verdict.guesses or verdict.unbeaten_guess)


def _warning(verdict: Verdict) -> Note | None:
    """Return the first warning that is for who has ten seconds, and not in the headline."""
    return next((note for note in verdict.warnings if note.brief and not note.leaks), None)


def _found_in_the_table(note: Note) -> Sentence:
    return _plain(f"Found in the table before anything was fitted: {note}.")


def _from_the_table(verdict: Verdict) -> _Found:
    note = _warning(verdict)
    return None if note is None else (short(note.brief, _MOST), _found_in_the_table(note))


def _contradiction(verdict: Verdict) -> _Found:
    for one, detail in zip(verdict.contradictions, say_contradictions(verdict), strict=True):
        if one.name == verdict.best:
            share = percent(one.share)
            return f"its labels contradict its probabilities in {share} of cases", detail
    return None


def _growing(verdict: Verdict) -> _Found:
    found = verdict.drift
    if found is None:
        return None
    text = f"its error grows through time, from {percent(found.first)} to {percent(found.last)}"
    return text, _plain(explain_drift(verdict))


def _recalibrated(verdict: Verdict) -> _Found:
    found = verdict.recalibrated
    if found is None:
        return None
    (detail,) = say_recalibrated(verdict)
    return detail.emphasis.replace(found.name, short(found.name, _NAME)), detail


def _failures(verdict: Verdict) -> _Found:
    failed = [short(c.name, _NAME) for c in verdict.candidates if c.n_failed]
    if not failed:
        return None
    return f"left out, for fits failed: {join(few(failed, 2))}", say_failures(verdict)[0]


def _never_found(verdict: Verdict) -> _Found:
    """Name classes with some members, none of which is ever taken for its class."""
    if _lost(verdict) or not verdict.knows_labels:
        return None
    counts, classes = verdict.confusion.counts, verdict.confusion.classes
    lost = (counts.diagonal() == 0) & (counts.sum(axis=1) >= _SOME)
    names = [repr(short(name, 30)) for name, gone in zip(classes, lost, strict=True) if gone]
    if not names:
        return None
    basis = f"No row of such a class, of {_SOME} or more, was taken for it in any fold."
    return f"it never finds {join(few(names, 2))}", _plain(basis, "errors")


def _trust(verdict: Verdict) -> _Found:
    trust = verdict.trust
    if trust.finding not in WRONG or _lost(verdict):
        return None
    return f"its probabilities {WRONG[trust.finding]}", say_trust(verdict)[0]


def _rival(verdict: Verdict) -> _Found:
    """Name the rival that matters most of those not told apart, and count the others."""
    pairs, found = verdict.differences, verdict.undecided
    best, others = pairs.names.index(verdict.best), open_rivals(verdict)
    if _lost(verdict) or (found is None and not others):
        return None
    (detail,) = say_open(verdict) if found is None else say_undecided(verdict)
    first = others.pop(0) if found is None else pairs.names.index(found.rival)
    seen = float(pairs.estimate[first, best])
    size = gap(abs(seen), verdict.criterion)
    name = short(call(verdict, pairs.names[first]), _NAME)
    if pairs.answers[best][first] == "worse":
        return f"{name} is shown to be better, by {size}", detail
    told = f"{size} {'worse' if seen > 0 else 'better'}" if abs(seen) > _SAME else "equal here"
    more = f" and {len(others)} more" if others else ""
    return f"the data cannot tell it from {name} ({told}){more}", detail


def _not_tried(verdict: Verdict) -> _Found:
    dear = [one.name for one in verdict.left_out if one.ask_for]
    if not dear:
        return None
    return f"not tried, for the time it takes: {join(dear[:3])}", say_not_tried(verdict)[0]


def _none(verdict: Verdict) -> _Found:
    """Say that nothing is open about the choice, where it is so."""
    pairs = verdict.differences
    if {one for one in pairs.answers[pairs.names.index(verdict.best)] if one} != {"better"}:
        return None
    return "none; it is shown to be better than every other", say_shown(verdict)[0]


_CAVEATS: tuple[_Asks, ...] = (
    _from_the_table, _contradiction, _growing, _recalibrated, _failures, _never_found, _trust,
    _rival, _not_tried, _none,
)  # fmt: skip


def _as_the_gate_says(verdict: Verdict) -> _Found:
    gate = verdict.gate
    if gate is None or gate.passed:
        return None
    return f"keep {short(gate.against, _NAME)}", _plain("The gate was not passed.", "real")


def _without_leaks(verdict: Verdict) -> _Found:
    if not verdict.leaks:
        return None
    names = join(few([repr(short(name, 30)) for name in verdict.leaks], 2))
    basis = "With such a column the error says nothing of rows whose class is not known yet."
    return f"if not, judge again without {names} (--drop)", _plain(basis)


def _as_the_table_asks(verdict: Verdict) -> _Found:
    note = _warning(verdict)
    if note is None or not note.remedy:
        return None
    return note.remedy, _found_in_the_table(note)


def _beyond_guessing(verdict: Verdict) -> _Found:
    if not _lost(verdict):
        return None
    found, advice = verdict.undecided, verdict.combination
    if any(one.n_failed for one in verdict.candidates):
        return "see below why fits failed, and judge again", say_failures(verdict)[0]
    if verdict.guesses and advice is not None and advice.conclusion == "helps":
        detail = say_combining(verdict)[0]
        return "judge by --loss auc or log-loss, for the columns do tell the classes apart", detail
    if found is not None and within_reach(verdict, found.more_rows):
        rows = rough(found.more_rows or 0)
        return f"about {rows} more rows may tell", say_undecided(verdict)[0]
    basis = "Nobody is shown to know more of the class than its frequency, by these columns."
    return "look for columns that tell more of the class", _plain(basis)


def _recalibrate(verdict: Verdict) -> _Found:
    trust = verdict.trust
    if trust.hard or trust.finding not in WRONG or verdict.contradicts or _imported(verdict):
        return None
    if trust.recalibration.chosen == "none":
        return None
    do = f"use {short(verdict.model, _NAME)}" if verdict.model else _FIT
    does = f"{trust.recalibration.chosen} recalibration corrects its probabilities"
    return f"{do}: {does}", say_trust(verdict)[0]


def _imported(verdict: Verdict) -> bool:
    return bool(verdict.provenance.get("imported"))


def _collect(verdict: Verdict) -> _Found:
    forecast = None if verdict.anatomy is None else verdict.anatomy.forecast
    said = say_more_data(verdict)
    if forecast is None or forecast.answers[0] != "yes" or not said:
        return None
    gain = points(float(forecast.to_frame()["gain"].iloc[0]))
    return f"get more rows; twice as many would take about {gain} off", said[0]


def _bag(verdict: Verdict) -> _Found:
    advice = None if verdict.anatomy is None else verdict.anatomy.bagging
    said = say_bagging(verdict)
    if advice is None or advice.answer != "yes" or not said:
        return None
    return f"try bagging it, which may take about {points(advice.expected)} off its error", said[0]


def _combine(verdict: Verdict) -> _Found:
    advice = verdict.combination
    # Of labels alone a combination always ranks better, as it has more than two values.
    if advice is None or advice.conclusion != "helps" or verdict.trust.hard:
        return None
    if advice.interval[0] < NEGLIGIBLE:
        return None
    text = f"combine the candidates, which ranks better by {points(advice.difference)} of AUC"
    return text, say_combining(verdict)[0]


def _decide(verdict: Verdict) -> _Found:
    """Say how many rows may tell, of what the caveat says that these do not."""
    found, caveat = verdict.undecided, _rival(verdict)
    if caveat is None:
        return None
    if found is not None and within_reach(verdict, found.more_rows):
        rows, rival = rough(found.more_rows or 0), short(call(verdict, found.rival), _NAME)
        return f"use it; about {rows} more rows may tell it from {rival}", caveat[1]
    if _imported(verdict):
        return "choose between them by cost, or judge more rows", caveat[1]
    return None


def _use(verdict: Verdict) -> _Found:
    do = "use it" if _imported(verdict) else _FIT
    if verdict.model and not _imported(verdict):
        do = f"predict new rows with {short(verdict.model, _NAME)}"
    return do, _plain("Nothing that was asked speaks for doing more first.")


_STEPS: tuple[_Asks, ...] = (
    _as_the_gate_says, _without_leaks, _as_the_table_asks, _beyond_guessing, _recalibrate, _collect,
    _bag, _combine, _decide, _use,
)  # fmt: skip
