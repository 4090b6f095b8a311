"""The commands, put together; each is one call of the library.

Only typer is imported before a command runs, so that ``--help`` is instant.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import typer

from polychotomy.cli.judge import (
    ENCODING,
    SHEET,
    argument,
    flag,
    judge,
    one_of,
    option,
    output_option,
)
from polychotomy.cli.terminal import errors_explained, explain_os_error, progress_shown, rows_shown

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
    version: bool = typer.Option(False, "--version", help="Show the version and stop."),
) -> None:
    if version:
        from polychotomy._version import __version__

        typer.echo(f"polychotomy {__version__}")
        raise typer.Exit


app.command(short_help="Say which classifier to use, and why.")(judge)


@app.command(short_help="Say how far a study is.")
def status(study: Path = argument("STUDY", "A study file, also one that is being run.")) -> None:
    """Say how far a study is: fits done, planned and failed, and who is at work on it.

    Example:

    \b
      polychotomy status plants.polychotomy
    """
    with errors_explained(study):
        from polychotomy.study import Ledger

        with Ledger(study, read_only=True) as ledger:
            typer.echo(ledger.say_status())


@app.command(short_help="Say what changed between two verdicts.")
def compare(
    verdicts: list[Path] = argument(
        "[OLD.json] NEW.json",
        "The JSON of two verdicts, the older one first; of one alone its summary is printed.",
    ),
    markdown: bool = flag("--markdown", "As Markdown, for a comment on a pull request."),
) -> None:
    """Say what changed between two verdicts that judge --json printed.

    Examples:

    \b
      polychotomy judge plants.csv --target species --json > new.json
      polychotomy compare old.json new.json
      polychotomy compare old.json new.json --markdown > comment.md
    """
    with errors_explained(None):
        from polychotomy.core.exceptions import InvalidInput
        from polychotomy.report.changes import comment, read_document, say_changes
        from polychotomy.report.text import printable

        if len(verdicts) > 2:
            raise InvalidInput(f"{len(verdicts)} files were given; expected one or two.")
        *old, new = (read_document(path) for path in verdicts)
        if markdown:
            text = comment(new, old[0] if old else None).rstrip()
        else:
            text = "\n".join(say_changes(old[0], new) if old else new["summary"])
    typer.echo(printable(text))


@app.command(short_help="Predict new rows by a saved model.")
def predict(
    model: Path = argument("MODEL", "A model file (.skops)."),
    table: Path = argument("TABLE", "A table, of any kind that judge reads."),
    output: Path | None = output_option(
        "A .csv, .parquet or .xlsx file [<table>-predictions.csv]."
    ),
    sheet: str | None = SHEET,
    encoding: str | None = ENCODING,
    keep: list[str] | None = option(
        "COLUMN",
        "Copy this column of TABLE to the output, in place of the row's number. Can be given "
        "several times.",
    ),
    coverage: float | None = option(
        "SHARE",
        "Write sets of classes, too, that hold the true one in this share of cases, as 0.9.",
    ),
    trust: list[str] | None = option(
        "NAME|FILE.py",
        "Trust a type in the model file that is not on polychotomy's list, or all of the "
        "candidates file it came from. Can be given several times.",
    ),
    force: bool = flag("--force", "Overwrite the file if it exists."),
) -> None:
    """Predict the rows of TABLE by a model that judge saved; write class and probabilities.

    Examples:

    \b
      polychotomy judge plants.csv --target species --model plants.skops
      polychotomy predict plants.skops new.csv
      polychotomy predict plants.skops new.csv --keep plot --keep tree
      polychotomy predict plants.skops new.csv --output found.parquet
      polychotomy predict plants.skops new.csv --coverage 0.95
    """
    with errors_explained(None), rows_shown() as show:
        from polychotomy.model import predict_file

        found = predict_file(
            model, table, output=output, sheet=sheet, encoding=encoding, keep=keep or (),
            coverage=coverage, trusted=trust or (), force=force, progress=show,
        )  # fmt: skip
    for note in found.notes:
        typer.echo(f"note: {note}")
    typer.echo(found.say())


@app.command(short_help="Write a study's predictions to a table.")
def export(
    study: Path = argument("STUDY", "A study file."),
    output: Path | None = output_option("A .csv or .parquet file [<study>-out-of-fold.csv]."),
    force: bool = flag("--force", "Overwrite the file if it exists."),
) -> None:
    """Write every prediction of a study to a table, one a row.

    Examples:

    \b
      polychotomy export plants.polychotomy
      polychotomy export plants.polychotomy --output plants.parquet
    """
    with errors_explained(study):
        from polychotomy.study import Ledger
        from polychotomy.study.ledger.export import export_predictions

        with Ledger(study, read_only=True) as ledger:
            path = output or Path(f"{study.stem}-out-of-fold.csv")
            count = export_predictions(ledger, path, force=force)
            damage = ledger.damage()
            typer.echo(f"{count} predictions written to {path}")
        if damage:  # a warning has said which
            raise typer.Exit(1)


@app.command(short_help="Put a paper's numbers beside ours.")
def reproduce(
    paper: str = argument(
        "PAPER",
        "ya06, m24, mst09, t96 or ht98.",
        autocompletion=one_of("ya06", "m24", "mst09", "t96", "ht98"),
    ),
    data: Path | None = option("DIR", "A folder of data sets, <name>.csv.gz [fetched once]."),
    runs: int | None = option("N", "Runs [as the paper, or fewer]."),
    budget: float | None = option(
        "MINUTES", "Minutes after which no run begins; the same command goes on from --study."
    ),
    jobs: int = option("N", "Worker processes.", 1),
    study: Path | None = option("FILE", "Keep every run in this file; the same command resumes."),
    seed: int = option("N", "The first seed.", 0, min=0),
    output: Path | None = output_option(
        "Where to write the page [<paper>-reproduction.html].", "PAGE.md|.html"
    ),
    force: bool = flag("--force", "Overwrite the page if it exists."),
) -> None:
    """Recompute a paper's tables and figures; print how many printed cells agree with ours.

    Writes a page with every printed number beside ours, and the same as CSV. PAPER is ya06, m24,
    mst09, t96 or ht98.

    Examples:

    \b
      polychotomy reproduce t96
      polychotomy reproduce mst09 --data sets --output mst09.md
      polychotomy reproduce ya06 --data sets --runs 1000 --budget 60 --jobs 2 --study ya06.study
    """
    with errors_explained(study):
        from polychotomy.reproduction.output import check_output
        from polychotomy.reproduction.reproduce import paper_key
        from polychotomy.reproduction.reproduce import reproduce as run

        start, page = time.monotonic(), check_output(output, paper_key(paper), force=force)
        with progress_shown() as show:
            found = run(
                paper, data=data, runs=runs, budget=budget, n_jobs=jobs, study=study,
                random_state=seed, progress=show,
            )  # fmt: skip
        written = found.write(page)
        typer.echo(str(found))
        typer.echo(f"The page: {written[0]}, its cells: {page.with_suffix('.csv')}")
        if budget is not None and time.monotonic() - start > 60 * budget and found.counts["few"]:
            typer.echo("The budget is spent; with --study FILE the same command goes on.")
