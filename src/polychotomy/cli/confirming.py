"""Whether to begin what takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from polychotomy.verdict.estimate import Estimate

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
        from polychotomy.exceptions import InvalidInput

        raise InvalidInput(
            f"this would take long: {estimate}. Nothing was run. Go on by --yes, or leave "
            "candidates out by --candidates, or add workers by --jobs or --cluster."
        )

    return confirm
