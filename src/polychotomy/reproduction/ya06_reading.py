"""YA06: another reading of nearest mean and nearest neighbour, with categories as categories.

The paper says of LGC alone that "discrete features are converted to numeric features by 1-of-n
encoding". Read so, NMC keeps a category's most frequent value in place of its mean, and distances
count a category as 0 where it is the same and 1 where it is not.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from polychotomy.core.arrays import Floats, Ints
from polychotomy.reproduction.data.fetching import load
from polychotomy.reproduction.data.folder import Dataset
from polychotomy.reproduction.inputs import Standardiser
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
    """Ten fold errors of both learners: five times two halves; the halves keep the file's order."""
    mixed = load_mixed(name, data)
    rng = np.random.default_rng(seed)
    errors: Values = {"NMC": [], "NN": []}
    for _ in range(5):
        order = rng.permutation(len(mixed.y))
        halves = [np.sort(half) for half in np.array_split(order, 2)]
        for train, test in (halves, halves[::-1]):
            parts = _standardised(mixed, train, test)
            for learner, predict in LEARNERS.items():
                wrong = predict(*parts) != parts[1].y
                errors[learner].append(float(wrong.mean()))
    return errors


LEARNERS = {"NMC": predict_nearest_mean, "NN": predict_nearest_neighbour}


def _standardised(mixed: Mixed, train: Ints, test: Ints) -> tuple[Mixed, Mixed]:
    scaler = Standardiser().fit(mixed.numbers[train])
    learned, judged = (
        Mixed(scaler.transform(mixed.numbers[rows]), mixed.categories[rows], mixed.y[rows])
        for rows in (train, test)
    )
    return learned, judged
