"""A trial: what it is called, and what it leaves behind: predictions, or what went wrong."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Ints

Status = Literal["ok", "failed", "timeout", "crashed"]
"""Failed: it raised an error. Timeout: it was not done in time. Crashed: its process ended."""


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """What a finished trial left behind: predictions, or the cause of its failure.

    ``predicted`` and ``probabilities`` are those of the samples left out, in ascending order of
    sample; both are empty where the trial failed.
    """

    key: TrialKey
    status: Status
    predicted: Ints
    probabilities: NDArray[np.float32]  # (left out, k)
    hard: bool
    fit_seconds: float
    predict_seconds: float
    cause: str
    details: str  # the traceback
    warnings: tuple[str, ...]
    model_bytes: int | None = None  # of the fitted model, where it was measured

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes as plain values, which takes half the time of arrays."""
        n_classes = self.probabilities.shape[1]
        labels = self.predicted.astype(label_type(n_classes), copy=False).tobytes()
        rest = [getattr(self, name) for name in _PLAIN]
        return _unpack, (*self.key, n_classes, labels, self.probabilities.tobytes(), *rest)


_PLAIN = tuple(
    field.name
    for field in fields(Outcome)
    if field.name not in ("key", "predicted", "probabilities")
)


def _unpack(*parts: Any) -> Outcome:
    n_classes, labels, shares, *rest = parts[6:]
    outcome: Outcome = object.__new__(Outcome)
    vars(outcome).update(
        zip(_PLAIN, rest, strict=True),
        key=TrialKey(*parts[:6]),
        predicted=np.frombuffer(labels, label_type(n_classes)),
        probabilities=np.frombuffer(shares, np.float32).reshape(-1, n_classes),
    )
    return outcome


def label_type(k: int) -> str:
    """Return the type in which class codes are kept and sent: the smallest that holds ``k``.

    Examples
    --------
    >>> label_type(3), label_type(300), label_type(100_000)
    ('|u1', '<u2', '<i4')
    """
    return "|u1" if k <= 256 else "<u2" if k <= 65536 else "<i4"


def fail(
    key: TrialKey, n_classes: int, *, status: Status, cause: str, details: str, seconds: float = 0.0
) -> Outcome:
    """Return the outcome of a trial that gave no predictions, and spent some time on it."""
    return Outcome(
        key=key,
        status=status,
        predicted=np.empty(0, dtype=np.intp),
        probabilities=np.empty((0, n_classes), dtype=np.float32),
        hard=False,
        fit_seconds=seconds,
        predict_seconds=0.0,
        cause=cause,
        details=details,
        warnings=(),
    )
