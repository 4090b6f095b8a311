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
from polychotomy.calibration.sigmoid import Sigmoid, fit_platt
from polychotomy.core.arrays import Bools, Code, Floats, Ints, Outputs
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.decoding.decode import Decoder
from polychotomy.multiclass.merged import (
    MergedKernelMachines,
    MergedMachines,
    has_logistic_link,
    merge_machines,
)
from polychotomy.multiclass.shared_kernel import share_kernel
from polychotomy.multiclass.thresholds import optimal_threshold
from polychotomy.multiclass.training import (
    Fold,
    PlainTrainer,
    Response,
    Trainer,
    TrainingData,
    choose_response,
    finite_logits,
    respond,
    take_columns,
)

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
    response = choose_response(estimator, calibrated=asked is not None)
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
) -> tuple[Calibrator, float]:
    """Calibrator and threshold from out-of-fold answers."""
    calibrator: Calibrator = None
    if recipe.method is not None:
        raw = finite_logits(scores) if recipe.response == "predict_proba" else scores
        if recipe.method == "isotonic":
            calibrator = fit_isotonic_scores(raw, positive, weights)
        else:
            calibrator = fit_platt(raw, positive, weights, keep_sign=recipe.keep_sign)
    if not recipe.shift:
        return calibrator, 0.0
    logits = _logits(scores, recipe.response, calibrator)
    return calibrator, optimal_threshold(logits, positive, sample_weight=weights)


def _logits(scores: Floats, response: Response, calibrator: Calibrator) -> Floats:
    raw = finite_logits(scores) if response == "predict_proba" else scores
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
    plain = PlainTrainer(estimator, data, labels)
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
    dichotomies, left_out = zip(*fits, strict=True)
    return list(dichotomies), np.column_stack(left_out)


def check_singleton_classes(
    code: Code, codes: Ints, weights: Floats, classes: np.ndarray[Any, Any]
) -> None:
    """Raise for a class with one training sample, naming the first dichotomy it is in."""
    members = np.bincount(codes[weights > 0], minlength=classes.size)
    single = np.flatnonzero(members == 1)
    if single.size == 0:
        return
    row = int(np.flatnonzero(code[:, single[0]])[0])
    raise InvalidInput(
        f"class {classes.tolist()[single[0]]!r} has one member only, so "
        f"{name_dichotomy(row, code[row], classes)} cannot be tried on a sample of that class "
        "that it has not seen; expected two members or more in every class. Add samples, drop or "
        "join the class, or pass calibration=None (and thresholds=None) to train on it untried."
    )


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
    values = merged.decision_function(X, n_jobs=n_jobs)
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
