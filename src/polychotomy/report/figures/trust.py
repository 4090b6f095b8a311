"""Can I trust the probabilities? The trace in its band, and what was said beside what happened."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from polychotomy.arrays import Floats
from polychotomy.report.figure import Figure
from polychotomy.report.figures.axes import bottom_axis, left_axis
from polychotomy.report.marks import area, box, curve, dot, element, line, plot, stretched, text
from polychotomy.report.scales import Scale
from polychotomy.report.words import count, some
from polychotomy.validation import ProbabilityTrace, ReliabilityDiagram, Trust
from polychotomy.validation.trace import shown_positions

_TOP, _BOTTOM = 38.0, 240.0
_SHADOW = 40.0  # pixels of the histogram


def draw_trace(trust: Trust) -> Figure:
    """Draw the trace less what is expected of it, in the band of true probabilities.

    Examples
    --------
    See :func:`polychotomy.report.render_page`.
    """
    null, mended = trust.null, trust.recalibration.chosen != "none"
    steps = null.steps.astype(float)
    lines = {"as predicted": (steps, null.observed - steps)}
    if mended:
        lines["recalibrated"] = _thinned(trust.recalibration.after)
    drawing = _draw_trace(steps, null.lower - steps, null.upper - steps, lines)
    message = (
        f"Trace of the probabilities: {trust.finding}. Slope {null.observed_slope:.3f}, "
        f"where 1 is expected of true ones; p = {null.pvalue:.2g}."
    )
    reading = (
        f"All {count(steps[-1] - steps[0])} predicted probabilities stand in a row, the lowest at "
        "the left, and each is asked whether it came true. If they mean what they say, the line "
        f"stays within the shaded band, as {100 * null.level:g} % of true ones do at each step. "
        "Where it climbs, more came true than was said; where it falls, fewer."
    )
    rows: list[tuple[object, ...]] = []
    for name, (at, values) in lines.items():
        ends = (null.lower - steps, null.upper - steps) if name == "as predicted" else None
        for i, (step, value) in enumerate(zip(at.tolist(), values.tolist(), strict=True)):
            band = ("", "") if ends is None else (float(ends[0][i]), float(ends[1][i]))
            rows.append((name, step, value, *band))
    header = ("line", "step", "trace_minus_step", "low", "high")
    return Figure("trace", drawing, message, reading, header, rows)


def _thinned(trace: ProbabilityTrace) -> tuple[Floats, Floats]:
    at = shown_positions(trace.steps.size, at_most=400)
    steps = trace.steps[at].astype(float)
    return steps, trace.trace[at] - steps


def _draw_trace(
    steps: Floats, lower: Floats, upper: Floats, lines: dict[str, tuple[Floats, Floats]]
) -> Markup:
    ends = [end for at, _ in lines.values() for end in (float(at[0]), float(at[-1]))]
    x = Scale(min(ends), max(ends), first=0, last=100)
    reach = 1.08 * max(
        float(np.abs(np.concatenate([lower, upper, *(y for _, y in lines.values())])).max()), 1e-9
    )
    y = Scale(-reach, reach, first=_BOTTOM, last=_TOP)
    band = area(_along(x, y, steps, lower), _along(x, y, steps, upper), class_="band")
    curves = [
        curve(_along(x, y, *places), class_="best" if name == "as predicted" else "mended")
        for name, places in lines.items()
    ]
    parts = [
        stretched(band, *curves, height=_BOTTOM),
        line(0, 100, y(0), y(0), class_="axis"),
        line(x(0), x(0), _TOP, _BOTTOM, class_="grid"),
        text("↑ more, ↓ fewer came true than said", 0, 11, anchor="start", class_="axis-name"),
        text("1/k", x(0), _TOP - 5, class_="small"),
        text("lowest probabilities", 0, _BOTTOM + 15, anchor="start", class_="axis-name"),
        text("highest", 100, _BOTTOM + 15, anchor="end", class_="axis-name"),
        _names(lines, x, y),
    ]
    return element("div", plot(*parts, height=_BOTTOM + 24), class_="panel")


def _along(x: Scale, y: Scale, xs: Floats, ys: Floats) -> list[tuple[float, float]]:
    return [(x(a), y(b)) for a, b in zip(xs.tolist(), ys.tolist(), strict=True)]


def _names(lines: dict[str, tuple[Floats, Floats]], x: Scale, y: Scale) -> Markup:
    """Name the lines where there are two."""
    if len(lines) < 2:
        return Markup("")
    parts = []
    for i, name in enumerate(lines):
        state = "best" if i == 0 else "mended"
        parts.append(text(name, 100, 11 + 15 * i, anchor="end", class_=f"point-name {state}"))
    return Markup("").join(parts)


def draw_reliability(diagram: ReliabilityDiagram, said: Floats) -> Figure:
    """Draw how often predictions were right against how sure they were; ``said`` below.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import reliability_diagram
    >>> p = np.repeat([[0.8, 0.2], [0.6, 0.4]], 10, axis=0)
    >>> y = np.array([0] * 8 + [1] * 2 + [0] * 3 + [1] * 7)
    >>> draw_reliability(reliability_diagram(p, y, n_bins=2), p.max(axis=1)).message
    'Of 2 groups of predictions, 2 were right as often as they said, within 95 % intervals.'
    """
    left, base = (
        max(0.0, float(np.floor(10 * low) / 10))
        for low in (min(diagram.forecast.min(), said.min()), diagram.lower.min())
    )
    base = min(left, base)
    x = Scale(min(left, 0.9), 1, first=10, last=97)
    y = Scale(min(base, 0.9), 1, first=_BOTTOM, last=_TOP)
    parts = [
        left_axis(y, _percent, left=1),
        bottom_axis(x, _percent, name="how sure it was", top=_TOP, bottom=_BOTTOM + _SHADOW),
        text("how often it was right", 1, 11, anchor="start", class_="axis-name"),
        line(x(x.low), x(1), y(x.low), y(1), class_="diagonal"),
        _histogram(said, x),
        *_bins(diagram, x, y),
    ]
    inside = (diagram.lower <= diagram.forecast) & (diagram.forecast <= diagram.upper)
    message = (
        f"Of {some(diagram.forecast.size, 'group')} of predictions, {int(inside.sum())} were right "
        f"as often as they said, within {100 * diagram.confidence:g} % intervals."
    )
    reading = (
        "A dot is a tenth or so of the predictions: how sure they were on average, and how often "
        f"they were right, with its {100 * diagram.confidence:g} % interval. On the dashed line "
        "the two agree; below it the model was too sure. The bars below show how many predictions "
        "were how sure."
    )
    frame = diagram.to_frame()
    return Figure(
        "reliability",
        element("div", plot(*parts, height=_BOTTOM + _SHADOW + 40), class_="panel"),
        message, reading, tuple(frame.columns), frame.values.tolist(),
    )  # fmt: skip


def _percent(value: float) -> str:
    return f"{100 * value:g} %"


def _bins(diagram: ReliabilityDiagram, x: Scale, y: Scale) -> list[Markup]:
    parts = []
    for forecast, observed, low, high, cases in zip(
        diagram.forecast, diagram.observed, diagram.lower, diagram.upper, diagram.counts,
        strict=True,
    ):  # fmt: skip
        place = x(forecast)
        told = (
            f"{count(cases)} predictions, {100 * forecast:.1f} % sure on average: right in "
            f"{100 * observed:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        )
        parts.append(line(place, place, y.clipped(low), y.clipped(high), class_="whisker best"))
        parts.append(dot(place, y.clipped(observed), radius=5, class_="mean best", title=told))
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
