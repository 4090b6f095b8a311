"""Bootstrap fits of a learner, and what each predicts for the samples it left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import joblib
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone, is_regressor
from sklearn.utils import _safe_indexing

from polychotomy.core.arguments import as_array, as_floats, check_choice, check_entries, wrong_shape
from polychotomy.core.arrays import Floats, Ints, missing_entries
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.seeds import check_seed


@dataclass(frozen=True, eq=False)
class Plan:
    """How to fit one bootstrap sample: everything but which one.

    Parameters
    ----------
    estimator : classifier or regressor
        Cloned for each fit; each of its ``random_state`` parameters is set anew.
    X : rows
        Array, sparse matrix or data frame.
    y, classes : (n,) and (k,) arrays
        Labels, and the sorted distinct ones: the columns of the predictions. A regressor has
        numbers, no classes, and one column.
    votes : bool
        Labels as ones and zeros, in place of probabilities.
    """

    estimator: Any
    X: Any
    y: NDArray[Any]
    classes: NDArray[Any]
    votes: bool


@dataclass(frozen=True, eq=False)
class Fit:
    """One bootstrap fit: counts (n,), samples left out (q,), predictions (q, k), or a failure."""

    in_bag: Ints
    left_out: Ints
    predictions: Floats
    failure: str | None


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


def run_fits(
    plan: Plan, seeds: list[np.random.SeedSequence], *, n_jobs: int | None
) -> Iterator[Fit]:
    """Fit the bootstrap samples of the seeds and yield them in order, as they are done.

    A seed alone decides its sample and its fit, so the number of workers changes nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = np.array([[0.0], [1], [2], [10], [11], [12]]), np.array([0, 0, 0, 1, 1, 1])
    >>> plan = Plan(GaussianNB(), X, y, np.unique(y), votes=True)
    >>> [one] = run_fits(plan, [np.random.SeedSequence(1)], n_jobs=1)
    >>> bool((one.predictions.argmax(axis=1) == y[one.left_out]).all())
    True
    """
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator")
    return parallel(joblib.delayed(fit_one)(plan, seed) for seed in seeds)


def split_failures(fits: Iterable[Fit]) -> tuple[list[Fit], tuple[tuple[int, str], ...]]:
    """Return the fits that did not fail, and the number and cause of those that did.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([0])
    >>> fits = [Fit(rows, rows, np.ones((1, 1)), why) for why in (None, "ValueError: no")]
    >>> good, failures = split_failures(fits)
    >>> len(good), failures
    (1, ((1, 'ValueError: no'),))
    """
    every = list(fits)
    good = [fit for fit in every if fit.failure is None]
    failures = tuple((i, fit.failure) for i, fit in enumerate(every) if fit.failure is not None)
    if not good:
        raise LearnerError(
            f"the learner failed on all {len(every)} bootstrap samples, first with "
            f"{failures[0][1]!r}; expected at least one fit. Try the learner on X[rows], "
            "y[rows] with rows drawn with replacement."
        )
    return good, failures


def check_left_out(counts: Ints) -> None:
    """Raise where no sample is out of bag in any fit, given in how many each is (n,)."""
    if not counts.any():
        raise InvalidInput(
            f"none of {len(counts)} samples is out of bag in any fit, so nothing can be "
            "estimated. Draw more bootstrap samples."
        )


def fit_one(plan: Plan, seed: np.random.SeedSequence) -> Fit:
    """Fit one bootstrap sample; a failure of the learner is kept, not raised."""
    n = len(plan.y)
    in_bag = draw_counts(seed, n)
    left_out = np.flatnonzero(in_bag == 0)
    failure, predictions = None, np.empty((0, len(plan.classes)))
    try:
        learner = fit_learner(plan, in_bag, seed)
        if len(left_out):
            predictions = predict_rows(plan, learner, _safe_indexing(plan.X, left_out))
    except Exception as error:  # any error of the user's learner is its failure, kept by name
        failure = f"{type(error).__name__}: {error}".splitlines()[0]
    return Fit(in_bag, left_out, predictions, failure)


def fit_learner(plan: Plan, counts: Ints, seed: np.random.SeedSequence) -> Any:
    """Clone, seed and fit the learner to the rows counted."""
    learner = seed_learner(clone(plan.estimator), seed)
    # Not counts as weights, which some learners take for something else than repeated rows.
    rows = np.repeat(np.arange(len(counts)), counts)
    learner.fit(_safe_indexing(plan.X, rows), plan.y[rows])
    return learner


def learner_failure(plan: Plan, where: str, cause: Exception, advice: str = "") -> LearnerError:
    """Return the error of a learner that failed on ``where``, its cause quoted."""
    name = type(plan.estimator).__name__
    return LearnerError(f"{name} failed on {where}: {type(cause).__name__}: {cause}{advice}")


def predict_rows(plan: Plan, learner: Any, X: Any) -> Floats:
    """Predict probabilities or votes, a column for each of the plan's classes.

    A class absent from the bootstrap sample gets zeros. A regressor gives one column of numbers.
    """
    if not len(plan.classes):
        numbers = np.asarray(learner.predict(X), dtype=np.float64).reshape(-1, 1)
        if not np.isfinite(numbers).all():
            raise LearnerError("predict gave numbers that are not finite.")
        return numbers
    if plan.votes:
        return one_hot(np.asarray(learner.predict(X)), plan.classes)
    given = np.asarray(learner.predict_proba(X))
    rounding = 1e-6 if given.dtype.itemsize >= 8 else 1e-3
    found = given.astype(np.float64)
    columns = np.searchsorted(plan.classes, learner.classes_)
    if found.ndim != 2 or found.shape[1] != len(columns):
        raise LearnerError(
            f"predict_proba gave shape {found.shape} for {len(columns)} classes; expected a "
            "column for each of classes_."
        )
    off = np.abs(found.sum(axis=1) - 1.0).max(initial=0.0)
    if not (found.min(initial=0.0) >= -rounding and off <= rounding):
        raise LearnerError("predict_proba gave rows that are not probabilities summing to 1.")
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
    names = sorted(name for name in learner.get_params() if _is_seed(name))
    if names:
        # A child of the seed, whose own stream draws the rows.
        child = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 0))
        states = child.generate_state(len(names)) % 2**31
        learner.set_params(**dict(zip(names, states.tolist(), strict=True)))
    return learner


def _is_seed(name: str) -> bool:
    return name == "random_state" or name.endswith("__random_state")


Seed: TypeAlias = int | np.random.Generator | np.random.RandomState | np.random.SeedSequence | None

_ANY_KIND = "None, an int of at least 0, or numpy.random's Generator, RandomState or SeedSequence"


def make_plan(
    estimator: Any, X: Any, y: ArrayLike, output: Literal["probabilities", "votes"] | None
) -> tuple[Plan, Ints]:
    """Check a learner and its data, and plan its fits; return the class codes too, if it has any.

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
    if (
        not rows.shape
        or labels.ndim != 1
        or labels.shape[0] != rows.shape[0]
        or labels.shape[0] < 2
    ):
        raise InvalidInput(
            f"X has shape {rows.shape} and y {labels.shape}; expected as many rows as labels, at "
            "least two, y in one dimension. For a column of labels pass y.ravel()."
        )
    if is_regressor(estimator):
        numbers = as_floats("y", labels)
        check_entries("y", numbers, np.isfinite(numbers), "a finite number")
        return Plan(estimator, rows, numbers, np.empty(0), votes=False), np.zeros(0, dtype=np.intp)
    classes, codes = encode_labels(labels)
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


def encode_labels(labels: NDArray[Any]) -> tuple[NDArray[Any], Ints]:
    """Return the distinct labels, sorted, and each label's code.

    Examples
    --------
    >>> import numpy as np
    >>> classes, codes = encode_labels(np.array(["b", "a", "b"]))
    >>> classes.tolist(), codes.tolist()
    (['a', 'b'], [1, 0, 1])
    """
    if labels.ndim != 1 or not labels.size:
        raise wrong_shape("y", labels, "(n,), a label for every sample")
    missing = missing_entries(labels)
    if missing.any():
        first = int(missing.argmax())
        raise InvalidInput(f"y[{first}] is {labels[first]!r}; expected a label for every sample.")
    try:
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in labels})
        raise InvalidInput(
            f"y mixes labels of types {', '.join(kinds)}; expected labels that can be sorted. "
            "Pass [str(label) for label in y]."
        ) from None
    if len(classes) < 2:
        raise InvalidInput(f"y has one class only, {str(classes[0])!r}; expected at least two.")
    return classes, codes


def root_seed(random_state: Seed) -> np.random.SeedSequence:
    """Turn any way to say a seed into a SeedSequence of its own.

    Examples
    --------
    >>> root_seed(3).entropy
    3
    """
    if isinstance(random_state, np.random.SeedSequence):
        return np.random.SeedSequence(random_state.entropy, spawn_key=random_state.spawn_key)
    if isinstance(random_state, np.random.Generator):
        return np.random.SeedSequence(int(random_state.integers(2**63)))
    if isinstance(random_state, np.random.RandomState):
        return np.random.SeedSequence(int(random_state.randint(2**31)))
    if random_state is None:
        return np.random.SeedSequence()
    return np.random.SeedSequence(check_seed(random_state, expected=_ANY_KIND))
