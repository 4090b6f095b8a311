"""Work: all that a trial needs besides its key, sent to each worker once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from polychotomy.arrays import Ints
from polychotomy.study.dataset import Dataset
from polychotomy.study.fitting import run_trial
from polychotomy.study.lazy_folds import Splits
from polychotomy.study.plan import Plan
from polychotomy.study.trials import Outcome, TrialKey


@dataclass(frozen=True, eq=False, kw_only=True)
class Work:
    """Candidates, data and splits, by the names that a key gives.

    Parameters
    ----------
    candidates : {name: classifier}
    datasets : {name: Dataset}
    plans : {name: plan}
    splits : {(data set, plan): (runs, repetitions, n) int16}
        Arrays, or what draws their rows on demand.
    seed : int
        The study's own, on which every trial's seed depends besides its key.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from polychotomy.study.plan import RepeatedFolds
    >>> data, plan = Dataset.of([[1.0], [2.0], [3.0], [4.0]], list("abab")), RepeatedFolds()
    >>> work = Work(
    ...     candidates={"MAX": DummyClassifier()}, datasets={"toy": data}, plans={plan.name: plan},
    ...     splits={("toy", plan.name): plan.split(data.target.codes, seed=0)}, seed=0,
    ... )
    >>> key = TrialKey("toy", "MAX", plan.name, run=0, repetition=3, fold=1)
    >>> [len(rows) for rows in work.rows(key)], work.run(key).status
    ([2, 2], 'ok')
    """

    candidates: Mapping[str, Any]
    datasets: Mapping[str, Dataset]
    plans: Mapping[str, Plan]
    splits: Mapping[tuple[str, str], Splits]
    seed: int

    def rows(self, key: TrialKey) -> tuple[Ints, Ints]:
        """Return the rows to train on, with repeats for a bootstrap, and those to predict."""
        split = self.splits[key.dataset, key.plan][key.run, key.repetition]
        return self.plans[key.plan].rows(split, key.fold)

    def n_classes(self, key: TrialKey) -> int:
        """Classes of the data set of a trial."""
        return len(self.datasets[key.dataset].target.classes)

    def run(self, key: TrialKey) -> Outcome:
        """Run one trial in this process; a failure is an outcome like any other."""
        data = self.datasets[key.dataset]
        train, test = self.rows(key)
        return run_trial(
            key,
            self.candidates[key.candidate],
            data.X,
            data.target,
            train=train,
            test=test,
            study_seed=self.seed,
        )
