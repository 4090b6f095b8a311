"""``polychotomy status``: how far a study is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polychotomy.cli.errors import errors_explained

HELP = (
    "Say how far a study is: fits done, planned and failed, and who is at work on it.\n\n"
    "Example:\n\n"
    "\b\n"
    "  polychotomy status plants.polychotomy"
)


def status(
    study: Annotated[
        Path,
        typer.Argument(help="A study file, also one that is being run.", metavar="STUDY"),
    ],
) -> None:
    """Say how far a study is."""
    with errors_explained(study):
        from polychotomy.study import Ledger

        with Ledger(study, read_only=True) as ledger:
            typer.echo(ledger.say_status())
