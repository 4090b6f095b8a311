"""Learners on data sets by 5×2 cross-validation, through the study engine, while the budget lasts.

Runs are made a few at a time, over all data sets, so that a spent budget leaves whole runs.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polychotomy.arrays import Floats
from polychotomy.reproduction.inputs import load_numbers
from polychotomy.reproduction.request import Request
from polychotomy.study import Ledger, RepeatedFolds, Study

_SECONDS_A_STEP = 60.0  # how often the budget is looked at, where runs are shorter


@dataclass(frozen=True, eq=False)
class StudyResults:
    """Errors (data sets, runs, learners, 5, 2), and what they cost.

    ``seconds`` is that of the fits and predictions themselves.
    """

    errors: Floats
    names: tuple[str, ...]
    seconds: float

    @property
    def runs(self) -> int:
        """Whole runs."""
        return int(self.errors.shape[1])


def run_studies(
    request: Request, sets: Sequence[str], candidates: Mapping[str, Any], *, stratified: bool
) -> StudyResults:
    """Run what the study file lacks, then gather all whole runs that it has."""
    data = {name: load_numbers(name, request.data) for name in sets}
    with Ledger(request.study) as ledger:
        done = _advance(ledger, request, data, candidates, stratified)
        return _gather(ledger, data, candidates, done, request.seed, stratified)


def _studies(
    data: Mapping[str, Any], candidates: Mapping[str, Any], runs: int, seed: int, stratified: bool
) -> dict[str, Study]:
    plan = RepeatedFolds(runs=runs, stratified=stratified)
    return {
        name: Study(candidates, X, y, dataset=name, plan=plan, random_state=seed)
        for name, (X, y) in data.items()
    }


def _advance(
    ledger: Ledger,
    request: Request,
    data: Mapping[str, Any],
    candidates: Mapping[str, Any],
    stratified: bool,
) -> int:
    """Run until all runs are there or the budget is spent; return how many there are."""
    done, step = 0, 1
    while done < request.runs:
        target = min(done + step, request.runs)
        start = time.monotonic()
        for study in _studies(data, candidates, target, request.seed, stratified).values():
            study.run(ledger, n_jobs=request.n_jobs)
        a_run = (time.monotonic() - start) / (target - done)
        done = target
        if request.progress is not None:
            request.progress(done, request.runs, 0)
        if request.budget.is_spent():
            break
        step = max(1, int(min(_SECONDS_A_STEP, request.budget.left()) / max(a_run, 1e-9)))
    return done


def _gather(
    ledger: Ledger,
    data: Mapping[str, Any],
    candidates: Mapping[str, Any],
    runs: int,
    seed: int,
    stratified: bool,
) -> StudyResults:
    errors = np.empty((len(data), runs, len(candidates), 5, 2))
    for d, study in enumerate(_studies(data, candidates, runs, seed, stratified).values()):
        errors[d] = np.moveaxis(study.gather(ledger).fold_errors(), 0, 1)
    seconds = sum(row["fit_seconds"] + row["predict_seconds"] for row in ledger.trials())
    return StudyResults(errors, tuple(candidates), float(seconds))
