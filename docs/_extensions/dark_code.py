"""Write the highlighting of code in dark mode: the theme knows one style only."""

from __future__ import annotations

from pathlib import Path

from pygments.formatters import HtmlFormatter
from sphinx.application import Sphinx

STYLE = "github-dark"


def _write(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        rules = HtmlFormatter(style=STYLE).get_style_defs(".highlight")
        sheet = f"@media (prefers-color-scheme: dark) {{\n{rules}\n}}\n"
        (Path(app.outdir) / "_static" / "pygments_dark.css").write_text(sheet, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_css_file("pygments_dark.css", priority=900)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
