"""Imported trials: a table's predictions in the order of a ledger, checked for gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Ints
from polychotomy.exceptions import InvalidTable
from polychotomy.study.candidate_names import check_name
from polychotomy.study.imported_folds import ImportedFolds
from polychotomy.study.model_size import is_measured
from polychotomy.study.prediction_table import PredictionTable, place
from polychotomy.study.trials import Outcome, TrialKey, fail, succeed


class ImportedTrials:
    """A table's predictions in the order of a ledger: by learner, repetition, fold, sample."""

    def __init__(self, dataset: str, table: PredictionTable) -> None:
        for name in table.learners:
            check_name(name, "learner")
        self.dataset, self.table = dataset, table
        self.position, self.ids = _positions(table.samples)
        self.plan = ImportedFolds(
            repetitions=int(table.repetition.max()) + 1,
            folds=int(table.fold.max()) + 1,
            runs=int(table.run.max()) + 1,
        )
        self.where = table.run * self.plan.repetitions + table.repetition
        self.splits = self._splits()
        self._refuse_gaps()

    def _splits(self) -> NDArray[np.int16]:
        """Return the fold of every sample in every repetition; all learners must agree."""
        table, n = self.table, len(self.table.samples)
        repetitions = self.plan.runs * self.plan.repetitions
        splits = np.full((repetitions, n), -1, dtype=np.int16)
        sample = self.position[table.sample]
        # The first row of a sample in a repetition is what the others are held to.
        _, first = np.unique(self.where * n + sample, return_index=True)
        splits[self.where[first], sample[first]] = table.fold[first]
        bad = np.flatnonzero(splits[self.where, sample] != table.fold)
        if len(bad):
            row = int(bad[0])
            raise InvalidTable(
                f"the sample {table.samples[table.sample[row]]!r} is in fold {table.fold[row]} in "
                f"{place(row)}, but in fold {splits[self.where[row], sample[row]]} in an earlier "
                f"row of run {table.run[row]}, repetition {table.repetition[row]}; expected all "
                "learners on the same folds."
            )
        missing = np.argwhere(splits < 0)
        if len(missing):
            where, position = missing[0]
            run, repetition = divmod(int(where), self.plan.repetitions)
            name = table.samples[int(np.flatnonzero(self.position == position)[0])]
            raise InvalidTable(
                f"the sample {name!r} has no prediction in run {run}, repetition {repetition}, by "
                f"any learner ({len(missing)} such cases); expected every sample once a repetition."
            )
        return splits

    def _refuse_gaps(self) -> None:
        """Refuse a sample twice in a repetition, and folds that are predicted in part only."""
        table = self.table
        shape = (len(table.learners), *self.splits.shape)
        cell = np.ravel_multi_index((table.learner, self.where, self.position[table.sample]), shape)
        order = np.argsort(cell, kind="stable")
        twice = np.flatnonzero(np.diff(cell[order]) == 0)
        if len(twice):
            first, second = sorted((int(order[twice[0]]), int(order[twice[0] + 1])))
            raise InvalidTable(
                f"the sample {table.samples[table.sample[second]]!r} is predicted by "
                f"{table.learners[table.learner[second]]!r} in {place(first)} and again in "
                f"{place(second)}, both in run {table.run[second]}, repetition "
                f"{table.repetition[second]}; expected once."
            )
        there = np.zeros(shape, dtype=bool)
        there.flat[cell] = True
        for learner, where in np.argwhere(~there.all(axis=2)):
            gaps = np.flatnonzero(~there[learner, where])
            partly = np.isin(self.splits[where, gaps], self.splits[where, there[learner, where]])
            if partly.any():
                run, repetition = divmod(int(where), self.plan.repetitions)
                sample = np.flatnonzero(self.position == gaps[np.flatnonzero(partly)[0]])[0]
                raise InvalidTable(
                    f"{table.learners[learner]!r} has no prediction of the sample "
                    f"{table.samples[sample]!r} in run {run}, repetition {repetition}, but has "
                    "others of its fold; expected all of a fold, or none where the fit failed."
                )

    @property
    def truth(self) -> Ints:
        """Class codes of the samples by position, (n,)."""
        truth = np.empty(len(self.table.samples), dtype=np.intp)
        truth[self.position] = self.table.truth
        return truth

    def recode(self, classes: tuple[str, ...]) -> None:
        """Give the classes another order, which may have more of them."""
        missing = [name for name in self.table.classes if name not in classes]
        if missing:
            raise InvalidTable(
                f"the table has the class {missing[0]!r}, which the study does not: it has "
                f"{', '.join(map(repr, classes))}."
            )
        code = np.array([classes.index(name) for name in self.table.classes], dtype=np.intp)
        probabilities = np.zeros((len(self.table.probabilities), len(classes)))
        probabilities[:, code] = self.table.probabilities
        self.table = replace(
            self.table,
            classes=classes,
            predicted=code[self.table.predicted],
            probabilities=probabilities,
            truth=code[self.table.truth],
        )

    def outcomes(self, plan: str) -> Iterator[Outcome]:
        """Yield a finished trial of a plan for each learner, repetition and fold."""
        table, k = self.table, len(self.table.classes)
        keys = (self.position[table.sample], table.fold, self.where, table.learner)
        order = np.lexsort(keys)
        shape = (len(table.learners), len(self.splits), self.plan.folds)
        trial = np.ravel_multi_index((table.learner, self.where, table.fold), shape)[order]
        ends = np.searchsorted(trial, np.arange(np.prod(shape)), side="right")
        starts = np.concatenate([[0], ends[:-1]])
        for index, (learner, where, fold) in enumerate(np.ndindex(*shape)):
            if not (self.splits[where] == fold).any():
                continue
            run, repetition = divmod(where, self.plan.repetitions)
            name = table.learners[learner]
            key = TrialKey(self.dataset, name, plan, run, repetition, fold)
            rows = order[starts[index] : ends[index]]
            if not len(rows):
                reason = "no predictions of this fold in the file"
                yield fail(key, k, status="failed", cause=reason, details="")
                continue
            yield succeed(
                key,
                table.predicted[rows],
                table.probabilities[rows],
                hard=bool(table.hard[learner]),
                fit_seconds=float(table.fit_seconds[rows[0]]),
                predict_seconds=float(table.predict_seconds[rows[0]]),
                model_bytes=table.model_bytes[learner] if is_measured(key) else None,
            )


def _positions(samples: tuple[str, ...]) -> tuple[Ints, tuple[str, ...] | None]:
    """Where each sample goes: its own number if these are 0 to n − 1, else order of appearance."""
    n = len(samples)
    if all(name.isdecimal() and int(name) < n for name in samples):
        return np.array([int(name) for name in samples], dtype=np.intp), None
    return np.arange(n), samples
