"""Fitting a candidate once and predicting the samples left out; a failure is an outcome too."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from polychotomy.arrays import Ints
from polychotomy.exceptions import LearnerError
from polychotomy.study.model_size import is_measured, pickled_bytes
from polychotomy.study.remembering import can_remember, remembering
from polychotomy.study.seeding import seeded
from polychotomy.study.seeds import seed_of
from polychotomy.study.target import Target
from polychotomy.study.termination import Terminated
from polychotomy.study.tracebacks import describe
from polychotomy.study.trials import Outcome, TrialKey, fail, training_set


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

    def attempt() -> Predictions:
        model = seeded(
            clone(estimator),
            seed_of(study_seed, *key),
            preparation_seed=preparation_seed(study_seed, key),
        )
        labels = target.classes[target.codes[train]]
        made = fit_and_predict(model, take(X, train), labels, lambda: take(X, test), target)
        return made.weighed(pickled_bytes(model)) if is_measured(key) else made

    return observe(key, len(target.classes), attempt)


def preparation_seed(study_seed: int, key: TrialKey) -> int:
    """Return the seed of a training set, the same for all candidates."""
    return seed_of(study_seed, "preparation", *training_set(key))


@dataclass(frozen=True, eq=False, kw_only=True)
class Predictions:
    """What a fit predicts for the samples left out, and how long it took."""

    predicted: Ints
    probabilities: NDArray[np.floating]  # (left out, k)
    hard: bool
    fit_seconds: float
    predict_seconds: float
    warnings: tuple[warnings.WarningMessage, ...] = ()  # of shared preparation
    model_bytes: int | None = None

    def after(self, *, fit_seconds: float, predict_seconds: float, said: Any) -> Predictions:
        """Add what a preparation has cost and said."""
        return replace(
            self,
            fit_seconds=self.fit_seconds + fit_seconds,
            predict_seconds=self.predict_seconds + predict_seconds,
            warnings=tuple(said),
        )

    def weighed(self, model_bytes: int | None) -> Predictions:
        """Add how large the fitted model is."""
        return replace(self, model_bytes=model_bytes)


def observe(key: TrialKey, n_classes: int, attempt: Callable[[], Predictions]) -> Outcome:
    """Make an outcome of an attempt, whether it succeeds or not."""
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = attempt()
        except Terminated:
            raise
        except (Exception, SystemExit) as error:  # sys.exit() must not end the study
            return fail(
                key,
                n_classes,
                status="failed",
                cause=f"{type(error).__name__}: {error}".strip()[:2000],
                details=describe(error),
                seconds=time.perf_counter() - start,
            )
    said = [*made.warnings, *caught]
    return Outcome(
        key=key,
        status="ok",
        predicted=made.predicted,
        probabilities=made.probabilities.astype(np.float32),
        hard=made.hard,
        fit_seconds=made.fit_seconds,
        predict_seconds=made.predict_seconds,
        cause="",
        details="",
        warnings=tuple(sorted({f"{w.category.__name__}: {w.message}"[:500] for w in said})),
        model_bytes=made.model_bytes,
    )


def fit_and_predict(
    model: Any,
    X_train: Any,
    labels: NDArray[Any],
    test: Callable[[], Any],
    target: Target,
    *,
    is_plain: bool = False,
) -> Predictions:
    """Fit a model and predict, by the clock.

    Parameters
    ----------
    test : callable
        Returns the rows to predict, anew each time: a step without copies writes on what it gets.
    is_plain : bool
        Whether the model is one of scikit-learn's or ours by itself, which does neither that nor
        answer twice in different ways.
    """
    start = time.perf_counter()
    model.fit(X_train, labels)
    fitted = time.perf_counter()
    if is_plain and can_remember(model):
        rows = test()
        with remembering(model):
            predicted, probabilities, hard = _predict(model, lambda: rows, target)
    else:
        predicted, probabilities, hard = _predict(model, test, target)
    finished = time.perf_counter()
    return Predictions(
        predicted=predicted,
        probabilities=probabilities,
        hard=hard,
        fit_seconds=fitted - start,
        predict_seconds=finished - fitted,
    )


def take(X: Any, rows: Ints) -> Any:
    """Return some rows of a DataFrame, an array or a sparse matrix."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _predict(
    model: Any, test: Callable[[], Any], target: Target
) -> tuple[Ints, NDArray[np.floating], bool]:
    """Predicted codes, probabilities with a column for every class, and whether they are votes."""
    columns = _codes_of(np.asarray(model.classes_), target)
    predicted = _codes_of(np.asarray(model.predict(test())), target)
    probabilities = np.zeros((len(predicted), len(target.classes)))
    hard = not hasattr(model, "predict_proba")
    if hard:
        probabilities[np.arange(len(predicted)), predicted] = 1.0
    else:
        probabilities[:, columns] = model.predict_proba(test())
    if not np.isfinite(probabilities).all():
        row = int(np.flatnonzero(~np.isfinite(probabilities).all(axis=1))[0])
        raise LearnerError(
            f"predict_proba gave {probabilities[row].tolist()} for row {row} of the fold left out; "
            "expected finite probabilities."
        )
    return predicted, probabilities, hard


def _codes_of(labels: NDArray[Any], target: Target) -> Ints:
    """Look labels up among the classes."""
    codes: Ints = np.searchsorted(target.classes, labels)
    np.minimum(codes, len(target.classes) - 1, out=codes)
    known = target.classes[codes] == labels
    if not known.all():
        unknown = np.flatnonzero(~known)
        raise LearnerError(
            f"the learner predicted {labels.tolist()[unknown[0]]!r}, which is none of the classes "
            f"{', '.join(target.names[:10])}."
        )
    return codes
