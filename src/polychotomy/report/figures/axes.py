"""Axes: a baseline, round numbers along it, thin lines that lead the eye, and its name in words."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from polychotomy.report.marks import line, text
from polychotomy.report.scales import Scale


def bottom_axis(
    scale: Scale,
    write: Callable[[float], str],
    *,
    name: str,
    top: float,
    bottom: float,
    about: int = 5,
) -> Markup:
    """Return the axis below a drawing, from ``scale.first`` to ``scale.last`` per cent across.

    Examples
    --------
    >>> axis = bottom_axis(Scale(0, 1), "{:g}".format, name="error", top=0, bottom=50)
    >>> "error" in axis, "0.5" in axis
    (True, False)
    """
    parts = [line(scale.first, scale.last, bottom, bottom, class_="axis")]
    for value in scale.ticks(about):
        x = scale(value)
        parts.append(line(x, x, top, bottom, class_="grid"))
        parts.append(text(write(value), x, bottom + 16, anchor=_anchor(x)))
    middle = (scale.first + scale.last) / 2
    parts.append(text(name, middle, bottom + 34, class_="axis-name"))
    return Markup("").join(parts)


def left_axis(
    scale: Scale,
    write: Callable[[float], str],
    *,
    left: float,
    right: float = 100.0,
    about: int = 4,
) -> Markup:
    """Return the axis left of a drawing; the numbers stand above their lines, taking no width.

    Examples
    --------
    >>> axis = left_axis(Scale(0, 1, first=90, last=10), "{:g}".format, left=0)
    >>> "0.5" in axis
    True
    """
    parts = []
    for value in scale.ticks(about):
        y = scale(value)
        parts.append(line(left, right, y, y, class_="grid"))
        parts.append(text(write(value), left, y - 4, anchor="start"))
    return Markup("").join(parts)


def _anchor(x: float) -> str:
    """Keep the first and last numbers inside the drawing."""
    return "start" if x < 3 else "end" if x > 95 else "middle"
