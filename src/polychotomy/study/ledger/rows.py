"""Rows of the study file: how facts, samples, splits and trials are written and read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from polychotomy.study.design.specification import DataPrint
from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.work import Splits

SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE samples (
    dataset TEXT PRIMARY KEY, truth BLOB NOT NULL, print TEXT NOT NULL, ids TEXT
);
CREATE TABLE splits (
    dataset TEXT, plan TEXT, run INTEGER, repetition INTEGER, split BLOB NOT NULL,
    PRIMARY KEY (dataset, plan, run, repetition)
);
CREATE TABLE trials (
    dataset TEXT, candidate TEXT, plan TEXT, run INTEGER, repetition INTEGER, fold INTEGER,
    status TEXT NOT NULL, hard INTEGER NOT NULL, fit_seconds REAL, predict_seconds REAL,
    model_bytes INTEGER, cause TEXT NOT NULL, details TEXT NOT NULL, warnings TEXT NOT NULL,
    predicted BLOB NOT NULL, probabilities BLOB NOT NULL,
    PRIMARY KEY (dataset, plan, run, repetition, candidate, fold)
);
"""


_BUT_PREDICTIONS = (
    "dataset, candidate, plan, run, repetition, fold, status, hard, fit_seconds, predict_seconds, "
    "model_bytes, cause, details, warnings"
)


def write_facts(connection: sqlite3.Connection, facts: Mapping[str, Any]) -> None:
    """Write facts, in place of those of the same name."""
    connection.executemany(
        "INSERT OR REPLACE INTO facts VALUES (?, ?)",
        [(name, json.dumps(value)) for name, value in facts.items()],
    )


def write_samples(
    connection: sqlite3.Connection,
    prints: Mapping[str, DataPrint],
    ids: Mapping[str, Sequence[str]],
) -> None:
    """Write truth and fingerprints of data sets that are new."""
    connection.executemany(
        "INSERT OR IGNORE INTO samples VALUES (?, ?, ?, ?)",
        (
            (
                name,
                data.codes.astype("<i4").tobytes(),
                data.to_json(),
                json.dumps(list(ids[name])) if name in ids else None,
            )
            for name, data in prints.items()
        ),
    )


def read_prints(connection: sqlite3.Connection) -> dict[str, DataPrint]:
    """Return the fingerprints of all data sets."""
    rows = connection.execute("SELECT dataset, truth, print FROM samples")
    return {
        name: DataPrint.from_json(text, codes=np.frombuffer(truth, "<i4").astype(np.intp))
        for name, truth, text in rows
    }


def write_splits(connection: sqlite3.Connection, splits: Mapping[tuple[str, str], Splits]) -> None:
    """Write the split rows of repetitions that are new; rows are drawn only for these."""
    for names, split in splits.items():
        known = set(
            connection.execute(
                "SELECT run, repetition FROM splits WHERE dataset = ? AND plan = ?", names
            )
        )
        connection.executemany(
            "INSERT INTO splits VALUES (?, ?, ?, ?, ?)",
            (
                (*names, *where, split[where].astype("<i2").tobytes())
                for where in np.ndindex(*split.shape[:2])
                if where not in known
            ),
        )


def write_trials(connection: sqlite3.Connection, outcomes: Iterable[Outcome], keep: str) -> None:
    """Write finished trials; a key that is there already is an error."""
    connection.executemany(
        f"INSERT INTO trials VALUES ({', '.join('?' * 16)})",
        [outcome[:16] if keep == "probabilities" else (*outcome[:15], b"") for outcome in outcomes],
    )


def read_keys(connection: sqlite3.Connection) -> set[TrialKey]:
    """Return the keys of all trials."""
    rows = connection.execute("SELECT dataset, candidate, plan, run, repetition, fold FROM trials")
    return {TrialKey(*row) for row in rows}


def read_trials(
    connection: sqlite3.Connection, dataset: str | None, plan: str | None
) -> list[dict[str, Any]]:
    """Return trials without their predictions, as plain values."""
    cursor = connection.execute(
        f"SELECT {_BUT_PREDICTIONS} FROM trials "
        "WHERE (?1 IS NULL OR dataset = ?1) AND (?2 IS NULL OR plan = ?2) "
        "ORDER BY dataset, plan, candidate, run, repetition, fold",
        (dataset, plan),
    )
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, row, strict=True)) for row in cursor]
    return [row | {"warnings": json.loads(row["warnings"])} for row in rows]


def read_summary(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return counts and mean clocks of every candidate, data set and plan."""
    cursor = connection.execute(
        "SELECT dataset, plan, candidate, count(*) AS trials, sum(status <> 'ok') AS failed, "
        "avg(CASE WHEN status = 'ok' THEN fit_seconds END) AS fit_seconds, "
        "avg(CASE WHEN status = 'ok' THEN predict_seconds END) AS predict_seconds, "
        "sum(fit_seconds + predict_seconds) AS seconds, max(model_bytes) AS model_bytes "
        "FROM trials GROUP BY dataset, plan, candidate ORDER BY dataset, plan, candidate"
    )
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def read_model_bytes(
    connection: sqlite3.Connection, dataset: str, plans: Sequence[str]
) -> dict[str, int]:
    """Return the size of each candidate's model; of plans that have one, the first counts."""
    found: dict[str, int] = {}
    for plan in reversed(plans):
        found |= connection.execute(
            "SELECT candidate, model_bytes FROM trials WHERE dataset = ? AND plan = ? "
            "AND run = 0 AND repetition = 0 AND fold = 0 AND model_bytes IS NOT NULL",
            (dataset, plan),
        ).fetchall()
    return found
