"""How far it is: a bar on a terminal, a few lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from polychotomy.study.progress import Progress, ShowProgress


@contextmanager
def progress_shown() -> Iterator[ShowProgress]:
    """Show a bar on a terminal, a few lines elsewhere; both on standard error."""
    if not sys.stderr.isatty():
        yield _print_tenths
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
            task, completed=now.done, total=now.planned, speed=_say_speed(now), failed=failures
        )

    try:
        yield show
    finally:
        bar.stop()


def _print_tenths(now: Progress) -> None:
    if now.done == now.planned or now.done % max(1, now.planned // 10) == 0:
        speed = f", {_say_speed(now)}" if now.rate and now.done < now.planned else ""
        failed = f", {now.failed} failed" if now.failed else ""
        typer.echo(f"fitting: {now.done} of {now.planned}{speed}{failed}", err=True)


def _say_speed(now: Progress) -> str:
    """Say how fast it goes and how long it will take."""
    if now.eta is None:
        return ""
    minutes, seconds = divmod(round(now.eta), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{now.rate:.3g} fits/s, {hours}:{minutes:02}:{seconds:02} to go"
