"""A verdict as a page; templates and drawings, no computing."""

from polychotomy.report.page import render_page
from polychotomy.report.svg import draw_svg

__all__ = ["draw_svg", "render_page"]
