"""Figures as inline SVG that follows the page: its font, its colours, light or dark."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Ink, paper, grid, bands and the two colours of our drawings, and the page's own names for them.
_THEME = {
    "#000000": "currentColor",
    "#333333": "currentColor",
    "#555555": "currentColor",
    "#ffffff": "var(--paper)",
    "#ebebeb": "var(--line)",
    "#eaeaea": "var(--line)",
    "#cccccc": "var(--band)",
    "#2166ac": "var(--cool)",
    "#1f77b4": "var(--cool)",
    "#4477aa": "var(--cool)",
    "#d6604d": "var(--warm)",
    "#ff7f0e": "var(--warm)",
}


def draw_svg(draw: Callable[[Axes], object], *, width: float, height: float, name: str) -> str:
    """Draw on new axes; return one ``<svg>`` element, the same bytes every time.

    Text stays text, so that it can be found, read aloud and shown in the reader's own font; no
    text is read as a formula.

    Parameters
    ----------
    draw : callable
        Gets the axes.
    width, height : float
        In inches.
    name : str
        Distinguishes the identifiers of several figures on one page.

    Examples
    --------
    >>> svg = draw_svg(lambda ax: ax.set_title("$5 & <more>"), width=3, height=2, name="a")
    >>> svg.startswith("<svg"), "$5 &amp; &lt;more&gt;" in svg
    (True, True)
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": name})
        mpl.rcParams["text.parse_math"] = False
        # Only widths are guessed with matplotlib's font; the browser has the glyphs.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.add_subplot())
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return _adapt(buffer.getvalue(), name)


def _adapt(svg: str, name: str) -> str:
    """Keep the element only, make its size fluid, its ids unique and its colours the page's."""
    element = svg[svg.index("<svg") :]
    element = re.sub(r"<metadata>.*?</metadata>\s*", "", element, flags=re.DOTALL)
    element = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", element, count=1)
    element = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", element, count=1)
    element = re.sub(r'\bid="', f'id="{name}-', element)
    element = re.sub(r'href="#', f'href="#{name}-', element)
    element = re.sub(r"url\(#", f"url(#{name}-", element)
    # Without a fill of its own, text is black whatever the page's colour.
    element = re.sub(r'<text style="(?![^"]*fill:)', '<text style="fill: currentColor; ', element)
    return re.sub(r"(?<=: )#[0-9a-f]{6}", lambda match: _THEME.get(match[0], match[0]), element)
