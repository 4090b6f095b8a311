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

from polychotomy.arrays import Code, Floats
from polychotomy.decoding.arguments import like
from polychotomy.decoding.elimination import ELEMENTWISE

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
    f: Floats = total - xp.sum(sides.weights * fit, axis=0)
    return f


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
    slope: Floats = (
        sides.full_weight
        + sides.either.T @ (sides.partial_weights / at.either)
        - sides.plus.T @ (w * q / at.plus)
        - sides.minus.T @ (w * (1.0 - q) / at.minus)
    )
    return slope


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
        [
            w * r / at.plus**2,
            w * (1.0 - r) / at.minus**2,
            -sides.partial_weights / at.either**2,
        ],
        axis=0,
    )
    k, n = at.p.shape
    if sides.products is None:
        members = xp.concat([sides.plus, sides.minus, sides.either], axis=0)
        weighted = weights.T[:, None, :] * members.T  # (n, k, 2l + l')
        full: Floats = xp.moveaxis(xp.matmul(weighted, members), 0, -1)
        return full
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
    expected: Floats = at.plus / (at.plus + at.minus)
    return expected
