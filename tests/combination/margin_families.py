"""Score matrices for the margin tests: easy, degenerate and hard; and the naive program."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import linprog


def _signs(y):
    return np.where(y == 1, 1.0, -1.0)[:, None]


FAMILIES: dict[str, Callable] = {
    "gaussian": lambda rng, y, m: rng.normal(size=(len(y), m)),
    "useful": lambda rng, y, m: np.tanh(rng.normal(size=(len(y), m)) + _signs(y)),
    "separable": lambda rng, y, m: np.tanh(0.2 * rng.normal(size=(len(y), m)) + 2 * _signs(y)),
    "good and bad": lambda rng, y, m: np.tanh(
        rng.normal(size=(len(y), m)) + np.linspace(-1, 2, m) * _signs(y)
    ),
    "heavy ties": lambda rng, y, m: np.round(rng.normal(size=(len(y), m))),
    "votes": lambda rng, y, m: rng.integers(0, 2, size=(len(y), m)).astype(float),
    "near duplicates": lambda rng, y, m: (
        rng.normal(size=(len(y), 1)) + 1e-7 * rng.normal(size=(len(y), m))
    ),
    "duplicates but for rounding": lambda rng, y, m: (
        rng.normal(size=(len(y), 1)) + 1e-14 * rng.normal(size=(len(y), m))
    ),
    "identical": lambda rng, y, m: np.repeat(rng.normal(size=(len(y), 1)), m, axis=1),
    "one constant": lambda rng, y, m: np.column_stack(
        [rng.normal(size=(len(y), m - 1)), np.full(len(y), 0.3)]
    ),
    "all tied": lambda rng, y, m: np.full((len(y), m), rng.normal()),
    "outliers": lambda rng, y, m: rng.standard_t(1, size=(len(y), m)),
    "scales apart": lambda rng, y, m: rng.normal(size=(len(y), m)) * np.logspace(-2, 2, m),
    "far from zero": lambda rng, y, m: rng.normal(size=(len(y), m)) + 1e4,
    "sphere": lambda rng, y, m: _on_sphere(rng.normal(size=(len(y), m))),
    "worst last": lambda rng, y, m: np.sort(rng.normal(size=(len(y), m)) * _signs(y), axis=0),
}


def _on_sphere(points):
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def draw(family: str, seed: int, *, n: int, m: int):
    """Scores and labels of a family; both classes occur."""
    rng = np.random.default_rng(seed)
    y = np.zeros(n, dtype=int)
    y[rng.permutation(n)[: rng.integers(1, n)]] = 1
    return FAMILIES[family](rng, y, m), y


def naive_margin(scores, y) -> float:
    """The paper's program, rows are crucial pairs, with Σw = 1; evaluated at the weights found."""
    pairs = (scores[y == 1][:, None] - scores[y == 0][None]).reshape(-1, scores.shape[1])
    scale = np.abs(pairs).max() or 1.0
    m = scores.shape[1]
    solution = linprog(
        np.append(np.zeros(m), -1.0),
        A_ub=np.column_stack([-pairs / scale, np.ones(len(pairs))]),
        b_ub=np.zeros(len(pairs)),
        A_eq=np.append(np.ones(m), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    weights = np.maximum(solution.x[:-1], 0)
    return float((pairs @ (weights / weights.sum())).min())
