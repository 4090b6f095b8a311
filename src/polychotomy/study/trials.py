"""A trial: one candidate fitted once, its predictions on the fold left out, and what went wrong."""

from __future__ import annotations

import time
import traceback
import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from polychotomy.arrays import Ints
from polychotomy.exceptions import LearnerError
from polychotomy.study.seeds import seed_of
from polychotomy.study.target import Target


class TrialKey(NamedTuple):
    """What a trial is, and all that its seed depends on besides the study's own."""

    dataset: str
    candidate: str
    plan: str
    run: int
    repetition: int
    fold: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """What a finished trial left behind: predictions, or the cause of its failure.

    ``predicted`` and ``probabilities`` are those of the samples left out, in ascending order of
    sample; both are empty where the trial failed.
    """

    key: TrialKey
    status: str  # "ok", "failed" or "crashed"
    predicted: Ints
    probabilities: NDArray[np.float32]  # (left out, k)
    hard: bool
    fit_seconds: float
    predict_seconds: float
    cause: str
    details: str  # the traceback
    warnings: tuple[str, ...]


def fail(key: TrialKey, n_classes: int, *, status: str, cause: str, details: str) -> Outcome:
    """Return the outcome of a trial that gave no predictions."""
    return Outcome(
        key=key,
        status=status,
        predicted=np.empty(0, dtype=np.intp),
        probabilities=np.empty((0, n_classes), dtype=np.float32),
        hard=False,
        fit_seconds=0.0,
        predict_seconds=0.0,
        cause=cause,
        details=details,
        warnings=(),
    )


def run_trial(
    key: TrialKey,
    estimator: Any,
    X: Any,
    target: Target,
    *,
    train: Ints,
    test: Ints,
    study_seed: int,
) -> Outcome:
    """Fit on some rows, predict others.

    A failing learner is an outcome like any other; only an interrupt gets through.

    Parameters
    ----------
    train : ints
        Rows to fit on; a bootstrap repeats some.
    test : ints
        Rows to predict, ascending.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = seeded(clone(estimator), seed_of(study_seed, *key))
            start = time.perf_counter()
            model.fit(take(X, train), target.classes[target.codes[train]])
            fitted = time.perf_counter()
            predicted, probabilities, hard = _predict(model, take(X, test), target)
            finished = time.perf_counter()
        except Exception as error:
            return fail(
                key,
                len(target.classes),
                status="failed",
                cause=f"{type(error).__name__}: {error}".strip()[:2000],
                details=traceback.format_exc(),
            )
    return Outcome(
        key=key,
        status="ok",
        predicted=predicted,
        probabilities=probabilities.astype(np.float32),
        hard=hard,
        fit_seconds=fitted - start,
        predict_seconds=finished - fitted,
        cause="",
        details="",
        warnings=tuple(sorted({f"{w.category.__name__}: {w.message}"[:500] for w in caught})),
    )


def seeded(estimator: Any, seed: int) -> Any:
    """Give every random part of an estimator that has no seed one of its own.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 1).random_state is None
    False
    >>> seeded(DecisionTreeClassifier(random_state=3), 1).random_state
    3
    """
    unseeded = [
        name
        for name, value in estimator.get_params(deep=True).items()
        if (name == "random_state" or name.endswith("__random_state")) and value is None
    ]
    return estimator.set_params(**{name: seed_of(seed, name) for name in unseeded})


def take(X: Any, rows: Ints) -> Any:
    """Return some rows of a DataFrame, an array or a sparse matrix."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _predict(model: Any, X: Any, target: Target) -> tuple[Ints, NDArray[np.floating], bool]:
    """Predicted codes, probabilities with a column for every class, and whether they are votes."""
    columns = _codes_of(np.asarray(model.classes_), target)
    predicted = _codes_of(np.asarray(model.predict(X)), target)
    probabilities = np.zeros((len(predicted), len(target.classes)))
    hard = not hasattr(model, "predict_proba")
    if hard:
        probabilities[np.arange(len(predicted)), predicted] = 1.0
    else:
        probabilities[:, columns] = model.predict_proba(X)
    if not np.isfinite(probabilities).all():
        row = int(np.flatnonzero(~np.isfinite(probabilities).all(axis=1))[0])
        raise LearnerError(
            f"predict_proba gave {probabilities[row].tolist()} for row {row} of the fold left out; "
            "expected finite probabilities."
        )
    return predicted, probabilities, hard


def _codes_of(labels: NDArray[Any], target: Target) -> Ints:
    """Look labels up among the classes."""
    codes = np.searchsorted(target.classes, labels).clip(max=len(target.classes) - 1)
    unknown = np.flatnonzero(target.classes[codes] != labels)
    if len(unknown):
        raise LearnerError(
            f"the learner predicted {labels.tolist()[unknown[0]]!r}, which is none of the classes "
            f"{', '.join(target.names[:10])}."
        )
    return codes.astype(np.intp)
