"""HT98's own algorithm, as printed (its fraction, lost in the scan, restored): a reference.

It is far slower than Newton's method: sweeps converge linearly, over 20,000 of them on hard
tables. It is here to check what the library computes by other means.
"""

import numpy as np


def sweep(r, weights, p, n_sweeps):
    """Cycle through the classes: p_i ← p_i · Σ_j n_ij r_ij / Σ_j n_ij μ_ij, then renormalise."""
    k = len(p)
    others = ~np.eye(k, dtype=bool)
    p = np.array(p, dtype=float)
    for _ in range(n_sweeps):
        for i in range(k):
            j = others[i]
            mu = p[i] / (p[i] + p[j])
            p[i] *= (weights[i, j] * r[i, j]).sum() / (weights[i, j] * mu).sum()
            p /= p.sum()
    return p
