"""Pairwise coupling in the form for compilers: lists of vectors, nothing written in place.

The same steps as in ``elimination`` and ``newton``, in the form that compilers of array code want:
every number of a sample's matrix is a vector (n,) of its own, so that `torch.compile` can make
one loop over samples of it and keep a sample in registers: on a graphics card 16 to 21 times as
fast as plain array operations (docs/results/gpu.md). Without a compiler it is slower than these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import nan
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arrays import Bools, Floats, Outputs, Probabilities
from polychotomy.decoding.kernels.newton import Precision, damp, precision_of
from polychotomy.decoding.kernels.pairs import Pairs
from polychotomy.decoding.prepared import CompiledDecoder, Compiler, PreparedDecoder, compile_once

LARGEST = 16  # classes up to which all numbers of a matrix are written out: k³/3 operations


Vectors = list[Floats]


def make_least_squares(xp: ModuleType, pairs: Pairs) -> Callable[[Floats], tuple[Floats, Bools]]:
    """Return the function from outputs (n, l) of all pairs to probabilities (n, k).

    It also says which samples have outputs in [0, 1] only, (n,).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding.kernels.pairs import find_pairs
    >>> decode = make_least_squares(np, find_pairs(one_vs_one(3), np.ones(3)))
    >>> decode(np.array([[0.9, 0.4, 0.7]]))[0].round(6)
    array([[0.457233, 0.202129, 0.340638]])
    """
    k, roots, take = pairs.k, np.sqrt(pairs.weights).tolist(), pair_taker(pairs)

    def decode(q: Floats) -> tuple[Floats, Bools]:
        r, one = take(q.T), q[:, 0] * 0.0 + 1.0
        diagonal, entries = [one] * k, [[one] * (k - 1 - i) for i in range(k)]
        for pair, (i, j) in enumerate(combinations(range(k), 2)):
            above = roots[pair] * r[pair]
            below = roots[pair] - above
            diagonal[i] = diagonal[i] + below * below
            diagonal[j] = diagonal[j] + above * above
            entries[i][j - i - 1] = 1.0 - above * below
        x = [0.5 * (v + xp.abs(v)) for v in solve_definite(diagonal, entries, [one] * k)]
        return xp.stack(x, axis=1) / sum(x)[:, None], _are_inside(q)

    return decode


def _are_inside(q: Floats) -> Bools:
    """Return which samples have outputs in [0, 1] only; a reduction would be a loop of its own."""
    inside: Bools = q[:, 0] == q[:, 0]
    for row in range(q.shape[1]):
        inside = inside & (q[:, row] >= 0) & (q[:, row] <= 1)
    return inside


def pair_taker(pairs: Pairs) -> Callable[[Floats], Vectors]:
    """Return the function from outputs (l, n), samples last, to r_ij, i < j.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.kernels.pairs import all_pairs
    >>> pair_taker(all_pairs(2))(np.array([[0.9, 0.5]]))
    [array([0.9, 0.5])]
    """
    # Plain numbers: compilers take NumPy's arrays for arrays of theirs.
    places = list(zip(pairs.rows.tolist(), pairs.flipped.tolist(), strict=True))

    def take(q: Floats) -> Vectors:
        return [1.0 - q[row, :] if flipped else q[row, :] for row, flipped in places]

    return take


def solve_definite(diagonal: Vectors, entries: list[Vectors], right: Vectors) -> Vectors:
    """Solve definite systems; ``entries[i]`` are those of row i right of the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> four, two, three = np.array([4.0]), np.array([2.0]), np.array([3.0])
    >>> solve_definite([four, three], [[two], []], [np.array([8.0]), np.array([7.0])])
    [array([1.25]), array([1.5])]
    """
    k, x = len(diagonal), list(right)
    d, rows = list(diagonal), [list(row) for row in entries]
    inverses = []
    for j in range(k):
        inverses.append(1.0 / d[j])
        for i in range(j + 1, k):
            factor = rows[j][i - j - 1] * inverses[j]
            d[i] = d[i] - factor * rows[j][i - j - 1]
            x[i] = x[i] - factor * x[j]
            for c in range(i + 1, k):
                rows[i][c - i - 1] = rows[i][c - i - 1] - factor * rows[j][c - j - 1]
    for j in range(k - 1, -1, -1):
        for c in range(j + 1, k):
            x[j] = x[j] - rows[j][c - j - 1] * x[c]
        x[j] = x[j] * inverses[j]
    return x


def solve_laplacian(conductances: list[Vectors], right: Vectors) -> Vectors:
    """Solve L x = right with x = 0 at the last node; ``conductances[i]`` to the nodes after i.

    All nodes are connected.

    Examples
    --------
    >>> import numpy as np
    >>> one, zero, half = np.array([1.0]), np.array([0.0]), np.array([0.5])
    >>> solve_laplacian([[one, zero], [half], []], [one, zero, -one])
    [array([3.]), array([2.]), array([0.])]
    """
    k, x, rows = len(right), list(right), [list(row) for row in conductances]
    inverses = []
    for j in range(k - 1):
        inverses.append(1.0 / sum(rows[j][1:], rows[j][0]))
        for i in range(j + 1, k - 1):
            factor = rows[j][i - j - 1] * inverses[j]
            x[i] = x[i] + factor * x[j]
            for c in range(i + 1, k):
                rows[i][c - i - 1] = rows[i][c - i - 1] + factor * rows[j][c - j - 1]
    x[k - 1] = 0.0 * x[0]
    for j in range(k - 2, -1, -1):
        for c in range(j + 1, k - 1):
            x[j] = x[j] + rows[j][c - j - 1] * x[c]
        x[j] = x[j] * inverses[j]
    return x


_LEAST_STEPS = 3  # hardly any sample converges sooner

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
    >>> from polychotomy.decoding.kernels.pairs import all_pairs
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


def iterate_newton(
    xp: ModuleType, steps: CompiledSteps, outputs: Outputs
) -> tuple[Probabilities, Bools]:
    """Take all samples as many steps as nearly all of them need.

    Nobody is left behind on the way, since that would mean to copy the others. Some more steps of
    all take less time than the many small operations by which plain arrays solve a few.

    Returns
    -------
    p : (n, k)
        NaN for samples that have not converged. Of no meaning where outputs are not in [0, 1].
    inside : () bool
        Whether all outputs are.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.kernels.pairs import all_pairs
    >>> steps = compile_steps(lambda function: function, all_pairs(3))
    >>> p, inside = iterate_newton(np, steps, np.array([[0.9, 0.4, 0.7], [1.0, 1.0, 0.5]]))
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


def _may_end(xp: ModuleType, converged: Bools, n_steps: int) -> bool:
    n_left = converged.shape[0] - int(xp.sum(xp.astype(converged, xp.int64)))
    return n_left == 0 or (n_steps >= _USUAL_STEPS and 100 * n_left <= converged.shape[0])


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
        return xp.stack(theta, axis=0)

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
        return xp.stack([each * scale for each in odds], axis=0)

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


@dataclass(frozen=True, eq=False, kw_only=True)
class CompiledNewtonDecoder(CompiledDecoder):
    """A decoder whose work gives NaN for samples that it cannot do.

    Parameters
    ----------
    plain : PreparedDecoder
        Does these, all together: many small operations take their time for few samples too.

    Examples
    --------
    Class 0 beats both others for certain, which steps would never end to say:

    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding import make_decoder
    >>> decoder = make_decoder(one_vs_one(3), compiler=lambda function: function)
    >>> decoder([[0.9, 0.4, 0.7], [1.0, 1.0, 0.5]]).round(6)
    array([[0.481068, 0.241639, 0.277293],
           [1.      , 0.      , 0.      ]])
    """

    plain: PreparedDecoder

    def __call__(self, outputs: ArrayLike, *, n_jobs: int | None = None) -> Probabilities:
        """Return the class probabilities, (n, k), of the kind of array given, in chunks."""
        xp, q = self._check_shape(outputs)
        p = super().__call__(q, n_jobs=n_jobs)
        left = xp.isnan(p[:, 0])
        if bool(xp.any(left)):
            p[left] = self.plain(xp.take(q, xp.nonzero(left)[0], axis=0), n_jobs=n_jobs)
        return p
