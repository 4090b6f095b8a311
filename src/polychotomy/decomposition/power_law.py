"""Learning curves as a power law with a floor: error(x) = floor + scale · x^(−exponent).

Written as e_N · (φ + (1 − φ) (x / N)^(−c)): the error now, e_N; the share φ of it that no data
removes; the exponent c. Given φ and c the curve is linear in e_N, which is integrated out, and
the other two live on a grid: few points cannot identify three parameters, so what is reported is
what all curves that fit the points agree on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from polychotomy.arrays import Floats

# Every floor share is as likely as another beforehand; exponents lie where learning curves of
# classification error are found, and those near 0.5 to 1 are the likelier.
_SHARES = (np.arange(40) + 0.5) / 40
_EXPONENTS = np.linspace(0.1, 2.0, 39)
_LEVELS = ndtri((np.arange(21) + 0.5) / 21)
_MISFIT = 0.02  # no learning curve is a power law: points stray by some 2 % of the error


@dataclass(frozen=True, eq=False)
class CurvePosterior:
    """Weighted curves, a row each: error now, floor share, exponent, weight (they sum to 1).

    Examples
    --------
    >>> import numpy as np
    >>> sizes = np.array([50.0, 100, 200, 400])
    >>> curves = fit_power_law(sizes, 0.1 + 2 / sizes, np.eye(4) * 1e-6, now=400.0)
    >>> low, middle, high = curves.quantiles(curves.errors(10.0), [0.1, 0.5, 0.9])
    >>> 0.07 < low < middle < high < 0.11  # the truth is 0.1005
    True
    """

    now: Floats
    shares: Floats
    exponents: Floats
    weights: Floats

    def errors(self, factor: float) -> Floats:
        """Error of each curve at ``factor`` times the data."""
        return self.now * (self.shares + (1.0 - self.shares) * factor**-self.exponents)

    def quantiles(self, values: Floats, levels: list[float]) -> list[float]:
        """Weighted quantiles of a value a curve."""
        order = np.argsort(values, kind="stable")
        cumulative = np.cumsum(self.weights[order])
        found = np.searchsorted(cumulative, np.asarray(levels) * cumulative[-1])
        chosen: list[float] = values[order[np.minimum(found, len(order) - 1)]].tolist()
        return chosen


def fit_power_law(
    sizes: Floats, errors: Floats, covariance: Floats, *, now: float
) -> CurvePosterior:
    """Weigh every power law with a floor by how well it fits errors at some training sizes.

    Parameters
    ----------
    sizes, errors : (s,) floats
        Training sizes and the mean error at each.
    covariance : (s, s) floats
        Covariance of the means, from samples or repeats.
    now : float
        The size N at which the curve's level is expressed.

    Examples
    --------
    A curve that has long been flat promises nothing:

    >>> import numpy as np
    >>> sizes = np.array([50.0, 100, 200, 400])
    >>> curves = fit_power_law(sizes, np.full(4, 0.2), np.eye(4) * 1e-6, now=400.0)
    >>> round(curves.quantiles(curves.errors(2.0), [0.5])[0], 2)
    0.2
    """
    level = max(float(np.mean(errors)), 1e-9)
    stray = np.diag(np.full(len(sizes), (_MISFIT * level) ** 2))
    precision = np.linalg.inv(covariance + stray)
    share, exponent = (grid.ravel() for grid in np.meshgrid(_SHARES, _EXPONENTS, indexing="ij"))
    shape = share + (1.0 - share) * (sizes[:, None] / now) ** -exponent  # (s, grid)
    information = np.einsum("sg,st,tg->g", shape, precision, shape)
    centre = np.einsum("sg,st,t->g", shape, precision, errors) / information
    misfit = errors @ precision @ errors - information * centre**2
    log_weight = -0.5 * misfit - 0.5 * np.log(information) + _log_prior(exponent)
    weight = np.exp(log_weight - log_weight.max())
    levels = centre[:, None] + _LEVELS / np.sqrt(information)[:, None]  # (grid, levels)
    weights = np.where(levels > 0, weight[:, None], 0.0)
    if not weights.any():  # no error at all anywhere
        levels, weights = np.zeros_like(levels), np.broadcast_to(weight[:, None], levels.shape)
    repeat = levels.shape[1]
    return CurvePosterior(
        now=levels.ravel(),
        shares=np.repeat(share, repeat),
        exponents=np.repeat(exponent, repeat),
        weights=(weights / weights.sum()).ravel(),
    )


def _log_prior(exponent: Floats) -> Floats:
    return -0.5 * (np.log(exponent / 0.6) / 0.7) ** 2 - np.log(exponent)
