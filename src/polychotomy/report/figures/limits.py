"""What limits it? The error budget of [T96]_, bagging, and the error at several training sizes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from markupsafe import Markup

from polychotomy.core.numbers import count, in_points, percent, short, signed
from polychotomy.decomposition import BaggingAdvice, ErrorDecomposition, LearningCurveForecast
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, TOP, Figure, Scale

_ROW, _BAR = 60.0, 14.0

_ERROR, _VARIANCE = 0, 3  # columns of a budget's intervals


def draw_budget(budgets: Mapping[str, ErrorDecomposition], *, best: str) -> Figure:
    """Draw a bar for each candidate: what averaging leaves and takes off, how much fits disagree.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import decompose_predictions
    >>> votes = np.eye(2)[[[0], [1], [1]]]
    >>> budget = decompose_predictions(votes, np.zeros((3, 1)), [1])
    >>> draw_budget({"votes": budget}, best="votes").message
    'votes: error 33.3 %, of which averaging takes off 33.3 points; variance 33.3 %.'
    """
    height = 20 + _ROW * len(budgets)
    top = max(
        max(b.error, b.aggregated_error, float(b.highs[0, [_ERROR, _VARIANCE]].max()))
        for b in budgets.values()
    )
    x = Scale(0, 1.08 * top or 0.01, first=0.5, last=99)
    parts = [
        svg.bottom_axis(x, lambda v: f"{100 * v:g} %", name="error of fits to bootstrap samples",
                    top=16, bottom=height)
    ]  # fmt: skip
    labels = []
    for i, (name, budget) in enumerate(budgets.items()):
        parts += _bar(budget, x, 20 + _ROW * i, name == best)
        state = "best" if name == best else ""
        labels.append(svg.row_label(name, percent(budget.error), top=14 + _ROW * i, state=state))
    rows = svg.labelled_rows(parts, labels, height=height + 40)
    drawing = svg.element("div", rows, _key(budgets))
    message = "; ".join(_sum_up(name, budget) for name, budget in budgets.items()) + "."
    return Figure("error-budget", drawing, message, _how_to_read(budgets), _HEADER, _table(budgets))


_HEADER = ("candidate", "error", "low", "high", "aggregated_error", "aggregation_effect",
           "variance", "bayes_bound", "bayes_bound_holds")  # fmt: skip


def bound_holds(budget: ErrorDecomposition) -> bool:
    """Whether the Cover–Hart limit can be believed: there is one, and the bagged error is above."""
    return 0 < budget.bayes_bound <= budget.aggregated_error


def _table(budgets: Mapping[str, ErrorDecomposition]) -> list[tuple[object, ...]]:
    return [
        (name, b.error, float(b.lows[0, 0]), float(b.highs[0, 0]), b.aggregated_error,
         b.aggregation_effect, b.variance, b.bayes_bound, bound_holds(b))
        for name, b in budgets.items()
    ]  # fmt: skip


def _sum_up(name: str, budget: ErrorDecomposition) -> str:
    effect = budget.aggregation_effect
    verb = "adds" if effect < 0 else "takes off"  # no double minus
    return (
        f"{short(name, 60)}: error {percent(budget.error)}, of which averaging {verb} "
        f"{in_points(abs(effect))} points; variance {percent(budget.variance)}"
    )


def _bar(budget: ErrorDecomposition, x: Scale, top: float, chosen: bool) -> list[Markup]:
    """Return a bar as long as the error, split where averaging leaves off; the variance below."""
    state = "best" if chosen else "other"
    y = top + 14
    kept, error = max(budget.aggregated_error, 0.0), budget.error
    left, right = x(min(kept, error)), x(max(kept, error))
    kind = "gain" if error >= kept else "loss"
    done = "taken off" if error >= kept else "added"
    parts = [
        svg.box(x(0), y, width=left - x(0), height=_BAR, class_=f"bar {state}",
            title=f"stays when bootstrap fits are averaged: {percent(min(kept, error))}"),
        svg.box(left, y, width=right - left, height=_BAR, class_=f"bar {kind} {state}",
            title=f"{done} by averaging: {in_points(abs(error - kept))} points"),
        _interval(budget, _ERROR, x, y + _BAR / 2),
        svg.line(x(error), x(error), y - 2, y + _BAR + 2, class_="whisker ink"),
        svg.box(x(0), y + _BAR + 4, width=x(max(budget.variance, 0.0)) - x(0), height=6,
            class_="bar variance", title=f"variance: {percent(budget.variance)}"),
        _interval(budget, _VARIANCE, x, y + _BAR + 7),
    ]  # fmt: skip
    if bound_holds(budget):
        place = x.clipped(budget.bayes_bound)
        parts.append(svg.line(place, place, y - 4, y + _BAR + 12, class_="limit"))
    return parts


def _interval(budget: ErrorDecomposition, part: int, x: Scale, y: float) -> Markup:
    low, high = (x.clipped(float(end[0, part])) for end in (budget.lows, budget.highs))
    return svg.line(low, high, y, y, class_="whisker ink")


def _key(budgets: Mapping[str, ErrorDecomposition]) -> Markup:
    """Say what each kind of mark is, of those that occur."""
    words = {"kept": "stays when many fits are averaged"}
    if any(b.aggregation_effect > 0 for b in budgets.values()):
        words["gain"] = "taken off by averaging"
    if any(b.aggregation_effect < 0 for b in budgets.values()):
        words["loss"] = "added by averaging"
    words["variance"] = "variance: how far fits are from their average"
    words["whisker"] = "95 % interval"
    if any(map(bound_holds, budgets.values())):
        words["limit"] = "Cover and Hart’s limit"
    swatches = (svg.element("span", class_=f"swatch {kind}") for kind in words)
    return svg.key_line(zip(swatches, words.values(), strict=True))


def _how_to_read(budgets: Mapping[str, ErrorDecomposition]) -> str:
    effects = [budget.aggregation_effect for budget in budgets.values()]
    ends = ["its pale end what averaging many such fits would take off"] * (max(effects) > 0)
    ends += ["its red end what averaging many such fits would add"] * (min(effects) < 0)
    listed = f", {', '.join(ends)} (the aggregation effect of Tibshirani 1996)" * bool(ends)
    words = (
        f"The upright mark on a bar is the error of fits to bootstrap samples{listed}. The "
        "thin bar is the variance: how much more probability a fit gives to its own choice than to "
        "that of the average. A bootstrap sample holds 63 % of the cases, so these errors tend to "
        "be higher than the cross-validated ones."
    )
    if any(map(bound_holds, budgets.values())):
        words += (
            " Cover and Hart’s limit says that no classifier errs less, but for endless data only."
        )
    if any(b.bayes_bound > b.aggregated_error for b in budgets.values()):
        words += (
            " Cover and Hart’s limit is not drawn where it exceeds the error that averaging "
            "reaches: there it is refuted."
        )
    return words


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
    drawing = svg.draw_interval(
        advice.expected, advice.low, advice.high, help_from=advice.gain, state=state,
        name="points that bagging would take off the error", write=_tick,
    )  # fmt: skip
    message = (
        f"Bagging would change the error by {signed(in_points(-advice.expected))} points "
        f"({signed(in_points(-advice.high))} to {signed(in_points(-advice.low))})."
    )
    weighed = "The dot is the gain expected"
    if advice.has_prior:
        weighed += (
            f": what was measured here ({signed(in_points(advice.estimate))} points) weighed with "
            "what bagging did on other data sets"
        )
    reading = (
        f"{weighed}. The line holds the truth with {100 * (2 * advice.confidence - 1):.0f} % "
        f"confidence; in the shaded zone bagging takes off more than {100 * advice.gain:g} points."
    )
    frame = advice.to_frame()
    return Figure("bagging", drawing, message, reading, tuple(frame.columns), frame.values.tolist())


def _tick(value: float) -> str:
    return f"{100 * value:g}".replace("-", "−")


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
    y = Scale(0, min(top, 1.0) or 0.01, first=BOTTOM, last=TOP)
    places = [
        [(x(a), y.clipped(b)) for a, b in zip(sizes.tolist(), values.tolist(), strict=True)]
        for values in (low, middle, high)
    ]
    now, band = x(forecast.n), svg.area(places[0], places[2], class_="band")
    parts = [
        svg.left_axis(y, lambda v: f"{100 * v:g} %", left=0),
        _size_axis(x),
        svg.text("error", 0, 11, anchor="start", class_="axis-name"),
        svg.stretched(band, svg.curve(places[1], class_="best"), height=BOTTOM),
        svg.line(now, now, TOP, BOTTOM, class_="now"),
        svg.text("today", now, TOP - 6, class_="small key"),
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
    drawing = svg.panel(*parts, height=BOTTOM + 40)
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
    parts = [svg.line(0, 100, BOTTOM, BOTTOM, class_="axis")]
    values = [step * 10**power for power in range(8) for step in _EASY_COUNTS]
    inside = [value for value in values if x.low <= value <= x.high]
    thin = inside[:: max(1, round(len(inside) / 5))]
    parts += [svg.text(count(value), x(value), BOTTOM + 16) for value in thin]
    parts.append(svg.text("training cases", 50, BOTTOM + 34, class_="axis-name"))
    return Markup("").join(parts)


def _points(forecast: LearningCurveForecast, x: Scale, y: Scale) -> list[Markup]:
    parts = []
    measured = zip(forecast.sizes, forecast.errors, forecast.standard_errors, strict=True)
    for size, error, spread in measured:
        place = x.clipped(float(size))
        ends = y.clipped(error - 2 * spread), y.clipped(error + 2 * spread)
        told = f"{count(size)} cases: {percent(error)}"
        parts.append(svg.line(place, place, *ends, class_="whisker other"))
        parts.append(svg.dot(place, y.clipped(error), radius=4.5, class_="mean other", title=told))
    return parts


def _forecasts(forecast: LearningCurveForecast, x: Scale, y: Scale) -> list[Markup]:
    """Rings with their intervals, each named above its own, to the left: there is room."""
    parts = []
    for factor, middle, (low, _, high) in zip(
        forecast.factors, forecast.expected_errors, forecast.forecasts, strict=True
    ):
        place = x.clipped(float(factor * forecast.n))
        parts.append(svg.line(place, place, y.clipped(low), y.clipped(high), class_="whisker best"))
        parts.append(svg.dot(place, y.clipped(middle), radius=5, class_="mean hollow"))
        words = f"{factor:g}× data: {percent(middle)}"
        above = max(y.clipped(high) - 8, TOP + 12)
        parts.append(svg.text(words, place, above, anchor="end", dx=5, class_="point-name best"))
    return parts


def _say(forecast: LearningCurveForecast, name: str) -> str:
    words = {2.0: "twice the data", 10.0: "ten times"}
    later = ", ".join(
        f"{words.get(float(factor), f'{factor:g} times')}: {percent(middle)} "
        f"({in_points(low)} to {in_points(high)})"
        for factor, middle, (low, _, high) in zip(
            forecast.factors, forecast.expected_errors, forecast.forecasts, strict=True
        )
    )
    now = f"{percent(forecast.now[1])} fitted to all {count(forecast.n)} cases"
    return f"By the curve, {short(name, 60)} errs {now}; {later}."
