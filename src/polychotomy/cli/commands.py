"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from polychotomy.cli import export, judge, predict, reproduce, status

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
    app()


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Show the version and stop.")] = False,
) -> None:
    if version:
        from polychotomy._version import __version__

        typer.echo(f"polychotomy {__version__}")
        raise typer.Exit


app.command(help=judge.HELP)(judge.judge)
app.command()(status.status)
app.command(help=predict.HELP)(predict.predict)
app.command()(export.export)
app.command(help=reproduce.HELP)(reproduce.reproduce)
