"""Numbers in words: rounded to what the data can bear, never 0.9333333."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite, isnan

_APART = re.compile(r"(?<=\d) (?=[%±])|(?<=±) (?=\d)|(?<=\bp) (?== \d)|(?<=\bp =) (?=\d)")


def percent(value: float) -> str:
    """Write a share in per cent.

    Examples
    --------
    >>> percent(0.02345), percent(0.00012), percent(float("nan"))
    ('2.3 %', '0.01 %', '–')
    """
    digits = 2 if 0 < abs(value) < 0.001 else 1
    return f"{100 * value:.{digits}f} %".replace("-", "−") if isfinite(value) else "–"


def points(value: float, *, sign: bool = True) -> str:
    """Write a difference of shares in points, one below a tenth of a point with two digits.

    Examples
    --------
    >>> points(-0.0123), points(0.02), points(-0.0004), points(0.00001)
    ('−1.2', '+2.0', '−0.04', '0.0')
    """
    if not isfinite(value):
        return "–"
    digits = 2 if 0 < abs(round(100 * value, 2)) < 0.1 else 1
    rounded = round(100 * value, digits) + 0.0
    text = f"{rounded:+.{digits}f}" if sign and rounded else f"{rounded:.{digits}f}"
    return text.replace("-", "−")


def plain(value: float, *, sign: bool = False) -> str:
    """Write a number that is no share, to three digits behind the point.

    Examples
    --------
    >>> plain(0.12345), plain(-0.5, sign=True), plain(float("inf"))
    ('0.123', '−0.500', '∞')
    """
    if not isfinite(value):
        return "–" if isnan(value) else "∞" if value > 0 else "−∞"
    rounded = round(value, 3) + 0.0
    text = f"{rounded:+.3f}" if sign and rounded else f"{rounded:.3f}"
    return text.replace("-", "−")


def pvalue(value: float) -> str:
    """Write a p-value.

    Examples
    --------
    >>> pvalue(0.0312), pvalue(0.000012), pvalue(1.0)
    ('0.031', '< 0.0001', '1')
    """
    if not isfinite(value):
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.2g}"


def seconds(value: float) -> str:
    """Write a duration.

    Examples
    --------
    >>> seconds(0.00004), seconds(0.0314), seconds(2.5), seconds(75), seconds(7300)
    ('40 µs', '31 ms', '2.5 s', '75 s', '2.0 h')
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


def count(value: float) -> str:
    """Write a count as the sentences do: a comma at the thousands from ten thousand on.

    Examples
    --------
    >>> count(12345), count(1200)
    ('12,345', '1200')
    """
    return f"{value:,.0f}" if round(value) >= 10_000 else f"{value:.0f}"


def some(number: int, thing: str) -> str:
    """Write how many of a thing.

    Examples
    --------
    >>> some(1, "fit"), some(1200, "fit"), some(2, "class")
    ('1 fit', '1200 fits', '2 classes')
    """
    if number == 1:
        return f"1 {thing}"
    return f"{count(number)} {thing}{'es' if thing.endswith('s') else 's'}"


def short(words: object, most: int = 48) -> str:
    """Cut a name that would fill the page; a mark shows where.

    Examples
    --------
    >>> short("x" * 100, 8)
    'xxxxxxx…'
    """
    whole = str(words)
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def named(label: str, most: int = 30) -> str:
    """Write a class label inside a sentence, in the quotes that the verdict's sentences use.

    Examples
    --------
    >>> named("opel"), named("-")
    ("'opel'", "'-'")
    """
    return f"'{short(label, most)}'"


def keep(words: str) -> str:
    r"""Keep a number and its sign on one line.

    Examples
    --------
    >>> keep("2.4 % of 10"), keep("p = 0.04"), keep("1.6 ± 2.9")
    ('2.4\xa0% of 10', 'p\xa0=\xa00.04', '1.6\xa0±\xa02.9')
    """
    return _APART.sub("\u00a0", words)


def join(words: list[str]) -> str:
    """Join words with commas and a last "and".

    Examples
    --------
    >>> join(["a", "b", "c"]), join(["a"])
    ('a, b and c', 'a')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


@dataclass(frozen=True)
class Unit:
    """How the numbers of a criterion are written: an error in per cent, a log loss as it is.

    Examples
    --------
    >>> error = Unit("error", is_rate=True)
    >>> error.value(0.024), error.difference(-0.01), error.tick(0.05), error.axis
    ('2.4 %', '−1.0', '5 %', 'error')
    >>> Unit("log loss", is_rate=False).value(0.5)
    '0.500'
    """

    words: str
    is_rate: bool

    @property
    def axis(self) -> str:
        """What stands at an axis of such numbers."""
        return self.words

    @property
    def mean(self) -> str:
        """What the mean of such numbers is called; that of costs is a mean by name already.

        Examples
        --------
        >>> Unit("error", is_rate=True).mean, Unit("mean cost", is_rate=False).mean
        ('mean error', 'mean cost')
        """
        return f"mean {self.words.removeprefix('mean ')}"

    def value(self, number: float) -> str:
        """Write a value."""
        return percent(number) if self.is_rate else plain(number)

    def difference(self, number: float) -> str:
        """Write a difference, with its sign; of shares in points."""
        return points(number) if self.is_rate else plain(number, sign=True)

    def size(self, number: float) -> str:
        """Write how large a difference is, with its unit.

        Examples
        --------
        >>> Unit("error", is_rate=True).size(0.01), Unit("error", is_rate=True).size(0.025)
        ('1 point', '2.5 points')
        """
        if not self.is_rate:
            return f"{number:.3g}"
        return f"{100 * number:.3g} point{'' if abs(number - 0.01) < 1e-12 else 's'}"

    def tick(self, number: float) -> str:
        """Write a value at an axis."""
        text = f"{100 * number:g} %" if self.is_rate else f"{number:g}"
        return text.replace("-", "−")
