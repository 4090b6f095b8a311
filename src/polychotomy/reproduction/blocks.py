"""What a page is made of: headings, paragraphs, tables and figures; as Markdown and as HTML."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Heading:
    """A section's title."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Words; `code` between backticks."""

    text: str


@dataclass(frozen=True)
class Listing:
    """A table of texts."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A figure as SVG text; ``alt`` states its message."""

    name: str
    alt: str
    svg: str


Block: TypeAlias = Heading | Paragraph | Listing | Picture


def listing(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Listing:
    """Make a table of rows of texts.

    Examples
    --------
    >>> print(to_markdown([listing(["a", "b"], [["1", "2"]])], stem="page"))
    | a | b |
    | --- | --- |
    | 1 | 2 |
    <BLANKLINE>
    """
    return Listing(tuple(header), tuple(tuple(row) for row in rows))


def picture(name: str, alt: str, draw: Callable[[], Figure]) -> Picture:
    """Draw a figure into SVG text, the same bytes every time."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.size": 9}):
        figure = draw()
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
        plt.close(figure)
    return Picture(name, alt, buffer.getvalue())


def to_markdown(blocks: Sequence[Block], *, stem: str) -> str:
    """Write blocks as Markdown; pictures are files called ``<stem>_<name>.svg`` beside it.

    Examples
    --------
    >>> print(to_markdown([Heading("Table 1"), Paragraph("Ten runs.")], stem="t96"))
    ## Table 1
    <BLANKLINE>
    Ten runs.
    <BLANKLINE>
    """
    return "\n\n".join(_markdown(block, stem) for block in blocks) + "\n"


def _markdown(block: Block, stem: str) -> str:
    match block:
        case Heading(text):
            return f"## {text}"
        case Paragraph(text):
            return text
        case Listing(header, rows):
            lines = [header, ("---",) * len(header), *rows]
            return "\n".join(f"| {' | '.join(_cell(c) for c in line)} |" for line in lines)
        case Picture(name, alt, _):
            return f"![{alt}]({stem}_{name}.svg)"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def from_markdown(text: str, *, stem: str, folder: Path) -> list[Block]:
    """Read back what `to_markdown` wrote; pictures come from their files in the folder.

    Examples
    --------
    >>> blocks = [Heading("Table 1"), Paragraph("Ten runs."), listing(["a|b"], [["1"], [""]])]
    >>> from_markdown(to_markdown(blocks, stem="t96"), stem="t96", folder=Path()) == blocks
    True
    """
    found: list[Block] = []
    for part in text.strip().split("\n\n"):
        if part.startswith("## "):
            found.append(Heading(part.removeprefix("## ")))
        elif part.startswith("| "):
            header, _, *rows = (_texts(line) for line in part.split("\n"))
            found.append(Listing(header, tuple(rows)))
        elif drawn := re.fullmatch(rf"!\[(.*)\]\({re.escape(stem)}_(.*)\.svg\)", part):
            svg = (folder / f"{stem}_{drawn[2]}.svg").read_text(encoding="utf-8")
            found.append(Picture(drawn[2], drawn[1], svg))
        else:
            found.append(Paragraph(part))
    return found


def _texts(line: str) -> tuple[str, ...]:
    cells = re.split(r" (?<!\\)\| ", f"{line.removeprefix('|').removesuffix('|')}| ")[:-1]
    return tuple(cell.strip().replace("\\|", "|") for cell in cells)


def to_html(blocks: Sequence[Block], *, title: str) -> str:
    """Write blocks as one HTML page that needs nothing else.

    Examples
    --------
    >>> page = to_html([Paragraph("`a < b` is 5 %")], title="T96")
    >>> "<p><code>a &lt; b</code> is 5 %</p>" in page
    True
    """
    body = "\n".join(_html(block) for block in blocks)
    return _PAGE.replace("TITLE", escape(title)).replace("BODY", body)


def _html(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h2>{escape(text)}</h2>"
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Listing(header, rows):
            head = "".join(f"<th>{_inline(cell)}</th>" for cell in header)
            body = "\n".join(
                f"<tr>{''.join(f'<td>{_inline(cell)}</td>' for cell in row)}</tr>" for row in rows
            )
            return f"<div><table><tr>{head}</tr>\n{body}</table></div>"
        case Picture(_, alt, svg):
            drawing = svg[svg.index("<svg") :]
            return f'<figure role="img" aria-label="{escape(alt)}">{drawing}</figure>'


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>TITLE</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="polychotomy reproduce">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums }
td, th { padding: 0.2rem 0.7rem; border-bottom: 1px solid #ccc; text-align: left }
div, figure { margin: 1rem 0 }
div { overflow-x: auto } figure { background: #fff } svg { max-width: 100% }
</style></head><body><h1>TITLE</h1>
BODY
</body></html>
"""
