"""Newton's method of ``newton`` on lists of vectors, for compilers: see ``vectors``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from types import ModuleType

from polychotomy.arrays import Bools, Floats
from polychotomy.decoding.compilers import Compiler, compile_once
from polychotomy.decoding.pairs import Pairs
from polychotomy.decoding.precision import Precision, precision_of
from polychotomy.decoding.vectors import Vectors, pair_taker, solve_laplacian


@dataclass(frozen=True, eq=False)
class CompiledSteps:
    """What Newton's method calls, by array namespace.

    ``start`` makes of outputs (n, l): the pairs r (k(k−1)/2, n) samples last, the start θ (k, n),
    which samples have certain pairs, and which have outputs in [0, 1] only, (n,).
    """

    start: Callable[[ModuleType], Callable[[Floats], tuple[Floats, Floats, Bools, Bools]]]
    step: Callable[[ModuleType], Callable[[Floats, Floats], tuple[Floats, Floats]]]


def compile_steps(compiler: Compiler, pairs: Pairs) -> CompiledSteps:
    """Return the start and the steps for all pairs of k classes, compiled.

    Examples
    --------
    One step from the start for HT98's example, whose solution is (0.481, 0.242, 0.277):

    >>> import numpy as np
    >>> from polychotomy.decoding.pairs import all_pairs
    >>> steps = compile_steps(lambda function: function, all_pairs(3))
    >>> r, theta, certain, inside = steps.start(np)(np.array([[0.9, 0.4, 0.7]]))
    >>> theta, span = steps.step(np)(theta, r)
    >>> (np.exp(theta) / np.exp(theta).sum()).ravel().round(3)
    array([0.488, 0.236, 0.276])
    """
    return CompiledSteps(
        start=compile_once(compiler, lambda xp: _make_start(xp, pairs)),
        step=compile_once(compiler, lambda xp: _make_step(xp, pairs.k, pairs.weights.tolist())),
    )


def _make_start(
    xp: ModuleType, pairs: Pairs
) -> Callable[[Floats], tuple[Floats, Floats, Bools, Bools]]:
    k, take = pairs.k, pair_taker(pairs)

    def start(q: Floats) -> tuple[Floats, Floats, Bools, Bools]:
        r, inside = take(q)
        edge, certain = precision_of(xp, q).certain, q[:, 0] != q[:, 0]
        theta: Vectors = [0.0 * q[:, 0]] * k
        for each, (i, j) in zip(r, combinations(range(k), 2), strict=True):
            certain = certain | (each < edge) | (each > 1.0 - edge)
            low = xp.where(each > edge, each, 0.0 * each + edge)
            other = xp.where(low < 1.0 - edge, 1.0 - low, 0.0 * low + edge)
            logit = (xp.log(low) - xp.log(other)) / k
            theta[i], theta[j] = theta[i] + logit, theta[j] - logit
        return xp.stack(r, axis=0), xp.stack(theta, axis=0), certain, inside

    return start


def _make_step(
    xp: ModuleType, k: int, weights: list[float]
) -> Callable[[Floats, Floats], tuple[Floats, Floats]]:
    def step(theta: Floats, r: Floats) -> tuple[Floats, Floats]:
        small = precision_of(xp, r)
        odds = _odds(xp, [theta[i, :] for i in range(k)], small)
        gradient: Vectors = [0.0 * r[0, :]] * k
        conductances: list[Vectors] = [[] for _ in range(k)]
        for pair, (i, j) in enumerate(combinations(range(k), 2)):
            excess, curvature = _derivatives(xp, odds[i], odds[j], r[pair, :])
            conductances[i].append(weights[pair] * curvature)
            gradient[i] = gradient[i] + weights[pair] * excess
            gradient[j] = gradient[j] - weights[pair] * excess
        move = solve_laplacian(xp, conductances, gradient)
        span = _extreme(xp.maximum, move) - _extreme(xp.minimum, move)
        damping = xp.log1p(span) / xp.where(span > small.tiny, span, 0.0 * span + small.tiny)
        return xp.stack([theta[i, :] + damping * move[i] for i in range(k)], axis=0), span

    return step


def _odds(xp: ModuleType, theta: Vectors, small: Precision) -> Vectors:
    top = _extreme(xp.maximum, theta)
    below = [each - top for each in theta]
    return [xp.exp(xp.where(d > small.lowest, d, 0.0 * d + small.lowest)) for d in below]


def _derivatives(xp: ModuleType, mine: Floats, theirs: Floats, r: Floats) -> tuple[Floats, Floats]:
    """Return r − μ and μ(1 − μ), μ = mine/(mine + theirs), precise also near 0 and 1."""
    scale = 1.0 / (mine + theirs)
    mu, rest = mine * scale, theirs * scale
    return xp.where(mu >= rest, rest - (1.0 - r), r - mu), mu * rest


def _extreme(function: Callable[[Floats, Floats], Floats], vectors: Vectors) -> Floats:
    best = vectors[0]
    for other in vectors[1:]:
        best = function(best, other)
    return best
