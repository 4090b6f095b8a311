"""Rows whose meaning turns round through time."""

import numpy as np


def turning(turn, n=240):
    """Rows in order of time; what the first column means turns round, where it is to."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 2))
    angle = np.linspace(0, 0.8 * np.pi, n) if turn else np.zeros(n)
    return x, (np.cos(angle) * x[:, 0] + 0.3 * rng.normal(size=n) > 0).astype(int)
