"""How numbers and lists are written in a verdict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polychotomy.comparison import Criterion


def amount(value: float, criterion: Criterion) -> str:
    """Write a loss, as far as folds can bear: a rate in percent, another to three digits.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> amount(0.02345, Criterion(name="error")), amount(0.02345, Criterion(name="brier"))
    ('2.3 %', '0.0234')
    """
    return percent(value) if criterion.is_rate else f"{value:.3g}"


def gap(value: float, criterion: Criterion) -> str:
    """Write a difference of losses.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> gap(0.01, Criterion(name="error")), gap(0.0062, Criterion(name="error"))
    ('1 point', '0.6 points')
    """
    if not criterion.is_rate:
        return f"{value:.3g}"
    written = number(100 * value)
    return f"{written} point{'s' * (written not in ('1', '−1'))}"


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
    if criterion.is_rate:
        return f"{number(100 * low)} to {number(100 * high)}"
    return f"{low:.3g} to {high:.3g}".replace("-", "−")


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


def shorten(label: str, longest: int = 60) -> str:
    """Cut a class label that would flood a sentence.

    Examples
    --------
    >>> shorten("setosa"), shorten("a very long label", 6)
    ('setosa', 'a very…')
    """
    return label if len(label) <= longest else f"{label[:longest]}…"


def rough(count: float) -> str:
    """Write a count to two digits, rounded up: it is a guess.

    Examples
    --------
    >>> rough(1234.5), rough(7.2)
    ('1300', '8')
    """
    unit = 10 ** max(int(np.floor(np.log10(count))) - 1, 0)
    return str(int(np.ceil(count / unit) * unit))


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
