"""HT98 eqs. (2)–(5): pairwise coupling by Newton's method in log p."""

from __future__ import annotations

from types import ModuleType

from polychotomy.arrays import Floats
from polychotomy.decoding.arguments import like
from polychotomy.decoding.elimination import ELEMENTWISE, solve_batched, solve_laplacian
from polychotomy.decoding.pairs import add_to_classes, blocks, symmetric

CLIP = 1e-12  # r is kept this far from 0 and 1
_TOLERANCE = 1e-6  # a Newton step this short leaves an error of its square
_MOST_STEPS = 500


def couple_bradley_terry(xp: ModuleType, r: Floats, weights: Floats, k: int) -> Floats:
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

    Returns
    -------
    (k, n)

    Examples
    --------
    >>> import numpy as np
    >>> couple_bradley_terry(np, np.array([[0.9], [0.4], [0.7]]), np.ones(3), 3).ravel().round(6)
    array([0.481068, 0.241639, 0.277293])
    """
    r = xp.clip(r, CLIP, 1.0 - CLIP)
    w = like(xp, weights, r)[:, None]
    logits = like(xp, weights > 0, r)[:, None] * (xp.log(r) - xp.log1p(-r))
    theta = add_to_classes(xp, logits, -logits, k) / k
    waiting = xp.arange(r.shape[1])
    order, done = [], []
    for _ in range(_MOST_STEPS):
        step = _newton_step(xp, theta, r, w, k)
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


def _newton_step(xp: ModuleType, theta: Floats, r: Floats, w: Floats, k: int) -> Floats:
    """Solve (Σ w_ij μ_ij μ_ji (e_i − e_j)(e_i − e_j)ᵀ) δ = Σ w_ij (r_ij − μ_ij)(e_i − e_j)."""
    gaps = xp.concat([theta[i, :] - theta[i + 1 :, :] for i, _ in blocks(k)], axis=0)
    ratio = xp.exp(-xp.abs(gaps))
    larger = 1.0 / (1.0 + ratio)
    smaller = ratio * larger  # min(μ_ij, μ_ji), to full precision
    excess = w * xp.where(gaps >= 0, smaller - (1.0 - r), r - smaller)
    gradient = add_to_classes(xp, excess, -excess, k)
    curvature = w * smaller * larger
    if k <= ELEMENTWISE:
        return solve_laplacian(xp, symmetric(xp, curvature, k, full=False), gradient)
    degrees = add_to_classes(xp, curvature, curvature, k)
    laplacians = symmetric(xp, -curvature, k, full=True)
    for i in range(k):
        laplacians[i, i, :] = degrees[i, :]
    laplacians[:, :, :] += xp.mean(degrees, axis=0) / k
    return solve_batched(xp, laplacians, gradient)
