"""The margin below which a given number of pairs lies, of two sorted arrays; no pair is formed.

With both classes sorted, the pairs below a threshold are one merge. Merges of all samples are what
takes time, so the first thresholds come from a model: the same arrays thinned to a few hundred
values, whose pairs are counted in no time. Where the model is off by some pairs at one threshold,
it is off by nearly as many nearby, so its second answer is good to many digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from polychotomy.arrays import Floats, Ints

_MERGES = 200  # bisection to rounding takes 60
_FEW = 512  # values of a thinned array
_MANY = 8 * _FEW  # values from which thinning pays


@dataclass(frozen=True)
class Bracket:
    """Thresholds lower ≤ ρ ≤ upper, and for each the negatives paired with each positive."""

    lower: float
    upper: float
    counts_lower: Ints  # (N⁺,) by ascending score, descending themselves
    counts_upper: Ints
    pairs: tuple[int, int]  # their sums

    def error(self, wanted: float) -> float:
        """By how much the mean of the ``wanted`` smallest margins may be too large."""
        below, above = self.pairs
        return 0.0 if above == wanted else (above - below) / wanted * (self.upper - self.lower)

    def interpolate(self, wanted: float) -> float:
        """Share of the way from lower to upper at which ``wanted`` pairs are to be expected."""
        below, above = self.pairs
        return (wanted - below) / (above - below)

    def threshold(self, wanted: float) -> float:
        """Where ``wanted`` pairs are to be expected."""
        return self.lower + self.interpolate(wanted) * (self.upper - self.lower)


def find_threshold(
    xp: ModuleType, high: Floats, low: Floats, wanted: float, accuracy: float
) -> Bracket:
    """Narrow a bracket around the ``wanted``-th smallest pair margin of two sorted arrays.

    It ends where its ``error`` is at most ``accuracy``, or rounding allows no more.

    Examples
    --------
    Margins −1, 0, 1, 2; two lie below 1:

    >>> import numpy as np
    >>> high, low = np.array([0.0, 2.0]), np.array([0.0, 1.0])
    >>> bracket = find_threshold(np, high, low, 2.0, 1e-3)
    >>> bracket.pairs[1], bool(0.0 < bracket.upper <= 1.0)
    (2, True)
    """
    bracket = _everything(xp, high, low)
    many = min(high.shape[0], low.shape[0]) >= _MANY
    if many and bracket.error(wanted) > accuracy:
        bracket = _narrow_by_model(xp, bracket, high, low, wanted, accuracy)
    for step in range(_MERGES):
        if bracket.error(wanted) <= accuracy:
            break
        # Interpolation, with a bisection every third time for distributions that defeat it.
        part = 0.5 if step % 3 == 2 else min(max(bracket.interpolate(wanted), 0.02), 0.98)
        middle = bracket.lower + part * (bracket.upper - bracket.lower)
        if not bracket.lower < middle < bracket.upper:
            break
        bracket = _narrow(xp, bracket, high, low, middle, wanted)
    return bracket


def _everything(xp: ModuleType, high: Floats, low: Floats) -> Bracket:
    """Return the bracket from the smallest margin to just above the largest."""
    n_high, n_low = high.shape[0], low.shape[0]
    everything = xp.full_like(xp.searchsorted(low, high), n_low)
    least, most = float(high[0] - low[-1]), float(high[-1] - low[0])
    above = _just_above(xp, most, high)
    return Bracket(least, above, xp.zeros_like(everything), everything, (0, n_high * n_low))


def _just_above(xp: ModuleType, value: float, kind: Floats) -> float:
    """Return a number that is larger in the arrays' precision too."""
    epsilon = float(xp.finfo(kind.dtype).eps)
    return value + max(abs(value), 1.0 if epsilon > 1e-12 else 0.0) * 2 * epsilon + 5e-324


def _narrow_by_model(
    xp: ModuleType, bracket: Bracket, high: Floats, low: Floats, wanted: float, accuracy: float
) -> Bracket:
    """Narrow a bracket at thresholds where thinned arrays expect the wanted pairs.

    Two tell how far off they are; two more stand on both sides of what is expected then, so far
    apart that the error would be allowed.
    """
    some_high, some_low = (
        values[_stride(values) // 2 :: _stride(values)] for values in (high, low)
    )
    some = some_high.shape[0] * some_low.shape[0]
    each = high.shape[0] * low.shape[0] / some

    def expect(pairs: float) -> float:
        share = min(max(pairs / each, 1.0), some - 1.0)
        return find_threshold(xp, some_high, some_low, share, accuracy).threshold(share)

    aim = wanted
    for _ in range(2):
        rho = expect(aim)
        counts, pairs = _count(xp, high, low, rho)
        bracket = _replace(bracket, rho, counts, pairs, wanted)
        aim += wanted - pairs
    near = expect(aim)
    apart = max(expect(1.01 * aim) - near, 0.0)  # a hundredth of the pairs
    reach = 0.4 * (100.0 * apart * accuracy) ** 0.5
    for rho in (near - reach, near + reach):
        if bracket.error(wanted) > accuracy and bracket.lower < rho < bracket.upper:
            bracket = _narrow(xp, bracket, high, low, rho, wanted)
    return bracket


def _stride(values: Floats) -> int:
    return int(values.shape[0]) // _FEW


def _narrow(
    xp: ModuleType, bracket: Bracket, high: Floats, low: Floats, rho: float, wanted: float
) -> Bracket:
    return _replace(bracket, rho, *_count(xp, high, low, rho), wanted)


def _count(xp: ModuleType, high: Floats, low: Floats, rho: float) -> tuple[Ints, int]:
    """Count for each positive the negatives above its score less ρ, and all of them together."""
    counts = low.shape[0] - xp.searchsorted(low, high - rho, side="right")
    return counts, int(xp.sum(counts))


def _replace(bracket: Bracket, rho: float, counts: Ints, pairs: int, wanted: float) -> Bracket:
    if pairs < wanted:
        return Bracket(rho, bracket.upper, counts, bracket.counts_upper, (pairs, bracket.pairs[1]))
    return Bracket(bracket.lower, rho, bracket.counts_lower, counts, (bracket.pairs[0], pairs))
