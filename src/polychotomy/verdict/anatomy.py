"""What limits the winner, and its nearest rivals: further fits into the same ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import (
    ErrorDecomposition,
    decompose_predictions,
    learning_curve_forecast,
    would_bagging_help,
)
from polychotomy.study import Bootstrap, Ledger, NestedSizes, Study
from polychotomy.study.design.plan import Plan
from polychotomy.study.progress import Progress, ShowProgress
from polychotomy.verdict.case import Case, is_baseline
from polychotomy.verdict.columns import FITS
from polychotomy.verdict.evidence import Evidence, mean_seconds
from polychotomy.verdict.findings import Anatomy, NotAsked

BOOTSTRAP = Bootstrap(replicates=50)

SIZES = NestedSizes(folds=5, sizes=(0.2, 0.35, 0.6, 1.0))

# Of a rival: the first half of the winner's bags, for its error budget alone.
RIVALS = Bootstrap(replicates=25)

WORTH_WORKERS = 15.0  # seconds of fitting from which starting worker processes pays

# Most that the rivals' fits may take, of the time that comparing all candidates took.
RIVALS_SHARE = 0.25

# Seconds for further fits, and as many for those of rivals, however quick the comparison was.
ALWAYS_ALLOWED = 20.0

# Most that the winner's further fits may take unasked, of the time that the comparison took.
ANATOMY_SHARE = 0.5


_NEIGHBOUR = "1-NN"

_FEWEST_REPLICATES = 20


def choose_rivals(evidence: Evidence, best: str, baselines: Sequence[str]) -> tuple[str, ...]:
    """Name the rivals worth an error budget: the best of the more complex, and of the simpler.

    Those have the lowest mean of the candidates that are less, and more, preferred than the best;
    one that ignores the features, or whose probabilities contradict its labels, is none.
    """
    means = dict(zip(evidence.names, evidence.tables.mean(axis=(1, 2)).tolist(), strict=True))
    at = evidence.names.index(best)
    sides = evidence.names[at + 1 :], evidence.names[:at]
    unfit = {*baselines, *evidence.contradictions}
    likely = ([name for name in side if name not in unfit] for side in sides)
    return tuple(min(side, key=means.__getitem__) for side in likely if side)


def fit_anatomy(
    study: Study,
    ledger: Ledger,
    name: str,
    *,
    rivals: Sequence[str] = (),
    within: float | None = None,
    progress: ShowProgress | None,
    **running: Any,
) -> None:
    """Fit what the anatomy of the best candidate takes, as far as it is not recorded.

    These are its bootstrap replicates and training sizes, and replicates of those ``rivals`` that
    there is time for. Progress is counted on from the fits of the study itself.

    Parameters
    ----------
    within : float, optional
        Seconds of fitting that all this may take; fewer replicates, then no sizes, then nothing
        where that is not enough. None takes what it takes.
    """
    seconds = mean_seconds(ledger.trials(dataset=study.dataset, plan=study.plan.name))
    compared = sum(seconds.values()) * study.plan.n_trials
    parts = affordable_parts(
        plans_for(study), seconds, name, rivals, compared=compared, within=within
    )
    expected = sum(seconds[one] * plan.n_trials for names, plan in parts for one in names)
    if expected < WORTH_WORKERS and running.get("cluster") is None:
        running["n_jobs"] = 1
    done = len(study.candidates) * study.plan.n_trials
    planned = done + sum(len(names) * plan.n_trials for names, plan in parts)
    for names, plan in parts:
        part = study.changed(plan=plan, candidates={one: study.candidates[one] for one in names})
        part.run(ledger, progress=_counting_on(progress, done, planned), **running)
        done += len(names) * plan.n_trials


def affordable_parts(
    plans: Sequence[Plan],
    seconds: Mapping[str, float],
    name: str,
    rivals: Sequence[str],
    *,
    compared: float,
    within: float | None,
) -> list[tuple[list[str], Plan]]:
    """Return whom to fit by which plan: of the best, the fullest choice that the time allows.

    Of the rivals the quicker one comes first, so that the dearer does not use up the time of both.

    Parameters
    ----------
    seconds : {name: float}
        Of a fit of each.
    compared, within : float
        What the comparison took, and what all this may take.
    """
    most, spent = np.inf if within is None else within, 0.0
    parts: list[tuple[list[str], Plan]] = []
    fewer = [RIVALS if plan is BOOTSTRAP else plan for plan in plans]
    for choice in (plans, fewer, fewer[:1]):
        spent = sum(_cost(plan, seconds[name]) for plan in choice)
        if spent <= most:
            parts = [([name], plan) for plan in choice]
            break
    left = min(max(RIVALS_SHARE * compared, ALWAYS_ALLOWED), most - spent)
    likely: list[str] = []
    for rival in sorted(rivals, key=seconds.__getitem__) if parts else ():
        if sum(_cost(RIVALS, seconds[one]) for one in (*likely, rival)) <= left:
            likely.append(rival)
    return [*parts, (likely, RIVALS)] if likely else parts


def _cost(plan: Plan, seconds: float) -> float:
    """Return the seconds of all fits of a plan, from those of one on four fifths of the rows."""
    size = sum(SIZES.sizes) / len(SIZES.sizes) if plan is SIZES else 5 / 4
    return size * seconds * plan.n_trials


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


def count_fits(study: Study) -> int:
    """Return how many fits the anatomy takes at most: the winner's, and those of two rivals.

    Those that ask which columns matter are counted, too. A candidate that ignores the features is
    no rival.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> count_fits(Study({"alone": GaussianNB()}, X, y))
    80
    """
    plans = plans_for(study)
    likely = sum(not is_baseline(one) for one in study.candidates.values())
    rivals = min(2, max(likely - 1, 0)) if plans else 0
    of_columns = 2 * min(FITS, study.plan.n_trials) if likely else 0
    return sum(plan.n_trials for plan in plans) + rivals * RIVALS.n_trials + of_columns


def read_anatomy(
    case: Case, ledger: Ledger, evidence: Evidence, name: str, *, asked: bool = True
) -> tuple[Anatomy | NotAsked, tuple[str, ...]]:
    """Read what limits a candidate from the ledger, or say why that is not known; and notes."""
    why = why_not_fitted(case, evidence, name, asked=asked)
    if case.can_fit and case.in_time:
        why = (
            ": its fits draw rows anew, which breaks the order of time; without time it would be "
            "asked, as of rows in no order"
        )
    if why is not None:
        return NotAsked(f"what limits the error was not asked{why}"), ()
    # Read once: every question of a ledger verifies all that it reads.
    trials = ledger.trials(dataset=case.dataset)
    bags, sized = (_made(trials, name, plan) for plan in (BOOTSTRAP, SIZES))
    lost = (ledger.fact("not fitted") or {}).get(case.dataset)
    if not bags and lost is not None:
        return NotAsked(f"what limits the error is not known: {lost}"), ()
    if not bags:
        why = (
            f"what limits the error was not asked: it takes {RIVALS.n_trials} further fits of "
            f"{name} or more, longer than {100 * ANATOMY_SHARE:g} % of the comparison's own time; "
            "--anatomy, or judge(…, anatomy=True), asks it"
        )
        return NotAsked(why), ()
    notes = _say_failed(name, [*bags, *sized])
    if _n_ok(bags) < _FEWEST_REPLICATES:
        return NotAsked("what limits the error is not known: too few fits succeeded"), notes
    n = len(evidence.predictions.y)
    rows = np.random.default_rng(0).permutation(n)[:_MOST_ROWS]
    rows = np.sort(rows) if n > _MOST_ROWS else np.arange(n)
    if n > _MOST_ROWS:
        said = f"what limits the error was asked about of {_MOST_ROWS} of {n} rows"
        notes = (*notes, f"{said}, for the sake of time")
    budgets, unknown = {name: _budget(case, ledger, evidence, name, rows)}, {}
    failed: list[str] = []
    for rival in choose_rivals(evidence, name, case.baselines):
        bags = _made(trials, rival, BOOTSTRAP)
        if _n_ok(bags) >= _FEWEST_REPLICATES:
            budgets[rival] = _budget(case, ledger, evidence, rival, rows)
        else:
            unknown[rival] = _why_no_budget(rival, bags)
        failed += _say_failed(rival, bags)
    own = evidence.predictions.probabilities[evidence.predictions.names.index(name)][..., rows, :]
    kind, y = case.kinds.get(name), evidence.predictions.y[rows]
    forecast = None
    if _n_ok(sized) == len(sized) == SIZES.n_trials:
        with suppress(InvalidInput):  # so few rows that two sizes are the same
            forecast = learning_curve_forecast(*ledger.size_errors(name, dataset=case.dataset), n=n)
    anatomy = Anatomy(
        budgets=budgets,
        bagging=would_bagging_help(own, budgets[name].aggregated, y, kind=kind),
        forecast=forecast,
        averages=kind == "forest",
        without_budget=unknown,
    )
    return anatomy, (*notes, *unknown.values(), *failed)


_MOST_ROWS = 20_000  # to add up the parts of the error: their sampling error is 0.3 points at most


def _budget(
    case: Case, ledger: Ledger, evidence: Evidence, name: str, rows: Ints
) -> ErrorDecomposition:
    """Return the error budget of a candidate, with the error of 1-NN if that was tried.

    That is for the bound on the error that nobody can avoid.
    """
    predictions, in_bag = ledger.bootstrap_predictions(name, dataset=case.dataset)
    found, neighbour = evidence.predictions, None
    if _NEIGHBOUR in evidence.names:
        neighbour = float(evidence.errors[found.names.index(_NEIGHBOUR)].mean())
    if len(rows) < len(found.y):
        predictions, in_bag = predictions[:, rows], in_bag[:, rows]
    budget = decompose_predictions(
        predictions, in_bag, found.y[rows], nearest_neighbour_error=neighbour
    )
    return replace(budget, classes=found.classes)


def why_not_fitted(case: Case, evidence: Evidence, name: str, *, asked: bool) -> str | None:
    """Say why nothing further was to be fitted of the best candidate; None where it was."""
    if not case.can_fit:
        return ": nothing can be fitted again; judge(candidates, X, y) asks it"
    if not asked:
        return " (--no-anatomy, or anatomy=False in Python)"
    if name in evidence.contradictions:
        return ": the probabilities of the best candidate contradict its labels"
    return ": the best candidate only guesses" if name in case.baselines else None


def _made(trials: list[dict[str, Any]], name: str, plan: Plan) -> list[dict[str, Any]]:
    """Return the fits made for the anatomy of a candidate by one plan."""
    return [one for one in trials if one["candidate"] == name and one["plan"] == plan.name]


def _n_ok(trials: Sequence[dict[str, Any]]) -> int:
    return sum(trial["status"] == "ok" for trial in trials)


def _say_failed(name: str, trials: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    failed = [trial for trial in trials if trial["status"] != "ok"]
    if not failed:
        return ()
    cause = failed[0]["cause"]
    return (f"{len(failed)} of the {len(trials)} fits that ask what limits {name} failed: {cause}",)


def _why_no_budget(rival: str, trials: Sequence[dict[str, Any]]) -> str:
    if _n_ok(trials) < len(trials):
        return f"the error budget of {rival} is not known: too few fits succeeded"
    return (
        f"the error budget of {rival} was not asked: it takes {RIVALS.n_trials} fits, and "
        f"no more than {100 * RIVALS_SHARE:g} % of the comparison's own time, or "
        f"{ALWAYS_ALLOWED:g} s, is spent on further fits of rivals"
    )
