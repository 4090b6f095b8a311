"""What limits it? What bagging would gain."""

from __future__ import annotations

from polychotomy.decomposition import BaggingAdvice
from polychotomy.report.figure import Figure
from polychotomy.report.figures.gauge import draw_gauge
from polychotomy.report.words import points


def draw_bagging(advice: BaggingAdvice) -> Figure:
    """Draw what bagging would gain.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import would_bagging_help
    >>> single = np.eye(2)[(np.arange(400) % 4 == 0).astype(int)]
    >>> bagged = np.eye(2)[(np.arange(400) % 8 == 0).astype(int)]
    >>> advice = would_bagging_help(single, bagged, np.zeros(400, dtype=int))
    >>> draw_bagging(advice).message[:35]
    'Bagging would change the error by −'
    """
    state = {"yes": "better", "no": "equivalent"}.get(advice.answer, "undecided")
    drawing = draw_gauge(
        advice.expected, advice.low, advice.high, help_from=advice.gain, state=state,
        name="points that bagging would take off the error", write=_tick,
    )  # fmt: skip
    message = (
        f"Bagging would change the error by {points(-advice.expected)} points "
        f"({points(-advice.high)} to {points(-advice.low)})."
    )
    weighed = "The dot is the gain expected"
    if advice.has_prior:
        weighed += (
            f": what was measured here ({points(advice.estimate)} points) weighed with what "
            "bagging did on other data sets"
        )
    reading = (
        f"{weighed}. The line holds the truth with {100 * (2 * advice.confidence - 1):.0f} % "
        f"confidence; in the shaded zone bagging takes off more than {100 * advice.gain:g} points."
    )
    frame = advice.to_frame()
    return Figure("bagging", drawing, message, reading, tuple(frame.columns), frame.values.tolist())


def _tick(value: float) -> str:
    return f"{100 * value:g}".replace("-", "−")
