"""M24 §4: the trace that a straight line of slope 1 shows to be right (eqs. 15–19)."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_array, check_count, check_share
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.predictions import check_forecasts
from polychotomy.core.result import Axes, DataFrame, Result, new_axes
from polychotomy.core.seeds import as_generator
from polychotomy.validation.trace_sums import (
    Spread,
    Ties,
    accumulate_rises,
    ascending_order,
    fit_line,
    joint_pvalue,
    rises,
    weighted_line,
)


class ProbabilityTrace(Result):
    """How well probabilities predict how often their classes turn out true (M24 §4).

    Parameters
    ----------
    r : float
        Pearson correlation of ``trace`` with ``steps``: precision. 0 where the trace is flat.
    slope : float
        Least-squares slope with intercept: bias. With two classes above 1 if the winning
        probabilities are too small (too cautious), below 1 if too large (too sure). With more,
        most probabilities lie about 1/k and rule the slope; too cautious ones bend the trace (flat
        above 1/k, steep at the end), and the slope may fall on either side: compare the confidence
        with the accuracy, as `assess_trust` does.
    slope_through_origin : float
        The same without intercept.
    steps : (nk + 1,) ints
        From −i0 to nk − i0, where i0 counts the probabilities below ``threshold``.
    trace : (nk + 1,) floats
        The two sums of eqs. 17 and 18; 0 at step 0. True probabilities give ``steps`` on average.
    threshold : float
        1/k, between losing and winning probabilities (eq. 19).
    probabilities : (n, k) floats
        What was traced; (n, 1) for the trace of one class.
    y : (n,) ints
        The true column; −1 where it is none of them.
    samples : (n,) ints
        The case a row is about.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import probability_trace
    >>> trace = probability_trace(np.array([[0.8, 0.2], [0.6, 0.4]]), [0, 1])
    >>> trace.steps
    array([-2, -1,  0,  1,  2])
    >>> trace.trace.round(4)  # 0.4 came true, 0.2 did not; 0.6 did not, 0.8 did
    array([-1.25,  0.  ,  0.  ,  0.  ,  1.25])
    >>> print(trace)
    Probability trace over 4 probabilities: r = 0.894427, slope 0.5000 (1 if they are true).
    """

    r: float
    slope: float
    slope_through_origin: float
    steps: Ints
    trace: Floats
    threshold: float
    probabilities: Floats
    y: Ints
    samples: Ints

    def per_class(self) -> tuple[ProbabilityTrace, ...]:
        """Trace each class alone, over n probabilities.

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.validation import probability_trace
        >>> trace = probability_trace(np.array([[0.8, 0.2], [0.6, 0.4]]), [0, 1])
        >>> [one.slope_through_origin for one in trace.per_class()]
        [0.5, 0.5]
        """
        return tuple(
            trace_columns(
                self.probabilities[:, [c]],
                np.where(self.y == c, 0, -1),
                samples=self.samples,
                threshold=self.threshold,
            )
            for c in range(self.probabilities.shape[1])
        )

    def null_band(
        self,
        n_simulations: int = 999,
        *,
        random_state: int | np.random.Generator | None = None,
        level: float = 0.95,
    ) -> TraceNull:
        """Simulate what r, slope and trace would be if the probabilities were true.

        The test does not depend on the order of the rows: over equal probabilities it takes all
        traces for straight lines, so its observed r and slope are not those of this trace where
        probabilities are tied.

        Parameters
        ----------
        n_simulations : int
            Times that the classes are drawn from the probabilities.
        random_state : int, Generator or None
            Seed of the drawings.
        level : float
            Share of the simulated traces inside the band all along.

        Returns
        -------
        TraceNull

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.validation import probability_trace
        >>> rng = np.random.default_rng(0)
        >>> p = rng.dirichlet(np.ones(3), size=200)
        >>> y = (rng.random((200, 1)) > p.cumsum(axis=1)).sum(axis=1)  # drawn from p
        >>> bool(probability_trace(p, y).null_band(99, random_state=0).pvalue > 0.05)
        True
        """
        return simulate_trace(self, n_simulations, random_state=random_state, level=level)

    def to_frame(self) -> DataFrame:
        """One row for all classes together, then a row for each class."""
        import pandas as pd

        traces = (self, *self.per_class()) if self.probabilities.shape[1] > 1 else (self,)
        return pd.DataFrame(
            {
                "class": ["all", *map(str, range(len(traces) - 1))],
                "probabilities": [one.steps.size - 1 for one in traces],
                "r": [one.r for one in traces],
                "slope": [one.slope for one in traces],
                "slope_through_origin": [one.slope_through_origin for one in traces],
            }
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the trace beside the line that true probabilities follow (M24 fig. 1)."""
        ax, steps, trace = new_axes(ax), self.steps, self.trace
        shown = shown_positions(steps.size)
        ends = [steps[0], steps[-1]]
        ax.plot(ends, ends, color="0.6", linewidth=1, label="if the probabilities are true")
        label = f"r = {self.r:.5f}, slope {self.slope:.4f}"
        ax.plot(steps[shown], trace[shown], label=label)
        ax.set(xlabel="step (probabilities in ascending order, 0 at 1/k)", ylabel="trace")
        ax.legend(loc="upper left", frameon=False)
        return ax

    def __str__(self) -> str:
        return (
            f"Probability trace over {self.steps.shape[0] - 1} probabilities: r = {self.r:.6f}, "
            f"slope {self.slope:.4f} (1 if they are true)."
        )


def probability_trace(
    probabilities: ArrayLike, y: ArrayLike, *, samples: ArrayLike | None = None
) -> ProbabilityTrace:
    """Trace how often classes turn out true along their sorted probabilities (M24 §4).

    Eqs. 16 to 19: all nk probabilities are sorted in ascending order, ties by sample, then class.
    From the first that is at least 1/k upwards, the trace rises by 1/p where the class is the true
    one; below, it falls by 1/(1 − p) where it is not. If the probabilities are true, each step is 1
    on average. Where many are tied, the trace and its line depend on the order of the rows within
    the ties; :meth:`ProbabilityTrace.null_band` does not.
    Neither sum can divide by 0: 1/p is at most k, and p below 1/k is never 1. The printed sums
    (17) and (18) have one term too many; here the trace is 0 at step 0.

    Parameters
    ----------
    probabilities : (n, k) floats
        Class probabilities, rows summing to 1. 0 and 1 are legal. Arrays of PyTorch, CuPy and
        the like are copied to NumPy.
    y : (n,) ints or texts
        True class codes, 0 to k − 1, or labels, the columns being those of the sorted labels.
    samples : (n,) ints, optional
        Which case a row is about, where a case has several rows (repeated cross-validation): their
        classes are then drawn together in the null band.

    Returns
    -------
    ProbabilityTrace

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import probability_trace
    >>> probability_trace(np.array([[1.0, 0.0], [0.0, 1.0]]), [0, 1]).slope
    1.0
    """
    array = as_array("probabilities", probabilities)
    forecasts = check_forecasts(array, y, samples=samples)
    return trace_columns(
        forecasts.probabilities,
        forecasts.y,
        samples=forecasts.samples,
        threshold=winning_threshold(forecasts.n_classes, array.dtype),
    )


def winning_threshold(k: int, dtype: np.dtype | None = None) -> float:
    """1/k as the dtype of the probabilities has it, so that equal ones are all winning.

    Examples
    --------
    >>> import numpy as np
    >>> winning_threshold(3, np.dtype(np.float32))
    0.3333333432674408
    """
    if dtype is None or dtype.kind != "f":
        return 1 / k
    return min(float(dtype.type(1 / k)), 1.0)


def trace_columns(
    probabilities: Floats, y: Ints, *, samples: Ints, threshold: float
) -> ProbabilityTrace:
    """Trace checked columns of probabilities; ``y`` −1 where no column is true.

    Examples
    --------
    >>> import numpy as np
    >>> one = trace_columns(
    ...     np.array([[0.5], [0.5]]), np.array([0, -1]), samples=np.arange(2), threshold=0.5
    ... )
    >>> one.trace
    array([0., 2., 2.])
    """
    order, values = ascending_order(probabilities.ravel())
    hits = (y[:, None] == np.arange(probabilities.shape[1])).ravel()[order]
    start = int(np.searchsorted(values, threshold))
    trace = accumulate_rises(rises(values, hits, start), start)
    r, slope, origin = fit_line(trace, start)
    steps = np.arange(-start, values.size - start + 1)
    for array in (steps, trace):
        array.flags.writeable = False  # ours: Result need not copy them
    return ProbabilityTrace(
        r=r,
        slope=slope,
        slope_through_origin=origin,
        steps=steps,
        trace=trace,
        threshold=threshold,
        probabilities=probabilities,
        y=y,
        samples=samples,
    )


def shown_positions(size: int, *, at_most: int = 1000) -> Ints:
    """Positions spread over ``size`` places, the ends among them, to draw or keep.

    Examples
    --------
    >>> shown_positions(9, at_most=3)
    array([0, 4, 8])
    """
    return np.unique(np.linspace(0, size - 1, min(size, at_most)).round().astype(np.intp))


_EXACT = 20_000  # numbers up to which every place of a simulated trace is computed

_GRID, _KEPT = 2000, 400  # places at which long traces are simulated, and all are kept

ROUNDING = 1e-12
"""Statistics closer than this are equal: rounding must not make a p-value."""


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

    def to_frame(self) -> DataFrame:
        """Two rows, r and slope: observed, band and p-value."""
        bands = [_quantiles(values, self.level) for values in (self.r, self.slope)]
        return self._frame(
            statistic=["r", "slope"],
            observed=[self.observed_r, self.observed_slope],
            lower=[float(band[0]) for band in bands],
            upper=[float(band[1]) for band in bands],
            pvalue=[self.pvalue_r, self.pvalue_slope],
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how far the trace is from its mean, and the band of true probabilities.

        The mean is the step itself; over a long trace nothing else could be seen.
        """
        ax = new_axes(ax)
        lower, upper = self.lower - self.steps, self.upper - self.steps
        label = f"{100 * self.level:g} % of true probabilities, all along"
        ax.fill_between(self.steps, lower, upper, color="0.8", label=label)
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
    check_count("n_simulations", n_simulations)
    check_share("level", level, such_as=0.95)
    start, observed = -int(trace.steps[0]), straight_over_ties(trace)
    simulate = _simulate_on_a_grid if observed.size > _EXACT else _simulate_exactly
    kept, every_r, every_slope, traces = simulate(
        trace, observed, n_simulations, as_generator(random_state)
    )
    r, slope = every_r[1:], every_slope[1:]
    steps = trace.steps[kept]
    spread = Spread.of(traces - steps)
    width = float(np.quantile(spread.excursions(traces - steps), level))
    everyone: Floats = np.vstack([traces, observed[kept]]) - steps.astype(float)
    *excursions, farthest = Spread.of(everyone).excursions(everyone).tolist()  # measured alike
    simulated = np.stack([-r, np.abs(slope - 1), np.array(excursions)])
    extremes = np.array([-every_r[0], abs(every_slope[0] - 1), farthest])
    observed_r, observed_slope, _ = fit_line(observed, start)  # which a grid gives nearly
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
    cumulative: Floats, samples: Ints, rng: np.random.Generator, *, complete: bool
) -> Ints:
    """Draw the true column of each row, one random number for each case; k where none is true.

    Parameters
    ----------
    cumulative : (n, k) floats
        Sums of the probabilities up to each column.
    samples : (n,) ints
        The case of each row.
    complete : bool
        Some column is true in every row, whatever the last sum is rounded to.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> draw_columns(np.array([[0.0, 1.0]]), np.array([0]), rng, complete=True)
    array([1])
    """
    uniform = rng.random(int(samples.max()) + 1)[samples]
    n, k = cumulative.shape
    limits = k - 1 if complete else k
    drawn = np.zeros(n, dtype=np.intp)
    for column in range(limits):  # not (n, k) at once, which would fill the memory
        drawn += uniform >= cumulative[:, column]
    return drawn


class _Drawing:
    """The classes of a trace drawn again and again: which ranks came true."""

    def __init__(self, trace: ProbabilityTrace) -> None:
        order, values = ascending_order(trace.probabilities.ravel())
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size)
        self.ties = Ties(values, -int(trace.steps[0]))
        self.group = self.ties.group_of(rank)  # of every number, row by row
        # Columns together in memory, as they are compared: 200 classes take a third of the time.
        self._cumulative = np.asfortranarray(np.cumsum(trace.probabilities, axis=1))
        self._samples, self._complete = trace.samples, bool(np.all(trace.y >= 0))

    def draw(self, rng: np.random.Generator) -> Ints:
        """Return the places, in the table read row by row, of the numbers that came true."""
        drawn = draw_columns(self._cumulative, self._samples, rng, complete=self._complete)
        n, columns = self._cumulative.shape
        places: Ints = np.arange(n) * columns + drawn
        return places if self._complete else places[drawn < columns]


_Simulated: TypeAlias = tuple[Ints, Floats, Floats, Floats]
"""Positions kept; r and slope, the observed one first; simulated traces there, a row for each."""


def _simulate_exactly(
    trace: ProbabilityTrace, observed: Floats, b: int, rng: np.random.Generator
) -> _Simulated:
    drawing, start = _Drawing(trace), -int(trace.steps[0])
    kept = shown_positions(trace.steps.size, at_most=_KEPT)
    r, slope, traces = np.empty(b + 1), np.empty(b + 1), np.empty((b, kept.size))
    r[0], slope[0], _ = fit_line(observed, start)
    for i in range(b):
        came_true = drawing.group[drawing.draw(rng)]
        one = accumulate_rises(drawing.ties.rises(came_true), start)
        r[i + 1], slope[i + 1], _ = fit_line(one, start)
        traces[i] = one[kept]
    return kept, r, slope, traces


def _simulate_on_a_grid(
    trace: ProbabilityTrace, observed: Floats, b: int, rng: np.random.Generator
) -> _Simulated:
    """Simulate the trace at some 2,000 places only, nine times as fast on 300,000 numbers.

    Between two places only the sum of the rises matters, and a rise differs from that of a class
    that did not come true in one number of each row. All traces, the observed one too, are
    compared on the same grid. It has no place inside a group of equal probabilities.
    """
    drawing, start = _Drawing(trace), -int(trace.steps[0])
    ties = drawing.ties
    ends = np.arange(observed.size) if ties.counts is None else np.cumsum([0, *ties.counts])
    near = np.searchsorted(ends, shown_positions(observed.size, at_most=_GRID))
    grid = np.unique([0, start, observed.size - 1, *ends[near]])
    origin = int(np.searchsorted(grid, start))
    none_true = accumulate_rises(ties.rises(np.empty(0, dtype=np.intp)), start)[grid]
    piece = np.searchsorted(grid, ends[drawing.group], side="right") - 1
    gain = ties.gain_of(drawing.group)
    widths = np.gradient(grid.astype(float))
    kept = np.unique([0, origin, *shown_positions(grid.size, at_most=_KEPT)])
    r, slope, traces = np.empty(b + 1), np.empty(b + 1), np.empty((b, kept.size))
    r[0], slope[0] = weighted_line(grid, observed[grid], widths)
    for i in range(b):
        true = drawing.draw(rng)
        gains = np.bincount(piece[true], weights=gain[true], minlength=grid.size - 1)
        sums = np.concatenate([[0.0], np.cumsum(gains)])
        one = none_true + sums - sums[origin]
        r[i + 1], slope[i + 1] = weighted_line(grid, one, widths)
        traces[i] = one[kept]
    return grid[kept], r, slope, traces


def _quantiles(values: Floats, level: float) -> Floats:
    return np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
