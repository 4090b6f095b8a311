"""HT98 §2: class probabilities from a table of pairwise ones."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from array_api_compat import device
from numpy.typing import ArrayLike

from polychotomy.codes.classic_codes import one_vs_one
from polychotomy.core.arguments import as_floats, check_count, check_entries, wrong_shape
from polychotomy.core.arrays import Floats, Probabilities, to_host
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding.decode import Decoder, check_decoder, make_decoder
from polychotomy.decoding.prepared import first, namespace_and_floats

_ROUNDING = 1e-6  # how far r_ij + r_ji may be from 1; tables kept in single precision pass


def couple(
    table: ArrayLike, *, decoder: Decoder = "bradley-terry", weights: ArrayLike | None = None
) -> Probabilities:
    """Return class probabilities from pairwise ones, r_ij = P(i | i or j).

    Parameters
    ----------
    table : array_like, (..., k, k)
        Pairwise probabilities with r_ij + r_ji = 1; the diagonal is ignored.
    decoder : {"bradley-terry", "least-squares", "votes", "loss"}
        HT98's coupling, Wu, Lin & Weng's second method, max-wins, or loss-based decoding.
    weights : array_like, (k, k), optional
        HT98's n_ij: symmetric and at least 0; zero means that the pair is missing, and its table
        entries are ignored. ``None`` means all ones.

    Returns
    -------
    (..., k)
        The last axis adds up to 1. Of the kind of array given.

    Examples
    --------
    HT98's example (1):

    >>> import numpy as np
    >>> from polychotomy.decoding.couple import couple
    >>> r = np.array([[0.0, 0.9, 0.4], [0.1, 0.0, 0.7], [0.6, 0.3, 0.0]])
    >>> couple(r).round(6)
    array([0.481068, 0.241639, 0.277293])
    >>> couple(r, decoder="least-squares").round(6)
    array([0.457233, 0.202129, 0.340638])
    """
    check_decoder(decoder)
    xp, r, w, q = _check_table(table, weights)
    k = r.shape[-1]
    given = None if weights is None else w[np.triu_indices(k, 1)]
    decode = make_decoder(one_vs_one(k), decoder=decoder, weights=given)
    p = decode(xp.reshape(q, (-1, q.shape[-1])))
    return xp.reshape(p, r.shape[:-1])


def couple_by_sweeps(
    table: ArrayLike, *, sweeps: int = 100, weights: ArrayLike | None = None
) -> Probabilities:
    """Return what HT98's own iteration (after eq. 5) has reached after so many sweeps.

    From equal probabilities, one class after the other: p_i ← p_i · Σ_j n_ij r_ij / Σ_j n_ij μ_ij,
    then all are scaled to add up to 1. Its limit is what `couple` gives at once; where classes
    stand in a clear order it takes thousands of sweeps. For comparison, and to see how the paper's
    printed numbers came about.

    Parameters
    ----------
    table, weights
        As for `couple`; computed with NumPy.
    sweeps : int
        How often all classes are gone through.

    Examples
    --------
    The paper prints (0.47, 0.25, 0.28) for its example, three sweeps on the way to the solution:

    >>> import numpy as np
    >>> from polychotomy.decoding import couple_by_sweeps
    >>> r = np.array([[0.0, 0.9, 0.4], [0.1, 0.0, 0.7], [0.6, 0.3, 0.0]])
    >>> couple_by_sweeps(r, sweeps=3).round(2)
    array([0.47, 0.25, 0.28])
    >>> couple_by_sweeps(r).round(6)
    array([0.481068, 0.241639, 0.277293])
    """
    _, r, w, _ = _check_table(to_host(table), weights)
    w = np.where(np.eye(len(w), dtype=np.bool_), 0.0, w)
    p = np.full(r.shape[:-1], 1 / len(w))
    for i in np.tile(np.arange(len(w)), check_count("sweeps", sweeps)):
        both = p[..., i : i + 1] + p
        mu = np.divide(p[..., i : i + 1], both, out=np.zeros_like(p), where=both > 0)
        said, is_ = (np.where(w[i] > 0, x, 0.0) @ w[i] for x in (r[..., i, :], mu))
        p[..., i] *= np.divide(said, is_, out=np.ones_like(said), where=is_ > 0)
        p /= p.sum(axis=-1, keepdims=True)
    return p


def couple_in_closed_form(table: ArrayLike) -> Probabilities:
    """Return p_i ∝ 1 / (Σ_j 1/r_ij − (k − 2)) of Price, Knerr, Personnaz & Dreyfus (1995).

    Exact where a p agrees with the table; else for comparison with `couple`. Computed with NumPy.

    Parameters
    ----------
    table : array_like, (..., k, k)
        As for `couple`.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding import couple_in_closed_form
    >>> r = np.array([[0.0, 0.9, 0.4], [0.1, 0.0, 0.7], [0.6, 0.3, 0.0]])
    >>> couple_in_closed_form(r).round(4)
    array([0.5254, 0.1316, 0.343 ])
    """
    _, r, _, _ = _check_table(to_host(table), None)
    k = r.shape[-1]
    # Not a smaller number: where all of many classes lose for certain, the sum would overflow.
    odds = np.where(np.eye(k, dtype=np.bool_), 0.0, 1 / np.maximum(r, 1e-200))
    p = 1 / (odds.sum(axis=-1) - (k - 2))
    return np.asarray(p / p.sum(axis=-1, keepdims=True))


def couple_by_markov_chain(table: ArrayLike) -> Probabilities:
    """Return the p with p_i = Σ_j r_ij (p_i + p_j) / (k − 1): Wu, Lin & Weng's first method.

    It is the stationary distribution of a chain that goes from j to i with probability
    r_ij / (k − 1). For comparison with `couple`. Computed with NumPy.

    Parameters
    ----------
    table : array_like, (..., k, k)
        As for `couple`.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding import couple_by_markov_chain
    >>> r = np.array([[0.0, 0.9, 0.4], [0.1, 0.0, 0.7], [0.6, 0.3, 0.0]])
    >>> couple_by_markov_chain(r).round(4)
    array([0.4644, 0.2218, 0.3138])
    """
    _, r, _, _ = _check_table(to_host(table), None)
    k = r.shape[-1]
    flow = np.where(np.eye(k, dtype=np.bool_), 0.0, r)
    leaving = np.eye(k) * (k - 1 - flow.sum(axis=-1))[..., None]
    balance = leaving - flow
    balance[..., -1, :] = 1.0  # one of the equations follows from the others
    return np.asarray(np.linalg.solve(balance, np.eye(k)[-1][:, None])[..., 0])


def _check_table(
    table: ArrayLike, weights: ArrayLike | None
) -> tuple[ModuleType, Floats, Floats, Floats]:
    """Return the table's array library, the table, its weights (k, k), and r_ij for i < j."""
    xp, r = namespace_and_floats("table", table)
    if r.ndim < 2 or r.shape[-1] != r.shape[-2] or r.shape[-1] < 2:
        raise InvalidInput(
            f"table has shape {tuple(r.shape)}; expected (..., k, k): for each sample, a row and "
            "a column for each of two or more classes."
        )
    w = _check_pair_weights(r.shape[-1], weights)
    return xp, r, w, _outputs(xp, r, w)


def _outputs(xp: ModuleType, r: Floats, weights: Floats) -> Floats:
    """Return r_ij for i < j, from the smaller of r_ij and r_ji, which has more digits.

    Where the pair is missing it is ½, whatever the table says.
    """
    k, on = r.shape[-1], device(r)
    upper, lower = np.triu_indices(k, 1)
    flat = xp.reshape(r, (*r.shape[:-2], k * k))
    above = xp.take(flat, xp.asarray(upper * k + lower, device=on), axis=-1)
    below = xp.take(flat, xp.asarray(lower * k + upper, device=on), axis=-1)
    if not weights[upper, lower].all():
        present = xp.asarray(weights[upper, lower] > 0, device=on)
        above, below = (xp.where(present, x, xp.full_like(x, 0.5)) for x in (above, below))
    fine = (above >= -_ROUNDING) & (above <= 1 + _ROUNDING)
    fine = fine & (xp.abs(above + below - 1.0) <= _ROUNDING)  # false for NaN
    if not bool(xp.all(fine)):
        *sample, pair = first(xp, ~fine)
        here, i, j = "".join(f"{s}, " for s in sample), int(upper[pair]), int(lower[pair])
        raise InvalidInput(
            f"table[{here}{i}, {j}] is {float(above[(*sample, pair)]):g} and table[{here}{j}, {i}] "
            f"is {float(below[(*sample, pair)]):g}; expected two probabilities in [0, 1] that add "
            "up to 1."
        )
    return xp.clip(xp.where(above < 0.5, above, 1.0 - below), 0.0, 1.0)


def _check_pair_weights(k: int, weights: ArrayLike | None) -> Floats:
    if weights is None:
        return np.ones((k, k))
    w = as_floats("weights", weights)
    if w.shape != (k, k):
        raise wrong_shape("weights", w, f"({k}, {k}): one weight for each pair")
    fine = np.isfinite(w) & (w >= 0) & np.isclose(w, w.T, rtol=1e-9, atol=0.0)
    fine |= np.eye(k, dtype=np.bool_)
    check_entries("weights", w, fine, "a symmetric matrix of finite numbers of at least 0")
    return w
