"""Can I trust the probabilities? The trace less what is expected of it, in its band."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from polychotomy.core.arrays import Floats
from polychotomy.report.drawing import (
    LINES,
    Figure,
    Scale,
    area,
    curve,
    element,
    line,
    name_lines,
    plot,
    stretched,
    text,
)
from polychotomy.report.words import count
from polychotomy.validation import ProbabilityTrace, Trust
from polychotomy.validation.trace import shown_positions, straight_over_ties

_TOP, _BOTTOM = 38.0, 240.0


def draw_trace(trust: Trust) -> Figure:
    """Draw the trace less what is expected of it, in the band of true probabilities.

    Examples
    --------
    See :func:`polychotomy.report.render_page`.
    """
    null, mended = trust.null, trust.recalibration.chosen != "none"
    steps = null.steps.astype(float)
    lines = {LINES[0]: (steps, null.observed - steps)}
    if mended:
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
        ends = (null.lower - steps, null.upper - steps) if name == LINES[0] else None
        for i, (step, value) in enumerate(zip(at.tolist(), values.tolist(), strict=True)):
            band = ("", "") if ends is None else (float(ends[0][i]), float(ends[1][i]))
            rows.append((name, step, value, *band))
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
    y = Scale(-reach, reach, first=_BOTTOM, last=_TOP)
    band = area(_along(x, y, steps, lower), _along(x, y, steps, upper), class_="band")
    curves = [
        curve(_along(x, y, *places), class_="best" if name == LINES[0] else "mended")
        for name, places in lines.items()
    ]
    parts = [
        stretched(band, *curves, height=_BOTTOM),
        line(0, 100, y(0), y(0), class_="axis"),
        line(x(0), x(0), _TOP, _BOTTOM, class_="grid"),
        text("↑ more, ↓ fewer came true than said", 0, 11, anchor="start", class_="axis-name"),
        text("1/k", x(0), _TOP + 9, anchor="start", dx=4, class_="small"),
        text("lowest probabilities", 0, _BOTTOM + 15, anchor="start", class_="axis-name"),
        text("highest", 100, _BOTTOM + 15, anchor="end", class_="axis-name"),
        name_lines(list(lines)),
    ]
    return element("div", plot(*parts, height=_BOTTOM + 24), class_="panel")


def _along(x: Scale, y: Scale, xs: Floats, ys: Floats) -> list[tuple[float, float]]:
    return [(x(a), y(b)) for a, b in zip(xs.tolist(), ys.tolist(), strict=True)]
