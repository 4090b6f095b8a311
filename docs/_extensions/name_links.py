"""Lead from a public name in the text, such as ``judge``, to its page in the API."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

import polychotomy

PUBLIC = {
    name
    for package in polychotomy.__all__
    for name in (package, *getattr(getattr(polychotomy, package), "__all__", ()))
}
NAME = re.compile(r"([A-Za-z]\w+)(?:\(.*\))?")  # with or without a call


def find_name(text: str) -> str | None:
    """Return the public name that a piece of code begins with, where it is that or a call of it."""
    found = NAME.fullmatch(text)
    is_public = found is not None and found[1] in PUBLIC
    return found[1] if found is not None and is_public else None


def _link(app: Sphinx, document: nodes.document, docname: str) -> None:
    if docname.startswith("api/"):
        return  # numpydoc links there
    objects = app.env.domains.python_domain.objects
    pages = {full.rpartition(".")[2]: (full, entry) for full, entry in objects.items()}
    for literal in list(document.findall(nodes.literal)):
        name = find_name(literal.astext())
        if name in pages and not isinstance(literal.parent, nodes.reference):
            full, entry = pages[name]
            literal.replace_self(
                make_refnode(
                    app.builder, docname, entry.docname, entry.node_id, literal.deepcopy(), full
                )
            )


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", _link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
