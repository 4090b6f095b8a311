"""Rows of the study file: how facts, samples, splits and trials are written, read and verified.

Every row ends in a digest of its values (:func:`digest`), its key among them, so that a bit that
flipped and a value that somebody edited are noticed. A trial has two: that of what was predicted,
which is all that errors need, and that of the rest. ``counts`` says how many trials there are of
each plan and what their digests sum to, so that a row that is gone is noticed too. Facts are few
and everything depends on them: each is written twice.
"""

from __future__ import annotations

import json
import marshal
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.exceptions import PolychotomyWarning, StudyError
from polychotomy.study.design.specification import DataPrint
from polychotomy.study.design.trials import Outcome, TrialKey

_KEYS = """
CREATE UNIQUE INDEX trial_keys ON trials (dataset, plan, run, repetition, candidate, fold);
"""

SCHEMA = f"""
CREATE TABLE facts (name TEXT, copy INTEGER, value TEXT, digest BLOB);
CREATE TABLE samples (dataset TEXT, truth BLOB, print TEXT, ids TEXT, digest BLOB);
CREATE TABLE splits (
    dataset TEXT, plan TEXT, run INTEGER, repetition INTEGER, split BLOB, digest BLOB
);
CREATE TABLE counts (dataset TEXT, plan TEXT, trials INTEGER, total INTEGER, digest BLOB);
CREATE TABLE trials (
    dataset TEXT, candidate TEXT, plan TEXT, run INTEGER, repetition INTEGER, fold INTEGER,
    status TEXT, hard INTEGER, predicted BLOB, digest BLOB,
    fit_seconds REAL, predict_seconds REAL, model_bytes INTEGER,
    cause TEXT, details TEXT, warnings TEXT, probabilities BLOB, rest BLOB
);{_KEYS}"""

_ANSWER = "rowid, dataset, candidate, plan, run, repetition, fold, status, hard, predicted, digest"

_REST = "fit_seconds, predict_seconds, model_bytes, cause, details, warnings, probabilities, rest"

AT_A_TIME = 20_000  # trials that are read at a time

_FACTS = ("", "facts")  # the row of ``counts`` that counts the facts

_NAMED = 3  # damaged records named in a message

Row = tuple[Any, ...]


class DamagedRecords(PolychotomyWarning):
    """Records of a study file are damaged or missing, and were left out."""


def digest(values: Row) -> bytes:
    """Return eight bytes of BLAKE2b of values, as Python's ``marshal`` writes them in version 2.

    That version has no references, so that equal values are equal bytes in every process, and it
    takes a third of the time that JSON does: a million trials are verified with every question.

    Examples
    --------
    >>> digest(("iris", 1, 0.5, None, b"")).hex()
    '84f27d677639f3d3'
    """
    return blake2b(marshal.dumps(values, 2), digest_size=8).digest()


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Write rows, each with its digest."""
    signed = [(*row, digest(row)) for row in rows]
    if signed:
        places = ", ".join("?" * len(signed[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({places})", signed)


def _sound_rows(
    connection: sqlite3.Connection, table: str, where: str = "1", values: Row = ()
) -> list[Row]:
    """Return rows whose digest is right, without it."""
    rows = connection.execute(f"SELECT * FROM {table} WHERE {where}", values)
    return [row[:-1] for row in rows if digest(row[:-1]) == row[-1]]


class Damage:
    """What was found damaged or missing while a study was read.

    Examples
    --------
    >>> damage = Damage()
    >>> damage.trials[7] = "1-NN on iris, 5x2 folds, run 0, repetition 3, fold 1"
    >>> damage.say()
    ['1 record is damaged and left out: 1-NN on iris, 5x2 folds, run 0, repetition 3, fold 1']
    """

    def __init__(self) -> None:
        self.trials: dict[int, str] = {}
        self.missing = 0
        self.others: list[str] = []

    def __bool__(self) -> bool:
        return bool(self.trials or self.missing or self.others)

    def say(self) -> list[str]:
        """Return what was found, in words."""
        found = list(self.others)
        names = [*self.trials.values()]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        named = f"damaged and left out: {'; '.join(names[:_NAMED])}{more}"
        for n, what in ((len(names), named), (self.missing, "missing")):
            if n:
                found.append(f"{'1 record is' if n == 1 else f'{n} records are'} {what}")
        return found


def verified_trials(
    connection: sqlite3.Connection,
    damage: Damage,
    dataset: str | None = None,
    plan: str | None = None,
    *,
    whole: bool,
    at_a_time: int = AT_A_TIME,
) -> Iterator[list[Row]]:
    """Yield the sound trials of a data set and plan, or of all, in the order they were recorded.

    Columns are ``rowid``, those of what was predicted, and with ``whole`` the rest. The table is
    read from its beginning to its end: an index could be damaged too, and hide rows.
    """
    cursor = connection.execute(
        f"SELECT {_ANSWER}{f', {_REST}' if whole else ''} FROM trials NOT INDEXED "
        "WHERE (?1 IS NULL OR dataset = ?1) AND (?2 IS NULL OR plan = ?2)",
        (dataset, plan),
    )
    total = n = 0
    dumps = marshal.dumps
    while rows := cursor.fetchmany(at_a_time):
        # digest(row[1:10]), written out: calling it would take a tenth of the time of a question.
        sound = [
            row for row in rows if blake2b(dumps(row[1:10], 2), digest_size=8).digest() == row[10]
        ]
        if whole:
            sound = [row for row in sound if digest(row[10:-1]) == row[-1]]
        if len(sound) < len(rows):
            kept = {row[0] for row in sound}
            damage.trials |= {row[0]: _name(row) for row in rows if row[0] not in kept}
        n += len(rows)
        total += _sum([row[10] for row in sound])
        yield sound
    counts = _read_counts(connection, damage)
    expected = [
        count
        for names, count in counts.items()
        if names != _FACTS and dataset in (None, names[0]) and plan in (None, names[1])
    ]
    lost = sum(count[0] for count in expected) - n
    if lost > 0:
        damage.missing = max(damage.missing, lost)
    elif not damage and (lost or (sum(count[1] for count in expected) - total) % 2**63):
        damage.others.append("its records do not add up to what was recorded")


def verify(connection: sqlite3.Connection, damage: Damage) -> list[dict[str, Any]]:
    """Look at every row of the file; return the summary of its sound trials."""
    summary = read_summary(connection, damage)
    for table in ("samples", "splits"):
        ((n,),) = connection.execute(f"SELECT count(*) FROM {table}")
        bad = n - len(_sound_rows(connection, table))
        if bad:
            damage.others.append(f"{bad} of the {n} rows of its table {table!r} are damaged")
    return summary


def _sum(digests: list[bytes]) -> int:
    """Return the sum of digests modulo 2⁶³, which SQLite can keep."""
    return int(np.frombuffer(b"".join(digests), ">u8").sum(dtype=np.uint64)) % 2**63


def _name(row: Row) -> str:
    _, dataset, candidate, plan, run, repetition, fold, *_ = row
    text = f"{candidate} on {dataset}, {plan}, run {run}, repetition {repetition}, fold {fold}"
    return text[:200].encode("utf-8", "replace").decode()


def _read_counts(
    connection: sqlite3.Connection, damage: Damage
) -> dict[tuple[str, str], tuple[int, int]]:
    sound = _sound_rows(connection, "counts")
    ((n,),) = connection.execute("SELECT count(*) FROM counts")
    if len(sound) < n and not damage.others:
        damage.others.append("the count of its records is damaged")
    return {(dataset, plan): (n, total) for dataset, plan, n, total in sound}


def _add_counts(
    connection: sqlite3.Connection, digests: Iterable[tuple[tuple[str, str], bytes]]
) -> None:
    """Count more rows of some parts."""
    known = _read_counts(connection, Damage())
    found: dict[tuple[str, str], list[bytes]] = {}
    for part, own in digests:
        found.setdefault(part, []).append(own)
    for part, more in found.items():
        n, total = known.get(part, (0, 0))
        row = (*part, n + len(more), (total + _sum(more)) % 2**63)
        connection.execute("DELETE FROM counts WHERE dataset = ? AND plan = ?", part)
        _insert(connection, "counts", [row])


def repair(connection: sqlite3.Connection, damage: Damage) -> None:
    """Delete what is damaged, and count what is left; the caller writes it anew.

    The index is made anew first: to delete a row whose key is damaged, SQLite would look it up.
    """
    connection.execute("DROP INDEX trial_keys")
    connection.executemany("DELETE FROM trials WHERE rowid = ?", [(i,) for i in damage.trials])
    for table in ("splits", "samples"):
        rows = connection.execute(f"SELECT rowid, * FROM {table}").fetchall()
        bad = [(row[0],) for row in rows if digest(row[1:-1]) != row[-1]]
        connection.executemany(f"DELETE FROM {table} WHERE rowid = ?", bad)
    connection.execute(_KEYS)
    facts = read_facts(connection)
    connection.execute("DELETE FROM facts")
    connection.execute("DELETE FROM counts")
    left = connection.execute("SELECT dataset, plan, digest FROM trials")
    _add_counts(connection, (((dataset, plan), own) for dataset, plan, own in left))
    write_facts(connection, facts)


def write_facts(connection: sqlite3.Connection, facts: Mapping[str, Any]) -> None:
    """Write facts, in place of those of the same name; all are written anew, each twice."""
    facts = read_facts(connection) | dict(facts)
    rows = [(name, copy, json.dumps(value)) for name, value in facts.items() for copy in (0, 1)]
    connection.execute("DELETE FROM facts")
    _insert(connection, "facts", rows)
    connection.execute("DELETE FROM counts WHERE dataset = ? AND plan = ?", _FACTS)
    _add_counts(connection, ((_FACTS, digest(row)) for row in rows))


def read_facts(connection: sqlite3.Connection) -> dict[str, Any]:
    """Return all facts by name."""
    sound = {name: value for name, _, value in _sound_rows(connection, "facts")}
    ((names,),) = connection.execute("SELECT count(DISTINCT name) FROM facts")
    count, _ = _read_counts(connection, Damage()).get(_FACTS, (2 * names, 0))
    if 2 * len(sound) < count:
        raise StudyError(
            "what the study is (its table of facts) is damaged, in both copies: its records "
            "cannot be told any more. It was left untouched. Take a copy from before, or begin a "
            "new study."
        )
    return {name: json.loads(value) for name, value in sound.items()}


def write_samples(
    connection: sqlite3.Connection,
    prints: Mapping[str, DataPrint],
    ids: Mapping[str, Sequence[str]],
) -> None:
    """Write truth and fingerprints of data sets that are new."""
    known = {name for (name,) in connection.execute("SELECT dataset FROM samples")}
    for name in [name for name in prints if name not in known]:
        named, data = json.dumps(list(ids[name])) if name in ids else None, prints[name]
        row = (name, data.codes.astype("<i4").tobytes(), data.to_json(), named)
        _insert(connection, "samples", [row])


def read_samples(connection: sqlite3.Connection) -> dict[str, tuple[bytes, str, str | None]]:
    """Return truth, fingerprints and ids of each data set; those that are damaged are left out."""
    return {row[0]: row[1:] for row in _sound_rows(connection, "samples")}


def read_prints(connection: sqlite3.Connection) -> dict[str, DataPrint]:
    """Return the fingerprints of all data sets."""
    return {
        name: DataPrint.from_json(text, codes=np.frombuffer(truth, "<i4").astype(np.intp))
        for name, (truth, text, _) in read_samples(connection).items()
    }


def write_splits(
    connection: sqlite3.Connection, splits: Mapping[tuple[str, str], NDArray[np.int16]]
) -> None:
    """Write the split rows of repetitions that are new."""
    for names, split in splits.items():
        query = "SELECT run, repetition FROM splits WHERE dataset = ? AND plan = ?"
        known = set(connection.execute(query, names))
        rows = (
            (*names, *where, split[where].astype("<i2").tobytes())
            for where in np.ndindex(*split.shape[:2])
            if where not in known
        )
        _insert(connection, "splits", rows)


def read_splits(connection: sqlite3.Connection, dataset: str, plan: str, runs: int) -> list[bytes]:
    """Return the sound split rows of the first runs, in order; damaged ones are left out."""
    where = "dataset = ? AND plan = ? AND run < ?"
    sound = _sound_rows(connection, "splits", where, (dataset, plan, runs))
    once = {row[2:4]: row[4] for row in sound}  # a row may have been doubled
    return [once[where] for where in sorted(once)]


def write_trials(connection: sqlite3.Connection, outcomes: Iterable[Outcome], keep: str) -> None:
    """Write finished trials; a key that is there already is an error."""
    rows = [_row(outcome, keep) for outcome in outcomes]
    connection.executemany(f"INSERT INTO trials VALUES ({', '.join('?' * 18)})", rows)
    _add_counts(connection, (((row[0], row[2]), row[9]) for row in rows))


def _row(outcome: Outcome, keep: str) -> Row:
    """Return the row of a trial, of plain types: only these are read back as they were digested."""
    dataset, candidate, plan, run, repetition, fold = outcome[:6]
    status, hard, fit, predict, size, cause, details, said, labels, shares, _ = outcome[6:]
    key = (_plain(dataset), _plain(candidate), _plain(plan), int(run), int(repetition), int(fold))
    answer = (*key, str(status), int(hard), labels)
    own = digest(answer)
    clocks = (None if one != one else float(one) for one in (fit, predict))
    size = None if size is None else int(size)
    shares = shares if keep == "probabilities" else b""
    told = (own, *clocks, size, _plain(cause), _plain(details), _plain(said), shares)
    return (*answer, *told, digest(told))


def _plain(text: str) -> str:
    """Return text that can be written: a lone surrogate, of a file's name say, cannot."""
    return str(text) if text.isascii() else str(text).encode("utf-8", "replace").decode()


def read_keys(connection: sqlite3.Connection, damage: Damage) -> set[TrialKey]:
    """Return the keys of all sound trials."""
    return {
        TrialKey(*row[1:7])
        for rows in verified_trials(connection, damage, whole=True)
        for row in rows
    }


def read_trials(
    connection: sqlite3.Connection, damage: Damage, dataset: str | None, plan: str | None
) -> list[dict[str, Any]]:
    """Return trials without their predictions, as plain values, in order."""
    names = [
        *("dataset", "candidate", "plan", "run", "repetition", "fold", "status", "hard"),
        *("fit_seconds", "predict_seconds", "model_bytes", "cause", "details", "warnings"),
    ]
    found = [
        dict(zip(names, (*row[1:9], *row[11:16], json.loads(row[16])), strict=True))
        for rows in verified_trials(connection, damage, dataset, plan, whole=True)
        for row in rows
    ]
    order = ("dataset", "plan", "candidate", "run", "repetition", "fold")
    return sorted(found, key=lambda row: [row[name] for name in order])


def read_summary(connection: sqlite3.Connection, damage: Damage) -> list[dict[str, Any]]:
    """Return counts and mean clocks of every candidate, data set and plan."""
    trials: dict[Row, list[Row]] = {}
    for rows in verified_trials(connection, damage, whole=True):
        for row in rows:
            told = (row[7] == "ok", row[11] or 0.0, row[12] or 0.0, row[13] or 0)
            trials.setdefault((row[1], row[3], row[2]), []).append(told)
    found = []
    for names, own in sorted(trials.items(), key=lambda item: item[0]):
        ok, fit, predict, sizes = (np.array(column) for column in zip(*own, strict=True))
        means = [float(one[ok].mean()) if ok.any() else None for one in (fit, predict)]
        found.append({
            **dict(zip(("dataset", "plan", "candidate"), names, strict=True)),
            "trials": len(own), "failed": int((~ok).sum()), "fit_seconds": means[0],
            "predict_seconds": means[1], "seconds": float((fit + predict).sum()),
            "model_bytes": int(sizes.max()) or None,
        })  # fmt: skip
    return found
