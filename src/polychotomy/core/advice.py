"""Would it help? What every answer to that question has in common.

Combining (MST09), bagging (T96) and more data are three questions of one kind: what is gained, how
sure is that, and does it matter? Their results answer them by the same names.
"""

from __future__ import annotations

import math
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from polychotomy.core.arguments import is_number, shown, unexpected
from polychotomy.core.exceptions import InvalidInput

Answer: TypeAlias = Literal["yes", "no", "cannot tell"]


# A protocol and not a base class: a dataclass takes the properties of its bases for the default
# values of its fields, so that what one result keeps and another computes cannot share a base.
@runtime_checkable
class Advice(Protocol):
    """What :func:`would_combining_help` and its like return.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import learning_curve_forecast
    >>> sizes = np.array([50, 100, 200, 400])
    >>> noise = np.array([[0.001, -0.001]])
    >>> advice = learning_curve_forecast(sizes, 0.05 + 20 / sizes[:, None] + noise)
    >>> isinstance(advice, Advice), advice.answer, advice.low > advice.gain
    (True, 'yes', True)
    """

    @property
    def answer(self) -> Answer:
        """Whether it would help."""

    @property
    def gain(self) -> float:
        """Smallest gain that matters."""

    @property
    def expected(self) -> float:
        """The gain expected."""

    @property
    def low(self) -> float:
        """Lower end of its interval."""

    @property
    def high(self) -> float:
        """Upper end of its interval."""


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
