"""Hypothesis strategies and plain definitions that the tests of decoding share."""

from functools import cache

import numpy as np
from hypothesis import strategies as st

from polychotomy.codes import one_vs_one, one_vs_rest, random_dense, random_sparse
from polychotomy.codes.classic_codes import exhaustive
from polychotomy.codes.orthogonal import orthogonal
from polychotomy.codes.random_codes import nested

CODES = {  # made once for each number of classes
    "one-vs-one": one_vs_one,
    "one-vs-rest": one_vs_rest,
    "exhaustive": exhaustive,
    "orthogonal": orthogonal,
    "nested": lambda k: nested(k, random_state=k),
    "random-dense": lambda k: random_dense(k, length=k + 6, random_state=k),
    "random-sparse": lambda k: random_sparse(k, length=3 * k, random_state=k),
}
CODES = {name: cache(make) for name, make in CODES.items()}
SEEDS = st.integers(0, 2**32 - 1)


def outputs_of(code, p):
    """The outputs that class probabilities p (n, k) imply: S₊/(S₊ + S₋)."""
    plus, minus = p @ (code.T > 0), p @ (code.T < 0)
    return plus / (plus + minus)


def squares(code, q, p, weights=1.0):
    """The least-squares criterion of one sample: Σ w ((1 − q) S₊ − q S₋)²."""
    plus, minus = (code > 0) @ p, (code < 0) @ p
    return float((weights * ((1 - q) * plus - q * minus) ** 2).sum())


def divergence(code, q, p, weights=1.0):
    """The Kullback–Leibler criterion of one sample, without one-sided rows; q inside (0, 1)."""
    sided = (code.max(axis=1) > 0) & (code.min(axis=1) < 0)
    code, q = code[sided], q[sided]
    weights = np.broadcast_to(weights, sided.shape)[sided]
    plus, minus = np.log((code > 0) @ p), np.log((code < 0) @ p)
    both = np.logaddexp(plus, minus)
    terms = q * (np.log(q) - plus + both) + (1 - q) * (np.log(1 - q) - minus + both)
    return float((weights * terms).sum())


def random_outputs(code, seed, n=4, low=0.02):
    return np.random.default_rng(seed).uniform(low, 1 - low, size=(n, len(code)))
