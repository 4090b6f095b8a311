"""Questions to a ledger answered over all its trials at once."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.predictions import OutOfFold
from polychotomy.study.columns import Batch, Part, empty_batch, read_batches


def gather_out_of_fold(connection: sqlite3.Connection, part: Part) -> OutOfFold:
    """Join every prediction back to its sample.

    Where a plan predicts a sample several times a repetition (training sizes), the last counts.
    """
    m, repetitions, n = part.shape
    k = len(part.classes)
    predicted = np.full((m, repetitions, n), -1, dtype=np.intp)
    probabilities = np.full((m, repetitions, n, k), np.nan, dtype=np.float32)
    hard = np.zeros(m, dtype=bool)
    for batch in read_batches(connection, part, probabilities=True):
        index = (*(_spread(batch, column) for column in (batch.candidate, batch.repetition)),)
        predicted[(*index, batch.sample)] = batch.predicted
        probabilities[(*index, batch.sample)] = batch.probabilities
        hard[batch.candidate[batch.hard]] = True
    if not part.keeps_probabilities:
        hard[:] = True
    plan = (part.runs, part.plan.repetitions)
    return OutOfFold(
        names=part.candidates,
        classes=part.classes,
        y=part.truth,
        folds=part.plan.parts(part.splits)[0].astype(np.intp).reshape(*plan, n),
        predicted=predicted.reshape(m, *plan, n),
        probabilities=probabilities.reshape(m, *plan, n, k),
        hard=hard,
    )


def gather_fold_errors(connection: sqlite3.Connection, part: Part) -> Floats:
    """Misclassification rate of every fit, (m, runs, repetitions, folds); NaN where there is none.

    Predictions are read and forgotten batch by batch, so that memory does not grow with them.
    """
    m, repetitions, _ = part.shape
    errors = np.full((m, repetitions, part.plan.n_folds), np.nan)
    for batch in read_batches(connection, part, probabilities=False):
        wrong = part.truth[batch.sample] != batch.predicted
        ends = np.cumsum(batch.length)
        counted = np.concatenate([[0], np.cumsum(wrong)])
        with np.errstate(invalid="ignore"):  # a fold without a sample has no error
            errors[batch.candidate, batch.repetition, batch.fold] = (
                counted[ends] - counted[ends - batch.length]
            ) / batch.length
    return errors.reshape(m, part.runs, part.plan.repetitions, part.plan.n_folds)


def gather_bootstrap(
    connection: sqlite3.Connection, part: Part
) -> tuple[NDArray[np.float32], Ints]:
    """Predictions out of the bag, (b, n, k), NaN elsewhere, and in-bag counts, (b, n).

    Replicates whose fit failed, or was not run, are left out of both.
    """
    _, b, n = part.shape
    predictions = np.full((b, n, len(part.classes)), np.nan, dtype=np.float32)
    finished: Bools = np.zeros(b, dtype=bool)
    for batch in read_batches(connection, part, probabilities=True):
        predictions[_spread(batch, batch.repetition), batch.sample] = batch.probabilities
        finished[batch.repetition] = True
    return predictions[finished], part.splits[finished].astype(np.intp)


def gather_size_errors(
    connection: sqlite3.Connection, part: Part, n_sizes: int
) -> tuple[Ints, Floats]:
    """Training sizes, (s,), and the misclassification of each sample at each, (s, n).

    The latter is a mean over repetitions; NaN where a sample has no prediction. Where folds train
    on slightly different numbers of rows, a size is their mean, rounded.
    """
    _, repetitions, n = part.shape
    folds = part.plan.n_folds // n_sizes
    sums, counts = np.zeros((n_sizes, n)), np.zeros((n_sizes, n))
    for batch in read_batches(connection, part, probabilities=False):
        where = _spread(batch, batch.fold // folds), batch.sample
        np.add.at(sums, where, part.truth[batch.sample] != batch.predicted)
        np.add.at(counts, where, 1.0)
    sizes = [
        np.mean(
            [
                len(part.plan.rows(part.splits[repetition], size * folds + fold)[0])
                for repetition in range(repetitions)
                for fold in range(folds)
            ]
        )
        for size in range(n_sizes)
    ]
    losses = np.full((n_sizes, n), np.nan)
    np.divide(sums, counts, out=losses, where=counts > 0)
    return np.rint(sizes).astype(np.intp), losses


def gather_columns(
    connection: sqlite3.Connection, part: Part, ids: list[str] | None
) -> dict[str, NDArray[Any]]:
    """Return a column a field and an entry a prediction, by candidate, repetition and sample."""
    batches = list(read_batches(connection, part, probabilities=True, clocks=True))
    if not batches:
        batches = [empty_batch(part)]
    column = {
        name: np.concatenate([_spread(batch, getattr(batch, name)) for batch in batches])
        for name in ("candidate", "repetition", "fold", "fit_seconds", "predict_seconds")
    }
    sample, predicted = (
        np.concatenate([getattr(batch, name) for batch in batches])
        for name in ("sample", "predicted")
    )
    probabilities = np.concatenate([batch.probabilities for batch in batches])
    order = np.lexsort(
        (sample, column["fold"] // part.n_parts, column["repetition"], column["candidate"])
    )
    column = {name: values[order] for name, values in column.items()}
    sample, predicted = sample[order], predicted[order]
    names, classes = (np.array(n, dtype=object) for n in (part.candidates, part.classes))
    run, repetition = np.divmod(column["repetition"], part.plan.repetitions)
    return {
        "dataset": np.full(len(sample), part.dataset, dtype=object),
        "plan": np.full(len(sample), part.plan_name, dtype=object),
        "candidate": names[column["candidate"]],
        "run": run,
        "repetition": repetition,
        "fold": column["fold"],
        "sample": sample if ids is None else np.array(ids, dtype=object)[sample],
        "truth": classes[part.truth[sample]],
        "predicted": classes[predicted],
        **{f"p:{name}": probabilities[order, c] for c, name in enumerate(part.classes)},
        "fit_seconds": column["fit_seconds"],
        "predict_seconds": column["predict_seconds"],
    }


def _spread(batch: Batch, column: NDArray[Any]) -> NDArray[Any]:
    """Repeat an entry a trial for every prediction of the trial."""
    return np.repeat(column, batch.length)
