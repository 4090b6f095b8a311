"""The reliability diagram: how often what was said with probability f did happen."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from polychotomy.calibration.isotonic import monotone_fit
from polychotomy.core.arguments import check_count, check_share, is_index, unexpected
from polychotomy.core.arrays import Floats
from polychotomy.core.predictions import Forecasts, check_forecasts
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


class ReliabilityDiagram(Result):
    """Observed frequency of an event beside its forecast probability.

    Parameters
    ----------
    event : str
        What was forecast.
    forecast, observed, lower, upper : (bins,) floats
        Mean forecast of each bin, share that happened, and Wilson's interval of that share.
    counts : (bins,) floats
        Cases of each bin; a case with several rows counts once.
    curve_forecast, curve_observed : (u,) floats
        The best monotone curve (isotonic regression), which needs no bins.
    confidence : float
        Of the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import reliability_diagram
    >>> p = np.repeat([[0.8, 0.2], [0.6, 0.4]], 10, axis=0)
    >>> y = np.array([0] * 8 + [1] * 2 + [0] * 3 + [1] * 7)
    >>> diagram = reliability_diagram(p, y, n_bins=2)
    >>> diagram.forecast.round(3), diagram.observed.round(3)
    (array([0.6, 0.8]), array([0.3, 0.8]))
    >>> print(diagram)
    Reliability of the predicted class: 2 of 2 bins hold the diagonal in their 95 % interval.
    """

    event: str
    forecast: Floats
    observed: Floats
    lower: Floats
    upper: Floats
    counts: Floats
    curve_forecast: Floats
    curve_observed: Floats
    confidence: float

    def to_frame(self) -> DataFrame:
        """Give a row for each bin."""
        return self._frame("forecast", "observed", "lower", "upper", "counts")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw bins with intervals, the monotone curve and the diagonal."""
        ax = new_axes(ax, width=4.6, height=4.4)
        ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, label="if the probabilities are true")
        monotone = self.curve_forecast, self.curve_observed
        ax.step(*monotone, where="mid", alpha=0.6, label="monotone fit")
        errors = [self.observed - self.lower, self.upper - self.observed]
        label = f"share, {100 * self.confidence:g} % interval"
        ax.errorbar(self.forecast, self.observed, yerr=errors, fmt="o", capsize=2, label=label)
        ax.set(xlabel=f"probability of {self.event}", ylabel="share that happened", aspect="equal")
        ax.legend(loc="best", frameon=False, fontsize="small")
        return ax

    def __str__(self) -> str:
        inside = int(np.sum((self.lower <= self.forecast) & (self.forecast <= self.upper)))
        return (
            f"Reliability of {self.event}: {inside} of {self.forecast.size} bins hold the diagonal "
            f"in their {100 * self.confidence:g} % interval."
        )


def reliability_diagram(
    probabilities: ArrayLike,
    y: ArrayLike,
    *,
    of_class: int | None = None,
    samples: ArrayLike | None = None,
    n_bins: int = 10,
    confidence: float = 0.95,
) -> ReliabilityDiagram:
    """Compare forecast probabilities with how often their event happened.

    Bins hold about as many rows each; equal forecasts stay together, so there may be fewer bins.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows summing to 1.
    y : (n,) ints or texts
        True class codes, 0 to k − 1, or labels, the columns being those of the sorted labels.
    of_class : int, optional
        The class whose probability is judged. Without it, that of the predicted class.
    samples : (n,) ints, optional
        Which case a row is about; intervals count cases, not rows.
    n_bins : int
        At most so many bins.
    confidence : float
        Of the intervals.

    Returns
    -------
    ReliabilityDiagram

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import reliability_diagram
    >>> p = np.array([[0.9, 0.1], [0.9, 0.1], [0.3, 0.7], [0.3, 0.7]])
    >>> reliability_diagram(p, [0, 0, 1, 0], of_class=1, n_bins=2).observed
    array([0. , 0.5])
    """
    forecasts = check_forecasts(probabilities, y, samples=samples)
    return diagram_of(forecasts, of_class=of_class, n_bins=n_bins, confidence=confidence)


def diagram_of(
    forecasts: Forecasts, *, of_class: int | None = None, n_bins: int = 10, confidence: float = 0.95
) -> ReliabilityDiagram:
    """Draw up the reliability diagram of checked forecasts.

    Examples
    --------
    >>> from polychotomy.validation import check_forecasts
    >>> diagram_of(check_forecasts([[0.8, 0.2]], [0])).counts
    array([1.])
    """
    check_count("n_bins", n_bins)
    check_share("confidence", confidence, such_as=0.95)
    p, y, event = forecasts.probabilities, forecasts.y, f"class {of_class}"
    if of_class is None:
        f, happened, event = p.max(axis=1), p.argmax(axis=1) == y, "the predicted class"
    elif is_index(of_class, forecasts.n_classes):
        f, happened = p[:, of_class], y == of_class
    else:
        expected = f"a class code from 0 to {forecasts.n_classes - 1}"
        raise unexpected("of_class", of_class, expected)
    weights = 1 / np.bincount(forecasts.samples)[forecasts.samples]
    last = np.arange(1, n_bins) * f.size // n_bins - 1  # last row of each bin but the final one
    edges = np.unique(np.sort(f)[last[last >= 0]])  # so that equal forecasts share a bin
    bins = np.unique(np.searchsorted(edges, f), return_inverse=True)[1]  # none is empty
    rows = np.bincount(bins).astype(float)
    counts = np.asarray(np.bincount(bins, weights), dtype=np.float64)
    observed = np.bincount(bins, happened) / rows
    lower, upper = wilson_interval(observed, counts, confidence)
    places, values = monotone_fit(f, happened.astype(float))
    return ReliabilityDiagram(
        event=event, forecast=np.bincount(bins, f) / rows, observed=observed, lower=lower,
        upper=upper, counts=counts, curve_forecast=places, curve_observed=values,
        confidence=confidence,
    )  # fmt: skip


def wilson_interval(shares: Floats, counts: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Wilson's interval of binomial shares.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = wilson_interval(np.array([0.0]), np.array([10.0]), 0.95)
    >>> low.round(4), high.round(4)
    (array([0.]), array([0.2775]))
    """
    z2 = float(ndtri((1 + confidence) / 2)) ** 2
    centre = (shares + z2 / (2 * counts)) / (1 + z2 / counts)
    half = np.sqrt(z2 * (shares * (1 - shares) / counts + z2 / (4 * counts**2))) / (1 + z2 / counts)
    # at shares of 0 and 1 the bound is the share itself, which rounding must not cross
    low, high = np.minimum(centre - half, shares), np.maximum(centre + half, shares)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)
