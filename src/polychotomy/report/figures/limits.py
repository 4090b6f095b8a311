"""What limits it? The error budget of [T96]_, bagging, and the error at several training sizes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from markupsafe import Markup

from polychotomy.core.arrays import Floats
from polychotomy.core.numbers import count, in_points, percent, short, signed
from polychotomy.decomposition import BaggingAdvice, ErrorDecomposition, LearningCurveForecast
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, TOP, Figure, Scale, write_percent, write_points

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
    top = max(
        max(b.error, b.aggregated_error, float(b.highs[0, [_ERROR, _VARIANCE]].max()))
        for b in budgets.values()
    )
    x = Scale(0, 1.08 * top or 0.01, first=0.5, last=99)
    found = [(name, budget, "best" if name == best else "") for name, budget in budgets.items()]
    bars = [_bar(budget, x, 20 + _ROW * i, state) for i, (_, budget, state) in enumerate(found)]
    rows = svg.labelled_rows(
        bars, [(name, percent(budget.error), state) for name, budget, state in found], row=_ROW,
        head=20, lift=6,
        axis=partial(svg.bottom_axis, x, write_percent, name="error of fits to bootstrap samples",
                     top=16),
    )  # fmt: skip
    drawing = svg.element("div", rows, _key(budgets))
    message = "; ".join(_sum_up(name, budget) for name, budget in budgets.items()) + "."
    numbers = [
        (name, b.error, float(b.lows[0, 0]), float(b.highs[0, 0]), b.aggregated_error,
         b.aggregation_effect, b.variance, b.bayes_bound, bound_holds(b))
        for name, b in budgets.items()
    ]  # fmt: skip
    return Figure("error-budget", drawing, message, _how_to_read(budgets), _HEADER, numbers)


_HEADER = ("candidate", "error", "low", "high", "aggregated_error", "aggregation_effect",
           "variance", "bayes_bound", "bayes_bound_holds")  # fmt: skip


def bound_holds(budget: ErrorDecomposition) -> bool:
    """Whether the Cover–Hart limit can be believed: there is one, and the bagged error is above."""
    return 0 < budget.bayes_bound <= budget.aggregated_error


def _sum_up(name: str, budget: ErrorDecomposition) -> str:
    effect = budget.aggregation_effect
    verb = "adds" if effect < 0 else "takes off"  # no double minus
    return (
        f"{short(name, 60)}: error {percent(budget.error)}, of which averaging {verb} "
        f"{in_points(abs(effect))} points; variance {percent(budget.variance)}"
    )


def _bar(budget: ErrorDecomposition, x: Scale, top: float, state: str) -> Markup:
    """Return a bar as long as the error, split where averaging leaves off; the variance below."""
    y, state = top + 14, state or "other"
    kept, error = max(budget.aggregated_error, 0.0), budget.error
    first, last = sorted((kept, error))
    kind, done = ("gain", "taken off") if error >= kept else ("loss", "added")
    stays = f"stays when bootstrap fits are averaged: {percent(first)}"
    changed = f"{done} by averaging: {in_points(last - first)} points"
    varies = f"variance: {percent(budget.variance)}"
    bars = [
        (0, first, y, _BAR, state, stays),
        (first, last, y, _BAR, f"{kind} {state}", changed),
        (0, max(budget.variance, 0.0), y + _BAR + 4, 6, "variance", varies),
    ]
    parts = [
        *(
            svg.bar(x, a, b, top, height=height, class_=f"bar {own}", title=told)
            for a, b, top, height, own, told in bars
        ),
        _interval(budget, _ERROR, x, y + _BAR / 2),
        svg.upright(x(error), y - 2, y + _BAR + 2, class_="whisker ink"),
        _interval(budget, _VARIANCE, x, y + _BAR + 7),
    ]
    if bound_holds(budget):
        place = x.clipped(budget.bayes_bound)
        parts.append(svg.upright(place, y - 4, y + _BAR + 12, class_="limit"))
    return Markup("").join(parts)


def _interval(budget: ErrorDecomposition, part: int, x: Scale, y: float) -> Markup:
    low, high = (x.clipped(float(end[0, part])) for end in (budget.lows, budget.highs))
    return svg.line(low, high, y, y, class_="whisker ink")


def _key(budgets: Mapping[str, ErrorDecomposition]) -> Markup:
    """Say what each kind of mark is, of those that occur."""
    effects = [budget.aggregation_effect for budget in budgets.values()]
    words = {
        "kept": "stays when many fits are averaged",
        "gain": "taken off by averaging" * any(effect > 0 for effect in effects),
        "loss": "added by averaging" * any(effect < 0 for effect in effects),
        "variance": "variance: how far fits are from their average",
        "whisker": "95 % interval",
        "limit": "Cover and Hart’s limit" * any(map(bound_holds, budgets.values())),
    }
    return svg.key_line(
        (svg.element("span", class_=f"swatch {kind}"), said) for kind, said in words.items() if said
    )


def _how_to_read(budgets: Mapping[str, ErrorDecomposition]) -> str:
    limit = ""
    if any(map(bound_holds, budgets.values())):
        limit = " Cover and Hart’s limit: no classifier errs less, but for endless data only."
    if any(b.bayes_bound > b.aggregated_error for b in budgets.values()):
        limit += " Where averaging reaches less than Cover and Hart’s limit, that is refuted."
    return (
        "The upright mark on a bar is the error of fits to bootstrap samples; its pale or red end "
        "is what averaging many such fits takes off or adds (the aggregation effect of Tibshirani "
        "1996). The thin bar is the variance: how much more probability a fit gives to its own "
        "choice than to that of the average. A bootstrap sample holds 63 % of the cases, so these "
        f"errors tend to be higher than the cross-validated ones.{limit}"
    )


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
    expected, low, high, estimate = (
        signed(in_points(one))
        for one in (-advice.expected, -advice.high, -advice.low, advice.estimate)
    )
    state = {"yes": "better", "no": "equivalent"}.get(advice.answer, "undecided")
    drawing = svg.draw_interval(
        advice.expected, advice.low, advice.high, help_from=advice.gain, state=state,
        name="points that bagging would take off the error", write=write_points,
    )  # fmt: skip
    message = f"Bagging would change the error by {expected} points ({low} to {high})."
    weighed = ""
    if advice.has_prior:
        weighed = f", weighing what was measured here ({estimate} points) with other data sets"
    reading = (
        f"The dot is the gain expected{weighed}. The line is its {advice.interval_level:.0f} % "
        f"interval; in the shaded zone bagging takes off more than {100 * advice.gain:g} points."
    )
    frame = advice.to_frame()
    return Figure("bagging", drawing, message, reading, tuple(frame.columns), frame.values.tolist())


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
    spread = 2 * forecast.standard_errors
    measured = np.stack([forecast.sizes, *(forecast.errors + x for x in (0, -spread, spread))], 1)
    x = Scale(float(sizes.min()), float(sizes.max()), first=14, last=97, logarithmic=True)
    top = 1.1 * float(max(measured[:, 3].max(), high[0]))
    y = Scale(0, min(top, 1.0) or 0.01, first=BOTTOM, last=TOP)
    below, line, above = (svg.places(x, y, sizes, values) for values in (low, middle, high))
    now = x(forecast.n)
    easy = [step * 10.0**power for power in range(8) for step in (1, 2, 5)]
    inside = [value for value in easy if x.low <= value <= x.high]
    thin = inside[:: max(1, round(len(inside) / 5))]
    drawing = svg.panel(
        svg.left_axis(y, write_percent, name="error"),
        svg.bottom_axis(x, count, name="training cases", top=BOTTOM, bottom=BOTTOM, values=thin),
        svg.stretched(svg.area(below, above), svg.curve(line, class_="best"), height=BOTTOM),
        svg.upright(now, TOP, BOTTOM, class_="now"),
        svg.text("today", now, TOP - 6, class_="small key"),
        *_points(measured, x, y),
        *_forecasts(forecast, x, y),
        height=BOTTOM + 40,
    )
    header = ("training_cases", "error", "low", "high", "kind")
    frame = forecast.to_frame()[["n", "error", "low", "high"]].to_numpy(dtype=float)
    rows = [(*row, "measured") for row in measured.tolist()]
    rows += [(*row, "forecast") for row in frame.tolist()]
    reading = (
        "A dot is the error measured at one training size, with two standard errors; the line is "
        f"the curve that fits them, its band where {100 * (2 * forecast.confidence - 1):.0f} % of "
        "the curves run that fit as well. Right of “today” it is a forecast."
    )
    return Figure("learning-curve", drawing, _say(forecast, name), reading, header, rows)


def _points(measured: Floats, x: Scale, y: Scale) -> list[Markup]:
    parts = []
    for size, error, *ends in measured.tolist():
        places = map(y.clipped, (error, *ends))
        told = f"{count(size)} cases: {percent(error)}"
        parts.append(svg.pin(x.clipped(size), *places, radius=4.5, states="other", title=told))
    return parts


def _forecasts(forecast: LearningCurveForecast, x: Scale, y: Scale) -> list[Markup]:
    """Rings with their intervals, each named above its own, to the left: there is room."""
    parts = []
    for factor, middle, (low, _, high) in zip(
        forecast.factors, forecast.expected_errors, forecast.forecasts, strict=True
    ):
        place = x.clipped(float(factor * forecast.n))
        error, first, last = (y.clipped(float(one)) for one in (middle, low, high))
        parts.append(svg.pin(place, error, first, last, radius=5, states="best hollow"))
        words = f"{factor:g}× data: {percent(middle)}"
        parts.append(svg.text(words, place, max(last - 8, TOP + 12), anchor="end", dx=5,
                              class_="point-name best"))  # fmt: skip
    return parts


def _say(forecast: LearningCurveForecast, name: str) -> str:
    words = {2.0: "twice the data", 10.0: "ten times"}
    ends = zip(forecast.factors, forecast.expected_errors, forecast.forecasts, strict=True)
    later = ", ".join(
        f"{words.get(float(factor), f'{factor:g} times')}: {percent(middle)} "
        f"({in_points(low)} to {in_points(high)})"
        for factor, middle, (low, _, high) in ends
    )
    now = f"{percent(forecast.now[1])} fitted to all {count(forecast.n)} cases"
    return f"By the curve, {short(name, 60)} errs {now}; {later}."
