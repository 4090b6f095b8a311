"""What limits it? The error at several training sizes, and what more data would do."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from polychotomy.decomposition import LearningCurveForecast
from polychotomy.report.drawing import (
    Figure,
    Scale,
    area,
    curve,
    dot,
    element,
    left_axis,
    line,
    plot,
    stretched,
    text,
)
from polychotomy.report.words import count, percent, points, short

_TOP, _BOTTOM = 38.0, 240.0

_EASY_COUNTS = (1, 2, 5)


def draw_curve(forecast: LearningCurveForecast, *, name: str) -> Figure:
    """Draw the errors at several training sizes, the fitted curve, and the forecast.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import learning_curve_forecast
    >>> noise = np.array([[0.001, -0.001]])
    >>> curve = learning_curve_forecast([50, 100, 200], 0.05 + 20 / np.c_[[50, 100, 200]] + noise)
    >>> len(draw_curve(curve, name="tree").rows)  # three measured, two forecast
    5
    """
    sizes, low, middle, high = forecast.curve
    x = Scale(float(sizes.min()), float(sizes.max()), first=14, last=97, logarithmic=True)
    top = 1.1 * float(max(np.max(forecast.errors + 2 * forecast.standard_errors), high[0]))
    y = Scale(0, min(top, 1.0) or 0.01, first=_BOTTOM, last=_TOP)
    places = [
        [(x(a), y.clipped(b)) for a, b in zip(sizes.tolist(), values.tolist(), strict=True)]
        for values in (low, middle, high)
    ]
    now = x(forecast.n)
    parts = [
        left_axis(y, lambda v: f"{100 * v:g} %", left=0),
        _size_axis(x),
        text("error", 0, 11, anchor="start", class_="axis-name"),
        stretched(area(places[0], places[2], class_="band"), curve(places[1], class_="best"),
                  height=_BOTTOM),
        line(now, now, _TOP, _BOTTOM, class_="now"),
        text("today", now, _TOP - 6, class_="small key"),
        *_points(forecast, x, y),
        *_forecasts(forecast, x, y),
    ]  # fmt: skip
    frame = forecast.to_frame()
    header = ("training_cases", "error", "low", "high", "kind")
    rows: list[tuple[object, ...]] = [
        (float(n), float(e), float(e - 2 * s), float(e + 2 * s), "measured")
        for n, e, s in zip(forecast.sizes, forecast.errors, forecast.standard_errors, strict=True)
    ]
    rows += [
        (float(row.n), row.error, row.low, row.high, "forecast")
        for row in frame.itertuples(index=False)
    ]
    drawing = element("div", plot(*parts, height=_BOTTOM + 40), class_="panel")
    reading = (
        "A dot is the error measured at one training size, with two standard errors; the line is "
        f"the curve that fits them, its band where {100 * (2 * forecast.confidence - 1):.0f} % of "
        "the curves run that fit as well. Right of “today” it is a forecast. Cross-validated "
        "fits see fewer cases than there are today, so that their mean error may lie above the "
        "curve’s there."
    )
    return Figure("learning-curve", drawing, _say(forecast, name), reading, header, rows)


def _size_axis(x: Scale) -> Markup:
    """Round numbers of cases along a logarithmic axis: 1, 2, 5, 10 and so on."""
    parts = [line(0, 100, _BOTTOM, _BOTTOM, class_="axis")]
    values = [step * 10**power for power in range(8) for step in _EASY_COUNTS]
    inside = [value for value in values if x.low <= value <= x.high]
    thin = inside[:: max(1, round(len(inside) / 5))]
    parts += [text(count(value), x(value), _BOTTOM + 16) for value in thin]
    parts.append(text("training cases", 50, _BOTTOM + 34, class_="axis-name"))
    return Markup("").join(parts)


def _points(forecast: LearningCurveForecast, x: Scale, y: Scale) -> list[Markup]:
    parts = []
    for size, error, spread in zip(
        forecast.sizes, forecast.errors, forecast.standard_errors, strict=True
    ):
        place = x.clipped(float(size))
        ends = y.clipped(error - 2 * spread), y.clipped(error + 2 * spread)
        told = f"{count(size)} cases: {percent(error)}"
        parts.append(line(place, place, *ends, class_="whisker other"))
        parts.append(dot(place, y.clipped(error), radius=4.5, class_="mean other", title=told))
    return parts


def _forecasts(forecast: LearningCurveForecast, x: Scale, y: Scale) -> list[Markup]:
    """Rings with their intervals, each named above its own, to the left: there is room."""
    parts = []
    for factor, middle, (low, _, high) in zip(
        forecast.factors, forecast.expected_errors, forecast.forecasts, strict=True
    ):
        place = x.clipped(float(factor * forecast.n))
        parts.append(line(place, place, y.clipped(low), y.clipped(high), class_="whisker best"))
        parts.append(dot(place, y.clipped(middle), radius=5, class_="mean hollow"))
        words = f"{factor:g}× data: {percent(middle)}"
        above = max(y.clipped(high) - 8, _TOP + 12)
        parts.append(text(words, place, above, anchor="end", dx=5, class_="point-name best"))
    return parts


def _say(forecast: LearningCurveForecast, name: str) -> str:
    words = {2.0: "twice the data", 10.0: "ten times"}
    later = ", ".join(
        f"{words.get(float(factor), f'{factor:g} times')}: {percent(middle)} "
        f"({points(low, sign=False)} to {points(high, sign=False)})"
        for factor, middle, (low, _, high) in zip(
            forecast.factors, forecast.expected_errors, forecast.forecasts, strict=True
        )
    )
    now = percent(forecast.now[1])
    return (
        f"By the curve, {short(name, 60)} errs {now} fitted to all {count(forecast.n)} cases; "
        f"{later}."
    )
