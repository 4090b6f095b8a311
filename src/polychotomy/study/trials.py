"""A trial: what it is called, and what it leaves behind: predictions, or what went wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

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
