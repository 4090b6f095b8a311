"""The small numbers that depend on how many digits a float has."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from polychotomy.arrays import Floats


@dataclass(frozen=True)
class Precision:
    """What counts as small in Newton's method for coupling."""

    certain: float  # r nearer to 0 or 1 than this counts as 0 or 1
    short: float  # a Newton step this short leaves an error below its square
    settled: float  # a change of p this small is rounding
    lowest: float  # exp of less is not a normal number
    most_steps: int


DOUBLE = Precision(certain=2.0**-40, short=1e-5, settled=1e-12, lowest=-700.0, most_steps=500)
SINGLE = Precision(certain=2.0**-22, short=1e-3, settled=4e-6, lowest=-80.0, most_steps=60)


def precision_of(xp: ModuleType, array: Floats) -> Precision:
    """Return the numbers for the type of an array.

    Examples
    --------
    >>> import numpy as np
    >>> precision_of(np, np.ones(1)).most_steps
    500
    """
    return DOUBLE if array.dtype == xp.float64 else SINGLE
