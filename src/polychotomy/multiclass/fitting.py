"""All dichotomies of a code fitted, and evaluated together where they can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import expit
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from polychotomy.core.arrays import Code, Floats, Ints, Outputs
from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass.dichotomies import (
    Dichotomy,
    Recipe,
    fit_dichotomy,
    learner_error,
    name_dichotomy,
)
from polychotomy.multiclass.merged import (
    MergedKernelMachines,
    MergedMachines,
    has_logistic_link,
    merge_machines,
)
from polychotomy.multiclass.shared_kernel import share_kernel
from polychotomy.multiclass.training import PlainTrainer, Response, Trainer, TrainingData


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
    n_threads = min(effective_n_jobs(n_jobs), rows.shape[0])
    reused = np.unique(rows != 0, axis=0).shape[0] < rows.shape[0]
    if rows.shape[0] > 1 or recipe.needs_folds:
        shared = share_kernel(
            plain, reused=reused, n_threads=n_threads, feature_names=feature_names
        )
        trainer = plain if shared is None else shared
    # LIBSVM lets go of the interpreter while it trains, so threads can share the matrix.
    backend = None if trainer is plain else "threads"
    fits = Parallel(n_jobs=n_jobs, prefer=backend)(
        delayed(fit_dichotomy)(trainer, data, row, recipe, name, estimator)
        for row, name in zip(rows, names, strict=True)
    )
    dichotomies, left_out = zip(*fits, strict=True)
    return list(dichotomies), np.column_stack(left_out)


def check_lonely_classes(
    code: Code, codes: Ints, weights: Floats, classes: np.ndarray[Any, Any]
) -> None:
    """Raise for a class with one training sample, naming the first dichotomy it is in."""
    members = np.bincount(codes[weights > 0], minlength=classes.size)
    lonely = np.flatnonzero(members == 1)
    if lonely.size == 0:
        return
    row = int(np.flatnonzero(code[:, lonely[0]])[0])
    raise InvalidInput(
        f"class {classes.tolist()[lonely[0]]!r} has one member only, so "
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
        columns = Parallel(n_jobs=n_jobs)(delayed(_scores)(d, X) for d in dichotomies)
        return np.column_stack(list(columns))
    values = merged.decision_function(X, n_jobs=n_jobs)
    if dichotomies[0].response == "predict_proba":
        return np.asarray(expit(values, out=values))
    return values


def _scores(dichotomy: Dichotomy, X: Any) -> Floats:
    return dichotomy.scores(X)


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
    dichotomy: Dichotomy,
    data: TrainingData,
    row: Code,
    labels: np.ndarray[Any, Any],
    name: str,
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
