"""T96 §2 on problems whose truth is known: the real bias, variance and aggregation effect."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import joblib
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from polychotomy.core.arguments import as_array, as_floats, check_count, check_jobs
from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.core.chunks import cut
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.result import Axes, DataFrame, Result, new_axes
from polychotomy.core.seeds import Seed, root_seed
from polychotomy.decomposition.accumulation import (
    Averages,
    average_fits,
    monte_carlo,
    sample_quantities,
)
from polychotomy.decomposition.from_estimator import (
    Plan,
    gives_votes,
    predict_rows,
    seed_learner,
)
from polychotomy.decomposition.from_predictions import check_planes
from polychotomy.decomposition.losses import Loss, LossLike, resolve_loss

TRUE_QUANTITIES = (
    "bayes_error",
    "bias",
    "aggregation_effect",
    "error",
    "aggregated_error",
    "variance",
    "reversed_variance",
)


class Problem(Protocol):
    """A way to draw labelled samples, and the true class probabilities of any sample.

    Examples
    --------
    >>> from polychotomy.reproduction.data import TwoNormals
    >>> problem: Problem = TwoNormals()
    >>> X, y = problem.sample(4, random_state=0)
    >>> problem.posterior(X).shape
    (4, 2)
    """

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None
    ) -> tuple[Floats, Ints]:
        """Draw features (n, d) and class codes (n,)."""

    def posterior(self, X: Floats) -> Probabilities:
        """Class probabilities (n, k) of features (n, d)."""


class TrueDecomposition(Result):
    """Error = Bayes error + bias + aggregation effect (T96 eq. 18), with the truth known.

    Parameters
    ----------
    loss : str
        Name of the loss.
    n_fits, n_test : int
        Training sets behind the averages, and test samples.
    estimates, standard_errors, biases : (7,) floats
        Bayes error, bias, aggregation effect, error, aggregated error, variance and reversed
        variance; their standard errors, from finite training sets and test samples together; and
        what the finite number of training sets adds to each.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.reproduction.truth import decompose_against_truth
    >>> predictions = np.array([[[0.9, 0.1]], [[0.3, 0.7]]])
    >>> truth = decompose_against_truth(predictions, [[0.2, 0.8]])
    >>> print(truth.to_frame()[["quantity", "estimate"]].round(3).head(4).to_string(index=False))
              quantity  estimate
           bayes_error       0.2
                  bias       0.6
    aggregation_effect      -0.3
                 error       0.5
    """

    loss: str
    n_fits: int
    n_test: int
    estimates: Floats
    standard_errors: Floats
    biases: Floats

    @property
    def bayes_error(self) -> float:
        """Error of the truth itself, PE(Y, C_0)."""
        return float(self.estimates[0])

    @property
    def bias(self) -> float:
        """Bias PE(C_0, C_A) (eqs. 11, 13)."""
        return float(self.estimates[1])

    @property
    def aggregation_effect(self) -> float:
        """Error minus aggregated error (eq. 16)."""
        return float(self.estimates[2])

    @property
    def error(self) -> float:
        """Error of the learner, PE(Y, C) (eq. 5)."""
        return float(self.estimates[3])

    @property
    def aggregated_error(self) -> float:
        """Error of the average over training sets, PE(Y, C_A)."""
        return float(self.estimates[4])

    @property
    def variance(self) -> float:
        """Variance PE(C, C_A) (eq. 11)."""
        return float(self.estimates[5])

    @property
    def reversed_variance(self) -> float:
        """PE(C_A, C)."""
        return float(self.estimates[6])

    def to_frame(self) -> DataFrame:
        """Return a row for each quantity: estimate, standard error, bias of finitely many fits."""
        return self._frame(
            quantity=TRUE_QUANTITIES,
            estimate=self.estimates,
            standard_error=self.standard_errors,
            monte_carlo_bias=self.biases,
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw each quantity with an interval of two standard errors."""
        ax = new_axes(ax)
        rows = np.arange(len(TRUE_QUANTITIES))
        finite = np.isfinite(self.estimates)
        reach = 2 * np.where(np.isfinite(self.standard_errors), self.standard_errors, 0.0)
        ax.errorbar(self.estimates[finite], rows[finite], xerr=reach[finite], fmt="o", capsize=3)
        ax.set_yticks(rows, [name.replace("_", " ") for name in TRUE_QUANTITIES])
        ax.invert_yaxis()
        ax.axvline(0, color="0.7", lw=0.8)
        ax.set_xlabel(f"{self.loss} loss, ± 2 standard errors")
        return ax

    def __str__(self) -> str:
        return (
            f"{self.loss} error {self.error:.4g} ± {self.standard_errors[3]:.2g} = Bayes error "
            f"{self.bayes_error:.4g} + bias {self.bias:.4g} + aggregation effect "
            f"{self.aggregation_effect:.4g}; variance {self.variance:.4g} ({self.n_fits} training "
            f"sets, {self.n_test} test samples)."
        )


def decompose_against_truth(
    predictions: ArrayLike, posterior: ArrayLike, *, loss: LossLike = "misclassification"
) -> TrueDecomposition:
    """Decompose the error of fits to several training sets where the truth is known.

    T96 eqs. (5), (11), (16), (18): the labels are averaged out by the true probabilities C_0, so
    that no test label adds noise.

    Parameters
    ----------
    predictions : (b, n, k) array-like
        Probabilities, or ones and zeros for votes, of each fit for each test sample.
    posterior : (n, k) array-like
        True class probabilities C_0 of the test samples.
    loss : {"misclassification", "squared", "deviance"}, Loss or callable
        As in :func:`decompose_predictions`.

    Examples
    --------
    For the squared loss the aggregation effect is the variance:

    >>> import numpy as np
    >>> from polychotomy.reproduction.truth import decompose_against_truth
    >>> predictions = np.array([[[0.9, 0.1]], [[0.3, 0.7]]])
    >>> truth = decompose_against_truth(predictions, [[0.2, 0.8]], loss="squared")
    >>> round(truth.bias, 3), round(truth.aggregation_effect, 3), round(truth.variance, 3)
    (0.32, 0.18, 0.18)
    """
    array, truth = as_array("predictions", predictions), as_floats("posterior", posterior)
    if array.ndim != 3 or array.shape[1:] != truth.shape or array.shape[2] < 2 or not array.size:
        raise InvalidInput(
            f"predictions has shape {array.shape} and posterior {truth.shape}; expected (b, n, k) "
            "and (n, k), fits, samples and two or more classes."
        )
    check_posterior(truth)
    chosen = resolve_loss(loss, truth.shape[1], array.dtype)
    return summarise_truth(_average(array, chosen), truth, chosen)


def _average(array: NDArray[np.generic], loss: Loss) -> Averages:
    """Average predictions (b, n, k) over the fits, a block of samples at a time."""
    b, n, k = array.shape
    parts = []
    for part in cut(n, max(64, 2**20 // (b * k))):
        planes = np.moveaxis(array[:, part], -1, 0)
        mask = np.ones(planes.shape[1:], dtype=np.bool_)
        parts.append(average_fits(check_planes(planes, mask, start=part.start), mask, loss))
    return Averages(
        aggregated=np.concatenate([one.aggregated for one in parts], axis=1),
        scores=np.concatenate([one.scores for one in parts], axis=1),
        dispersions=np.concatenate([one.dispersions for one in parts], axis=1),
        votes=np.concatenate([one.votes for one in parts]),
        counts=np.concatenate([one.counts for one in parts]),
    )


def check_posterior(posterior: Probabilities) -> None:
    """Raise unless rows are probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> check_posterior(np.array([[0.5, 0.5]]))
    """
    fine = (posterior >= 0).all(axis=-1) & (np.abs(posterior.sum(axis=-1) - 1) <= 1e-6)
    if not fine.all():
        row = int(np.argmin(fine))
        raise InvalidInput(
            f"posterior[{row}] is {np.round(posterior[row][:8], 6).tolist()}; expected "
            "probabilities from 0 to 1 that sum to 1."
        )


def summarise_truth(averages: Averages, posterior: Probabilities, loss: Loss) -> TrueDecomposition:
    """Turn averages over training sets into a TrueDecomposition.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Squared
    >>> averages = average_fits(np.array([[[1.0]], [[0.0]]]), np.array([[True]]), Squared())
    >>> round(summarise_truth(averages, np.array([[0.8, 0.2]]), Squared()).bias, 3)
    0.08
    """
    error, aggregated, effect, variance, reverse = sample_quantities(averages, posterior, loss)
    bayes = np.broadcast_to(loss.dispersion(posterior), error.shape)
    rows = [bayes, aggregated - bayes, effect, error, aggregated, variance, reverse]
    values = np.stack(rows)  # (7, 1 + resamples, n)
    n, fits = values.shape[2], int(averages.counts[0])
    with np.errstate(invalid="ignore"):
        means = values.mean(axis=2)
        sampling = values[:, 0].std(axis=1, ddof=1) / np.sqrt(n) if n > 1 else np.full(7, np.nan)
    between, biases = monte_carlo(means[:, :, None], fits)
    spread = np.hypot(np.where(np.isinf(means[:, 0]), np.inf, sampling), between[:, 0])
    return TrueDecomposition(
        loss=loss.name,
        n_fits=fits,
        n_test=n,
        estimates=means[:, 0],
        standard_errors=spread,
        biases=biases[:, 0],
    )


def simulate_decomposition(
    problem: Problem,
    estimator: Any,
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
    >>> from polychotomy.reproduction.data import TwoNormals
    >>> from polychotomy.reproduction.truth import simulate_decomposition
    >>> truth = simulate_decomposition(
    ...     TwoNormals(), LinearDiscriminantAnalysis(), n_train=50, n_fits=50, random_state=0
    ... )
    >>> abs(truth.bayes_error - TwoNormals().bayes_rate) < 0.01, truth.bias < 0.01 < truth.variance
    (True, True)
    """
    for name, value in (("n_train", n_train), ("n_fits", n_fits), ("n_test", n_test)):
        check_count(name, value, least=2)
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
    k = posterior.shape[1]
    chosen = resolve_loss(loss, k)
    votes = gives_votes(estimator, output)
    plan = Plan(estimator, X, y, np.arange(k), votes)
    parallel = joblib.Parallel(n_jobs=n_jobs)
    found = parallel(joblib.delayed(_fit)(plan, problem, n_train, seed) for seed in seeds)
    return summarise_truth(_average(np.stack(found), chosen), posterior, chosen)


def _fit(plan: Plan, problem: Problem, n_train: int, seed: np.random.SeedSequence) -> Floats:
    X, y = problem.sample(n_train, np.random.default_rng(seed))
    try:
        learner = seed_learner(clone(plan.estimator), seed)
        learner.fit(X, y)
        return predict_rows(plan, learner, plan.X)
    except Exception as error:
        raise LearnerError(
            f"{type(plan.estimator).__name__} failed on a training set of {n_train} samples: "
            f"{type(error).__name__}: {error}"
        ) from error
