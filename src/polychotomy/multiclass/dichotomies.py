"""One dichotomy: a learner for its two sides, calibrated and shifted on samples it has not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from polychotomy.arrays import Bools, Code, Floats, Ints
from polychotomy.exceptions import InvalidInput
from polychotomy.multiclass.calibration import Calibrator, LogisticLink, fit_calibrator
from polychotomy.multiclass.naming import learner_error
from polychotomy.multiclass.recipes import Recipe
from polychotomy.multiclass.responses import Response, finite_logits, respond
from polychotomy.multiclass.thresholds import optimal_threshold
from polychotomy.multiclass.trainers import Trainer
from polychotomy.multiclass.training_data import TrainingData, take_columns


@dataclass(frozen=True, eq=False)
class Dichotomy:
    """A fitted dichotomy: scores of its learner to probabilities of its + side.

    ``columns`` are the training samples it was fitted on, where X is pairwise, else None. One that
    has not ``seen`` a sample yet (`CodedClassifier.partial_fit`) leans to neither side.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import LinearSVC
    >>> from polychotomy.multiclass import CodedClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CodedClassifier(LinearSVC(dual=False)).fit(X, y)
    >>> first = model.dichotomies_[0]  # class 0 against class 1
    >>> outputs = first.outputs(first.scores(X[[0, 60]]))
    >>> (outputs > 0.5).tolist()
    [True, False]
    >>> (first.logits(first.scores(X[[0, 60]])) > 0).tolist()
    [True, False]
    >>> first.answer(X[[0, 60]], "predict").tolist()  # the learner's own: 1 is the + side
    [1, 0]
    """

    learner: Any
    response: Response
    calibrator: Calibrator | None
    threshold: float
    columns: Ints | None
    seen: bool = True

    def scores(self, X: Any) -> Floats:
        """Answer of the learner, (n,): a probability, a decision value, or a label as 0 or 1."""
        if not self.seen:
            return np.full(X.shape[0], 0.0 if self.response == "decision_function" else 0.5)
        return respond(self.learner, self._samples(X), self.response)

    def answer(self, X: Any, method: str) -> Any:
        """Whatever the learner's ``method`` gives for X."""
        return getattr(self.learner, method)(self._samples(X))

    def _samples(self, X: Any) -> Any:
        return X if self.columns is None else take_columns(X, self.columns)

    def outputs(self, scores: Floats) -> Floats:
        """Probabilities of the + side, (n,), from the learner's scores."""
        if self.calibrator is None and (self.threshold == 0.0 or self.response == "predict"):
            return scores if self.response != "decision_function" else np.asarray(expit(scores))
        return np.asarray(expit(self.logits(scores)))

    def logits(self, scores: Floats) -> Floats:
        """Logits d − t of the + side, (n,), from the learner's scores ([HT98]_ §3)."""
        return _logits(scores, self.response, self.calibrator) - self.threshold


def fit_dichotomy(
    trainer: Trainer, data: TrainingData, row: Code, recipe: Recipe, name: str, estimator: Any
) -> tuple[Dichotomy, Floats]:
    """Fit a learner for ``row`` of a code, its calibrator and its threshold.

    Also returns the outputs (n,) of samples left out, those of other classes included where the
    recipe is ``joint``; NaN where there is none.

    Raises
    ------
    InvalidInput
        One side has no training sample.
    LearnerError
        The learner failed; the message names the dichotomy.
    """
    used = (row[data.codes] != 0) & (data.weights > 0)
    positive = row[data.codes] > 0
    members = np.flatnonzero(used)
    _check_sides(positive[members], name, "has no training sample with weight above zero")
    try:
        learner = trainer.fit(members, positive)
        scores, rows = _out_of_fold(trainer, used, positive, recipe, name)
    except InvalidInput:
        raise
    except Exception as cause:
        raise learner_error(estimator, name, cause) from cause
    own = used[rows]
    calibrator, threshold = _adjust(
        scores[own], positive[rows[own]], data.weights[rows[own]], recipe
    )
    columns = data.repeated(members) if data.pairwise else None
    dichotomy = Dichotomy(learner, recipe.response, calibrator, threshold, columns)
    left_out = np.full(data.codes.size if recipe.joint else 0, np.nan)
    if recipe.joint:
        left_out[rows] = dichotomy.outputs(scores)
    return dichotomy, left_out


def _out_of_fold(
    trainer: Trainer, used: Bools, positive: Bools, recipe: Recipe, name: str
) -> tuple[Floats, Ints]:
    """Answers on samples left out, and their rows."""
    if not recipe.needs_folds:
        return np.empty(0), np.empty(0, dtype=np.intp)
    scores, tested = [], []
    for number, (train, test) in enumerate(recipe.folds):
        inside, outside = train[used[train]], test if recipe.joint else test[used[test]]
        if not used[test].any() and not recipe.joint:
            continue
        _check_sides(positive[inside], f"{name}, fold {number},", "is absent from the fold")
        learner = trainer.fit(inside, positive)
        scores.append(trainer.respond(learner, inside, outside, recipe.response))
        tested.append(outside)
    if not any(used[rows].any() for rows in tested):
        raise InvalidInput(f"{name} has no sample in any test fold of cv; expected at least one.")
    return np.concatenate(scores), np.concatenate(tested)


def _adjust(
    scores: Floats, positive: Bools, weights: Floats, recipe: Recipe
) -> tuple[Calibrator | None, float]:
    """Calibrator and threshold from out-of-fold answers."""
    calibrator: Calibrator | None = None
    if recipe.method is not None:
        raw = finite_logits(scores) if recipe.response == "predict_proba" else scores
        calibrator = fit_calibrator(
            recipe.method, raw, positive, weights, keep_sign=recipe.keep_sign
        )
    if not recipe.shift:
        return calibrator, 0.0
    logits = _logits(scores, recipe.response, calibrator)
    return calibrator, optimal_threshold(logits, positive, sample_weight=weights)


def _logits(scores: Floats, response: Response, calibrator: Calibrator | None) -> Floats:
    raw = finite_logits(scores) if response == "predict_proba" else scores
    return (calibrator or LogisticLink()).logits(raw)


def _check_sides(positive: Bools, name: str, what: str) -> None:
    if positive.size and positive.any() and not positive.all():
        return
    side = "both sides" if not positive.size else f"its {'−' if positive.all() else '+'} side"
    raise InvalidInput(
        f"{name} has one class only to learn from: {side} {what}. Expected samples of both "
        "sides: give its classes more samples or weight, or choose another code or cv."
    )
