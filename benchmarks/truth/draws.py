"""One draw: a small training set, its cross-validated errors and the truth on the rest."""

from __future__ import annotations

import time
import warnings
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.truth.learners import LEARNERS
from benchmarks.truth.populations import Population
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning

LEFT_OUT = 4000  # at most this many of the cases left out measure the true error


@dataclass(frozen=True)
class Draw:
    """Errors of the m learners on one small set.

    ``halves``: (m, 5, 2), 5×2 cross-validation. ``fifths``: (m, 5, 5), five times 5-fold.
    ``truth``: (m,), error on the cases left out, after a refit on the whole small set.
    """

    population: str
    n: int
    number: int
    halves: np.ndarray
    fifths: np.ndarray
    truth: np.ndarray


def make_draw(population: Population, n: int, number: int) -> Draw:
    """Draw ``n`` cases and fit every learner 10 + 25 + 1 times; the key decides the seed."""
    rng = np.random.default_rng([zlib.crc32(population.name.encode()), n, number])
    order = rng.permutation(len(population.y))
    small, rest = order[:n], order[n : n + LEFT_OUT]
    X, y = population.X[small], population.y[small]
    return Draw(
        population.name,
        n,
        number,
        cross_validate(X, y, 2, rng),
        cross_validate(X, y, 5, rng),
        errors_on(X, y, population.X[rest], population.y[rest], int(rng.integers(2**31))),
    )


def cross_validate(
    X: np.ndarray, y: np.ndarray, n_folds: int, rng: np.random.Generator
) -> np.ndarray:
    """Errors (m, 5, n_folds) over five partitions, the same ones for every learner."""
    errors = np.empty((len(LEARNERS), 5, n_folds))
    for repetition in range(5):
        folds = assign_folds(y, n_folds, rng)
        for fold in range(n_folds):
            out = folds == fold
            seed = int(rng.integers(2**31))
            errors[:, repetition, fold] = errors_on(X[~out], y[~out], X[out], y[out], seed)
    return errors


def assign_folds(y: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Random folds, stratified: cases of a class are dealt out in turn, however few they are."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    folds = np.empty(len(y), dtype=int)
    folds[order] = np.arange(len(y)) % n_folds
    return folds


def errors_on(
    X: np.ndarray, y: np.ndarray, X_test: np.ndarray, y_test: np.ndarray, seed: int
) -> np.ndarray:
    """Error on the test part of every learner fitted to the training part, (m,)."""
    X, X_test = standardise(X, X_test)
    with (
        warnings.catch_warnings(),
        config_context(assume_finite=True, skip_parameter_validation=True),
    ):
        # A fit cut short is a learner like another; a constant column has no scale.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UserWarning)
        fitted = [make(seed).fit(X, y) for make in LEARNERS.values()]
        return np.array([np.mean(one.predict(X_test) != y_test) for one in fitted])


def standardise(X: np.ndarray, X_test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean 0 and deviation 1 on the training part; columns constant there are left out."""
    deviation = X.std(axis=0)
    varies = deviation > 1e-12
    mean, deviation = X[:, varies].mean(axis=0), deviation[varies]
    return (X[:, varies] - mean) / deviation, (X_test[:, varies] - mean) / deviation


def make_draws(
    populations: Sequence[Population],
    sizes: Sequence[int],
    cache: Path,
    *,
    n_draws: int,
    minutes: float,
) -> int:
    """Fill the cache round by round until done or out of time; return how many draws were made."""
    start, made = time.process_time(), 0
    for number in range(n_draws):
        for population in populations:
            for n in sizes:
                if time.process_time() - start > 60 * minutes:
                    return made
                path = cache / f"{population.name}-{n}-{number}.npz"
                if not path.exists():
                    save(make_draw(population, n, number), path)
                    made += 1
    return made


def save(draw: Draw, path: Path) -> None:
    """Write the three arrays, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part.npz")
    np.savez(partial, halves=draw.halves, fifths=draw.fifths, truth=draw.truth)
    partial.rename(path)


def read_draws(cache: Path) -> Iterator[Draw]:
    """Every draw of the cache, by population, size and number."""
    for path in sorted(cache.glob("*.npz"), key=_key):
        if not path.name.endswith(".part.npz"):
            with np.load(path) as arrays:
                yield Draw(*_key(path), arrays["halves"], arrays["fifths"], arrays["truth"])


def _key(path: Path) -> tuple[str, int, int]:
    population, n, number = path.name.split(".")[0].rsplit("-", 2)
    return population, int(n), int(number)
