"""Write formulas as MathML, which browsers draw by themselves: the pages need no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx


def _write_inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def _write_block(writer: Any, node: nodes.math_block) -> None:
    formula = tex2mathml(node.astext().strip(), as_block=True)
    writer.body.append(f'<div class="formula">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (_write_inline, None), (_write_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
