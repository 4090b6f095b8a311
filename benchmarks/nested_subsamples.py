"""Out-of-fold losses at several training sizes, on nested subsamples."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any, Literal

import joblib
import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import _safe_indexing

from polychotomy.core.arguments import as_floats, check_count, check_jobs, unexpected
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition.bootstrap_fits import (
    Learner,
    Plan,
    Seed,
    fit_learner,
    learner_failure,
    make_plan,
    predict_rows,
    root_seed,
)
from polychotomy.decomposition.losses import LossLike, resolve_loss


def learning_curve_losses(
    estimator: Learner,
    X: Any,
    y: ArrayLike,
    *,
    shares: Sequence[float] = (0.2, 0.35, 0.6, 1.0),
    n_folds: int = 5,
    n_repeats: int = 1,
    loss: LossLike = "misclassification",
    output: Literal["probabilities", "votes"] | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
) -> tuple[Ints, Floats]:
    """Out-of-fold loss of every sample at several training sizes, for ``learning_curve_forecast``.

    In every fold the training cases are put in one random order, class by class in proportion,
    and the learner is fitted to its beginnings: subsamples are nested, and every size is tried on
    the same samples, so that the points of the curve differ by size alone.

    Parameters
    ----------
    estimator, X, y, loss, output, random_state, n_jobs
        As in :func:`decompose_error`.
    shares : sequence of float
        Training sizes, as shares of a fold's training part.
    n_folds, n_repeats : int
        Folds of a cross-validation, and how often it is repeated with new folds.

    Returns
    -------
    (s,) ints, (s, n) floats
        Training sizes, and the loss of each sample, its mean over repeats.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.decomposition import learning_curve_forecast
    >>> X, y = load_iris(return_X_y=True)
    >>> sizes, losses = learning_curve_losses(GaussianNB(), X, y, random_state=0)
    >>> sizes.tolist(), losses.shape
    ([24, 42, 72, 120], (4, 150))
    >>> learning_curve_forecast(sizes, losses, n=150).answers[0]  # 7 errors: too few to say
    'cannot tell'
    """
    plan, codes = make_plan(estimator, X, y, output)
    chosen = resolve_loss(loss, len(plan.classes))
    sizes = _sizes(shares, n_folds, len(codes))
    seeds = root_seed(random_state).spawn(
        check_count("n_repeats", n_repeats, least=1, unit="repeats")
    )
    check_jobs(n_jobs)
    tasks = [
        (repeat, test, train[:size], row, seed)
        for repeat, seed in enumerate(seeds)
        for test, train in _folds(codes, n_folds, np.random.default_rng(seed))
        for row, size in enumerate(sizes)
    ]
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator")
    found = parallel(
        joblib.delayed(_fit)(plan, train, test, seed) for _, test, train, _, seed in tasks
    )
    losses = np.zeros((len(sizes), len(codes)))
    for (_, test, _, row, _), predictions in zip(tasks, found, strict=True):
        losses[row, test] += chosen.score(predictions)[np.arange(len(test)), codes[test]]
    return sizes, losses / n_repeats


def _sizes(shares: Sequence[float], n_folds: int, n: int) -> Ints:
    if not isinstance(n_folds, Integral) or not 2 <= n_folds <= n:
        raise unexpected("n_folds", n_folds, f"from 2 to {n}, the samples")
    given = as_floats("shares", shares)
    if given.ndim != 1 or not given.size or not ((given > 0) & (given <= 1)).all():
        raise unexpected("shares", shares, "shares above 0 and up to 1")
    smallest = n - -(-n // n_folds)  # the training part of the largest fold
    sizes = np.unique(np.maximum(np.floor(given * smallest), 2).astype(np.intp))
    if len(sizes) < 2:
        raise InvalidInput(
            f"shares {tuple(shares)} of {smallest} training cases give sizes {sizes.tolist()}; "
            "expected at least two different ones."
        )
    return sizes


def _folds(y: Ints, n_folds: int, rng: np.random.Generator) -> list[tuple[Ints, Ints]]:
    by_class = np.lexsort((rng.random(len(y)), y))
    fold = np.empty(len(y), dtype=np.intp)
    fold[by_class] = np.arange(len(y)) % n_folds  # classes are dealt out one after another
    parts = [(np.flatnonzero(fold == f), np.flatnonzero(fold != f)) for f in range(n_folds)]
    return [(test, train[proportional_order(y[train], rng)]) for test, train in parts]


def proportional_order(y: Ints, rng: np.random.Generator) -> Ints:
    """Return a random order whose every beginning holds the classes in proportion.

    Examples
    --------
    >>> import numpy as np
    >>> order = proportional_order(np.array([0, 0, 0, 0, 1, 1]), np.random.default_rng(0))
    >>> sorted(np.array([0, 0, 0, 0, 1, 1])[order[:3]].tolist())
    [0, 0, 1]
    """
    place = np.empty(len(y))
    for code in np.unique(y):
        members = rng.permutation(np.flatnonzero(y == code))
        place[members] = (np.arange(len(members)) + 0.5) / len(members)
    return np.lexsort((rng.random(len(y)), place))


def _fit(plan: Plan, train: Ints, test: Ints, seed: np.random.SeedSequence) -> Floats:
    counts = np.zeros(len(plan.y), dtype=np.intp)
    counts[train] = 1
    try:
        learner = fit_learner(plan, counts, seed)
        return predict_rows(plan, learner, _safe_indexing(plan.X, test))
    except Exception as error:
        where, advice = f"{len(train)} training cases", ". Raise the smallest of shares."
        raise learner_failure(plan, where, error, advice) from error
