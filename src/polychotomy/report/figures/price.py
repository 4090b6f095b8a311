"""At what price? Error against time, with the efficient edge: nothing is both faster and better."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from polychotomy.arrays import Bools, Floats
from polychotomy.report.figure import Figure
from polychotomy.report.figures.axes import bottom_axis, left_axis
from polychotomy.report.marks import curve, dot, element, plot, stairs, stretched, text
from polychotomy.report.scales import Scale
from polychotomy.report.words import Unit, join, seconds, short

_TOP, _BOTTOM = 38.0, 240.0
_GUESSED_WIDTH = 330.0  # pixels, for keeping names apart
_LETTER = 6.3


def draw_price(
    names: Sequence[str],
    loss: Floats,
    fit_seconds: Floats,
    predict_seconds: Floats,
    efficient_fit: Bools,
    efficient_predict: Bools,
    *,
    best: str,
    unit: Unit,
) -> Figure:
    """Draw the loss against the time to fit and to predict.

    Examples
    --------
    >>> import numpy as np
    >>> yes = np.array([True, True])
    >>> draw_price(["a", "b"], np.array([0.2, 0.1]), np.array([0.01, 1.0]), np.array([0.01, 0.1]),
    ...            yes, yes, best="b", unit=Unit("error", True)).message
    'b costs 1.0 s to fit and 100 ms a case to predict. Nothing is both faster to fit and better \
than a and b.'
    """
    panels = [
        _panel("to fit once", names, loss, fit_seconds, efficient_fit, best, unit),
        _panel("to predict one case", names, loss, predict_seconds, efficient_predict, best, unit),
    ]
    at = list(names).index(best)
    edge = join([short(name, 60) for name, on in zip(names, efficient_fit, strict=True) if on])
    message = (
        f"{short(best, 60)} costs {seconds(float(fit_seconds[at]))} to fit and "
        f"{seconds(float(predict_seconds[at]))} a case to predict. Nothing is both faster to "
        f"fit and better than {edge}."
    )
    reading = (
        "Lower is better, further left is cheaper; each step of the time axis is tenfold. The line "
        "joins the efficient candidates: whoever stands above it is beaten in both by one on it. "
        "Where names would cover each other, some are left to the table below."
    )
    rows = list(
        zip(names, loss.tolist(), fit_seconds.tolist(), predict_seconds.tolist(),
            efficient_fit.tolist(), efficient_predict.tolist(), strict=True)
    )  # fmt: skip
    header = ("candidate", unit.words, "fit_seconds", "predict_seconds", "efficient_fit",
              "efficient_predict")  # fmt: skip
    return Figure("price", element("div", *panels, class_="pair"), message, reading, header, rows)


def _panel(
    title: str,
    names: Sequence[str],
    loss: Floats,
    times: Floats,
    efficient: Bools,
    best: str,
    unit: Unit,
) -> Markup:
    x, y = _time_scale(times), _loss_scale(loss)
    places = [(x(max(t, x.low)), y.clipped(v)) for t, v in zip(times, loss, strict=True)]
    edge = sorted((places[i] for i in range(len(names)) if efficient[i]), key=lambda p: p[0])
    parts = [
        left_axis(y, unit.tick, left=0),
        bottom_axis(x, seconds, name=f"time {title}", top=_TOP, bottom=_BOTTOM),
        text(f"{unit.axis}, lower is better", 0, 11, anchor="start", class_="axis-name"),
    ]
    if len(edge) > 1:
        parts.append(stretched(curve(stairs(edge), class_="edge"), height=_BOTTOM))
    taken: list[tuple[float, float, float, float]] = [
        (_px(px) - 7, py - 7, _px(px) + 7, py + 7) for px, py in places
    ]
    order = sorted(range(len(names)), key=lambda i: (names[i] != best, not efficient[i]))
    for i in order:
        parts.append(_mark(names[i], places[i], loss[i], times[i], y, efficient[i],
                           names[i] == best, unit, taken))  # fmt: skip
    return element("div", plot(*parts, height=_BOTTOM + 40), class_="panel")


def _time_scale(times: Floats) -> Scale:
    low, high = max(float(times.min()), 1e-8), max(float(times.max()), 2e-8)
    if high / low < 10:  # always at least one whole decade, or the axis has no number
        low, high = low / 3, high * 3.5
    return Scale(low / 1.3, high * 1.3, first=7, last=99, logarithmic=True)


def _loss_scale(loss: Floats) -> Scale:
    lowest = float(loss.min())
    near = loss[loss <= max(3 * lowest, lowest + 0.05)]
    high = float(loss.max()) if loss.max() <= 1.6 * near.max() else float(near.max())
    low = 0.0 if 0 <= lowest < 0.5 * high else lowest
    reach = (high - low) or max(abs(high), 0.01)
    return Scale(
        0.0 if low == 0 else low - 0.1 * reach, high + 0.12 * reach, first=_BOTTOM, last=_TOP
    )


def _px(x: float) -> float:
    return x * _GUESSED_WIDTH / 100


def _mark(
    name: str,
    place: tuple[float, float],
    value: float,
    time: float,
    scale: Scale,
    efficient: bool,
    chosen: bool,
    unit: Unit,
    taken: list[tuple[float, float, float, float]],
) -> Markup:
    state = "best" if chosen else "efficient" if efficient else "other"
    words = short(name, 22)
    if value > scale.high:
        words = f"{short(name, 16)} ↑ {unit.value(value)}"
    x, y = place
    told = f"{name[:80]}: {unit.value(value)}, {seconds(time)}"
    mark = dot(x, y, radius=6 if chosen else 4.5, class_=f"mean {state}", title=told)
    beside = _beside(_px(x), y, len(words) * _LETTER, taken)
    if beside is None and not chosen:
        return mark  # no room for the name: a pointer on the dot is told, and the table has it
    anchor, dx, dy = beside or ("end", -10.0, 4.0)
    return mark + text(words, x, y + dy, anchor=anchor, dx=dx, class_=f"point-name {state}")


def _beside(
    x: float, y: float, width: float, taken: list[tuple[float, float, float, float]]
) -> tuple[str, float, float] | None:
    """Choose a side of a dot for its name, the first that is free; None if there is none."""
    sides = [("start", 9.0, -7.0), ("start", 10.0, 4.0), ("end", -10.0, 4.0)]
    sides += [("middle", 0.0, -11.0), ("middle", 0.0, 20.0), ("start", 8.0, 17.0)]
    sides += [("end", -8.0, -9.0), ("end", -8.0, 17.0)]
    for anchor, dx, dy in sides:
        left = x + dx - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        own = (left, y + dy - 11, left + width, y + dy + 3)
        inside = left >= -8 and own[2] <= _GUESSED_WIDTH + 4 and own[3] < _BOTTOM
        if inside and not any(_overlap(own, other) for other in taken):
            taken.append(own)
            return anchor, dx, dy
    return None


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
