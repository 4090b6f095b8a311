"""What is asked of a learner and its data before any fit: rows, labels, output, seed."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.arrays import Ints, missing_entries
from polychotomy.codes.arguments import as_array, check_choice
from polychotomy.codes.draws import check_seed
from polychotomy.decomposition.bootstrap_fits import Learner, Plan
from polychotomy.decomposition.weighted_fits import fits_weights_exactly
from polychotomy.exceptions import InvalidInput

Seed: TypeAlias = int | np.random.Generator | np.random.RandomState | np.random.SeedSequence | None
_ANY_KIND = "None, an int of at least 0, or numpy.random's Generator, RandomState or SeedSequence"


def make_plan(
    estimator: Learner, X: Any, y: ArrayLike, output: Literal["probabilities", "votes"] | None
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
    classes, codes = encode_labels(labels)
    votes = gives_votes(estimator, output)
    weighted = fits_weights_exactly(estimator)
    return Plan(estimator, rows, labels, classes, votes, weighted), codes


def gives_votes(estimator: Learner, output: str | None) -> bool:
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
        raise InvalidInput(f"y has shape {labels.shape}; expected (n,), a label for every sample.")
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
