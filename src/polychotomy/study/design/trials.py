"""A trial: what it is called, and what it leaves behind: predictions, or what went wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.predictions import SUM_TOLERANCE

# Failed: it raised an error. Timeout: it was not done in time. Crashed: its process ended.
Status = Literal["ok", "failed", "timeout", "crashed"]


_SHARE = np.dtype("<f4")


class TrialKey(NamedTuple):
    """What a trial is, and all that its seed depends on besides the study's own."""

    dataset: str
    candidate: str
    plan: str
    run: int
    repetition: int
    fold: int


def training_set(key: TrialKey) -> tuple[str, str, int, int, int]:
    """Return what candidates have in common that are fitted on the same samples.

    Examples
    --------
    >>> training_set(TrialKey("iris", "MAX", "5x2 folds", run=0, repetition=3, fold=1))
    ('iris', '5x2 folds', 0, 3, 1)
    """
    return key.dataset, key.plan, key.run, key.repetition, key.fold


class Outcome(NamedTuple):
    """What a finished trial left behind: predictions, or the cause of its failure.

    Plain values, which are the columns in which a ledger keeps them: they are made where the trial
    is run, and whoever passes them on or writes them down makes nothing of them. Predictions
    are those of the samples left out, in ascending order of sample; empty where the trial failed.

    Examples
    --------
    >>> key = TrialKey("iris", "MAX", "5x2 folds", run=0, repetition=3, fold=1)
    >>> shares = np.array([[0.25, 0.75], [1.0, 0.0]])
    >>> outcome = succeed(key, shares.argmax(axis=1), shares, fit_seconds=0.5, predict_seconds=0.1)
    >>> outcome.key == key, outcome.predicted, outcome.probabilities
    (True, array([1, 0], dtype=uint8), array([[0.25, 0.75],
           [1.  , 0.  ]], dtype=float32))
    """

    dataset: str
    candidate: str
    plan: str
    run: int
    repetition: int
    fold: int
    status: Status
    hard: int  # 1 where the probabilities are votes
    fit_seconds: float
    predict_seconds: float
    model_bytes: int | None  # of the fitted model, where it was measured
    cause: str
    details: str  # the traceback
    said: str  # warnings, as JSON
    labels: bytes
    shares: bytes
    n_classes: int  # the only one that is no column

    @property
    def key(self) -> TrialKey:
        """The trial."""
        return TrialKey._make(self[:6])

    @property
    def seconds(self) -> float:
        """Of fitting and predicting together."""
        return self.fit_seconds + self.predict_seconds

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was said on the way, sorted."""
        return tuple(json.loads(self.said))

    @property
    def predicted(self) -> NDArray[Any]:
        """Class codes, (left out,)."""
        return np.frombuffer(self.labels, label_type(self.n_classes))

    @property
    def probabilities(self) -> NDArray[np.float32]:
        """Probabilities, (left out, k)."""
        return np.frombuffer(self.shares, _SHARE).reshape(-1, self.n_classes)


def succeed(
    key: TrialKey,
    predicted: NDArray[Any],
    probabilities: NDArray[np.floating],
    *,
    hard: bool = False,
    fit_seconds: float,
    predict_seconds: float,
    warnings: Iterable[str] = (),
    model_bytes: int | None = None,
) -> Outcome:
    """Return the outcome of a trial that gave predictions.

    Parameters
    ----------
    predicted : (left out,) class codes
    probabilities : (left out, k)
    hard : bool
        Whether the probabilities are votes.
    """
    said = list(warnings)
    n_classes = probabilities.shape[1]
    clocks = (fit_seconds, predict_seconds, model_bytes)
    predictions = (
        predicted.astype(label_type(n_classes)).tobytes(),
        probabilities.astype(_SHARE).tobytes(),
        n_classes,
    )
    words = ("", "", json.dumps(said) if said else "[]")
    return Outcome._make((*key, "ok", int(hard), *clocks, *words, *predictions))


def fail(
    key: TrialKey, *, status: Status, cause: str, details: str, seconds: float = 0.0
) -> Outcome:
    """Return the outcome of a trial that gave no predictions, and spent some time on it."""
    nothing = ("[]", b"", b"", 1)
    return Outcome._make((*key, status, 0, seconds, 0.0, None, cause, details, *nothing))


# Of a data set and plan: the number of classes, and how many samples are left out by run,
# repetition and part of the samples (see ``Plan.parts``).
Sizes = Mapping[tuple[str, str], tuple[int, NDArray[np.intp]]]


_PLAIN = (str, int, float, float, int | None, str, str, str, bytes, bytes)


def believe(
    rows: Sequence[tuple[Any, ...]], keys: Sequence[TrialKey], sizes: Sizes
) -> list[Outcome]:
    """Return what a candidate's process says of trials; an error where it can be no outcome.

    A candidate may change what checks it there, and write into the pipe what it likes: what is
    recorded must not be able to harm the others, whoever wrote it.

    Parameters
    ----------
    rows : sequence of tuple
        An outcome each, without its key and the number of classes.
    """
    found = []
    for row, key in zip(rows, keys, strict=False):
        k, left_out = sizes[key.dataset, key.plan]
        one = Outcome._make((*key, *row, k if row[0] == "ok" else 1))
        n = left_out[key.run, key.repetition, key.fold % left_out.shape[-1]]
        n = n if one.status == "ok" else 0
        sound = len(one.labels) == n * np.dtype(label_type(k)).itemsize
        sound &= len(one.shares) == n * k * _SHARE.itemsize and one.status in get_args(Status)
        sound &= all(map(isinstance, row, _PLAIN)) and one.hard in (0, 1)
        sound &= 0 <= (one.model_bytes or 0) < 2**63
        sound &= 0 <= one.fit_seconds < inf and 0 <= one.predict_seconds < inf
        sound &= one.said == "[]" or {*map(type, one.warnings)} == {str}
        if not sound:
            raise ValueError(f"{row[:5]} is no outcome")
        found.append(one)
    for k in {one.n_classes for one in found}:
        labels, shares = (
            np.frombuffer(b"".join(getattr(one, name) for one in found if one.n_classes == k), kind)
            for name, kind in (("labels", label_type(k)), ("shares", _SHARE))
        )
        if len(labels) and not (0 <= labels.min() <= labels.max() < k):
            raise ValueError("labels that are no class")
        off = np.abs(shares.reshape(-1, k).sum(axis=1, dtype=float) - 1)
        if len(off) and not (shares.min() >= -SUM_TOLERANCE and off.max() <= SUM_TOLERANCE):
            raise ValueError("probabilities that nobody would take")
    return found


def ran_out_of_memory(outcome: Outcome) -> bool:
    """Say whether a trial failed for want of memory."""
    return outcome.status == "failed" and "MemoryError" in outcome.cause.split(":")[0]


def label_type(k: int) -> str:
    """Return the type in which class codes are kept and sent: the smallest that holds ``k``.

    Examples
    --------
    >>> label_type(3), label_type(300), label_type(100_000)
    ('|u1', '<u2', '<i4')
    """
    return "|u1" if k <= 256 else "<u2" if k <= 65536 else "<i4"
