"""A band that traces of true probabilities stay in all along, and how far a trace goes in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polychotomy.arrays import Floats

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
        farthest: Floats = np.where(far > _STILL, units, 0.0).max(axis=1)
        return farthest


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
    smaller = [np.searchsorted(np.sort(row), row - _tiny(row)) for row in everyone]
    most = np.max(smaller, axis=0)
    return float(np.mean(most >= most[0]))


def _tiny(values: Floats) -> Floats:
    """Differences that are rounding; infinite values are equal anyway."""
    return np.where(np.isfinite(values), 1e-12, 0.0)
