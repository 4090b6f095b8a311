"""Would it help? What every answer to that question has in common.

Combining (MST09), bagging (T96) and more data are three questions of one kind: what is gained, how
sure is that, and does it matter? Their results answer them by the same names: ``answer``, ``gain``
(the smallest that matters), ``expected``, ``low`` and ``high``. They share no base class, since a
dataclass takes the properties of its bases for the default values of its fields, and what one
result keeps another computes.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from polychotomy.core.arguments import is_number, shown, unexpected
from polychotomy.core.exceptions import InvalidInput

Answer: TypeAlias = Literal["yes", "no", "cannot tell"]


def answer_question(low: float, high: float, gain: float) -> Answer:
    """Answer "yes" where the interval lies above the gain, "no" where it lies below.

    Examples
    --------
    >>> answer_question(0.01, 0.03, 0.005), answer_question(-0.01, 0.03, 0.005)
    ('yes', 'cannot tell')
    """
    if low > gain:
        return "yes"
    return "no" if high < gain else "cannot tell"


def check_advice(gain: float, confidence: float) -> None:
    """Refuse a gain below 0, and a confidence of an answer that is not between ½ and 1.

    Examples
    --------
    >>> check_advice(0.005, 0.9)
    """
    if not is_number(gain) or not 0.0 <= gain < math.inf:
        raise InvalidInput(
            f"gain is {shown(gain)}; expected the smallest gain that counts as help, 0 or more, "
            "such as 0.005 for half a point."
        )
    if not is_number(confidence) or not 0.5 < confidence < 1.0:
        raise unexpected("confidence", confidence, "more than 0.5 and less than 1, such as 0.9")
