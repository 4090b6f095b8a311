"""Work of any size for the kernels: what growth.py times and memory.py weighs.

Each function takes a size and returns a call on random data of that size.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from polychotomy.codes.orthogonal import orthogonal
from polychotomy.combination import rank_margin_weights
from polychotomy.combination.pair_margins import auc, pair_margins, rank_margin
from polychotomy.combination.rank_boost import boost_rankers
from polychotomy.comparison import multitest_many
from polychotomy.decoding import make_decoder, project_to_simplex
from polychotomy.decoding.couple import couple
from polychotomy.decoding.decode import decode
from polychotomy.decomposition import decompose_predictions
from polychotomy.multiclass import CodedClassifier, merge_machines
from polychotomy.validation import probability_trace

Work = Callable[[], object]


def decoding(code: np.ndarray, decoder: str) -> Callable[[int], Work]:
    def make(n: int) -> Work:
        outputs = _random(n, len(code)) * 0.9 + 0.05
        return lambda: decode(code, outputs, decoder=decoder)

    return make


def decoding_of_classes(
    code: str, decoder: str, rows: Callable[[int], int]
) -> Callable[[int], Work]:
    """Work by the number of classes; one-vs-one as tables, its matrix being half a gigabyte."""

    def make(k: int) -> Work:
        n = rows(k)
        if code == "orthogonal":
            prepared = make_decoder(orthogonal(k), decoder=decoder)
            outputs = _random(n, prepared.shape[0]) * 0.9 + 0.05
            return lambda: prepared(outputs)
        upper = np.triu(_random(n, k * k).reshape(n, k, k) * 0.9 + 0.05, 1)
        tables = upper + np.tril(1 - np.swapaxes(upper, 1, 2), -1)
        return lambda: couple(tables, decoder=decoder)

    return make


def projection(n: int) -> Work:
    points = _random(n, 10) * 2 - 1
    return lambda: project_to_simplex(points)


def coupling(n: int) -> Work:
    r = _random(n, 100).reshape(n, 10, 10) + 0.05
    table = r / (r + np.swapaxes(r, 1, 2))
    return lambda: couple(table)


def coded_prediction(n: int) -> Work:
    from sklearn.svm import SVC

    X, y = _random(400, 8), np.arange(400) % 10
    model, new = CodedClassifier(SVC()).fit(X, y), _random(n, 8)
    return lambda: model.predict_proba(new)


def merged_machines(n: int) -> Work:
    from sklearn.svm import SVC

    X, y = _random(400, 8), np.arange(400) % 10
    machines = [
        SVC().fit(X[(y == i) | (y == j)], y[(y == i) | (y == j)])
        for i in range(10)
        for j in range(i + 1, 10)
    ]
    merged, new = merge_machines(machines), _random(n, 8)
    return lambda: merged.decision_function(new)


def margin_of_weights(n: int) -> Work:
    scores, y = _ranked(n, 20)
    weights = np.full(20, 0.05)
    return lambda: rank_margin(scores, y, weights=weights)


def hard_margin(n: int) -> Work:
    scores, y = _ranked(n, 20)
    return lambda: rank_margin_weights(scores, y)


def soft_margin(n: int) -> Work:
    scores, y = _ranked(n, 20)
    return lambda: rank_margin_weights(scores, y, slack=20.0)


def area(n: int) -> Work:
    scores, y = _ranked(n, 1)
    return lambda: auc(scores[:, 0], y)


def margins_of_pairs(n: int) -> Work:
    scores, y = _ranked(n, 1)
    return lambda: pair_margins(scores, y)


def boosting(n: int) -> Work:
    X, y = _ranked(n, 20)
    return lambda: boost_rankers(X, y == 1, rounds=10, counts=np.ones(n))


def error_budget(n: int) -> Work:
    rng = np.random.default_rng(0)
    predictions = rng.dirichlet(np.ones(3), size=(50, n))
    in_bag = rng.poisson(1.0, size=(50, n))
    y = rng.integers(3, size=n)
    return lambda: decompose_predictions(predictions, in_bag, y)


def trace(n: int) -> Work:
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.ones(5), size=n)
    y = rng.integers(5, size=n)
    return lambda: probability_trace(probabilities, y)


def orders(runs: int) -> Work:
    errors = _random(runs, 5 * 5 * 2).reshape(1, runs, 5, 5, 2)
    return lambda: multitest_many(errors)


def _random(n: int, columns: int) -> np.ndarray:
    return np.random.default_rng(0).uniform(size=(n, columns))


def _ranked(n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    y = np.arange(n) % 2
    noise = np.random.default_rng(0).normal(size=(n, m))
    return np.tanh(0.5 * noise + (y - 0.5)[:, None]), y
