"""The error budget of a learner, by bootstrap fits of it and what each says of those left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import joblib
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone, is_regressor
from sklearn.utils import _safe_indexing

from polychotomy.core.arguments import (
    as_array,
    check_choice,
    check_count,
    check_jobs,
    unexpected,
)
from polychotomy.core.arrays import Floats, Ints, missing_entries
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.seeds import Seed, root_seed
from polychotomy.decomposition.error_decomposition import ErrorDecomposition
from polychotomy.decomposition.from_predictions import (
    check_counts,
    decompose_predictions,
    resolve_bound,
)
from polychotomy.decomposition.losses import LossLike, resolve_loss
from polychotomy.decomposition.nearest_neighbour import neighbour_error


class BootstrapErrorDecomposition(ErrorDecomposition):
    """An error budget, and what else the bootstrap fits of the learner tell.

    Parameters
    ----------
    output : {"probabilities", "votes"}
        What the fits gave.
    nearest_neighbour_error : float or None
        Out-of-bag error of 1-NN behind ``bayes_bound``; None where there is none.
    failures : tuple of (int, str)
        Bootstrap samples on which the learner failed, and why; left out of every average.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.decomposition import decompose_error
    >>> X, y = load_iris(return_X_y=True)
    >>> budget = decompose_error(GaussianNB(), X, y, n_bootstraps=50, random_state=0)
    >>> budget.failures, budget.output
    ((), 'probabilities')
    """

    output: str
    nearest_neighbour_error: float | None
    failures: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        said = super().__str__()[:-1]
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
    arithmetic.

    Parameters
    ----------
    estimator : classifier
        Any of scikit-learn's. Cloned for each fit; each ``random_state`` in it is set anew,
        its randomness being part of its variance. For a candidate of a ledger, whose fits are
        done, pass ``ledger.bootstrap_predictions(name)`` to :func:`decompose_predictions`.
    X : (n, features) array, sparse matrix or data frame
        Rows as the learner takes them.
    y : (n,) array-like
        Labels of any kind.
    loss : {"misclassification", "squared", "deviance"} or Loss
        As in :func:`decompose_predictions`.
    n_bootstraps : int
        Number of fits. The result says how far its estimates are from those of endlessly many.
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
        With the bootstrap samples on which the learner failed.

    Raises
    ------
    LearnerError
        If the learner fails on every bootstrap sample.

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
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise unexpected("estimator", estimator, "a learner, such as GaussianNB()")
    plan, codes = make_plan(estimator, X, y, output)
    n, k = len(plan.y), len(plan.classes)
    chosen = resolve_loss(loss, k)
    count = check_count("n_bootstraps", n_bootstraps, unit="fits")
    check_jobs(n_jobs)
    seeds = root_seed(random_state).spawn(1 + count)[1:]
    in_bag = np.stack([draw_counts(seed, n) for seed in seeds])
    nearest = neighbour_error(nearest_neighbour_error, plan.X, codes, chosen, in_bag)
    predictions, in_bag, failures = fit_bags(plan, in_bag, seeds, n_jobs=n_jobs)
    parts = vars(decompose_predictions(predictions, in_bag, codes, loss=loss)) | {
        "classes": tuple(str(label) for label in plan.classes),
        "bayes_bound": resolve_bound(nearest, chosen, k),
    }
    gave = "votes" if plan.votes else "probabilities"
    return BootstrapErrorDecomposition(
        **parts, output=gave, nearest_neighbour_error=nearest, failures=failures
    )


@dataclass(frozen=True, eq=False)
class Plan:
    """How to fit one bootstrap sample: everything but which one.

    Parameters
    ----------
    estimator : classifier
        Cloned for each fit; each of its ``random_state`` parameters is set anew.
    X : rows
        Array, sparse matrix or data frame.
    y, classes : (n,) and (k,) arrays
        Labels, and the sorted distinct ones: the columns of the predictions.
    votes : bool
        Labels as ones and zeros, in place of probabilities.
    """

    estimator: Any
    X: Any
    y: NDArray[Any]
    classes: NDArray[Any]
    votes: bool


def make_plan(
    estimator: Any, X: Any, y: ArrayLike, output: Literal["probabilities", "votes"] | None
) -> tuple[Plan, Ints]:
    """Check a learner and its data, and plan its fits; return the class codes too.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> plan, codes = make_plan(GaussianNB(), [[0.0], [1.0]], ["no", "yes"], None)
    >>> plan.votes, codes.tolist()
    (False, [0, 1])
    """
    labels = as_array("y", y)
    rows = X if hasattr(X, "iloc") or hasattr(X, "tocsr") else as_array("X", X)
    rows = rows.tocsr() if hasattr(rows, "tocsr") else rows
    if labels.ndim != 1 or len(labels) < 2 or rows.shape[:1] != labels.shape:
        raise InvalidInput(
            f"X has shape {rows.shape} and y {labels.shape}; expected as many rows as labels, at "
            "least two, y in one dimension. For a column of labels pass y.ravel()."
        )
    if is_regressor(estimator):
        raise unexpected("estimator", estimator, "a classifier: numbers have no classes")
    try:
        if missing_entries(labels).any():
            raise TypeError
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        expected = "a label for every sample, all of them numbers or all of them texts"
        raise unexpected("y", labels.tolist(), expected) from None
    if len(classes) < 2:
        raise InvalidInput(f"y has one class only, {str(classes[0])!r}; expected at least two.")
    return Plan(estimator, rows, labels, classes, gives_votes(estimator, output)), codes


def gives_votes(estimator: Any, output: str | None) -> bool:
    """Tell whether a learner is asked for votes: if so said, or if it has no probabilities.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> gives_votes(LinearSVC(), None)
    True
    """
    check_choice("output", output, ("probabilities", "votes", None))
    able = hasattr(estimator, "predict_proba")
    if output == "probabilities" and not able:
        raise InvalidInput(
            f"output is 'probabilities', but {type(estimator).__name__} has no predict_proba. "
            "Pass output='votes', or calibrate the learner."
        )
    return output == "votes" or not able


def draw_counts(seed: np.random.SeedSequence, n: int) -> Ints:
    """Draw how often each of ``n`` samples is in a bootstrap sample.

    Examples
    --------
    >>> import numpy as np
    >>> int(draw_counts(np.random.SeedSequence(0), 10).sum())
    10
    """
    rng = np.random.default_rng(seed)
    return np.bincount(rng.integers(0, n, n), minlength=n)


def fit_bags(
    plan: Plan, in_bag: Ints, seeds: list[np.random.SeedSequence], *, n_jobs: int | None
) -> tuple[Floats, Ints, tuple[tuple[int, str], ...]]:
    """Fit all bootstrap samples, whose counts ``in_bag`` (b, n) are.

    Returns the predictions (b', n, columns), NaN in bag, and the counts, of those fits that did not
    fail; and the number and cause of the others.
    """
    fits = joblib.Parallel(n_jobs=n_jobs)(
        joblib.delayed(fit_one)(plan, counts, seed)
        for counts, seed in zip(in_bag, seeds, strict=True)
    )
    failures = tuple((i, fit) for i, fit in enumerate(fits) if isinstance(fit, str))
    done = [i for i, fit in enumerate(fits) if not isinstance(fit, str)]
    if not done:
        raise LearnerError(
            f"the learner failed on all {len(fits)} bootstrap samples, first with {fits[0]!r}; "
            "expected at least one fit."
        )
    kept = check_counts(in_bag[done], (len(done), len(plan.y)))
    predictions = np.full((*kept.shape, len(plan.classes)), np.nan)
    for row, i in zip(predictions, done, strict=True):
        row[in_bag[i] == 0] = fits[i]
    return predictions, kept, failures


def fit_one(plan: Plan, counts: Ints, seed: np.random.SeedSequence) -> Floats | str:
    """Predict what one bootstrap sample leaves out (q, k), or say why the learner failed.

    A seed alone decides its fit, so the number of workers changes nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = np.array([[0.0], [1], [2], [10], [11], [12]]), np.array([0, 0, 0, 1, 1, 1])
    >>> plan = Plan(GaussianNB(), X, y, np.unique(y), votes=True)
    >>> fit_one(plan, np.array([0, 2, 1, 1, 2, 0]), np.random.SeedSequence(1)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    left_out = np.flatnonzero(counts == 0)
    try:
        learner = fit_learner(plan, counts, seed)
        if not len(left_out):
            return np.empty((0, len(plan.classes)))
        return predict_rows(plan, learner, _safe_indexing(plan.X, left_out))
    except Exception as error:  # any error of the user's learner is its failure, kept by name
        return f"{type(error).__name__}: {error}".splitlines()[0]


def fit_learner(plan: Plan, counts: Ints, seed: np.random.SeedSequence) -> Any:
    """Clone, seed and fit the learner to the rows counted."""
    learner = seed_learner(clone(plan.estimator), seed)
    # Not counts as weights, which some learners take for something else than repeated rows.
    rows = np.repeat(np.arange(len(counts)), counts)
    learner.fit(_safe_indexing(plan.X, rows), plan.y[rows])
    return learner


def predict_rows(plan: Plan, learner: Any, X: Any) -> Floats:
    """Predict probabilities or votes, a column for each of the plan's classes.

    A class absent from the bootstrap sample gets zeros.
    """
    if plan.votes:
        return one_hot(np.asarray(learner.predict(X)), plan.classes)
    given = np.asarray(learner.predict_proba(X))
    rounding = 1e-6 if given.dtype.itemsize >= 8 else 1e-3
    found = given.astype(np.float64)
    columns = np.searchsorted(plan.classes, learner.classes_)
    off = np.abs(found.sum(axis=-1) - 1.0).max(initial=0.0)
    shaped = found.ndim == 2 and found.shape[1] == len(columns)
    if not (shaped and found.min(initial=0.0) >= -rounding and off <= rounding):
        raise LearnerError(
            f"predict_proba gave shape {found.shape}, or rows that are not probabilities summing "
            f"to 1; expected a column for each of {len(columns)} classes."
        )
    aligned = np.zeros((len(found), len(plan.classes)))
    aligned[:, columns] = np.maximum(found, 0.0)
    return aligned


def one_hot(labels: NDArray[Any], classes: NDArray[Any]) -> Floats:
    """Votes as ones and zeros, a column for each class.

    Examples
    --------
    >>> import numpy as np
    >>> one_hot(np.array(["b", "a"]), np.array(["a", "b"])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    codes = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    unknown = classes[codes] != labels
    if unknown.any():
        raise LearnerError(
            f"predict gave {labels[int(np.argmax(unknown))]!r}, which is not a label of y."
        )
    return np.eye(len(classes))[codes]


def seed_learner(learner: Any, seed: np.random.SeedSequence) -> Any:
    """Set every ``random_state`` parameter of a learner from a seed.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = seed_learner(DecisionTreeClassifier(), np.random.SeedSequence(0))
    >>> type(tree.random_state)
    <class 'int'>
    """
    parameters = sorted(learner.get_params())
    names = [name for name in parameters if f"__{name}".endswith("__random_state")]
    if names:
        # A child of the seed, whose own stream draws the rows.
        child = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 0))
        states = child.generate_state(len(names)) % 2**31
        learner.set_params(**dict(zip(names, states.tolist(), strict=True)))
    return learner
