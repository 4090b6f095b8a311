"""From values to places: a scale, linear or logarithmic, and the round numbers along it."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10


@dataclass(frozen=True)
class Scale:
    """Where values stand between the two ends of an axis.

    Parameters
    ----------
    low, high : float
        The values at the ends.
    first, last : float
        The places of the ends: per cent across, or pixels down.
    logarithmic : bool
        Whether equal ratios are equally far apart.

    Examples
    --------
    >>> scale = Scale(0, 2, first=10, last=90)
    >>> scale(1), scale.clipped(5)
    (50.0, 90.0)
    """

    low: float
    high: float
    first: float = 0.0
    last: float = 100.0
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of a value, also beyond the ends."""
        a, b, v = (_log(x) if self.logarithmic else x for x in (self.low, self.high, value))
        part = (v - a) / (b - a) if b != a else 0.5
        return float(self.first + part * (self.last - self.first))

    def clipped(self, value: float) -> float:
        """Return the place of a value, or of the end beyond which it lies."""
        return self(min(max(value, self.low), self.high))

    def ticks(self, about: int = 5) -> list[float]:
        """Return round values along the scale.

        Examples
        --------
        >>> Scale(0, 0.11).ticks(), Scale(0.002, 3, logarithmic=True).ticks()
        ([0.0, 0.05, 0.1], [0.01, 0.1, 1.0])
        """
        return self._decades() if self.logarithmic else self._round_steps(about)

    def _decades(self) -> list[float]:
        powers = range(ceil(_log(self.low) - 1e-9), floor(_log(self.high) + 1e-9) + 1)
        return [float(f"1e{power}") for power in powers]

    def _round_steps(self, about: int) -> list[float]:
        span = self.high - self.low
        if not span > 0:
            return [self.low]
        unit = 10.0 ** floor(log10(span / about))
        step = next((unit * s for s in (1, 2, 5) if unit * s * about >= span * 0.999), unit * 10)
        counts = range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1)
        return [float(f"{count * step:.12g}") for count in counts]


def _log(value: float) -> float:
    return log10(max(value, 1e-300))
