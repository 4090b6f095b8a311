"""HT98 eqs. (2)–(5): pairwise coupling by Newton's method in log p."""

from __future__ import annotations

from types import ModuleType

from array_api_compat import device

from polychotomy.arrays import Floats
from polychotomy.decoding.arguments import like
from polychotomy.decoding.buffers import Buffers, into
from polychotomy.decoding.elimination import ELEMENTWISE, solve_laplacian, solve_large_laplacian
from polychotomy.decoding.pairs import blocks, empty_matrices

CLIP = 1e-12  # r is kept this far from 0 and 1
_TOLERANCE = 1e-6  # a Newton step this short leaves an error of its square
_MOST_STEPS = 500


def couple_bradley_terry(
    xp: ModuleType, r: Floats, weights: Floats, k: int, buffers: Buffers
) -> Floats:
    """Minimise Σ_{i<j} w_ij KL(r_ij ‖ p_i/(p_i + p_j)), HT98's criterion (4), over the simplex.

    The criterion is convex in θ = log p, and its third derivative is at most the range R of a
    step times its second; damping the Newton step by log(1 + R)/R therefore always descends.

    Parameters
    ----------
    xp : module
        The array namespace.
    r : (k(k−1)/2, n)
        r_ij for the pairs i < j in the order of one_vs_one(k); kept within [1e-12, 1 − 1e-12].
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
    >>> import numpy as np
    >>> r = np.array([[0.9], [0.4], [0.7]])
    >>> couple_bradley_terry(np, r, np.ones(3), 3, Buffers(np, r)).ravel().round(6)
    array([0.481068, 0.241639, 0.277293])
    """
    w = None if (weights == 1.0).all() else like(xp, weights, r)[:, None]
    r = xp.clip(r, CLIP, 1.0 - CLIP)
    theta = _start(xp, r, weights, k)
    waiting = xp.arange(r.shape[1])
    order, done = [], []
    for _ in range(_MOST_STEPS):
        step = _newton_step(xp, theta, r, w, k, buffers)
        span = xp.max(step, axis=0) - xp.min(step, axis=0)
        theta = theta + step * (xp.log1p(span) / xp.maximum(span, 1e-300 + 0.0 * span))
        finished = span < _TOLERANCE
        order.append(waiting[finished])
        done.append(theta[:, finished])
        if bool(xp.all(finished)):
            break
        going = xp.nonzero(~finished)[0]
        waiting, theta, r = (xp.take(x, going, axis=-1) for x in (waiting, theta, r))
    else:
        raise AssertionError("Newton's method did not end")
    theta = xp.take(xp.concat(done, axis=1), xp.argsort(xp.concat(order)), axis=1)
    return softmax(xp, theta)


def softmax(xp: ModuleType, theta: Floats) -> Floats:
    """Return exp(θ) scaled to add up to 1 over the first axis.

    Examples
    --------
    >>> import numpy as np
    >>> softmax(np, np.array([[1000.0], [1000.0]])).ravel()
    array([0.5, 0.5])
    """
    p = xp.exp(theta - xp.max(theta, axis=0))
    scaled: Floats = p / xp.sum(p, axis=0)
    return scaled


def _start(xp: ModuleType, r: Floats, weights: Floats, k: int) -> Floats:
    """Return the row means of logit r: exact where all pairs agree, and for two classes."""
    present = None if weights.all() else like(xp, weights > 0, r)[:, None]
    theta: Floats = xp.zeros((k, r.shape[1]), dtype=r.dtype, device=device(r))
    for i, pairs in blocks(k):
        logits = xp.log(r[pairs, :]) - xp.log1p(-r[pairs, :])
        if present is not None:
            logits = logits * present[pairs, :]
        theta[i, :] += xp.sum(logits, axis=0)
        theta[i + 1 :, :] -= logits
    theta /= k
    return theta


def _newton_step(
    xp: ModuleType, theta: Floats, r: Floats, w: Floats | None, k: int, buffers: Buffers
) -> Floats:
    """Solve (Σ w_ij μ_ij μ_ji (e_i − e_j)(e_i − e_j)ᵀ) δ = Σ w_ij (r_ij − μ_ij)(e_i − e_j)."""
    conductances = empty_matrices(xp, k, r.shape[1], buffers)
    gradient = buffers.get("gradient", theta.shape)
    gradient[:, :] = 0.0
    for i, pairs in blocks(k):
        row = conductances[i, i + 1 :, :]
        excess = _derivatives(xp, theta[i, :] - theta[i + 1 :, :], r[pairs, :], row)
        if w is not None:
            excess *= w[pairs, :]
            row *= w[pairs, :]
        gradient[i, :] += xp.sum(excess, axis=0)
        gradient[i + 1 :, :] -= excess
    if k <= ELEMENTWISE:
        return solve_laplacian(xp, conductances, gradient)
    return solve_large_laplacian(xp, conductances, gradient)


def _derivatives(xp: ModuleType, gaps: Floats, r: Floats, curvature: Floats) -> Floats:
    """Return r − μ and write μ(1 − μ), μ = 1/(1 + exp(−gap)), precise also near 0 and 1."""
    ratio = xp.exp(-xp.abs(gaps))
    larger = into(xp, curvature, xp.add, ratio, 1.0)
    into(xp, larger, xp.divide, 1.0, larger)  # max(μ, 1 − μ)
    ratio *= larger
    smaller = ratio
    excess: Floats = xp.where(gaps >= 0, smaller - (1.0 - r), r - smaller)
    curvature *= smaller
    return excess
