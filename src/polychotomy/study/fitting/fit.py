"""One trial: fit on some rows, predict others; whatever a candidate does is an outcome.

This is the only place where a candidate's code runs, and it runs in a worker process: see
:mod:`polychotomy.study.workers`.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from polychotomy.core.arguments import innermost
from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import LearnerError
from polychotomy.core.seeds import seed_of
from polychotomy.learners.searches import SearchWarning, search_warnings
from polychotomy.study.design.dataset import Target
from polychotomy.study.design.trials import Outcome, TrialKey, fail, succeed, training_set
from polychotomy.study.fitting.causes import describe, recorded_warnings, say, say_warnings
from polychotomy.study.fitting.model_size import pickled_bytes
from polychotomy.study.fitting.prepare import Prepared
from polychotomy.study.fitting.seeding import seeded, unset

_ROUNDING = 1e-6  # by which probabilities may be off, as single precision is

_SUM_TOLERANCE = 1e-3  # of their sum, as in tables of predictions: half precision stays within

_LONGEST = 2000  # characters that are kept of a cause


def is_measured(key: TrialKey) -> bool:
    """Say whether a trial measures its model: one of each candidate, data set and plan does.

    Examples
    --------
    >>> [is_measured(TrialKey("iris", "MAX", "5x2 folds", 0, 0, fold)) for fold in (0, 1)]
    [True, False]
    """
    return (key.run, key.repetition, key.fold) == (0, 0, 0)


def run_trial(
    key: TrialKey, candidate: Any, rows: Prepared, target: Target, *, train: Ints, study_seed: int
) -> Outcome:
    """Fit on some rows, predict others.

    Whatever the candidate raises is an outcome like any other, ``SystemExit`` and its own
    ``KeyboardInterrupt`` included: in a worker nobody else can mean these.

    Parameters
    ----------
    rows : Prepared
        Those to fit on and those to predict, for the candidate to write on: as they are, or after
        the steps that it shares with others, which it has no more (see
        :func:`polychotomy.study.fitting.prepare.without_steps`).
    train : ints
        Which rows the first ones are; a bootstrap repeats some.
    """
    process, start = os.getpid(), time.perf_counter()
    try:
        with recorded_warnings() as caught:
            model, names = clone(candidate), _unseeded(candidate)
            if names:  # seeds take as long as the rest of a trial beside fitting
                seed, shared = seed_of(study_seed, *key), preparation_seed(study_seed, key)
                model = seeded(model, seed, preparation_seed=shared, names=names)
            made = _fit_and_predict(model, rows, target.classes[target.codes[train]])
            predicted, probabilities = _read(made, target)
        size, said = None, {*rows.warnings, *say_warnings(caught)}
        with suppress(Exception):  # of a class of the user's own, any attribute may be anything
            if is_measured(key) and rows.size is not None:
                own = pickled_bytes(model)
                size = None if own is None else own + rows.size
            last = innermost(model)
            if hasattr(last, "best_params_"):
                said |= {f"{SearchWarning.__name__}: {text}" for text in search_warnings(last)}
        if is_measured(key) and size is None:
            said.add("UserWarning: the model cannot be pickled, so its size is left out")
        return succeed(
            key, predicted, probabilities, hard=made.probabilities is None, warnings=sorted(said),
            fit_seconds=made.fit_seconds + rows.fit_seconds, model_bytes=size,
            predict_seconds=made.predict_seconds + rows.transform_seconds,
        )  # fmt: skip
    except BaseException as error:
        return fail_with(key, error, time.perf_counter() - start)
    finally:
        if os.getpid() != process:  # the candidate has forked, and this is the copy
            os._exit(1)


_last: tuple[Any, list[str]] = None, []  # a worker fits one candidate again and again


def _unseeded(candidate: Any) -> list[str]:
    global _last
    if _last[0] is not candidate:
        _last = candidate, unset(candidate, "random_state")
    return _last[1]


def fail_with(key: TrialKey, error: BaseException, seconds: float) -> Outcome:
    """Return the outcome of a trial that raised an error."""
    cause, details = say(type(error), error)[:_LONGEST], describe(error)
    return fail(key, status="failed", cause=cause, details=details, seconds=seconds)


def preparation_seed(study_seed: int, key: TrialKey) -> int:
    """Return the seed of a training set, the same for all candidates."""
    return seed_of(study_seed, "preparation", *training_set(key))


class _Answers(NamedTuple):
    """What a fitted model said about the samples left out, word for word, and how long it took."""

    classes: NDArray[Any]
    labels: NDArray[Any]
    probabilities: NDArray[Any] | None  # (left out, classes)
    fit_seconds: float
    predict_seconds: float


def _fit_and_predict(model: Any, rows: Prepared, labels: NDArray[Any]) -> _Answers:
    """Fit a model and predict, by the clock; the answers are copies, whatever the model does next.

    So are the rows that are predicted first: a step without copies writes on what it gets.
    """
    start = time.perf_counter()
    model.fit(rows.train, labels)
    fitted = time.perf_counter()
    n, probabilities = rows.test.shape[0], None
    classes, predicted = np.array(model.classes_), np.array(model.predict(deepcopy(rows.test)))
    if predicted.shape == (n, 1):  # as CatBoost gives them
        predicted = predicted[:, 0]
    _check_shape("predict", predicted, (n,))
    if hasattr(model, "predict_proba"):
        probabilities = np.array(model.predict_proba(rows.test))
        _check_shape("predict_proba", probabilities, (n, len(classes)))
    end = time.perf_counter()
    return _Answers(classes, predicted, probabilities, fitted - start, end - fitted)


def take(X: Any, rows: Ints) -> Any:
    """Return some rows of a DataFrame, an array or a sparse matrix."""
    if type(X) is np.ndarray and X.flags.c_contiguous:
        return X.take(rows, axis=0)  # the bytes of X[rows], in a fifth of the time
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _check_shape(method: str, found: NDArray[Any], expected: tuple[int, ...]) -> None:
    if found.shape != expected:
        raise LearnerError(
            f"{method} gave an array of shape {found.shape} for {expected[0]} rows; expected "
            f"{expected}."
        )


def _read(made: _Answers, target: Target) -> tuple[Ints, NDArray[np.floating]]:
    """Predicted codes, and probabilities or votes with a column for every class."""
    columns = _codes_of(made.classes, target)
    predicted = _codes_of(made.labels, target)
    probabilities = np.zeros((len(predicted), len(target.classes)))
    if made.probabilities is None:
        probabilities[np.arange(len(predicted)), predicted] = 1.0
        return predicted, probabilities
    if np.iscomplexobj(made.probabilities) and made.probabilities.imag.any():
        raise LearnerError("predict_proba gave complex numbers; expected numbers from 0 to 1.")
    probabilities[:, columns] = np.real(made.probabilities)
    _check_shares(probabilities)
    return predicted, probabilities


def _check_shares(probabilities: NDArray[np.floating]) -> None:
    """Refuse what is no number from 0 to 1, and sums that are not 1, naming the first row.

    What low precision has made of the sums is mended: whoever uses them takes sums of 1 only.
    """
    low, high, sums = probabilities.min(), probabilities.max(), probabilities.sum(axis=1)
    off = np.abs(sums - 1)
    if low >= -_ROUNDING and high <= 1 + _ROUNDING and off.max() <= _SUM_TOLERANCE:  # not with NaN
        if off.max() > _ROUNDING:
            probabilities /= sums[:, np.newaxis]
    else:
        sound = (probabilities >= -_ROUNDING) & (probabilities <= 1 + _ROUNDING)
        row = int((sound.all(axis=1) & (off <= _SUM_TOLERANCE)).argmin())
        given = probabilities[row]
        raise LearnerError(
            f"predict_proba gave {given.tolist()} for row {row} of the fold left out, which sum to "
            f"{given.sum():g}; expected finite probabilities from 0 to 1 whose sum is 1, to within "
            f"{_SUM_TOLERANCE:g}."
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
