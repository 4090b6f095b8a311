"""Small, fluid SVG: across in per cent of the width, down in pixels, text at the page's own size.

A drawing with a fixed view box shrinks on a phone until nobody can read it. Here only the places
of the marks follow the width; letters, dots and lines keep their size. Colours are classes of the
style sheet, so that a figure follows light, dark and print.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from markupsafe import Markup, escape

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
        f' {name.rstrip("_").replace("_", "-")}="{escape(_plain(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    inside = Markup("").join(children)
    return Markup(f"<{tag}{written}>{inside}</{tag}>")  # both are escaped above


def _plain(value: object) -> object:
    return number(value) if isinstance(value, float) else value


def plot(*children: str, height: float, class_: str = "") -> Markup:
    """Return a drawing as wide as its place and ``height`` pixels high.

    Examples
    --------
    >>> print(plot(height=10))
    <svg class="plot" width="100%" height="10" aria-hidden="true"></svg>
    """
    name = f"plot {class_}".strip()
    return element(
        "svg", *children, class_=name, width="100%", height=number(height), aria_hidden="true"
    )


def stretched(*children: str, height: float) -> Markup:
    """Return a part whose paths are stretched: 0 to 100 across, pixels down.

    Examples
    --------
    >>> "none" in stretched(height=10)
    True
    """
    return element(
        "svg",
        *children,
        viewBox=f"0 0 100 {number(height)}",
        preserveAspectRatio="none",
        width="100%",
        height=number(height),
    )


def curve(places: Iterable[Place], *, class_: str) -> Markup:
    """Return a line through places, for a stretched part.

    Examples
    --------
    >>> print(curve([(0, 1), (2, 3)], class_="mine"))
    <path class="line mine" d="M0 1L2 3"></path>
    """
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places)
    return element("path", class_=f"line {class_}", d=path)


def area(lower: Sequence[Place], upper: Sequence[Place], *, class_: str) -> Markup:
    """Return the area between two lines, for a stretched part.

    Examples
    --------
    >>> print(area([(0, 1), (2, 1)], [(0, 3), (2, 3)], class_="band"))
    <path class="band" d="M0 1L2 1L2 3L0 3Z"></path>
    """
    around = [*lower, *reversed(upper)]
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in around) + "Z"
    return element("path", class_=class_, d=path)


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
    return element("line", class_=class_, x1=share(x1), x2=share(x2), y1=number(y1), y2=number(y2))


def dot(x: float, y: float, *, radius: float = 5, class_: str = "", title: str = "") -> Markup:
    """Return a dot; ``title`` is what a pointer that rests on it is told."""
    told = [element("title", title)] if title else []
    return element("circle", *told, class_=class_, cx=share(x), cy=number(y), r=number(radius))


def box(x: float, y: float, *, width: float, height: float, class_: str, title: str = "") -> Markup:
    """Return a rectangle; place and width across in per cent."""
    told = [element("title", title)] if title else []
    return element(
        "rect", *told, class_=class_, x=share(x), y=number(y), width=share(width),
        height=number(height),
    )  # fmt: skip


def text(
    words: str, x: float, y: float, *, anchor: str = "middle", class_: str = "small", dx: float = 0
) -> Markup:
    """Return words, ``dx`` pixels beside a place."""
    return element(
        "text", words, class_=class_, x=share(x), y=number(y), dx=number(dx) if dx else None,
        text_anchor=anchor,
    )  # fmt: skip
