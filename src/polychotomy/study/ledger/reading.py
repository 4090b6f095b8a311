"""What trials of a study say together: predictions and errors as arrays, and which are recorded.

Many trials of one data set and plan are read at a time, in columns; no object is made for each.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput, StudyError
from polychotomy.core.predictions import OutOfFold
from polychotomy.study.design.specification import Specification, plan_from_dict
from polychotomy.study.design.trials import label_type
from polychotomy.study.ledger import rows
from polychotomy.tables.files import did_you_mean

# Kinds of plan that predict a sample at most once in a repetition.
FOLDS = (
    *("repeated folds", "hold-out", "time folds", "fixed split"),
    *("given folds", "imported folds"),
)

_VALUES = 4_000_000  # predictions, and as many probabilities, in memory at a time


def choose_one(known: Collection[str], asked: str | None, kind: str) -> str:
    """Return the name asked for, or the only one there is.

    Examples
    --------
    >>> choose_one(["iris"], None, "data set")
    'iris'
    """
    if asked is None and len(known) == 1:
        return next(iter(known))
    listed = ", ".join(map(repr, known)) or "none"
    if asked is None:
        raise InvalidInput(f"the study has {len(known)} of {kind}: {listed}. Name one.")
    if asked not in known:
        hint = did_you_mean(asked, known, cutoff=0.4)
        raise InvalidInput(f"the study has no {kind} {asked!r}.{hint} It has: {listed}.")
    return asked


class Part:
    """Which data set, plan, candidates and runs are meant, and what is needed to read them.

    What is left open is all, or the only one, or the only plan of these ``kinds``.

    Attributes
    ----------
    splits : (repetitions of all runs, n) int16
        Split rows of the runs one after another.
    truth : (n,) ints
    ids : (n,) names of the samples; None where their positions are all
    shape : (candidates, repetitions of all runs, samples)
    n_parts : int
        Parts that the samples of a repetition are divided into to be predicted.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        specification: Specification,
        *,
        candidates: Sequence[str] | None = None,
        dataset: str | None = None,
        plan: str | None = None,
        runs: int | None = None,
        kinds: Sequence[str],
    ) -> None:
        self.dataset = choose_one(specification["datasets"], dataset, "data set")
        plans = specification["plans"]
        fitting = [name for name in plans if plans[name]["kind"] in kinds or name == plan]
        self.plan_name = choose_one(fitting, plan, f"plan ({' or '.join(kinds)})")
        self.plan = plan_from_dict(plans[self.plan_name])
        self.runs = self.plan.runs if runs is None else runs
        if not 1 <= self.runs <= self.plan.runs:
            raise InvalidInput(
                f"runs={runs!r}; the study has {self.plan.runs} of the plan {self.plan_name!r}."
            )
        known = specification["candidates"]
        asked = (candidates,) if isinstance(candidates, str) else candidates  # not its letters
        asked = known if asked is None else asked
        self.candidates = tuple(choose_one(known, name, "candidate") for name in asked)
        self.classes = tuple(specification["datasets"][self.dataset]["classes"])
        self.keeps_probabilities = specification["keep"] == "probabilities"
        self.truth, self.ids = load_samples(connection, self.dataset)
        found = rows.read_splits(connection, self.dataset, self.plan_name, self.runs)
        lost = self.runs * self.plan.repetitions - len(found)
        if lost:
            raise StudyError(
                f"the folds of {lost} repetitions ({self.dataset!r}, {self.plan_name!r}) are "
                "damaged. Run the same study again: they are drawn anew."
            )
        splits = np.frombuffer(b"".join(found), "<i2").reshape(-1, len(self.truth))
        self.splits = splits.astype(np.int16)
        self.shape = (len(self.candidates), *splits.shape)
        self.n_parts = self.plan.parts(self.splits[:0])[1]


def load_samples(connection: sqlite3.Connection, dataset: str) -> tuple[Ints, list[str] | None]:
    """Read the class codes of a data set's samples, and their names where they have some."""
    found = rows.read_samples(connection).get(dataset)
    if found is None:
        raise StudyError(
            f"the labels of the data set {dataset!r} are damaged. Run the same study again, with "
            "the same data: they are written anew."
        )
    truth, _, ids = found
    return np.frombuffer(truth, "<i4").astype(np.intp), None if ids is None else json.loads(ids)


class Batch:
    """Predictions of finished trials, end to end.

    Parameters
    ----------
    found : rows of trials
    whole : bool
        With probabilities and clocks; the latter are NaN else, and probabilities without rows.

    Attributes
    ----------
    trials : {name: (trials,) array}
        ``candidate``, ``repetition`` (counted over all runs), ``fold``, whether it was ``hard``
        (labels only), ``fit_seconds`` and ``predict_seconds``.
    trial : (predictions,) ints
        Place among the trials.
    sample, predicted : (predictions,) ints
    probabilities : (predictions, k) float32
    """

    def __init__(self, found: Sequence[rows.Row], part: Part, *, whole: bool) -> None:
        _, _, names, _, run, repetition, fold, _, hard, predicted, _, *rest = zip(
            *found, strict=True
        )
        fit_seconds, predict_seconds = rest[:2] if whole else (np.nan, np.nan)
        self.trials: dict[str, NDArray[Any]] = {
            "candidate": np.array([part.candidates.index(name) for name in names], np.intp),
            "repetition": np.array(run, np.intp) * part.plan.repetitions
            + np.array(repetition, np.intp),
            "fold": np.array(fold, np.intp),
            "hard": np.array(hard, dtype=bool),
            "fit_seconds": np.array(fit_seconds, dtype=float),
            "predict_seconds": np.array(predict_seconds, dtype=float),
        }
        self.sample, length = _predicted_samples(
            part, self.trials["repetition"], self.trials["fold"]
        )
        self.trial = np.repeat(np.arange(len(found)), length)
        k, n = len(part.classes), len(self.sample)
        self.predicted = np.frombuffer(b"".join(predicted), label_type(k)).astype(np.intp)
        self.probabilities = np.eye(k, dtype=np.float32)[self.predicted if whole else []]  # votes
        if whole and part.keeps_probabilities:
            self.probabilities = np.frombuffer(b"".join(rest[6]), "<f4").reshape(-1, k)
        if len(self.predicted) != n or (whole and len(self.probabilities) != n):
            raise StudyError(
                f"the study has {len(self.predicted)} predictions where its splits have {n} "
                f"samples ({part.dataset!r}, {part.plan_name!r}): it is damaged. Take a copy from "
                "before."
            )

    def of_each(self, name: str) -> NDArray[Any]:
        """Repeat an entry of the trials for each of its predictions."""
        return self.trials[name][self.trial]


def read_batches(
    connection: sqlite3.Connection, damage: rows.Damage, part: Part, *, whole: bool
) -> Iterator[Batch]:
    """Yield all finished trials of a part of a study, some thousand at a time.

    ``whole``: with probabilities and clocks.
    """
    wanted = set(part.candidates)
    width = part.splits.shape[1] * (len(part.classes) if whole else 1)
    size = max(1, min(rows.AT_A_TIME, _VALUES // max(width, 1)))
    for found in rows.verified_trials(
        connection, damage, part.dataset, part.plan_name, whole=whole, at_a_time=size
    ):
        kept = [row for row in found if row[7] == "ok" and row[4] < part.runs and row[2] in wanted]
        if kept:
            yield Batch(kept, part, whole=whole)


def _predicted_samples(part: Part, repetition: Ints, fold: Ints) -> tuple[Ints, Ints]:
    """Return the samples that each trial predicted, end to end, and how many they are.

    Candidates share their splits, so that each part of a repetition is looked up once.
    """
    first, last = repetition.min(), repetition.max() + 1
    labels, n_parts = part.plan.parts(part.splits[first:last])
    known: dict[tuple[int, int], Ints] = {}
    samples = []
    for where in zip((repetition - first).tolist(), (fold % n_parts).tolist(), strict=True):
        if where not in known:
            known[where] = np.flatnonzero(labels[where[0]] == where[1])
        samples.append(known[where])
    return np.concatenate(samples), np.array([len(one) for one in samples])


def gather_out_of_fold(batches: Iterable[Batch], part: Part) -> OutOfFold:
    """Join every prediction back to its sample.

    Where a plan predicts a sample several times in a repetition (training sizes), the last counts,
    which has the largest training part.
    """
    m, repetitions, n = part.shape
    k = len(part.classes)
    predicted = np.full((m, repetitions, n), -1, dtype=np.intp)
    probabilities = np.full((m, repetitions, n, k), np.nan, dtype=np.float32)
    hard = np.zeros(m, dtype=bool)
    for batch in batches:
        last = batch.of_each("fold") >= part.plan.n_folds - part.n_parts
        columns = (batch.of_each("candidate"), batch.of_each("repetition"), batch.sample)
        where = tuple(column[last] for column in columns)
        predicted[where] = batch.predicted[last]
        probabilities[where] = batch.probabilities[last]
        hard[batch.trials["candidate"][batch.trials["hard"]]] = True
    if not part.keeps_probabilities:
        hard[:] = True
    plan = (part.runs, part.plan.repetitions)
    scores = None
    if getattr(part.plan, "better", ""):  # two numbers that sum to the score
        scores = probabilities.sum(axis=-1, dtype=float).reshape(m, *plan, n)
        probabilities = np.where(np.isnan(probabilities), np.nan, np.eye(k)[part.truth])
    folds = part.plan.parts(part.splits)[0].astype(np.intp).reshape(*plan, n)
    return OutOfFold(
        names=part.candidates, classes=part.classes, y=part.truth, folds=folds,
        predicted=predicted.reshape(m, *plan, n), hard=hard, scores=scores,
        probabilities=probabilities.reshape(m, *plan, n, k),
    )  # fmt: skip


def gather_fold_errors(batches: Iterable[Batch], part: Part) -> Floats:
    """Misclassification rate of every fit, (m, runs, repetitions, folds); NaN where there is none.

    Predictions are read and forgotten batch by batch, so that memory does not grow with them.
    """
    m, repetitions, _ = part.shape
    errors = np.full((m, repetitions, part.plan.n_folds), np.nan)
    for batch in batches:
        n = len(batch.trials["fold"])
        wrong = np.bincount(batch.trial, part.truth[batch.sample] != batch.predicted, minlength=n)
        where = tuple(batch.trials[name] for name in ("candidate", "repetition", "fold"))
        with np.errstate(invalid="ignore"):  # a fold without a sample has no error
            errors[where] = wrong / np.bincount(batch.trial, minlength=n)
    return errors.reshape(m, part.runs, part.plan.repetitions, part.plan.n_folds)


def gather_bootstrap(batches: Iterable[Batch], part: Part) -> tuple[NDArray[np.float32], Ints]:
    """Predictions out of the bag, (b, n, k), NaN elsewhere, and in-bag counts, (b, n).

    Replicates whose fit failed, or was not run, are left out of both.
    """
    _, b, n = part.shape
    predictions = np.full((b, n, len(part.classes)), np.nan, dtype=np.float32)
    finished: Bools = np.zeros(b, dtype=bool)
    for batch in batches:
        predictions[batch.of_each("repetition"), batch.sample] = batch.probabilities
        finished[batch.trials["repetition"]] = True
    return predictions[finished], part.splits[finished].astype(np.intp)


def gather_size_errors(batches: Iterable[Batch], part: Part) -> tuple[Ints, Floats]:
    """Training sizes, (s,), and the misclassification of each sample at each, (s, n).

    The latter is a mean over repetitions; NaN where a sample has no prediction. Where folds train
    on slightly different numbers of rows, a size is their mean, rounded.
    """
    _, repetitions, n = part.shape
    folds = part.plan.folds
    n_sizes = part.plan.n_folds // folds
    sums, counts = np.zeros((n_sizes, n)), np.zeros((n_sizes, n))
    for batch in batches:
        where = batch.of_each("fold") // folds, batch.sample
        np.add.at(sums, where, part.truth[batch.sample] != batch.predicted)
        np.add.at(counts, where, 1.0)
    fits = np.ndindex(n_sizes, repetitions, folds)
    trained = [len(part.plan.rows(part.splits[r], size * folds + f)[0]) for size, r, f in fits]
    sizes = np.reshape(trained, (n_sizes, -1)).mean(axis=1)
    losses = np.full((n_sizes, n), np.nan)
    np.divide(sums, counts, out=losses, where=counts > 0)
    return np.rint(sizes).astype(np.intp), losses


def gather_columns(
    batches: Iterable[Batch], part: Part
) -> Callable[[int | None], Iterator[dict[str, NDArray[Any]]]]:
    """Return what gives the predictions, a column for each field, so many at a time or all.

    They are by candidate, repetition and sample; of several training sizes there is the largest.
    Written out a prediction takes some hundred bytes, and here some twenty, so that a large study
    is written out part by part.
    """
    m, repetitions, _ = part.shape
    seconds = np.full((2, m, repetitions, part.plan.n_folds), np.nan)

    def noting_clocks() -> Iterator[Batch]:
        for batch in batches:
            c, r, f = (batch.trials[name] for name in ("candidate", "repetition", "fold"))
            seconds[:, c, r, f] = batch.trials["fit_seconds"], batch.trials["predict_seconds"]
            yield batch

    found = gather_out_of_fold(noting_clocks(), part)
    there = np.flatnonzero(found.predicted >= 0)
    names, classes = (np.array(n, dtype=object) for n in (part.candidates, part.classes))
    ids = np.arange(part.shape[2]) if part.ids is None else np.array(part.ids, dtype=object)

    def columns(at_a_time: int | None) -> Iterator[dict[str, NDArray[Any]]]:
        step = at_a_time or max(len(there), 1)
        for first in range(0, max(len(there), 1), step):
            where = np.unravel_index(there[first : first + step], found.predicted.shape)
            candidate, run, repetition, sample = where
            fold = found.folds[where[1:]] + part.plan.n_folds - part.n_parts
            own = seconds[:, candidate, run * part.plan.repetitions + repetition, fold]
            answers = {
                "truth": classes[part.truth[sample]],
                "predicted": classes[found.predicted[where]],
                **{f"p:{n}": found.probabilities[(*where, c)] for c, n in enumerate(part.classes)},
            }
            if found.scores is not None:
                answers = {"score": found.scores[where]}
            about = {"dataset": part.dataset, "plan": part.plan_name}
            yield {
                **{key: np.full(len(sample), one, dtype=object) for key, one in about.items()},
                **{"candidate": names[candidate], "run": run, "repetition": repetition},
                **{"fold": fold, "sample": ids[sample], **answers},
                **{"fit_seconds": own[0], "predict_seconds": own[1]},
            }

    return columns


def read_done(
    connection: sqlite3.Connection, damage: rows.Damage, specification: Mapping[str, Any]
) -> dict[tuple[str, str, str], NDArray[np.bool_]]:
    """Return which trials are recorded, as (repetitions of all runs, folds) for each combination.

    No Python object is kept for a trial but for some thousand at a time.
    """
    plans = {name: plan_from_dict(values) for name, values in specification["plans"].items()}
    done: dict[tuple[str, str, str], NDArray[np.bool_]] = {}
    for found in rows.verified_trials(connection, damage, whole=True):
        for _, dataset, candidate, name, run, repetition, fold, *_ in found:
            plan, names = plans[name], (dataset, candidate, name)
            if names not in done:
                done[names] = np.zeros((plan.runs * plan.repetitions, plan.n_folds), dtype=bool)
            done[names][run * plan.repetitions + repetition, fold] = True
    return done
