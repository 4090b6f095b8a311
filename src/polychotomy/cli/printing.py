"""A verdict on a terminal, or as JSON for scripts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from polychotomy.app.estimate import Estimate
    from polychotomy.study.progress import Progress, ShowProgress
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

    from polychotomy.report.text import bullets, by_question, printable, say_places

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


_LONG = 3600.0  # seconds from which nothing begins unasked


def ask_first(yes: bool) -> Callable[[Estimate], None]:
    """Show what is coming; over an hour, ask first, or stop where nobody can be asked."""

    def confirm(estimate: Estimate) -> None:
        typer.echo(f"expected: {estimate}", err=True)
        for note in estimate.notes:
            typer.echo(f"note: {note}", err=True)
        if yes or estimate.seconds <= _LONG:
            return
        typer.echo(f"most of it: {estimate.dearest}", err=True)
        if sys.stdin.isatty() and sys.stderr.isatty():
            if typer.confirm("Go on?", err=True):
                return
            typer.echo("nothing was run.", err=True)
            raise typer.Exit(2)
        from polychotomy.core.exceptions import InvalidInput

        raise InvalidInput(
            f"this would take long: {estimate}. Nothing was run. Go on by --yes, or leave "
            "candidates out by --candidates, or add workers by --jobs or --cluster."
        )

    return confirm


@contextmanager
def progress_shown() -> Iterator[ShowProgress]:
    """Show a bar on a terminal, a few lines elsewhere; both on standard error."""
    from polychotomy.study.progress import print_tenths, say_speed

    if not sys.stderr.isatty():
        yield print_tenths
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    speed, failed = TextColumn("{task.fields[speed]}"), TextColumn("[red]{task.fields[failed]}")
    columns = (TextColumn("fitting"), BarColumn(), MofNCompleteColumn(), speed, failed)
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None, speed="", failed="")

    def show(now: Progress) -> None:
        bar.start()  # not before the first fit: until then a question may be asked
        failures = f"{now.failed} failed" if now.failed else ""
        bar.update(
            task, completed=now.done, total=now.planned, speed=say_speed(now), failed=failures
        )

    try:
        yield show
    finally:
        bar.stop()
