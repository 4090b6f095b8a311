"""``polychotomy status``: how far a study is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polychotomy.cli.errors import errors_explained


def status(
    study: Annotated[Path, typer.Argument(help="A study file, also one that is being run.")],
) -> None:
    """Say how far a study is."""
    with errors_explained(study):
        from polychotomy.study import Ledger

        with Ledger(study, read_only=True) as ledger:
            typer.echo(ledger.say_status())
