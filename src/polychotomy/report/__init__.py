"""A verdict as a page; templates and drawings, no computing."""

from polychotomy.report.many_page import render_many
from polychotomy.report.page import render_page

__all__ = ["render_many", "render_page"]
