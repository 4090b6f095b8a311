"""How many repetitions a choice needs: none is fitted that could not change it.

Repeated cross-validation averages out the luck of the splits, and nothing else: it has no more rows
than one repetition has. So the study begins with one repetition of five folds and goes on only
while another drawing of the folds might well have led to another choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from polychotomy.core.arrays import Floats, Ints
from polychotomy.study import HoldOut, Ledger, RepeatedFolds, Study
from polychotomy.study.design.candidates import LeftOut
from polychotomy.study.design.plan import FirstRepetitions
from polychotomy.verdict.case import is_baseline
from polychotomy.verdict.conclusions import chooser, shown_worse
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.question import Question, guessing_on, rungs_of
from polychotomy.verdict.rungs import fallen

STEADY = 0.7
"""Probability, from which on no more repetitions are made, that they would not change the choice.

Set on 250 generated tables of 60 to 400 rows with seven candidates: 0.7 took 37 % of the fits of
five repetitions and cost 0.08 ± 0.08 points of true error, 0.9 took 57 % and cost nothing. On
samples of other, real tables ("A plan that grows", in the documentation) 0.7 took 38 % and cost
0.10 ± 0.10 points.
"""

_DRAWS = 400

# Variance of a mean over rows by the drawing of the folds alone. Measured with linear
# discriminants, nearest neighbours and trees: 0.96 to 1.24 of what rows, taken to be independent,
# have between repetitions; before there are two, 0.1 to 0.9 of the variance over rows.
_SHARED_FITS = 1.25
_OF_ONE = 0.4


def is_settled(question: Question, evidence: Evidence) -> bool:
    """Whether more folds, or more drawings of them, would hardly lead to another choice."""
    steady = how_steady(question, evidence)
    return steady is None or steady >= STEADY


def how_steady(question: Question, evidence: Evidence) -> float | None:
    """Return how likely it is that the choice would stay; None where there is nothing to choose.

    Nor is it known of a rule that chooses by one run, and of folds that can be drawn in one way
    only, as those in order of time.
    """
    if len(evidence.names) < 2 or question.rule == "paper" or not evidence.can_be_redrawn:
        return None
    return steadiness(
        evidence.tables,
        None if evidence.cases is None else evidence.cases[evidence.sound],
        chooser(question, ratio=evidence.ratio, beaten=shown_worse(question, evidence)),
        tested=float((evidence.predictions.folds[0, 0] >= 0).mean()),
    )


def steadiness(
    tables: Floats, cases: Floats | None, choose: Callable[[Floats], Ints], *, tested: float = 1.0
) -> float:
    """Probability that the mean over all drawings of the folds would lead to the same choice.

    The means seen are shifted by what the drawing of the folds alone may have done to them.

    Parameters
    ----------
    tables : (m, repetitions, folds) floats
        Mean losses in the folds.
    cases : (m, repetitions, n) floats, optional
        Losses of all rows. Without them the spread of the folds stands for theirs.
    choose : callable
        Tables (b, m, repetitions, folds) → who is chosen, (b,).
    tested : float
        Share of all rows that are tested in one repetition. Where it is not all of them, what the
        others would do to the means counts, too.

    Examples
    --------
    >>> import numpy as np
    >>> wrong = np.zeros((2, 1, 100))
    >>> wrong[0, 0, :50] = wrong[1, 0, 40:50] = 1
    >>> tables = wrong.reshape(2, 1, 5, 20).mean(axis=-1)
    >>> lowest = lambda errors: errors.mean(axis=(-1, -2)).argmin(axis=-1)
    >>> steadiness(tables, wrong, lowest)
    1.0
    """
    rows = tables.reshape(len(tables), 1, -1) if cases is None else cases
    m, repetitions, n = rows.shape
    if repetitions == 1:
        spread = (1 - tested + tested * _OF_ONE) * np.cov(rows[:, 0]).reshape(m, m) / n
    else:
        around = (rows - rows.mean(axis=1, keepdims=True)).reshape(m, -1)
        within = around @ around.T / ((repetitions - 1) * n)
        spread = _SHARED_FITS * within / (n * repetitions)
    shifts = np.random.default_rng(0).multivariate_normal(
        np.zeros(m), spread, size=_DRAWS, method="eigh"
    )
    seen = choose(tables[np.newaxis])
    drawn = choose(tables + shifts[:, :, np.newaxis, np.newaxis])
    return float(np.mean(drawn == seen))


def with_runs(study: Study, runs: int) -> Study:
    """Return the same study with so many runs of its plan."""
    assert isinstance(study.plan, RepeatedFolds | HoldOut), "only such a plan grows"
    return study.changed(plan=replace(study.plan, runs=runs))


STOPPED = "the study was stopped before its first fits on all rows were made"


def so_far(
    study: Study, ledger: Ledger, question: Question, *, grows: bool = True, why: str = STOPPED
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
    behind = fallen(study, question, ledger) if rungs else {}
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
