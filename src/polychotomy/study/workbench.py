"""What a process keeps between trials, so as not to do it again; the results stay the same."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from types import TracebackType
from typing import Any

from sklearn import config_context
from threadpoolctl import threadpool_limits

from polychotomy.arrays import Ints
from polychotomy.study.dataset import Dataset
from polychotomy.study.fitting import Predictions, fit_and_predict, observe, preparation_seed, take
from polychotomy.study.model_size import is_measured, pickled_bytes
from polychotomy.study.preparation import Preparations, Prepared, is_finite, shared_beginnings
from polychotomy.study.seeds import seed_of
from polychotomy.study.template import Template
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
        self._templates: dict[str, Template] = {}
        self._preparations = Preparations()
        self._checked: set[tuple[str, str]] = set()  # candidates that have passed on a data set
        self._finite = {name: is_finite(data.X) for name, data in work.datasets.items()}
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
        outcome = observe(key, len(data.target.classes), lambda: self._attempt(key, data))
        if outcome.status == "ok":
            self._checked.add((key.dataset, key.candidate))
        return outcome

    def _limit_threads(self) -> None:
        """Allow linear algebra one thread, also in libraries that were loaded since last time."""
        if len(sys.modules) != self._modules:
            self._threads.enter_context(threadpool_limits(limits=1))
            self._modules = len(sys.modules)

    def _attempt(self, key: TrialKey, data: Dataset) -> Predictions:
        train, test = self._rows_of(key)
        labels = data.target.classes[data.target.codes[train]]
        template = self._template(key.candidate)
        seeds = partial(preparation_seed, self._work.seed, key)
        model = template.make(seed=partial(seed_of, self._work.seed, *key), preparation_seed=seeds)
        fit = partial(fit_and_predict, model, is_plain=template.is_plain)
        beginning = self._beginnings.get(key.candidate)
        if beginning is None:
            with self._checking(key, template, self._finite[key.dataset]):
                made = fit(take(data.X, train), labels, lambda: take(data.X, test), data.target)
            return made.weighed(pickled_bytes(model)) if is_measured(key) else made
        ready = self._preparations.prepare(
            training_set(key),
            beginning,
            lambda position: template.make_step(position, preparation_seed=seeds()),
            lambda: Prepared(take(data.X, train), take(data.X, test)),
            labels,
        )
        with self._checking(key, template, ready.is_finite):
            made = fit(ready.train_copy(), labels, ready.test_copy, data.target)
        if is_measured(key):
            made = made.weighed(pickled_bytes(template.join(ready.steps, model)))
        return made.after(
            fit_seconds=ready.fit_seconds,
            predict_seconds=ready.transform_seconds,
            said=ready.warnings,
        )

    def _template(self, candidate: str) -> Template:
        found = self._templates.get(candidate)
        if found is None:
            n_shared = len(self._beginnings.get(candidate, ()))
            found = Template(self._work.candidates[candidate], n_shared)
            self._templates[candidate] = found
        return found

    def _checking(
        self, key: TrialKey, template: Template, finite: bool
    ) -> AbstractContextManager[None]:
        """Spare scikit-learn the checks whose answer is known, where it makes no other ones.

        Parameters are the same in every trial, seeds apart, and have passed in one; that the
        data are finite has been looked up.
        """
        if not template.is_plain or (key.dataset, key.candidate) not in self._checked:
            return nullcontext()
        checks: AbstractContextManager[None] = config_context(
            skip_parameter_validation=True, assume_finite=finite
        )
        return checks

    def _rows_of(self, key: TrialKey) -> tuple[Ints, Ints]:
        place = training_set(key)
        if self._rows is None or place != self._place:
            self._place, self._rows = place, self._work.rows(key)
        return self._rows
