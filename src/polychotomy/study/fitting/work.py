"""Candidates, data and splits by name: the rows of every trial, and how it is run on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints
from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.plan import Plan
from polychotomy.study.design.trials import Outcome, Sizes, TrialKey
from polychotomy.study.fitting.fit import is_measured, preparation_seed, run_trial, take
from polychotomy.study.fitting.prepare import Preparation, Prepared, fit_steps


def split_data(plan: Plan, data: Dataset, seed: int) -> NDArray[np.int16]:
    """Split a data set by a plan."""
    return plan.split(data.target.codes, groups=data.groups, time=data.time, seed=seed)


@dataclass(frozen=True, eq=False, kw_only=True)
class Work:
    """Candidates, data and splits, by the names that a key gives.

    Parameters
    ----------
    candidates : {name: classifier}
    datasets : {name: Dataset}
    plans : {name: plan}
    splits : {(data set, plan): (runs, repetitions, n) int16}
    seed : int
        The study's own, on which every trial's seed depends besides its key.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from polychotomy.study.design.plan import RepeatedFolds
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
    splits: Mapping[tuple[str, str], NDArray[np.int16]]
    seed: int

    def rows(self, key: TrialKey) -> tuple[Ints, Ints]:
        """Return the rows to train on, with repeats for a bootstrap, and those to predict."""
        split = self.splits[key.dataset, key.plan][key.run, key.repetition]
        return self.plans[key.plan].rows(split, key.fold)

    def sizes(self) -> Sizes:
        """Return how many classes and samples the predictions of each trial are of."""
        sizes = {}
        for (dataset, plan), split in self.splits.items():
            if isinstance(split, Mapping):  # by fold, what to train on and what to predict
                (sides,) = split.values()
                counts = [np.array([[len(test)]]) for _, test in sides.values()]
            else:
                labels, n_parts = self.plans[plan].parts(split)
                counts = [np.count_nonzero(labels == part, axis=-1) for part in range(n_parts)]
            classes = len(self.datasets[dataset].target.classes)
            sizes[dataset, plan] = classes, np.stack(counts, axis=-1)
        return sizes

    def run(
        self, key: TrialKey, *, candidate: Any = None, prepared: Prepared | None = None
    ) -> Outcome:
        """Run one trial in this process, which should be a worker's.

        Parameters
        ----------
        candidate : classifier, optional
            What to fit in the place of the candidate of that name.
        prepared : Prepared, optional
            Its rows after some steps.
        """
        data, (train, test) = self.datasets[key.dataset], self.rows(key)
        candidate = self.candidates[key.candidate] if candidate is None else candidate
        prepared = prepared or Prepared(take(data.X, train), take(data.X, test))
        seeded: dict[str, Any] = {"train": train, "study_seed": self.seed}
        return run_trial(key, candidate, prepared, data.target, **seeded)

    def prepare(
        self, key: TrialKey, preparation: Preparation, before: Prepared | None = None
    ) -> Prepared:
        """Fit shared steps on the training set of a trial, in this process."""
        data, (train, test) = self.datasets[key.dataset], self.rows(key)
        before = before or Prepared(take(data.X, train), take(data.X, test))
        labels = data.target.classes[data.target.codes[train]]
        how: dict[str, Any] = {"seed": preparation_seed(self.seed, key), "weigh": is_measured(key)}
        return fit_steps(preparation, before, labels, **how)
