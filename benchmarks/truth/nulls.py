"""Two learners of equal expected error by construction, resampled as people resample.

Cases have two equally likely classes and three blocks of Gaussian features: one that both learners
see, one that only A sees and one that only B sees. The private blocks have the same distribution,
so A and B are exchangeable: before the data are drawn neither is better, whatever the learner and
whatever n. For power, B's private block is given less signal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.spatial import cKDTree
from sklearn import config_context
from sklearn.tree import DecisionTreeClassifier

SHARED, PRIVATE = 2, 4  # features a block
SIGNAL = 1.4  # squared distance of the class means, of each block
HANDICAPPED = 0.8  # of B's private block, for power
NEIGHBOURS = 24  # a half's worth of cases is left out: 2^-24 that none of these remains
HOLD_OUT = 3  # of the ten blocks of the first partition

Family = Literal["linear", "1-NN", "tree"]


@dataclass(frozen=True)
class Resampled:
    """Numbers of wrong answers in ``r`` independent samples of ``n`` cases; axis 1 is A, B.

    ``halves``: (r, 2, 5, 2). ``fifths``: (r, 2, 5, 5). ``tenths``: (r, 2, 10, 10).
    ``discordant``: (r, 2), hold-out cases that only A, only B got wrong.
    """

    n: int
    halves: np.ndarray
    fifths: np.ndarray
    tenths: np.ndarray
    discordant: np.ndarray


def resample(
    rng: np.random.Generator, *, family: Family, n: int, repetitions: int, handicap: bool
) -> Resampled:
    """Draw samples and cross-validate both learners on the same partitions of each."""
    views, y = draw_cases(rng, repetitions, n, handicap=handicap)
    learners = [_LEARNERS[family](X, y) for X in views]

    def count(n_partitions: int, n_folds: int) -> np.ndarray:
        orders = [draw_order(rng, repetitions, n) for _ in range(n_partitions)]
        counts = [[one(order, n_folds) for order in orders] for one in learners]
        return np.moveaxis(np.array(counts), 2, 0).sum(axis=-1, dtype=np.uint16)

    order = draw_order(rng, repetitions, n)
    a, b = (one(order, 10, HOLD_OUT) for one in learners)
    return Resampled(
        n=n,
        halves=count(5, 2),
        fifths=count(5, 5),
        tenths=count(10, 10),
        discordant=np.stack([(a & ~b).sum(-1), (b & ~a).sum(-1)], axis=-1).astype(np.uint16),
    )


def draw_cases(
    rng: np.random.Generator, repetitions: int, n: int, *, handicap: bool
) -> tuple[list[np.ndarray], np.ndarray]:
    """What A sees and what B sees, each (r, n, p), and the classes, (r, n)."""
    y = rng.integers(0, 2, (repetitions, n))
    signals = [SIGNAL, SIGNAL, HANDICAPPED if handicap else SIGNAL]
    shared, only_a, only_b = (
        rng.standard_normal((repetitions, n, p)) + y[..., None] * np.sqrt(signal / p)
        for p, signal in zip([SHARED, PRIVATE, PRIVATE], signals, strict=True)
    )
    return [np.concatenate([shared, only], axis=-1) for only in (only_a, only_b)], y


def draw_order(rng: np.random.Generator, repetitions: int, n: int) -> np.ndarray:
    """A random order of the cases of each sample; folds are equal blocks of it. (r, n)."""
    return rng.permuted(np.tile(np.arange(n), (repetitions, 1)), axis=1)


class Linear:
    """Linear discriminant analysis, fitted from the sums and products of the folds."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.X, self.y = X, y

    def __call__(self, order: np.ndarray, n_folds: int, held_out: int | None = None) -> np.ndarray:
        """Wrong answers in each fold, (r, folds, n / folds); or in the blocks held out, (r, h)."""
        repetitions, n = order.shape
        shape = (repetitions, n_folds, n // n_folds)
        X = np.take_along_axis(self.X, order[..., None], axis=1).reshape(*shape, -1)
        y = np.take_along_axis(self.y, order, axis=1).reshape(shape)
        parts = _sums(X, y)
        if held_out is None:
            training = [part.sum(axis=1, keepdims=True) - part for part in parts]
            return (_discriminant(X, *training) > 0) != y
        training = [part[:, held_out:].sum(axis=1, keepdims=True) for part in parts]
        X, y = X[:, :held_out], y[:, :held_out]
        return ((_discriminant(X, *training) > 0) != y).reshape(repetitions, -1)


def _sums(X: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
    """Of each fold: cases a class (r, f, 2), sums a class (r, f, 2, p), products (r, f, p, p)."""
    members = np.stack([1.0 - y, y], axis=-2)  # (r, f, 2, n / f)
    return [members.sum(axis=-1), members @ X, np.swapaxes(X, -1, -2) @ X]


def _discriminant(
    X: np.ndarray, counts: np.ndarray, sums: np.ndarray, products: np.ndarray
) -> np.ndarray:
    means = sums / counts[..., None]
    within = products - np.swapaxes(means, -1, -2) @ sums
    covariance = within / (counts.sum(axis=-1) - 2)[..., None, None]
    weights = np.linalg.solve(covariance, (means[..., 1, :] - means[..., 0, :])[..., None])
    middle = means.mean(axis=-2)[..., None, :] @ weights
    prior = np.log(counts[..., 1] / counts[..., 0])
    return (X @ weights - middle)[..., 0] + prior[..., None]


class Nearest:
    """The nearest neighbour, looked up among the nearest few of the whole sample."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        k = min(NEIGHBOURS, X.shape[1] - 1) + 1
        self.neighbours = np.stack([cKDTree(one).query(one, k)[1][:, 1:] for one in X])
        self.labels = np.take_along_axis(y[:, None], self.neighbours, axis=2)
        self.y = y

    def __call__(self, order: np.ndarray, n_folds: int, held_out: int | None = None) -> np.ndarray:
        """Wrong answers in each fold, (r, folds, n / folds); or in the blocks held out, (r, h)."""
        repetitions, n = order.shape
        block = np.arange(n) // (n // n_folds)
        if held_out is not None:
            block = (block >= held_out).astype(int)
        folds = np.empty_like(order)
        np.put_along_axis(folds, order, np.broadcast_to(block, order.shape), axis=1)
        fits = np.take_along_axis(folds[:, None], self.neighbours, axis=2) != folds[..., None]
        first = fits.argmax(axis=-1)[..., None]
        wrong = np.take_along_axis(self.labels, first, axis=-1)[..., 0] != self.y
        wrong = np.take_along_axis(wrong, order, axis=1)
        if held_out is not None:
            return wrong[:, : held_out * (n // n_folds)]
        return wrong.reshape(repetitions, n_folds, n // n_folds)


class Tree:
    """An unpruned decision tree: the unstable learner, and the only one fitted one by one."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.X, self.y = X.astype(np.float32), y.astype(np.float64)

    def __call__(self, order: np.ndarray, n_folds: int, held_out: int | None = None) -> np.ndarray:
        """Wrong answers in each fold, (r, folds, n / folds); or in the blocks held out, (r, h)."""
        with config_context(assume_finite=True, skip_parameter_validation=True):
            return np.stack(
                [
                    self._wrong(sample, blocks, held_out)
                    for sample, blocks in enumerate(order.reshape(len(order), n_folds, -1))
                ]
            )

    def _wrong(self, sample: int, blocks: np.ndarray, held_out: int | None) -> np.ndarray:
        if held_out is not None:
            return self._fit(sample, blocks[held_out:].ravel(), blocks[:held_out].ravel())
        return np.stack(
            [
                self._fit(sample, np.delete(blocks, fold, axis=0).ravel(), blocks[fold])
                for fold in range(len(blocks))
            ]
        )

    def _fit(self, sample: int, training: np.ndarray, test: np.ndarray) -> np.ndarray:
        X, y = self.X[sample], self.y[sample]
        tree = DecisionTreeClassifier(random_state=0)
        tree.fit(X[training], y[training], check_input=False)
        return tree.predict(X[test], check_input=False) != y[test]


_LEARNERS: dict[Family, type[Linear] | type[Nearest] | type[Tree]] = {
    "linear": Linear,
    "1-NN": Nearest,
    "tree": Tree,
}
