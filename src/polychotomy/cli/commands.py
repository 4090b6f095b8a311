"""The commands, put together."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from polychotomy.cli import export, judge, predict, reproduce, status
from polychotomy.cli.errors import explain_os_error

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Which classifier to use on a labelled table, by statistics instead of a leaderboard.\n\n"
    "Begin with: polychotomy judge. The shell completes commands and options after "
    "--install-completion.",
)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except OSError as error:  # outside of what a command explains itself: what it prints
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left cannot be printed either
        typer.echo(f"error: {explain_os_error(error)}", err=True)
        sys.exit(1)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Show the version and stop.")] = False,
) -> None:
    if version:
        from polychotomy._version import __version__

        typer.echo(f"polychotomy {__version__}")
        raise typer.Exit


app.command(help=judge.HELP, short_help="Say which classifier to use, and why.")(judge.judge)

app.command(help=status.HELP, short_help="Say how far a study is.")(status.status)

app.command(help=predict.HELP, short_help="Predict new rows by a saved model.")(predict.predict)

app.command(help=export.HELP, short_help="Write a study's predictions to a table.")(export.export)

app.command(help=reproduce.HELP, short_help="Put a paper's numbers beside ours.")(
    reproduce.reproduce
)
