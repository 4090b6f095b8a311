"""The generalised Bradley–Terry criterion of any code, minimised by an interior-point method.

f(p) = Σ_l w_l (log T_l − Σ_s a_ls log S_ls), S_ls the probability of the classes with side s of row
l, a_ls what was answered for it, and T_l the probability of all classes in the row: the weighted
KL divergence up to a constant. Dichotomies have two sides, codes over letters more. f does not
change when p is scaled. Samples are last: answers are (s, n), p is (k, n).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np
from array_api_compat import device

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.decoding.kernels.elimination import ELEMENTWISE, solve_if_definite
from polychotomy.decoding.kernels.newton import ConvergedSamples
from polychotomy.decoding.prepared import like

_TINY = 1e-300  # keeps 0·log 0 at 0


@dataclass(frozen=True, eq=False)
class Criterion:
    """The rows of a code as terms ± w log(members · p)."""

    members: Floats  # (s + l', k) of 0 and 1: each side; each row in which not all classes are
    rows: Floats  # (s, k): all classes of each side's row
    weights: Floats  # (s, 1)
    partial_weights: Floats  # (l', 1)
    full_weight: float  # of the rows with all classes together; their T is Σp
    weight: float  # of all rows
    products: Floats | None  # (k(k+1)/2, s + l') products of two classes' members; see curvature

    def coefficients(self, xp: ModuleType, answers: Floats) -> Floats:
        """Return what the logarithms are multiplied by, (s + l', n), for answers (s, n)."""
        totals = self.partial_weights + 0.0 * answers[:1, :]
        return xp.concat([-self.weights * answers, totals], axis=0)


def make_criterion(
    xp: ModuleType, sides: Bools, row_of: Ints, asked: Bools, weights: Floats, kind: Floats
) -> Criterion:
    """Return the terms for sides (s, k) of the rows ``row_of`` (s,), which ask ``asked`` (l, k).

    Weights are (l,); arrays are in the namespace and on the device of ``kind``.

    Examples
    --------
    >>> import numpy as np
    >>> letters, one_row = np.eye(3, dtype=bool), np.ones((1, 3), dtype=bool)
    >>> made = make_criterion(np, letters, np.zeros(3, int), one_row, np.ones(1), np.ones(1))
    >>> follow_path(np, made, np.array([[0.5], [0.3], [0.2]])).ravel().round(9)
    array([0.5, 0.3, 0.2])
    """
    partial = np.flatnonzero(~asked.all(axis=1))
    members, k = np.concatenate([sides, asked[partial]]), sides.shape[1]
    products = None
    if k <= ELEMENTWISE:
        first, second = np.triu_indices(k)
        products = like(xp, (members[:, first] & members[:, second]).T, kind)
    return Criterion(
        members=like(xp, members, kind),
        rows=like(xp, asked[row_of], kind),
        weights=like(xp, weights[row_of, None], kind),
        partial_weights=like(xp, weights[partial, None], kind),
        full_weight=float(weights.sum() - weights[partial].sum()),
        weight=float(weights.sum()),
        products=products,
    )


def curvature(xp: ModuleType, criterion: Criterion, factors: Floats, at: Floats) -> Floats:
    """Return the Hessian of f, (k, k, n), in its upper triangle at least.

    Its part −W·11ᵀ from the rows with all classes is left out: along Σp = 1 it plays no role.
    """
    weights = -factors / at**2
    k, n = criterion.members.shape[1], at.shape[1]
    if criterion.products is None:
        weighted = weights.T[:, None, :] * criterion.members.T  # (n, k, s + l')
        return xp.moveaxis(xp.matmul(weighted, criterion.members), 0, -1)
    triangle = criterion.products @ weights
    upper: Floats = xp.empty((k, k, n), dtype=at.dtype, device=device(at))
    start = 0
    for i in range(k):
        upper[i, i:, :] = triangle[start : start + k - i, :]
        start += k - i
    return upper


_LAST_BARRIER = 1e-24

_TO_THE_BORDER = 0.995

_DESCENT = 1e-4

_ROUNDING = 1e-13

_MOST_STEPS = 300

_SMALL_BARRIER = 1e-22

_CONVERGED = 1e-12

_STALLED = 1e-15

_NOISE = 1e-14

_LEAST_PIVOT = 1e-13

_LEAST = 1e-60  # no probability is followed below this


@dataclass
class _State:
    """Samples under way. z are the multipliers of p ≥ 0; on the path, p·z = barrier."""

    factors: Floats  # (s + l', n), of the logarithms
    p: Floats  # (k, n)
    z: Floats  # (k, n)
    barrier: Floats  # (n,)

    def take(self, xp: ModuleType, where: Ints) -> _State:
        parts = (self.factors, self.p, self.z, self.barrier)
        return _State(*(xp.take(part, where, axis=-1) for part in parts))


def follow_path(xp: ModuleType, criterion: Criterion, answers: Floats) -> Floats:
    """Return the end of the path p(τ) = argmin f(p) − τ Σ log p as τ falls to 0, (k, n).

    The path starts at equal probabilities. Where f has several minimisers it ends at the most
    even one; where it has several minima, at the one that the path leads to.
    """
    n, k = answers.shape[1], criterion.members.shape[1]
    p = xp.full((k, n), 1.0 / k, dtype=answers.dtype, device=device(answers))
    barrier = xp.full((n,), criterion.weight / k, dtype=p.dtype, device=device(answers))
    state = _State(criterion.coefficients(xp, answers), p, barrier / p, barrier)
    finished = ConvergedSamples(xp, p)
    for _ in range(_MOST_STEPS):
        converged = _step(xp, criterion, state)
        going = finished.add(state.p, converged)
        if going.shape[0] == 0:
            break
        state = state.take(xp, going)
    else:
        finished.add(state.p, xp.ones(state.p.shape[1:], dtype=xp.bool, device=device(p)))
    return finished.together()


def _step(xp: ModuleType, criterion: Criterion, s: _State) -> Bools:
    """Lower the barrier, do one Newton step, return which samples have converged."""
    at = criterion.members @ s.p
    slopes = s.p * (criterion.full_weight + criterion.members.T @ (s.factors / at))
    s.barrier = _lower_barrier(xp, criterion, s, slopes)
    # p ∂/∂p of f − τ Σ log(p/Σp), which like f does not change when p is scaled.
    slopes = slopes + s.barrier * (s.p.shape[0] * s.p - 1.0)
    move = _direction(xp, criterion, s, at, slopes)
    length = _search(xp, criterion, s, at, slopes, move)
    dual_move = s.barrier / s.p - s.z * (1.0 + move)
    z = s.z + _within(xp, dual_move / s.z) * dual_move
    p = s.p * (1.0 + length * move)
    total = xp.sum(p, axis=0)
    p = xp.maximum(p / total, _LEAST + 0.0 * p)
    moved = xp.max(xp.abs(p - s.p), axis=0)
    s.p, s.z = p, z * total
    small = (s.barrier <= _SMALL_BARRIER) & (moved <= _CONVERGED)
    stalled = (s.barrier <= _CONVERGED) & (moved <= _STALLED)
    return small | stalled


def _lower_barrier(xp: ModuleType, criterion: Criterion, s: _State, slopes: Floats) -> Floats:
    """Return the next barrier where the path is near, faster the lower it is already."""
    products = s.p * s.z
    gap = xp.mean(products, axis=0)
    off = xp.max(xp.abs(slopes + s.p.shape[0] * gap * s.p - products), axis=0)
    noise = _NOISE * (1.0 + criterion.weight)  # of rounding in the slopes
    lower = xp.minimum(xp.minimum(0.1 * gap, gap**1.5), s.barrier)
    barrier = xp.where(off <= 10.0 * gap + noise, lower, s.barrier)
    return xp.maximum(barrier, _LAST_BARRIER + 0.0 * barrier)


def _direction(
    xp: ModuleType, criterion: Criterion, s: _State, at: Floats, slopes: Floats
) -> Floats:
    """Return the relative change of p of the primal-dual Newton step."""
    move, definite = _solve(xp, criterion, s, s.factors, at, -slopes)
    if bool(xp.all(definite)):
        return move
    # With the answers that p would give, it is the Fisher information, which is never negative.
    expected = at[: criterion.rows.shape[0], :] / (criterion.rows @ s.p)
    fisher, _ = _solve(xp, criterion, s, criterion.coefficients(xp, expected), at, -slopes)
    return xp.where(definite, move, fisher)


@np.errstate(over="ignore", invalid="ignore")  # what overflows is not taken for definite
def _solve(
    xp: ModuleType, criterion: Criterion, s: _State, factors: Floats, at: Floats, right: Floats
) -> tuple[Floats, Bools]:
    """Solve (P H P + diag(p z) + W p pᵀ) δ = right, scaled to a unit diagonal."""
    k, gauge = s.p.shape[0], criterion.weight
    h = curvature(xp, criterion, factors, at)
    diagonal = xp.stack([h[i, i, :] for i in range(k)], axis=0)
    squares = (diagonal + gauge) * s.p * s.p + s.p * s.z
    definite = xp.all(squares > 0, axis=0)
    root = xp.sqrt(xp.where(squares > 0, squares, 1.0 + 0.0 * squares))
    scale = s.p / root
    for i in range(k):
        h[i, i:, :] = (h[i, i:, :] + gauge) * (scale[i, :] * scale[i:, :])
        h[i, i, :] = 1.0
    x, positive = solve_if_definite(xp, h, right / root, least=_LEAST_PIVOT)
    x = x / root
    definite = definite & positive & (xp.sum(x * right, axis=0) >= 0)
    return xp.where(definite, x, right / squares), definite


def _within(xp: ModuleType, relative: Floats) -> Floats:
    """Return how much of a step, at most all, keeps 1 + length·relative above zero."""
    steepest = xp.max(-relative, axis=0)
    floor = xp.maximum(steepest, _TO_THE_BORDER + 0.0 * steepest)
    return _TO_THE_BORDER / floor


def _search(
    xp: ModuleType, criterion: Criterion, s: _State, at: Floats, slopes: Floats, move: Floats
) -> Floats:
    """Return a step length that lowers f − τ Σ log p enough; only failing samples are retried."""

    def barrier_value(p: Floats, at: Floats, factors: Floats, barrier: Floats) -> Floats:
        fit = xp.sum(factors * xp.log(at + _TINY), axis=0)
        return fit - barrier * xp.sum(xp.log(p), axis=0)

    p, factors, barrier, tried = s.p, s.factors, s.barrier, _within(xp, move)
    now, slope = barrier_value(p, at, factors, barrier), xp.sum(slopes * move, axis=0)
    lengths = ConvergedSamples(xp, p)
    for _ in range(40):
        trial = p * (1.0 + tried * move)
        trial = trial / xp.sum(trial, axis=0)
        then = barrier_value(trial, criterion.members @ trial, factors, barrier)
        poor = then > now + _DESCENT * tried * slope + _ROUNDING * (1.0 + xp.abs(now))
        if not bool(xp.any(poor)):
            break
        where = xp.nonzero(poor)[0]
        lengths.add(tried[None, :], ~poor)
        tried, p, factors, barrier, move, now, slope = (
            xp.take(x, where, axis=-1) for x in (tried, p, factors, barrier, move, now, slope)
        )
        tried = 0.5 * tried
    lengths.add(tried[None, :], xp.ones(tried.shape, dtype=xp.bool, device=device(tried)))
    return lengths.together()[0, :]
