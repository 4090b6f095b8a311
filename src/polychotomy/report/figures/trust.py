"""Can I trust the probabilities? Their trace, and how often they were right, in two figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from polychotomy.core.arrays import Floats
from polychotomy.core.numbers import count, counted
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, LINES, TOP, Figure, Scale
from polychotomy.validation import ProbabilityTrace, ReliabilityDiagram, Trust
from polychotomy.validation.trace import shown_positions, straight_over_ties


def draw_trace(trust: Trust) -> Figure:
    """Draw the trace less what is expected of it, in the band of true probabilities.

    Examples
    --------
    See :func:`polychotomy.report.render_page`.
    """
    null, recalibrated = trust.null, trust.recalibration.chosen != "none"
    steps = null.steps.astype(float)
    lines = {LINES[0]: (steps, null.observed - steps)}
    if recalibrated:
        lines[LINES[1]] = _thinned(trust.recalibration.after)
    drawing = _draw_trace(steps, null.lower - steps, null.upper - steps, lines)
    message = (
        f"Trace of the probabilities: {trust.finding}. Slope {null.observed_slope:.3f}, "
        f"where 1 is expected of true ones; p = {trust.adjusted_pvalues[0]:.2g}."
    )
    reading = (
        f"All {count(steps[-1] - steps[0])} predicted probabilities stand in a row, the lowest at "
        "the left, and each is asked whether it came true. If they mean what they say, the line "
        f"stays within the shaded band from end to end in {100 * null.level:g} % of such tables. "
        "Where it climbs, more came true than was said; where it falls, fewer."
    )
    rows: list[tuple[object, ...]] = []
    for name, (at, values) in lines.items():
        band = (null.lower - steps).tolist(), (null.upper - steps).tolist()
        ends = band if name == LINES[0] else ([""] * len(at),) * 2
        rows += [(name, *row) for row in zip(at.tolist(), values.tolist(), *ends, strict=True)]
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
    reach = 1.08 * max(
        float(np.abs(np.concatenate([lower, upper, *(y for _, y in lines.values())])).max()), 1e-9
    )
    y = Scale(-reach, reach, first=BOTTOM, last=TOP)
    band = svg.area(_along(x, y, steps, lower), _along(x, y, steps, upper), class_="band")
    curves = [
        svg.curve(_along(x, y, *places), class_="best" if name == LINES[0] else "recalibrated")
        for name, places in lines.items()
    ]
    parts = [
        svg.stretched(band, *curves, height=BOTTOM),
        svg.line(0, 100, y(0), y(0), class_="axis"),
        svg.line(x(0), x(0), TOP, BOTTOM, class_="grid"),
        svg.text("↑ more, ↓ fewer came true than said", 0, 11, anchor="start", class_="axis-name"),
        svg.text("1/k", x(0), TOP + 9, anchor="start", dx=4, class_="small"),
        svg.text("lowest probabilities", 0, BOTTOM + 15, anchor="start", class_="axis-name"),
        svg.text("highest", 100, BOTTOM + 15, anchor="end", class_="axis-name"),
        svg.name_lines(list(lines)),
    ]
    return svg.panel(*parts, height=BOTTOM + 24)


def _along(x: Scale, y: Scale, xs: Floats, ys: Floats) -> list[tuple[float, float]]:
    return [(x(a), y(b)) for a, b in zip(xs.tolist(), ys.tolist(), strict=True)]


_SHADOW = 40.0  # pixels of the histogram


def draw_reliability(
    diagram: ReliabilityDiagram, said: Floats, recalibrated: ReliabilityDiagram | None = None
) -> Figure:
    """Draw how often predictions were right against how sure they were; ``said`` below.

    Parameters
    ----------
    diagram : ReliabilityDiagram
        As predicted.
    said : (n,) floats
        How sure each prediction was, for the bars below.
    recalibrated : ReliabilityDiagram, optional
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
    both = [diagram] if recalibrated is None else [diagram, recalibrated]
    x, y = _reliability_scales(both, said)
    parts = [
        svg.left_axis(y, _percent, left=1),
        svg.bottom_axis(x, _percent, name="how sure it was", top=TOP, bottom=BOTTOM + _SHADOW),
        svg.text("how often it was right", 1, 11, anchor="start", class_="axis-name"),
        svg.line(x(x.low), x(1), y(x.low), y(1), class_="diagonal"),
        _histogram(said, x),
        *(_bins(recalibrated, x, y, "recalibrated") if recalibrated is not None else []),
        *_bins(diagram, x, y, "best"),
        svg.name_lines(LINES[: len(both)]),
    ]
    frames = [one.to_frame() for one in both]
    rows = [
        (name, *row)
        for name, frame in zip(LINES, frames, strict=False)
        for row in frame.values.tolist()
    ]
    return Figure(
        "reliability",
        svg.panel(*parts, height=BOTTOM + _SHADOW + 40),
        _say_reliability(both), _read_reliability(both), ("line", *frames[0].columns), rows,
    )  # fmt: skip


def _reliability_scales(
    diagrams: Sequence[ReliabilityDiagram], said: Floats
) -> tuple[Scale, Scale]:
    """Begin both axes at a round number below everything that is drawn."""
    least = min(float(said.min()), *(float(one.forecast.min()) for one in diagrams))
    lowest = min(least, *(float(one.lower.min()) for one in diagrams))
    left, base = (min(max(0.0, float(np.floor(10 * low) / 10)), 0.9) for low in (least, lowest))
    return (Scale(left, 1, first=10, last=96), Scale(base, 1, first=BOTTOM, last=TOP))


def _say_reliability(diagrams: Sequence[ReliabilityDiagram]) -> str:
    first, *recalibrated = diagrams
    words = (
        f"Of {counted(first.forecast.size, 'group')} of predictions, {_inside(first)} were right "
        f"as often as they said, within {100 * first.confidence:g} % intervals"
    )
    for one in recalibrated:
        words += f"; after recalibration {_inside(one)} of {one.forecast.size}"
    return f"{words}."


def _inside(diagram: ReliabilityDiagram) -> int:
    return int(((diagram.lower <= diagram.forecast) & (diagram.forecast <= diagram.upper)).sum())


def _read_reliability(diagrams: Sequence[ReliabilityDiagram]) -> str:
    first, *recalibrated = diagrams
    words = (
        "A dot is a tenth or so of the predictions: how sure they were on average, and how often "
        f"they were right, with its {100 * first.confidence:g} % interval. On the dashed line "
        "the two agree; below it the model was too sure. "
    )
    if recalibrated:
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
            f"{count(cases)} {'recalibrated ' * (state == 'recalibrated')}predictions, "
            f"{100 * forecast:.1f} % sure on average: right in "
            f"{100 * observed:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        )
        parts.append(
            svg.line(place, place, y.clipped(low), y.clipped(high), class_=f"whisker {state}")
        )
        parts.append(
            svg.dot(place, y.clipped(observed), radius=5, class_=f"mean {state}", title=told)
        )
    return parts


def _histogram(said: Floats, x: Scale) -> Markup:
    heights, ends = np.histogram(said, bins=20, range=(x.low, 1.0))
    tallest = max(int(heights.max()), 1)
    base = BOTTOM + _SHADOW
    bars: Sequence[Markup] = [
        svg.box(x(a) + 0.2, base - (_SHADOW - 8) * h / tallest, width=max(x(b) - x(a) - 0.4, 0.2),
            height=(_SHADOW - 8) * h / tallest, class_="shadow")
        for h, a, b in zip(heights.tolist(), ends[:-1], ends[1:], strict=True)
        if h
    ]  # fmt: skip
    return Markup("").join(bars)
