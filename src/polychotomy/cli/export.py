"""``polychotomy export``: the predictions of a study as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polychotomy.cli.errors import errors_explained

HELP = (
    "Write every prediction of a study to a table, one a row.\n\n"
    "Examples:\n\n"
    "\b\n"
    "  polychotomy export plants.polychotomy\n"
    "  polychotomy export plants.polychotomy --output plants.parquet"
)


def export(
    study: Annotated[Path, typer.Argument(help="A study file.", metavar="STUDY")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="A .csv or .parquet file [<study>-out-of-fold.csv].",
            metavar="FILE",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file if it exists.")
    ] = False,
) -> None:
    """Write every prediction of a study to a table, one a row."""
    with errors_explained(study):
        from polychotomy.study import Ledger
        from polychotomy.study.ledger.export import export_predictions

        with Ledger(study, read_only=True) as ledger:
            path = output or Path(f"{study.stem}-out-of-fold.csv")
            count = export_predictions(ledger, path, force=force)
            typer.echo(f"{count} predictions written to {path}")
