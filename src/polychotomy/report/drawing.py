"""Small, fluid SVG: across in per cent of the width, down in pixels, text at the page's own size.

A drawing with a fixed view box shrinks on a phone until nobody can read it. Here only the places
of the marks follow the width; letters, dots and lines keep their size. Colours are classes of the
style sheet, so that a figure follows light, dark and print.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from urllib.parse import quote

from markupsafe import Markup, escape

from polychotomy.core.numbers import short

Place = tuple[float, float]


def number(value: float) -> str:
    """Write a coordinate in as few characters as the eye can tell apart.

    Examples
    --------
    >>> number(12.500), number(1 / 3), number(-0.001)
    ('12.5', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def share(value: float) -> str:
    """Write a place across the width.

    Examples
    --------
    >>> share(12.5)
    '12.5%'
    """
    return f"{number(value)}%"


def element(tag: str, *children: str, **attributes: object) -> Markup:
    """Return one element; every child and attribute that is not markup is escaped.

    A trailing underscore is dropped from names, others become hyphens; None leaves one out.

    Examples
    --------
    >>> print(element("text", "<b> & $5", class_="mark", text_anchor="end"))
    <text class="mark" text-anchor="end">&lt;b&gt; &amp; $5</text>
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="'
        f'{escape(number(value) if isinstance(value, float) else value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    inside = Markup("").join(children)
    return Markup(f"<{tag}{written}>{inside}</{tag}>")  # both are escaped above


def plot(*children: str, height: float) -> Markup:
    """Return a drawing as wide as its place and ``height`` pixels high.

    Examples
    --------
    >>> print(plot(height=10))
    <svg class="plot" width="100%" height="10" aria-hidden="true"></svg>
    """
    return element("svg", *children, class_="plot", width="100%", height=height, aria_hidden="true")


def stretched(*children: str, height: float) -> Markup:
    """Return a part whose paths are stretched: 0 to 100 across, pixels down.

    Examples
    --------
    >>> "none" in stretched(height=10)
    True
    """
    return element(
        "svg", *children, viewBox=f"0 0 100 {number(height)}", preserveAspectRatio="none",
        width="100%", height=height,
    )  # fmt: skip


def places(x: Scale, y: Scale, xs: Iterable[float], ys: Iterable[float]) -> list[Place]:
    """Return where pairs of values stand; what lies beyond the upper end of ``y`` stands there."""
    return [(x(float(a)), y.clipped(float(b))) for a, b in zip(xs, ys, strict=True)]


def _path(around: Iterable[Place]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in around)


def curve(along: Iterable[Place], *, class_: str) -> Markup:
    """Return a line through places, for a stretched part.

    Examples
    --------
    >>> print(curve([(0, 1), (2, 3)], class_="mine"))
    <path class="line mine" d="M0 1L2 3"></path>
    """
    return element("path", class_=f"line {class_}", d=_path(along))


def area(lower: Sequence[Place], upper: Sequence[Place], *, class_: str = "band") -> Markup:
    """Return the area between two lines, for a stretched part.

    Examples
    --------
    >>> print(area([(0, 1), (2, 1)], [(0, 3), (2, 3)]))
    <path class="band" d="M0 1L2 1L2 3L0 3Z"></path>
    """
    return element("path", class_=class_, d=f"{_path([*lower, *reversed(upper)])}Z")


def stairs(places: Sequence[Place]) -> list[Place]:
    """Turn places, left to right, into steps: across first, then up or down.

    Examples
    --------
    >>> stairs([(0, 5), (2, 3)])
    [(0, 5), (2, 5), (2, 3)]
    """
    steps = list(places[:1])
    for (_, before), (x, y) in pairwise(places):
        steps += [(x, before), (x, y)]
    return steps


def line(x1: float, x2: float, y1: float, y2: float, *, class_: str) -> Markup:
    """Return a straight line, across in per cent, down in pixels."""
    return element("line", class_=class_, x1=share(x1), x2=share(x2), y1=y1, y2=y2)


def upright(x: float, y1: float, y2: float, *, class_: str) -> Markup:
    """Return a line down from one place to another."""
    return line(x, x, y1, y2, class_=class_)


def dot(x: float, y: float, *, radius: float = 5, class_: str = "", title: str = "") -> Markup:
    """Return a dot; ``title`` is what a pointer that rests on it is told."""
    told = [element("title", title)] if title else []
    return element("circle", *told, class_=class_, cx=share(x), cy=y, r=radius)


def pin(
    x: float, y: float, low: float, high: float, *, radius: float, states: str, title: str = ""
) -> Markup:
    """Return a dot on the upright line of its interval; ``states`` are those of line and dot."""
    first, last = states.split()[0], states.split()[-1]
    whisker = upright(x, low, high, class_=f"whisker {first}")
    return whisker + dot(x, y, radius=radius, class_=f"mean {last}", title=title)


def box(x: float, y: float, *, width: float, height: float, class_: str, title: str = "") -> Markup:
    """Return a rectangle; place and width across in per cent."""
    told = [element("title", title)] if title else []
    wide = share(width)
    return element("rect", *told, class_=class_, x=share(x), y=y, width=wide, height=height)


def bar(
    x: Scale, a: float, b: float, y: float, *, height: float = 12, class_: str, title: str = ""
) -> Markup:
    """Return a bar between two values of a scale, whichever is the larger."""
    left, right = sorted((x(a), x(b)))
    return box(left, y, width=right - left, height=height, class_=class_, title=title)


def text(
    words: str, x: float, y: float, *, anchor: str = "middle", class_: str = "small", dx: float = 0
) -> Markup:
    """Return words, ``dx`` pixels beside a place."""
    place = {"x": share(x), "y": y, "dx": dx or None}
    return element("text", words, class_=class_, **place, text_anchor=anchor)


@dataclass(frozen=True)
class Scale:
    """Where values stand between the two ends of an axis.

    Parameters
    ----------
    low, high : float
        The values at the ends.
    first, last : float
        The places of the ends: per cent across, or pixels down.
    logarithmic : bool
        Whether equal ratios are equally far apart.

    Examples
    --------
    >>> scale = Scale(0, 2, first=10, last=90)
    >>> scale(1), scale.clipped(5)
    (50.0, 90.0)
    """

    low: float
    high: float
    first: float = 0.0
    last: float = 100.0
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of a value, also beyond the ends."""
        a, b, v = (_log(x) if self.logarithmic else x for x in (self.low, self.high, value))
        part = (v - a) / (b - a) if b != a else 0.5
        return float(self.first + part * (self.last - self.first))

    def clipped(self, value: float) -> float:
        """Return the place of a value, or of the end beyond which it lies."""
        return self(min(max(value, self.low), self.high))

    def ticks(self, about: int = 5) -> list[float]:
        """Return round values along the scale.

        Examples
        --------
        >>> Scale(0, 0.11).ticks(), Scale(0.002, 3, logarithmic=True).ticks()
        ([0.0, 0.05, 0.1], [0.01, 0.1, 1.0])
        """
        if self.logarithmic:
            powers = range(ceil(_log(self.low) - 1e-9), floor(_log(self.high) + 1e-9) + 1)
            return [float(f"1e{power}") for power in powers]
        span = self.high - self.low
        if not span > 0:
            return [self.low]
        unit = 10.0 ** floor(log10(span / about))
        step = next((unit * s for s in (1, 2, 5) if unit * s * about >= span * 0.999), unit * 10)
        counts = range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1)
        return [float(f"{count * step:.12g}") for count in counts]


def _log(value: float) -> float:
    return log10(max(value, 1e-300))


_LONGEST_NAME = 200


@dataclass(frozen=True)
class Figure:
    r"""What the page needs of a figure.

    Parameters
    ----------
    name : str
        A short name: part of the file name of its numbers.
    drawing : Markup
        HTML and SVG.
    message : str
        What the figure says, for who cannot see it.
    reading : str
        How to read it.
    header, rows : sequences
        The numbers that were drawn.

    Examples
    --------
    >>> from markupsafe import Markup
    >>> figure = Figure("dots", Markup("<svg></svg>"), "One dot.", "A dot is a dot.",
    ...                 ("name", "value"), [("=SUM(A1)", -0.5)])
    >>> figure.csv
    "name,value\n'=SUM(A1),-0.5\n"
    >>> figure.address
    'data:text/csv;charset=utf-8,name,value%0A%27%3DSUM%28A1%29,-0.5%0A'
    """

    name: str
    drawing: Markup
    message: str
    reading: str
    header: Sequence[str]
    rows: Sequence[Sequence[object]]

    @property
    def csv(self) -> str:
        """The numbers as comma-separated text."""
        buffer = io.StringIO()
        rows = [[_cell(value) for value in row] for row in (self.header, *self.rows)]
        csv.writer(buffer, lineterminator="\n").writerows(rows)
        return buffer.getvalue()

    @property
    def address(self) -> str:
        """The same as an address that needs no network."""
        return "data:text/csv;charset=utf-8," + quote(self.csv, safe=",.-")


def _cell(value: object) -> object:
    """Write six digits, names cut at 200 letters, and no text that a spreadsheet would compute."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if not isinstance(value, str):
        return value
    guard = "'" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else ""
    return guard + short(value, _LONGEST_NAME)


def label(words: str, *, class_: str = "name", style: str | None = None) -> Markup:
    """Return a name as HTML: cut off where there is no room, whole when a pointer rests on it."""
    shown = short(words, _LONGEST_NAME)
    told = shown if len(words) > 20 else None
    return element("span", element("bdi", shown), class_=class_, style=style, title=told)


def write_percent(value: float) -> str:
    """Write a share at an axis, where every digit is meant.

    Examples
    --------
    >>> write_percent(0.05)
    '5 %'
    """
    return f"{100 * value:g} %"


def write_points(value: float) -> str:
    """Write a difference of shares at an axis that is headed points.

    Examples
    --------
    >>> write_points(-0.005), write_points(0.02)
    ('−0.5', '2')
    """
    return f"{100 * value:g}".replace("-", "−")


def bottom_axis(
    scale: Scale,
    write: Callable[[float], str],
    *,
    name: str,
    top: float,
    bottom: float,
    about: int = 5,
    values: Sequence[float] | None = None,
) -> Markup:
    """Return the axis below a drawing, from ``scale.first`` to ``scale.last`` per cent across.

    At ``values``, or at ``about`` so many round ones, it has a number and a line.

    Examples
    --------
    >>> axis = bottom_axis(Scale(0, 1), "{:g}".format, name="error", top=0, bottom=50)
    >>> "error" in axis, "0.5" in axis
    (True, False)
    """
    parts = [line(scale.first, scale.last, bottom, bottom, class_="axis")]
    for value in scale.ticks(about) if values is None else values:
        x = scale(value)
        anchor = "start" if x < 3 else "end" if x > 95 else "middle"  # inside the drawing
        parts.append(upright(x, top, bottom, class_="grid"))
        parts.append(text(write(value), x, bottom + 16, anchor=anchor))
    middle = (scale.first + scale.last) / 2
    parts.append(text(name, middle, bottom + 34, class_="axis-name"))
    return Markup("").join(parts)


def left_axis(
    scale: Scale, write: Callable[[float], str], *, name: str, left: float = 0.0
) -> Markup:
    """Return the axis left of a drawing; the numbers stand above their lines, taking no width.

    Examples
    --------
    >>> axis = left_axis(Scale(0, 1, first=90, last=10), "{:g}".format, name="error")
    >>> "0.5" in axis
    True
    """
    parts = [text(name, left, 11, anchor="start", class_="axis-name")]
    for value in scale.ticks(4):
        y = scale(value)
        parts.append(line(left, 100.0, y, y, class_="grid"))
        parts.append(text(write(value), left, y - 4, anchor="start"))
    return Markup("").join(parts)


def key_line(items: Iterable[tuple[Markup, str]]) -> Markup:
    """Say what each kind of mark is."""
    said = [element("span", mark, f" {words}", class_="key-item") for mark, words in items]
    return element("div", *said, class_="key-line")


# Names of the lines before and after recalibration, and their classes.
LINES = {"as predicted": "best", "recalibrated": "recalibrated"}


def name_lines(names: Sequence[str]) -> Markup:
    """Name the lines at the upper right where there are two.

    Examples
    --------
    >>> "recalibrated" in name_lines(list(LINES)), name_lines(list(LINES)[:1])
    (True, Markup(''))
    """
    return Markup("").join(
        text(name, 100, 11 + 15 * i, anchor="end", class_=f"point-name {LINES[name]}")
        for i, name in enumerate(names)
        if len(names) > 1
    )


TOP, BOTTOM = 38.0, 240.0  # of the field of a panel, in pixels


def panel(*parts: str, height: float) -> Markup:
    """Return a drawing that takes half the width of a card where there is room."""
    return element("div", plot(*parts, height=height), class_="panel")


def row_label(name: str, value: str, *, top: float, state: str = "") -> Markup:
    """Return the name of a row, and the value that stands at its right end."""
    shown = element("span", value, class_="value")
    state = f"row-label {state}".strip()
    return element("div", label(name), shown, class_=state, style=f"--top:{number(top)}px")


def labelled_rows(
    parts: Sequence[str],
    names: Collection[tuple[str, str, str]],
    *,
    row: float,
    head: float,
    lift: float = 2.0,
    axis: Callable[..., Markup] | None = None,
    under: str = Markup(""),
    before: str = Markup(""),
    class_: str = "rows plain",
) -> Markup:
    """Return a drawing of rows, each with its name, value and state.

    Parameters
    ----------
    parts : sequence of str
        Marks.
    names : collection of (name, value, state)
    row, head, lift : float
        Pixels of a row, of what is above all of them, and by how much names stand above their row.
    axis : callable, optional
        Makes the axis below from its ``bottom``.
    under, before : str
        Marks below all others; what comes before the drawing.
    class_ : str
        Class of the whole.
    """
    height = head + row * len(names)
    drawn, below = (under, *parts), 0
    if axis is not None:
        drawn, below = (under, axis(bottom=height), *parts), 40
    labels = [
        row_label(name, value, top=head - lift + row * i, state=state)
        for i, (name, value, state) in enumerate(names)
    ]
    field = element("div", plot(*drawn, height=height + below), class_="field")
    return element("div", before, field, *labels, class_=class_)


_HEIGHT = 66.0


def draw_interval(
    estimate: float,
    low: float,
    high: float,
    *,
    help_from: float,
    name: str,
    write: Callable[[float], str],
    state: str,
) -> Markup:
    """Draw a gain with its interval; the zone beyond ``help_from`` is help.

    Examples
    --------
    >>> drawing = draw_interval(0.02, 0.01, 0.03, help_from=0.005, name="points saved",
    ...                         write="{:g}".format, state="better")
    >>> "this would be help" in drawing
    True
    """
    reach = 1.15 * max(abs(low), abs(high), 2 * help_from)
    scale = Scale(-reach, reach, first=0, last=100)
    zone, middle = scale(help_from), 40.0
    parts = [
        box(zone, 18, width=100 - zone, height=_HEIGHT - 18, class_="band"),
        text("this would be help", 100, 12, anchor="end", class_="small key"),
        bottom_axis(scale, write, name=name, top=18, bottom=_HEIGHT),
        upright(scale(0), 18, _HEIGHT, class_="axis"),
        line(scale(low), scale(high), middle, middle, class_=f"whisker wide {state}"),
        dot(scale(estimate), middle, radius=6, class_=f"mean {state}"),
    ]
    return panel(*parts, height=_HEIGHT + 40)
