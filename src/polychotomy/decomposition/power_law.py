"""Learning curves as a power law with a floor: error(x) = floor + scale · x^(−exponent).

Written as e_N · (φ + (1 − φ) (x / N)^(−c)): the error now, e_N; the share φ of it that no data
removes; the exponent c. Few points cannot identify three parameters, so nothing is maximised: every
curve on a grid is weighed by how well it fits, and what is reported is what the likely ones say.

Most of the noise moves all points together: few hard cases among those tried, and every error is
low. Generalised least squares takes this as leave to put a falling curve below points that do not
fall, where it falls little. Hence every curve is given the points' weighted mean, is weighed by the
differences between points alone, and only then is the level of all of them blurred.

No learning curve is a power law. A curve's fall beyond N strays from its law by a random factor,
and points far above the last count for less. Nor do the samples' losses say all of the noise: the
fits share their training cases, whose luck moves all points; and no error among n cases does not
mean none among the next. These widths, and the prior of c, were chosen in round numbers on one draw
of the data sets of benchmarks/more_data_advice.py, which tries them on others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from polychotomy.arrays import Floats

_SHARES = (np.arange(24) + 0.5) / 24  # every share beforehand as likely as another
_EXPONENTS = np.geomspace(0.1, 2.5, 22)
_LEVELS = ndtri((np.arange(9) + 0.5) / 9)
_TYPICAL, _SPREAD = 0.7, 0.7  # median of the exponents beforehand, deviation of their logarithm
_STRAY = 0.7  # deviation of the logarithm of a fall, about its law
_DISCOUNT = 0.1  # deviation of a point, as a share of its height above the last
_SHARED = 1.5  # what deviations between samples have to be multiplied by, for shared training cases
_COUNTED = 2.0  # errors among n cases, more or less, that nobody can rule out
_APART = 0.5  # share of those by which single points may be off, even where all agree by case
_NEGLIGIBLE = 12.0  # of a logarithm of weights
_MISFIT = 0.01  # deviation of a point from its law, as a share of the error


@dataclass(frozen=True, eq=False)
class CurvePosterior:
    """Weighted curves: error now, floor share, exponent, factor by which the fall strays.

    Examples
    --------
    >>> import numpy as np
    >>> sizes = np.array([50.0, 100, 200, 400])
    >>> curves = fit_power_law(sizes, 0.1 + 2 / sizes, np.eye(4) * 1e-6, now=400.0)
    >>> low, middle, high = curves.quantiles(curves.errors(10.0), [0.1, 0.5, 0.9])
    >>> low < 0.1005 < high  # the truth
    True
    """

    now: Floats
    shares: Floats
    exponents: Floats
    strays: Floats
    weights: Floats

    def errors(self, factor: float) -> Floats:
        """Error of each curve at ``factor`` times the data."""
        return self.now - self.gains(factor)

    def gains(self, factor: float) -> Floats:
        """Fall of each curve from now to ``factor`` times the data: no more than all the error."""
        fall = self.now * (1.0 - self.shares) * (1.0 - factor**-self.exponents)
        return fall if factor <= 1 else np.minimum(fall * self.strays, self.now)

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

    Given φ and c, e_N follows from the points' mean; its normal distribution is taken at nine
    quantiles.

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
    share, exponent = (grid.ravel() for grid in np.meshgrid(_SHARES, _EXPONENTS, indexing="ij"))
    shape = share + (1.0 - share) * (sizes[:, None] / now) ** -exponent  # (s, grid)
    noise = _widen(covariance, sizes, errors, counted=_COUNTED / now)
    mean, contrasts = _mean_and_contrasts(noise)
    height = mean @ shape  # mean of the curve, as a multiple of e_N
    centre, deviation = mean @ errors / height, np.sqrt(mean @ noise @ mean) / height
    residuals = errors[:, None] - centre * shape
    misfit = np.einsum("sg,st,tg->g", residuals, contrasts, residuals)
    log_weight = -0.5 * misfit + _log_prior(exponent)
    likely = log_weight > log_weight.max() - _NEGLIGIBLE
    share, exponent, centre = share[likely], exponent[likely], centre[likely]
    weight = np.exp(log_weight[likely] - log_weight.max())
    level = centre[:, None] + _LEVELS * deviation[likely, None]  # (grid, levels)
    weight = np.where(level > 0, weight[:, None], 0.0)
    if not weight.any():  # no error anywhere
        level, weight = np.zeros_like(level), np.ones_like(level)
    return _cross(level, share, exponent, weight)


def _widen(covariance: Floats, sizes: Floats, errors: Floats, *, counted: float) -> Floats:
    shared = _SHARED**2 * covariance + counted**2  # counted: the points are tried on the same cases
    return shared + np.diag(_stray_variances(sizes, errors, least=counted))


def _mean_and_contrasts(noise: Floats) -> tuple[Floats, Floats]:
    """Weights of the points in their mean, (s,), and the precision of their differences, (s, s)."""
    precise = 1.0 / np.diag(noise)
    precision = np.linalg.inv(noise)
    sums = precision.sum(axis=0)
    return precise / precise.sum(), precision - np.outer(sums, sums) / sums.sum()


def _cross(level: Floats, share: Floats, exponent: Floats, weight: Floats) -> CurvePosterior:
    shape = (*level.shape, len(_LEVELS))
    parts = (level[..., None], share[:, None, None], exponent[:, None, None])
    now, shares, exponents = (np.broadcast_to(part, shape).ravel() for part in parts)
    return CurvePosterior(
        now=now,
        shares=shares,
        exponents=exponents,
        strays=np.broadcast_to(np.exp(_STRAY * _LEVELS), shape).ravel(),
        weights=np.broadcast_to((weight / weight.sum() / shape[-1])[..., None], shape).ravel(),
    )


def _stray_variances(sizes: Floats, errors: Floats, *, least: float) -> Floats:
    above = np.maximum(errors - errors[np.argmax(sizes)], 0.0)
    base = max(float(np.mean(errors)), least)
    variances: Floats = (_DISCOUNT * above) ** 2 + (_MISFIT * base) ** 2 + (_APART * least) ** 2
    return variances


def _log_prior(exponent: Floats) -> Floats:
    # Log-normal; on a geometric grid its Jacobian is constant.
    return -0.5 * (np.log(exponent / _TYPICAL) / _SPREAD) ** 2
