"""What limits it? T96's error budget: one bar a candidate."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from polychotomy.decomposition import BaggingAdvice, ErrorDecomposition
from polychotomy.report.drawing import (
    Figure,
    Scale,
    bottom_axis,
    box,
    draw_gauge,
    element,
    label,
    line,
    number,
    plot,
)
from polychotomy.report.words import percent, points, short

_ROW, _BAR = 60.0, 14.0

_ERROR, _VARIANCE = 0, 3  # columns of a budget's intervals


def draw_budget(budgets: Mapping[str, ErrorDecomposition], *, best: str) -> Figure:
    """Draw a bar a candidate: what averaging leaves, what it takes off, how much fits disagree.

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
        bottom_axis(x, lambda v: f"{100 * v:g} %", name="error of fits to bootstrap samples",
                    top=16, bottom=height)
    ]  # fmt: skip
    labels = []
    for i, (name, budget) in enumerate(budgets.items()):
        parts += _bar(budget, x, 20 + _ROW * i, name == best)
        state = "row-label best" if name == best else "row-label"
        style = f"--top:{number(14 + _ROW * i)}px"
        labels.append(element("div", label(name), element("span", percent(budget.error),
                              class_="value"), class_=state, style=style))  # fmt: skip
    rows = element(
        "div", element("div", plot(*parts, height=height + 40), class_="field"), *labels,
        class_="rows plain",
    )  # fmt: skip
    drawing = element("div", rows, _key(budgets))
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
    return (
        f"{short(name, 60)}: error {percent(budget.error)}, of which averaging "
        f"{_effect(budget.aggregation_effect)}; variance {percent(budget.variance)}"
    )


def _effect(effect: float) -> str:
    """Say what averaging does to the error, without a double minus."""
    verb = "adds" if effect < 0 else "takes off"
    return f"{verb} {points(abs(effect), sign=False)} points"


def _bar(budget: ErrorDecomposition, x: Scale, top: float, chosen: bool) -> list[Markup]:
    """Return a bar as long as the error, split where averaging leaves off; the variance below."""
    state = "best" if chosen else "other"
    y = top + 14
    kept, error = max(budget.aggregated_error, 0.0), budget.error
    left, right = x(min(kept, error)), x(max(kept, error))
    kind = "gain" if error >= kept else "loss"
    done = "taken off" if error >= kept else "added"
    parts = [
        box(x(0), y, width=left - x(0), height=_BAR, class_=f"bar {state}",
            title=f"stays when bootstrap fits are averaged: {percent(min(kept, error))}"),
        box(left, y, width=right - left, height=_BAR, class_=f"bar {kind} {state}",
            title=f"{done} by averaging: {points(abs(error - kept), sign=False)} points"),
        _interval(budget, _ERROR, x, y + _BAR / 2),
        line(x(error), x(error), y - 2, y + _BAR + 2, class_="whisker ink"),
        box(x(0), y + _BAR + 4, width=x(max(budget.variance, 0.0)) - x(0), height=6,
            class_="bar variance", title=f"variance: {percent(budget.variance)}"),
        _interval(budget, _VARIANCE, x, y + _BAR + 7),
    ]  # fmt: skip
    if bound_holds(budget):
        place = x.clipped(budget.bayes_bound)
        parts.append(line(place, place, y - 4, y + _BAR + 12, class_="limit"))
    return parts


def _interval(budget: ErrorDecomposition, part: int, x: Scale, y: float) -> Markup:
    low, high = (x.clipped(float(end[0, part])) for end in (budget.lows, budget.highs))
    return line(low, high, y, y, class_="whisker ink")


def _key(budgets: Mapping[str, ErrorDecomposition]) -> Markup:
    """Say what each kind of mark is, of those that occur."""
    words = {"kept": "stays when many fits are averaged"}
    if any(b.aggregation_effect > 0 for b in budgets.values()):
        words["gain"] = "taken off by averaging"
    if any(b.aggregation_effect < 0 for b in budgets.values()):
        words["loss"] = "added by averaging"
    words["variance"] = "variance: how far fits stray from their average"
    words["whisker"] = "95 % interval"
    if any(map(bound_holds, budgets.values())):
        words["limit"] = "Cover and Hart’s limit"
    items = [
        element("span", element("span", class_=f"swatch {kind}"), f" {said}", class_="key-item")
        for kind, said in words.items()
    ]
    return element("div", *items, class_="key-line")


def _listed(ends: list[str]) -> str:
    if not ends:
        return ""
    return f", {', '.join(ends)} (the aggregation effect of Tibshirani 1996)"


def _how_to_read(budgets: Mapping[str, ErrorDecomposition]) -> str:
    effects = [budget.aggregation_effect for budget in budgets.values()]
    ends = ["its pale end what averaging many such fits would take off"] * (max(effects) > 0)
    ends += ["its red end what averaging many such fits would add"] * (min(effects) < 0)
    words = (
        f"The upright mark on a bar is the error of fits to bootstrap samples{_listed(ends)}. The "
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
