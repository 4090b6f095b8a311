"""The margin's linear program on a few rows by the revised simplex method, dense and small.

A general solver spends milliseconds on its own bookkeeping before the first pivot; the programs
here have some ten to some hundred rows. Solved is the dual: minimise t over distributions λ on the
positives and μ on the negatives with λᵀA − μᵀB + s = t, s ≥ 0, a row a classifier. With t taken out
by the classifier j₀, and A and B measured from one positive and one negative whose difference is
largest at j₀, the slacks, that positive and that negative are a feasible basis, and its matrix is
the identity. Ties in the ratio test are broken lexicographically (Dantzig, Orden & Wolfe 1955), so
that tied scores, of which there are many, never make it cycle.

Nothing here is trusted: the caller evaluates both sides at the answer, and turns to HiGHS where
they do not meet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polychotomy.arrays import Floats, Ints

_REDUCED = 1e-11  # a reduced cost above minus this is none
_PIVOT = 1e-9  # a smaller pivot is not taken
_TIE = 1e-12
_PIVOTS = 50  # a classifier, and ten times as many at least; one to three are usual


@dataclass(frozen=True)
class GameSolution:
    """Weights on the classifiers and duals on both classes, each on its simplex to rounding."""

    weights: Floats  # (m,)
    high: Floats  # (p,)
    low: Floats  # (q,)
    pivots: int


@dataclass(frozen=True)
class _Program:
    """Minimise costs @ x subject to columns @ x = target, x ≥ 0, from a basis that is the identity.

    Columns: the p positives, the q negatives, the slack of j₀, the slacks of the others. Rows: the
    classifiers but j₀, then the two sums.
    """

    columns: Floats  # (m + 1, p + q + m)
    costs: Floats
    target: Floats
    basis: Ints
    first: int  # j₀

    @classmethod
    def of(cls, high: Floats, low: Floats) -> _Program:
        p, q, m = len(high), len(low), high.shape[1]
        i, k = int(high.sum(axis=1).argmin()), int(low.sum(axis=1).argmax())
        difference = high[i] - low[k]
        first = int(difference.argmax())
        others = np.delete(np.arange(m), first)
        columns, costs = np.zeros((m + 1, p + q + m)), np.zeros(p + q + m)
        from_i, from_k = high - high[i], low - low[k]
        columns[:-2, :p] = (from_i[:, others] - from_i[:, first, None]).T
        columns[:-2, p : p + q] = (from_k[:, first, None] - from_k[:, others]).T
        columns[-2, :p] = columns[-1, p : p + q] = 1.0
        columns[:-2, p + q] = -1.0
        columns[:-2, p + q + 1 :] = np.eye(m - 1)
        costs[:p], costs[p : p + q], costs[p + q] = high[:, first], -low[:, first], 1.0
        target = np.concatenate([difference[first] - difference[others], [1.0, 1.0]])
        basis = np.concatenate([np.arange(p + q + 1, p + q + m), [i, p + k]])
        return cls(columns, costs, target, basis, first)


def solve_game(high: Floats, low: Floats) -> GameSolution | None:
    """Weights of the largest margin on these rows, or None where the pivots run out.

    Parameters
    ----------
    high, low : (p, m) and (q, m) floats
        Scores of positives and of negatives, of order 1.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.game_simplex import solve_game
    >>> found = solve_game(np.array([[0.9, 0.2], [0.1, 0.8]]), np.array([[0.0, 0.0]]))
    >>> found.weights.round(6), found.high.round(6)  # 0.9 w + 0.2 (1 − w) = 0.1 w + 0.8 (1 − w)
    (array([0.428571, 0.571429]), array([0.5, 0.5]))
    """
    program = _Program.of(high, low)
    found = _pivot_to_optimum(program)
    if found is None:
        return None
    basis, pivots = found
    matrix = program.columns[:, basis]
    try:  # afresh from the final basis: updates have gathered rounding
        values = np.linalg.solve(matrix, program.target)
        prices = np.linalg.solve(matrix.T, program.costs[basis])
    except np.linalg.LinAlgError:
        return None
    duals = np.zeros(len(program.costs))
    duals[basis] = values
    weights = np.insert(-prices[:-2], program.first, 1.0 + prices[:-2].sum())
    p, q = len(high), len(low)
    return GameSolution(weights, duals[:p], duals[p : p + q], pivots)


def _pivot_to_optimum(program: _Program) -> tuple[Ints, int] | None:
    """Revised simplex with the explicit inverse; the column of least reduced cost enters."""
    columns, costs, basis = program.columns, program.costs, program.basis.copy()
    inverse, values = np.eye(len(basis)), program.target.copy()
    prices = costs[basis] * 1.0
    for pivot in range(_PIVOTS * max(len(basis), 10)):
        reduced = costs - prices @ columns
        entering = int(reduced.argmin())
        if reduced[entering] >= -_REDUCED:
            return basis, pivot
        direction = inverse @ columns[:, entering]
        leaving = _leaving_row(inverse, values, direction)
        if leaving is None:
            return None
        row, step = inverse[leaving] / direction[leaving], values[leaving] / direction[leaving]
        prices = prices + reduced[entering] * row
        direction[leaving] -= 1.0
        inverse -= direction[:, None] * row
        values = np.maximum(values - direction * step, 0.0)
        basis[leaving] = entering
    return None


def _leaving_row(inverse: Floats, values: Floats, direction: Floats) -> int | None:
    """Smallest ratio; of equal ones the lexicographically smallest row of the inverse, scaled."""
    eligible = np.flatnonzero(direction > _PIVOT)
    if not len(eligible):
        return None
    ratios = values[eligible] / direction[eligible]
    tied = eligible[ratios <= ratios.min() + _TIE]
    if len(tied) > 1:
        rows = inverse[tied] / direction[tied, None]
        tied = tied[np.lexsort(rows.T[::-1])]
    return int(tied[0])
