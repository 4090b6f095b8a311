"""Put each table in a box that scrolls, so that a wide one never widens the page on a phone."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx


def _wrap(app: Sphinx, document: nodes.document, docname: str) -> None:
    if app.builder.format != "html":
        return
    for table in list(document.findall(nodes.table)):
        box = nodes.container(classes=["table-box"])
        table.replace_self(box)
        box += table


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", _wrap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
