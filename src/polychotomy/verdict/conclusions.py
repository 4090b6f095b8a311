"""From a study to its verdict: it is run, and every question is asked of the evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from polychotomy.combination import CombinationAdvice, would_combining_help
from polychotomy.combination.advice import MOST_PAIRS, MOST_SAMPLES
from polychotomy.comparison import Criterion, RankSets, rank_sets
from polychotomy.core.arguments import shown
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput, NoVerdictYet
from polychotomy.core.numbers import seconds as said_seconds
from polychotomy.core.predictions import OutOfFold, out_of_fold_forecasts
from polychotomy.study import Ledger, Study, TimeFolds
from polychotomy.study.design.candidates import LeftOut
from polychotomy.study.design.plan import FirstRepetitions
from polychotomy.tables.column_notes import gather_notes
from polychotomy.validation import RankingCurve, Trust, assess_trust, confusion_of
from polychotomy.validation.ranking import ranking_curve
from polychotomy.validation.sets import assess_sets
from polychotomy.verdict import choosing, running
from polychotomy.verdict import notes as remarks
from polychotomy.verdict.anatomy import read_anatomy, why_not_fitted
from polychotomy.verdict.by_group import find_weak_slice
from polychotomy.verdict.case import Case, case_of_study
from polychotomy.verdict.columns import read_columns
from polychotomy.verdict.decisions import ask_recalibrated, tune_decisions
from polychotomy.verdict.evidence import (
    Evidence,
    find_drift,
    price_candidates,
    read_evidence,
    summarise,
)
from polychotomy.verdict.findings import Candidate, Columns, NotAsked, Timings
from polychotomy.verdict.question import Question, cost_of_guessing, note_costs
from polychotomy.verdict.verdict import Verdict


class Drawn(NamedTuple):
    """A verdict, and whether somebody stopped its study."""

    verdict: Verdict
    stopped: bool


def run_to_verdict(
    study: Study,
    question: Question,
    into: str | Path | Ledger | None,
    *,
    began: float,
    budget: float | None,
    anatomy: bool | None,
    notes: Sequence[str],
    most_runs: int,
    left_out: tuple[LeftOut, ...],
    by: tuple[str, Any] | None,
    stoppable: bool = False,
    known: dict[str, Any] | None = None,
    **how: Any,
) -> Drawn:
    """Run a study into a ledger, or a file of one, and draw its verdict.

    A study whose time is over gives the verdict on what of it is complete; where it is
    ``stoppable``, whoever stops it gets that, too. ``known`` goes to :func:`conclude`, ``how``
    to :func:`run_study`.
    """
    patience = min(running.PATIENCE, running.OF_A_BUDGET * (budget or 0.0))
    deadline = np.inf if budget is None else began + budget - patience
    grows, stopped = most_runs > 1, False
    with running.open_ledger(into) as ledger:
        try:
            options: dict[str, Any] = {"anatomy": anatomy, "notes": notes, "most_runs": most_runs}
            with running.interrupting_at(deadline, patience):
                running.run_study(study, question, ledger, deadline=deadline, **options, **how)
            part = running.so_far(study, ledger, question) if grows else None
        except KeyboardInterrupt as end:
            stopped = monotonic() < deadline
            if stopped and not stoppable:
                raise
            why = "somebody stopped it" if stopped else f"its {said_seconds(budget or 0)} are over"
            part = running.so_far(study, ledger, question, grows=grows)
            if part is None:
                raise _nothing_yet(question, end, None if stopped else why) from None
            notes = (*notes, _say_so_far(study, part[0], why, grows=grows))
        if part is not None:
            study, left_out = part[0], (*left_out, *part[1])
        asked: dict[str, Any] = {"anatomy": anatomy is not False, "known": known}
        verdict = conclude(study, ledger, question, notes=notes, left_out=left_out, **asked)
        return Drawn(verdict if by is None else with_groups(verdict, *by), stopped)


def _nothing_yet(
    question: Question, end: KeyboardInterrupt, why: str | None
) -> KeyboardInterrupt | NoVerdictYet:
    """Say that there is no verdict; ``why`` where nobody stopped the study."""
    least = "all folds" if question.rule == "paper" else "one repetition of the folds"
    missing = f"; there is no verdict yet, as no candidate has {least}"
    if why is None:
        return KeyboardInterrupt(f"{str(end) or 'stopped'}{missing}")
    return NoVerdictYet(f"{why}{missing}. Give it more time, or fewer candidates.")


def _say_so_far(study: Study, part: Study, why: str, *, grows: bool) -> str:
    made = more = ""
    if isinstance(part.plan, FirstRepetitions):
        made = f", by {part.plan.repetitions} of {part.plan.of} repetitions"
    if grows or part.plan != study.plan:
        more = (
            ", and more repetitions would make the choice depend less on how the folds were drawn"
        )
    return (
        f"this is the verdict so far{made}, as {why}: its intervals hold for that (of two equal "
        f"1-NN, 8 to 11 in 100 are yet called different){more}; the same again, with a study "
        "file, goes on from there"
    )


def conclude(
    study: Study,
    ledger: Ledger,
    question: Question | None = None,
    *,
    anatomy: bool = True,
    notes: Sequence[str] = (),
    left_out: Sequence[LeftOut] = (),
    known: Mapping[str, Any] | None = None,
) -> Verdict:
    """Draw the verdict from a ledger; nothing is fitted.

    Without ``anatomy``, what the ledger has on what limits the best candidate is not read.
    ``known`` is recorded in the verdict's provenance.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.study import Study
    >>> X, y = load_iris(return_X_y=True)
    >>> study = Study({"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}, X, y)
    >>> with study.run() as ledger:
    ...     conclude(study, ledger).best
    'naive Bayes'
    """
    question = question or Question()
    given = {"study": study, "ledger": ledger, "question": question}
    for (name, one), kind in zip(given.items(), (Study, Ledger, Question), strict=True):
        if not isinstance(one, kind):
            raise InvalidInput(
                f"{name} is {shown(one)}; expected a {kind.__name__}: conclude(study, ledger) "
                "with ledger = study.run(), or judge(candidates, X, y) for all in one."
            )
    more = gather_notes(lambda: remarks.note_tuned(study))
    asked: dict[str, Any] = {"anatomy": anatomy, "left_out": left_out, "known": known}
    verdict = conclude_case(case_of_study(study), ledger, question, notes=(*notes, *more), **asked)
    wrong, weak = verdict.wrong, None
    if wrong is not None and not verdict.guesses and not hasattr(study.X, "tocsr"):
        weak = _spared("where it errs most", find_weak_slice, wrong, study.X, groups=study.groups)
    if isinstance(weak, NotAsked):
        verdict, weak = replace(verdict, notes=(*verdict.notes, weak.reason)), None
    return replace(verdict, study=study, weak=weak)


def conclude_case(
    case: Case,
    ledger: Ledger,
    question: Question,
    *,
    anatomy: bool = True,
    notes: Sequence[str] = (),
    left_out: Sequence[LeftOut] = (),
    known: Mapping[str, Any] | None = None,
) -> Verdict:
    """Draw the verdict on one case of a ledger, wherever its fits were made."""
    evidence = read_evidence(case, ledger, question, notes=notes)
    criterion, predictions = question.criterion, evidence.predictions
    guessing = None
    if not evidence.only_right:
        counts = np.bincount(predictions.y, case.weights, minlength=len(predictions.classes))
        guessing = cost_of_guessing(criterion, counts, predictions.classes)
    question = question.about(guessing)
    frequencies, ordering = choosing.order_candidates(question, evidence)
    best = ordering.names[ordering.best]
    guess = best if best in case.baselines else None
    pairs, ranks = choosing.compare_all(question, evidence), _ranks(evidence)
    undecided = choosing.find_undecided(question, evidence, ordering, pairs, case.baselines)
    if ranks is not None:  # of several models on one test set all pairs are told apart at once
        said = np.array(pairs.answers, dtype=object)
        said[~ranks.apart & np.isin(said, ("better", "worse"))] = "undecided"
        pairs = replace(pairs, answers=tuple(map(tuple, said.tolist())))
    selected = choosing.correct_for_choice(
        question, evidence, ordering, case.groups, guess=guess, seed=case.seed
    )
    candidates = summarise(evidence)
    forecasts, trust_notes = some_forecasts(evidence.tested)
    trust = assess_trust(forecasts, best, random_state=case.seed)
    # The labels that were scored: by costs not the most probable, but the cheapest.
    scored = replace(predictions, predicted=criterion.decisions(predictions))
    answers, more_notes = _answer_further(
        case, ledger, question, evidence, best, forecasts, trust, candidates, scored, asked=anatomy
    )
    provenance = remarks.provenance_of(
        case, ledger, question, trust=trust, selected=selected, known=known
    )
    why = {name: one.reason for name, one in answers.items() if isinstance(one, NotAsked)}
    verdict = Verdict(
        **{name: one for name, one in answers.items() if name not in why},
        best=best, ordering=ordering, rule=question.rule, margin=question.smallest_difference,
        criterion=criterion, frequencies=frequencies, differences=pairs, selected=selected,
        undecided=undecided, trust=trust, confusion=confusion_of(scored, best),
        price=price_candidates(candidates, evidence, criterion.words),
        gate=choosing.hold_gate(question, evidence, ordering, case.baselines),
        candidates=candidates, failures=evidence.failures, left_out=tuple(left_out),
        dataset={"name": case.dataset, **case.specification["datasets"][case.dataset]},
        plan={"name": case.plan.name, **case.plan.to_dict()},
        training_share=evidence.training_share, baselines=case.baselines,
        timings=_timings(ledger, case.dataset), model=None, provenance=provenance,
        notes=(
            *notes,
            *(*evidence.notes, *trust_notes, *more_notes, *why.values()),
            *gather_notes(
                lambda: note_costs(criterion, predictions.classes),
                lambda: remarks.note_labels(criterion, predictions, evidence.as_given),
                lambda: remarks.note_rare(question, predictions.classes, predictions.y),
                lambda: remarks.note_untrained_classes(case.plan, evidence.splits, predictions),
                lambda: remarks.note_warnings(evidence.trials),
                lambda: remarks.note_lost(provenance),
            ),
        ),
        not_asked=why, contradictions=tuple(evidence.contradictions.values()), ranks=ranks,
        steady=choosing.how_steady(question, evidence), guessing=guessing,
    )  # fmt: skip
    by, values = (ledger.fact("by") or {}).get(case.dataset, (None, ()))
    return verdict if by is None else with_groups(verdict, by, _numbers_if_all(values), case)


def _answer_further(
    case: Case,
    ledger: Ledger,
    question: Question,
    evidence: Evidence,
    best: str,
    forecasts: OutOfFold,
    trust: Trust,
    candidates: Sequence[Candidate],
    scored: OutOfFold,
    *,
    asked: bool,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Answer what only adds to the choice, by the verdict's names, or say why not; and notes."""
    criterion, guess = question.criterion, best if best in case.baselines else None
    of_all, kept = (question, evidence), (case, ledger, evidence)
    answers: dict[str, Any] = {}
    if not trust.hard and not guess:  # of what a model of the best one gives, recalibrated or not
        own, given = out_of_fold_forecasts(forecasts, best), trust.recalibration.probabilities
        answers["sets"] = _spared("how large sets of classes are", assess_sets, own, given)
    answers["ranking"] = _spared(
        "the ranking", rank_rows, evidence, best, candidates, case.baselines
    )
    answers["combination"], notes = combine(evidence, best, guess=guess)
    limits = _spared("what limits the error", read_anatomy, *kept, best, asked=asked)
    if not isinstance(limits, NotAsked):
        limits, more = limits
        notes = (*more, *notes)
    answers |= {
        "anatomy": limits,
        "columns": _spared("which columns matter", _columns, *kept, criterion, best, asked=asked),
        "recalibrated": _spared("who is best, all recalibrated", ask_recalibrated, *of_all, best),
        "decisions": _spared("what tuning gains", tune_decisions, criterion, evidence, best, trust),
        "other_rule": _spared("what the other rule chooses", choosing.ask_other_rule, *of_all),
    }
    if isinstance(case.plan, TimeFolds) and criterion.name == "error":
        grouped = case.groups is not None
        answers["drift"] = _spared("whether it drifts", find_drift, evidence, best, grouped=grouped)
    if criterion.name != "score":
        at = scored.names.index(best)
        answers["wrong"] = _spared("which rows it gets wrong", _share_wrong, scored, at)
    return answers, notes


def _spared(what: str, answer: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """Answer what only adds to the choice: a mistake in it is said, and costs nothing."""
    try:
        return answer(*given, **options)
    except Exception as error:
        return NotAsked(f"{what} is not known: {type(error).__name__}: {error}")


def with_groups(verdict: Verdict, column: str, values: Any, case: Case | None = None) -> Verdict:
    """Add for whom it errs; where that cannot be said, a note: the fits are not lost by it."""
    told = {} if case is None else {"groups": case.groups, "weights": case.weights}
    try:
        return replace(verdict, by=verdict.errors_by(values, column=column, **told))
    except Exception as error:
        note = f"errors by {column!r} were left out: {error}"
        return replace(verdict, notes=(*verdict.notes, note))


def _numbers_if_all(texts: Sequence[str]) -> Sequence[Any]:
    """Return what a file has as texts as numbers, if these are all numbers or gaps."""
    try:
        return [float(text or "nan") for text in texts]
    except ValueError:
        return texts


def _ranks(evidence: Evidence) -> RankSets | None:
    """Find the ranks of models as they are; those that learn would vary with the training set."""
    if not evidence.as_given or evidence.cases is None or len(evidence.names) < 3:
        return None
    losses = evidence.cases[evidence.sound].mean(axis=1)
    return rank_sets(losses, names=evidence.names, groups=evidence.groups)


def _columns(
    case: Case, ledger: Ledger, evidence: Evidence, criterion: Criterion, best: str, *, asked: bool
) -> Columns | NotAsked:
    """Read which columns matter, or say why that is not known."""
    found = ((ledger.fact("columns") or {}).get(case.dataset) or {}).get(best)
    if asked and found is not None and found["loss"] == criterion.to_dict():
        return read_columns(found)
    why = why_not_fitted(case, evidence, best, asked=asked)
    if why is None and found is not None:
        why = ": that was by another loss; judging again by this one asks it"
    more = ": it takes further fits, which there was no time for; --anatomy asks it"
    return NotAsked(f"which columns matter was not asked{why or more}")


def _share_wrong(scored: OutOfFold, at: int) -> Floats:
    """In what share of the repetitions a learner's label of each row was wrong; NaN without any."""
    labels = scored.predicted[at]
    made = (labels >= 0).sum(axis=(0, 1))
    wrong = ((labels >= 0) & (labels != scored.y)).sum(axis=(0, 1))
    return np.divide(wrong, made, out=np.full(len(made), np.nan), where=made > 0)


def _timings(ledger: Ledger, dataset: str) -> Timings:
    own = ledger.trials(dataset=dataset)
    spent = sum(t["fit_seconds"] + t["predict_seconds"] for t in own)
    more = ((ledger.fact("columns") or {}).get(dataset) or {}).values()
    fits, seconds = (sum(one.get(part, 0) for one in more) for part in ("fits", "seconds"))
    return Timings(len(own) + fits, spent + seconds)


_MOST_COMBINATIONS = 400  # class pairs × folds; fewer repetitions are asked where there are more

_ADVICE_LEVEL = 0.8  # as of bagging: with 10 % left out at each end, an answer is right in 90 %


def combine(
    evidence: Evidence, best: str, *, guess: str | None = None
) -> tuple[CombinationAdvice | NotAsked, tuple[str, ...]]:
    """Ask whether combining would gain over the best, or say why it was not asked; and notes.

    Over a guess it is no advice but the claim that the features tell anything, at 95 %.
    """
    if len(evidence.names) < 2:
        why = "combining was not asked about: it takes two candidates without a failure"
        return NotAsked(why), ()
    if evidence.only_right:
        told = "who was right" if evidence.predictions.scores is None else "what was scored"
        why = f"combining was not asked about: {told} is known, not what the answers were"
        return NotAsked(why), ()
    runs, repetitions, folds = evidence.losses.shape[1:]
    k, n = len(evidence.tested.classes), len(evidence.tested.y)
    pairs = min(k * (k - 1) // 2, MOST_PAIRS)
    most = min(_MOST_COMBINATIONS // (pairs * folds), MOST_SAMPLES // n)
    asked = max(1, min(repetitions, most))
    try:
        some = evidence.tested.part(runs=1, repetitions=asked)
        level = _ADVICE_LEVEL if guess is None else 0.95
        found = would_combining_help(some, over=best, level=level)
    except Exception as error:
        return NotAsked(f"combining was not asked about: {error}"), ()
    parts = []
    if runs * repetitions > asked:
        which = "first" if asked == 1 else f"first {asked}"
        parts.append(f"the {which} of {runs * repetitions} repetitions")
    if found.n_class_pairs < found.n_possible_pairs:
        parts.append(f"{found.n_class_pairs} of {found.n_possible_pairs} pairs of classes")
    if n > MOST_SAMPLES:
        parts.append(f"{found.n_samples} of {n} rows")
    said = f"combining was asked about in {' and '.join(parts)}, for the sake of time"
    return found, (said,) if parts else ()


_MOST_FORECASTS = 50_000  # of one learner: whatever speaks against them is seen in as many


def some_forecasts(predictions: OutOfFold) -> tuple[OutOfFold, tuple[str, ...]]:
    """Return as many forecasts as trust is asked of, and a note where these are not all.

    Fewer repetitions first, for they tell of the same rows; then rows drawn at random.

    Examples
    --------
    >>> import numpy as np
    >>> p = np.full((1, 1, 3, 60_000, 2), 0.5)
    >>> one = OutOfFold(names=("a",), classes=("n", "y"), y=np.arange(60_000) % 2, probabilities=p,
    ...     folds=np.zeros((1, 3, 60_000), dtype=int), predicted=p.argmax(axis=-1),
    ...     hard=np.array([False]))
    >>> some_forecasts(one)[1]
    ('trust was asked about of 50000 of 180000 forecasts, for the sake of time',)
    """
    runs, repetitions, n = predictions.folds.shape
    total = predictions.folds.size
    if total <= _MOST_FORECASTS:
        return predictions, ()
    most = max(1, _MOST_FORECASTS // n)
    runs, repetitions = max(1, min(runs, most // repetitions)), min(repetitions, most)
    rows = np.arange(n)
    if n > _MOST_FORECASTS:
        rows = np.sort(np.random.default_rng(0).permutation(n)[:_MOST_FORECASTS])
    some = predictions.part(rows=rows, runs=runs, repetitions=repetitions)
    said = f"trust was asked about of {some.folds.size} of {total} forecasts"
    return some, (f"{said}, for the sake of time",)


def rank_rows(
    evidence: Evidence, best: str, candidates: Sequence[Candidate], baselines: Sequence[str]
) -> tuple[RankingCurve, ...]:
    """Return the ranking curves of the best and of the one with the next mean, of one class.

    It is the rarer of two classes. Of several it is the one that is missed most often: a mean over
    classes would hide what it is asked for. Rows count once, as the first repetition has them.
    """
    found = evidence.predictions
    missing = best in baselines or bool(found.hard[found.names.index(best)])
    if missing or best in evidence.contradictions or evidence.only_right:
        return ()
    unfit = {*baselines, best, *compress(found.names, found.hard)}
    usable = [one for one in candidates if np.isfinite(one.loss) and one.name not in unfit]
    rivals = [one.name for one in sorted(usable, key=lambda one: one.loss)[:1]]
    rows = found.folds[0, 0] >= 0
    y, labels = found.y[rows], found.predicted[found.names.index(best), 0, 0, rows]
    sizes = np.bincount(y, minlength=len(found.classes))
    missed = np.bincount(y[labels != y], minlength=len(found.classes))
    code = int(missed.argmax()) if len(found.classes) > 2 else int(sizes.argmin())
    if not 0 < sizes[code] < len(y):
        return ()
    names = [best, *rivals]
    at = [found.names.index(name) for name in names]
    scores = found.probabilities[at, 0, 0][:, rows, code]
    return tuple(
        ranking_curve(one, y == code, name=name, label=found.classes[code])
        for name, one in zip(names, scores, strict=True)
        if np.isfinite(one).all()
    )
