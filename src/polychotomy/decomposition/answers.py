"""Three answers to "would it help?": yes, no, cannot tell."""

from __future__ import annotations

import math
from typing import Literal

from polychotomy.codes.arguments import is_number, shown
from polychotomy.exceptions import InvalidInput

Answer = Literal["yes", "no", "cannot tell"]


def answer_question(low: float, high: float, gain: float) -> Answer:
    """Answer "yes" where the interval lies above the gain, "no" where it lies below.

    Examples
    --------
    >>> from polychotomy.decomposition.answers import answer_question
    >>> answer_question(0.01, 0.03, 0.005), answer_question(-0.01, 0.03, 0.005)
    ('yes', 'cannot tell')
    """
    if low > gain:
        return "yes"
    return "no" if high < gain else "cannot tell"


def check_gain(gain: float) -> None:
    """Raise unless the gain that counts as help is a finite number, zero or more.

    Examples
    --------
    >>> check_gain(0.005)
    """
    if not is_number(gain) or not 0.0 <= gain < math.inf:
        raise InvalidInput(
            f"gain is {shown(gain)}; expected the smallest gain that counts as help, 0 or more, "
            "such as 0.005 for half a point."
        )


def check_answer_confidence(confidence: float) -> None:
    """Raise unless an answer's confidence lies between a half and one.

    Examples
    --------
    >>> check_answer_confidence(0.9)
    """
    if not is_number(confidence) or not 0.5 < confidence < 1.0:
        raise InvalidInput(
            f"confidence is {shown(confidence)}; expected more than 0.5 and less than 1, such as "
            "0.9."
        )
