"""Which trials a study has: data sets × candidates × plans, repetition by repetition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from polychotomy.study.plan import Plan
from polychotomy.study.status import Planned
from polychotomy.study.trials import TrialKey
from polychotomy.study.work import Work


def plan_trials(
    datasets: Iterable[str], candidates: Iterable[str], plans: Mapping[str, Plan]
) -> Iterator[TrialKey]:
    """List the trials of a study, repetition by repetition, candidates in turn.

    Examples
    --------
    >>> from polychotomy.study.plan import RepeatedFolds
    >>> plan = RepeatedFolds(repetitions=1)
    >>> keys = plan_trials(["iris"], ["a", "b"], {plan.name: plan})
    >>> [(key.candidate, key.fold) for key in keys]
    [('a', 0), ('a', 1), ('b', 0), ('b', 1)]
    """
    datasets, candidates = list(datasets), list(candidates)
    for name, plan in plans.items():
        for run in range(plan.runs):
            for repetition in range(plan.repetitions):
                for dataset in datasets:
                    for candidate in candidates:
                        for fold in range(plan.n_folds):
                            yield TrialKey(dataset, candidate, name, run, repetition, fold)


def missing_trials(
    work: Work, done: Mapping[tuple[str, str, str], NDArray[np.bool_]]
) -> Iterator[TrialKey]:
    """List the trials of a study that are not done."""
    for key in plan_trials(work.datasets, work.candidates, work.plans):
        found = done.get((key.dataset, key.candidate, key.plan))
        where = key.run * work.plans[key.plan].repetitions + key.repetition
        if found is None or where >= len(found) or not found[where, key.fold]:
            yield key


def planned_repetitions(datasets: Iterable[str], candidates: Iterable[str], plan: Plan) -> Planned:
    """Return how many repetitions every candidate is to have, for the study file.

    Examples
    --------
    >>> from polychotomy.study.plan import RepeatedFolds
    >>> planned_repetitions(["iris"], ["a"], RepeatedFolds(runs=2))
    {'5x2 folds': {'iris': {'a': 10}}}
    """
    n = plan.runs * plan.repetitions
    return {plan.name: {dataset: dict.fromkeys(candidates, n) for dataset in datasets}}
