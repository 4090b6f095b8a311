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
mean none among the next. These widths, and the prior of c, were chosen in round numbers on the
populations of benchmarks/lab_fits.py that rules may be tuned on; docs/results/lab.md has others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from polychotomy.core.advice import Answer, answer_question, check_advice
from polychotomy.core.arguments import as_floats, is_number, unexpected, wrong_shape
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Axes, DataFrame, Result, new_axes

_SHARES = (np.arange(24) + 0.5) / 24  # every share beforehand as likely as another

_EXPONENTS = np.geomspace(0.1, 2.5, 22)

_LEVELS = ndtri((np.arange(9) + 0.5) / 9)

_TYPICAL, _SPREAD = 0.5, 0.7  # median of the exponents beforehand, deviation of their logarithm

_STRAY = 0.45  # deviation of the logarithm of a fall, about its law

_DISCOUNT = 0.2  # deviation of a point, as a share of its height above the last

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

    def summary(self, values: Floats, confidence: float) -> list[float]:
        """Low, mean and high of a value for each curve; a mean beyond an end is that end.

        The mean, as falls are skewed: their median is below what is gained on average.
        """
        low, high = self.quantiles(values, [1.0 - confidence, confidence])
        return [low, float(np.clip(self.weights @ values / self.weights.sum(), low, high)), high]

    def quantiles(self, values: Floats, levels: list[float]) -> list[float]:
        """Weighted quantiles of a value for each curve."""
        order = np.argsort(values, kind="stable")
        cumulative = np.cumsum(self.weights[order])
        found = np.searchsorted(cumulative, np.asarray(levels) * cumulative[-1])
        return values[order[np.minimum(found, len(order) - 1)]].tolist()


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
    return (_DISCOUNT * above) ** 2 + (_MISFIT * base) ** 2 + (_APART * least) ** 2


def _log_prior(exponent: Floats) -> Floats:
    # Log-normal; on a geometric grid its Jacobian is constant.
    return -0.5 * (np.log(exponent / _TYPICAL) / _SPREAD) ** 2


class LearningCurveForecast(Result):
    """The error expected with more data, and whether more data would help.

    Parameters
    ----------
    sizes, errors, standard_errors : (s,) floats
        Training sizes, mean error at each, and its standard error.
    n : int
        Cases in hand, from which ``factors`` count.
    now : (3,) floats
        Low, middle and high of the error expected at ``n``. Middles are means over the curves
        that fit.
    factors : (f,) floats
        Times the data.
    forecasts, gains : (f, 3) floats
        Low, middle and high of the error expected there, and of what it is below that at ``n``.
    answers : tuple of {"yes", "no", "cannot tell"}
        Whether the gain exceeds ``gain``: "yes" where its interval lies above, "no" where below.
    gain, confidence : float
        What counts as help; confidence of each answer, 1 − confidence being left out at each end.
    curve : (4, points) floats
        Sizes, then low, middle and high of the fitted curve, to draw.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import learning_curve_forecast
    >>> sizes = np.array([50, 100, 200, 400])
    >>> rng = np.random.default_rng(0)
    >>> wrong = rng.random((400, 1)) < 0.05 + 4 / sizes  # the same samples at every size
    >>> print(learning_curve_forecast(sizes, wrong.T, n=500))  # doctest: +ELLIPSIS
    Would more data help? With 2 times the data: ...
    """

    sizes: Floats
    errors: Floats
    standard_errors: Floats
    n: int
    now: Floats
    factors: Floats
    forecasts: Floats
    gains: Floats
    answers: tuple[Answer, ...]
    gain: float
    confidence: float
    curve: Floats

    @property
    def answer(self) -> Answer:
        """Whether the first of ``factors``, twice the data by default, would help."""
        return self.answers[0]

    @property
    def expected(self) -> float:
        """The gain expected of the first factor."""
        return float(self.gains[0, 1])

    @property
    def low(self) -> float:
        """Lower end of its interval."""
        return float(self.gains[0, 0])

    @property
    def high(self) -> float:
        """Upper end of its interval."""
        return float(self.gains[0, 2])

    @property
    def expected_errors(self) -> Floats:
        """Error expected with each factor, (f,): that at ``n`` less the gain expected."""
        return self.now[1] - self.gains[:, 1]

    def to_frame(self) -> DataFrame:
        """Return a row for each factor; ``error`` is that at ``n`` less ``gain``."""
        return self._frame(
            factor=self.factors,
            n=np.rint(self.factors * self.n).astype(int),
            answer=self.answers,
            error=self.expected_errors,
            low=self.forecasts[:, 0],
            high=self.forecasts[:, 2],
            gain=self.gains[:, 1],
            gain_low=self.gains[:, 0],
            gain_high=self.gains[:, 2],
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the points, the curve fitted to them with its band, and the forecasts."""
        ax = new_axes(ax)
        x, low, middle, high = self.curve
        ax.fill_between(x, low, high, color="#0072B2", alpha=0.2, lw=0)
        ax.plot(x, middle, color="#0072B2", label="power law with a floor")
        reach = 2 * self.standard_errors
        ax.errorbar(self.sizes, self.errors, yerr=reach, fmt="o", color="black", capsize=3,
                    label="out of fold, ± 2 standard errors")  # fmt: skip
        ax.axvline(self.n, color="0.6", lw=0.8, ls="--", label=f"data in hand, n = {self.n}")
        for factor, answer, centre, (bottom, _, top) in zip(
            self.factors, self.answers, self.expected_errors, self.forecasts, strict=True
        ):
            where, error = factor * self.n, [[centre - bottom], [top - centre]]
            ax.errorbar(where, centre, yerr=error, fmt="s", color="#D55E00", capsize=4)
            text = f"{factor:g}×: {answer}"
            ax.annotate(text, (where, top), xytext=(0, 6), textcoords="offset points", ha="right")
        ax.set_xscale("log")
        ax.set_ylim(bottom=0)
        ax.set(xlabel="training cases", ylabel="error")
        ax.legend(frameon=False)
        return ax

    def __str__(self) -> str:
        level = f"{100 * (2 * self.confidence - 1):.0f} % interval"
        parts = [
            f"With {row.factor:g} times the data: {row.answer}, {row.gain:.2g} lower ({level} "
            f"{row.gain_low:.2g} to {row.gain_high:.2g}), which is an error of {row.error:.3g} "
            f"({row.low:.3g} to {row.high:.3g})"
            for row in self.to_frame().itertuples(index=False)
        ]
        return (
            f"Would more data help? {'. '.join(parts)}. Now, with {self.n} cases, "
            f"{self.now[1]:.3g} by the fitted curve; help means to lower it by more than "
            f"{self.gain:g}."
        )


def learning_curve_forecast(
    sizes: ArrayLike,
    losses: ArrayLike,
    *,
    n: int | None = None,
    factors: Sequence[float] = (2.0, 10.0),
    gain: float = 0.005,
    confidence: float = 0.9,
) -> LearningCurveForecast:
    """Forecast the error with more data, and say whether more data would help.

    A power law with a floor is fitted to errors at a few training sizes. What is reported is what
    the curves that fit agree on: few points cannot tell a floor from a slow decline, and then the
    answer is "cannot tell".

    Parameters
    ----------
    sizes : (s,) array-like
        Training sizes, two or more, all different.
    losses : (s, m) array-like
        A row for each size: losses of the same ``m`` samples out of fold, or errors of ``m``
        repeats; at least two. Their covariance is that of the points. NaN columns are left out.
    n : int, optional
        Cases in hand; by default the largest size.
    factors : sequence of float
        Times ``n`` to forecast for.
    gain : float
        Smallest gain that counts as help: half a point by default.
    confidence : float
        Confidence of each "yes" or "no".

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import learning_curve_forecast
    >>> sizes = np.array([50, 100, 200, 400])
    >>> noise = np.array([[0.001, -0.001]])
    >>> learning_curve_forecast(sizes, 0.05 + 20 / sizes[:, None] + noise).answers
    ('yes', 'yes')
    >>> learning_curve_forecast(sizes, 0.2 + 0 / sizes[:, None] + noise).answers[0]
    'no'
    """
    x, table = _check_points(sizes, losses)
    count = int(x.max()) if n is None else n
    if not is_number(count) or not x.max() <= count < np.inf:
        raise unexpected("n", n, f"at least the largest size, {x.max():g}: the cases in hand")
    count = int(count)
    return forecast_from_moments(
        x,
        table.mean(axis=1),
        np.cov(table) / table.shape[1],
        n=count,
        factors=factors,
        gain=gain,
        confidence=confidence,
    )


def forecast_from_moments(
    sizes: Floats,
    errors: Floats,
    covariance: Floats,
    *,
    n: int,
    factors: Sequence[float] = (2.0, 10.0),
    gain: float = 0.005,
    confidence: float = 0.9,
) -> LearningCurveForecast:
    """Forecast from mean errors (s,) at sizes (s,) and the covariance (s, s) of the means.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition.learning_curve import forecast_from_moments
    >>> sizes = np.array([50.0, 100, 200, 400])
    >>> forecast_from_moments(sizes, 0.05 + 20 / sizes, np.eye(4) * 1e-6, n=400).answers
    ('yes', 'yes')
    """
    check_advice(gain, confidence)
    times = _check_factors(factors)
    curves = fit_power_law(sizes, errors, covariance, now=float(n))
    gains = np.array([curves.summary(curves.gains(t), confidence) for t in times])
    return LearningCurveForecast(
        sizes=sizes,
        errors=errors,
        standard_errors=np.sqrt(np.diag(covariance)),
        n=n,
        now=np.array(curves.summary(curves.now, confidence)),
        factors=times,
        forecasts=np.array([curves.summary(curves.errors(t), confidence) for t in times]),
        gains=gains,
        answers=tuple(answer_question(row[0], row[2], gain) for row in gains),
        gain=float(gain),
        confidence=float(confidence),
        curve=_trace(curves, sizes.min() / n, float(times.max()), n, confidence),
    )


def _trace(curves: CurvePosterior, first: float, last: float, n: int, confidence: float) -> Floats:
    factors = np.geomspace(min(first, 1.0), max(last, 1.0), 25)
    bands = [curves.summary(curves.errors(float(f)), confidence) for f in factors]
    return np.vstack([factors * n, np.transpose(bands)])


def _check_points(sizes: ArrayLike, losses: ArrayLike) -> tuple[Floats, Floats]:
    x, table = as_floats("sizes", sizes), as_floats("losses", losses)
    if (
        x.ndim != 1
        or len(x) < 2
        or len(np.unique(x)) < len(x)
        or not ((x > 0) & (x < np.inf)).all()
    ):
        raise unexpected(
            "sizes", sizes, "two or more different training sizes, each above 0 and finite"
        )
    if table.ndim != 2 or table.shape[0] != len(x):
        raise wrong_shape("losses", table, f"({len(x)}, m), a row for each of sizes")
    table = table[:, ~np.isnan(table).any(axis=0)]
    if table.shape[1] < 2 or not np.isfinite(table).all() or not (table >= 0).all():
        raise InvalidInput(
            f"losses has {table.shape[1]} columns without NaN; expected at least two, of finite "
            "losses that are 0 or more."
        )
    return x, table


def _check_factors(factors: Sequence[float]) -> Floats:
    times = as_floats("factors", factors)
    if times.ndim != 1 or not times.size or not ((times >= 1) & np.isfinite(times)).all():
        raise unexpected("factors", factors, "finite numbers of 1 or more, such as (2, 10)")
    return times
