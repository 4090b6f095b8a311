"""The ledger: every out-of-sample prediction of a study, kept once, in one SQLite file.

Tables
------
``facts``    name → JSON: specification, planned, provenance, stopped, who runs it (driver), groups
             of samples whose predictions were made elsewhere
``samples``  data set → truth as class codes (int32), the data's fingerprints (JSON), ids of the
             samples if they have any (JSON)
``splits``   data set, plan, run, repetition → a small number for every sample (int16), which the
             plan reads: its fold, or how often a bootstrap drew it
``trials``   a finished trial: status, clocks, cause of a failure, and the predictions on the
             samples left out: class codes (the smallest unsigned type) and probabilities
             (float32, row-major), in ascending order of sample

``counts``   data set, plan → how many trials were recorded, and the sum of their digests

Every row ends in a digest of its values. Arrays are little-endian bytes. Nothing is pickled, so
opening a ledger runs nothing.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import StudyError
from polychotomy.core.predictions import OutOfFold
from polychotomy.study.design.specification import (
    DataPrint,
    Planned,
    Specification,
    find_conflicts,
    unite,
    unite_planned,
)
from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.ledger import reading, rows
from polychotomy.study.ledger.file import StudyFile, close_study, let_go
from polychotomy.study.ledger.file_system import Lock
from polychotomy.study.ledger.status import say_status

Answer = TypeVar("Answer")

_AGAIN = "Run the same study again: what is left out is fitted again"


class Ledger:
    """Every trial of a study, in a file or, without a path, in memory.

    Parameters
    ----------
    path : path or None
        A new file is created; an existing study is opened. None keeps the ledger in memory.
    read_only : bool
        Look only, also while a driver writes: no lock that would stop it, no file created.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.study import Study
    >>> ledger = Study({"naive Bayes": GaussianNB()}, *load_iris(return_X_y=True)).run()
    >>> len(ledger.finished()), ledger.trials()[0]["status"], ledger.summary()[0]["failed"]
    (10, 'ok', 0)
    >>> ledger.say_status().splitlines()[0], ledger.stopped(), ledger.sample_ids()
    ('10 of 10 fits recorded', [], None)
    >>> ledger.fold_errors().shape, ledger.folds().shape, ledger.truth().shape
    ((1, 1, 5, 2), (1, 5, 150), (150,))
    >>> ledger.out_of_fold().names  # and their probabilities, for whatever takes an OutOfFold
    ('naive Bayes',)
    >>> ledger.close()
    """

    def __init__(self, path: str | Path | None = None, *, read_only: bool = False) -> None:
        self.path = None if path is None else Path(path)
        self._locks: list[Lock] = []
        self._keep: str | None = None
        self._is_verified = False
        self._has_warned = False
        if read_only and not (self.path and self.path.is_file()):
            found = f"there is no study {str(path)!r}"
            if self.path is not None and self.path.is_dir():
                found = f"{str(path)!r} is a folder, not a study"
            raise StudyError(f"{found}; expected the name of a study file.")
        self._file = StudyFile(self.path, read_only=read_only)
        weakref.finalize(self, let_go, self._file, self._locks, os.getpid())

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Ledger {'in memory' if self.path is None else repr(str(self.path))}>"

    def _repr_html_(self) -> str:
        try:
            told = self.say_status()
        except (StudyError, sqlite3.Error):  # closed, or in use by another process
            told = "closed, or not to be read now"
        return f"<p>{escape(repr(self)[1:-1])}</p>\n<pre>{escape(told)}</pre>"

    def close(self) -> None:
        """Close the file. The write-ahead log is folded into it, so one file remains.

        A ledger that nobody refers to any more is closed as well.
        """
        close_study(self._file, self._locks)

    def lock(self) -> None:
        """Make this process the study's only driver until it closes the ledger or ends."""
        if self.path is None or self._file.read_only or any(one.is_held for one in self._locks):
            return
        lock = Lock(self.path)
        self._locks.append(lock)
        if lock.is_taken_here:
            raise StudyError(
                f"the study {str(self.path)!r} is still open in this process: another Ledger "
                "drives it. close() that one first, or use it in a “with” block."
            )
        driver = self.fact("driver") or {}  # asked first: facts that are damaged are not touched
        if not lock.is_held:
            raise StudyError(
                f"the study {str(self.path)!r} is being run by process {driver.get('pid', '?')} on "
                f"{driver.get('host', '?')} since {driver.get('since', '?')}. Wait until it has "
                "finished, or stop it."
            )
        # "open" must be in the file itself before a trial is in the log: a copy of the file alone
        # then says that its log is missing.
        since = datetime.now(UTC).isoformat(timespec="seconds")
        driver = {"pid": os.getpid(), "host": platform.node(), "since": since}
        self.write_facts({"driver": driver, "open": True})
        self._file.checkpoint()

    def begin(
        self,
        specification: Specification,
        *,
        prints: Mapping[str, DataPrint],
        splits: Mapping[tuple[str, str], NDArray[np.int16]],
        planned: Planned,
        provenance: Mapping[str, Any],
        ids: Mapping[str, Sequence[str]] | None = None,
        about: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
    ) -> None:
        """Write down what the study is, or check that it is the one already written down.

        Parameters
        ----------
        prints : {data set: DataPrint}
        splits : {(data set, plan): (runs, repetitions, n) int16}
        planned : {plan: {data set: {candidate: repetitions of all runs}}}
        ids : {data set: names of its samples}, optional
            Their positions by default.
        about : {"groups", "weights", "by" or "scale": {data set: values}}, optional
            What is known of the samples of predictions made elsewhere: the group or weight of each,
            or the name of another column and its values; of scores, how far apart they are. Those
            of a study are in its table.
        """
        facts = self._file.read(rows.read_facts)
        stored = facts.get("specification")
        if stored is not None:
            self._refuse_conflicts(stored, specification, prints)
            specification = unite(stored, specification)
            planned = unite_planned(facts["planned"], planned)
        self._repair()
        new = {"specification": specification, "planned": planned}
        for name, values in (about or {}).items():
            new[name] = {**facts.get(name, {}), **values}
        if self._file.cannot_write and all(facts.get(name) == new[name] for name in new):
            return
        with self._file.transaction() as connection:
            rows.write_facts(connection, {"provenance": dict(provenance)} | facts | new)
            rows.write_samples(connection, prints, ids or {})
            rows.write_splits(connection, splits)
        self._file.checkpoint()  # so that even a copy without the log knows what it is

    def _repair(self) -> None:
        """Delete records that are damaged, once, so that they are fitted again; say so."""
        if self._is_verified or self.path is None:
            return
        found = self._look(rows.verify)[1]
        if (found or self._file.index_is_damaged) and not self._file.cannot_write:
            with self._file.transaction() as connection:
                rows.repair(connection, found)
            self._file.log_is_lost = False
        self._is_verified = True
        if found:
            self._warn(found)

    def damage(self) -> list[str]:
        """Say in words what of the study file is damaged or missing; nothing where all is sound.

        Damaged records are left out of every answer. The same study run again fits them again.

        Examples
        --------
        >>> with Ledger() as ledger:
        ...     ledger.damage()
        []
        """
        return self._look(rows.verify)[1].say() if self.path is not None else []

    def _warn(self, found: rows.Damage) -> None:
        if not self._has_warned:
            self._has_warned = True
            text = f"the study {str(self.path)!r}: {'; '.join(found.say())}. {_AGAIN}."
            warnings.warn(text, rows.DamagedRecords, stacklevel=4)

    def _read(self, ask: Callable[[sqlite3.Connection, rows.Damage], Answer]) -> Answer:
        """Ask for trials; damaged ones are left out of the answer with a warning."""
        answer, found = self._look(ask)
        if found:
            self._warn(found)
        return answer

    def _look(
        self, ask: Callable[[sqlite3.Connection, rows.Damage], Answer]
    ) -> tuple[Answer, rows.Damage]:
        """Ask for trials; return what was found damaged beside the answer."""

        def ask_afresh(connection: sqlite3.Connection) -> tuple[Answer, rows.Damage]:
            found = rows.Damage()
            return ask(connection, found), found

        answer, found = self._file.read(ask_afresh)
        if self._file.log_is_lost:
            found.others.append(
                f"it was being written when it was copied, and its log ({self.path}-wal) is not "
                "beside it, so that the results recorded last may be missing; copy both"
            )
        return answer, found

    def _refuse_conflicts(
        self, stored: Specification, asked: Specification, prints: Mapping[str, DataPrint]
    ) -> None:
        known = self._file.read(rows.read_prints)
        both = {name: (known[name], now) for name, now in prints.items() if name in known}
        conflicts = find_conflicts(stored, asked, both)
        if conflicts:
            raise StudyError(
                f"the {'ledger' if self.path is None else f'study {str(self.path)!r}'} was made "
                "for something else: "
                f"{'; '.join(conflicts)}. Nothing was changed. Use another study file, or go "
                "back to what the study was made with."
            )

    def write_facts(self, facts: Mapping[str, Any]) -> None:
        """Write down what is no trial, by name: plain values, as JSON has them."""
        if self._file.cannot_write:
            return
        with self._file.transaction() as connection:
            rows.write_facts(connection, facts)

    def record(self, outcomes: Iterable[Outcome]) -> None:
        """Record finished trials in one transaction; each key once."""
        outcomes = list(outcomes)
        if not outcomes and self._file.cannot_write:
            return
        if self._keep is None:  # it never changes, and a specification may be long
            self._keep = (self.fact("specification") or {}).get("keep")
        with self._file.transaction() as connection:
            rows.write_trials(connection, outcomes, self._keep or "probabilities")

    def stop_candidates(self, stopped: Sequence[Mapping[str, Any]]) -> None:
        """Record that candidates are not run further, and why.

        Parameters
        ----------
        stopped : sequence of {dataset, plan, candidate, repetitions, reason, …}
            ``repetitions`` are those that were run, over all runs.
        """
        self.write_facts({"stopped": [*self.stopped(), *map(dict, stopped)]})

    def resume_candidates(self, keys: Iterable[tuple[str, str, str]]) -> None:
        """Forget that candidates, (data set, plan, name) each, were stopped: they are run on."""
        names = set(keys)
        found = self.stopped()
        kept = [s for s in found if (s["dataset"], s["plan"], s["candidate"]) not in names]
        if len(kept) < len(found):
            self.write_facts({"stopped": kept})

    def fact(self, name: str) -> Any:
        """Return a fact by name, or None."""
        return self._file.read(rows.read_facts).get(name)

    def stopped(self) -> list[dict[str, Any]]:
        """Return which candidates were not run further, and why; empty without racing."""
        found: list[dict[str, Any]] = self.fact("stopped") or []
        return found

    def finished(self) -> set[TrialKey]:
        """Return the keys of all trials recorded."""
        return self._read(rows.read_keys)

    def done(self) -> dict[tuple[str, str, str], NDArray[np.bool_]]:
        """Return which trials are recorded.

        Returns
        -------
        {(data set, candidate, plan): (repetitions of all runs, folds) bools}
        """
        specification = self.fact("specification")
        if specification is None:
            return {}
        return self._read(lambda c, d: reading.read_done(c, d, specification))

    def trials(
        self, *, dataset: str | None = None, plan: str | None = None
    ) -> list[dict[str, Any]]:
        """Return every trial but its predictions, by data set, plan, candidate and repetition."""
        return self._read(lambda c, d: rows.read_trials(c, d, dataset, plan))

    def summary(self) -> list[dict[str, Any]]:
        """Return a row for each candidate, data set and plan: fits, failures, seconds, size."""
        return self._read(rows.read_summary)

    def model_bytes(self, dataset: str | None = None) -> dict[str, int]:
        """Return how large the fitted model of each candidate is, as pickled.

        Measured on one fit, the first of the plan made of folds, or of another where there is none.
        Candidates whose model cannot be pickled, or was never measured, are not among them.

        Parameters
        ----------
        dataset : str, optional
            Which; may be left out where the study has one only.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.neighbors import KNeighborsClassifier
        >>> from polychotomy.study import Study
        >>> with Study({"1-NN": KNeighborsClassifier(1)}, *load_iris(return_X_y=True)).run() as all:
        ...     all.model_bytes()["1-NN"] > 75 * 4 * 8  # it keeps its training data
        True
        """
        specification = self.fact("specification") or {"datasets": {}, "plans": {}}
        name = reading.choose_one(specification["datasets"], dataset, "data set")
        plans = specification["plans"]
        found = [row for row in self.summary() if row["dataset"] == name and row["model_bytes"]]
        found.sort(key=lambda row: plans[row["plan"]]["kind"] in reading.FOLDS)  # the last counts
        return {row["candidate"]: row["model_bytes"] for row in found}

    def say_status(self) -> str:
        """Say how many trials of each candidate are recorded, failed, damaged and still to come."""
        summary, found = self._look(rows.verify)
        facts = self._file.read(rows.read_facts)
        lines = ["nothing planned yet"]
        if "specification" in facts:
            stopped = facts.get("stopped", [])
            lines = [say_status(facts["specification"], facts["planned"], summary, stopped)]
        lines += [f"  {what}" for what in found.say()]
        return "\n".join([*lines, f"  {_AGAIN}"] if found else lines)

    def out_of_fold(
        self,
        candidates: Sequence[str] | None = None,
        *,
        dataset: str | None = None,
        plan: str | None = None,
        runs: int | None = None,
    ) -> OutOfFold:
        """Gather the predictions of some candidates in the first ``runs`` runs.

        Parameters
        ----------
        candidates : str or sequence of str, optional
            One, or several; all by default.
        dataset, plan : str, optional
            Which; may be left out where the study has one only, and the plan where only one is
            made of folds.
        runs : int, optional
            All by default.
        """
        part = self._part(candidates=candidates, dataset=dataset, plan=plan, runs=runs)
        return self._gather(reading.gather_out_of_fold, part, whole=True)

    def fold_errors(
        self,
        candidates: Sequence[str] | None = None,
        *,
        dataset: str | None = None,
        plan: str | None = None,
        runs: int | None = None,
    ) -> Floats:
        """Return the misclassification rate of every fit, (m, runs, repetitions, folds).

        The same numbers as ``out_of_fold(…).fold_errors()``, read in batches: memory does not grow
        with the predictions. NaN for a fit that failed or was not run. Parameters as in
        :meth:`out_of_fold`.
        """
        part = self._part(candidates=candidates, dataset=dataset, plan=plan, runs=runs)
        return self._gather(reading.gather_fold_errors, part, whole=False)

    def bootstrap_predictions(
        self, candidate: str, *, dataset: str | None = None
    ) -> tuple[NDArray[np.float32], Ints]:
        """Return predictions out of the bag and in-bag counts, for ``decompose_predictions``.

        Returns
        -------
        predictions : (b, n, k)
            NaN where a sample is in the bag. Replicates that failed are left out.
        in_bag : (b, n)
            How often each sample was drawn.
        """
        part = self._part(candidates=[candidate], dataset=dataset, kinds=("bootstrap",))
        return self._gather(reading.gather_bootstrap, part, whole=True)

    def size_errors(
        self, candidate: str, *, dataset: str | None = None, plan: str | None = None
    ) -> tuple[Ints, Floats]:
        """Return training sizes and the errors at each, for ``learning_curve_forecast``.

        Returns
        -------
        sizes : (s,)
        losses : (s, n)
            Share of repetitions in which each sample was misclassified; NaN where no fit
            predicted it.
        """
        kinds = ("nested sizes",)
        part = self._part(candidates=[candidate], dataset=dataset, plan=plan, kinds=kinds)
        return self._gather(reading.gather_size_errors, part, whole=False)

    def _part(self, *, kinds: Sequence[str] = reading.FOLDS, **asked: Any) -> reading.Part:
        specification = self._specification()
        return self._file.read(lambda c: reading.Part(c, specification, kinds=kinds, **asked))

    def _gather(
        self,
        gather: Callable[[Iterable[reading.Batch], reading.Part], Answer],
        part: reading.Part,
        *,
        whole: bool,
    ) -> Answer:
        return self._read(lambda c, d: gather(reading.read_batches(c, d, part, whole=whole), part))

    def _specification(self) -> Specification:
        found: Specification | None = self.fact("specification")
        if found is None:
            raise StudyError("the study is empty: nothing has been planned yet. Run it first.")
        return found

    def truth(self, dataset: str | None = None) -> Ints:
        """Return the class codes of a data set's samples, (n,)."""
        return self._samples(dataset)[0]

    def _samples(self, dataset: str | None) -> tuple[Ints, list[str] | None]:
        name = reading.choose_one(self._specification()["datasets"], dataset, "data set")
        return self._file.read(lambda c: reading.load_samples(c, name))

    def folds(self, *, dataset: str | None = None, plan: str | None = None) -> Ints:
        """Return in which fold each sample was left out, −1 for none, (runs, repetitions, n)."""
        part = self._part(candidates=[], dataset=dataset, plan=plan)
        folds = part.plan.parts(part.splits)[0].astype(np.intp)
        return folds.reshape(part.runs, part.plan.repetitions, -1)

    def prediction_columns(
        self, at_a_time: int | None = None, **part: Any
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the predictions, a column for each field, so many at a time or all at once.

        ``dataset, plan, candidate, run, repetition, fold, sample, truth, predicted``, ``p:<class>``
        for each class, ``fit_seconds, predict_seconds``; ordered by candidate, repetition, sample.
        ``part`` names a data set, a plan and candidates; memory is bounded by what these take.
        """
        return self._gather(reading.gather_columns, self._part(**part), whole=True)(at_a_time)

    def sample_ids(self, dataset: str | None = None) -> list[str] | None:
        """Return the names of a data set's samples; None where their positions are all."""
        return self._samples(dataset)[1]
