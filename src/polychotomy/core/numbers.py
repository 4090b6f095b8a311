"""Numbers, counts, times, names and lists in words: one writer for sentences, tables and figures.

What a number is rounded to is what the data can bear; what is not known is a dash.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import floor, isfinite, isnan, log10
from typing import Protocol

import numpy as np

_MOST_DECIMALS = 4

_NAMED = 4  # of a list in one sentence, before "and N more"

_HALF_A_POINT = 0.005

TINY = 0.001  # of a loss that is no rate: below it there is none to speak of


# Of n independent rows without an event, up to 3/n of all rows may have one (95 %).
RULE_OF_THREE = 3.0


class Criterion(Protocol):
    """What the writing of a loss depends on; :class:`polychotomy.comparison.Criterion` is one."""

    @property
    def is_rate(self) -> bool:
        """Whether the loss is a share of cases, written in percent."""

    @property
    def words(self) -> str:
        """What it is called in a sentence."""

    @property
    def sign(self) -> int:
        """What a loss is multiplied by to be shown: −1 of a score that is better higher."""


def amount(value: float, criterion: Criterion) -> str:
    """Write a loss as far as folds can bear: a rate in percent, another to three digits.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> amount(0.02345, Criterion(name="error")), amount(0.02345, Criterion(name="brier"))
    ('2.3 %', '0.0234')
    >>> amount(-0.847, Criterion(name="cost", costs=np.array([[-3, 1], [1, 0]])))
    '−0.847'
    >>> amount(-7.25, Criterion(name="score", higher_better=True))
    '7.25'
    """
    return percent(value) if criterion.is_rate else plain(criterion.sign * value)


def plain(value: float) -> str:
    """Write a number that is no share, to three digits and without an exponent where that reads.

    Examples
    --------
    >>> plain(0.12345), plain(-0.5), plain(1234.5), plain(0.0), plain(float("inf"))
    ('0.123', '−0.500', '1234', '0', '∞')
    """
    if not isfinite(value):
        return "–" if isnan(value) else "∞" if value > 0 else "−∞"
    if abs(value) < 1e-4:
        return minus(f"{value + 0.0:.2g}")
    return fixed(value, min(max(2 - floor(log10(abs(value))), 0), 5))


def tick(value: float, criterion: Criterion) -> str:
    """Write a loss at an axis, where every digit is meant.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> tick(0.05, Criterion(name="error")), tick(-0.5, Criterion(name="brier"))
    ('5 %', '−0.5')
    """
    return minus(f"{100 * value:g} %" if criterion.is_rate else f"{criterion.sign * value + 0.0:g}")


def difference(value: float, criterion: Criterion) -> str:
    """Write a difference of losses for a column of such: with its sign and without a unit.

    That of rates is in points.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> difference(-0.0123, Criterion(name="error")), difference(0.0123, Criterion(name="brier"))
    ('−1.2', '+0.012')
    """
    if not isfinite(value):
        return plain(value)
    return signed(in_points(value) if criterion.is_rate else fixed(value, 3))


def signed(written: str) -> str:
    """Give a number above zero its sign.

    Examples
    --------
    >>> signed("1.2"), signed("−1.2"), signed("0.0")
    ('+1.2', '−1.2', '0.0')
    """
    return f"+{written}" if written.strip("0.–") and not written.startswith("−") else written


def in_points(value: float) -> str:
    """Write a difference of rates for a column that is headed "points".

    Examples
    --------
    >>> in_points(0.0123), in_points(-0.0004), in_points(float("nan"))
    ('1.2', '−0.04', '–')
    """
    if not isfinite(value):
        return "–"
    return fixed(100 * value, 2 if 0 < abs(round(100 * value, 2)) < 0.1 else 1)


def minus(text: str) -> str:
    """Write hyphens before numbers as minus signs.

    Examples
    --------
    >>> minus("-0.4 to 0.2 (out-of-bag)"), minus("1e-05")
    ('−0.4 to 0.2 (out-of-bag)', '1e-05')
    """
    return re.sub(r"(?<![\w.)])-(?=\d)", "−", text)


def mean_words(criterion: Criterion) -> str:
    """Name the mean of a criterion, which of costs is a mean by name already.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import Criterion
    >>> mean_words(Criterion(name="error"))
    'mean error'
    >>> mean_words(Criterion(name="cost", costs=np.array([[0, 1], [5, 0]])))
    'mean cost'
    """
    return f"mean {criterion.words.removeprefix('mean ')}"


def gap(value: float, criterion: Criterion) -> str:
    """Write a difference of losses.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> gap(0.01, Criterion(name="error")), gap(0.0062, Criterion(name="error"))
    ('1 point', '0.6 points')
    >>> gap(8247.0, Criterion(name="score")), gap(0.034, Criterion(name="score"))
    ('8200', '0.034')
    """
    if not criterion.is_rate:
        return minus(f"{float(f'{value + 0.0:.2g}'):g}")
    return points(value)


def points(value: float) -> str:
    """Write a difference of rates.

    Examples
    --------
    >>> points(0.01), points(0.0062)
    ('1 point', '0.6 points')
    """
    written = number(100 * value)
    return f"{written} point{'s' * (written not in ('1', '−1'))}"


def gap_beside(value: float, bound: float, criterion: Criterion) -> str:
    """Write a difference of losses so that it does not read like a bound that it only nears.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> gap_beside(0.0098, 0.01, Criterion(name="error"))
    '0.98 points'
    >>> gap_beside(0.0102, 0.01, Criterion(name="brier"))
    '0.0102'
    >>> gap_beside(0.01, 0.01, Criterion(name="error"))
    '1 point'
    """
    written, scale = gap(value, criterion), 100.0 if criterion.is_rate else 1.0
    for digits in range(2, _MOST_DECIMALS + 1):
        if written != gap(bound, criterion):
            break
        near = fixed(scale * value, digits)
        if near != fixed(scale * bound, digits):
            return f"{near} points" if criterion.is_rate else near
    return written


def number(value: float) -> str:
    """Write a number of points: one decimal, none where it is whole, two where it is small.

    Examples
    --------
    >>> number(2.0), number(0.62), number(-0.62), number(0.034), number(0.0012)
    ('2', '0.6', '−0.6', '0.03', '0')
    """
    rounded = round(value, 1 if abs(value) >= 0.095 else 2) + 0.0  # no −0
    return f"{rounded:g}".replace("-", "−")


def span(low: float, high: float, criterion: Criterion) -> str:
    """Write the two ends of an interval of losses or differences.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> span(-0.012, 0.031, Criterion(name="error"))
    '−1.2 to 3.1'
    """
    _, *ends = measured((low + high) / 2, low, high, criterion)
    return " to ".join(ends)


def measured(
    value: float, low: float, high: float, criterion: Criterion, *, clear_of: Sequence[float] = ()
) -> tuple[str, str, str]:
    """Write a number and the two ends of its interval, to as many digits as the interval can bear.

    All have the same decimals, about a fifth of half the interval; more where an end would
    otherwise be rounded onto one of the values in ``clear_of``, which decide what is said of it.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> measured(0.0001, -0.005, 0.023, Criterion(name="error"))
    ('0.0', '−0.5', '2.3')
    >>> measured(0.0027, -0.0001, 0.0055, Criterion(name="error"), clear_of=(0.0, 0.005))
    ('0.27', '−0.01', '0.55')
    >>> measured(0.09342, 0.0362, 0.217, Criterion(name="log-loss"))
    ('0.09', '0.04', '0.22')
    >>> measured(5.6e-07, 4.9e-07, 6.3e-07, Criterion(name="score"))
    ('0.00000056', '0.00000049', '0.00000063')
    """
    scale = 100.0 if criterion.is_rate else 1.0
    centre, *ends = (scale * float(one) for one in (value, low, high))
    digits = _decimals(ends[1] - ends[0], centre, fewest=int(criterion.is_rate))
    bounds = [scale * one for one in clear_of]
    while digits < _MOST_DECIMALS and _lands_on(ends, bounds, digits):
        digits += 1
    first, second = (fixed(end, digits) for end in ends)
    return fixed(centre, digits), first, second


def plus_minus(value: float, reach: float, criterion: Criterion) -> str:
    """Write a difference of losses and half its interval.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> plus_minus(0.017, 0.03, Criterion(name="error"))
    '1.7 ± 3.0 points'
    >>> plus_minus(0.0312, 0.0915, Criterion(name="log-loss"))
    '0.03 ± 0.09'
    """
    scale = 100.0 if criterion.is_rate else 1.0
    digits = _decimals(2 * scale * reach, scale * value, fewest=int(criterion.is_rate))
    written = f"{fixed(scale * value, digits)} ± {fixed(scale * reach, digits)}"
    return f"{written} points" if criterion.is_rate else written


def at_least(value: float, criterion: Criterion) -> str:
    """Write a difference of losses, rounded up: to a tenth of a point, or to two digits.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> at_least(0.0472, Criterion(name="error")), at_least(0.1225, Criterion(name="brier"))
    ('4.8 points', '0.13')
    """
    unit = 0.001 if criterion.is_rate else 10.0 ** (np.floor(np.log10(abs(value) or 1.0)) - 1)
    return gap(float(np.ceil(value / unit - 1e-9) * unit), criterion)


def _decimals(width: float, centre: float, *, fewest: int) -> int:
    unit = width / 5 if width > 0 else abs(centre) / 25
    if not 0 < unit < np.inf:
        return fewest
    first = 0 if fewest else floor(log10(max(abs(centre), width)))  # scores may be tiny
    return int(np.clip(np.ceil(-np.log10(unit)), fewest, max(_MOST_DECIMALS, 2 - first)))


def _lands_on(ends: Sequence[float], bounds: Sequence[float], digits: int) -> bool:
    return any(
        end != bound and round(end, digits) == round(bound, digits)
        for end in ends
        for bound in bounds
    )


def fixed(value: float, digits: int) -> str:
    """Write a number with so many decimals, and no −0.

    Examples
    --------
    >>> fixed(-0.02, 1), fixed(-1.26, 1)
    ('0.0', '−1.3')
    """
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def percent(share: float) -> str:
    """Write a rate in percent: "0 %" only where there was none.

    Examples
    --------
    >>> percent(0.02345), percent(0.00034), percent(1e-17), percent(0.000004), percent(float("nan"))
    ('2.3 %', '0.03 %', '0 %', '0.0004 %', '–')
    """
    if not isfinite(share):
        return "–"
    if abs(share) < 0.00005:
        share = 0.0 if abs(share) < 1e-12 else share  # what rounding leaves of equal numbers
        return minus(f"{100 * share + 0.0:.1g} %")
    return f"{fixed(100 * share, 2 if abs(share) < 0.00095 else 1)} %"


def pvalue(p: float) -> str:
    """Write a p-value in a sentence.

    Examples
    --------
    >>> pvalue(0.0312), pvalue(0.000012)
    ('p = 0.031', 'p < 0.0001')
    """
    written = bare_pvalue(p)
    return f"p {written}" if written.startswith("<") else f"p = {written}"


def bare_pvalue(p: float) -> str:
    """Write a p-value in a column that is headed so.

    Examples
    --------
    >>> bare_pvalue(0.0312), bare_pvalue(0.000012), bare_pvalue(1.0)
    ('0.031', '< 0.0001', '1')
    """
    if not isfinite(p):
        return "–"
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def join(words: Sequence[str]) -> str:
    """Join words with commas and a last "and".

    Examples
    --------
    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def few(names: Sequence[str], most: int = _NAMED) -> list[str]:
    """Name some of many, and count the rest.

    Examples
    --------
    >>> few(list("abc")), few(list("abcdef"))
    (['a', 'b', 'c'], ['a', 'b', 'c', 'd', '2 more'])
    """
    rest = len(names) - most
    return list(names) if rest <= 1 else [*names[:most], f"{rest} more"]


def count(value: float) -> str:
    """Write a count, with commas from ten thousand on.

    Examples
    --------
    >>> count(12345), count(1200)
    ('12,345', '1200')
    """
    return f"{value:,.0f}" if round(value) >= 10_000 else f"{value:.0f}"


def counted(number: int, thing: str) -> str:
    """Write how many of a thing.

    Examples
    --------
    >>> counted(1, "fit"), counted(1200, "fit"), counted(2, "class")
    ('1 fit', '1200 fits', '2 classes')
    """
    return f"{count(number)} {thing}{'' if number == 1 else 'es' if thing.endswith('s') else 's'}"


def short(words: object, most: int = 48) -> str:
    """Cut a name that would flood a sentence or the page; a mark shows where.

    Examples
    --------
    >>> short("setosa"), short("x" * 100, 8)
    ('setosa', 'xxxxxxx…')
    """
    whole = str(words)
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def quoted(label: str, most: int = 60) -> str:
    """Put a class label in quotes, so that it cannot be read as part of the sentence.

    Examples
    --------
    >>> quoted("1")
    "'1'"
    """
    return f"'{short(label, most)}'"


def threshold(value: float) -> str:
    """Write what counts as help.

    Examples
    --------
    >>> threshold(0.005), threshold(0.02)
    ('half a point', '2 points')
    """
    return "half a point" if value == _HALF_A_POINT else points(value)


def from_to(before: float, after: float) -> str:
    """Write two scores that differ: to the same three decimals, more where those are too few.

    Examples
    --------
    >>> from_to(0.0623, 0.039), from_to(0.48, 0.4642), from_to(0.0042, 0.00117)
    ('0.062 to 0.039', '0.480 to 0.464', '0.0042 to 0.0012')
    """
    digits = 3
    while digits < 6 and (  # log losses count no probability below one in a million
        min(before, after) < 10.0 ** (1 - digits) or fixed(before, digits) == fixed(after, digits)
    ):
        digits += 1
    return f"{fixed(before, digits)} to {fixed(after, digits)}"


def rough(number: float) -> str:
    """Write a count to two digits, rounded up: it is a guess.

    Examples
    --------
    >>> rough(1234.5), rough(7.2), rough(53_210)
    ('1300', '8', '54,000')
    """
    unit = 10 ** max(int(np.floor(np.log10(number))) - 1, 0)
    return count(float(np.ceil(number / unit) * unit))


def times(ratio: float) -> str:
    """Write how many times something is more: whole from 10 on, else one decimal.

    Examples
    --------
    >>> times(8.96), times(1234.0), times(2.0)
    ('9 times', '1200 times', '2 times')
    """
    if ratio >= 100:
        return f"{float(f'{ratio:.2g}'):.0f} times"
    return f"{ratio:.0f} times" if ratio >= 10 else f"{round(ratio, 1):g} times"


def seconds(value: float) -> str:
    """Write a time, so that rounding never hides more than a twentieth of it.

    Examples
    --------
    >>> seconds(0.00004), seconds(0.0314), seconds(2.5), seconds(95), seconds(1200), seconds(9000)
    ('40 µs', '31 ms', '2.5 s', '95 s', '20 min', '2.5 h')
    """
    if not isfinite(value):
        return "–"
    if value < 0.00095:
        return f"{1e6 * value:.2g} µs" if value < 1e-5 else f"{1e6 * value:.0f} µs"
    if value < 0.95:
        return f"{1000 * value:.2g} ms" if value < 0.01 else f"{1000 * value:.0f} ms"
    if value < 600:
        return f"{value:.1f} s" if value < 10 else f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 7200 else f"{value / 3600:.1f} h"


def memory(value: float) -> str:
    """Write a size in bytes, in thousands: what a file takes.

    Examples
    --------
    >>> memory(512), memory(2_340), memory(45_600), memory(7_890_000), memory(1.2e9)
    ('512 B', '2.3 kB', '46 kB', '7.9 MB', '1.2 GB')
    """
    if not isfinite(value):
        return "–"
    if value < 999.5:
        return f"{value:.0f} B"
    for unit in ("kB", "MB"):
        value /= 1000
        if value < 999.5:
            return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"
    return f"{value / 1000:.1f} GB"
