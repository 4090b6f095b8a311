"""The dichotomies of a code: fitted, calibrated, and evaluated together where they can be."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import expit
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from polychotomy.calibration.isotonic import Isotonic, fit_isotonic_scores
from polychotomy.calibration.sigmoid import Sigmoid, fit_platt, shrink_sigmoid
from polychotomy.core.arrays import Bools, Code, Floats, Ints, Outputs
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.decoding.decode import Decoder
from polychotomy.multiclass import training
from polychotomy.multiclass.merged import (
    MergedKernelMachines,
    MergedMachines,
    has_logistic_link,
    merge_machines,
)
from polychotomy.multiclass.shared_kernel import share_kernel
from polychotomy.multiclass.thresholds import optimal_threshold
from polychotomy.multiclass.training import Fold, Response, Trainer, TrainingData

_SHOWN = 5


class LearnerValueError(LearnerError, ValueError):
    """A learner raised a ValueError, so this is one too."""


class LearnerTypeError(LearnerError, TypeError):
    """A learner raised a TypeError, so this is one too."""


def name_dichotomy(index: int, row: Code, classes: np.ndarray[Any, Any]) -> str:
    """Name a dichotomy by its number and the classes on its two sides.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.dichotomies import name_dichotomy
    >>> name_dichotomy(2, np.array([0, 1, -1]), np.array(["ant", "bee", "cat"]))
    "dichotomy 2 (class 'bee' against class 'cat')"
    """
    return f"dichotomy {index} ({_side(classes[row > 0])} against {_side(classes[row < 0])})"


def _side(members: np.ndarray[Any, Any]) -> str:
    names = [repr(member) for member in members[:_SHOWN].tolist()]
    if members.size > _SHOWN:
        names.append(f"… {members.size} in all")
    return f"{'class' if members.size == 1 else 'classes'} {', '.join(names)}"


def learner_error(estimator: Any, where: str, cause: Exception) -> LearnerError:
    """Make the error for a learner that failed; also a ValueError or TypeError if that was one."""
    kind = LearnerError
    if isinstance(cause, ValueError):
        kind = LearnerValueError
    elif isinstance(cause, TypeError):
        kind = LearnerTypeError
    said = f"{type(cause).__name__}: {cause}".rstrip()
    end = "" if said.endswith((".", "!", "?")) else "."
    return kind(
        f"{type(estimator).__name__} failed on {where}: {said}{end} Fit the learner on these "
        "classes alone to look into it."
    )


Calibrator: TypeAlias = Sigmoid | Isotonic | None
"""What turns scores into logits; None where scores are logits already."""


Method: TypeAlias = Literal["sigmoid", "isotonic"]


@dataclass(frozen=True)
class Recipe:
    """What is done with every dichotomy's learner, decided once for all of them.

    Parameters
    ----------
    response : str
        The method of the learner that answers.
    method : "sigmoid", "isotonic" or None
        How out-of-fold answers are calibrated.
    keep_sign : bool
        Calibrate without an intercept (two classes).
    shift : bool
        Find each dichotomy's optimal threshold.
    folds : list of (train, test) rows
        For out-of-fold answers; unused where neither calibration nor thresholds ask for them.
    joint : bool
        Score the samples of all classes that a fold leaves out, to learn one temperature.
    """

    response: Response
    method: Method | None
    keep_sign: bool
    shift: bool
    folds: tuple[Fold, ...]
    joint: bool

    @property
    def needs_folds(self) -> bool:
        """Whether answers on unseen samples are needed."""
        return self.method is not None or self.shift


def choose_method(
    estimator: Any, calibration: Literal["auto", "sigmoid", "isotonic"] | None
) -> tuple[Response, Method | None]:
    """Return which method of the learner answers, and how its answers are calibrated.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from polychotomy.multiclass.dichotomies import choose_method
    >>> choose_method(LinearSVC(), "auto")
    ('decision_function', 'sigmoid')
    """
    asked: Method | None = calibration if calibration != "auto" else None
    response = training.choose_response(estimator, calibrated=asked is not None)
    if response == "predict":
        return response, None
    if calibration == "auto" and response == "decision_function":
        return response, "sigmoid"
    return response, asked


def describe(
    estimator: Any, response: Response, method: Method | None, decoder: Decoder
) -> tuple[str, Decoder]:
    """Return ``calibration_`` and ``decoder_``: what is done, in words.

    A learner that gives labels only leaves votes as the one decoder that makes sense; that is
    warned of.
    """
    if response == "predict":
        warnings.warn(
            f"{type(estimator).__name__} has neither predict_proba nor decision_function, so its "
            "labels are decoded by votes: probabilities are shares of votes.",
            stacklevel=4,
        )
        return "votes", "votes"
    return method or ("none" if response == "predict_proba" else "logistic"), decoder


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
    calibrator: Calibrator
    threshold: float
    columns: Ints | None
    seen: bool = True

    def scores(self, X: Any) -> Floats:
        """Answer of the learner, (n,): a probability, a decision value, or a label as 0 or 1."""
        if not self.seen:
            return np.full(X.shape[0], 0.0 if self.response == "decision_function" else 0.5)
        return training.respond(self.learner, self._samples(X), self.response)

    def answer(self, X: Any, method: str) -> Any:
        """Whatever the learner's ``method`` gives for X."""
        return getattr(self.learner, method)(self._samples(X))

    def _samples(self, X: Any) -> Any:
        return X if self.columns is None else training.take_columns(X, self.columns)

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
) -> tuple[Dichotomy, Floats, Ints]:
    """Fit a learner for ``row`` of a code, and its own calibrator.

    Also returns the scores (m,) of samples left out, those of other classes included where the
    recipe is ``joint``, and their rows (m,).

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
    own = rows[used[rows]]
    calibrator = _fit_calibrator(
        scores[used[rows]], positive[own], data.weights[own], recipe, keep_sign=recipe.keep_sign
    )
    columns = data.repeated(members) if data.pairwise else None
    return Dichotomy(learner, recipe.response, calibrator, 0.0, columns), scores, rows


def _out_of_fold(
    trainer: Trainer, used: Bools, positive: Bools, recipe: Recipe, name: str
) -> tuple[Floats, Ints]:
    """Answers on samples left out, and their rows."""
    scores, tested = [np.empty(0)], [np.empty(0, dtype=np.intp)]
    for number, (train, test) in enumerate(recipe.folds):
        inside, outside = train[used[train]], test if recipe.joint else test[used[test]]
        if not used[test].any() and not recipe.joint:
            continue
        _check_sides(positive[inside], f"{name}, fold {number},", "is absent from the fold")
        learner = trainer.fit(inside, positive)
        scores.append(trainer.respond(learner, inside, outside, recipe.response))
        tested.append(outside)
    return np.concatenate(scores), np.concatenate(tested)


def _fit_calibrator(
    scores: Floats, positive: Bools, weights: Floats, recipe: Recipe, *, keep_sign: bool
) -> Calibrator:
    if recipe.method is None or scores.size == 0:
        return None
    raw = _logits(scores, recipe.response, None)
    if recipe.method == "isotonic":
        return fit_isotonic_scores(raw, positive, weights)
    return fit_platt(raw, positive, weights, keep_sign=keep_sign)


_Fit: TypeAlias = tuple[Dichotomy, Floats, Ints]
_MOST_POOLED = 200_000  # scores: more would not move two numbers


def _pool(
    fits: Sequence[_Fit], code: Code, data: TrainingData, recipe: Recipe, names: Sequence[str]
) -> Calibrator:
    """Calibrator of the scores that all dichotomies gave to their own samples out of fold."""
    step = 1 + sum(scores.size for _, scores, _ in fits) // _MOST_POOLED
    pool = [_own(fit, row, data, step) for fit, row in zip(fits, code, strict=True)]
    scores, positive, weights = (np.concatenate(part) for part in zip(*pool, strict=True))
    if scores.size == 0:
        raise InvalidInput(f"{names[0]} has no sample in any test fold of cv; expected some.")
    # Which side is + means nothing where both have as many classes, so neither is to be leaned to.
    symmetric = not code.sum(axis=1).any()
    return _fit_calibrator(scores, positive, weights, recipe, keep_sign=symmetric)


def _own(fit: _Fit, row: Code, data: TrainingData, step: int = 1) -> tuple[Floats, Bools, Floats]:
    """Scores of the dichotomy's own samples out of fold, which are positive, their weights."""
    _, scores, rows = fit
    sides, weights = row[data.codes[rows]], data.weights[rows]
    own = np.flatnonzero((sides != 0) & (weights > 0))[::step]
    return scores[own], sides[own] > 0, weights[own]


def _adjusted(
    fit: _Fit, row: Code, data: TrainingData, recipe: Recipe, pooled: Calibrator
) -> Dichotomy:
    """Shrink the own calibrator to the pooled one, and find the optimal threshold."""
    dichotomy, calibrator = fit[0], fit[0].calibrator
    scores, positive, weights = _own(fit, row, data)
    up, down = float(weights[positive].sum()), float(weights[~positive].sum())
    # As many as there are where the sides are equal, few where one side is small, and none, so
    # that the pooled map stands alone, where a side is a class with one member, never left out.
    n = 4 * up * down / (up + down) if up + down > 0 else 0.0
    if isinstance(calibrator, Sigmoid) and isinstance(pooled, Sigmoid):
        calibrator = shrink_sigmoid(calibrator, pooled, n)
    dichotomy = replace(dichotomy, calibrator=pooled if pooled and n == 0 else calibrator)
    if not recipe.shift or n == 0:
        return dichotomy
    best = optimal_threshold(dichotomy.logits(scores), positive, sample_weight=weights)
    return replace(dichotomy, threshold=best)


def _logits(scores: Floats, response: Response, calibrator: Calibrator) -> Floats:
    raw = training.finite_logits(scores) if response == "predict_proba" else scores
    return raw if calibrator is None else calibrator.logits(raw)


def _check_sides(positive: Bools, name: str, what: str) -> None:
    if positive.size and positive.any() and not positive.all():
        return
    side = "both sides" if not positive.size else f"its {'−' if positive.all() else '+'} side"
    raise InvalidInput(
        f"{name} has one class only to learn from: {side} {what}. Expected samples of both "
        "sides: give its classes more samples or weight, or choose another code or cv."
    )


def fit_dichotomies(
    estimator: Any,
    data: TrainingData,
    rows: Code,
    recipe: Recipe,
    *,
    classes: np.ndarray[Any, Any],
    names: Sequence[str],
    n_jobs: int | None,
    feature_names: Any,
) -> tuple[list[Dichotomy], Outputs]:
    """Fit a dichotomy for each of the distinct ``rows``; the same whatever ``n_jobs`` is.

    Also returns the outputs (n, t) of samples left out, or (0, t) where the recipe needs none.

    With two classes the learners see the labels themselves, otherwise 0 and 1.
    """
    labels = classes if classes.size == 2 else np.array([0, 1])
    plain = training.PlainTrainer(estimator, data, labels)
    trainer: Trainer = plain
    if rows.shape[0] > 1 and (rows != 0).all():
        matrices = 1 + len(recipe.folds)
        trainer = share_kernel(plain, matrices=matrices, feature_names=feature_names) or plain
    # LIBSVM lets go of the interpreter while it trains, so threads can share the matrix.
    backend = None if trainer is plain else "threads"
    fits = Parallel(n_jobs=n_jobs, prefer=backend)(
        delayed(fit_dichotomy)(trainer, data, row, recipe, name, estimator)
        for row, name in zip(rows, names, strict=True)
    )
    left_out = np.full((data.codes.size if recipe.joint else 0, rows.shape[0]), np.nan)
    if not recipe.needs_folds:
        return [dichotomy for dichotomy, *_ in fits], left_out
    pooled = _pool(fits, rows, data, recipe, names)
    dichotomies = []
    for number, (fit, row) in enumerate(zip(fits, rows, strict=True)):
        dichotomies.append(_adjusted(fit, row, data, recipe, pooled if len(fits) > 1 else None))
        if recipe.joint:
            left_out[fit[2], number] = dichotomies[-1].outputs(fit[1])
    return dichotomies, left_out


def merge_dichotomies(dichotomies: Sequence[Dichotomy]) -> MergedMachines | None:
    """Merge the learners where that is possible and their answers follow from decision values."""
    learners = [dichotomy.learner for dichotomy in dichotomies]
    if len(learners) < 2 or any(d.columns is not None or not d.seen for d in dichotomies):
        return None
    response = dichotomies[0].response
    if response == "predict" or (
        response == "predict_proba" and not all(has_logistic_link(m) for m in learners)
    ):
        return None
    try:
        return merge_machines(learners)
    except InvalidInput:
        return None


def score_dichotomies(
    dichotomies: Sequence[Dichotomy], merged: MergedMachines | None, X: Any, n_jobs: int | None
) -> Floats:
    """Answers (n, t) of the learners: one product where they are merged."""
    if merged is None or (isinstance(merged, MergedKernelMachines) and sparse.issparse(X)):
        columns = Parallel(n_jobs=n_jobs)(delayed(Dichotomy.scores)(d, X) for d in dichotomies)
        return np.column_stack(list(columns))
    values = merged.decision_function(X)
    if dichotomies[0].response == "predict_proba":
        return np.asarray(expit(values, out=values))
    return values


def first_classes(
    classes: ArrayLike | None, known: np.ndarray[Any, Any] | None
) -> np.ndarray[Any, Any]:
    """Return the sorted classes given at the first call; later ones may only repeat them."""
    if classes is None and known is None:
        raise InvalidInput(
            "classes is None at the first call of partial_fit; expected all labels, "
            "those not in this batch included."
        )
    if classes is None:
        assert known is not None
        return known
    labels = np.unique(np.asarray(classes))
    if labels.size < 2:
        raise InvalidInput(f"classes has one class only, {labels.tolist()}; expected at least two.")
    if known is not None and not np.array_equal(labels, known):
        raise InvalidInput(
            f"classes are {labels.tolist()}, but {known.tolist()} at the first call of "
            "partial_fit; expected the same."
        )
    return labels


def can_stream(estimator: Any, calibration: str | None, thresholds: str | None) -> bool:
    """Tell whether the learner can, and no option asks for samples that it has not seen.

    Raises
    ------
    AttributeError
        Saying what stands against it, for scikit-learn's ``available_if``.
    """
    if calibration in ("sigmoid", "isotonic") or thresholds is not None:
        raise AttributeError(
            f"calibration is {calibration!r} and thresholds {thresholds!r}; partial_fit sees each "
            "sample once, so nothing can be learned out of fold. Expected calibration 'auto' or "
            "None and thresholds None; or use fit."
        )
    return callable(estimator.partial_fit)


def unseen_dichotomy(estimator: Any, response: Response) -> Dichotomy:
    """Return a dichotomy that has seen no sample yet."""
    return Dichotomy(clone(estimator), response, None, 0.0, None, seen=False)


def partial_fit_dichotomy(
    dichotomy: Dichotomy, data: TrainingData, row: Code, labels: np.ndarray[Any, Any], name: str
) -> Dichotomy:
    """Fit the learner further with those samples of the batch that are on one of its sides."""
    members = np.flatnonzero((row[data.codes] != 0) & (data.weights > 0))
    if members.size == 0:
        return dichotomy
    rows = data.repeated(members)
    sides = labels[(row[data.codes[rows]] > 0).astype(np.intp)]
    try:
        learner = dichotomy.learner.partial_fit(
            data.take(rows, rows), sides, classes=labels, **data.fit_params(rows)
        )
    except Exception as cause:
        raise learner_error(dichotomy.learner, name, cause) from cause
    return replace(dichotomy, learner=learner, seen=True)
