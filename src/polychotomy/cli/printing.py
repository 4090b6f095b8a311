"""A verdict on a terminal, or as JSON for scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from polychotomy.verdict.many import ManyVerdicts
    from polychotomy.verdict.verdict import Verdict


def print_json(verdict: Verdict | ManyVerdicts) -> None:
    """Print the verdict as one JSON document."""
    import json

    typer.echo(json.dumps(verdict.to_dict(), indent=2, allow_nan=False, ensure_ascii=False))


def print_verdict(verdict: Verdict | ManyVerdicts, page: Path) -> None:
    """Print the sentences, the table of candidates and the notes; say where the page is."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, markup=False)
    first, *rest = verdict.sentences()
    console.print(Text(first.text, style="bold"))
    for sentence in rest:
        console.print(Text(f"• {sentence.text}"))
    headings, rows = verdict.text_table()
    table = Table(box=None, padding=(0, 2, 0, 0), title=None)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == headings[0] else "right")
    for is_best, cells in rows:
        table.add_row(*(Text(cell, style="bold" if is_best else "") for cell in cells))
    console.print()
    console.print(table)
    console.print()
    for note in verdict.notes:
        console.print(Text(f"note: {note}"))
    console.print(Text(f"The page: {page}"))
    model = getattr(verdict, "model", None)
    if model:
        words = getattr(verdict, "model_words", "")
        console.print(Text(f"The model: {model}, {words}"))
