"""How numbers and lists are written in a verdict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

import numpy as np

_MOST_DECIMALS = 4

_NAMED = 4  # of a list in one sentence, before "and N more"

_HALF_A_POINT = 0.005

TINY = 0.001
"""Of a loss that is no rate: below it there is none to speak of."""


RULE_OF_THREE = 3.0
"""Of n independent rows without an event, up to 3/n of all rows may have one (95 %)."""


class Criterion(Protocol):
    """What the writing of a loss depends on; :class:`polychotomy.comparison.Criterion` is one."""

    @property
    def is_rate(self) -> bool:
        """Whether the loss is a share of cases, written in percent."""

    @property
    def words(self) -> str:
        """What it is called in a sentence."""


def amount(value: float, criterion: Criterion) -> str:
    """Write a loss, as far as folds can bear: a rate in percent, another to three digits.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> amount(0.02345, Criterion(name="error")), amount(0.02345, Criterion(name="brier"))
    ('2.3 %', '0.0234')
    >>> amount(-0.847, Criterion(name="cost", costs=np.array([[-3, 1], [1, 0]])))
    '−0.847'
    """
    return percent(value) if criterion.is_rate else minus(f"{value:.3g}")


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
    """
    if not criterion.is_rate:
        return f"{value + 0.0:.2g}".replace("-", "−")
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
    return measured((low + high) / 2, low, high, criterion)[1]


def measured(
    value: float,
    low: float,
    high: float,
    criterion: Criterion,
    *,
    clear_of: Sequence[float] = (),
) -> tuple[str, str]:
    """Write a number and the ends of its interval, to as many digits as the interval can bear.

    All have the same decimals, about a fifth of half the interval; more where an end would
    otherwise be rounded onto one of the values in ``clear_of``, which decide what is said of it.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> measured(0.0001, -0.005, 0.023, Criterion(name="error"))
    ('0.0', '−0.5 to 2.3')
    >>> measured(0.0027, -0.0001, 0.0055, Criterion(name="error"), clear_of=(0.0, 0.005))
    ('0.27', '−0.01 to 0.55')
    >>> measured(0.09342, 0.0362, 0.217, Criterion(name="log-loss"))
    ('0.09', '0.04 to 0.22')
    """
    scale = 100.0 if criterion.is_rate else 1.0
    centre, *ends = (scale * float(one) for one in (value, low, high))
    digits = _decimals(ends[1] - ends[0], centre, fewest=int(criterion.is_rate))
    bounds = [scale * one for one in clear_of]
    while digits < _MOST_DECIMALS and _lands_on(ends, bounds, digits):
        digits += 1
    first, second = (fixed(end, digits) for end in ends)
    return fixed(centre, digits), f"{first} to {second}"


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
    if unit <= 0:
        return fewest
    return int(np.clip(np.ceil(-np.log10(unit)), fewest, _MOST_DECIMALS))


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
    """Write an error rate in percent.

    Examples
    --------
    >>> percent(0.02345), percent(0.00034), percent(0.0)
    ('2.3 %', '0.03 %', '0 %')
    """
    return f"{number(100 * share)} %" if share < 0.001 else f"{100 * share:.1f} %"


def pvalue(p: float) -> str:
    """Write a p-value.

    Examples
    --------
    >>> pvalue(0.0312), pvalue(0.000012)
    ('p = 0.031', 'p < 0.0001')
    """
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"


def join(words: Sequence[str]) -> str:
    """Join words with commas and a last "and".

    Examples
    --------
    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def some(names: Sequence[str]) -> list[str]:
    """Name four of many, and count the rest.

    Examples
    --------
    >>> some(list("abc")), some(list("abcdef"))
    (['a', 'b', 'c'], ['a', 'b', 'c', 'd', '2 more'])
    """
    rest = len(names) - _NAMED
    return list(names) if rest <= 1 else [*names[:_NAMED], f"{rest} more"]


def shorten(label: str, longest: int = 60) -> str:
    """Cut a class label that would flood a sentence.

    Examples
    --------
    >>> shorten("setosa"), shorten("a very long label", 6)
    ('setosa', 'a very…')
    """
    return label if len(label) <= longest else f"{label[:longest]}…"


def quoted(label: str) -> str:
    """Put a class label in quotes, so that it cannot be read as part of the sentence.

    Examples
    --------
    >>> quoted("1")
    "'1'"
    """
    return f"'{shorten(label)}'"


def threshold(value: float) -> str:
    """Write what counts as help.

    Examples
    --------
    >>> threshold(0.005), threshold(0.02)
    ('half a point', '2 points')
    """
    return "half a point" if value == _HALF_A_POINT else points(value)


def independence(grouped: bool, *, timed: bool = False) -> str:
    """Write the assumption of tests over rows, and whether it may be or is known to be wrong.

    Examples
    --------
    >>> independence(False)
    'Assumed: rows are independent of each other.'
    >>> independence(False, timed=True)
    'Assumed: rows are independent of each other, which rows close in time may not be: then \
intervals are too narrow and p-values too small.'
    """
    beyond = ""
    if grouped:
        beyond = ", which those of one group are not, so that less is certain than it seems"
    elif timed:
        beyond = (
            ", which rows close in time may not be: then intervals are too narrow and p-values too "
            "small"
        )
    return f"Assumed: rows are independent of each other{beyond}."


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


def rough(count: float) -> str:
    """Write a count to two digits, rounded up: it is a guess.

    Examples
    --------
    >>> rough(1234.5), rough(7.2), rough(53_210)
    ('1300', '8', '54,000')
    """
    unit = 10 ** max(int(np.floor(np.log10(count))) - 1, 0)
    written = int(np.ceil(count / unit) * unit)
    return f"{written:,}" if written >= 10_000 else str(written)


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
    """Write a time.

    Examples
    --------
    >>> seconds(0.0123), seconds(4.56), seconds(125), seconds(9000)
    ('12 ms', '4.6 s', '2 min', '2.5 h')
    """
    if value < 1:
        return f"{1000 * value:.0f} ms"
    if value < 90:
        return f"{value:.1f} s" if value < 10 else f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 5400 else f"{value / 3600:.1f} h"
