"""Predictions in columns: many trials of one data set and plan at a time, no object for each."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.exceptions import StudyError
from polychotomy.study.plan import Plan
from polychotomy.study.trials import label_type

_VALUES = 4_000_000  # predictions, and as many probabilities, held at a time
_MOST_TRIALS = 20_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Part:
    """Which data set, plan, candidates and runs are meant, and what is needed to read them.

    Parameters
    ----------
    splits : (repetitions of all runs, n) int16
        Split rows of the runs one after another.
    truth : (n,) ints
    """

    dataset: str
    plan_name: str
    plan: Plan
    candidates: tuple[str, ...]
    classes: tuple[str, ...]
    runs: int
    splits: NDArray[np.int16]
    truth: Ints
    keeps_probabilities: bool

    @property
    def n_parts(self) -> int:
        """Parts that the samples of a repetition are divided into to be predicted."""
        return self.plan.parts(self.splits[:0])[1]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Candidates, repetitions of all runs, samples."""
        return len(self.candidates), len(self.splits), self.splits.shape[1]


@dataclass(frozen=True, eq=False, kw_only=True)
class Batch:
    """Finished trials, one an entry in the first columns, and their predictions end to end.

    Parameters
    ----------
    candidate, repetition, fold, length : (trials,) ints
        Index among the candidates asked for; repetition counted over all runs; how many samples
        were predicted.
    hard : (trials,) bools
        Whether the learner gave labels only.
    sample, predicted : (predictions,) ints
    probabilities : (predictions, k) float32
        Without rows where they were not asked for.
    fit_seconds, predict_seconds : (trials,) floats
        NaN where they were not asked for.
    """

    candidate: Ints
    repetition: Ints
    fold: Ints
    length: Ints
    hard: Bools
    sample: Ints
    predicted: Ints
    probabilities: NDArray[np.float32]
    fit_seconds: Floats
    predict_seconds: Floats


def read_batches(
    connection: sqlite3.Connection, part: Part, *, probabilities: bool, clocks: bool = False
) -> Iterator[Batch]:
    """Yield all finished trials of a part of a study, some thousand at a time."""
    wanted = {name: index for index, name in enumerate(part.candidates)}
    columns = ["candidate", "run", "repetition", "fold", "hard", "predicted"]
    columns.append("probabilities" if probabilities else "x''")
    columns += ["fit_seconds", "predict_seconds"] if clocks else ["NULL", "NULL"]
    cursor = connection.execute(
        f"SELECT {', '.join(columns)} FROM trials "
        "WHERE dataset = ? AND plan = ? AND run < ? AND status = 'ok' ORDER BY run, repetition",
        (part.dataset, part.plan_name, part.runs),
    )
    width = part.splits.shape[1] * (len(part.classes) if probabilities else 1)
    size = max(1, min(_MOST_TRIALS, _VALUES // max(width, 1)))
    while rows := cursor.fetchmany(size):
        rows = [row for row in rows if row[0] in wanted]
        if rows:
            yield _batch(rows, wanted, part, probabilities)


def empty_batch(part: Part) -> Batch:
    """Return a batch of no trials."""
    none, seconds = np.empty(0, dtype=np.intp), np.empty(0)
    return Batch(
        candidate=none,
        repetition=none,
        fold=none,
        length=none,
        hard=none.astype(bool),
        sample=none,
        predicted=none,
        probabilities=np.empty((0, len(part.classes)), dtype=np.float32),
        fit_seconds=seconds,
        predict_seconds=seconds,
    )


def _batch(
    rows: Sequence[tuple[Any, ...]], wanted: dict[str, int], part: Part, probabilities: bool
) -> Batch:
    names, run, repetition, fold, hard, predicted, shares, *clocks = zip(*rows, strict=True)
    where = np.array(run) * part.plan.repetitions + np.array(repetition)
    folds = np.array(fold)
    sample, length = _predicted_samples(part, where, folds)
    k = len(part.classes)
    codes = np.frombuffer(b"".join(predicted), label_type(k)).astype(np.intp)
    found = _probabilities(b"".join(shares), codes, k, part) if probabilities else None
    if len(codes) != len(sample) or (found is not None and len(found) != len(sample)):
        raise StudyError(
            f"the study has {len(codes)} predictions where its splits have {len(sample)} samples "
            f"({part.dataset!r}, {part.plan_name!r}): it is damaged. Take a copy from before."
        )
    fit_seconds, predict_seconds = (np.array(column, dtype=float) for column in clocks)
    return Batch(
        candidate=np.array([wanted[name] for name in names]),
        repetition=where,
        fold=folds,
        length=length,
        hard=np.array(hard, dtype=bool),
        sample=sample,
        predicted=codes,
        probabilities=np.empty((0, k), dtype=np.float32) if found is None else found,
        fit_seconds=fit_seconds,
        predict_seconds=predict_seconds,
    )


def _probabilities(kept: bytes, codes: Ints, k: int, part: Part) -> NDArray[np.float32]:
    """Return what was kept, or votes for the labels if only these were."""
    if part.keeps_probabilities:
        return np.frombuffer(kept, "<f4").reshape(-1, k)
    votes = np.zeros((len(codes), k), dtype=np.float32)
    votes[np.arange(len(codes)), codes] = 1.0
    return votes


def _predicted_samples(part: Part, repetition: Ints, fold: Ints) -> tuple[Ints, Ints]:
    """Return the samples that each trial predicted, end to end, and how many they are.

    Only the repetitions between the first and the last trial are looked at.
    """
    first, last = int(repetition.min()), int(repetition.max()) + 1
    labels, n_parts = part.plan.parts(part.splits[first:last])
    order = np.argsort(labels, axis=1, kind="stable")  # −1 first, then part after part
    n = labels.shape[1]
    row = np.arange(len(labels))[:, np.newaxis]
    counts = np.bincount(
        (row * (n_parts + 1) + labels + 1).ravel(), minlength=len(labels) * (n_parts + 1)
    ).reshape(len(labels), n_parts + 1)
    starts = np.cumsum(counts, axis=1) - counts + row * n
    where, which = repetition - first, fold % n_parts + 1
    length = counts[where, which]
    total = np.cumsum(length)
    places = np.repeat(starts[where, which] - (total - length), length) + np.arange(
        total[-1] if len(total) else 0
    )
    return order.ravel()[places], length
