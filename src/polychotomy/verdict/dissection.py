"""What limits the winner: further fits into the same ledger, and what they say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from polychotomy.decomposition import (
    LearningCurveForecast,
    decompose_predictions,
    learning_curve_forecast,
    would_bagging_help,
)
from polychotomy.exceptions import InvalidInput
from polychotomy.study import Bootstrap, Ledger, NestedSizes, Study
from polychotomy.study.plan import Plan
from polychotomy.study.progress import Progress, ShowProgress
from polychotomy.verdict.case import Case
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import Anatomy

BOOTSTRAP = Bootstrap(replicates=50)
SIZES = NestedSizes(folds=5, sizes=(0.2, 0.35, 0.6, 1.0))
N_FITS = BOOTSTRAP.n_trials + SIZES.n_trials
"""Fits that the anatomy of one candidate takes."""

WORTH_WORKERS = 15.0
"""Seconds of fitting from which starting worker processes pays."""

_NEIGHBOUR = "1-NN"
_FEWEST_REPLICATES = 20


def fit_anatomy(
    study: Study, ledger: Ledger, name: str, *, progress: ShowProgress | None, **running: Any
) -> None:
    """Fit the bootstrap replicates and training sizes of one candidate, as far as not recorded.

    Progress is counted on from the fits of the study itself.
    """
    plans = plans_for(study)
    if _expected_seconds(study, ledger, name) * sum(map(_n_trials, plans)) < WORTH_WORKERS:
        running |= {"n_jobs": 1} if running.get("cluster") is None else {}
    done = len(study.candidates) * _n_trials(study.plan)
    planned = done + sum(map(_n_trials, plans))
    for plan in plans:
        one = Study(
            {name: study.candidates[name]},
            study.X,
            study.y,
            dataset=study.dataset,
            plan=plan,
            groups=study.groups,
            random_state=study.random_state,
        )
        one.run(ledger, progress=_counting_on(progress, done, planned), **running)
        done += _n_trials(plan)


def _expected_seconds(study: Study, ledger: Ledger, name: str) -> float:
    """Seconds of one fit of a candidate, from those recorded."""
    spent = [
        trial["fit_seconds"] + trial["predict_seconds"]
        for trial in ledger.trials()
        if (trial["dataset"], trial["plan"], trial["candidate"])
        == (study.dataset, study.plan.name, name)
    ]
    return float(np.mean(spent))


def _n_trials(plan: Plan) -> int:
    return plan.runs * plan.repetitions * plan.n_folds


def _counting_on(show: ShowProgress | None, before: int, planned: int) -> ShowProgress | None:
    """Show the progress of a later part as that of the whole."""
    if show is None:
        return None

    def shown(now: Progress) -> None:
        show(replace(now, done=before + now.done, resumed=before + now.resumed, planned=planned))

    return shown


def plans_for(study: Study) -> tuple[Plan, ...]:
    """Return the plans that the anatomy of a study's winner takes; none for rows in time order."""
    if study.time is not None:
        return ()
    enough = int(study.data.target.counts.min()) >= SIZES.least_members
    return (BOOTSTRAP, SIZES) if enough else (BOOTSTRAP,)


def read_anatomy(
    case: Case, ledger: Ledger, evidence: Evidence, name: str
) -> tuple[Anatomy | None, tuple[str, ...]]:
    """Read what limits a candidate from the ledger, or say why that is not known."""
    if not case.can_fit:
        return None, ("what limits the error was not asked: nothing can be fitted again",)
    own = [
        trial
        for trial in ledger.trials()
        if (trial["dataset"], trial["candidate"]) == (case.dataset, name)
    ]
    done = {plan.name: [t for t in own if t["plan"] == plan.name] for plan in (BOOTSTRAP, SIZES)}
    if case.in_time:
        return None, ("what limits the error was not asked: resampling breaks the order of time",)
    if not done[BOOTSTRAP.name]:
        return None, ("what limits the error was not asked",)
    failed = [t for trials in done.values() for t in trials if t["status"] != "ok"]
    notes: tuple[str, ...] = ()
    if failed:
        notes = (
            f"{len(failed)} of the {sum(map(len, done.values()))} fits that ask what limits "
            f"{name} failed: {failed[0]['cause']}",
        )
    ok = sum(t["status"] == "ok" for t in done[BOOTSTRAP.name])
    if ok < _FEWEST_REPLICATES:
        return None, (*notes, "what limits the error is not known: too few fits succeeded")
    return _dissect(case, ledger, evidence, name, done[SIZES.name]), notes


def _dissect(
    case: Case,
    ledger: Ledger,
    evidence: Evidence,
    name: str,
    sized: list[dict[str, Any]],
) -> Anatomy:
    predictions, in_bag = ledger.bootstrap_predictions(name, dataset=case.dataset)
    budget = decompose_predictions(
        predictions,
        in_bag,
        evidence.predictions.y,
        nearest_neighbour_error=_neighbour_error(evidence),
    )
    budget = replace(budget, classes=evidence.predictions.classes)
    own = evidence.predictions.probabilities[evidence.predictions.names.index(name)]
    bagging = would_bagging_help(own, budget.aggregated, evidence.predictions.y)
    complete = len(sized) == SIZES.n_trials and all(t["status"] == "ok" for t in sized)
    return Anatomy(
        budgets={name: budget},
        bagging=bagging,
        forecast=_forecast(case, ledger, name, len(evidence.predictions.y)) if complete else None,
    )


def _neighbour_error(evidence: Evidence) -> float | None:
    """Error of 1-NN, for the bound on the error that nobody can avoid; None if it was not tried."""
    if _NEIGHBOUR not in evidence.names:
        return None
    row = evidence.predictions.names.index(_NEIGHBOUR)
    return float(evidence.errors[row].mean())


def _forecast(case: Case, ledger: Ledger, name: str, n: int) -> LearningCurveForecast | None:
    sizes, losses = ledger.size_errors(name, dataset=case.dataset)
    try:
        return learning_curve_forecast(sizes, losses, n=n)
    except InvalidInput:  # so few rows that two sizes are the same
        return None
