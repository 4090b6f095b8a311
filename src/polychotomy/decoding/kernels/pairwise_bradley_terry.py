"""HT98 eqs. (2)–(5): pairwise coupling, with its limits where pairs are certain."""

from __future__ import annotations

from types import ModuleType

from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.buffers import Buffers
from polychotomy.decoding.arguments import like
from polychotomy.decoding.kernels.chunks import precision_of
from polychotomy.decoding.kernels.newton import Tables, fit_log_odds, merge, softmax
from polychotomy.decoding.kernels.pairs import find_components, present_pairs, spread

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
    edge = precision_of(xp, r).certain
    certain = xp.any((r < edge) | (r > 1.0 - edge), axis=0)
    w = None if (weights == 1.0).all() else like(xp, weights, r)[:, None]
    tables = Tables(r, w, None)
    if not bool(xp.any(certain)):
        return softmax(xp, fit_log_odds(xp, tables, k, buffers=buffers))
    usual = tables.take(xp, xp.nonzero(~certain)[0])
    solutions = softmax(xp, fit_log_odds(xp, usual, k, buffers=buffers))
    return _with_limits(xp, tables, weights, k, certain, solutions)


def _with_limits(
    xp: ModuleType, tables: Tables, weights: Floats, k: int, certain: Bools, solutions: Floats
) -> Floats:
    """Put the limits of samples with certain pairs among the solutions of the others."""
    limits = _couple_components(xp, tables.take(xp, xp.nonzero(certain)[0]), weights, k)
    return merge(xp, certain, xp.astype(limits, solutions.dtype, copy=False), solutions)


def _couple_components(xp: ModuleType, tables: Tables, weights: Floats, k: int) -> Floats:
    """Fit each component of certain winners by itself, then set them apart; in float64."""
    edge = precision_of(xp, tables.r).certain
    r = xp.astype(tables.r, xp.float64, copy=False)
    components = find_components(xp, r, weights, k, certain=edge)
    within = present_pairs(xp, components, r, k)
    if tables.weights is not None:
        within = within * like(xp, weights, r)[:, None]
    inside = Tables(r, within, components.together)
    theta = fit_log_odds(xp, inside, k)
    return spread(xp, components, theta, certain=_DEFEAT)
