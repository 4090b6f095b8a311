"""The ledger: every out-of-sample prediction of a study, kept once, in one SQLite file.

Tables
------
``facts``    name → JSON: specification, planned, provenance, stopped, who runs it (driver)
``samples``  data set → truth as class codes (int32), a hash a row (uint64), the data's
             fingerprints (JSON), ids of the samples if they have any (JSON)
``splits``   data set, plan, run, repetition → a small number for every sample (int16), which the
             plan reads: its fold, or how often a bootstrap drew it
``trials``   one row a finished trial: status, clocks, cause of a failure, and the predictions on
             the samples left out: class codes (the smallest unsigned type) and probabilities
             (float32, row-major), in ascending order of sample

Arrays are little-endian bytes. Nothing is pickled, so opening a ledger runs nothing.
"""

from __future__ import annotations

import json
import os
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from polychotomy.core.exceptions import StudyError
from polychotomy.study.design.specification import DataPrint, Specification
from polychotomy.study.design.trials import Outcome
from polychotomy.study.fitting.work import Splits
from polychotomy.study.ledger import rows as ledger_rows
from polychotomy.study.ledger.conflicts import find_conflicts, unite
from polychotomy.study.ledger.file import (
    Hold,
    StudyFile,
    close_study,
    describe_holder,
    let_go,
)
from polychotomy.study.ledger.reading import LedgerReading
from polychotomy.study.ledger.status import Planned, unite_planned


class Ledger(LedgerReading):
    """Every trial of a study, in a file or, without a path, in memory.

    Parameters
    ----------
    path : path or None
        A new file is created; an existing study is opened. None keeps the ledger in memory.
    must_exist : bool
        Refuse to create a new file.
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

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        must_exist: bool = False,
        read_only: bool = False,
    ) -> None:
        self.path = None if path is None else Path(path)
        self._holds: list[Hold] = []
        self._keep: str | None = None
        if (must_exist or read_only) and not (self.path and self.path.is_file()):
            found = f"there is no study {str(path)!r}"
            if self.path is not None and self.path.is_dir():
                found = f"{str(path)!r} is a folder, not a study"
            raise StudyError(f"{found}; expected the name of a study file.")
        self._file = StudyFile(self.path, schema=ledger_rows.SCHEMA, read_only=read_only)
        weakref.finalize(self, let_go, self._file, self._holds, os.getpid())

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Ledger {'in memory' if self.path is None else repr(str(self.path))}>"

    def close(self) -> None:
        """Close the file. The write-ahead log is folded into it, so one file remains.

        A ledger that nobody refers to any more is closed as well.
        """
        close_study(self._file, self._holds)

    def hold(self) -> None:
        """Make this process the study's only driver until it closes the ledger or ends."""
        if self.path is None or any(hold.is_held for hold in self._holds):
            return
        hold = Hold(self.path)
        self._holds.append(hold)
        if hold.is_taken_here:
            raise StudyError(
                f"the study {str(self.path)!r} is still open in this process: another Ledger holds "
                "it. close() that one first, or use it in a “with” block."
            )
        if not hold.is_held:
            holder = self.fact("driver") or {}
            raise StudyError(
                f"the study {str(self.path)!r} is being run by process {holder.get('pid', '?')} on "
                f"{holder.get('host', '?')} since {holder.get('since', '?')}. Wait until it has "
                "finished, or stop it."
            )
        self._write_facts({"driver": describe_holder()})

    def begin(
        self,
        specification: Specification,
        *,
        prints: Mapping[str, DataPrint],
        splits: Mapping[tuple[str, str], Splits],
        planned: Planned,
        provenance: Mapping[str, Any],
        ids: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Write down what the study is, or check that it is the one already written down.

        Parameters
        ----------
        prints : {data set: DataPrint}
        splits : {(data set, plan): (runs, repetitions, n) int16}
        planned : {plan: {data set: {candidate: repetitions of all runs}}}
        ids : {data set: names of its samples}, optional
            Their positions by default.
        """
        stored = self.fact("specification")
        if stored is not None:
            self._refuse_conflicts(stored, specification, prints)
            specification = unite(stored, specification)
            planned = unite_planned(self.fact("planned"), planned)
        with self._file.transaction() as connection:
            ledger_rows.write_facts(
                connection, {"specification": specification, "planned": planned}
            )
            connection.execute(
                "INSERT OR IGNORE INTO facts VALUES ('provenance', ?)", (json.dumps(provenance),)
            )
            ledger_rows.write_samples(connection, prints, ids or {})
            ledger_rows.write_splits(connection, splits)

    def _refuse_conflicts(
        self, stored: Specification, asked: Specification, prints: Mapping[str, DataPrint]
    ) -> None:
        known = self._file.read(ledger_rows.read_prints)
        both = {name: (known[name], now) for name, now in prints.items() if name in known}
        conflicts = find_conflicts(stored, asked, both)
        if conflicts:
            raise StudyError(
                f"the {'ledger' if self.path is None else f'study {str(self.path)!r}'} was made "
                "for something else: "
                f"{'; '.join(conflicts)}. Nothing was changed. Use another study file, or go "
                "back to what the study was made with."
            )

    def _write_facts(self, facts: Mapping[str, Any]) -> None:
        with self._file.transaction() as connection:
            ledger_rows.write_facts(connection, facts)

    def record(self, outcomes: Iterable[Outcome]) -> None:
        """Record finished trials in one transaction; each key once."""
        if self._keep is None:  # it never changes, and a specification may be long
            self._keep = (self.fact("specification") or {}).get("keep")
        with self._file.transaction() as connection:
            ledger_rows.write_trials(connection, outcomes, self._keep or "probabilities")

    def stop_candidates(self, stopped: Sequence[Mapping[str, Any]]) -> None:
        """Record that candidates are not run further, and why.

        Parameters
        ----------
        stopped : sequence of {dataset, plan, candidate, repetitions, reason, …}
            ``repetitions`` are those that were run, over all runs.
        """
        self._write_facts({"stopped": [*self.stopped(), *map(dict, stopped)]})

    def resume_candidates(self, keys: Iterable[tuple[str, str, str]]) -> None:
        """Forget that candidates, (data set, plan, name) each, were stopped: they are run on."""
        names = set(keys)
        found = self.stopped()
        kept = [s for s in found if (s["dataset"], s["plan"], s["candidate"]) not in names]
        if len(kept) < len(found):
            self._write_facts({"stopped": kept})
