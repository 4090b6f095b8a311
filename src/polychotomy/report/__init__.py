"""A verdict as a page; templates and drawings, no computing."""

from polychotomy.report.page import render_page

__all__ = ["render_page"]
