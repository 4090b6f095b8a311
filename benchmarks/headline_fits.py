"""Fits whose true error is known: tables from generators, all candidates on 5×5 folds.

A table is made once and kept in a cache; what ``headline.py`` scores are functions of it. The true
error is that of a candidate refitted on all rows of the table, over the generator's distribution:
the mean, over cases of which the class probabilities are known, of one less the probability of the
class predicted.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn import config_context
from sklearn.tree import DecisionTreeClassifier

from polychotomy.study.design.folds import assign_folds
from polychotomy.verdict.choosing import first_within

REPETITIONS, FOLDS = 5, 5
SIZES = (100, 300, 1000)
SHARES = (0.2, 0.35, 0.6)  # of the rows trained on: training sizes for the winner's curve
NESTED = 2  # repetitions of which pairs of folds are left out, too
TRUE_CASES = 6000

Fit = Callable[[np.ndarray, np.ndarray, int, np.random.Generator], "Predict"]
Predict = Callable[[np.ndarray], np.ndarray]


def _majority(X: np.ndarray, y: np.ndarray, k: int, rng: np.random.Generator) -> Predict:
    most = np.bincount(y, minlength=k).argmax()
    return lambda new: np.full(len(new), most)


def _by_density(means: np.ndarray, precisions: np.ndarray, y: np.ndarray) -> Predict:
    """Normal classes of the given precision matrices, (k, p, p), by Bayes' rule."""
    k = len(means)
    log_prior = np.log(np.maximum(np.bincount(y, minlength=k), 1e-9) / len(y))
    constant = log_prior + 0.5 * np.linalg.slogdet(precisions)[1]

    def predict(new: np.ndarray) -> np.ndarray:
        apart = new[None] - means[:, None]  # (k, n, p)
        distance = np.einsum(
            "knp,kpq,knq->nk", apart, precisions, apart, optimize=["einsum_path", (0, 1), (0, 1)]
        )
        return np.asarray((constant - 0.5 * distance).argmax(axis=1))

    return predict


def _means(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    hot = np.eye(k)[y]
    return hot.T @ X / np.maximum(hot.sum(axis=0), 1)[:, None]


def _naive_bayes(X: np.ndarray, y: np.ndarray, k: int, rng: np.random.Generator) -> Predict:
    means = _means(X, y, k)
    counts = np.maximum(np.bincount(y, minlength=k), 1)[:, None]
    variances = np.eye(k)[y].T @ (X - means[y]) ** 2 / counts + 0.01 * X.var(axis=0) + 1e-6
    return _by_density(means, np.eye(X.shape[1]) / variances[:, None], y)


def _linear(X: np.ndarray, y: np.ndarray, k: int, rng: np.random.Generator) -> Predict:
    means = _means(X, y, k)
    within = X - means[y]
    covariance = within.T @ within / len(y) + 0.01 * np.eye(X.shape[1])
    precision = np.linalg.inv(covariance)
    return _by_density(means, np.broadcast_to(precision, (k, *precision.shape)), y)


def _neighbour(X: np.ndarray, y: np.ndarray, k: int, rng: np.random.Generator) -> Predict:
    return lambda new: y[((X**2).sum(axis=1) - 2 * new @ X.T).argmin(axis=1)]


def _one_tree(X: np.ndarray, y: np.ndarray, rng: np.random.Generator, **how: str) -> Predict:
    tree = DecisionTreeClassifier(random_state=int(rng.integers(2**31)), **how)
    tree.fit(X.astype(np.float32), y.astype(float), check_input=False)
    return lambda new: tree.predict(new.astype(np.float32), check_input=False).astype(int)


def _tree(X: np.ndarray, y: np.ndarray, k: int, rng: np.random.Generator) -> Predict:
    return _one_tree(X, y, rng)


def _forest(X: np.ndarray, y: np.ndarray, k: int, rng: np.random.Generator) -> Predict:
    """Five trees of bootstrap samples, each split at random in the best of √p features."""
    samples = [rng.integers(len(y), size=len(y)) for _ in range(5)]
    how = {"splitter": "random", "max_features": "sqrt"}
    trees = [_one_tree(X[rows], y[rows], rng, **how) for rows in samples]
    return lambda new: np.eye(k)[[one(new) for one in trees]].sum(axis=0).argmax(axis=1)


# In order of preference.
LEARNERS: dict[str, Fit] = {
    "MAX": _majority,
    "naive Bayes": _naive_bayes,
    "linear": _linear,
    "tree": _tree,
    "1-NN": _neighbour,
    "forest": _forest,
}

Generator = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]
"""Rows → features (n, p) and class probabilities (n, k)."""


def _two(p: np.ndarray) -> np.ndarray:
    return np.stack([1 - p, p], axis=1)


def _logistic(score: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-score))


def interaction(features: int, flip: float, *, cut: float = 0.0, slope: float = 0.0) -> Generator:
    """Class by whether two features lie on the same side, among others that say nothing.

    A split on either of the two gains nothing by itself: whether a tree finds them is luck.
    """

    def make(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        X = rng.standard_normal((n, features))
        same = (X[:, 0] > 0) == (X[:, 1] > cut)
        return X, _two(_logistic(np.where(same, 1, -1) * np.log(1 / flip - 1) + slope * X[:, 2]))

    return make


def linear(weights: list[float], *, shared: float = 0.0, offset: float = 0.0) -> Generator:
    def make(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        own = rng.standard_normal((n, len(weights)))
        X = np.sqrt(1 - shared) * own + np.sqrt(shared) * rng.standard_normal((n, 1))
        return X, _two(_logistic(X @ np.array(weights) + offset))

    return make


def clouds(k: int, features: int, apart: float, seed: int) -> Generator:
    """Normal classes of different shape, equally frequent."""
    fixed = np.random.default_rng(seed)
    centres = apart * fixed.standard_normal((k, features))
    widths = fixed.uniform(0.6, 1.4, (k, features))

    def make(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        own = rng.integers(k, size=n)
        X = centres[own] + widths[own] * rng.standard_normal((n, features))
        z = (X[:, None] - centres) / widths
        log_density = -0.5 * (z**2).sum(axis=2) - np.log(widths).sum(axis=1)
        density = np.exp(log_density - log_density.max(axis=1, keepdims=True))
        return X, density / density.sum(axis=1, keepdims=True)

    return make


def rare(share: float, apart: float, features: int) -> Generator:
    """A rare class, shifted in three features."""

    def make(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        own = rng.random(n) < share
        X = rng.standard_normal((n, features))
        X[:, :3] += apart * own[:, None]
        score = apart * X[:, :3].sum(axis=1) - 1.5 * apart**2
        return X, _two(_logistic(score + np.log(share / (1 - share))))

    return make


def categories(levels: int, features: int, strength: float, seed: int) -> Generator:
    """Categories, one-hot; the class depends on two of them together and on a third."""
    fixed = np.random.default_rng(seed)
    together = strength * fixed.standard_normal((levels, levels))
    alone = strength / 2 * fixed.standard_normal(levels)

    def make(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        values = rng.integers(levels, size=(n, features))
        score = together[values[:, 0], values[:, 1]] + alone[values[:, 2]]
        hot = (values[:, :, None] == np.arange(levels)).reshape(n, -1)
        return hot.astype(float), _two(_logistic(score))

    return make


def rings(features: int, width: float) -> Generator:
    """Two classes by the distance from the middle, in two of the features."""

    def make(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        X = rng.standard_normal((n, features))
        return X, _two(_logistic(((X[:, :2] ** 2).sum(axis=1) - 1.4) / width))

    return make


# The rules were chosen on the first; the page reports the second.
TUNED: dict[str, Generator] = {
    "parity": interaction(6, 0.05),
    "linear, 10 features": linear([1.0, 1.0, 0.7, 0.5, 0.5, 0, 0, 0, 0, 0]),
    "weak": linear([0.5, 0.4, 0.3, *[0.0] * 12]),
    "rare, 3 %": rare(0.03, 1.3, 6),
    "4 clouds": clouds(4, 4, 1.0, 3),
    "categories, 4 values": categories(4, 5, 1.5, 1),
}
REPORTED: dict[str, Generator] = {
    "interaction": interaction(10, 0.1, cut=0.3, slope=0.3),
    "linear, 8 features": linear([1.5, -1.0, 1.0, 0.5, 0, 0, 0, 0], shared=0.4),
    "mostly noise": linear([0.6, 0.3, *[0.0] * 18]),
    "rare, 4 %": rare(0.04, 1.1, 8),
    "rare, 2 %": rare(0.02, 1.7, 5),
    "8 classes": clouds(8, 5, 1.1, 11),
    "categories, 3 values": categories(3, 8, 1.2, 5),
    "rings": rings(6, 0.4),
}


@dataclass(frozen=True)
class Table:
    """One table and its fits.

    ``wrong`` (m, repetitions, n) says who was wrong out of fold, ``truth`` (m,) has the true errors
    of refits on all rows. ``sized`` (m, sizes, n) is who was wrong when trained on shares of the
    training rows of the first repetition, ``nested`` (m, repetitions, folds, n) when that fold was
    left out, too; −1 where not asked.
    """

    y: np.ndarray
    folds: np.ndarray
    wrong: np.ndarray
    truth: np.ndarray
    guess: float
    sized: np.ndarray
    nested: np.ndarray


def make_table(name: str, generator: Generator, n: int, number: int) -> Table:
    """Draw rows and fit; the key decides the seed."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), n, number])
    X, y, p = _draw(rng, generator, n)
    new, p_new = generator(rng, TRUE_CASES)
    m, k = len(LEARNERS), p.shape[1]
    folds = np.stack(
        [
            assign_folds(y, FOLDS, stratified=True, seed=int(rng.integers(2**31)))
            for _ in range(REPETITIONS)
        ]
    )
    wrong = _out_of_fold(X, y, k, folds, rng)
    truth = np.empty(m)
    for at in range(m):
        said = _predict(at, k, X, y, new, rng)
        truth[at] = 1 - p_new[np.arange(TRUE_CASES), said].mean()
    sized = np.full((m, len(SHARES), n), -1, dtype=np.int8)
    nested = np.full((m, NESTED, FOLDS, n), -1, dtype=np.int8)
    for at in _winners(wrong):
        for fold in range(FOLDS):
            out = folds[0] == fold
            train = rng.permutation(np.flatnonzero(~out))
            for size, share in enumerate(SHARES):
                some = train[: max(2, round(share * len(train)))]
                sized[at, size, out] = _predict(at, k, X[some], y[some], X[out], rng) != y[out]
        for repetition, first in np.ndindex(NESTED, FOLDS):
            split = folds[repetition]
            for second in range(first):
                train = (split != first) & (split != second)
                out = ~train
                said = _predict(at, k, X[train], y[train], X[out], rng) != y[out]
                # Left out of row `first`: what the fits without `first` say of fold `second`.
                inner = split[out] == second
                where = np.flatnonzero(out)
                nested[at, repetition, first, where[inner]] = said[inner]
                nested[at, repetition, second, where[~inner]] = said[~inner]
    guess = 1 - p_new.mean(axis=0).max()
    return Table(y, folds, wrong, truth, float(guess), sized, nested)


def _out_of_fold(
    X: np.ndarray, y: np.ndarray, k: int, folds: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Who is wrong out of fold, (m, repetitions, n)."""
    wrong = np.zeros((len(LEARNERS), *folds.shape), dtype=bool)
    for at in range(len(LEARNERS)):
        for repetition, split in enumerate(folds):
            for fold in range(FOLDS):
                out = split == fold
                said = _predict(at, k, X[~out], y[~out], X[out], rng)
                wrong[at, repetition, out] = said != y[out]
    return wrong


def redraw_folds(
    name: str, generator: Generator, n: int, seeds: int, repetitions: int
) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """Classes of one table and, for each seed, who is wrong (m, repetitions, n) in which folds.

    All repetitions for every third seed, one for the others.
    """
    rng = np.random.default_rng([zlib.crc32(name.encode()), n, 0])
    X, y, p = _draw(rng, generator, n)
    drawn = []
    for seed in range(seeds):
        count = repetitions if seed % 3 == 0 else 1
        folds = np.stack(
            [assign_folds(y, FOLDS, stratified=True, seed=100 * seed + r) for r in range(count)]
        )
        drawn.append((_out_of_fold(X, y, p.shape[1], folds, rng), folds))
    return y, drawn


def _draw(
    rng: np.random.Generator, generator: Generator, n: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, classes and their probabilities, with two rows of each class at least."""
    while True:
        X, p = generator(rng, n)
        y = (rng.random((n, 1)) > p.cumsum(axis=1)[:, :-1]).sum(axis=1)
        if np.bincount(y, minlength=p.shape[1]).min() >= 2:
            return X, y, p


def _winners(wrong: np.ndarray) -> set[int]:
    """Who is chosen on one and on five repetitions, with margins large and small."""
    found = set()
    for repetitions in (1, REPETITIONS):
        means = wrong[:, :repetitions].mean(axis=(1, 2))[None]
        found |= {int(first_within(means, margin)[0]) for margin in (0.01, 0.001)}
    return found


def _predict(
    at: int, k: int, X: np.ndarray, y: np.ndarray, new: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    if (y == y[0]).all():
        return np.full(len(new), y[0])
    with config_context(assume_finite=True, skip_parameter_validation=True):
        return np.asarray(list(LEARNERS.values())[at](X, y, k, rng)(new))


def load_table(cache: Path, name: str, generator: Generator, n: int, number: int) -> Table:
    """Read a table from the cache, or make it and keep it there."""
    path = cache / f"{name.replace(' ', '_')}-{n}-{number}.npz"
    if path.exists():
        with np.load(path) as kept:
            return Table(**{key: kept[key] for key in Table.__dataclass_fields__})
    table = make_table(name, generator, n, number)
    cache.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part.npz")
    np.savez_compressed(partial, **table.__dict__)
    partial.rename(path)
    return table
