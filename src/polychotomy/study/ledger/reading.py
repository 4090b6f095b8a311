"""What trials of a study say together: predictions and errors as arrays, and which are recorded.

Many trials of one data set and plan are read at a time, in columns; no object is made for each.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput, StudyError
from polychotomy.core.predictions import OutOfFold
from polychotomy.study.design.plan import Plan
from polychotomy.study.design.specification import Specification, plan_from_dict
from polychotomy.study.design.trials import label_type
from polychotomy.study.ledger import rows
from polychotomy.tables.files import did_you_mean

FOLDS = (
    *("repeated folds", "hold-out", "time folds", "fixed split"),
    *("given folds", "imported folds"),
)
"""Kinds of plan that predict a sample at most once in a repetition."""

_VALUES = 4_000_000  # predictions, and as many probabilities, in memory at a time

_MOST_TRIALS = 20_000  # read at a time


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


def folds_first(plans: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the names of plans, those made of folds before the others.

    Examples
    --------
    >>> folds_first({"bag": {"kind": "bootstrap"}, "cv": {"kind": "repeated folds"}})
    ['cv', 'bag']
    """
    return sorted(plans, key=lambda name: plans[name]["kind"] not in FOLDS)


@dataclass(frozen=True, eq=False, kw_only=True)
class Part:
    """Which data set, plan, candidates and runs are meant, and what is needed to read them.

    Parameters
    ----------
    splits : (repetitions of all runs, n) int16
        Split rows of the runs one after another.
    truth : (n,) ints
    ids : (n,) names of the samples; None where their positions are all
    """

    dataset: str
    plan_name: str
    plan: Plan
    candidates: tuple[str, ...]
    classes: tuple[str, ...]
    runs: int
    splits: NDArray[np.int16]
    truth: Ints
    ids: list[str] | None
    keeps_probabilities: bool

    @property
    def n_parts(self) -> int:
        """Parts that the samples of a repetition are divided into to be predicted."""
        return self.plan.parts(self.splits[:0])[1]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Candidates, repetitions of all runs, samples."""
        return len(self.candidates), len(self.splits), self.splits.shape[1]


def load_part(
    connection: sqlite3.Connection,
    specification: Specification,
    *,
    candidates: Sequence[str] | None = None,
    dataset: str | None = None,
    plan: str | None = None,
    runs: int | None = None,
    kinds: Sequence[str],
) -> Part:
    """Read the splits and the truth of a part of a study, where some of it was left open."""
    dataset = choose_one(specification["datasets"], dataset, "data set")
    plans = specification["plans"]
    fitting = [name for name in plans if plans[name]["kind"] in kinds or name == plan]
    plan = choose_one(fitting, plan, f"plan ({' or '.join(kinds)})")
    how = plan_from_dict(plans[plan])
    if runs is not None and not 1 <= runs <= how.runs:
        raise InvalidInput(f"runs={runs!r}; the study has {how.runs} of the plan {plan!r}.")
    runs = how.runs if runs is None else runs
    known = specification["candidates"]
    candidates = (candidates,) if isinstance(candidates, str) else candidates  # not its letters
    asked = known if candidates is None else candidates
    asked = tuple(choose_one(known, candidate, "candidate") for candidate in asked)
    truth, ids = load_samples(connection, dataset)
    found = rows.read_splits(connection, dataset, plan, runs)
    if len(found) < runs * how.repetitions:
        raise StudyError(
            f"the folds of {runs * how.repetitions - len(found)} repetitions ({dataset!r}, "
            f"{plan!r}) are damaged. Run the same study again: they are drawn anew."
        )
    splits = np.frombuffer(b"".join(found), "<i2")
    return Part(
        dataset=dataset,
        plan_name=plan,
        plan=how,
        candidates=asked,
        classes=tuple(specification["datasets"][dataset]["classes"]),
        runs=runs,
        splits=splits.reshape(runs * how.repetitions, len(truth)).astype(np.int16),
        truth=truth,
        ids=ids,
        keeps_probabilities=specification["keep"] == "probabilities",
    )


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Batch:
    """Predictions of finished trials, end to end.

    Parameters
    ----------
    trials : {name: (trials,) array}
        ``candidate``, ``repetition`` (counted over all runs), ``fold``, whether it was ``hard``
        (labels only), and clocks, NaN where they were not asked for.
    trial : (predictions,) ints
        Place among the trials.
    sample, predicted : (predictions,) ints
    probabilities : (predictions, k) float32
        Without rows where they were not asked for.
    """

    trials: dict[str, NDArray[Any]]
    trial: Ints
    sample: Ints
    predicted: Ints
    probabilities: NDArray[np.float32]

    def of_each(self, name: str) -> NDArray[Any]:
        """Repeat an entry of the trials for each of its predictions."""
        return self.trials[name][self.trial]


def read_batches(
    connection: sqlite3.Connection, damage: rows.Damage, part: Part, *, whole: bool
) -> Iterator[Batch]:
    """Yield all finished trials of a part of a study, some thousand at a time.

    ``whole``: with probabilities and clocks.
    """
    wanted = {name: index for index, name in enumerate(part.candidates)}
    width = part.splits.shape[1] * (len(part.classes) if whole else 1)
    size = max(1, min(_MOST_TRIALS, _VALUES // max(width, 1)))
    for found in rows.verified_trials(
        connection, damage, part.dataset, part.plan_name, whole=whole, at_a_time=size
    ):
        kept = [row for row in found if row[7] == "ok" and row[4] < part.runs and row[2] in wanted]
        if kept:
            yield _batch(kept, wanted, part, whole)


def _batch(found: list[rows.Row], wanted: dict[str, int], part: Part, whole: bool) -> Batch:
    _, _, names, _, run, repetition, fold, _, hard, predicted, _, *rest = zip(*found, strict=True)
    where = np.array(run, np.intp) * part.plan.repetitions + np.array(repetition, np.intp)
    folds = np.array(fold, np.intp)
    sample, length = _predicted_samples(part, where, folds)
    k = len(part.classes)
    codes = np.frombuffer(b"".join(predicted), label_type(k)).astype(np.intp)
    shares = np.empty((0, k), dtype=np.float32)
    if whole and part.keeps_probabilities:
        shares = np.frombuffer(b"".join(rest[6]), "<f4").reshape(-1, k)
    elif whole:  # votes for the labels, which alone were kept
        shares = np.eye(k, dtype=np.float32)[codes]
    if len(codes) != len(sample) or (whole and len(shares) != len(sample)):
        raise StudyError(
            f"the study has {len(codes)} predictions where its splits have {len(sample)} samples "
            f"({part.dataset!r}, {part.plan_name!r}): it is damaged. Take a copy from before."
        )
    fit_seconds, predict_seconds = rest[:2] if whole else (np.nan, np.nan)
    trials: dict[str, Any] = {
        "candidate": np.array([wanted[name] for name in names], dtype=np.intp),
        "repetition": where,
        "fold": folds,
        "hard": np.array(hard, dtype=bool),
        "fit_seconds": np.array(fit_seconds, dtype=float),
        "predict_seconds": np.array(predict_seconds, dtype=float),
    }
    trial = np.repeat(np.arange(len(found)), length)
    return Batch(trials=trials, trial=trial, sample=sample, predicted=codes, probabilities=shares)


def _predicted_samples(part: Part, repetition: Ints, fold: Ints) -> tuple[Ints, Ints]:
    """Return the samples that each trial predicted, end to end, and how many they are.

    Only the repetitions between the first and the last trial are looked at.
    """
    first, last = repetition.min(), repetition.max() + 1
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
    places = np.repeat(starts[where, which] - (total - length), length) + np.arange(length.sum())
    return order.ravel()[places], length


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
    return OutOfFold(
        names=part.candidates,
        classes=part.classes,
        y=part.truth,
        folds=part.plan.parts(part.splits)[0].astype(np.intp).reshape(*plan, n),
        predicted=predicted.reshape(m, *plan, n),
        probabilities=probabilities.reshape(m, *plan, n, k),
        hard=hard,
        scores=scores,
    )


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


def gather_columns(batches: Iterable[Batch], part: Part) -> dict[str, NDArray[Any]]:
    """Return a column a field and an entry a prediction, by candidate, repetition and sample."""
    m, repetitions, _ = part.shape
    seconds = np.full((2, m, repetitions, part.plan.n_folds), np.nan)

    def noting_clocks() -> Iterator[Batch]:
        for batch in batches:
            where = tuple(batch.trials[name] for name in ("candidate", "repetition", "fold"))
            for clock, name in zip(seconds, ("fit_seconds", "predict_seconds"), strict=True):
                clock[where] = batch.trials[name]
            yield batch

    found = gather_out_of_fold(noting_clocks(), part)
    candidate, run, repetition, sample = where = np.nonzero(found.predicted >= 0)
    fold = found.folds[where[1:]]
    own = seconds[:, candidate, run * part.plan.repetitions + repetition, fold]
    names, classes = (np.array(n, dtype=object) for n in (part.candidates, part.classes))
    answers = {
        "truth": classes[part.truth[sample]],
        "predicted": classes[found.predicted[where]],
        **{f"p:{name}": found.probabilities[(*where, c)] for c, name in enumerate(part.classes)},
    }
    if found.scores is not None:
        answers = {"score": found.scores[where]}
    return {
        "dataset": np.full(len(sample), part.dataset, dtype=object),
        "plan": np.full(len(sample), part.plan_name, dtype=object),
        "candidate": names[candidate],
        "run": run,
        "repetition": repetition,
        "fold": fold,
        "sample": sample if part.ids is None else np.array(part.ids, dtype=object)[sample],
        **answers,
        "fit_seconds": own[0],
        "predict_seconds": own[1],
    }


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
