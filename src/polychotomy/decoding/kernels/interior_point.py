"""The generalised Bradley–Terry criterion of any code: its value, gradient and curvature.

f(p) = Σ_l w_l (log T − q log S₊ − (1 − q) log S₋), with S₊ and S₋ the probability on the sides of
dichotomy l and T = S₊ + S₋: the weighted KL divergence up to a constant. It does not change when
p is scaled. Samples are last: q is (l, n), p is (k, n).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np
from array_api_compat import device

from polychotomy.core.arrays import Bools, Code, Floats, Ints
from polychotomy.decoding.kernels.elimination import ELEMENTWISE, solve_if_definite
from polychotomy.decoding.kernels.newton import ConvergedSamples
from polychotomy.decoding.prepared import like

_TINY = 1e-300  # keeps 0·log 0 at 0


@dataclass(frozen=True, eq=False)
class Sides:
    """A code as matrices: who is on each side, and on either side where that is not everybody."""

    plus: Floats  # (l, k) of 0 and 1
    minus: Floats  # (l, k)
    either: Floats  # (l', k), only of the rows with zeros
    weights: Floats  # (l, 1)
    partial_weights: Floats  # (l', 1)
    full_weight: float  # of the rows without zeros together; their T is Σp
    products: Floats | None  # (k(k+1)/2, 2l + l') products of two classes' entries; see curvature


def make_sides(xp: ModuleType, code: Code, weights: Floats, kind: Floats) -> Sides:
    """Return the matrices of a code's rows, in the namespace and on the device of ``kind``.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> make_sides(np, one_vs_one(3), np.ones(3), np.ones(1)).minus
    array([[0., 1., 0.],
           [0., 0., 1.],
           [0., 0., 1.]])
    """
    partial = np.flatnonzero((code == 0).any(axis=1))
    parts = [code > 0, code < 0, code[partial] != 0]
    k = code.shape[1]
    products = None
    if k <= ELEMENTWISE:
        stacked = np.concatenate(parts).T.astype(np.float64)  # (k, 2l + l')
        first, second = np.triu_indices(k)
        products = like(xp, stacked[first] * stacked[second], kind)
    return Sides(
        plus=like(xp, parts[0], kind),
        minus=like(xp, parts[1], kind),
        either=like(xp, parts[2], kind),
        weights=like(xp, weights[:, np.newaxis], kind),
        partial_weights=like(xp, weights[partial, np.newaxis], kind),
        full_weight=float(weights.sum() - weights[partial].sum()),
        products=products,
    )


@dataclass(frozen=True, eq=False)
class Point:
    """Where the criterion is looked at: p, and the probability on the sides there."""

    p: Floats
    plus: Floats
    minus: Floats
    either: Floats


def look_at(sides: Sides, p: Floats) -> Point:
    """Return the sides' probabilities at p, which adds up to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_rest
    >>> q, p = np.array([[0.5], [0.3], [0.2]]), np.array([[0.5], [0.3], [0.2]])
    >>> sides = make_sides(np, one_vs_rest(3), np.ones(3), q)
    >>> look_at(sides, p).plus.ravel()
    array([0.5, 0.3, 0.2])
    """
    return Point(p, sides.plus @ p, sides.minus @ p, sides.either @ p)


def value(xp: ModuleType, sides: Sides, q: Floats, at: Point) -> Floats:
    """Return f, (n,).

    Examples
    --------
    The entropies of the outputs, where these are fitted exactly:

    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_rest
    >>> q, p = np.array([[0.5], [0.3], [0.2]]), np.array([[0.5], [0.3], [0.2]])
    >>> sides = make_sides(np, one_vs_rest(3), np.ones(3), q)
    >>> value(np, sides, q, look_at(sides, p)).round(6)
    array([1.804414])
    """
    fit = q * xp.log(at.plus + _TINY) + (1.0 - q) * xp.log(at.minus + _TINY)
    total = xp.sum(sides.partial_weights * xp.log(at.either + _TINY), axis=0)
    return total - xp.sum(sides.weights * fit, axis=0)


def gradient(sides: Sides, q: Floats, at: Point) -> Floats:
    """Return ∂f/∂p, (k, n).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_rest
    >>> q, p = np.array([[0.5], [0.3], [0.2]]), np.array([[0.5], [0.3], [0.2]])
    >>> sides = make_sides(np, one_vs_rest(3), np.ones(3), q)
    >>> bool(np.allclose(gradient(sides, q, look_at(sides, p)), 0))
    True
    """
    w = sides.weights
    return (
        sides.full_weight
        + sides.either.T @ (sides.partial_weights / at.either)
        - sides.plus.T @ (w * q / at.plus)
        - sides.minus.T @ (w * (1.0 - q) / at.minus)
    )


def curvature(xp: ModuleType, sides: Sides, r: Floats, at: Point) -> Floats:
    """Return the Hessian of f with r in place of q, (k, k, n); upper triangle if k is small.

    Its part −W·11ᵀ from the rows without zeros is left out: along Σp = 1 it plays no role. With
    r = S₊/T it is the Fisher information, which is never negative.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_rest
    >>> q, p = np.array([[0.5], [0.3], [0.2]]), np.array([[0.5], [0.3], [0.2]])
    >>> sides = make_sides(np, one_vs_rest(3), np.ones(3), q)
    >>> curvature(np, sides, q, look_at(sides, p))[0, 0].round(6)  # 1/0.5 + 1/0.7 + 1/0.8
    array([4.678571])
    """
    w = sides.weights
    weights = xp.concat(
        [w * r / at.plus**2, w * (1.0 - r) / at.minus**2, -sides.partial_weights / at.either**2],
        axis=0,
    )
    k, n = at.p.shape
    if sides.products is None:
        members = xp.concat([sides.plus, sides.minus, sides.either], axis=0)
        weighted = weights.T[:, None, :] * members.T  # (n, k, 2l + l')
        return xp.moveaxis(xp.matmul(weighted, members), 0, -1)
    triangle = sides.products @ weights
    upper: Floats = xp.empty((k, k, n), dtype=at.p.dtype, device=device(at.p))
    start = 0
    for i in range(k):
        upper[i, i:, :] = triangle[start : start + k - i, :]
        start += k - i
    return upper


def expected_outputs(at: Point) -> Floats:
    """Return S₊/T, (l, n).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_rest
    >>> q, p = np.array([[0.5], [0.3], [0.2]]), np.array([[0.5], [0.3], [0.2]])
    >>> sides = make_sides(np, one_vs_rest(3), np.ones(3), q)
    >>> expected_outputs(look_at(sides, p)).ravel()
    array([0.5, 0.3, 0.2])
    """
    return at.plus / (at.plus + at.minus)


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
    >>> from polychotomy.decoding.kernels.interior_point import make_sides
    >>> q = np.array([[0.5], [0.3], [0.2]])
    >>> sides = make_sides(np, one_vs_rest(3), np.ones(3), q)
    >>> follow_path(np, sides, q, 3).ravel().round(9)
    array([0.5, 0.3, 0.2])
    """
    n = q.shape[1]
    p = xp.full((k, n), 1.0 / k, dtype=q.dtype, device=device(q))
    barrier = xp.full((n,), float(xp.sum(sides.weights)) / k, dtype=q.dtype, device=device(q))
    state = _State(q, p, barrier / p, barrier)
    finished = ConvergedSamples(xp, p)
    for _ in range(_MOST_STEPS):
        converged = _step(xp, sides, state)
        going = finished.add(state.p, converged)
        if going.shape[0] == 0:
            break
        state = state.take(xp, going)
    else:
        finished.add(state.p, xp.ones(state.p.shape[1:], dtype=xp.bool, device=device(p)))
    return finished.together()


def _step(xp: ModuleType, sides: Sides, s: _State) -> Bools:
    """Lower the barrier, do one Newton step, return which samples have converged."""
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
    small = (s.barrier <= _SMALL_BARRIER) & (moved <= _CONVERGED)
    stalled = (s.barrier <= _CONVERGED) & (moved <= _STALLED)
    return small | stalled


def _lower_barrier(xp: ModuleType, sides: Sides, s: _State, slopes: Floats) -> Floats:
    """Return the next barrier where the path is near, faster the lower it is already."""
    products = s.p * s.z
    gap = xp.mean(products, axis=0)
    off = xp.max(xp.abs(slopes + s.p.shape[0] * gap * s.p - products), axis=0)
    noise = _NOISE * (1.0 + float(xp.sum(sides.weights)))  # of rounding in the slopes
    lower = xp.minimum(xp.minimum(0.1 * gap, gap**1.5), s.barrier)
    barrier = xp.where(off <= 10.0 * gap + noise, lower, s.barrier)
    return xp.maximum(barrier, _LAST_BARRIER + 0.0 * barrier)


def _direction(xp: ModuleType, sides: Sides, s: _State, at: Point, slopes: Floats) -> Floats:
    """Return the relative change of p of the primal-dual Newton step."""
    right = -_barrier_slopes(s, slopes)
    move, definite = _solve(xp, sides, s, at, s.q, right)
    if bool(xp.all(definite)):
        return move
    fisher, _ = _solve(xp, sides, s, at, expected_outputs(at), right)
    return xp.where(definite, move, fisher)


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
    return slopes + s.barrier * (s.p.shape[0] * s.p - 1.0)


def _within(xp: ModuleType, relative: Floats) -> Floats:
    """Return how much of a step, at most all, keeps 1 + length·relative above zero."""
    steepest = xp.max(-relative, axis=0)
    floor = xp.maximum(steepest, _TO_THE_BORDER + 0.0 * steepest)
    return _TO_THE_BORDER / floor


def _search(
    xp: ModuleType, sides: Sides, s: _State, at: Point, slopes: Floats, move: Floats
) -> Floats:
    """Return a step length that lowers f − τ Σ log p enough; only failing samples are retried."""
    tried = _within(xp, move)

    def barrier_value(at: Point, barrier: Floats, q: Floats) -> Floats:
        logs = xp.sum(xp.log(at.p), axis=0)
        return value(xp, sides, q, at) - barrier * logs

    now = barrier_value(at, s.barrier, s.q)
    slope = xp.sum(_barrier_slopes(s, slopes) * move, axis=0)
    lengths = ConvergedSamples(xp, s.p)
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
    return lengths.together()[0, :]
