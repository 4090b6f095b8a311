"""The ledger: every out-of-sample prediction of a study, kept once, in one SQLite file.

Tables
------
``facts``    name → JSON: specification, provenance, who runs it (driver)
``samples``  data set → truth, as class codes (int32)
``splits``   data set, plan, run, repetition → a small number for every sample (int16), which the
             plan reads: its fold, or how often a bootstrap drew it
``trials``   one row a finished trial: status, clocks, cause of a failure, and the predictions on
             the samples left out: class codes (int32) and probabilities (float32, row-major),
             in ascending order of sample

Arrays are little-endian bytes. Nothing is pickled, so opening a ledger runs nothing.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Ints
from polychotomy.exceptions import StudyError
from polychotomy.predictions import OutOfFold
from polychotomy.study.hold import describe_holder, try_hold
from polychotomy.study.plan_kinds import plan_from_dict
from polychotomy.study.specification import Specification, find_conflicts, unite
from polychotomy.study.trials import Outcome, TrialKey

FORMAT = 2
_APPLICATION_ID = 0x504F4C59  # "POLY", in the file's header

_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE samples (dataset TEXT PRIMARY KEY, truth BLOB NOT NULL);
CREATE TABLE splits (
    dataset TEXT, plan TEXT, run INTEGER, repetition INTEGER, split BLOB NOT NULL,
    PRIMARY KEY (dataset, plan, run, repetition)
);
CREATE TABLE trials (
    dataset TEXT, candidate TEXT, plan TEXT, run INTEGER, repetition INTEGER, fold INTEGER,
    status TEXT NOT NULL, hard INTEGER NOT NULL, fit_seconds REAL, predict_seconds REAL,
    cause TEXT NOT NULL, details TEXT NOT NULL, warnings TEXT NOT NULL,
    predicted BLOB NOT NULL, probabilities BLOB NOT NULL,
    PRIMARY KEY (dataset, candidate, plan, run, repetition, fold)
);
"""


class Ledger:
    """Every trial of a study, in a file or, without a path, in memory.

    Parameters
    ----------
    path : path or None
        A new file is created; an existing study is opened. None keeps the ledger in memory.
    must_exist : bool
        Refuse to create a new file.

    Examples
    --------
    >>> from polychotomy.study import Ledger
    >>> with Ledger() as ledger:
    ...     ledger.finished()
    set()
    """

    def __init__(self, path: str | Path | None = None, *, must_exist: bool = False) -> None:
        self.path = None if path is None else Path(path)
        self._held: BinaryIO | None = None
        if must_exist and not (self.path and self.path.is_file()):
            raise StudyError(f"there is no study {str(path)!r}; expected the name of a study file.")
        if self.path is not None and self.path.exists() and self.path.stat().st_size:
            _refuse_foreign(self.path)
        try:
            self._connection = sqlite3.connect(
                ":memory:" if self.path is None else self.path, isolation_level=None
            )
            self._connection.execute("PRAGMA synchronous = FULL")
            if not self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                self._create()
        except sqlite3.Error as error:
            raise StudyError(
                f"cannot open the study {str(path)!r}: {error}. Expected a file that can be "
                "written, in a folder that exists."
            ) from error

    def _create(self) -> None:
        """Write the header and the tables in one transaction, in the file itself.

        Only then is the write-ahead log switched on: a log that outlives its writer must not hold
        the header by which the file is known.
        """
        self._connection.executescript(
            f"BEGIN; PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {FORMAT}; "
            f"{_SCHEMA} COMMIT; PRAGMA journal_mode = WAL;"
        )

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. The write-ahead log is folded into it, so one file remains."""
        self._connection.close()
        if self._held is not None:
            self._held.close()

    def hold(self) -> None:
        """Make this process the study's only driver until it closes the ledger or ends."""
        if self.path is None or self._held is not None:
            return
        self._held = try_hold(self.path)
        if self._held is None:
            holder = self.fact("driver") or {}
            raise StudyError(
                f"the study {str(self.path)!r} is being run by process {holder.get('pid', '?')} on "
                f"{holder.get('host', '?')} since {holder.get('since', '?')}. Wait until it has "
                "finished, or stop it."
            )
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO facts VALUES ('driver', ?)",
                (json.dumps(describe_holder()),),
            )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def begin(
        self,
        specification: Specification,
        *,
        truths: Mapping[str, Ints],
        splits: Mapping[tuple[str, str], NDArray[np.int16]],
        provenance: dict[str, Any],
    ) -> None:
        """Write down what the study is, or check that it is the one already written down.

        Parameters
        ----------
        truths : {data set: (n,) ints}
        splits : {(data set, plan): (runs, repetitions, n) int16}
        """
        stored = self.fact("specification")
        if stored is not None:
            conflicts = find_conflicts(stored, specification)
            if conflicts:
                raise StudyError(
                    f"the study {str(self.path)!r} was made for something else: "
                    f"{'; '.join(conflicts)}. Nothing was changed. Use another study file, or go "
                    "back to what the study was made with."
                )
            specification = unite(stored, specification)
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO facts VALUES ('specification', ?)",
                (json.dumps(specification),),
            )
            connection.execute(
                "INSERT OR IGNORE INTO facts VALUES ('provenance', ?)", (json.dumps(provenance),)
            )
            connection.executemany(
                "INSERT OR IGNORE INTO samples VALUES (?, ?)",
                [(dataset, truth.astype("<i4").tobytes()) for dataset, truth in truths.items()],
            )
            connection.executemany(
                "INSERT OR IGNORE INTO splits VALUES (?, ?, ?, ?, ?)",
                (
                    (*names, run, repetition, split[run, repetition].astype("<i2").tobytes())
                    for names, split in splits.items()
                    for run, repetition in np.ndindex(*split.shape[:2])
                ),
            )

    def fact(self, name: str) -> Any:
        """Return a fact by name, or None."""
        row = self._connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def finished(self) -> set[TrialKey]:
        """Return the keys of all trials recorded."""
        rows = self._connection.execute(
            "SELECT dataset, candidate, plan, run, repetition, fold FROM trials"
        )
        return {TrialKey(*row) for row in rows}

    def record(self, outcomes: Iterable[Outcome]) -> None:
        """Record finished trials in one transaction; each key once."""
        with self._transaction() as connection:
            connection.executemany(
                f"INSERT INTO trials VALUES ({', '.join('?' * 15)})", map(_row_of, outcomes)
            )

    def trials(self) -> list[dict[str, Any]]:
        """Return every trial but its predictions, by candidate, run, repetition and fold."""
        cursor = self._connection.execute(
            "SELECT dataset, candidate, plan, run, repetition, fold, status, hard, fit_seconds, "
            "predict_seconds, cause, details, warnings FROM trials "
            "ORDER BY dataset, plan, candidate, run, repetition, fold"
        )
        names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor]
        return [row | {"warnings": json.loads(row["warnings"])} for row in rows]

    def say_status(self) -> str:
        """Say how many trials of each candidate are recorded, failed and still to come."""
        specification = self.fact("specification")
        if specification is None:
            return "nothing planned yet"
        planned = len(specification["datasets"]) * sum(
            plan_from_dict(plan).n_trials for plan in specification["plans"].values()
        )
        counts = dict.fromkeys(specification["candidates"], (0, 0))
        for name, done, failed in self._connection.execute(
            "SELECT candidate, count(*), sum(status <> 'ok') FROM trials GROUP BY candidate"
        ):
            counts[name] = (done, failed)
        done = sum(done for done, _ in counts.values())
        lines = [f"{done} of {planned * len(counts)} fits recorded"]
        lines += [
            f"  {name}: {done} of {planned}" + (f", {failed} failed" if failed else "")
            for name, (done, failed) in counts.items()
        ]
        return "\n".join(lines)

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
        candidates : sequence of str, optional
            All by default.
        dataset, plan : str, optional
            Which; may be left out where the study has one only.
        runs : int, optional
            All by default.
        """
        specification = self.fact("specification")
        dataset = dataset or next(iter(specification["datasets"]))
        plan = plan or next(iter(specification["plans"]))
        how = plan_from_dict(specification["plans"][plan])
        classes = specification["datasets"][dataset]["classes"]
        candidates = list(specification["candidates"] if candidates is None else candidates)
        truth = self._truth(dataset)
        folds = self._splits(dataset, plan, how.runs if runs is None else runs)
        shape = (len(candidates), *folds.shape)
        predicted = np.full(shape, -1, dtype=np.intp)
        probabilities = np.full((*shape, len(classes)), np.nan, dtype=np.float32)
        hard = np.zeros(len(candidates), dtype=bool)
        for row in self._connection.execute(
            "SELECT candidate, run, repetition, fold, hard, predicted, probabilities FROM trials "
            "WHERE dataset = ? AND plan = ? AND status = 'ok' AND run < ?",
            (dataset, plan, len(folds)),
        ):
            if row[0] in candidates:
                i, run, repetition = candidates.index(row[0]), row[1], row[2]
                left_out = how.rows(folds[run, repetition], row[3])[1]
                predicted[i, run, repetition, left_out] = np.frombuffer(row[5], "<i4")
                probabilities[i, run, repetition, left_out] = np.frombuffer(row[6], "<f4").reshape(
                    -1, len(classes)
                )
                hard[i] |= bool(row[4])
        return OutOfFold(
            names=tuple(candidates),
            classes=tuple(classes),
            y=truth,
            folds=folds.astype(np.intp),
            predicted=predicted,
            probabilities=probabilities,
            hard=hard,
        )

    def _truth(self, dataset: str) -> Ints:
        row = self._connection.execute(
            "SELECT truth FROM samples WHERE dataset = ?", (dataset,)
        ).fetchone()
        return np.frombuffer(row[0], "<i4").astype(np.intp)

    def _splits(self, dataset: str, plan: str, runs: int) -> NDArray[np.int16]:
        rows = self._connection.execute(
            "SELECT split FROM splits WHERE dataset = ? AND plan = ? AND run < ? "
            "ORDER BY run, repetition",
            (dataset, plan, runs),
        ).fetchall()
        splits = np.array([np.frombuffer(row[0], "<i2") for row in rows], dtype=np.int16)
        return splits.reshape(runs, len(rows) // runs, -1)


def _row_of(outcome: Outcome) -> tuple[Any, ...]:
    return (
        *outcome.key,
        outcome.status,
        int(outcome.hard),
        outcome.fit_seconds,
        outcome.predict_seconds,
        outcome.cause,
        outcome.details,
        json.dumps(outcome.warnings),
        outcome.predicted.astype("<i4").tobytes(),
        outcome.probabilities.astype("<f4").tobytes(),
    )


def _refuse_foreign(path: Path) -> None:
    """Look at the header before SQLite may touch the file."""
    with path.open("rb") as file:
        header = file.read(100)
    is_ours = header.startswith(b"SQLite format 3\0") and header[68:72] == _APPLICATION_ID.to_bytes(
        4, "big"
    )
    if not is_ours:
        raise StudyError(
            f"{str(path)!r} exists and is not a polychotomy study; expected a study file or a new "
            "name. It was left untouched."
        )
    found = int.from_bytes(header[60:64], "big")
    if found != FORMAT:
        raise StudyError(
            f"{str(path)!r} has study format {found}; this version reads format {FORMAT}. It was "
            "left untouched: open it with the version of polychotomy that made it."
        )
