"""Running a study as far as it takes: candidates first, and then what is asked of the best one.

Repeated cross-validation averages out the luck of the splits, and nothing else: it has no more rows
than one repetition has. So the study begins with one repetition of five folds and goes on only
while another drawing of the folds might well have led to another choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from signal import SIGINT, raise_signal
from threading import Thread, current_thread, main_thread
from time import monotonic
from typing import Any

import numpy as np

from polychotomy.core.exceptions import PolychotomyError
from polychotomy.study import HoldOut, Ledger, Race, RepeatedFolds, Study
from polychotomy.study.design.candidates import LeftOut
from polychotomy.study.design.plan import FirstRepetitions
from polychotomy.study.design.trials import Outcome
from polychotomy.study.progress import ShowProgress, saying
from polychotomy.study.study import TimeLeft
from polychotomy.verdict import anatomy as further
from polychotomy.verdict.case import case_of_study, is_baseline
from polychotomy.verdict.choosing import STEADY, how_steady, order_candidates
from polychotomy.verdict.columns import fit_columns
from polychotomy.verdict.evidence import Evidence, read_evidence
from polychotomy.verdict.question import Question, guessing_on, rungs_of
from polychotomy.verdict.rungs import left_behind, run_rungs


@contextmanager
def open_ledger(into: str | Path | Ledger | None) -> Iterator[Ledger]:
    """Give a ledger, in a file or in memory, and close it in the end; one that is open stays so."""
    if isinstance(into, Ledger):
        yield into
        return
    with Ledger(into) as ledger:
        yield ledger


# How long fits may go on once they should stop: seconds, and of a budget, before it is over.
PATIENCE, OF_A_BUDGET = 3.0, 0.1


@contextmanager
def interrupting_at(deadline: float, patience: float) -> Iterator[None]:
    """Stop like somebody who presses Ctrl-C once the time is over, and soon after once more.

    Not by looking at the clock after every fit: a single one may take longer than all the time.
    Nothing comes after the end, whenever that is.
    """
    if deadline == np.inf or current_thread() is not main_thread():
        yield
        return
    ended: SimpleQueue[None] = SimpleQueue()  # an Event may be interrupted while it is set

    def interrupt() -> None:
        for wait in (max(deadline - monotonic(), 0.0), patience):
            try:
                ended.get(timeout=wait)
                break
            except Empty:
                raise_signal(SIGINT)

    clock = Thread(target=interrupt, daemon=True)
    try:
        clock.start()
        yield
    finally:
        try:
            ended.put(None)
        finally:  # the first may come in the line above, and in the next ones what it has begun
            ended.put(None)
            clock.join()


def run_study(
    study: Study,
    question: Question,
    ledger: Ledger,
    *,
    anatomy: bool | None = True,
    notes: Sequence[str] = (),
    progress: ShowProgress | None = None,
    pilots: Sequence[Outcome] = (),
    most_runs: int = 1,
    deadline: float = np.inf,
    tell: Callable[[str], None] | None = None,
    expected: Mapping[str, float] | None = None,
    **running: Any,
) -> Ledger:
    """Run what the ledger does not have: all candidates, then what limits the best; return it.

    ``running`` goes to :meth:`Study.run`; ``notes`` are told where every candidate fails;
    ``pilots`` are fits that were made beforehand, and ``expected`` the seconds of a fit of each
    candidate, where the time is short.

    Up to ``most_runs`` runs of the plan are made, as long as another one might change the choice;
    :func:`so_far` tells how many there are. On large tables, fits on some of the rows come first;
    ``tell`` is given a line on each such size. What limits the best is asked where ``anatomy`` is
    True, and where it is None if the time allows: a share of what the comparison took, and up to
    the ``deadline``, by the monotonic clock.
    """
    question = question.about(guessing_on(study, question))
    study.record_pilots(ledger, pilots)
    running["time_left"] = None if expected is None else TimeLeft(expected, deadline)
    if most_runs > 1 and rungs_of(study, question):
        on_fewer = saying(progress, "comparing on fewer rows")
        study = run_rungs(study, question, ledger, tell=tell, progress=on_fewer, **running)
    running["progress"] = saying(progress, "comparing")
    study.run(ledger, race=Race() if question.race else None, **running)
    while study.plan.runs < most_runs:
        evidence = read_evidence(case_of_study(study), ledger, question, notes=notes)
        steady = how_steady(question, evidence)
        repetition = evidence.seconds / study.plan.runs / running.get("n_jobs", 1)
        if steady is None or steady >= STEADY or monotonic() + repetition > deadline:
            break
        study = with_runs(study, study.plan.runs + 1)
        study.run(ledger, **running | {"progress": saying(progress, "comparing once more")})
    if anatomy is not False:
        evidence = read_evidence(case_of_study(study), ledger, question, notes=notes)
        most = max(further.ANATOMY_SHARE * evidence.seconds, further.ALWAYS_ALLOWED)
        end = None if anatomy else deadline
        running["progress"] = progress
        del running["time_left"]
        try:
            _fit_further(study, question, ledger, evidence, most=most, deadline=end, **running)
        except PolychotomyError:  # of the ledger or the workers, as anywhere
            raise
        except Exception as error:  # a mistake in what only adds to the choice
            lost = {study.dataset: f"{type(error).__name__}: {error}"}
            ledger.write_facts({"not fitted": (ledger.fact("not fitted") or {}) | lost})
    return ledger


def _fit_further(
    study: Study,
    question: Question,
    ledger: Ledger,
    evidence: Evidence,
    *,
    most: float,
    deadline: float | None,
    progress: ShowProgress | None,
    **running: Any,
) -> None:
    """Fit what limits the best candidate and which columns matter to it.

    In ``most`` seconds of fitting, up to the ``deadline``; without one it takes what it takes.
    """
    _, ordering = order_candidates(question, evidence)
    best, baselines = ordering.names[ordering.best], case_of_study(study).baselines
    if best in baselines or best in evidence.contradictions:
        return

    def within() -> float | None:
        if deadline is None:
            return None
        return min(most, (deadline - monotonic()) * running.get("n_jobs", 1))

    rivals = further.choose_rivals(evidence, best, baselines)
    show = saying(progress, f"what limits {best}")
    further.fit_anatomy(
        study, ledger, best, rivals=rivals, within=within(), progress=show, **running
    )
    show = saying(progress, f"which columns matter to {best}")
    fit_columns(study, ledger, question.criterion, best, within=within(), progress=show, **running)


def with_runs(study: Study, runs: int) -> Study:
    """Return the same study with so many runs of its plan."""
    assert isinstance(study.plan, RepeatedFolds | HoldOut), "only such a plan grows"
    return study.changed(plan=replace(study.plan, runs=runs))


_STOPPED = "the study was stopped before its first fits on all rows were made"


def so_far(
    study: Study, ledger: Ledger, question: Question, *, grows: bool = True, why: str = _STOPPED
) -> tuple[Study, tuple[LeftOut, ...]] | None:
    """Return the part of a study that is complete, and who is not in it.

    These are the runs, or of one run the repetitions, that all candidates have finished, but for
    those that a race has stopped; before the first, the candidates that have finished it, or the
    largest part of the rows that some have been fitted on. None where nothing has been. ``why`` is
    said of those whose fits are not made. A study that ``grows`` has as many runs as there are.
    """
    done = ledger.done()
    question = question.about(guessing_on(study, question))
    rungs = rungs_of(study, question)
    behind = left_behind(study, question, ledger) if rungs else {}
    guesses = {name for name, one in study.candidates.items() if is_baseline(one)}
    guesses = guesses if len(guesses) < len(study.candidates) else set()
    for plan in (study.plan, *reversed(rungs)):
        complete = {}
        for name in study.candidates:
            found = done.get((study.dataset, name, plan.name))
            if found is not None and name not in behind:
                missing = np.flatnonzero(~found.all(axis=1))
                complete[name] = int(missing[0]) if len(missing) else len(found)
        # MultiTest is of whole runs, and so is what has one repetition, or folds that were given.
        parted = isinstance(plan, RepeatedFolds) and question.rule != "paper"
        least = 1 if parted else plan.repetitions
        kept = {name: study.candidates[name] for name, n in complete.items() if n >= least}
        # Guesses come first, and alone are no choice; nor is, at a rung, any one alone.
        if len(kept) > (plan is not study.plan) and not guesses >= kept.keys():
            break
    else:
        return None
    left_out = tuple(
        behind.get(name, LeftOut(name, why)) for name in study.candidates if name not in kept
    )
    part = study.changed(candidates=kept)
    if plan is not study.plan:
        return part.changed(plan=plan), left_out
    stopped = {one["candidate"] for one in ledger.stopped() if one["dataset"] == study.dataset}
    made = min([complete[name] for name in kept if name not in stopped] or [least])
    runs = made // plan.repetitions
    if not runs:
        assert isinstance(plan, RepeatedFolds), "only such a plan has a part by repetitions"
        shape: dict[str, Any] = {"folds": plan.folds, "stratified": plan.stratified}
        first = FirstRepetitions(repetitions=made, of=plan.repetitions, **shape)
        return part.changed(plan=first), left_out
    if not grows and runs >= plan.runs:
        return part, left_out
    return with_runs(part, runs), left_out
