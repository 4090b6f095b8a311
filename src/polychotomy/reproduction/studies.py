"""Learners on data sets by 5×2 cross-validation, through the study engine, while the budget lasts.

Runs are made a few at a time, over all data sets, so that a spent budget leaves whole runs.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import LearnerError
from polychotomy.reproduction.inputs import load_numbers
from polychotomy.reproduction.request import Request
from polychotomy.reproduction.tasks import count_runs
from polychotomy.study import Ledger, RepeatedFolds, StudySpec

_SECONDS_A_STEP = 60.0  # how often the budget is looked at, where runs are shorter


@dataclass(frozen=True, eq=False)
class StudyResults:
    """Errors (data sets, runs, learners, 5, 2), and what they cost.

    ``seconds`` is that of the fits and predictions themselves; ``seconds_a_run`` that of one run,
    each fit taken at the median time of its kind, so that a busy hour does not count.
    """

    errors: Floats
    seconds: float
    seconds_a_run: float

    @property
    def runs(self) -> int:
        """Whole runs."""
        return int(self.errors.shape[1])


def run_studies(
    request: Request,
    sets: Sequence[str],
    candidates: Mapping[str, Any],
    *,
    stratified: bool,
    runs: int,
) -> StudyResults:
    """Run what the study file lacks, then gather all whole runs."""
    spec = StudySpec(
        {name: load_numbers(name, request.data) for name in sets},
        candidates,
        plan=RepeatedFolds(runs=1, stratified=stratified),
        keep="labels",
        random_state=request.seed,
    )
    with Ledger(request.study) as ledger:
        done = _advance(spec, ledger, request, runs)
        errors = [_errors(ledger, name, _with_runs(spec, done)) for name in sets]
        trials = [trial for trial in ledger.trials() if trial["run"] < done]
    return StudyResults(np.array(errors), *_seconds(trials))


def _seconds(trials: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Time of all trials, and of a run of ten fits of each kind at their median time."""
    kinds: dict[tuple[str, str], list[float]] = {}
    for trial in trials:
        spent = trial["fit_seconds"] + trial["predict_seconds"]
        kinds.setdefault((trial["dataset"], trial["candidate"]), []).append(spent)
    a_run = sum(10 * float(np.median(spent)) for spent in kinds.values())
    return sum(sum(spent) for spent in kinds.values()), a_run


def _with_runs(spec: StudySpec, runs: int) -> StudySpec:
    plan = RepeatedFolds(runs=runs, stratified=spec.plan.name.endswith("folds"))
    return replace(spec, plan=plan)


def _advance(spec: StudySpec, ledger: Ledger, request: Request, runs: int) -> int:
    """Run until all runs are there or the budget is spent; return how many there are."""
    now, step = count_runs(min(_whole_runs(spec, ledger), runs), runs), 1
    start = time.monotonic()
    while now.done < runs:
        target = min(now.done + step, runs)
        _with_runs(spec, target).run(ledger, n_jobs=request.n_jobs)
        now = replace(now, done=target, seconds=time.monotonic() - start)
        request.progress(now)
        if request.budget.is_spent():
            break
        step = max(1, int(min(_SECONDS_A_STEP, request.budget.left()) / max(1 / now.rate, 1e-3)))
    return now.done


def _whole_runs(spec: StudySpec, ledger: Ledger) -> int:
    """Return how many runs the ledger has of every candidate on every data set."""
    found = ledger.done()
    counts = []
    for dataset in spec.datasets:
        for candidate in spec.candidates:
            fits = found.get((dataset, candidate, spec.plan.name), np.zeros((0, 2), dtype=bool))
            whole = np.atleast_1d(fits.reshape(-1, 10).all(axis=1))
            counts.append(len(whole) if whole.all() else int(np.argmin(whole)))
    return min(counts)


def _errors(ledger: Ledger, dataset: str, spec: StudySpec) -> Floats:
    """Errors (runs, learners, 5, 2) on one data set."""
    names = list(spec.candidates)
    errors = ledger.fold_errors(names, dataset=dataset, plan=spec.plan.name, runs=spec.plan.runs)
    failed = np.argwhere(np.isnan(errors))
    if len(failed):
        raise LearnerError(
            f"{names[failed[0][0]]!r} failed on {dataset!r} in {len(failed)} fits; expected none. "
            "The study file says why: polychotomy export."
        )
    return np.moveaxis(errors, 0, 1)
