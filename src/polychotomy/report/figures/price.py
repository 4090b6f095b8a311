"""At what price? Error against time, with the efficient edge: nothing is both faster and better."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from polychotomy.comparison import Criterion
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.numbers import amount, join, seconds, short, tick
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, TOP, Figure, Scale, number
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
    reading = (
        "Lower is better, further left is cheaper; each step of the time axis is tenfold. The line "
        "joins the efficient candidates: whoever stands above it is beaten in both by one on it. "
        "Where names would cover each other, some are left to the table below."
    )
    columns = {
        "candidate": list(price.names),
        criterion.words: price.loss.tolist(),
        "fit_seconds": price.fit_seconds.tolist(),
        "predict_seconds": price.predict_seconds.tolist(),
        "efficient_fit": price.efficient_fit.tolist(),
        "efficient_predict": price.efficient_predict.tolist(),
    }
    if price.model_bytes is not None and has_sizes(price):
        columns["model_bytes"] = price.model_bytes.tolist()
    header, rows = tuple(columns), list(zip(*columns.values(), strict=True))
    drawing = svg.element("div", *panels, class_="pair")
    return Figure("price", drawing, _message(price, best), reading, header, rows)


def has_sizes(price: Price) -> bool:
    """Whether the size of any fitted candidate is known."""
    return price.model_bytes is not None and bool(np.isfinite(price.model_bytes).any())


def _message(price: Price, best: str) -> str:
    at = list(price.names).index(best)
    on_edge = zip(price.names, price.efficient_fit, strict=True)
    edge = join([short(name, 60) for name, on in on_edge if on])
    return (
        f"{short(best, 60)} costs {seconds(float(price.fit_seconds[at]))} to fit and "
        f"{seconds(float(price.predict_seconds[at]))} to predict one case. Nothing is both faster "
        f"to fit and better than {edge}."
    )


def _panel(
    title: str, price: Price, times: Floats, efficient: Bools, best: str, criterion: Criterion
) -> Markup:
    x, y = _time_scale(times), _loss_scale(price.loss)
    points = [
        _Point(name, x(max(time, x.low)), y.clipped(loss),
               "best" if name == best else "efficient" if on else "other",
               loss > y.high, amount(loss, criterion), seconds(time))
        for name, loss, time, on in zip(
            price.names, price.loss.tolist(), times.tolist(), efficient.tolist(), strict=True
        )
    ]  # fmt: skip
    edge = sorted((point.x, point.y) for point, on in zip(points, efficient, strict=True) if on)
    parts = [
        svg.left_axis(y, partial(tick, criterion=criterion), left=0),
        svg.bottom_axis(x, seconds, name=f"time {title}", top=TOP, bottom=BOTTOM),
        svg.text(
            f"{criterion.words}, {criterion.best_word.removesuffix('est')}er is better",
            0, 11, anchor="start", class_="axis-name",
        ),
        svg.stretched(svg.curve(svg.stairs(edge), class_="edge"), height=BOTTOM)
        if len(edge) > 1
        else "",
    ]  # fmt: skip
    taken: list[Box] = [(_px(one.x) - 7, one.y - 7, _px(one.x) + 7, one.y + 7) for one in points]
    steps: list[Box] = [
        (_px(x1) - 1, y1 - 2, _px(x2) + 1, y2 + 2)  # a name on it would be struck through
        for (x1, y1), (x2, y2) in pairwise(svg.stairs(edge))
    ]
    ranks = ("best", "efficient", "other")
    leaders: list[Box] = []
    by_rank = sorted(points, key=lambda p: ranks.index(p.state))
    marks = {  # of two dots close together the upper one chooses first, and has the upper name
        one.name: _mark(one, taken, leaders, steps)
        for one in sorted(by_rank, key=lambda p: (ranks.index(p.state), p.y))
    }
    parts += [marks[one.name] for one in by_rank]
    return svg.panel(*parts, height=BOTTOM + 40)


class _Point(NamedTuple):
    """A candidate's place, and what is said of it."""

    name: str
    x: float
    y: float
    state: str
    beyond: bool
    loss: str
    time: str


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


def _mark(point: _Point, taken: list[Box], leaders: list[Box], steps: list[Box]) -> Markup:
    words = f"{short(point.name, 16)} ↑ {point.loss}" if point.beyond else short(point.name, 22)
    told = f"{short(point.name, 80)}: {point.loss}, {point.time}"
    radius = 6.0 if point.state == "best" else 4.5
    mark = svg.dot(point.x, point.y, radius=radius, class_=f"mean {point.state}", title=told)
    letter = _BOLD_LETTER if point.state == "best" else _LETTER
    beside = _beside(
        _px(point.x), point.y, len(words) * letter, taken, leaders, steps,
        on_edge=point.state != "other",
    )  # fmt: skip
    if beside is None and point.state != "best":
        return mark  # no room for the name: a pointer on the dot is told, and the table has it
    anchor, dx, dy = beside or ("end", -10.0, 4.0)
    name = svg.text(
        words, point.x, point.y + dy, anchor=anchor, dx=dx, class_=f"point-name {point.state}"
    )
    return mark + name if abs(dy) < _FAR else _leader(point, dx, dy) + mark + name


def _leader(point: _Point, dx: float, dy: float) -> Markup:
    """Return a thin line from a dot to a name that stands apart from it."""
    end = dy - 4 + (9 if dy < 0 else -9)
    path = f"M0 0L{number(dx)} {number(end)}"
    return svg.element(
        "svg", svg.element("path", class_="leader", d=path), x=f"{number(point.x)}%",
        y=number(point.y), overflow="visible",
    )  # fmt: skip


_NEAR_SIDES = [("start", 9.0, -7.0), ("start", 10.0, 4.0), ("end", -10.0, 4.0),
               ("middle", 0.0, -11.0), ("middle", 0.0, 20.0), ("start", 8.0, 17.0),
               ("end", -8.0, -9.0), ("end", -8.0, 17.0)]  # fmt: skip

_FAR = 24.0  # pixels above or below: from here on a line leads to the name

_FAR_SHIFTS = [("end", -6.0), ("start", 6.0), ("middle", 0.0), ("end", -24.0), ("start", 24.0)]

_FAR_SIDES = [
    (anchor, dx, dy) for dy in (-30.0, 36.0, -48.0, 54.0, -66.0, 72.0) for anchor, dx in _FAR_SHIFTS
]


def _beside(
    x: float, y: float, width: float, taken: list[Box], leaders: list[Box],
    steps: Sequence[Box] = (), *, on_edge: bool = True,
) -> tuple[str, float, float] | None:  # fmt: skip
    """Choose a side of a dot for its name, the first that is free; None if there is none.

    No line to a name crosses a dot or a name; the efficient edge, ``steps``, only that of a dot on
    it.
    """
    free = [
        (side, own, leader)
        for side in _NEAR_SIDES + _FAR_SIDES
        for own, leader in [_boxes(x, y, width, side)]
        if _inside(own)
        and not any(_overlap(own, other) for other in (*taken, *leaders, *steps))
        and not any(_overlap(leader, other) for other in taken)
    ]
    clear = [one for one in free if not any(_overlap(one[2], other) for other in steps)]
    found = clear or free * on_edge
    if not found:
        return None
    side, own, leader = found[0]
    taken.append(own)
    leaders.append(leader)
    return side


_NO_LINE = (np.inf, np.inf, -np.inf, -np.inf)  # overlaps nothing


def _boxes(x: float, y: float, width: float, side: tuple[str, float, float]) -> tuple[Box, Box]:
    """Return what a name at this side of a dot covers, and what the line to it does."""
    anchor, dx, dy = side
    left = x + dx - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    own = (left, y + dy - 11, left + width, y + dy + 3)
    if abs(dy) < _FAR:
        return own, _NO_LINE
    ends = (y - 8, own[3] + 1) if dy < 0 else (y + 8, own[1] - 1)
    return own, (min(x, x + dx) - 1, min(ends), max(x, x + dx) + 1, max(ends))


def _inside(own: Box) -> bool:
    return own[0] >= -8 and own[2] <= _GUESSED_WIDTH - 3 and own[1] > TOP - 20 and own[3] < BOTTOM


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
