"""What a process keeps between trials, so as not to do it again; the results stay the same."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from polychotomy.arrays import Ints
from polychotomy.study.dataset import Dataset
from polychotomy.study.fitting import Predictions, fit_and_predict, observe, preparation_seed, take
from polychotomy.study.preparation import Beginning, Preparations, Prepared, shared_beginnings
from polychotomy.study.seeding import seeded
from polychotomy.study.seeds import seed_of
from polychotomy.study.trials import Outcome, TrialKey, training_set
from polychotomy.study.work import Work


class Workbench:
    """Runs the trials of one work in this process, one thread for its linear algebra.

    Each outcome is that of :meth:`Work.run`, clocks apart; what several candidates need of the same
    training set – its rows, equal first steps of pipelines – is made once where their trials
    follow each other.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from polychotomy.study import Study
    >>> work = Study({"MAX": DummyClassifier()}, *load_iris(return_X_y=True), dataset="iris").work()
    >>> key = TrialKey("iris", "MAX", *work.plans, run=0, repetition=0, fold=1)
    >>> with Workbench(work) as bench:
    ...     print(bench.run(key).status)
    ok
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._beginnings = shared_beginnings(work.candidates)
        self._preparations = Preparations()
        self._place: tuple[Any, ...] | None = None
        self._rows: tuple[Ints, Ints] | None = None
        self._threads, self._modules = ExitStack(), 0

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._threads.close()

    def run(self, key: TrialKey) -> Outcome:
        """Run one trial; a failure is an outcome like any other."""
        self._limit_threads()
        data = self._work.datasets[key.dataset]
        return observe(key, len(data.target.classes), lambda: self._attempt(key, data))

    def _limit_threads(self) -> None:
        """Allow linear algebra one thread, also in libraries that were loaded since last time."""
        if len(sys.modules) != self._modules:
            self._threads.enter_context(threadpool_limits(limits=1))
            self._modules = len(sys.modules)

    def _attempt(self, key: TrialKey, data: Dataset) -> Predictions:
        candidate, target = self._work.candidates[key.candidate], data.target
        train, test = self._rows_of(key)
        labels = target.classes[target.codes[train]]
        seeds = preparation_seed(self._work.seed, key)
        model = seeded(clone(candidate), seed_of(self._work.seed, *key), preparation_seed=seeds)
        beginning = self._beginnings.get(key.candidate)
        if beginning is None:
            raw = take(data.X, train)
            return fit_and_predict(model, raw, labels, lambda: take(data.X, test), target)
        start = Prepared(take(data.X, train), take(data.X, test))
        return self._share(key, beginning, model, start, labels, data)

    def _share(
        self,
        key: TrialKey,
        beginning: Beginning,
        model: Any,
        raw: Prepared,
        labels: NDArray[Any],
        data: Dataset,
    ) -> Predictions:
        """Fit the first steps only where another candidate has not, then the rest of the model."""
        steps = [step for _, step in model.steps]
        ready = self._preparations.prepare(
            training_set(key), beginning, steps[: len(beginning)], raw, labels
        )
        rest = model.steps[len(beginning) :]
        last = rest[0][1] if len(rest) == 1 else Pipeline(rest)
        made = fit_and_predict(last, ready.train_copy(), labels, ready.test_copy, data.target)
        return made.after(
            fit_seconds=ready.fit_seconds,
            predict_seconds=ready.transform_seconds,
            said=ready.warnings,
        )

    def _rows_of(self, key: TrialKey) -> tuple[Ints, Ints]:
        place = training_set(key)
        if self._rows is None or place != self._place:
            self._place, self._rows = place, self._work.rows(key)
        return self._rows
