"""Whether the numbers of a text are those expected, to the digits that are printed."""

import re
from typing import NamedTuple

import numpy as np
from page_reading import tokens


class Near(NamedTuple):
    """A number that was simulated: right to so much."""

    value: float
    within: float


class Up(NamedTuple):
    """A number that is rounded up, to so much."""

    value: float
    unit: float


def said_of(names):
    """Who overrides a candidate, as the table has it."""
    if len(names) > 3:
        names = [*names[:2], f"{len(names) - 2} more"]
    return " and ".join([", ".join(names[:-1]), *names[-1:]][not names[1:] :]) or "nobody"


def two_digits(x):
    """A count rounded up to two digits."""
    return Up(x, 10.0 ** max(np.floor(np.log10(x)) - 1, 0))


_NOT_NUMBERS = re.compile(
    r"\b(?:19|20)\d\d\b(?! (?:rows|samples|cases|folds|more))|"
    r"\d[x×]\d ?(?:cv|folds(?:, \d+ runs)?)?|§\d|\b\d time folds\b|"
    r"\bH0\b|\bYA06\b|'\d+'|1 − AUC|\b\d for \d\b"
)


def numbers_of(text, names):
    """Numbers of a text that are no part of a name, a year or a label."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "@")
    return tokens(_NOT_NUMBERS.sub("@", text))


def agree(text, expected, names):
    """Assert that the numbers of a text are those expected, to the digits that are printed."""
    found = numbers_of(text, names)
    assert len(found) == len(expected), (text, [one.value for one in found], expected)
    for shown, wanted in zip(found, expected, strict=True):
        told = (text, shown, wanted)
        if isinstance(wanted, Near):
            assert abs(shown.value - wanted.value) <= wanted.within + shown.unit, told
        elif isinstance(wanted, Up):
            assert -1e-6 * wanted.unit <= shown.value - wanted.value < 1.001 * wanted.unit, told
        elif shown.below:
            assert wanted < shown.value, told
        else:
            assert abs(shown.value - wanted) <= 0.5001 * shown.unit + 1e-9, told
