"""Folds drawn when they are asked for: those of thousands of runs would fill the memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints
from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.plan import Plan, Samples
from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.fit import is_measured, preparation_seed, run_trial, take
from polychotomy.study.fitting.prepare import Preparation, Prepared, fit_steps

_LARGEST = 2**22  # numbers of a split that is kept whole: 8 MB

_REMEMBERED = 16  # rows: workers go through the fits of a repetition one after another


class Splits(Protocol):
    """Split rows by run and repetition: an array, or what draws them on demand."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Runs, repetitions, samples."""

    def __getitem__(self, index: tuple[int, int], /) -> NDArray[np.int16]:
        """Return the split row of a run and repetition."""


@dataclass(frozen=True, eq=False)
class LazyFolds:
    """The rows of a plan's ``split``, drawn one by one.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.study import RepeatedFolds
    >>> codes = np.arange(12) % 2
    >>> lazy = LazyFolds(RepeatedFolds(runs=1000), Samples(codes), seed=3)
    >>> lazy.shape
    (1000, 5, 12)
    >>> whole = RepeatedFolds(runs=2).split(codes, seed=3)
    >>> bool((lazy[1, 4] == whole[1, 4]).all())
    True
    """

    plan: Plan
    samples: Samples
    seed: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """Runs, repetitions, samples."""
        return self.plan.runs, self.plan.repetitions, len(self.samples.codes)

    def __getitem__(self, index: tuple[int, int]) -> NDArray[np.int16]:
        return draw_row(self, *index)


@lru_cache(maxsize=_REMEMBERED)
def draw_row(folds: LazyFolds, run: int, repetition: int) -> NDArray[np.int16]:
    """Draw the split row of one repetition."""
    row = folds.plan.split_row(folds.samples, folds.seed, run, repetition)
    return row.astype(np.int16)


def split_data(plan: Plan, data: Dataset, seed: int) -> Splits:
    """Split a data set by a plan: at once, or on demand where that would be large."""
    samples = Samples(data.target.codes, data.groups, data.time)
    if plan.runs * plan.repetitions * data.n <= _LARGEST or not isinstance(plan, Plan):
        return plan.split(samples.codes, groups=data.groups, time=data.time, seed=seed)
    plan.require(samples)
    lazy = LazyFolds(plan, samples, seed)
    lazy[0, 0]  # what is wrong with it is said now
    return lazy


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
    splits: Mapping[tuple[str, str], Splits]
    seed: int

    def rows(self, key: TrialKey) -> tuple[Ints, Ints]:
        """Return the rows to train on, with repeats for a bootstrap, and those to predict."""
        split = self.splits[key.dataset, key.plan][key.run, key.repetition]
        return self.plans[key.plan].rows(split, key.fold)

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
        data = self.datasets[key.dataset]
        return run_trial(
            key,
            self.candidates[key.candidate] if candidate is None else candidate,
            self._take(key) if prepared is None else prepared,
            data.target,
            train=self.rows(key)[0],
            study_seed=self.seed,
        )

    def prepare(
        self, key: TrialKey, preparation: Preparation, before: Prepared | None = None
    ) -> Prepared:
        """Fit shared steps on the training set of a trial, in this process."""
        target = self.datasets[key.dataset].target
        return fit_steps(
            preparation,
            self._take(key) if before is None else before,
            target.classes[target.codes[self.rows(key)[0]]],
            seed=preparation_seed(self.seed, key),
            weigh=is_measured(key),
        )

    def _take(self, key: TrialKey) -> Prepared:
        """Return the rows of a trial as they are."""
        X, (train, test) = self.datasets[key.dataset].X, self.rows(key)
        return Prepared(take(X, train), take(X, test))
