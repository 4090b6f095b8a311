"""Predictions made elsewhere, in any language, as a ledger like ours."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy._version import __version__
from polychotomy.arrays import Ints
from polychotomy.exceptions import InvalidTable
from polychotomy.study.candidate_names import check_name
from polychotomy.study.data_print import DataPrint
from polychotomy.study.imported_folds import ImportedFolds
from polychotomy.study.ledger import Ledger
from polychotomy.study.prediction_table import (
    PredictionTable,
    check_table,
    place,
    read_text_table,
)
from polychotomy.study.trials import Outcome, TrialKey, fail


def import_predictions(
    path: str | Path, *, into: str | Path | None = None, dataset: str | None = None
) -> Ledger:
    """Read out-of-sample predictions made elsewhere into a ledger.

    The table has a row a prediction and the columns that ``polychotomy export`` writes:
    ``candidate`` (or ``learner``), ``sample``, ``fold``, ``truth``, and either ``p:<class>`` for
    every class or ``predicted``, or both. ``run``, ``repetition``, ``fit_seconds`` and
    ``predict_seconds`` may be there, ``dataset`` too. Order of preference is order of appearance.

    All learners must have been tried on the same folds. A learner without any row in a fold is
    taken to have failed there; anything else that is missing or contradicts is an error that names
    the row.

    Parameters
    ----------
    path : path
        A ``.csv`` or ``.parquet`` file.
    into : path, optional
        A new study file to keep the ledger in; in memory by default.
    dataset : str, optional
        What to call the data; the name of the file by default.

    Returns
    -------
    Ledger
        Open. Everything that reads ledgers reads it; nothing can be fitted into it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> text = '''learner,sample,fold,truth,p:no,p:yes
    ... R forest,ann,0,yes,0.2,0.8
    ... R forest,bob,1,no,0.6,0.4
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "forest.csv")
    ...     _ = file.write_text(text)
    ...     with import_predictions(file) as ledger:
    ...         ledger.fold_errors().tolist(), ledger.sample_ids()
    ([[[[0.0, 0.0]]]], ['ann', 'bob'])
    """
    path = Path(path)
    frame = read_text_table(path)
    if "plan" in frame and frame["plan"].nunique() > 1:
        names = ", ".join(repr(str(name)) for name in frame["plan"].unique())
        raise InvalidTable(f"the table has predictions of several plans ({names}); expected one.")
    if "dataset" in frame:
        parts = {str(name): part for name, part in frame.groupby("dataset", sort=False)}
    else:
        parts = {dataset or path.stem: frame}
    ready = {}
    for name, part in parts.items():
        check_name(name, "data set")
        shares = [name for name in part.columns if name.startswith("p:")] if len(parts) > 1 else []
        empty = [column for column in shares if _is_empty(part[column].tolist())]
        ready[name] = _Import(name, check_table(part.drop(columns=empty).reset_index(drop=True)))
    ledger = Ledger(into)
    try:
        ledger.hold()
        descriptions = _describe(ready.values())
        for one in ready.values():
            one.write(ledger, descriptions)
    except BaseException:
        ledger.close()
        raise
    return ledger


def _is_empty(values: list[object]) -> bool:
    """Whether a column has no value: it belongs to another data set's class."""
    return all(value is None or value == "" or value != value for value in values)


class _Import:
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

    def write(self, ledger: Ledger, descriptions: dict[str, str]) -> None:
        """Write everything into a ledger, the learners described by what they predicted."""
        table, plan = self.table, self.plan
        truth = np.empty(len(table.samples), dtype=np.intp)
        truth[self.position] = table.truth
        print_ = _print(table.classes, truth, self.ids)
        repetitions = plan.runs * plan.repetitions
        ledger.begin(
            {
                "datasets": {self.dataset: print_.summary},
                "candidates": {name: descriptions[name] for name in table.learners},
                "plans": {plan.name: plan.to_dict()},
                "seed": 0,
                "keep": "probabilities",
                "versions": {},
            },
            prints={self.dataset: print_},
            splits={(self.dataset, plan.name): self.splits.reshape(plan.runs, -1, len(truth))},
            planned={plan.name: {self.dataset: dict.fromkeys(table.learners, repetitions)}},
            provenance={"polychotomy": __version__, "imported": True},
            ids={} if self.ids is None else {self.dataset: self.ids},
        )
        ledger.record(self._outcomes())

    def _outcomes(self) -> Iterator[Outcome]:
        """Yield a finished trial for each learner, repetition and fold."""
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
            key = TrialKey(self.dataset, name, self.plan.name, run, repetition, fold)
            rows = order[starts[index] : ends[index]]
            if not len(rows):
                reason = "no predictions of this fold in the file"
                yield fail(key, k, status="failed", cause=reason, details="")
                continue
            yield Outcome(
                key=key,
                status="ok",
                predicted=table.predicted[rows],
                probabilities=table.probabilities[rows].astype(np.float32),
                hard=bool(table.hard[learner]),
                fit_seconds=float(table.fit_seconds[rows[0]]),
                predict_seconds=float(table.predict_seconds[rows[0]]),
                cause="",
                details="",
                warnings=(),
            )


def _describe(imports: Iterable[_Import]) -> dict[str, str]:
    """Describe each learner by a hash of all that it predicted."""
    digests: dict[str, Any] = {}
    for table in (one.table for one in imports):
        for code, name in enumerate(table.learners):
            own = table.learner == code
            digest = digests.setdefault(name, hashlib.sha256())
            digest.update(table.probabilities[own].astype("<f4").tobytes())
            digest.update(table.predicted[own].astype("<i4").tobytes())
    return {name: f"imported predictions {d.hexdigest()[:16]}" for name, d in digests.items()}


def _positions(samples: tuple[str, ...]) -> tuple[Ints, tuple[str, ...] | None]:
    """Where each sample goes: its own number if these are 0 to n − 1, else order of appearance."""
    n = len(samples)
    if all(name.isdecimal() and int(name) < n for name in samples):
        return np.array([int(name) for name in samples], dtype=np.intp), None
    return np.arange(n), samples


def _print(classes: tuple[str, ...], truth: Ints, ids: tuple[str, ...] | None) -> DataPrint:
    digest = hashlib.sha256(repr((classes, ids)).encode() + truth.astype("<i8").tobytes())
    return DataPrint(
        sha256=digest.hexdigest(),
        n_columns=0,
        columns=(),
        rows=np.zeros(len(truth), dtype=np.uint64),
        classes=classes,
        codes=truth,
        groups=None,
        time=None,
    )
