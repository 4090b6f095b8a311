"""Minimise the generalised Bradley–Terry criterion by a primal-dual interior-point method."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from array_api_compat import device

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.decoding.arrivals import Arrivals
from polychotomy.decoding.divergence import (
    Point,
    Sides,
    curvature,
    expected_outputs,
    gradient,
    look_at,
    value,
)  # fmt: skip
from polychotomy.decoding.elimination import solve_if_definite

_LAST_BARRIER = 1e-24
_TO_THE_BORDER = 0.995
_DESCENT = 1e-4
_ROUNDING = 1e-13
_MOST_STEPS = 300
_SMALL_BARRIER = 1e-22
_ARRIVED = 1e-12
_STALLED = 1e-15
_NOISE = 1e-14
_LEAST_PIVOT = 1e-13
_LEAST = 1e-60  # no probability is followed below this


@dataclass
class _State:
    """Samples under way. z are the multipliers of p ≥ 0; on the path, p·z = barrier."""

    q: Floats  # (l, n)
    p: Floats  # (k, n)
    z: Floats  # (k, n)
    barrier: Floats  # (n,)

    def take(self, xp: ModuleType, where: Ints) -> _State:
        parts = (self.q, self.p, self.z, self.barrier)
        return _State(*(xp.take(part, where, axis=-1) for part in parts))


def follow_path(xp: ModuleType, sides: Sides, q: Floats, k: int) -> Floats:
    """Return the end of the path p(τ) = argmin f(p) − τ Σ log p as τ falls to 0, (k, n).

    The path starts at equal probabilities. Where f has several minimisers it ends at the most
    even one; where it has several minima, at the one that the path leads to.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_rest
    >>> from polychotomy.decoding.divergence import make_sides
    >>> q = np.array([[0.5], [0.3], [0.2]])
    >>> sides = make_sides(np, one_vs_rest(3), np.ones(3), q)
    >>> follow_path(np, sides, q, 3).ravel().round(9)
    array([0.5, 0.3, 0.2])
    """
    n = q.shape[1]
    p = xp.full((k, n), 1.0 / k, dtype=q.dtype, device=device(q))
    barrier = xp.full((n,), float(xp.sum(sides.weights)) / k, dtype=q.dtype, device=device(q))
    state = _State(q, p, barrier / p, barrier)
    arrivals = Arrivals(xp, p)
    for _ in range(_MOST_STEPS):
        arrived = _step(xp, sides, state)
        going = arrivals.add(state.p, arrived)
        if going.shape[0] == 0:
            break
        state = state.take(xp, going)
    else:
        arrivals.add(state.p, xp.ones(state.p.shape[1:], dtype=xp.bool, device=device(p)))
    return arrivals.together()


def _step(xp: ModuleType, sides: Sides, s: _State) -> Bools:
    """Lower the barrier, do one Newton step, return which samples have arrived."""
    at = look_at(sides, s.p)
    slopes = s.p * gradient(sides, s.q, at)
    s.barrier = _lower_barrier(xp, sides, s, slopes)
    move = _direction(xp, sides, s, at, slopes)
    length = _search(xp, sides, s, at, slopes, move)
    dual_move = s.barrier / s.p - s.z * (1.0 + move)
    z = s.z + _within(xp, dual_move / s.z) * dual_move
    p = s.p * (1.0 + length * move)
    total = xp.sum(p, axis=0)
    p = xp.maximum(p / total, _LEAST + 0.0 * p)
    moved = xp.max(xp.abs(p - s.p), axis=0)
    s.p, s.z = p, z * total
    small = (s.barrier <= _SMALL_BARRIER) & (moved <= _ARRIVED)
    stalled = (s.barrier <= _ARRIVED) & (moved <= _STALLED)
    arrived: Bools = small | stalled
    return arrived


def _lower_barrier(xp: ModuleType, sides: Sides, s: _State, slopes: Floats) -> Floats:
    """Return the next barrier where the path is near, faster the lower it is already."""
    products = s.p * s.z
    gap = xp.mean(products, axis=0)
    off = xp.max(xp.abs(slopes + s.p.shape[0] * gap * s.p - products), axis=0)
    noise = _NOISE * (1.0 + float(xp.sum(sides.weights)))  # of rounding in the slopes
    lower = xp.minimum(xp.minimum(0.1 * gap, gap**1.5), s.barrier)
    barrier = xp.where(off <= 10.0 * gap + noise, lower, s.barrier)
    lowered: Floats = xp.maximum(barrier, _LAST_BARRIER + 0.0 * barrier)
    return lowered


def _direction(xp: ModuleType, sides: Sides, s: _State, at: Point, slopes: Floats) -> Floats:
    """Return the relative change of p of the primal-dual Newton step."""
    right = -_barrier_slopes(s, slopes)
    move, definite = _solve(xp, sides, s, at, s.q, right)
    if bool(xp.all(definite)):
        return move
    fisher, _ = _solve(xp, sides, s, at, expected_outputs(at), right)
    chosen: Floats = xp.where(definite, move, fisher)
    return chosen


def _solve(
    xp: ModuleType, sides: Sides, s: _State, at: Point, r: Floats, right: Floats
) -> tuple[Floats, Bools]:
    """Solve (P H P + diag(p z) + W p pᵀ) δ = right, scaled to a unit diagonal."""
    k = s.p.shape[0]
    gauge = float(xp.sum(sides.weights))
    h = curvature(xp, sides, r, at)
    diagonal = xp.stack([h[i, i, :] for i in range(k)], axis=0)
    squares = (diagonal + gauge) * s.p * s.p + s.p * s.z
    definite = xp.all(squares > 0, axis=0)
    root = xp.sqrt(xp.where(squares > 0, squares, 1.0 + 0.0 * squares))
    scale = s.p / root
    for i in range(k):
        h[i, i:, :] = (h[i, i:, :] + gauge) * (scale[i, :] * scale[i:, :])
    for i in range(k):
        h[i, i, :] = 1.0
    x, positive = solve_if_definite(xp, h, right / root, least=_LEAST_PIVOT)
    x = x / root
    definite = definite & positive & (xp.sum(x * right, axis=0) >= 0)
    return xp.where(definite, x, right / squares), definite


def _barrier_slopes(s: _State, slopes: Floats) -> Floats:
    """Return p ∂/∂p of f − τ Σ log(p/Σp), which like f does not change when p is scaled."""
    reduced: Floats = slopes + s.barrier * (s.p.shape[0] * s.p - 1.0)
    return reduced


def _within(xp: ModuleType, relative: Floats) -> Floats:
    """Return how much of a step, at most all, keeps 1 + length·relative above zero."""
    steepest = xp.max(-relative, axis=0)
    floor = xp.maximum(steepest, _TO_THE_BORDER + 0.0 * steepest)
    length: Floats = _TO_THE_BORDER / floor
    return length


def _search(
    xp: ModuleType, sides: Sides, s: _State, at: Point, slopes: Floats, move: Floats
) -> Floats:
    """Return a step length that lowers f − τ Σ log p enough; only failing samples are retried."""
    tried = _within(xp, move)

    def barrier_value(at: Point, barrier: Floats, q: Floats) -> Floats:
        logs = xp.sum(xp.log(at.p), axis=0)
        result: Floats = value(xp, sides, q, at) - barrier * logs
        return result

    now = barrier_value(at, s.barrier, s.q)
    slope = xp.sum(_barrier_slopes(s, slopes) * move, axis=0)
    lengths = Arrivals(xp, s.p)
    p, q, barrier = s.p, s.q, s.barrier
    for _ in range(40):
        trial = p * (1.0 + tried * move)
        trial = trial / xp.sum(trial, axis=0)
        then = barrier_value(look_at(sides, trial), barrier, q)
        poor = then > now + _DESCENT * tried * slope + _ROUNDING * (1.0 + xp.abs(now))
        if not bool(xp.any(poor)):
            break
        where = xp.nonzero(poor)[0]
        lengths.add(tried[None, :], ~poor)
        tried, p, q, barrier, move, now, slope = (
            xp.take(x, where, axis=-1) for x in (tried, p, q, barrier, move, now, slope)
        )
        tried = 0.5 * tried
    lengths.add(tried[None, :], xp.ones(tried.shape, dtype=xp.bool, device=device(tried)))
    together: Floats = lengths.together()[0, :]
    return together
