"""Can I trust the probabilities? Their trace, and how often they were right, in two figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from polychotomy.core.arrays import Floats
from polychotomy.core.numbers import count, counted, percent
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, LINES, TOP, Figure, Scale, write_percent
from polychotomy.validation import ProbabilityTrace, ReliabilityDiagram, Trust, reliability_diagram
from polychotomy.validation.trace import shown_positions, straight_over_ties


def draw_trace(trust: Trust) -> Figure:
    """Draw the trace less what is expected of it, in the band of true probabilities.

    Examples
    --------
    See :func:`polychotomy.report.render_page`.
    """
    null, recalibrated = trust.null, trust.recalibration.chosen != "none"
    steps = null.steps.astype(float)
    before, after = LINES
    lines = {before: (steps, null.observed - steps)}
    if recalibrated:
        lines[after] = _thinned(trust.recalibration.after)
    lower, upper = null.lower - steps, null.upper - steps
    drawing = _draw_trace(steps, lower, upper, lines)
    message = (
        f"Trace of the probabilities: {trust.finding}. Slope {null.observed_slope:.3f}, "
        f"where 1 is expected of true ones; p = {trust.adjusted_pvalues[0]:.2g}."
    )
    reading = (
        f"All {count(steps[-1] - steps[0])} predicted probabilities stand in a row, lowest first, "
        "and each is asked whether it came true. If they mean what they say, the line stays within "
        f"the band from end to end in {100 * null.level:g} % of such tables. Where it climbs, more "
        "came true than was said."
    )
    rows: list[tuple[object, ...]] = []
    for name, (at, values) in lines.items():
        ends = (lower, upper) if name == before else ([""] * len(at),) * 2
        rows += [(name, *row) for row in zip(at, values, *ends, strict=True)]
    header = ("line", "step", "trace_minus_step", "low", "high")
    return Figure("trace", drawing, message, reading, header, rows)


def _thinned(trace: ProbabilityTrace) -> tuple[Floats, Floats]:
    at = shown_positions(trace.steps.size, at_most=400)
    steps = trace.steps[at].astype(float)
    return steps, straight_over_ties(trace)[at] - steps


def _draw_trace(
    steps: Floats, lower: Floats, upper: Floats, lines: dict[str, tuple[Floats, Floats]]
) -> Markup:
    ends = [end for at, _ in lines.values() for end in (float(at[0]), float(at[-1]))]
    x = Scale(min(ends), max(ends), first=0, last=100)
    heights = np.abs(np.concatenate([lower, upper, *(y for _, y in lines.values())]))
    reach = 1.08 * max(float(heights.max()), 1e-9)
    y = Scale(-reach, reach, first=BOTTOM, last=TOP)
    band = svg.area(svg.places(x, y, steps, lower), svg.places(x, y, steps, upper))
    curves = [
        svg.curve(svg.places(x, y, *along), class_=LINES[name]) for name, along in lines.items()
    ]
    return svg.panel(
        svg.stretched(band, *curves, height=BOTTOM),
        svg.line(0, 100, y(0), y(0), class_="axis"),
        svg.upright(x(0), TOP, BOTTOM, class_="grid"),
        svg.text("↑ more, ↓ fewer came true than said", 0, 11, anchor="start", class_="axis-name"),
        svg.text("1/k", x(0), TOP + 9, anchor="start", dx=4, class_="small"),
        svg.text("lowest probabilities", 0, BOTTOM + 15, anchor="start", class_="axis-name"),
        svg.text("highest", 100, BOTTOM + 15, anchor="end", class_="axis-name"),
        svg.name_lines(list(lines)),
        height=BOTTOM + 24,
    )


_SHADOW = 40.0  # pixels of the histogram


def draw_reliability(trust: Trust) -> Figure:
    """Draw how often predictions were right against how sure they were, how many below.

    Where recalibration is advised, the same predictions are shown recalibrated, too.

    Examples
    --------
    See :func:`polychotomy.report.render_page`.
    """
    said, after = trust.trace.probabilities.max(axis=1), trust.recalibration.after
    both = [trust.reliability]
    if trust.recalibration.chosen != "none":
        both.append(reliability_diagram(after.probabilities, after.y, samples=after.samples))
    x, y = _reliability_scales(both, said)
    bins = [_bins(one, x, y, state) for one, state in zip(both, LINES.values(), strict=False)]
    bottom = BOTTOM + _SHADOW
    drawing = svg.panel(
        svg.left_axis(y, write_percent, name="how often it was right", left=1),
        svg.bottom_axis(x, write_percent, name="how sure it was", top=TOP, bottom=bottom),
        svg.line(x(x.low), x(1), y(x.low), y(1), class_="diagonal"),
        _histogram(said, x),
        *bins[::-1],
        svg.name_lines(list(LINES)[: len(both)]),
        height=bottom + 40,
    )
    frames = [one.to_frame() for one in both]
    rows = [
        (name, *row)
        for name, frame in zip(LINES, frames, strict=False)
        for row in frame.values.tolist()
    ]
    header = ("line", *frames[0].columns)
    message, reading = _say_reliability(both), _read_reliability(both)
    return Figure("reliability", drawing, message, reading, header, rows)


def _reliability_scales(
    diagrams: Sequence[ReliabilityDiagram], said: Floats
) -> tuple[Scale, Scale]:
    """Begin both axes at a round number below everything that is drawn."""
    least = min(float(said.min()), *(float(one.forecast.min()) for one in diagrams))
    lowest = min(least, *(float(one.lower.min()) for one in diagrams))
    left, base = (min(max(0.0, float(np.floor(10 * low) / 10)), 0.9) for low in (least, lowest))
    return (Scale(left, 1, first=10, last=96), Scale(base, 1, first=BOTTOM, last=TOP))


def _say_reliability(diagrams: Sequence[ReliabilityDiagram]) -> str:
    inside = [
        int(((one.lower <= one.forecast) & (one.forecast <= one.upper)).sum()) for one in diagrams
    ]
    again = f"; after recalibration {inside[-1]} of {diagrams[-1].forecast.size}"
    return (
        f"Of {counted(diagrams[0].forecast.size, 'group')} of predictions, {inside[0]} were right "
        f"as often as they said, within {100 * diagrams[0].confidence:g} % intervals"
        f"{again * (len(diagrams) > 1)}."
    )


def _read_reliability(diagrams: Sequence[ReliabilityDiagram]) -> str:
    rings = "Rings are the same predictions recalibrated. " * (len(diagrams) > 1)
    return (
        "A dot is a tenth or so of the predictions: how sure they were on average, and how often "
        f"they were right, with its {100 * diagrams[0].confidence:g} % interval. Below the dashed "
        f"line the model was too sure. {rings}The bars show how many predictions were how sure."
    )


def _bins(diagram: ReliabilityDiagram, x: Scale, y: Scale, state: str) -> Markup:
    parts = []
    for forecast, observed, low, high, cases in zip(
        diagram.forecast, diagram.observed, diagram.lower, diagram.upper, diagram.counts,
        strict=True,
    ):  # fmt: skip
        told = (
            f"{count(cases)} {'recalibrated ' * (state == 'recalibrated')}predictions, "
            f"{percent(forecast)} sure on average: right in {percent(observed)} "
            f"({100 * low:.1f} to {100 * high:.1f})"
        )
        places = (y.clipped(one) for one in (observed, low, high))
        parts.append(svg.pin(x(forecast), *places, radius=5, states=state, title=told))
    return Markup("").join(parts)


def _histogram(said: Floats, x: Scale) -> Markup:
    heights, ends = np.histogram(said, bins=20, range=(x.low, 1.0))
    tallest, base = max(int(heights.max()), 1), BOTTOM + _SHADOW
    tops = ((_SHADOW - 8) * heights / tallest).tolist()
    bars = [
        svg.box(x(a) + 0.2, base - top, width=max(x(b) - x(a) - 0.4, 0.2), height=top,
                class_="shadow")
        for top, a, b in zip(tops, ends[:-1], ends[1:], strict=True)
        if top
    ]  # fmt: skip
    return Markup("").join(bars)
