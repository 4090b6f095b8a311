"""How far it is: a bar on a terminal, a few lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polychotomy.study.progress import Progress, ShowProgress


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
