"""Strategies and drawings shared by the tests of this package."""

import numpy as np
from hypothesis import strategies as st


def draw_forecasts(rng, n, k, *, concentration=1.0):
    """Probabilities, and classes drawn from them."""
    p = rng.dirichlet(np.full(k, concentration), size=n)
    y = (rng.random((n, 1)) > p.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return p, y


@st.composite
def forecasts(draw, max_n=12, max_k=5, min_k=2):
    """Small, often tied, often exactly 0 or 1."""
    n, k = draw(st.integers(1, max_n)), draw(st.integers(min_k, max_k))
    raw = np.array(draw(st.lists(st.integers(0, 4), min_size=n * k, max_size=n * k)), float)
    raw = raw.reshape(n, k)
    raw[raw.sum(axis=1) == 0] = 1
    y = np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)))
    return raw / raw.sum(axis=1, keepdims=True), y
