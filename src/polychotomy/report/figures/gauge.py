"""One gain with its interval, against nothing and against what would count as help."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from polychotomy.report.figures.axes import bottom_axis
from polychotomy.report.marks import box, dot, element, line, plot, text
from polychotomy.report.scales import Scale

_HEIGHT = 66.0


def draw_gauge(
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
    >>> drawing = draw_gauge(0.02, 0.01, 0.03, help_from=0.005, name="points saved",
    ...                      write="{:g}".format, state="better")
    >>> "this would be help" in drawing
    True
    """
    reach = 1.15 * max(abs(low), abs(high), 2 * help_from)
    scale = Scale(-reach, reach, first=0, last=100)
    zone = scale(help_from)
    middle = 40.0
    parts = [
        box(zone, 18, width=100 - zone, height=_HEIGHT - 18, class_="band"),
        text("this would be help", 100, 12, anchor="end", class_="small key"),
        bottom_axis(scale, write, name=name, top=18, bottom=_HEIGHT),
        line(scale(0), scale(0), 18, _HEIGHT, class_="axis"),
        line(scale(low), scale(high), middle, middle, class_=f"whisker wide {state}"),
        dot(scale(estimate), middle, radius=6, class_=f"mean {state}"),
    ]
    return element("div", plot(*parts, height=_HEIGHT + 40), class_="panel")
