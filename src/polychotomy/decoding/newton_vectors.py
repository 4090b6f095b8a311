"""Newton's method of ``newton`` on lists of vectors, for compilers: see ``vectors``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import nan
from types import ModuleType

from polychotomy.arrays import Bools, Floats, Outputs, Probabilities
from polychotomy.decoding.compilers import Compiler, compile_once
from polychotomy.decoding.newton import damp
from polychotomy.decoding.pairs import Pairs
from polychotomy.decoding.precision import Precision, precision_of
from polychotomy.decoding.vectors import Vectors, pair_taker, solve_laplacian

_LEAST_STEPS = 3  # hardly any sample arrives sooner
_USUAL_STEPS = 8  # after these, one sample in a hundred may be left
_MOST_STEPS = 16


@dataclass(frozen=True, eq=False)
class CompiledSteps:
    """What Newton's method calls, by array namespace; one loop over samples each.

    ``turn`` makes of outputs (n, l) the same (l, n), samples contiguous, and says whether all are
    in [0, 1]. ``start`` makes θ (k, n) of these, ``step`` the next θ, and the range of the step.
    ``finish`` makes of both probabilities (k, n), NaN where the step was not yet short.
    """

    turn: Callable[[ModuleType], Callable[[Outputs], tuple[Floats, Bools]]]
    start: Callable[[ModuleType], Callable[[Floats], Floats]]
    step: Callable[[ModuleType], Callable[[Floats, Floats], tuple[Floats, Floats]]]
    finish: Callable[[ModuleType], Callable[[Floats, Floats], Floats]]


def compile_steps(compiler: Compiler, pairs: Pairs) -> CompiledSteps:
    """Return the start, the steps and the end for all pairs of k classes, compiled.

    Examples
    --------
    One step from the start for HT98's example, whose solution is (0.481, 0.242, 0.277):

    >>> import numpy as np
    >>> from polychotomy.decoding.pairs import all_pairs
    >>> steps = compile_steps(lambda function: function, all_pairs(3))
    >>> q, inside = steps.turn(np)(np.array([[0.9, 0.4, 0.7]]))
    >>> theta, span = steps.step(np)(steps.start(np)(q), q)
    >>> (np.exp(theta) / np.exp(theta).sum()).ravel().round(3)
    array([0.477, 0.245, 0.279])
    """
    return CompiledSteps(
        turn=compile_once(compiler, _make_turn),
        start=compile_once(compiler, lambda xp: _make_start(xp, pairs)),
        step=compile_once(compiler, lambda xp: _make_step(xp, pairs)),
        finish=compile_once(compiler, lambda xp: _make_finish(xp, pairs.k)),
    )


def walk(xp: ModuleType, steps: CompiledSteps, outputs: Outputs) -> tuple[Probabilities, Bools]:
    """Take all samples as many steps as nearly all of them need.

    Nobody is left behind on the way, since that would mean to copy the others. Some more steps of
    all take less time than the many small operations by which plain arrays solve a few.

    Returns
    -------
    p : (n, k)
        NaN for samples that have not arrived. Of no meaning where outputs are not in [0, 1].
    inside : () bool
        Whether all outputs are.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.pairs import all_pairs
    >>> steps = compile_steps(lambda function: function, all_pairs(3))
    >>> p, inside = walk(np, steps, np.array([[0.9, 0.4, 0.7], [1.0, 1.0, 0.5]]))
    >>> p.round(6)
    array([[0.481068, 0.241639, 0.277293],
           [     nan,      nan,      nan]])
    """
    q, inside = steps.turn(xp)(outputs)
    if not bool(inside):
        return outputs, inside
    theta, step = steps.start(xp)(q), steps.step(xp)
    for n_steps in range(1, _MOST_STEPS + 1):
        theta, span = step(theta, q)
        if n_steps >= _LEAST_STEPS and _may_end(xp, span < precision_of(xp, q).short, n_steps):
            break
    return steps.finish(xp)(theta, span).T, inside


def _may_end(xp: ModuleType, arrived: Bools, n_steps: int) -> bool:
    n_left = arrived.shape[0] - int(xp.sum(xp.astype(arrived, xp.int64)))
    return n_left == 0 or (n_steps >= _USUAL_STEPS and 100 * n_left <= arrived.shape[0])


def _make_turn(xp: ModuleType) -> Callable[[Outputs], tuple[Floats, Bools]]:
    def turn(outputs: Outputs) -> tuple[Floats, Bools]:
        n, n_rows = outputs.shape
        flat = xp.reshape(outputs.T, (n * n_rows,))  # a copy, where .T alone would be none
        return xp.reshape(flat, (n_rows, n)), xp.all((outputs >= 0) & (outputs <= 1))

    return turn


def _make_start(xp: ModuleType, pairs: Pairs) -> Callable[[Floats], Floats]:
    """Return the row means of logit r, as ``newton`` does."""
    k, take = pairs.k, pair_taker(pairs)

    def start(q: Floats) -> Floats:
        edge = precision_of(xp, q).certain
        theta: Vectors = [0.0 * q[0, :]] * k
        for r, (i, j) in zip(take(q), combinations(range(k), 2), strict=True):
            low = xp.where(r > edge, r, 0.0 * r + edge)
            other = xp.where(low < 1.0 - edge, 1.0 - low, 0.0 * low + edge)
            logit = xp.log(low / other) / k
            theta[i], theta[j] = theta[i] + logit, theta[j] - logit
        stacked: Floats = xp.stack(theta, axis=0)
        return stacked

    return start


def _make_step(xp: ModuleType, pairs: Pairs) -> Callable[[Floats, Floats], tuple[Floats, Floats]]:
    k, take, weights = pairs.k, pair_taker(pairs), pairs.weights.tolist()

    def step(theta: Floats, q: Floats) -> tuple[Floats, Floats]:
        odds = _odds(xp, [theta[i, :] for i in range(k)], precision_of(xp, q))
        gradient: Vectors = [0.0 * q[0, :]] * k
        conductances: list[Vectors] = [[] for _ in range(k)]
        for r, w, (i, j) in zip(take(q), weights, combinations(range(k), 2), strict=True):
            excess, curvature = _derivatives(odds[i], odds[j], r)
            if w != 1.0:
                excess, curvature = w * excess, w * curvature
            conductances[i].append(curvature)
            gradient[i], gradient[j] = gradient[i] + excess, gradient[j] - excess
        move = solve_laplacian(conductances, gradient)
        span = reduce(xp.maximum, move) - reduce(xp.minimum, move)
        damping = damp(xp, span)
        return xp.stack([theta[i, :] + damping * move[i] for i in range(k)], axis=0), span

    return step


def _make_finish(xp: ModuleType, k: int) -> Callable[[Floats, Floats], Floats]:
    def finish(theta: Floats, span: Floats) -> Floats:
        small = precision_of(xp, theta)
        odds = _odds(xp, [theta[i, :] for i in range(k)], small)
        total = sum(odds[1:], odds[0])
        scale = xp.where(span < small.short, 1.0 / total, 0.0 * total + nan)
        p: Floats = xp.stack([each * scale for each in odds], axis=0)
        return p

    return finish


def _odds(xp: ModuleType, theta: Vectors, small: Precision) -> Vectors:
    """Return exp(θ − max θ), which is kept from 0."""
    top = reduce(xp.maximum, theta)
    below = [each - top for each in theta]
    return [xp.exp(xp.where(d > small.lowest, d, 0.0 * d + small.lowest)) for d in below]


def _derivatives(mine: Floats, theirs: Floats, r: Floats) -> tuple[Floats, Floats]:
    """Return r − μ and μ(1 − μ), μ = mine/(mine + theirs), precise also near 0 and 1."""
    scale = 1.0 / (mine + theirs)
    mu, rest = mine * scale, theirs * scale
    return r * rest - (1.0 - r) * mu, mu * rest
