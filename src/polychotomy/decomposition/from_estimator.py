"""Gather bootstrap fits as they come: add up their predictions in batches, keep none."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import check_jobs, unexpected
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.result import DataFrame
from polychotomy.decomposition.accumulation import (
    Accumulator,
    Summary,
    choose_resamples,
    make_block,
    summarise,
)
from polychotomy.decomposition.bootstrap_fits import (
    Fit,
    Learner,
    Plan,
    Seed,
    fit_learner,
    learner_failure,
    make_plan,
    predict_rows,
    root_seed,
    run_fits,
)
from polychotomy.decomposition.error_decomposition import ErrorDecomposition
from polychotomy.decomposition.from_ledger import NeighbourError, make_neighbours
from polychotomy.decomposition.from_predictions import resolve_bound
from polychotomy.decomposition.losses import Loss, LossLike, resolve_loss

_BATCH = 2**22  # predictions held before they are added up: 32 MB

_FITS = 32  # fits in a batch, where memory allows


class Gathering:
    """Takes fits one by one; memory stays that of a few of them, whatever their number.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Squared
    >>> from polychotomy.decomposition.bootstrap_fits import Fit
    >>> gathering = Gathering(n=2, k=2, loss=Squared())
    >>> gathering.add(Fit(np.array([2, 0]), np.array([1]), np.array([[0.5, 0.5]]), None))
    >>> gathering.add(Fit(np.array([2, 0]), np.array([1]), np.empty((0, 2)), "ValueError: no"))
    >>> gathering.n_fits, gathering.failures
    (1, [(1, 'ValueError: no')])
    >>> gathering.summary(np.array([0, 1]))["estimates"][0, :2].tolist()
    [0.5, 0.5]
    """

    def __init__(self, *, n: int, k: int, loss: Loss) -> None:
        self.failures: list[tuple[int, str]] = []
        self.n_drawn = 0
        self._loss = loss
        self._sums = Accumulator(n=n, k=k, loss=loss, n_resamples=choose_resamples(n, k))
        fits = max(1, min(_FITS, _BATCH // (n * k)))
        self._planes: Floats = np.full((k, fits, n), 1.0 / k)
        self._mask = np.zeros((fits, n), dtype=np.bool_)
        self._held = 0

    @property
    def n_fits(self) -> int:
        """Fits that did not fail."""
        return self.n_drawn - len(self.failures)

    def add(self, fit: Fit) -> None:
        """Take a fit, or note its failure."""
        if fit.failure is not None:
            self.failures.append((self.n_drawn, fit.failure))
        else:
            self._planes[:, self._held, fit.left_out] = fit.predictions.T
            self._mask[self._held, fit.left_out] = True
            self._held += 1
        self.n_drawn += 1
        if self._held == len(self._mask):
            self._flush()

    def summary(self, y: Ints) -> Summary:
        """Summarise the fits so far."""
        self._flush()
        if self.n_fits == 0:
            raise LearnerError(
                f"the learner failed on all {self.n_drawn} bootstrap samples, first with "
                f"{self.failures[0][1]!r}; expected at least one fit. Try the learner on X[rows], "
                "y[rows] with rows drawn with replacement."
            )
        averages = self._sums.averages()
        if not averages.counts.any():
            raise InvalidInput(
                f"none of {len(y)} samples is out of bag in {self.n_fits} fits, so nothing can be "
                "estimated. Draw more bootstrap samples."
            )
        return summarise([make_block(averages, y, self._loss)], y, self._loss)

    def _flush(self) -> None:
        if self._held:
            self._sums.add(self._planes[:, : self._held], self._mask[: self._held])
            self._planes.fill(1.0 / len(self._planes))
            self._mask.fill(False)
            self._held = 0


_SEEN = 0.632

_UNSEEN = 0.368


def error_632(error: float, resubstitution_error: float) -> float:
    """Weigh the leave-one-out bootstrap error and the resubstitution error .632 to .368.

    Parameters
    ----------
    error : float
        Leave-one-out bootstrap error, Err(C) of T96 eq. (29).
    resubstitution_error : float
        Error of the full-sample fit on its own training samples.

    Examples
    --------
    >>> from polychotomy.decomposition.from_estimator import error_632
    >>> round(error_632(0.25, 0.0), 6)
    0.158
    """
    return _UNSEEN * resubstitution_error + _SEEN * error


def error_632_plus(error: float, resubstitution_error: float, no_information_error: float) -> float:
    """Weigh the two errors by how much the learner overfits: the .632+ estimate.

    The relative overfitting rate R = (Err − err) / (γ − err), kept within 0 and 1, moves the
    weight of the bootstrap error from .632 to 1.

    Parameters
    ----------
    error, resubstitution_error : float
        As in :func:`error_632`.
    no_information_error : float
        Error γ if labels and features were independent.

    Examples
    --------
    A 1-NN with no information at all: the truth is 0.5, and .632 would say 0.316.

    >>> from polychotomy.decomposition.from_estimator import error_632_plus
    >>> round(error_632_plus(0.5, 0.0, 0.5), 6)
    0.5
    """
    capped = min(error, no_information_error)
    if math.isinf(capped) or not (capped > resubstitution_error):
        return error_632(capped, resubstitution_error)
    rate = (capped - resubstitution_error) / (no_information_error - resubstitution_error)
    weight = _SEEN / (1.0 - _UNSEEN * rate)
    return (1.0 - weight) * resubstitution_error + weight * capped


def no_information_error(predictions: Floats, y: Ints, loss: Loss) -> float:
    """Error γ of predictions (n, k) paired with every label in turn: Σ p_k mean s_k(c).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Misclassification
    >>> from polychotomy.decomposition.from_estimator import no_information_error
    >>> no_information_error(np.eye(2)[[0, 0, 0, 1]], np.array([0, 0, 1, 1]), Misclassification())
    0.5
    """
    scores = loss.score(predictions).mean(axis=0)
    shares = np.bincount(y, minlength=predictions.shape[1]) / len(y)
    return float((shares[shares > 0] * scores[shares > 0]).sum())


_FIRST_ROUND = 50

_GROWTH = 1.5


class BootstrapErrorDecomposition(ErrorDecomposition):
    """An error budget, and what else the bootstrap fits of the learner tell.

    Parameters
    ----------
    output : {"probabilities", "votes"}
        What the fits gave.
    nearest_neighbour_error : float or None
        Out-of-bag error of 1-NN behind ``bayes_bound``; None where there is none.
    resubstitution_error, no_information_error : float
        Error of the full-sample fit on its training samples, and if labels meant nothing.
    failures : tuple of (int, str)
        Bootstrap samples on which the learner failed, and why; left out of every average.
    monte_carlo_ratio : float
        Largest Monte-Carlo error of the overall estimates, relative to the standard error over
        samples: what ``n_bootstraps`` as a fraction asks to be small.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.decomposition import decompose_error
    >>> X, y = load_iris(return_X_y=True)
    >>> budget = decompose_error(GaussianNB(), X, y, n_bootstraps=50, random_state=0)
    >>> budget.failures, budget.output, budget.error_632 < budget.error_632_plus < budget.error
    ((), 'probabilities', True)
    """

    output: str
    nearest_neighbour_error: float | None
    resubstitution_error: float
    no_information_error: float
    failures: tuple[tuple[int, str], ...]
    monte_carlo_ratio: float

    @property
    def error_632(self) -> float:
        """Efron and Tibshirani's .632 estimate of the full-sample learner's error."""
        return error_632(self.error, self.resubstitution_error)

    @property
    def error_632_plus(self) -> float:
        """Efron and Tibshirani's .632+ estimate of the full-sample learner's error."""
        return error_632_plus(self.error, self.resubstitution_error, self.no_information_error)

    def to_frame(self) -> DataFrame:
        """Return the budget's rows, and those of the other estimates of error."""
        import pandas as pd

        names = ("resubstitution_error", "no_information_error", "error_632", "error_632_plus")
        others = pd.DataFrame({"quantity": names, "class": "all"})
        others["estimate"] = [getattr(self, name) for name in names]
        return pd.concat([super().to_frame(), others], ignore_index=True)

    def __str__(self) -> str:
        said = super().__str__()[:-1] + f"; .632+ error {self.error_632_plus:.4g}"
        if self.failures:
            index, cause = self.failures[0]
            said += (
                f"; the learner failed on {len(self.failures)} bootstrap samples, left out "
                f"(number {index}: {cause})"
            )
        return said + "."


def decompose_error(
    estimator: Learner,
    X: Any,
    y: ArrayLike,
    *,
    loss: LossLike = "misclassification",
    n_bootstraps: int | float = 200,
    max_bootstraps: int = 2000,
    output: Literal["probabilities", "votes"] | None = None,
    nearest_neighbour_error: float | Literal["bootstrap"] | None = "bootstrap",
    random_state: Seed = None,
    n_jobs: int | None = None,
) -> BootstrapErrorDecomposition:
    """Split the error of a learner into its parts by fitting it to bootstrap samples.

    T96 §4: each fit predicts the samples it left out; see :func:`decompose_predictions` for the
    arithmetic. Predictions are added up as they come and not kept.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier. Cloned for each fit; each ``random_state`` in it is set anew,
        its randomness being part of its variance. For a candidate of a ledger, whose fits are
        done, see :func:`decompose_from_ledger`.
    X : (n, features) array, sparse matrix or data frame
        Rows as the learner takes them.
    y : (n,) array-like
        Labels of any kind.
    loss : {"misclassification", "squared", "deviance"}, Loss or callable
        As in :func:`decompose_predictions`.
    n_bootstraps : int or float
        Number of fits. A fraction below 1 instead grows their number, from 50, until the
        Monte-Carlo error of every overall estimate is below that fraction of its standard error
        over samples: beyond that, more fits tell nothing more.
    max_bootstraps : int
        Where growing stops in any case; ``monte_carlo_ratio`` tells what was reached.
    output : {"probabilities", "votes"}, optional
        What to average. By default probabilities where the learner has them, else votes.
    nearest_neighbour_error : float, "bootstrap" or None
        Error of 1-NN for the Bayes bound of eq. (32): given, or found out of bag on the same
        bootstrap samples where features are finite numbers and the loss is one of the three, or
        not wanted. 1-NN takes the features as they are: where their units differ, pass the error
        of a scaled one. Read :func:`cover_hart_bound`'s warning.
    random_state : int, Generator, RandomState, SeedSequence or None
        Same seed, same result, whatever ``n_jobs``.
    n_jobs : int, optional
        Fits at a time, as joblib counts them.

    Returns
    -------
    BootstrapErrorDecomposition
        With the .632 and .632+ estimates, and the bootstrap samples on which the learner failed.

    Raises
    ------
    LearnerError
        If the learner fails on all samples, or on every bootstrap sample.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from polychotomy.decomposition import decompose_error
    >>> X, y = load_iris(return_X_y=True)
    >>> budget = decompose_error(DecisionTreeClassifier(), X, y, n_bootstraps=50, random_state=0)
    >>> 0.03 < budget.aggregated_error < budget.error < 0.08
    True
    """
    _check_learner(estimator)
    plan, codes = make_plan(estimator, X, y, output)
    k = len(plan.classes)
    chosen = resolve_loss(loss, k)
    goal = _first_goal(n_bootstraps, max_bootstraps)
    check_jobs(n_jobs)
    root = root_seed(random_state)
    full = _predict_itself(plan, root.spawn(1)[0])
    neighbours = make_neighbours(nearest_neighbour_error, plan.X, codes, chosen)
    gathering = Gathering(n=len(codes), k=k, loss=chosen)

    def fit_up_to(goal: int) -> Summary:
        for fit in run_fits(plan, root.spawn(goal - gathering.n_drawn), n_jobs=n_jobs):
            gathering.add(fit)
            if isinstance(neighbours, NeighbourError):
                neighbours.add(fit.in_bag)
        return gathering.summary(codes)

    summary = _grow(fit_up_to, goal, n_bootstraps, max_bootstraps)
    nearest = neighbours.mean() if isinstance(neighbours, NeighbourError) else neighbours
    return BootstrapErrorDecomposition(
        loss=chosen.name,
        classes=tuple(str(label) for label in plan.classes),
        n_bootstraps=gathering.n_fits,
        bayes_bound=resolve_bound(nearest, chosen, k),
        output="votes" if plan.votes else "probabilities",
        nearest_neighbour_error=nearest,
        resubstitution_error=float(chosen.score(full)[np.arange(len(codes)), codes].mean()),
        no_information_error=no_information_error(full, codes, chosen),
        failures=tuple(gathering.failures),
        monte_carlo_ratio=_ratio(summary),
        **summary,
    )


def _grow(
    fit_up_to: Callable[[int], Summary], goal: int, wanted: int | float, most: int
) -> Summary:
    """Fit until there are as many as wanted, or the Monte-Carlo error is the fraction wanted."""
    summary = fit_up_to(goal)
    while wanted < 1 and goal < most and _ratio(summary) > wanted:
        goal = min(most, math.ceil(goal * _GROWTH))
        summary = fit_up_to(goal)
    return summary


def _check_learner(estimator: object) -> None:
    if isinstance(estimator, str):
        raise InvalidInput(
            f"estimator is {estimator!r}; expected a classifier. For a candidate of a ledger call "
            "decompose_from_ledger(ledger, name, X, y)."
        )
    if isinstance(estimator, type):
        raise InvalidInput(
            f"estimator is the class {estimator.__name__}; expected an instance: "
            f"{estimator.__name__}()."
        )


def _first_goal(n_bootstraps: int | float, max_bootstraps: int) -> int:
    real = isinstance(n_bootstraps, Real) and not isinstance(n_bootstraps, bool)
    if not real or not (
        0 < n_bootstraps < 1 or (n_bootstraps >= 1 and int(n_bootstraps) == n_bootstraps)
    ):
        raise InvalidInput(
            f"n_bootstraps is {n_bootstraps!r}; expected a number of fits, 1 or more, or a "
            "fraction below 1 to grow until the Monte-Carlo error is that small."
        )
    if n_bootstraps >= 1:
        return int(n_bootstraps)
    if max_bootstraps < 2:
        raise unexpected("max_bootstraps", max_bootstraps, "at least 2 fits")
    return min(_FIRST_ROUND, max_bootstraps)


def _predict_itself(plan: Plan, seed: np.random.SeedSequence) -> Floats:
    try:
        learner = fit_learner(plan, np.ones(len(plan.y), dtype=np.intp), seed)
        return predict_rows(plan, learner, plan.X)
    except Exception as error:
        raise learner_failure(plan, f"all {len(plan.y)} samples", error) from error


def _ratio(summary: Summary) -> float:
    values = summary["sample_estimates"]
    seen = summary["n_out_of_bag"] > 0
    with np.errstate(invalid="ignore"):
        spread = values[seen].std(axis=0, ddof=1) / np.sqrt(seen.sum())
    errors = summary["monte_carlo_errors"][0]
    if np.isnan(errors).all():
        return math.nan  # fewer than two fits
    finite = np.isfinite(spread) & np.isfinite(errors) & (errors > 0)
    return float((errors[finite] / np.maximum(spread[finite], 1e-300)).max(initial=0.0))
