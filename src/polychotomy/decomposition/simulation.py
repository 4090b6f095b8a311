"""T96 §5: fit a learner to many training sets drawn from a problem whose truth is known."""

from __future__ import annotations

from numbers import Integral
from typing import Literal

import joblib
import numpy as np
from sklearn.base import clone

from polychotomy.arrays import Floats
from polychotomy.datasets import Problem
from polychotomy.decoding.threads import check_jobs
from polychotomy.decomposition.accumulation import Accumulator, choose_resamples
from polychotomy.decomposition.bootstrap_fits import (
    Learner,
    Plan,
    learner_failure,
    predict_rows,
    seed_learner,
)
from polychotomy.decomposition.check_losses import LossLike, resolve_loss
from polychotomy.decomposition.planning import Seed, gives_votes, root_seed
from polychotomy.decomposition.truth import TrueDecomposition, check_posterior, summarise_truth
from polychotomy.exceptions import InvalidInput


def simulate_decomposition(
    problem: Problem,
    estimator: Learner,
    *,
    n_train: int,
    loss: LossLike = "misclassification",
    n_fits: int = 200,
    n_test: int = 10_000,
    output: Literal["probabilities", "votes"] | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
) -> TrueDecomposition:
    """Find a learner's true bias, variance and aggregation effect on a simulated problem.

    T96 eqs. (11), (16), (18), by fits to ``n_fits`` fresh training sets and true probabilities of
    ``n_test`` test samples.

    Parameters
    ----------
    problem : Problem
        Anything with ``sample(n, random_state)`` and ``posterior(X)``, such as TwoNormals.
    estimator : classifier
        Cloned and seeded anew for each fit.
    n_train : int
        Samples in each training set.
    loss, output, random_state, n_jobs
        As in :func:`decompose_error`.
    n_fits, n_test : int
        Training sets and test samples; the standard errors say whether they are enough.

    Raises
    ------
    LearnerError
        If the learner fails on any training set: a truth with holes is none.

    Examples
    --------
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> from polychotomy.datasets import TwoNormals
    >>> from polychotomy.decomposition import simulate_decomposition
    >>> truth = simulate_decomposition(
    ...     TwoNormals(), LinearDiscriminantAnalysis(), n_train=50, n_fits=50, random_state=0
    ... )
    >>> abs(truth.bayes_error - TwoNormals().bayes_rate) < 0.01, truth.bias < 0.01 < truth.variance
    (True, True)
    """
    for name, value in (("n_train", n_train), ("n_fits", n_fits), ("n_test", n_test)):
        if not isinstance(value, Integral) or value < 2:
            raise InvalidInput(f"{name} is {value!r}; expected an int of at least 2.")
    if not (hasattr(problem, "sample") and hasattr(problem, "posterior")):
        raise InvalidInput(
            f"problem is {problem!r}; expected one that can be drawn from, with sample and "
            "posterior, such as TwoNormals()."
        )
    check_jobs(n_jobs)
    root = root_seed(random_state)
    test_seed, *seeds = root.spawn(1 + n_fits)
    X, y = problem.sample(n_test, np.random.default_rng(test_seed))
    posterior = np.asarray(problem.posterior(X), dtype=np.float64)
    check_posterior(posterior)
    n, k = posterior.shape
    chosen = resolve_loss(loss, k)
    votes = gives_votes(estimator, output)
    plan = Plan(estimator, X, y, np.arange(k), votes, weighted=False)
    sums = Accumulator(n=n, k=k, loss=chosen, n_resamples=choose_resamples(n, k))
    mask = np.ones((1, n), dtype=np.bool_)
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator")
    for found in parallel(joblib.delayed(_fit)(plan, problem, n_train, seed) for seed in seeds):
        sums.add(np.ascontiguousarray(found.T[:, None, :]), mask)
    return summarise_truth(sums.averages(), posterior, chosen)


def _fit(plan: Plan, problem: Problem, n_train: int, seed: np.random.SeedSequence) -> Floats:
    X, y = problem.sample(n_train, np.random.default_rng(seed))
    try:
        learner = seed_learner(clone(plan.estimator), seed)
        learner.fit(X, y)
        return predict_rows(plan, learner, plan.X)
    except Exception as error:
        raise learner_failure(plan, f"a training set of {n_train} samples", error) from error
