"""Generalised Bradley–Terry for any code, by a primal-dual interior-point Newton method."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from polychotomy.arrays import Code, Floats
from polychotomy.decoding.arguments import like
from polychotomy.decoding.elimination import solve_definite

_LAST_BARRIER = 1e-15
_MOST_STEPS = 200
_BACKTRACKS = 30


def fit_bradley_terry(xp: ModuleType, code: Code, q: Floats, weights: Floats) -> Floats:
    """Minimise f(p) = Σ_l w_l KL(q_l ‖ S₊/(S₊ + S₋)) over the simplex; q is (l, n), p (k, n)."""
    k, n = code.shape[1], q.shape[1]
    sides = _Sides(xp, code, weights, q)
    p = xp.full((k, n), 1.0 / k, dtype=q.dtype)
    waiting, order, done = xp.arange(n), [], []
    tau = xp.ones((n,), dtype=q.dtype) * float(weights.sum()) / k
    z = tau / p
    for _ in range(_MOST_STEPS):
        p, z, tau, finished = _step(xp, sides, q, p, z, tau)
        order.append(waiting[finished])
        done.append(p[:, finished])
        if bool(xp.all(finished)):
            break
        going = xp.nonzero(~finished)[0]
        waiting, q, p, z, tau = (xp.take(x, going, axis=-1) for x in (waiting, q, p, z, tau))
    else:
        order.append(waiting)
        done.append(p)
    p = xp.take(xp.concat(done, axis=1), xp.argsort(xp.concat(order)), axis=1)
    return p / xp.sum(p, axis=0)


class _Sides:
    """The code as matrices: which classes are on each side, (l, k), and their outer products."""

    def __init__(self, xp: ModuleType, code: Code, weights: Floats, like_this: Floats) -> None:
        kept = code[weights > 0]
        self.kept = weights > 0
        parts = [kept > 0, kept < 0, kept != 0]
        self.plus, self.minus, self.both = (like(xp, part, like_this) for part in parts)
        self.weights = like(xp, weights[weights > 0], like_this)[:, None]
        k = code.shape[1]
        outer = np.concatenate(parts).astype(np.float64)
        self.outer = like(
            xp, (outer[:, :, None] * outer[:, None, :]).reshape(-1, k * k).T, like_this
        )


def _value(xp, sides, q, p, tau):
    s, t, u = sides.plus @ p, sides.minus @ p, sides.both @ p
    tiny = 1e-300
    f = sides.weights * (xp.log(u) - q * xp.log(s + tiny) - (1.0 - q) * xp.log(t + tiny))
    return xp.sum(f, axis=0) - tau * (
        xp.sum(xp.log(p), axis=0) - p.shape[0] * xp.log(xp.sum(p, axis=0))
    )


def _step(xp, sides, q, p, z, tau):
    k, n = p.shape
    w = sides.weights
    s, t, u = sides.plus @ p, sides.minus @ p, sides.both @ p
    gradient = p * (
        -(sides.plus.T @ (w * q / s)) - sides.minus.T @ (w * (1.0 - q) / t) + sides.both.T @ (w / u)
    )

    def matrix(r):
        coefficients = xp.concat([w * r / s**2, w * (1.0 - r) / t**2, -w / u**2], axis=0)
        h = xp.reshape(sides.outer @ coefficients, (k, k, n)) * p * p[:, None, :]
        h = h + float(np.asarray(1.0)) * p * p[:, None, :]
        identity = xp.eye(k, dtype=p.dtype)[:, :, None]
        return h + identity * (p * z)

    delta, ok = _solve(xp, matrix(q), tau - gradient)
    if not bool(xp.all(ok)):
        fisher, _ = _solve(xp, matrix(s / u), tau - gradient)
        delta = xp.where(ok, delta, fisher)
    dz = tau / p - z - z * delta
    alpha = xp.minimum(1.0, 0.995 / xp.max(xp.maximum(-delta, 1e-3), axis=0))
    value = _value(xp, sides, q, p, tau)
    slope = xp.sum((gradient - tau) * delta, axis=0)
    for _ in range(_BACKTRACKS):
        trial = p * (1.0 + alpha * delta)
        bad = _value(xp, sides, q, trial, tau) > value + 1e-4 * alpha * slope + 1e-13 * xp.abs(
            value
        )
        if not bool(xp.any(bad)):
            break
        alpha = xp.where(bad, 0.5 * alpha, alpha)
    alpha_z = xp.minimum(1.0, 0.995 / xp.max(xp.maximum(-dz / z, 1e-3), axis=0))
    p = p * (1.0 + alpha * delta)
    z = z + alpha_z * dz
    total = xp.sum(p, axis=0)
    p, z = p / total, z * total
    small = xp.max(xp.abs(delta) * p, axis=0) < 1e-9
    finished = small & (tau <= _LAST_BARRIER * 1.01)
    gap = xp.sum(p * z, axis=0) / k
    tau = xp.maximum(
        xp.where(alpha > 0.5, xp.minimum(0.1 * gap, 0.5 * tau), tau), 0.0 * tau + _LAST_BARRIER
    )
    return p, z, tau, finished


def _solve(xp, m, b):
    k = m.shape[0]
    # scale to unit diagonal
    d = xp.stack([m[i, i, :] for i in range(k)])
    pos = xp.all(d > 0, axis=0)
    root = 1.0 / xp.sqrt(xp.where(d > 0, d, 1.0 + 0 * d))
    a = m * root * root[:, None, :]
    x = solve_definite(xp, a, b * root)
    piv = xp.stack([a[i, i, :] for i in range(k)])
    ok = pos & xp.all(piv > 1e-13, axis=0)
    return xp.where(ok, x * root, 0 * x), ok
