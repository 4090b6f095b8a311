"""The dichotomies of a code: fitted, calibrated, and evaluated together where they can be."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy import sparse
from scipy.special import expit
from sklearn.utils.parallel import Parallel, delayed

from polychotomy.calibration.isotonic import Isotonic, fit_isotonic_scores
from polychotomy.calibration.sigmoid import Sigmoid, fit_around, fit_platt
from polychotomy.core.arguments import will_have
from polychotomy.core.arrays import Bools, Code, Floats, Ints, Outputs
from polychotomy.core.chunks import in_chunks
from polychotomy.core.exceptions import InvalidInput, LearnerError, PolychotomyWarning
from polychotomy.decoding.decode import Decoder
from polychotomy.multiclass import pair_machines, training
from polychotomy.multiclass.merged import (
    MergedKernelMachines,
    MergedMachines,
    has_logistic_link,
    merge_machines,
)
from polychotomy.multiclass.shared_kernel import share_kernel
from polychotomy.multiclass.thresholds import optimal_threshold
from polychotomy.multiclass.training import Fold, PlainTrainer, Response, TrainingData

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
    kind = LearnerTypeError if isinstance(cause, TypeError) else LearnerError
    kind = LearnerValueError if isinstance(cause, ValueError) else kind
    said = f"{type(cause).__name__}: {cause}".rstrip()
    end = "" if said.endswith((".", "!", "?")) else "."
    return kind(
        f"{type(estimator).__name__} failed on {where}: {said}{end} Fit the learner on these "
        "classes alone to look into it."
    )


Calibrator: TypeAlias = Sigmoid | Isotonic | None
"""What turns scores into logits; None where scores are logits already."""


Method: TypeAlias = Literal["sigmoid", "isotonic", "temperature"]


_OF_SCORES = ("sigmoid", "isotonic")


@dataclass(frozen=True, eq=False)
class Recipe:
    """What is done with every dichotomy's learner, decided once for all of them.

    Parameters
    ----------
    response : str
        The method of the learner that answers.
    method : "sigmoid", "isotonic", "temperature" or None
        How out-of-fold answers are calibrated; "temperature": only once they are decoded.
    keep_sign : bool
        Calibrate without an intercept (two classes).
    shift : bool
        Find each dichotomy's optimal threshold.
    folds : list of (train, test) rows
        For out-of-fold answers; unused where neither calibration nor thresholds ask for them.
    together : (m,) ints
        Samples that every dichotomy scores, whatever their class, to learn one temperature.
    one_out : bool
        Samples may be left out one by one instead, where that takes no fits.
    """

    response: Response
    method: Method | None
    keep_sign: bool
    shift: bool
    folds: tuple[Fold, ...]
    together: Ints
    one_out: bool = False


def choose_method(
    estimator: Any, calibration: Literal["auto"] | Method | None, code: Code
) -> tuple[Response, Method | None]:
    """Return which method of the learner answers, and how its answers are calibrated.

    Answers about sides of several classes know nothing of each other: decoded, they are far too
    cautious or too sure, whatever the learner (of an orthogonal code for 500 classes log loss fell
    from 3.2 to 1.3 by one exponent).

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.multiclass.dichotomies import choose_method
    >>> choose_method(LinearSVC(), "auto", one_vs_one(4))
    ('decision_function', 'sigmoid')
    """
    names: list[Response] = ["predict_proba", "decision_function"]
    if calibration in ("sigmoid", "isotonic"):  # of decision values, before probabilities
        names.reverse()
    response: Response = next((name for name in names if will_have(estimator, name)), "predict")
    if response == "predict":
        return response, None
    if calibration == "auto":
        joined: Method | None = "temperature" if (np.abs(code).sum(axis=1) > 2).any() else None
        calibration = "sigmoid" if response == "decision_function" else joined
    return response, None if calibration == "temperature" and code.shape[1] == 2 else calibration


def describe(
    estimator: Any, response: Response, method: Method | None, decoder: Any, code: Code
) -> tuple[str, Decoder]:
    """Return ``calibration_`` and ``decoder_``: what is done, in words.

    A learner that gives labels only leaves votes as the one decoder that makes sense; that is
    warned of.
    """
    if response == "predict":
        warnings.warn(
            f"{type(estimator).__name__} has neither predict_proba nor decision_function, so its "
            "labels are decoded by votes: probabilities are shares of votes.",
            PolychotomyWarning,
            stacklevel=4,
        )
        return "votes", "votes"
    if decoder == "auto":
        # Least squares heeds outputs near 0 and 1 alone, which naive Bayes gives too often.
        cautious = response == "decision_function" or has_logistic_link(estimator)
        cautious |= method in _OF_SCORES
        pairs = (np.count_nonzero(code, axis=1) == 2).all()
        decoder = "least-squares" if pairs and cautious else "bradley-terry"
    if method == "temperature" and decoder in ("votes", "loss"):
        method = None
    return method or ("none" if response == "predict_proba" else "logistic"), decoder


@dataclass(frozen=True, eq=False)
class Dichotomy:
    """A fitted dichotomy: scores of its learner to probabilities of its + side.

    ``columns`` are the training samples it was fitted on, where X is pairwise, else None.

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
    >>> first.answer(X[[0, 60]], "predict").tolist()  # the learner's own: 1 is the + side
    [1, 0]
    """

    learner: Any
    response: Response
    calibrator: Calibrator
    threshold: float
    columns: Ints | None

    def scores(self, X: Any) -> Floats:
        """Answer of the learner, (n,): a probability, a decision value, or a label as 0 or 1."""
        return training.respond(self.learner, self._samples(X), self.response)

    def answer(self, X: Any, method: str) -> Any:
        """Whatever the learner's ``method`` gives for X."""
        return getattr(self.learner, method)(self._samples(X))

    def _samples(self, X: Any) -> Any:
        return X if self.columns is None else training.take_columns(X, self.columns)

    def outputs(self, scores: Floats) -> Floats:
        """Probabilities of the + side, (n,), from the learner's scores."""
        return _outputs(scores, self.response, self.calibrator, self.threshold)


def _outputs(
    scores: Floats, response: Response, calibrator: Calibrator, threshold: float | Floats
) -> Floats:
    if calibrator is None and (response == "predict" or not np.any(threshold)):
        return scores if response != "decision_function" else np.asarray(expit(scores))
    logits = _logits(scores, response, calibrator) - threshold
    return np.asarray(expit(logits, out=logits))


def _logits(scores: Floats, response: Response, calibrator: Calibrator) -> Floats:
    raw = training.finite_logits(scores) if response == "predict_proba" else scores
    return raw if calibrator is None else calibrator.logits(raw)


@dataclass(frozen=True, eq=False)
class Calibration:
    """How the scores of all t dichotomies become probabilities.

    Parameters
    ----------
    response : str
        The method of the learners that answers.
    calibrators : Sigmoid of (t,) arrays, tuple of t Isotonic, or None
        What makes logits of the scores.
    thresholds : (t,) floats
        Shifts of the logits.
    """

    response: Response
    calibrators: Sigmoid | tuple[Isotonic, ...] | None
    thresholds: Floats

    def of(self, number: int) -> tuple[Calibrator, float]:
        """Return the calibrator and the threshold of one dichotomy."""
        found, threshold = self.calibrators, float(self.thresholds[number])
        if isinstance(found, Sigmoid):
            line = np.ravel(found.slope)[number], np.ravel(found.intercept)[number]
            return Sigmoid(*map(float, line)), threshold
        return (None if found is None else found[number]), threshold

    def outputs(self, scores: Floats) -> Outputs:
        """Return the probabilities (n, t) of the + sides from scores (n, t)."""
        found = self.calibrators
        if isinstance(found, tuple):
            for number in range(scores.shape[1]):
                scores[:, number] = _outputs(scores[:, number], self.response, *self.of(number))
            return scores

        def work(rows: Floats, _: int) -> Floats:
            return _outputs(rows, self.response, found, self.thresholds)

        return in_chunks(np, work, scores, numbers_each=3 * scores.shape[1])


@dataclass(frozen=True, eq=False)
class FittedDichotomies(Sequence[Dichotomy]):
    """The dichotomies of a fitted code; each is made when it is asked for."""

    learners: Sequence[Any]
    columns: Sequence[Ints | None]
    calibration: Calibration

    def __len__(self) -> int:
        return len(self.learners)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        learner, response = self.learners[number], self.calibration.response
        columns = self.columns[number] if self.columns else None
        return Dichotomy(learner, response, *self.calibration.of(number), columns)


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Answers of learners on samples that they have not seen.

    Parameters
    ----------
    which, rows : (N,) ints
        Which dichotomy answered, ascending, and which sample on one of its sides.
    scores : (N,) floats
        The answers.
    together : (m, t) floats
        Answers of all dichotomies on the samples ``Recipe.together``; NaN where there is none.
    """

    which: Ints
    rows: Ints
    scores: Floats
    together: Floats


_Fit: TypeAlias = tuple[Any, Ints | None, Floats, Ints]


def fit_dichotomy(
    trainer: PlainTrainer, data: TrainingData, row: Code, recipe: Recipe, name: str, estimator: Any
) -> _Fit:
    """Fit a learner for ``row`` of a code.

    Also returns the columns that it needs of a pairwise X, the scores (m,) of samples left out,
    and their rows (m,).

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
        scores, rows = _out_of_fold(trainer, learner, used, positive, recipe, name)
    except InvalidInput:
        raise
    except Exception as cause:
        raise learner_error(estimator, name, cause) from cause
    return learner, data.repeated(members) if data.pairwise else None, scores, rows


def _out_of_fold(
    trainer: PlainTrainer, learner: Any, used: Bools, positive: Bools, recipe: Recipe, name: str
) -> tuple[Floats, Ints]:
    """Answers on samples left out, and their rows."""
    asked = used & (recipe.method in _OF_SCORES or recipe.shift)
    asked[recipe.together] |= used[recipe.together]
    others = recipe.together[~used[recipe.together]]  # whom the learner has not seen in any fold
    scores, tested = [np.empty(0)], [others]
    if others.size:
        scores.append(trainer.respond(learner, np.flatnonzero(used), others, recipe.response))
    for number, (train, test) in enumerate(recipe.folds):
        inside, outside = train[used[train]], test[asked[test]]
        if outside.size == 0:
            continue
        _check_sides(positive[inside], f"{name}, fold {number},", "is absent from the fold")
        again = trainer.fit(inside, positive)
        scores.append(trainer.respond(again, inside, outside, recipe.response))
        tested.append(outside)
    return np.concatenate(scores), np.concatenate(tested)


def _gather(fits: Sequence[_Fit], code: Code, data: TrainingData, recipe: Recipe) -> LeftOut:
    place, answers = data.places_among(recipe.together), []
    together = np.full((recipe.together.size, len(fits)), np.nan)
    for number, (_, _, scores, rows) in enumerate(fits):
        common = place[rows] >= 0
        together[place[rows[common]], number] = scores[common]
        mine = (code[number, data.codes[rows]] != 0) & (data.weights[rows] > 0)
        answers.append((np.full(int(mine.sum()), number), rows[mine], scores[mine]))
    which, rows, scores = (np.concatenate(part) for part in zip(*answers, strict=True))
    return LeftOut(which, rows, scores, together)


def _gather_pairs(
    machines: pair_machines.PairMachines,
    rows: Ints,
    own: Floats,
    data: TrainingData,
    recipe: Recipe,
) -> LeftOut:
    """Join what pairs of their own class say of samples left out; others have not seen these."""
    which = pair_machines.pair_numbers(machines.k)[data.codes[rows]]
    place = data.places_among(recipe.together)
    together, common = np.full((recipe.together.size, len(machines)), np.nan), place[rows] >= 0
    if common.any():
        scores = machines.decision_function(data.take(rows[common], rows[common]))
        np.put_along_axis(scores, which[common], own[common], axis=1)
        together[place[rows[common]]] = scores
    order = np.argsort(which, axis=None, kind="stable")
    return LeftOut(which.flat[order], rows[order // which.shape[1]], own.flat[order], together)


_MOST_POOLED = 5_000  # scores: more would not move two numbers


def _calibrate(
    left_out: LeftOut, code: Code, data: TrainingData, recipe: Recipe, name: str
) -> Calibration:
    """Learn each dichotomy's calibrator and threshold from scores of its own samples."""
    which, t = left_out.which, code.shape[0]
    if which.size == 0:
        raise InvalidInput(f"{name} has no sample in any test fold of cv; expected some.")
    raw = _logits(left_out.scores, recipe.response, None)
    positive = code[which, data.codes[left_out.rows]] > 0
    weights = data.weights[left_out.rows]
    up, down = (np.bincount(which, weights * side, t) for side in (positive, ~positive))
    # Where a side is a class with one member, never left out, the pooled map stands alone.
    apart = (up * down > 0) | (t == 1)
    calibrators: Sigmoid | tuple[Isotonic, ...] | None = None
    if recipe.method == "sigmoid":
        keep_sign = t == 1 and recipe.keep_sign
        # Which side is + means nothing where both have as many classes: neither is to be leaned to.
        keep_sign |= t > 1 and not code.sum(axis=1).any()
        calibrators = _fit_sigmoids(which, raw, positive, weights, apart, keep_sign=keep_sign)
    elif recipe.method == "isotonic":
        pooled = fit_isotonic_scores(raw, positive, weights)
        calibrators = tuple(
            fit_isotonic_scores(raw[own], positive[own], weights[own]) if apart[number] else pooled
            for number, own in _slices(which, t)
        )
    found, thresholds = Calibration(recipe.response, calibrators, np.zeros(t)), np.zeros(t)
    for number, own in _slices(which, t) if recipe.shift else ():
        if apart[number]:
            logits = _logits(left_out.scores[own], recipe.response, found.of(number)[0])
            best = optimal_threshold(logits, positive[own], sample_weight=weights[own])
            thresholds[number] = best
    return replace(found, thresholds=thresholds)


def _slices(which: Ints, t: int) -> Iterable[tuple[int, slice]]:
    edges = np.searchsorted(which, np.arange(t + 1)).tolist()
    return ((number, slice(*edges[number : number + 2])) for number in range(t))


def _fit_sigmoids(
    which: Ints, raw: Floats, positive: Bools, weights: Floats, apart: Bools, *, keep_sign: bool
) -> Sigmoid:
    """Fit all sigmoids, each held near the one of the scores of all dichotomies together."""
    t, some = apart.size, np.arange(raw.size)
    if raw.size > _MOST_POOLED:  # not every s-th, which may all be of one side
        some = np.random.default_rng(0).integers(raw.size, size=_MOST_POOLED)
    pooled = fit_platt(raw[some], positive[some], weights[some], keep_sign=keep_sign)
    slope, intercept = np.full(t, pooled.slope), np.full(t, pooled.intercept)
    seen, mine = np.flatnonzero(apart), apart[which]
    if t > 1 and seen.size:
        starts = np.searchsorted(which[mine], seen)
        own = fit_around(pooled, raw[mine], positive[mine], weights[mine], starts)
        slope[seen], intercept[seen] = own.slope, own.intercept
    return Sigmoid(slope, intercept)


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
    classes: np.ndarray[Any, Any],
    names: Callable[[int], str],
    n_jobs: int | None,
    feature_names: Any,
) -> tuple[FittedDichotomies, Outputs]:
    """Fit a dichotomy for each of the distinct ``rows``; the same whatever ``n_jobs`` is.

    Also returns the outputs (m, t) of the samples ``recipe.together``, when they were left out.

    With two classes the learners see the labels themselves, otherwise 0 and 1.
    """
    left_out, pairs = None, None
    if recipe.response == "decision_function":
        ask = estimator, data, rows, recipe.folds, recipe.one_out, n_jobs, feature_names
        pairs = pair_machines.fit_pairs(*ask)
    if pairs is not None:
        learners: Sequence[Any] = pairs[0]
        columns: Sequence[Ints | None] = ()
        if recipe.folds:
            left_out = _gather_pairs(*pairs, data, recipe)
    else:
        labels = classes if classes.size == 2 else np.array([0, 1])
        plain = trainer = PlainTrainer(estimator, data, labels)
        if rows.shape[0] > 1 and (rows != 0).all():
            matrices = 1 + len(recipe.folds)
            trainer = share_kernel(plain, matrices=matrices, feature_names=feature_names) or plain
        # LIBSVM lets go of the interpreter while it trains, so threads can share the matrix.
        backend = None if trainer is plain else "threads"
        fits: list[_Fit] = Parallel(n_jobs=n_jobs, prefer=backend)(
            delayed(fit_dichotomy)(trainer, data, row, recipe, names(number), estimator)
            for number, row in enumerate(rows)
        )
        learners, columns = [fit[0] for fit in fits], [fit[1] for fit in fits]
        left_out = _gather(fits, rows, data, recipe)
    calibration, outputs = Calibration(recipe.response, None, np.zeros(len(rows))), np.empty((0, 0))
    if left_out is not None and (recipe.method in _OF_SCORES or recipe.shift):
        calibration = _calibrate(left_out, rows, data, recipe, names(0))
    if left_out is not None and recipe.together.size:
        outputs = calibration.outputs(left_out.together)
    return FittedDichotomies(learners, columns, calibration), outputs


def merge_dichotomies(dichotomies: Sequence[Dichotomy]) -> MergedMachines | None:
    """Merge the learners where that is possible and their answers follow from decision values."""
    of = dichotomies.learners if isinstance(dichotomies, FittedDichotomies) else None
    if isinstance(of, pair_machines.PairMachines):
        return of
    learners = [dichotomy.learner for dichotomy in dichotomies]
    if len(learners) < 2 or any(d.columns is not None for d in dichotomies):
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
    pairs = isinstance(merged, pair_machines.PairMachines)
    dense_only = pairs or isinstance(merged, MergedKernelMachines)
    if merged is None or (dense_only and sparse.issparse(X)):
        columns = Parallel(n_jobs=n_jobs)(delayed(Dichotomy.scores)(d, X) for d in dichotomies)
        return np.column_stack(list(columns))
    values = merged.decision_function(X)
    if not pairs and dichotomies[0].response == "predict_proba":
        return np.asarray(expit(values, out=values))
    return values
