"""Fitting a candidate once and predicting the samples left out; a failure is an outcome too."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from polychotomy.arrays import Ints
from polychotomy.exceptions import LearnerError
from polychotomy.study.ear import Ear
from polychotomy.study.model_size import is_measured, pickled_bytes
from polychotomy.study.remembering import can_remember, remembering
from polychotomy.study.seeding import seeded
from polychotomy.study.seeds import seed_of
from polychotomy.study.target import Target
from polychotomy.study.termination import Terminated
from polychotomy.study.tracebacks import describe
from polychotomy.study.trials import Outcome, TrialKey, fail, succeed, training_set

_ROUNDING = 1e-6  # by which probabilities may be off, as single precision is
_SUM_TOLERANCE = 1e-3  # of their sum, as in tables of predictions: half precision stays within


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

    def attempt() -> Answers:
        model = seeded(
            clone(estimator),
            seed_of(study_seed, *key),
            preparation_seed=preparation_seed(study_seed, key),
        )
        labels = target.classes[target.codes[train]]
        made = fit_and_predict(model, take(X, train), labels, lambda: take(X, test))
        return made.weighed(pickled_bytes(model)) if is_measured(key) else made

    with Ear() as ear:
        made = observe(key, len(target.classes), attempt, ear)
        return conclude(key, made, target, ear)


def preparation_seed(study_seed: int, key: TrialKey) -> int:
    """Return the seed of a training set, the same for all candidates."""
    return seed_of(study_seed, "preparation", *training_set(key))


class Answers(NamedTuple):
    """What a fitted model said about the samples left out, word for word, and how long it took."""

    classes: NDArray[Any]
    labels: NDArray[Any]
    probabilities: NDArray[Any] | None  # (left out, classes)
    fit_seconds: float
    predict_seconds: float
    warnings: tuple[warnings.WarningMessage, ...] = ()
    model_bytes: int | None = None

    def after(self, *, fit_seconds: float, predict_seconds: float, said: Any) -> Answers:
        """Add what a preparation has cost and said."""
        return self._replace(
            fit_seconds=self.fit_seconds + fit_seconds,
            predict_seconds=self.predict_seconds + predict_seconds,
            warnings=tuple(said),
        )

    def weighed(self, model_bytes: int | None) -> Answers:
        """Add how large the fitted model is."""
        return self._replace(model_bytes=model_bytes)


def observe(
    key: TrialKey, n_classes: int, attempt: Callable[[], Answers], ear: Ear
) -> Answers | Outcome:
    """Make an attempt; one that fails is an outcome already."""
    start = time.perf_counter()
    ear.listen()
    try:
        made = attempt()
    except Terminated:
        raise
    except (Exception, SystemExit) as error:  # sys.exit() must not end the study
        return _failed(key, n_classes, error, time.perf_counter() - start)
    return made._replace(warnings=(*made.warnings, *ear.heard)) if ear.heard else made


def conclude(key: TrialKey, made: Answers | Outcome, target: Target, ear: Ear) -> Outcome:
    """Make an outcome of what a model has answered, if that is about the classes there are."""
    if isinstance(made, Outcome):
        return made
    ear.listen()
    try:
        predicted, probabilities = _read(made, target)
    except Exception as error:
        seconds = made.fit_seconds + made.predict_seconds
        return _failed(key, len(target.classes), error, seconds)
    said = {f"{w.category.__name__}: {w.message}"[:500] for w in (*made.warnings, *ear.heard)}
    return succeed(
        key,
        predicted,
        probabilities,
        hard=made.probabilities is None,
        fit_seconds=made.fit_seconds,
        predict_seconds=made.predict_seconds,
        warnings=sorted(said),
        model_bytes=made.model_bytes,
    )


def _failed(key: TrialKey, n_classes: int, error: BaseException, seconds: float) -> Outcome:
    return fail(
        key,
        n_classes,
        status="failed",
        cause=f"{type(error).__name__}: {error}".strip()[:2000],
        details=describe(error),
        seconds=seconds,
    )


def fit_and_predict(
    model: Any,
    X_train: Any,
    labels: NDArray[Any],
    test: Callable[[], Any],
    *,
    is_plain: bool = False,
) -> Answers:
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
            answers = _ask(model, lambda: rows)
    else:
        answers = _ask(model, test)
    return Answers(*answers, fitted - start, time.perf_counter() - fitted)


def take(X: Any, rows: Ints) -> Any:
    """Return some rows of a DataFrame, an array or a sparse matrix."""
    if type(X) is np.ndarray and X.flags.c_contiguous:
        return X.take(rows, axis=0)  # the bytes of X[rows], in a fifth of the time
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _ask(
    model: Any, test: Callable[[], Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Classes, labels and probabilities, if there are any: copies, whatever the model does next."""
    rows = test()
    n = rows.shape[0]
    classes, labels = np.array(model.classes_), np.array(model.predict(rows))
    if labels.shape == (n, 1):  # as CatBoost gives them
        labels = labels[:, 0]
    _check_shape("predict", labels, (n,))
    if not hasattr(model, "predict_proba"):
        return classes, labels, None
    probabilities = np.array(model.predict_proba(test()))
    _check_shape("predict_proba", probabilities, (n, len(classes)))
    return classes, labels, probabilities


def _check_shape(method: str, found: NDArray[Any], expected: tuple[int, ...]) -> None:
    if found.shape != expected:
        raise LearnerError(
            f"{method} gave an array of shape {found.shape} for {expected[0]} rows; expected "
            f"{expected}."
        )


def _read(made: Answers, target: Target) -> tuple[Ints, NDArray[np.floating]]:
    """Predicted codes, and probabilities or votes with a column for every class."""
    columns = _codes_of(made.classes, target)
    predicted = _codes_of(made.labels, target)
    probabilities = np.zeros((len(predicted), len(target.classes)))
    if made.probabilities is None:
        probabilities[np.arange(len(predicted)), predicted] = 1.0
        return predicted, probabilities
    probabilities[:, columns] = made.probabilities
    _check_shares(probabilities)
    return predicted, probabilities


def _check_shares(probabilities: NDArray[np.floating]) -> None:
    """Refuse what is no number from 0 to 1, and sums that are not 1, naming the first row."""
    sound = (probabilities >= -_ROUNDING) & (probabilities <= 1 + _ROUNDING)  # not where NaN
    if np.count_nonzero(sound) < sound.size:
        row = int(np.flatnonzero(~sound.all(axis=1))[0])
        finite = np.isfinite(probabilities[row]).all()
        raise LearnerError(
            f"predict_proba gave {probabilities[row].tolist()} for row {row} of the fold left out; "
            f"expected {'probabilities from 0 to 1' if finite else 'finite probabilities'}."
        )
    sums = probabilities.sum(axis=1)
    off = np.abs(sums - 1) > _SUM_TOLERANCE
    if off.any():
        row = int(off.argmax())
        raise LearnerError(
            f"predict_proba gave {probabilities[row].tolist()} for row {row} of the fold left out, "
            f"which sum to {sums[row]:g}; expected 1, to within {_SUM_TOLERANCE:g}."
        )


def _codes_of(labels: NDArray[Any], target: Target) -> Ints:
    """Look labels up among the classes."""
    codes: Ints = target.classes.searchsorted(labels)
    np.minimum(codes, len(target.classes) - 1, out=codes)
    known = target.classes[codes] == labels
    if np.count_nonzero(known) < codes.size:
        unknown = np.flatnonzero(~known)
        raise LearnerError(
            f"the learner predicted {labels.tolist()[unknown[0]]!r}, which is none of the classes "
            f"{', '.join(target.names[:10])}."
        )
    return codes
