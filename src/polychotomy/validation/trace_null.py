"""What the trace of true probabilities looks like: classes drawn from them, again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from polychotomy._result import Result, new_axes
from polychotomy.arrays import Floats, Ints
from polychotomy.codes.draws import as_generator
from polychotomy.validation.options import require_count, require_share
from polychotomy.validation.trace import ProbabilityTrace, shown_positions
from polychotomy.validation.trace_band import Spread, joint_pvalue
from polychotomy.validation.trace_sums import (
    Ties,
    accumulate_rises,
    ascending_order,
    fit_line,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ROUNDING = 1e-12
"""Statistics closer than this are equal: rounding must not make a p-value."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TraceNull(Result):
    """A trace beside those of classes drawn from the same probabilities.

    Equal probabilities have no order of their own, and that of the rows must not make a p-value:
    here all traces, the observed one too, are straight lines over each group of equal
    probabilities. Without such groups the observed trace is that of `probability_trace`.

    Parameters
    ----------
    observed_r, observed_slope : float
        Of the trace in question, straight over equal probabilities.
    r, slope : (b,) floats
        Of the simulated traces.
    pvalue_r : float
        Share of traces, the observed one among them, with r as small: a curved trace.
    pvalue_slope : float
        Share with a slope as far from 1, its exact mean: a biased trace.
    pvalue_band : float
        Share that go as far in the band's units: those that a band through the trace's farthest
        point would not hold.
    pvalue : float
        The three questions in one: of the smallest of the three p-values.
    level : float
        Share of the simulated traces inside the band all along.
    steps, observed, lower, upper : (at most 400,) floats
        The trace, straight over equal probabilities, and the band, at steps spread over all. The
        band is simultaneous: as many times the root mean square of the upward (downward)
        deviations, at each step, as hold a share of ``level`` of the simulated traces all along.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import probability_trace
    >>> p = np.tile([0.9, 0.1], (50, 1))
    >>> trace = probability_trace(p, np.arange(50) % 2)  # half come true
    >>> print(trace.null_band(99, random_state=0))
    The trace speaks against the probabilities: slope 0.5556, 95 % of 99 simulated ones from \
0.9111 to 1.0889; p = 0.01 (r: 1, slope: 0.01, band: 0.01).
    """

    observed_r: float
    observed_slope: float
    r: Floats
    slope: Floats
    pvalue_r: float
    pvalue_slope: float
    pvalue_band: float
    pvalue: float
    level: float
    steps: Ints
    observed: Floats
    lower: Floats
    upper: Floats

    def to_frame(self) -> pd.DataFrame:
        """Two rows, r and slope: observed, band and p-value."""
        import pandas as pd

        bands = [_quantiles(values, self.level) for values in (self.r, self.slope)]
        return pd.DataFrame(
            {
                "statistic": ["r", "slope"],
                "observed": [self.observed_r, self.observed_slope],
                "lower": [float(band[0]) for band in bands],
                "upper": [float(band[1]) for band in bands],
                "pvalue": [self.pvalue_r, self.pvalue_slope],
            }
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how far the trace is from its mean, and the band of true probabilities.

        The mean is the step itself; over a long trace nothing else could be seen.
        """
        ax = new_axes(ax)
        ax.fill_between(
            self.steps,
            self.lower - self.steps,
            self.upper - self.steps,
            color="0.8",
            label=f"{100 * self.level:g} % of true probabilities, all along",
        )
        label = f"r = {self.observed_r:.4f}, slope {self.observed_slope:.3f}, p = {self.pvalue:.2g}"
        ax.plot(self.steps, self.observed - self.steps, label=label)
        ax.set(xlabel="step (probabilities in ascending order, 0 at 1/k)", ylabel="trace − step")
        ax.legend(loc="best", frameon=False, fontsize="small")
        return ax

    def __str__(self) -> str:
        low, high = _quantiles(self.slope, self.level)
        finding = "speaks" if self.pvalue <= 1 - self.level else "does not speak"
        return (
            f"The trace {finding} against the probabilities: slope "
            f"{self.observed_slope:.4f}, {self.level:.0%} of {self.slope.size} simulated ones "
            f"from {low:.4f} to {high:.4f}; p = {self.pvalue:.2g} "
            f"(r: {self.pvalue_r:.2g}, slope: {self.pvalue_slope:.2g}, band: "
            f"{self.pvalue_band:.2g})."
        ).replace("%", " %")


def simulate_trace(
    trace: ProbabilityTrace,
    n_simulations: int,
    *,
    random_state: int | np.random.Generator | None,
    level: float,
) -> TraceNull:
    """Draw the classes from the probabilities and trace them, ``n_simulations`` times.

    All traces are straight over equal probabilities: see `straight_over_ties`. Rows about one case
    share the random number that draws their class.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import probability_trace
    >>> trace = probability_trace(np.array([[1.0, 0.0]]), [0])  # certain, and right
    >>> simulate_trace(trace, 9, random_state=0, level=0.9).pvalue
    1.0
    """
    _check_simulation(n_simulations, level)
    start, observed = -int(trace.steps[0]), straight_over_ties(trace)
    observed_r, observed_slope, _ = fit_line(observed, start)
    kept = shown_positions(trace.steps.size, at_most=400)
    r, slope = np.empty(n_simulations), np.empty(n_simulations)
    traces = np.empty((n_simulations, kept.size))
    for b, one in enumerate(_simulated_traces(trace, n_simulations, random_state)):
        r[b], slope[b], _ = fit_line(one, start)
        traces[b] = one[kept]
    steps = trace.steps[kept]
    spread = Spread.of(traces - steps)
    width = float(np.quantile(spread.excursions(traces - steps), level))
    everyone: Floats = np.vstack([traces, observed[kept]]) - steps.astype(float)
    *excursions, farthest = Spread.of(everyone).excursions(everyone).tolist()  # measured alike
    simulated = np.stack([-r, np.abs(slope - 1), np.array(excursions)])
    extremes = np.array([-observed_r, abs(observed_slope - 1), farthest])
    return TraceNull(
        observed_r=observed_r,
        observed_slope=observed_slope,
        r=r,
        slope=slope,
        pvalue_r=monte_carlo_pvalue(simulated[0], extremes[0]),
        pvalue_slope=monte_carlo_pvalue(simulated[1], extremes[1]),
        pvalue_band=monte_carlo_pvalue(simulated[2], extremes[2]),
        pvalue=joint_pvalue(simulated, extremes),
        level=level,
        steps=steps,
        observed=observed[kept],
        lower=steps - width * spread.down,
        upper=steps + width * spread.up,
    )


def straight_over_ties(trace: ProbabilityTrace) -> Floats:
    """Trace with the mean rise of each group of equal probabilities in place of their own.

    Where no two probabilities are equal it is ``trace.trace``; else it is so at the ends of each
    group, and straight between, so that it does not depend on the order of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import probability_trace
    >>> p = np.tile([0.5, 0.5], (2, 1))
    >>> probability_trace(p, [0, 1]).trace
    array([0., 2., 2., 2., 4.])
    >>> straight_over_ties(probability_trace(p, [0, 1]))
    array([0., 1., 2., 3., 4.])
    """
    order, values = ascending_order(trace.probabilities.ravel())
    start = -int(trace.steps[0])
    ties = Ties(values, start)
    if ties.counts is None:
        return trace.trace
    hits = (trace.y[:, None] == np.arange(trace.probabilities.shape[1])).ravel()[order]
    return accumulate_rises(ties.rises(ties.group_of(np.flatnonzero(hits))), start)


def monte_carlo_pvalue(simulated: Floats, observed: float) -> float:
    """Share of statistics at least as large as the observed one, itself counted.

    Examples
    --------
    >>> import numpy as np
    >>> monte_carlo_pvalue(np.array([1.0, 2.0, 3.0]), 2.0)
    0.75
    """
    return float((1 + np.sum(simulated >= observed - ROUNDING)) / (1 + simulated.size))


def draw_columns(
    probabilities: Floats, samples: Ints, rng: np.random.Generator, *, complete: bool
) -> Ints:
    """Draw the true column of each row, one random number a case; k where no column is true.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> draw_columns(np.array([[0.0, 1.0]]), np.array([0]), rng, complete=True)
    array([1])
    """
    cumulative = np.cumsum(probabilities, axis=1)
    if complete:
        cumulative[:, -1] = np.inf  # rounding must not leave a row without a class
    uniform = rng.random(int(samples.max()) + 1)[samples]
    drawn: Ints = (uniform[:, None] >= cumulative).sum(axis=1)
    return drawn


def _simulated_traces(
    trace: ProbabilityTrace, n_simulations: int, random_state: int | np.random.Generator | None
) -> Iterator[Floats]:
    rng = as_generator(random_state)
    n, columns = trace.probabilities.shape
    order, values = ascending_order(trace.probabilities.ravel())
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    rank = rank.reshape(n, columns)
    start = -int(trace.steps[0])
    ties = Ties(values, start)
    group = ties.group_of(rank)
    complete = bool(np.all(trace.y >= 0))
    for _ in range(n_simulations):
        drawn = draw_columns(trace.probabilities, trace.samples, rng, complete=complete)
        rows = np.flatnonzero(drawn < columns)
        yield accumulate_rises(ties.rises(group[rows, drawn[rows]]), start)


def _quantiles(values: Floats, level: float) -> Floats:
    return np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)


def _check_simulation(n_simulations: int, level: float) -> None:
    require_count(n_simulations, "n_simulations")
    require_share(level, "level", such_as=0.95)
