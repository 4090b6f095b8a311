"""Can I trust the probabilities? What was said beside what happened, before and after mending."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from polychotomy.core.arrays import Floats
from polychotomy.report.drawing import (
    LINES,
    Figure,
    Scale,
    bottom_axis,
    box,
    dot,
    element,
    left_axis,
    line,
    name_lines,
    plot,
    text,
)
from polychotomy.report.words import count, some
from polychotomy.validation import ReliabilityDiagram

_TOP, _BOTTOM = 38.0, 240.0

_SHADOW = 40.0  # pixels of the histogram


def draw_reliability(
    diagram: ReliabilityDiagram, said: Floats, mended: ReliabilityDiagram | None = None
) -> Figure:
    """Draw how often predictions were right against how sure they were; ``said`` below.

    Parameters
    ----------
    diagram : ReliabilityDiagram
        As predicted.
    said : (n,) floats
        How sure each prediction was, for the bars below.
    mended : ReliabilityDiagram, optional
        The same predictions, recalibrated.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import reliability_diagram
    >>> p = np.repeat([[0.8, 0.2], [0.6, 0.4]], 10, axis=0)
    >>> y = np.array([0] * 8 + [1] * 2 + [0] * 3 + [1] * 7)
    >>> draw_reliability(reliability_diagram(p, y, n_bins=2), p.max(axis=1)).message
    'Of 2 groups of predictions, 2 were right as often as they said, within 95 % intervals.'
    """
    both = [diagram] if mended is None else [diagram, mended]
    x, y = _reliability_scales(both, said)
    parts = [
        left_axis(y, _percent, left=1),
        bottom_axis(x, _percent, name="how sure it was", top=_TOP, bottom=_BOTTOM + _SHADOW),
        text("how often it was right", 1, 11, anchor="start", class_="axis-name"),
        line(x(x.low), x(1), y(x.low), y(1), class_="diagonal"),
        _histogram(said, x),
        *(_bins(mended, x, y, "mended") if mended is not None else []),
        *_bins(diagram, x, y, "best"),
        name_lines(LINES[: len(both)]),
    ]
    frames = [one.to_frame() for one in both]
    rows = [
        (name, *row)
        for name, frame in zip(LINES, frames, strict=False)
        for row in frame.values.tolist()
    ]
    return Figure(
        "reliability",
        element("div", plot(*parts, height=_BOTTOM + _SHADOW + 40), class_="panel"),
        _say_reliability(both), _read_reliability(both), ("line", *frames[0].columns), rows,
    )  # fmt: skip


def _reliability_scales(
    diagrams: Sequence[ReliabilityDiagram], said: Floats
) -> tuple[Scale, Scale]:
    """Begin both axes at a round number below everything that is drawn."""
    least = min(float(said.min()), *(float(one.forecast.min()) for one in diagrams))
    lowest = min(least, *(float(one.lower.min()) for one in diagrams))
    left, base = (min(max(0.0, float(np.floor(10 * low) / 10)), 0.9) for low in (least, lowest))
    return (
        Scale(left, 1, first=10, last=96),
        Scale(base, 1, first=_BOTTOM, last=_TOP),
    )


def _say_reliability(diagrams: Sequence[ReliabilityDiagram]) -> str:
    first, *mended = diagrams
    words = (
        f"Of {some(first.forecast.size, 'group')} of predictions, {_inside(first)} were right "
        f"as often as they said, within {100 * first.confidence:g} % intervals"
    )
    for one in mended:
        words += f"; after recalibration {_inside(one)} of {one.forecast.size}"
    return f"{words}."


def _inside(diagram: ReliabilityDiagram) -> int:
    return int(((diagram.lower <= diagram.forecast) & (diagram.forecast <= diagram.upper)).sum())


def _read_reliability(diagrams: Sequence[ReliabilityDiagram]) -> str:
    first, *mended = diagrams
    words = (
        "A dot is a tenth or so of the predictions: how sure they were on average, and how often "
        f"they were right, with its {100 * first.confidence:g} % interval. On the dashed line "
        "the two agree; below it the model was too sure. "
    )
    if mended:
        words += "Rings are the same predictions recalibrated. "
    return f"{words}The bars below show how many predictions were how sure."


def _percent(value: float) -> str:
    return f"{100 * value:g} %"


def _bins(diagram: ReliabilityDiagram, x: Scale, y: Scale, state: str) -> list[Markup]:
    parts = []
    for forecast, observed, low, high, cases in zip(
        diagram.forecast, diagram.observed, diagram.lower, diagram.upper, diagram.counts,
        strict=True,
    ):  # fmt: skip
        place = x(forecast)
        told = (
            f"{count(cases)} {'recalibrated ' * (state == 'mended')}predictions, "
            f"{100 * forecast:.1f} % sure on average: right in "
            f"{100 * observed:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        )
        parts.append(line(place, place, y.clipped(low), y.clipped(high), class_=f"whisker {state}"))
        parts.append(dot(place, y.clipped(observed), radius=5, class_=f"mean {state}", title=told))
    return parts


def _histogram(said: Floats, x: Scale) -> Markup:
    heights, ends = np.histogram(said, bins=20, range=(x.low, 1.0))
    tallest = max(int(heights.max()), 1)
    base = _BOTTOM + _SHADOW
    bars: Sequence[Markup] = [
        box(x(a) + 0.2, base - (_SHADOW - 8) * h / tallest, width=max(x(b) - x(a) - 0.4, 0.2),
            height=(_SHADOW - 8) * h / tallest, class_="shadow")
        for h, a, b in zip(heights.tolist(), ends[:-1], ends[1:], strict=True)
        if h
    ]  # fmt: skip
    return Markup("").join(bars)
