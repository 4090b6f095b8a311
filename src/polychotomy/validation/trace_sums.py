"""M24 eqs. 16–18 as functions of arrays: the order, the rises, their sums, and the line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polychotomy.core.arrays import Bools, Floats, Ints

SAME = 1e-12
"""Probabilities that differ by less, in proportion, are tied: rounding is no order."""


def ascending_order(values: Floats) -> tuple[Ints, Floats]:
    """Stable ascending order of numbers, and the numbers in it.

    Why not NumPy's stable sort: its other one is two to three times as fast where the processor
    has vectors, and only equal numbers have to be put in order afterwards.

    Examples
    --------
    >>> import numpy as np
    >>> ascending_order(np.array([0.5, 0.0, 0.5, 0.25]))
    (array([1, 3, 0, 2]), array([0.  , 0.25, 0.5 , 0.5 ]))
    """
    order = np.argsort(values)
    in_order = values[order]
    new = np.diff(in_order, prepend=-1.0) > 0
    if not new.all():
        group = np.cumsum(new)
        order = np.sort(group * values.size + order) % values.size
    return order, in_order


def rises(values: Floats, hits: Bools, start: int) -> Floats:
    """Rise of the trace at each sorted probability: eq. 18 below ``start``, eq. 17 from there.

    Examples
    --------
    >>> import numpy as np
    >>> rises(np.array([0.2, 0.8]), np.array([False, True]), 1)
    array([1.25, 1.25])
    """
    rise = np.empty_like(values)
    np.divide(~hits[:start], 1 - values[:start], out=rise[:start])
    np.divide(hits[start:], values[start:], out=rise[start:])
    return rise


class Ties:
    """Groups of equal probabilities in a sorted row of them, none across ``start``.

    Each of a group gets the mean of their rises: the trace is a straight line over it, whatever the
    order of its rows.

    Examples
    --------
    >>> import numpy as np
    >>> ties = Ties(np.array([0.1, 0.4, 0.4, 0.8]), 1)
    >>> ties.group_of(np.arange(4))
    array([0, 1, 1, 2])
    >>> ties.rises(np.array([1]))  # one of the two in the middle came true
    array([1.11111111, 1.25      , 1.25      , 0.        ])
    """

    def __init__(self, values: Floats, start: int) -> None:
        new = np.ones(values.size, dtype=bool)
        np.greater(values[1:], values[:-1] * (1 + SAME), out=new[1:])
        new[start : start + 1] = True
        firsts = np.flatnonzero(new)
        self.counts = np.diff(firsts, append=values.size)
        value, below = values[firsts], firsts < start
        self._none_true: Floats = np.where(below, 1 / (1 - np.where(below, value, 0)), 0.0)
        self._gain: Floats = np.where(below, -self._none_true, 1 / np.where(below, 1.0, value))

    def group_of(self, ranks: Ints) -> Ints:
        """Group of each rank in the sorted row."""
        return np.repeat(np.arange(self.counts.size), self.counts)[ranks]

    def gain_of(self, group: Ints) -> Floats:
        """How much higher the trace rises over the whole of a group for each that came true."""
        return self._gain[group]

    def rises(self, came_true: Ints) -> Floats:
        """Rise at each sorted probability, from the groups of those that came true."""
        shares = np.bincount(came_true, minlength=self.counts.size) / self.counts
        return np.repeat(self._none_true + shares * self._gain, self.counts)


def accumulate_rises(rise: Floats, start: int) -> Floats:
    """Sum the rises from ``start`` outwards, both ways; 0 at ``start``.

    Examples
    --------
    >>> import numpy as np
    >>> accumulate_rises(np.array([1.0, 2.0, 4.0]), 2)
    array([-3., -2.,  0.,  4.])
    """
    trace = np.empty(rise.size + 1)
    trace[start] = 0
    np.cumsum(rise[start:], out=trace[start + 1 :])
    below = trace[:start][::-1]
    np.subtract(0.0, np.cumsum(rise[:start][::-1], out=below), out=below)
    return trace


def fit_line(trace: Floats, start: int) -> tuple[float, float, float]:
    """Pearson r, slope with intercept and slope through the origin of a trace on its steps.

    Examples
    --------
    >>> import numpy as np
    >>> fit_line(np.array([-3.0, 0.0, 3.0]), 1)
    (1.0, 3.0, 3.0)
    """
    steps = np.arange(-start, trace.size - start, dtype=np.float64)
    r, slope = weighted_line(steps, trace, np.ones(trace.size))
    return r, slope, float(steps @ trace / (steps @ steps))


def weighted_line(places: Ints | Floats, trace: Floats, weights: Floats) -> tuple[float, float]:
    """Pearson r and slope, with intercept, of a trace known at some places only.

    Examples
    --------
    >>> import numpy as np
    >>> r, slope = weighted_line(np.array([0, 2, 8]), np.array([1.0, 2.0, 5.0]), np.ones(3))
    >>> round(r, 9), round(slope, 9)
    (1.0, 0.5)
    """
    total = weights.sum()
    x, y = places - weights @ places / total, trace - weights @ trace / total
    xx, xy, yy = weights @ (x * x), float(weights @ (x * y)), weights @ (y * y)
    r = xy / np.sqrt(xx * yy) if yy > 0 else 0.0
    return float(np.clip(r, -1, 1)), float(xy / xx)


_STILL = 1e-9  # a trace closer to the line than this has not left it


@dataclass(frozen=True, eq=False, kw_only=True)
class Spread:
    """Root mean square of the downward and of the upward deviations, at each step.

    Examples
    --------
    >>> import numpy as np
    >>> spread = Spread.of(np.array([[0.0, 2.0, -1.0], [0.0, -2.0, 1.0]]))
    >>> spread.excursions(np.array([[0.0, 2.0, 4.0]])).round(3)  # 4 in units of √(1/2)
    array([5.657])
    """

    down: Floats
    up: Floats

    @classmethod
    def of(cls, deviations: Floats) -> Spread:
        """Measure it over simulated traces, a row each, less what is expected of them."""
        down = np.sqrt(np.mean(np.minimum(deviations, 0) ** 2, axis=0))
        up = np.sqrt(np.mean(np.maximum(deviations, 0) ** 2, axis=0))
        return cls(down=down, up=up)

    def excursions(self, deviations: Floats) -> Floats:
        """Farthest deviation of each trace, in units of its side; infinite where none was met."""
        scale = np.where(deviations < 0, self.down, self.up)
        far = np.abs(deviations)
        units = np.divide(far, scale, where=scale > _STILL, out=np.full(far.shape, np.inf))
        return np.where(far > _STILL, units, 0.0).max(axis=1)


def joint_pvalue(simulated: Floats, observed: Floats) -> float:
    """P-value of several statistics at once, large ones being extreme: of the smallest p-value.

    Each trace, the observed one among them, has a p-value by each statistic; counted are those
    whose smallest is as small as the observed one's. So many questions cost no more than they must.

    Parameters
    ----------
    simulated : (statistics, b) floats
    observed : (statistics,) floats

    Examples
    --------
    >>> import numpy as np
    >>> joint_pvalue(np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]]), np.array([9.0, 0.0]))
    0.5
    """
    everyone = np.column_stack([observed, simulated])
    # Less what is rounding; infinite values are equal anyway.
    lower = everyone - np.where(np.isfinite(everyone), 1e-12, 0.0)
    smaller = [np.searchsorted(np.sort(row), low) for row, low in zip(everyone, lower, strict=True)]
    most = np.max(smaller, axis=0)
    return float(np.mean(most >= most[0]))
