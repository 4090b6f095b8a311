"""A verdict on a terminal, or as JSON for scripts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from polychotomy.verdict.many import ManyVerdicts
    from polychotomy.verdict.verdict import Verdict

_NO_END = 1_000_000  # characters a line


@contextmanager
def candidates_print_aside() -> Iterator[None]:
    """Send what candidates print, from C too, to standard error: the verdict alone goes out."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def print_json(verdict: Verdict | ManyVerdicts) -> None:
    """Print the verdict as one JSON document."""
    import json

    typer.echo(json.dumps(verdict.to_dict(), indent=2, allow_nan=False, ensure_ascii=False))


def print_verdict(verdict: Verdict | ManyVerdicts, page: Path) -> None:
    """Print the sentences, the table of candidates and the notes; say where the page is."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from polychotomy.verdict.verdict_text import bullets, by_question, printable, say_places

    console = Console(highlight=False, markup=False)
    # Where programs read it, a sentence is a line.
    width = console.width if console.is_terminal else _NO_END

    def show(line: str, style: str = "") -> None:
        console.print(Text(printable(line), style=style), soft_wrap=True)

    first, *rest = verdict.sentences()
    show(first.text, "bold")
    for question, answers in by_question(rest, width=width):
        show("")
        if question:
            show(question, "bold")
        for line in answers:
            show(line)
    headings, rows = verdict.text_table()
    table = Table(box=None, padding=(0, 2, 0, 0), title=None)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == headings[0] else "right")
    for is_best, cells in rows:
        table.add_row(*(Text(cell, style="bold" if is_best else "") for cell in cells))
    console.print()
    console.print(table)
    for line in bullets(say_places(verdict), mark="", width=width):
        show(line)
    console.print()
    for line in bullets(verdict.notes, mark="note: ", width=width):
        show(line)
    show(f"The page: {page}")  # unbroken, so that a path can be copied whole
    model = getattr(verdict, "model", None)
    if model:
        words = getattr(verdict, "model_words", "")
        show(f"The model: {model}, {words}")
