"""What a process keeps between trials, so as not to do it again; the results stay the same."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from functools import partial
from types import TracebackType
from typing import Any

from sklearn import config_context
from threadpoolctl import threadpool_limits

from polychotomy.core.arrays import Ints
from polychotomy.core.seeds import seed_of
from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.trials import Outcome, TrialKey, ran_out_of_memory, training_set
from polychotomy.study.fitting.fit import (
    Answers,
    Ear,
    conclude,
    fit_and_predict,
    is_measured,
    observe,
    pickled_bytes,
    preparation_seed,
    take,
)
from polychotomy.study.fitting.prepare import (
    Preparations,
    Prepared,
    Template,
    is_finite,
    shared_beginnings,
)
from polychotomy.study.fitting.work import Work

_AS_USUAL = nullcontext()

_MOST_VALUES = 100_000  # probabilities held at a time, in the form in which models give them


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
        self._labels = {
            name: data.target.classes[data.target.codes] for name, data in work.datasets.items()
        }
        self._rows: dict[tuple[Any, ...], tuple[Ints, Ints]] = {}  # of trials to come
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
        (outcome,) = self.run_all([key])
        return outcome

    def run_all(
        self, keys: Sequence[TrialKey], go: Callable[[], bool] = lambda: True
    ) -> list[Outcome]:
        """Run trials in turn, as long as ``go`` says so before each and memory has not run out.

        What can be done for many of them together is: between two fits it would take the processor
        three times as long as in a loop of its own.
        """
        outcomes: list[Outcome] = []
        with Ear() as ear:
            for spell in self._spells(keys):
                made = self._fit_all(spell, go, ear)
                for key, one in zip(spell, made, strict=False):
                    outcomes.append(self._conclude(key, one, ear))
                    if ran_out_of_memory(outcomes[-1]):
                        return outcomes
                if len(made) < len(spell):
                    return outcomes
        return outcomes

    def _spells(self, keys: Sequence[TrialKey]) -> Iterator[Sequence[TrialKey]]:
        """Cut trials into pieces, of each of which everything may be in memory at a time."""
        begin, values = 0, 0
        for end, key in enumerate(keys):
            target = self._work.datasets[key.dataset].target
            values += len(target.codes) * len(target.classes)
            if values > _MOST_VALUES and end > begin:
                yield keys[begin:end]
                begin, values = end, len(target.codes) * len(target.classes)
        yield keys[begin:]

    def _fit_all(
        self, keys: Sequence[TrialKey], go: Callable[[], bool], ear: Ear
    ) -> list[Answers | Outcome]:
        self._foresee(keys)
        made: list[Answers | Outcome] = []
        for key in keys:
            if not go():
                break
            self._limit_threads()
            data = self._work.datasets[key.dataset]
            attempt = partial(self._attempt, key, data)
            made.append(observe(key, len(data.target.classes), attempt, ear))
            if isinstance(made[-1], Outcome) and ran_out_of_memory(made[-1]):
                break  # what the trial has left behind may be the next one's undoing
        return made

    def _conclude(self, key: TrialKey, made: Answers | Outcome, ear: Ear) -> Outcome:
        outcome = conclude(key, made, self._work.datasets[key.dataset].target, ear)
        if outcome.status == "ok":
            self._checked.add((key.dataset, key.candidate))
        return outcome

    def _foresee(self, keys: Sequence[TrialKey]) -> None:
        """Look up the rows of trials to come; what is wrong with them is said by the trials."""
        with suppress(Exception):
            self._rows = {training_set(key): self._work.rows(key) for key in keys}

    def _limit_threads(self) -> None:
        """Allow linear algebra one thread, also in libraries that were loaded since last time."""
        if len(sys.modules) != self._modules:
            self._threads.enter_context(threadpool_limits(limits=1))
            self._modules = len(sys.modules)

    def _attempt(self, key: TrialKey, data: Dataset) -> Answers:
        train, test = self._rows.get(training_set(key)) or self._work.rows(key)
        labels = self._labels[key.dataset].take(train)
        template = self._template(key.candidate)
        seeds = partial(preparation_seed, self._work.seed, key)
        model = template.make(seed=partial(seed_of, self._work.seed, *key), preparation_seed=seeds)
        fit = partial(fit_and_predict, model, is_plain=template.is_plain)
        beginning = self._beginnings.get(key.candidate)
        if beginning is None:
            with self._checking(key, template, self._finite[key.dataset]):
                made = fit(take(data.X, train), labels, lambda: take(data.X, test))
            return made.weighed(pickled_bytes(model)) if is_measured(key) else made
        ready = self._preparations.prepare(
            training_set(key),
            beginning,
            lambda position: template.make_step(position, preparation_seed=seeds()),
            lambda: Prepared(take(data.X, train), take(data.X, test)),
            labels,
        )
        with self._checking(key, template, ready.is_finite):
            made = fit(ready.train_copy(), labels, ready.test_copy)
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
            return _AS_USUAL
        checks: AbstractContextManager[None] = config_context(
            skip_parameter_validation=True, assume_finite=finite
        )
        return checks
