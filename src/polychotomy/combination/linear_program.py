"""The margin's linear program on a few rows by the revised simplex method, dense and small.

A general solver spends milliseconds on its own bookkeeping before the first pivot; the programs
here have some ten to some hundred rows. Solved is the dual: minimise t over distributions λ on the
positives and μ on the negatives with λᵀA − μᵀB + s = t, s ≥ 0, a row for each classifier. With t
taken out by the classifier j₀, and A and B measured from one positive and one negative whose
difference is largest at j₀, the slacks, that positive and that negative are a feasible basis, and
its matrix is the identity. Ties in the ratio test are broken lexicographically (Dantzig, Orden &
Wolfe 1955), so that tied scores, of which there are many, never make it cycle.

Nothing here is trusted: the caller evaluates both sides at the answer, and turns to HiGHS where
they do not meet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import OptimizeResult, linprog

from polychotomy.combination.nearest_point import to_simplex
from polychotomy.core.arrays import Bools, Floats, Ints

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
    >>> from polychotomy.combination.linear_program import solve_game
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


_SUPPORT = 1e-9  # a weight or dual below this is zero in the refinement

_ROUNDING = 1e-14  # a gap below this is not worth refining

_WORTH_SCALING = 1e-12  # nor one below this another solution

# HiGHS's tightest; where it gives up on them, its own defaults, and the refinement does the rest.
_ATTEMPTS: tuple[dict[str, float | bool], ...] = (
    {"presolve": False, "primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    {"presolve": True},
)


@dataclass(frozen=True)
class WorkingSet:
    """Rows of both classes that may bind, shifted and scaled to differences of order 1.

    A margin does not feel a shift of a column, and feels one of all the positives as a constant. So
    classifiers that differ by 1e-9 only are as good a problem as any.
    """

    positives: Ints  # (p,) row numbers, ascending
    negatives: Ints  # (q,)
    high: Floats  # (p, m), the positives' scores: high * scale + offset + shift of the column
    low: Floats  # (q, m)
    scale: float
    offset: float
    rounding: float  # of a combined score

    @classmethod
    def of(cls, high: Floats, low: Floats, positives: Ints, negatives: Ints) -> WorkingSet:
        """Take those of these rows, of these numbers, that can bind."""
        rounding = (
            4 * float(np.finfo(np.float64).eps) * float(max(np.abs(high).max(), np.abs(low).max()))
        )
        # At any weights the lowest positive is at most min max, so a row above that never binds.
        kept_high = high.min(axis=1) <= high.max(axis=1).min()
        kept_low = low.max(axis=1) >= low.min(axis=1).max()
        high, low = high[kept_high], low[kept_low]
        shift = low[0].copy()
        high, low = high - shift, low - shift
        offset = float(high[0].mean())
        high -= offset
        scale = max(float(np.abs(high).max()), float(np.abs(low).max()), rounding) or 1.0
        return cls(
            positives[kept_high], negatives[kept_low], high / scale, low / scale,
            scale, offset, rounding,
        )  # fmt: skip

    def margin(self, value: float) -> float:
        """Return a margin of these rows in the unit of the scores."""
        return value * self.scale + self.offset

    def has_same_rows(self, other: WorkingSet) -> bool:
        """Say whether growing has added nothing."""
        return np.array_equal(self.positives, other.positives) and np.array_equal(
            self.negatives, other.negatives
        )


@dataclass(frozen=True)
class Saddle:
    """Weights, and duals that bound every other margin, on a working set and in its scale."""

    weights: Floats  # (m,), on the simplex
    high: Floats  # (p,), on the simplex
    low: Floats  # (q,), on the simplex
    margin: float
    bound: float

    @classmethod
    def at(cls, working: WorkingSet, weights: Floats, high: Floats, low: Floats) -> Saddle:
        """Evaluate both sides."""
        margin = (working.high @ weights).min() - (working.low @ weights).max()
        bound = (high @ working.high - low @ working.low).max()
        return cls(weights, high, low, float(margin), float(bound))


def solve_saddle(working: WorkingSet) -> Saddle:
    """Solve the program on the working set: by our own simplex where it certifies, else HiGHS."""
    saddle = _solve_small(working)
    if saddle is not None:
        return saddle
    saddle = _solve(working, np.ones(working.high.shape[1]))
    if saddle.bound - saddle.margin <= _WORTH_SCALING:
        return saddle
    # Classifiers whose scores are of very different sizes: the solver's tolerance is one for all of
    # them, so give each its own unit.
    sizes = np.maximum(np.abs(working.high).max(axis=0), np.abs(working.low).max(axis=0))
    again = _solve(working, np.maximum(sizes, 1e-8 * sizes.max()))
    return _better(working, saddle, again.weights, again.high, again.low)


def _solve_small(working: WorkingSet) -> Saddle | None:
    """Our own simplex, or None where its two sides do not meet to rounding."""
    found = solve_game(working.high, working.low)
    if found is None:
        return None
    parts = [np.where(part > 0, part, 0.0) for part in (found.weights, found.high, found.low)]
    if not all(abs(part.sum() - 1.0) < _SUPPORT for part in parts):
        return None
    saddle = Saddle.at(working, *(to_simplex(part) for part in parts))
    return saddle if saddle.bound - saddle.margin <= _ROUNDING else None


def _solve(working: WorkingSet, units: Floats) -> Saddle:
    solution = _solve_dual_program(working, units)
    duals, p = solution.x, len(working.positives)
    weights = -solution.ineqlin.marginals / units
    parts = (weights / weights.sum(), duals[:p], duals[p:-1])
    saddle = Saddle.at(working, *(to_simplex(part) for part in parts))
    return saddle if saddle.bound - saddle.margin <= _ROUNDING else _refine(working, saddle)


def _solve_dual_program(working: WorkingSet, units: Floats) -> OptimizeResult:
    """Minimise t over λ, μ on their simplices, with λᵀA − μᵀB ≤ t for every classifier.

    The dual has a row for each classifier, the primal a row for each sample: HiGHS is faster on
    this one. Each row is divided by its unit, and t by the smallest.
    """
    p, q, m = len(working.positives), len(working.negatives), working.high.shape[1]
    cost = np.zeros(p + q + 1)
    cost[-1] = 1.0
    rows = np.concatenate([working.high.T, -working.low.T, np.full((m, 1), -units.min())], axis=1)
    rows /= units[:, None]
    sums = np.zeros((2, p + q + 1))
    sums[0, :p] = sums[1, p:-1] = 1.0
    bounds = np.zeros((p + q + 1, 2))
    bounds[:, 1] = np.inf
    bounds[-1, 0] = -np.inf
    for options in _ATTEMPTS:
        solution = linprog(
            cost, A_ub=rows, b_ub=np.zeros(m), A_eq=sums, b_eq=np.ones(2), bounds=bounds,
            method="highs", options=options,
        )  # fmt: skip
        if solution.status == 0:
            break
    return solution


def _refine(working: WorkingSet, saddle: Saddle) -> Saddle:
    """Solve the equations of the final basis afresh; keep what is better."""
    columns = saddle.weights > _SUPPORT
    high, low = saddle.high > _SUPPORT, saddle.low > _SUPPORT
    system, target = binding_equations(working, high, low, columns)
    primal = np.zeros(len(columns))
    primal[columns] = np.linalg.lstsq(system, target, rcond=None)[0][:-2]
    dual_target = np.zeros(system.shape[1])
    dual_target[-2:] = -1.0, 1.0
    dual = np.linalg.lstsq(system.T, dual_target, rcond=None)[0][:-1]
    duals_high, duals_low = np.zeros(len(high)), np.zeros(len(low))
    duals_high[high], duals_low[low] = dual[: high.sum()], -dual[high.sum() :]
    return _better(working, saddle, primal, duals_high, duals_low)


def binding_equations(
    working: WorkingSet, high: Bools, low: Bools, columns: Bools
) -> tuple[Floats, Floats]:
    """System of the weights in ``columns`` and of u, v: A w = u, B w = v, Σw = 1."""
    a, b = working.high[high][:, columns], working.low[low][:, columns]
    system = np.zeros((len(a) + len(b) + 1, a.shape[1] + 2))
    system[: len(a), :-2], system[: len(a), -2] = a, -1.0
    system[len(a) : -1, :-2], system[len(a) : -1, -1] = b, -1.0
    system[-1, :-2] = 1.0
    target = np.zeros(len(system))
    target[-1] = 1.0
    return system, target


def _better(working: WorkingSet, old: Saddle, weights: Floats, high: Floats, low: Floats) -> Saddle:
    parts = [np.where(part > 0, part, 0.0) for part in (weights, high, low)]
    if not all(part.sum() > 0.5 for part in parts):
        return old
    new = Saddle.at(working, *(to_simplex(part) for part in parts))
    return Saddle(
        new.weights if new.margin > old.margin else old.weights,
        new.high if new.bound < old.bound else old.high,
        new.low if new.bound < old.bound else old.low,
        max(new.margin, old.margin),
        min(new.bound, old.bound),
    )
