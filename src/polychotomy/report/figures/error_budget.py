"""What limits it? T96's error budget, and what bagging would gain."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from polychotomy.decomposition import BaggingAdvice, ErrorDecomposition
from polychotomy.report.figure import Figure, label
from polychotomy.report.figures.axes import bottom_axis
from polychotomy.report.figures.gauge import draw_gauge
from polychotomy.report.marks import box, element, line, number, plot
from polychotomy.report.scales import Scale
from polychotomy.report.words import percent, points, short

_ROW, _BAR = 58.0, 14.0


def draw_budget(budgets: Mapping[str, ErrorDecomposition], *, best: str) -> Figure:
    """Draw a bar a candidate: what averaging leaves, what it takes off, how much fits disagree.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import decompose_predictions
    >>> votes = np.eye(2)[[[0], [1], [1]]]
    >>> budget = decompose_predictions(votes, np.zeros((3, 1)), [1])
    >>> draw_budget({"votes": budget}, best="votes").message
    'votes: error 33.3 %, of which averaging takes off +33.3 points; variance 33.3 %.'
    """
    height = 20 + _ROW * len(budgets)
    top = max(
        max(b.error, b.aggregated_error, b.variance, float(b.highs[0, 0])) for b in budgets.values()
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
    drawing = element(
        "div", element("div", plot(*parts, height=height + 40), class_="field"), *labels,
        class_="rows plain",
    )  # fmt: skip
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
        f"{short(name, 60)}: error {percent(budget.error)}, of which averaging takes off "
        f"{points(budget.aggregation_effect)} points; variance {percent(budget.variance)}"
    )


def _bar(budget: ErrorDecomposition, x: Scale, top: float, chosen: bool) -> list[Markup]:
    state = "best" if chosen else "other"
    y = top + 14
    kept, error = max(budget.aggregated_error, 0.0), budget.error
    left, right = x(min(kept, error)), x(max(kept, error))
    kind = "gain" if error >= kept else "loss"
    low, high = x.clipped(float(budget.lows[0, 0])), x.clipped(float(budget.highs[0, 0]))
    parts = [
        box(x(0), y, width=left - x(0), height=_BAR, class_=f"bar {state}",
            title=f"left when bootstrap fits are averaged: {percent(kept)}"),
        box(left, y, width=right - left, height=_BAR, class_=f"bar {kind} {state}",
            title=f"taken off by averaging: {points(error - kept)} points"),
        line(low, high, y + _BAR / 2, y + _BAR / 2, class_="whisker ink"),
        line(x(error), x(error), y - 2, y + _BAR + 2, class_="whisker ink"),
        box(x(0), y + _BAR + 4, width=x(max(budget.variance, 0.0)) - x(0), height=5,
            class_="bar variance", title=f"variance: {percent(budget.variance)}"),
    ]  # fmt: skip
    if bound_holds(budget):
        place = x.clipped(budget.bayes_bound)
        parts.append(line(place, place, y - 4, y + _BAR + 11, class_="limit"))
    return parts


def _how_to_read(budgets: Mapping[str, ErrorDecomposition]) -> str:
    words = (
        "The whole bar is the error of fits to bootstrap samples, with its 95 % interval. Its "
        "pale end is what averaging many such fits would take off (T96's aggregation effect), "
        "the solid part what would be left. The thin bar below is the variance: how often a fit "
        "disagrees with that average. A bootstrap sample holds 63 % of the cases, so the errors "
        "are higher than those above."
    )
    if any(budget.aggregation_effect < 0 for budget in budgets.values()):
        words += " Orange is what averaging would add instead."
    if any(bound_holds(budget) for budget in budgets.values()):
        words += " The dotted line is Cover and Hart's limit, which holds for endless data only."
    if any(b.bayes_bound > b.aggregated_error for b in budgets.values()):
        words += (
            " Cover and Hart's limit is not drawn where it exceeds the error that averaging "
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
