"""T96 eqs. (6)–(8): error = noise + bias + variance of a regressor, under squared error.

§7 leaves it to the reader. The squared error's aggregation effect *is* the variance, at every
sample: mean (y − c_b)² = (y − c̄)² + mean (c_b − c̄)². So two averages over the fits are enough.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polychotomy.core.arrays import Floats
from polychotomy.decomposition.accumulation import (
    WEIGHTS_SEED,
    Block,
    Summary,
    choose_resamples,
    draw_weights,
    monte_carlo,
    summarise,
)
from polychotomy.decomposition.bootstrap_fits import Fit, check_left_out
from polychotomy.decomposition.losses import Squared

_OVERALL = ("estimates", "monte_carlo_errors", "monte_carlo_biases", "lows", "highs")


def summarise_numbers(fits: Sequence[Fit], y: Floats) -> Summary:
    """Summarise the fits of a regressor: an ErrorDecomposition without classes.

    Examples
    --------
    Two fits say 1 and 3 where the truth is 3: 2 = 1 + 1.

    >>> import numpy as np
    >>> in_bag, left_out = np.array([2, 0]), np.array([1])
    >>> fits = [Fit(in_bag, left_out, np.array([[said]]), None) for said in (1.0, 3.0)]
    >>> summarise_numbers(fits, np.array([0.0, 3.0]))["estimates"].tolist()
    [[2.0, 1.0, 1.0, 1.0, 1.0]]
    """
    n, rng = len(y), np.random.default_rng(WEIGHTS_SEED)
    resamples = choose_resamples(n, 1)
    sums = np.zeros((3, 1 + resamples, n))  # of ones, of c − y, of its square
    for fit in fits:
        terms = np.zeros((3, 1, n))
        gaps = fit.predictions[:, 0] - y[fit.left_out]
        terms[:, 0, fit.left_out] = np.ones(len(gaps)), gaps, gaps * gaps
        sums += draw_weights(rng, 1, resamples) * terms
    counts = np.rint(sums[0, 0]).astype(np.intp)
    check_left_out(counts)
    gap, error = sums[1:] / np.where(counts > 0, sums[0], np.nan)
    effect = np.maximum(error - gap * gap, 0.0)
    values = np.stack([error, gap * gap, effect, effect, effect])
    block = Block(
        aggregated=(y + gap[0])[:, None],
        votes=np.empty((n, 0)),
        counts=counts,
        values=values[:, 0],
        errors=monte_carlo(values, counts)[0],
        sums=np.nansum(values, axis=2)[..., None],
    )
    summary = summarise([block], np.zeros(n, dtype=np.intp), Squared())
    return summary | {"y": y} | {name: summary[name][:1] for name in _OVERALL}


def squared_gaps(y: Floats, predictions: Floats) -> tuple[float, float]:
    """Mean squared error of predictions of their own y, and of every other: γ of .632+.

    Examples
    --------
    >>> import numpy as np
    >>> squared_gaps(np.array([0.0, 2.0]), np.array([0.0, 2.0]))
    (0.0, 2.0)
    """
    apart = y.var() + predictions.var() + (y.mean() - predictions.mean()) ** 2
    return float(np.square(y - predictions).mean()), float(apart)
