"""The error budget of a learner by bootstrap fits of it."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import check_count, check_jobs, unexpected
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import DataFrame
from polychotomy.decomposition.bootstrap_fits import (
    Plan,
    Seed,
    check_left_out,
    draw_counts,
    fit_learner,
    learner_failure,
    make_plan,
    predict_rows,
    root_seed,
    run_fits,
    split_failures,
)
from polychotomy.decomposition.error_decomposition import ErrorDecomposition
from polychotomy.decomposition.from_predictions import decompose_predictions, resolve_bound
from polychotomy.decomposition.losses import Loss, LossLike, Squared, resolve_loss
from polychotomy.decomposition.nearest_neighbour import neighbour_error
from polychotomy.decomposition.regression import squared_gaps, summarise_numbers

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


class BootstrapErrorDecomposition(ErrorDecomposition):
    """An error budget, and what else the bootstrap fits of the learner tell.

    Parameters
    ----------
    output : {"probabilities", "votes", "numbers"}
        What the fits gave.
    nearest_neighbour_error : float or None
        Out-of-bag error of 1-NN behind ``bayes_bound``; None where there is none.
    resubstitution_error, no_information_error : float
        Error of the full-sample fit on its training samples, and if labels meant nothing.
    failures : tuple of (int, str)
        Bootstrap samples on which the learner failed, and why; left out of every average.

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
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    loss: LossLike = "misclassification",
    n_bootstraps: int = 200,
    output: Literal["probabilities", "votes"] | None = None,
    nearest_neighbour_error: float | Literal["bootstrap"] | None = "bootstrap",
    random_state: Seed = None,
    n_jobs: int | None = None,
) -> BootstrapErrorDecomposition:
    """Split the error of a learner into its parts by fitting it to bootstrap samples.

    T96 §4: each fit predicts the samples it left out; see :func:`decompose_predictions` for the
    arithmetic. A regressor's squared error is split likewise (T96
    eqs. 6–8, §7): its aggregation effect is its variance.

    Parameters
    ----------
    estimator : classifier or regressor
        Any of scikit-learn's. Cloned for each fit; each ``random_state`` in it is set anew,
        its randomness being part of its variance. For a candidate of a ledger, whose fits are
        done, pass ``ledger.bootstrap_predictions(name)`` to :func:`decompose_predictions`.
    X : (n, features) array, sparse matrix or data frame
        Rows as the learner takes them.
    y : (n,) array-like
        Labels of any kind; for a regressor, numbers.
    loss : {"misclassification", "squared", "deviance"} or Loss
        As in :func:`decompose_predictions`. A regressor has the squared error, nothing else.
    n_bootstraps : int
        Number of fits. The result says how far its estimates are from those of endlessly many.
    output : {"probabilities", "votes"}, optional
        What to average. By default probabilities where the learner has them, else votes.
    nearest_neighbour_error : float, "bootstrap" or None
        Error of 1-NN for the Bayes bound of eq. (32): given, or found out of bag on the same
        bootstrap samples where features are finite numbers and the loss is one of the three, or
        not wanted. 1-NN takes the features as they are: where their units differ, pass the error
        of a scaled one. Read :func:`cover_hart_bound`'s warning. Of numbers, the bound is half of
        its squared error, which Cover (1968) showed to be the noise E σ² in the limit.
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

    A regression tree: bagging takes its variance away.

    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> budget = decompose_error(DecisionTreeRegressor(), X, y, n_bootstraps=50, random_state=0)
    >>> bool(abs(budget.error - budget.aggregated_error - budget.variance) < 1e-9 * budget.error)
    True
    """
    _check_learner(estimator)
    plan, codes = make_plan(estimator, X, y, output)
    k = len(plan.classes)
    chosen = resolve_loss(loss, k) if k else _squared_only(loss)
    count = check_count("n_bootstraps", n_bootstraps, unit="fits")
    check_jobs(n_jobs)
    root = root_seed(random_state)
    full_seed, *seeds = root.spawn(1 + count)
    in_bag = np.stack([draw_counts(seed, len(plan.y)) for seed in seeds])
    truth = codes if k else plan.y
    nearest = neighbour_error(nearest_neighbour_error, plan.X, truth, chosen, in_bag)
    full = _predict_itself(plan, full_seed)
    fits, failures = split_failures(run_fits(plan, seeds, n_jobs=n_jobs))
    found: dict[str, Any] = {"nearest_neighbour_error": nearest, "failures": failures}
    if not k:
        own, apart = squared_gaps(plan.y, full[:, 0])
        return BootstrapErrorDecomposition(
            loss="squared",
            classes=(),
            n_bootstraps=len(fits),
            bayes_bound=0.0 if nearest is None else nearest / 2,
            output="numbers",
            resubstitution_error=own,
            no_information_error=apart,
            **summarise_numbers(fits, plan.y),
            **found,
        )
    predictions = np.full((len(fits), len(codes), k), np.nan)
    for row, fit in enumerate(fits):
        predictions[row, fit.left_out] = fit.predictions
    seen = np.stack([fit.in_bag for fit in fits])
    check_left_out((seen == 0).sum(axis=0))
    budget = decompose_predictions(predictions, seen, codes, loss=loss)
    return BootstrapErrorDecomposition(
        **vars(budget)
        | {
            "classes": tuple(str(label) for label in plan.classes),
            "bayes_bound": resolve_bound(nearest, chosen, k),
        },
        output="votes" if plan.votes else "probabilities",
        resubstitution_error=float(chosen.score(full)[np.arange(len(codes)), codes].mean()),
        no_information_error=no_information_error(full, codes, chosen),
        **found,
    )


def _squared_only(loss: LossLike) -> Loss:
    if loss not in ("misclassification", "squared"):  # the first is the default, of classifiers
        raise unexpected("loss", loss, "'squared', the only one for a regressor")
    return Squared()


def _check_learner(estimator: object) -> None:
    if isinstance(estimator, str):
        raise InvalidInput(
            f"estimator is {estimator!r}; expected a classifier. For a candidate of a ledger call "
            "decompose_predictions(*ledger.bootstrap_predictions(name), y)."
        )
    if isinstance(estimator, type):
        raise InvalidInput(
            f"estimator is the class {estimator.__name__}; expected an instance: "
            f"{estimator.__name__}()."
        )


def _predict_itself(plan: Plan, seed: np.random.SeedSequence) -> Floats:
    try:
        learner = fit_learner(plan, np.ones(len(plan.y), dtype=np.intp), seed)
        return predict_rows(plan, learner, plan.X)
    except Exception as error:
        raise learner_failure(plan, f"all {len(plan.y)} samples", error) from error
