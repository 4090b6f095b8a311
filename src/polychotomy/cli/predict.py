"""``polychotomy predict``: a saved model on new rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polychotomy.cli.errors import errors_explained

HELP = (
    "Predict the rows of TABLE by a model that judge saved; write class and probabilities.\n\n"
    "Examples:\n\n"
    "\b\n"
    "  polychotomy judge plants.csv --target species --model plants.skops\n"
    "  polychotomy predict plants.skops new.csv\n"
    "  polychotomy predict plants.skops new.csv --keep plot --keep tree\n"
    "  polychotomy predict plants.skops new.csv --output found.parquet"
)


def predict(
    model: Annotated[Path, typer.Argument(help="A model file (.skops).", metavar="MODEL")],
    table: Annotated[
        Path, typer.Argument(help="A table: .csv, .csv.gz or .parquet.", metavar="TABLE")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="A .csv or .parquet file [<table>-predictions.csv].",
            metavar="FILE",
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            help="Copy this column of TABLE to the output, in place of the row's number. Can be "
            "given several times.",
            metavar="COLUMN",
        ),
    ] = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            help="Trust a type in the model file that is not on polychotomy's list, or all of the "
            "candidates file it came from. Can be given several times.",
            metavar="NAME|FILE.py",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file if it exists.")
    ] = False,
) -> None:
    """Predict the rows of a table by a saved model."""
    with errors_explained(None):
        from polychotomy.model import predict_file

        found = predict_file(
            model, table, output=output, keep=keep or (), trusted=trust or (), force=force
        )
    for note in found.notes:
        typer.echo(f"note: {note}")
    typer.echo(found.say())
