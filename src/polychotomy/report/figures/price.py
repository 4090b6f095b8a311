"""At what price? Error against time, with the efficient edge: nothing is both faster and better."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from polychotomy.comparison import Criterion
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.numbers import amount, join, seconds, short, tick
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, TOP, Figure, Scale
from polychotomy.verdict import Price

_GUESSED_WIDTH = 330.0  # pixels, for keeping names apart

_LETTER, _BOLD_LETTER = 6.3, 7.1


Box = tuple[float, float, float, float]


def draw_price(price: Price, *, best: str, criterion: Criterion) -> Figure:
    """Draw the loss against the time to fit and to predict.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.verdict import Price
    >>> price = Price(names=("a", "b"), loss=np.array([0.2, 0.1]), words="error",
    ...     fit_seconds=np.array([0.01, 1.0]), predict_seconds=np.array([0.01, 0.1]))
    >>> draw_price(price, best="b", criterion=Criterion(name="error")).message
    'b costs 1.0 s to fit and 100 ms to predict one case. Nothing is both faster to fit and better \
than a and b.'
    """
    panels = [
        _panel("to fit once", price, price.fit_seconds, price.efficient_fit, best, criterion),
        _panel("to predict one case", price, price.predict_seconds, price.efficient_predict, best,
               criterion),
    ]  # fmt: skip
    at, edge = list(price.names).index(best), np.flatnonzero(price.efficient_fit)
    message = (
        f"{short(best, 60)} costs {seconds(float(price.fit_seconds[at]))} to fit and "
        f"{seconds(float(price.predict_seconds[at]))} to predict one case. Nothing is both faster "
        f"to fit and better than {join([short(price.names[i], 60) for i in edge])}."
    )
    reading = (
        "Lower is better, further left is cheaper; each step of the time axis is tenfold. Whoever "
        "stands above the line is beaten in both by one on it. Names that would cover others are "
        "left to the table below."
    )
    clocks = ("fit_seconds", "predict_seconds", "efficient_fit", "efficient_predict")
    header = ["candidate", criterion.words, *clocks, *["model_bytes"] * has_sizes(price)]
    columns = [price.loss, *(getattr(price, one) for one in header[2:])]
    rows = list(zip(price.names, *(column.tolist() for column in columns), strict=True))
    drawing = svg.element("div", *panels, class_="pair")
    return Figure("price", drawing, message, reading, header, rows)


def has_sizes(price: Price) -> bool:
    """Whether the size of any fitted candidate is known."""
    return price.model_bytes is not None and bool(np.isfinite(price.model_bytes).any())


def _panel(
    title: str, price: Price, times: Floats, efficient: Bools, best: str, criterion: Criterion
) -> Markup:
    x, y = _time_scale(times), _loss_scale(price.loss)
    points = []
    for name, loss, time, on in zip(
        price.names, price.loss.tolist(), times.tolist(), efficient.tolist(), strict=True
    ):
        state, lost = "efficient" if on else "other", amount(loss, criterion)
        shown = f"{short(name, 16)} ↑ {lost}" if loss > y.high else short(name, 22)
        told = f"{short(name, 80)}: {lost}, {seconds(time)}"
        place = x(max(time, x.low)), y.clipped(loss)
        points.append(_Point(*place, "best" if name == best else state, shown, told))
    edge = sorted((point.x, point.y) for point, on in zip(points, efficient, strict=True) if on)
    stairs = svg.stairs(edge)
    taken = [(_px(one.x) - 7, one.y - 7, _px(one.x) + 7, one.y + 7) for one in points]
    taken += [  # a name on the edge would be struck through
        (_px(x1) - 1, y1 - 2, _px(x2) + 1, y2 + 2) for (x1, y1), (x2, y2) in pairwise(stairs)
    ]
    ranks = ("best", "efficient", "other")
    better = f"{criterion.words}, {criterion.best_word.removesuffix('est')}er is better"
    return svg.panel(
        svg.left_axis(y, partial(tick, criterion=criterion), name=better),
        svg.bottom_axis(x, seconds, name=f"time {title}", top=TOP, bottom=BOTTOM),
        svg.stretched(svg.curve(stairs, class_="edge"), height=BOTTOM) if edge[1:] else "",
        # Of two dots close together the upper one chooses first, and has the upper name.
        *(_mark(one, taken) for one in sorted(points, key=lambda p: (ranks.index(p.state), p.y))),
        height=BOTTOM + 40,
    )


class _Point(NamedTuple):
    """A candidate's place, and what is said of it."""

    x: float
    y: float
    state: str
    name: str
    told: str


def _time_scale(times: Floats) -> Scale:
    low, high = max(float(times.min()), 1e-8), max(float(times.max()), 2e-8)
    if high / low < 10:  # always at least one whole decade, or the axis has no number
        low, high = low / 3, high * 3.5
    room = 1.3 * (high / low) ** 0.45  # for names right of the slowest
    return Scale(low / 1.3, high * room, first=7, last=99, logarithmic=True)


def _loss_scale(loss: Floats) -> Scale:
    lowest, highest = float(loss.min()), float(loss.max())
    middle = float(np.median(loss))
    # Costs may be gains, of which twice the lowest says nothing.
    far = 2 * lowest if lowest > 0 else lowest + 4 * (middle - lowest)
    near = loss[loss <= max(far, lowest + 0.05, middle)]
    high = _without_an_outlier(near)
    # One far above the others, as guessing is, would press them all into one corner.
    high = highest if highest - lowest <= 1.6 * (high - lowest) else high
    low = 0.0 if 0 <= lowest < 0.5 * high else lowest
    reach = (high - low) or max(abs(high), 0.01)
    low = 0.0 if low == 0 else low - 0.1 * reach
    return Scale(low, high + 0.12 * reach, first=BOTTOM, last=TOP)


def _without_an_outlier(loss: Floats) -> float:
    """Return the highest loss, or the second one where the first is farther off than all others."""
    ordered = [float(one) for one in np.sort(loss)]
    if len(ordered) < 3:
        return ordered[-1]
    lowest, second, high = ordered[0], ordered[-2], ordered[-1]
    alone = high > 1.3 * second > 0 and high - second > second - lowest
    return second if alone else high


def _px(x: float) -> float:
    return x * _GUESSED_WIDTH / 100


def _mark(point: _Point, taken: list[Box]) -> Markup:
    """Return a dot, and its name where there is room; else only a pointer on it is told."""
    is_best = point.state == "best"
    radius, letter = (6.0, _BOLD_LETTER) if is_best else (4.5, _LETTER)
    mark = svg.dot(point.x, point.y, radius=radius, class_=f"mean {point.state}", title=point.told)
    side = _beside(_px(point.x), point.y, len(point.name) * letter, taken)
    if side is None and not is_best:
        return mark
    anchor, dx, dy = side or _SIDES[2]
    return mark + svg.text(
        point.name, point.x, point.y + dy, anchor=anchor, dx=dx, class_=f"point-name {point.state}"
    )


_SIDES = [("start", 9.0, -7.0), ("start", 10.0, 4.0), ("end", -10.0, 4.0), ("middle", 0.0, -11.0),
          ("middle", 0.0, 20.0), ("start", 8.0, 17.0), ("end", -8.0, -9.0), ("end", -8.0, 17.0),
          ("start", 9.0, -20.0), ("end", -9.0, -20.0)]  # fmt: skip


def _beside(x: float, y: float, width: float, taken: list[Box]) -> tuple[str, float, float] | None:
    """Choose a side of a dot for its name, the first that is free; None if there is none."""
    for anchor, dx, dy in _SIDES:
        left = x + dx - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        own = (left, y + dy - 11, left + width, y + dy + 3)
        inside = own[0] >= -8 and own[2] <= _GUESSED_WIDTH - 3 and own[1] > TOP - 20
        if inside and own[3] < BOTTOM and not any(_overlap(own, other) for other in taken):
            taken.append(own)
            return anchor, dx, dy
    return None


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
