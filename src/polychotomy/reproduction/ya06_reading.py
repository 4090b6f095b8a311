"""YA06: other readings of what it does not print.

NMC and NN with categories as categories: the paper says of LGC alone that "discrete features are
converted to numeric features by 1-of-n encoding". Read so, NMC keeps a category's most frequent
value in place of its mean, and distances count a category as 0 where it is the same and 1 where it
is not. LGC without a penalty, and after 300 steps of gradient descent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polychotomy.core.arrays import Floats, Ints
from polychotomy.reproduction.data.fetching import load
from polychotomy.reproduction.data.folder import Dataset
from polychotomy.reproduction.inputs import Standardiser, encode_inputs, load_numbers
from polychotomy.reproduction.run_log import Values

NUMBERS = ("numeric", "ordinal")

# Its four inputs, 1 to 5, are ordinal; but only 1-of-n coding gives LGC's printed 4.10 there.
ALL_CATEGORIES = ("balance",)

ROWS_AT_A_TIME = 500


class Mixed(NamedTuple):
    """Numbers (n, a) and categories as whole numbers (n, b), by first appearance; so are y."""

    numbers: Floats
    categories: Ints
    y: Ints


def load_mixed(name: str, data: Path | None) -> Mixed:
    """Load a data set, its categories apart from its numbers."""
    return split_kinds(load(name, data))


def split_kinds(dataset: Dataset) -> Mixed:
    """Part a data set into numbers and categories; a missing category is one of its own.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"size": [1.5, 2.0], "colour": pd.Categorical(["red", "blue"])})
    >>> kinds = {"size": "numeric", "colour": "nominal"}
    >>> split_kinds(Dataset(name="two", X=X, y=np.array(["b", "a"]), kinds=kinds)).categories
    array([[0],
           [1]])
    """
    in_numbers = [
        column
        for column, kind in dataset.kinds.items()
        if kind in NUMBERS and dataset.name not in ALL_CATEGORIES
    ]
    others = [column for column in dataset.kinds if column not in in_numbers]
    codes = [_by_appearance(dataset.X[column].astype(object).tolist()) for column in others]
    shape = (len(dataset.y), len(others))
    return Mixed(
        dataset.X[in_numbers].to_numpy(dtype=np.float64),
        np.array(codes, dtype=np.intp).T.reshape(shape),
        _by_appearance(dataset.y.tolist()),
    )


def _by_appearance(values: list[object]) -> Ints:
    """Whole numbers for values, in the order of the file; all NaN are one value."""
    keys = ["" if value != value else str(value) for value in values]  # NaN alone is not itself
    known = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([known[key] for key in keys], dtype=np.intp)


def predict_nearest_mean(train: Mixed, test: Mixed) -> Ints:
    """Classify to the nearest of means and most frequent values; ties to the class first seen.

    Examples
    --------
    >>> none = np.zeros((4, 0))
    >>> train = Mixed(none, np.array([[0], [0], [1], [1]]), np.array([0, 0, 1, 1]))
    >>> predict_nearest_mean(train, Mixed(none[:2], np.array([[1], [0]]), train.y[:2])).tolist()
    [1, 0]
    """
    classes = np.unique(train.y)
    distances = np.empty((len(test.y), len(classes)))
    for place, c in enumerate(classes):
        own = train.y == c
        away = test.numbers - train.numbers[own].mean(axis=0)
        modes = [np.bincount(column).argmax() for column in train.categories[own].T]
        unlike = test.categories != np.array(modes, dtype=np.intp)
        distances[:, place] = (away**2).sum(axis=1) + unlike.sum(axis=1)
    nearest: Ints = classes[distances.argmin(axis=1)]
    return nearest


def predict_nearest_neighbour(train: Mixed, test: Mixed) -> Ints:
    """Classify as the nearest case; of several as near, as the first of them in the file.

    Examples
    --------
    >>> none = np.zeros((2, 0))
    >>> train = Mixed(none, np.array([[0, 0], [1, 1]]), np.array([0, 1]))
    >>> test = Mixed(none, np.array([[1, 1], [0, 1]]), np.array([0, 0]))
    >>> predict_nearest_neighbour(train, test).tolist()
    [1, 0]
    """
    found = []
    for start in range(0, len(test.y), ROWS_AT_A_TIME):
        rows = slice(start, start + ROWS_AT_A_TIME)
        distances = _distances(test.numbers[rows], train.numbers)
        for mine, theirs in zip(test.categories[rows].T, train.categories.T, strict=True):
            distances += mine[:, None] != theirs
        # What differs by rounding only is a tie.
        found.append(distances.round(9).argmin(axis=1))
    nearest: Ints = train.y[np.concatenate(found)]
    return nearest


def _distances(a: Floats, b: Floats) -> Floats:
    squares: Floats = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return squares


def run_reading(name: str, data: Path | None, seed: int) -> Values:
    """Ten fold errors of NMC and NN, categories compared; the halves keep the file's order."""
    mixed = load_mixed(name, data)

    def errors(train: Ints, test: Ints) -> dict[str, float]:
        parts = standardised(mixed, np.sort(train), np.sort(test))
        return {name: _share(rule(*parts) != parts[1].y) for name, rule in COMPARING.items()}

    return ten_folds(len(mixed.y), seed, errors)


COMPARING = {"NMC": predict_nearest_mean, "NN": predict_nearest_neighbour}


def run_as_numbers(name: str, data: Path | None, seed: int) -> Values:
    """Ten fold errors of NMC, LGC and NN with the categories taken as the numbers they are."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier

    from polychotomy.learners import NearestMeanClassifier

    X, y = load_numbers(name, data, one_of_n=False)
    nearest = KNeighborsClassifier(1)
    models = {
        "NMC": NearestMeanClassifier(),
        "LGC": LogisticRegression(max_iter=1000),
        "NN": nearest,
    }

    def errors(train: Ints, test: Ints) -> dict[str, float]:
        A, B = _scaled(X, train, test)
        return {
            learner: _share(model.fit(A, y[train]).predict(B) != y[test])
            for learner, model in models.items()
        }

    return ten_folds(len(y), seed, errors)


WEAKEST_PENALTY = 1e4
"""C of "no penalty": classes that can be separated have no maximum likelihood without any."""

STEPS, RATE = 300, 0.5


def run_logistic(name: str, data: Path | None, seed: int) -> Values:
    """Ten fold errors of LGC without a penalty, and after some steps of gradient descent."""
    from sklearn.linear_model import LogisticRegression

    dataset = load(name, data)
    if name in ALL_CATEGORIES:
        dataset = replace(dataset, kinds=dict.fromkeys(dataset.kinds, "nominal"))
    X, y = encode_inputs(dataset), _by_appearance(dataset.y.tolist())

    def errors(train: Ints, test: Ints) -> dict[str, float]:
        A, B = _scaled(X, train, test)
        free = LogisticRegression(C=WEAKEST_PENALTY, max_iter=1000).fit(A, y[train])
        coefficients = descend(A, y[train], steps=STEPS, rate=RATE)
        scores = B @ coefficients[:-1] + coefficients[-1]
        return {
            "no penalty": _share(free.predict(B) != y[test]),
            "300 steps": _share(scores.argmax(axis=1) != y[test]),
        }

    return ten_folds(len(y), seed, errors)


def descend(X: Floats, y: Ints, *, steps: int, rate: float) -> Floats:
    """Multinomial logistic coefficients (inputs + 1, k) after steps down the mean log loss from 0.

    Examples
    --------
    >>> X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> descend(X, np.array([0, 0, 1, 1]), steps=1, rate=1.0).round(3).tolist()
    [[-0.75, 0.75], [0.0, 0.0]]
    """
    inputs = np.column_stack([X, np.ones(len(X))])
    known = np.eye(int(y.max()) + 1)[y]
    coefficients = np.zeros((inputs.shape[1], known.shape[1]))
    for _ in range(steps):
        scores = inputs @ coefficients
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        coefficients -= rate * (inputs.T @ (p - known)) / len(inputs)
    return coefficients


def ten_folds(n: int, seed: int, errors: Callable[[Ints, Ints], dict[str, float]]) -> Values:
    """Gather errors of five times two halves, by learner."""
    rng, found = np.random.default_rng(seed), Values()
    for _ in range(5):
        halves = np.array_split(rng.permutation(n), 2)
        for train, test in (halves, halves[::-1]):
            for learner, error in errors(train, test).items():
                found.setdefault(learner, []).append(error)
    return found


def _share(wrong: Floats) -> float:
    return float(np.mean(wrong))


def _scaled(X: Floats, train: Ints, test: Ints) -> tuple[Floats, Floats]:
    scaler = Standardiser().fit(X[train])
    return scaler.transform(X[train]), scaler.transform(X[test])


def standardised(mixed: Mixed, train: Ints, test: Ints) -> tuple[Mixed, Mixed]:
    """Training and test cases, gaps filled and numbers scaled by the former."""
    learned, judged = _scaled(mixed.numbers, train, test)
    return (
        Mixed(learned, mixed.categories[train], mixed.y[train]),
        Mixed(judged, mixed.categories[test], mixed.y[test]),
    )
