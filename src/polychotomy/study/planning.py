"""Which trials a study has: data sets × candidates × plans, repetition by repetition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from polychotomy.study.plan import Plan
from polychotomy.study.trials import TrialKey


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
