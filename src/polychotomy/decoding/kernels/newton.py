"""HT98 eqs. (2)–(5): pairwise coupling by Newton's method, with its limits where pairs are certain.

The iteration ends for each sample at its own time: samples that have converged are set aside.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from array_api_compat import device

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.chunks import Buffers
from polychotomy.decoding.kernels.elimination import (
    ELEMENTWISE,
    solve_laplacian,
    solve_large_laplacian,
)
from polychotomy.decoding.kernels.in_place import add_up, into
from polychotomy.decoding.kernels.pairs import blocks, empty_matrices, find_components, spread
from polychotomy.decoding.prepared import like

_DEFEAT = 2.0**-40  # what a certain defeat leaves a class


def couple_bradley_terry(
    xp: ModuleType, r: Floats, weights: Floats, k: int, buffers: Buffers
) -> Floats:
    """Minimise Σ_{i<j} w_ij KL(r_ij ‖ p_i/(p_i + p_j)), HT98's criterion (4), over the simplex.

    Where some r_ij are 0 or 1 there may be no minimiser, and the limit of those for r_ij that tend
    to 0 or 1 is returned: see ``components``.

    Parameters
    ----------
    xp : module
        The array namespace.
    r : (k(k−1)/2, n)
        r_ij for the pairs i < j in the order of one_vs_one(k).
    weights : (k(k−1)/2,)
        At most 1; 0 where the pair is missing. The pairs present connect all classes.
    k : int
    buffers : Buffers
        Memory to work in.

    Returns
    -------
    (k, n)

    Examples
    --------
    Class 0 beats class 2 for certain; each is compared with class 1 at even odds:

    >>> import numpy as np
    >>> r = np.array([[0.9, 0.5], [0.4, 1.0], [0.7, 0.5]])
    >>> couple_bradley_terry(np, r, np.ones(3), 3, Buffers(np, r)).T.round(6)
    array([[0.481068, 0.241639, 0.277293],
           [0.591811, 0.277794, 0.130395]])
    """
    if k <= ELEMENTWISE:
        copied = buffers.get("r", r.shape)  # samples last in memory too
        copied[...] = r
        r = copied
    edge = precision_of(xp, r).certain
    certain = xp.any((r < edge) | (r > 1.0 - edge), axis=0)
    w = None if (weights == 1.0).all() else like(xp, weights, r)[:, None]
    tables = Tables(r, w, None)
    if not bool(xp.any(certain)):
        return softmax(xp, fit_log_odds(xp, tables, k, buffers=buffers))
    usual = tables.take(xp, xp.nonzero(~certain)[0])
    solutions = softmax(xp, fit_log_odds(xp, usual, k, buffers=buffers))
    limits = _couple_components(xp, tables.take(xp, xp.nonzero(certain)[0]), weights, k)
    return merge(xp, certain, xp.astype(limits, solutions.dtype, copy=False), solutions)


def _couple_components(xp: ModuleType, tables: Tables, weights: Floats, k: int) -> Floats:
    """Fit each component of certain winners by itself, then set them apart; in float64."""
    edge = precision_of(xp, tables.r).certain
    r = xp.astype(tables.r, xp.float64, copy=False)
    components = find_components(xp, r, weights, k, certain=edge)
    present = [components.together[i, i + 1 :, :] for i in range(k - 1)]
    within = xp.astype(xp.concat(present, axis=0), r.dtype)
    if tables.weights is not None:
        within = within * like(xp, weights, r)[:, None]
    inside = Tables(r, within, components.together)
    theta = fit_log_odds(xp, inside, k)
    return spread(xp, components, theta, certain=_DEFEAT)


@dataclass(frozen=True)
class Precision:
    """What counts as small in Newton's method for coupling."""

    certain: float  # r nearer to 0 or 1 than this counts as 0 or 1
    short: float  # a Newton step this short leaves an error below its square
    settled: float  # a change of p this small is rounding
    lowest: float  # exp of less is not a normal number
    most_steps: int


DOUBLE = Precision(certain=2.0**-40, short=1e-5, settled=1e-12, lowest=-700.0, most_steps=500)


SINGLE = Precision(certain=2.0**-22, short=1e-3, settled=4e-6, lowest=-80.0, most_steps=60)


def precision_of(xp: ModuleType, array: Floats) -> Precision:
    """Return the numbers for the type of an array.

    Examples
    --------
    >>> import numpy as np
    >>> precision_of(np, np.ones(1)).most_steps
    500
    """
    return DOUBLE if array.dtype == xp.float64 else SINGLE


class ConvergedSamples:
    """Results of the samples that are done, and who is still under way.

    Parameters
    ----------
    xp : module
        The array namespace.
    kind : (k, n) array
        Of the shape, type and device of the results.

    Examples
    --------
    >>> import numpy as np
    >>> finished = ConvergedSamples(np, np.zeros((1, 3)))
    >>> finished.add(np.array([[5.0, 6.0, 7.0]]), np.array([False, True, False]))
    array([0, 2])
    >>> finished.add(np.array([[8.0, 9.0]]), np.array([True, True]))
    array([], dtype=int64)
    >>> finished.together()
    array([[8., 6., 9.]])
    """

    def __init__(self, xp: ModuleType, kind: Floats) -> None:
        self._xp = xp
        self._waiting: Ints = xp.arange(kind.shape[1], device=device(kind))
        self._order: list[Ints] = []
        self._results: list[Floats] = []

    def add(self, results: Floats, converged: Bools) -> Ints:
        """Keep the results of those that have converged; return the positions of the others."""
        xp = self._xp
        if not self._results and bool(xp.all(converged)):
            self._results.append(results)
            return self._waiting[:0]
        there, going = xp.nonzero(converged)[0], xp.nonzero(~converged)[0]
        self._order.append(xp.take(self._waiting, there))
        self._results.append(xp.take(results, there, axis=1))
        self._waiting = xp.take(self._waiting, going)
        return going

    def together(self) -> Floats:
        """Return all results, (k, n), in the order of the samples."""
        xp = self._xp
        if len(self._results) == 1:
            return self._results[0]
        back = xp.argsort(xp.concat(self._order))
        return xp.take(xp.concat(self._results, axis=1), back, axis=1)


def merge(xp: ModuleType, chosen: Bools, first: Floats, second: Floats) -> Floats:
    """Return (k, n) results, taken in turn from ``first`` where ``chosen`` and else ``second``.

    Examples
    --------
    >>> import numpy as np
    >>> merge(np, np.array([False, True, False]), np.array([[5.0]]), np.array([[6.0, 7.0]]))
    array([[6., 5., 7.]])
    """
    order = xp.concat([xp.nonzero(chosen)[0], xp.nonzero(~chosen)[0]])
    return xp.take(xp.concat([first, second], axis=1), xp.argsort(order), axis=1)


_USUAL_STEPS = 7  # after these, look whether only classes of no account still move


@dataclass(frozen=True, eq=False)
class Tables:
    """What is to be fitted.

    Parameters
    ----------
    r : (k(k−1)/2, n)
        r_ij for the pairs i < j in the order of one_vs_one(k).
    weights : (k(k−1)/2, 1) or (k(k−1)/2, n), or None for all ones
        0 where a pair is missing.
    together : (k, k, n) bools, or None
        Which classes the pairs present connect; None where they connect all.
    """

    r: Floats
    weights: Floats | None
    together: Bools | None

    def take(self, xp: ModuleType, where: Ints) -> Tables:
        """Return the tables of some samples."""
        own = self.weights is not None and self.weights.shape[1] != 1
        return Tables(
            xp.take(self.r, where, axis=1),
            xp.take(self.weights, where, axis=1) if own else self.weights,
            None if self.together is None else xp.take(self.together, where, axis=2),
        )


def fit_log_odds(
    xp: ModuleType, tables: Tables, k: int, *, buffers: Buffers | None = None
) -> Floats:
    """Return θ = log p, (k, n), up to a constant for each connected set of classes.

    Samples that have converged stay as they are among the others until these are a quarter of all:
    leaving them behind means to copy the others.

    Parameters
    ----------
    xp : module
        The array namespace.
    tables : Tables
    k : int
    buffers : Buffers, optional
        Memory to work in.

    Examples
    --------
    >>> import numpy as np
    >>> r = np.array([[0.9], [0.4], [0.7]])
    >>> theta = fit_log_odds(np, Tables(r, None, None), 3)
    >>> (np.exp(theta) / np.exp(theta).sum()).ravel().round(6)
    array([0.481068, 0.241639, 0.277293])
    """
    small, buffers = precision_of(xp, tables.r), buffers or Buffers(xp, tables.r)
    theta = _start(xp, tables, k)
    finished = ConvergedSamples(xp, theta)
    converged: Bools = xp.zeros(theta.shape[1:], dtype=xp.bool, device=device(theta))
    for n_steps in range(small.most_steps):
        before = theta
        theta, span = _newton_step(xp, before, tables, k, buffers)
        theta = xp.where(converged, before, theta)  # a sample's end does not depend on its company
        converged = converged | (span < small.short)
        if tables.together is None and n_steps >= _USUAL_STEPS:
            converged = converged | _settled(xp, before, theta, span)
        n, n_converged = theta.shape[1], int(xp.sum(xp.astype(converged, xp.int64)))
        if n_converged == n:
            break
        if 4 * n_converged >= n:
            going = finished.add(theta, converged)
            theta, tables = xp.take(theta, going, axis=1), tables.take(xp, going)
            converged = xp.take(converged, going)
    finished.add(theta, xp.ones(theta.shape[1:], dtype=xp.bool, device=device(theta)))
    return finished.together()


def damp(xp: ModuleType, span: Floats) -> Floats:
    """Return by how much to shorten Newton steps of some ranges, so that the criterion falls.

    Along a step of range R its third derivative is at most R times its second. So the criterion
    falls on the whole of log(1 + R)/R of the step, and by at least 3 − e of the second derivative
    on all of it where R ≤ 1.

    Examples
    --------
    >>> import numpy as np
    >>> damp(np, np.array([0.5, 1.0, 3.0])).round(3)
    array([1.   , 1.   , 0.462])
    """
    whole = xp.ones_like(span)
    return xp.where(span > 1.0, xp.log1p(span) / xp.maximum(span, whole), whole)


def softmax(xp: ModuleType, theta: Floats) -> Floats:
    """Return exp(θ) scaled to add up to 1 over the first axis.

    Examples
    --------
    >>> import numpy as np
    >>> softmax(np, np.array([[1000.0], [1000.0]])).ravel()
    array([0.5, 0.5])
    """
    p = xp.exp(theta - xp.max(theta, axis=0))
    return p / add_up(xp, p)


def _settled(xp: ModuleType, before: Floats, theta: Floats, span: Floats) -> Bools:
    """Return where even the undamped step would no longer change p but for rounding.

    Classes of no account may then still be on their way to zero.
    """
    step = (theta - before) / damp(xp, span)
    change = xp.abs(softmax(xp, theta + step) - softmax(xp, theta))
    return xp.max(change, axis=0) < precision_of(xp, theta).settled


def _start(xp: ModuleType, tables: Tables, k: int) -> Floats:
    """Return the row means of logit r: exact where all pairs agree, and for two classes."""
    edge = precision_of(xp, tables.r).certain
    r = xp.clip(tables.r, edge, 1.0 - edge)
    theta: Floats = xp.zeros((k, r.shape[1]), dtype=r.dtype, device=device(r))
    for i, pairs in blocks(k):
        logits = xp.log(r[pairs, :] / (1.0 - r[pairs, :]))
        if tables.weights is not None:
            logits = logits * xp.astype(tables.weights[pairs, :] > 0, r.dtype)
        theta[i, :] += add_up(xp, logits)
        theta[i + 1 :, :] -= logits
    theta /= k
    return theta


def _newton_step(
    xp: ModuleType, theta: Floats, tables: Tables, k: int, buffers: Buffers
) -> tuple[Floats, Floats]:
    """Solve (Σ w_ij μ_ij μ_ji (e_i − e_j)(e_i − e_j)ᵀ) δ = Σ w_ij (r_ij − μ_ij)(e_i − e_j).

    Return the next θ, the step δ damped, and the range of δ.
    """
    small = precision_of(xp, theta)
    conductances = empty_matrices(xp, k, theta.shape[1], buffers)
    gradient = buffers.get("gradient", theta.shape)
    gradient[:, :] = 0.0
    # Classes that much below the largest have probability 0 in any case.
    odds = xp.exp(xp.clip(theta - xp.max(theta, axis=0), small.lowest, None))
    for i, pairs in blocks(k):
        row = conductances[i, i + 1 :, :]
        excess = _derivatives(xp, odds[i, :], odds[i + 1 :, :], tables.r[pairs, :], row)
        if tables.weights is not None:
            excess *= tables.weights[pairs, :]
            row *= tables.weights[pairs, :]
        mine, others = gradient[i, :], gradient[i + 1 :, :]
        mine += add_up(xp, excess)
        others -= excess
    if k <= ELEMENTWISE:
        step = solve_laplacian(xp, conductances, gradient)
    else:
        step = solve_large_laplacian(xp, conductances, gradient, tables.together)
    span = xp.max(step, axis=0) - xp.min(step, axis=0)
    return theta + step * damp(xp, span), span


def _derivatives(
    xp: ModuleType, mine: Floats, theirs: Floats, r: Floats, curvature: Floats
) -> Floats:
    """Return r − μ and write μ(1 − μ), μ = mine/(mine + theirs), precise also near 0 and 1."""
    scale = into(xp, curvature, xp.add, mine, theirs)
    into(xp, scale, xp.divide, 1.0, scale)
    mu, rest = mine * scale, theirs * scale
    into(xp, curvature, xp.multiply, mu, rest)
    excess = into(xp, rest, xp.multiply, r, rest)
    excess -= into(xp, mu, xp.multiply, 1.0 - r, mu)
    return excess
