"""The command line: one library call a command.

Only typer and rich are imported before a command runs, so that ``--help`` is instant.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from polychotomy.study.study import Progress
    from polychotomy.verdict import Verdict
    from polychotomy.verdict.rules import Rule

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Which classifier to use on a labelled table, by statistics instead of a leaderboard.",
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


@app.command(
    help="Say which classifier to use on TABLE, and write a page that shows why.\n\n"
    "Examples:\n\n"
    "\b\n"
    "  polychotomy judge\n"
    "  polychotomy judge plants.csv --target species\n"
    "  polychotomy judge plants.csv --target species --study plants.polychotomy --jobs 2\n"
    "  polychotomy judge plants.csv --target species --candidates mine.py"
)
def judge(
    table: Annotated[
        Path | None,
        typer.Argument(help="A table: .csv, .csv.gz or .parquet. None: the built-in example."),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The column that holds the classes.", metavar="COLUMN")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(help="Where to write the page [<table>-verdict.html].", metavar="PAGE.html"),
    ] = None,
    study: Annotated[
        Path | None,
        typer.Option(
            help="Keep every fit in this file; the same command resumes from it.", metavar="FILE"
        ),
    ] = None,
    candidates: Annotated[
        str | None,
        typer.Option(
            help="Built-in candidates in order of preference, separated by commas, or a Python "
            "file with a dict 'candidates'.",
            metavar="NAMES|FILE.py",
        ),
    ] = None,
    rule: Annotated[
        str,
        typer.Option(
            help="paper: MultiTest by 5×2 cross-validation, keeps a preferred candidate unless "
            "shown worse. margin: by 5×5 folds, the most preferred within one point of the rest.",
            metavar="paper|margin",
        ),
    ] = "paper",
    runs: Annotated[int, typer.Option(min=1, help="Runs of the cross-validation.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the study.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the verdict as JSON and nothing else.")
    ] = False,
    drop_rare: Annotated[
        bool, typer.Option("--drop-rare", help="Leave out classes too small for the folds.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the page if it exists.")
    ] = False,
) -> None:
    """Judge a table; print the verdict and write its page."""
    with _errors_explained(study), _progress_shown() as progress:
        from polychotomy.verdict.request import judge_table

        verdict, page = judge_table(
            table,
            target=target,
            output=output,
            study=study,
            candidates=candidates,
            rule=cast("Rule", rule),
            runs=runs,
            n_jobs=jobs,
            seed=seed,
            drop_rare=drop_rare,
            force=force,
            progress=progress,
        )
    if as_json:
        _print_json(verdict)
    else:
        _print_verdict(verdict, page)
    if verdict.failures:
        raise typer.Exit(1)


@app.command()
def status(
    study: Annotated[Path, typer.Argument(help="A study file, also one that is being run.")],
) -> None:
    """Say how far a study is."""
    with _errors_explained(study):
        from polychotomy.study import Ledger

        with Ledger(study, must_exist=True) as ledger:
            typer.echo(ledger.say_status())


@app.command()
def export(
    study: Annotated[Path, typer.Argument(help="A study file.")],
    output: Annotated[
        Path | None,
        typer.Option(help="A .csv or .parquet file [<study>-predictions.csv].", metavar="FILE"),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file if it exists.")
    ] = False,
) -> None:
    """Write every prediction of a study to a table, one a row."""
    with _errors_explained(study):
        from polychotomy.study import Ledger
        from polychotomy.study.export import export_predictions

        with Ledger(study, must_exist=True) as ledger:
            path = output or Path(f"{study.stem}-predictions.csv")
            count = export_predictions(ledger, path, force=force)
            typer.echo(f"{count} predictions written to {path}")


@app.command(
    help="Recompute a paper's tables and figures; print how many printed cells agree with ours.\n\n"
    "Writes a page with every printed number beside ours, and the same as CSV. PAPER is ya06, m24, "
    "mst09, t96 or ht98.\n\n"
    "Examples:\n\n"
    "\b\n"
    "  polychotomy reproduce t96\n"
    "  polychotomy reproduce mst09 --data sets --output mst09.md\n"
    "  polychotomy reproduce ya06 --data sets --runs 1000 --budget 60 --jobs 2 --study ya06.study"
)
def reproduce(
    paper: Annotated[str, typer.Argument(help="ya06, m24, mst09, t96 or ht98.")],
    data: Annotated[
        Path | None,
        typer.Option(
            help="A folder of data sets, <name>.csv.gz. None: they are fetched once and kept.",
            metavar="DIR",
        ),
    ] = None,
    runs: Annotated[
        int | None, typer.Option(min=1, help="Runs [as the paper, or fewer where it takes hours].")
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Minutes. No run begins after that; the same command goes on from --study.",
            metavar="MINUTES",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 1,
    study: Annotated[
        Path | None,
        typer.Option(help="Keep every run in this file; the same command resumes.", metavar="FILE"),
    ] = None,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Where to write the page [<paper>-reproduction.html].", metavar="PAGE.md|.html"
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the page if it exists.")
    ] = False,
) -> None:
    """Reproduce a paper; print the count of verdicts and write the page."""
    with _errors_explained(study):
        from polychotomy.reproduction.output import check_output
        from polychotomy.reproduction.reproduce import paper_key
        from polychotomy.reproduction.reproduce import reproduce as run

        page = check_output(output, paper_key(paper), force=force)
        found = run(
            paper,
            data=data,
            runs=runs,
            budget=budget,
            n_jobs=jobs,
            study=study,
            random_state=seed,
            progress=_print_runs,
        )
        written = found.write(page)
        typer.echo(str(found))
        typer.echo(f"The page: {written[0]}, its cells: {page.with_suffix('.csv')}")


def _print_runs(done: int, planned: int, failures: int) -> None:
    if done == planned or done % max(1, planned // 10) == 0:
        failed = f", {failures} failed" if failures else ""
        typer.echo(f"runs: {done} of {planned}{failed}", err=True)


@contextmanager
def _errors_explained(study: Path | None) -> Iterator[None]:
    """Turn what went wrong into one message and an exit code: 2 wrong request, 1 failed."""
    from polychotomy.exceptions import LearnerError, PolychotomyError

    try:
        yield
    except PolychotomyError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1 if isinstance(error, LearnerError) else 2) from None
    except KeyboardInterrupt:
        kept = (
            f"finished fits are kept in {study}; the same command goes on from there"
            if study
            else "nothing was kept; with --study FILE it could go on from here"
        )
        typer.echo(f"\nstopped: {kept}.", err=True)
        raise typer.Exit(130) from None


@contextmanager
def _progress_shown() -> Iterator[Progress]:
    """Show a bar on a terminal, a few lines elsewhere; both on standard error."""
    if not sys.stderr.isatty():
        yield _print_tenths
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("fitting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    failed = TextColumn("[red]{task.fields[failed]}")
    with Progress(*columns, failed, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, failed="")

        def show(done: int, planned: int, failures: int) -> None:
            text = f"{failures} failed" if failures else ""
            bar.update(task, completed=done, total=planned, failed=text)

        yield show


def _print_tenths(done: int, planned: int, failures: int) -> None:
    if done == planned or done % max(1, planned // 10) == 0:
        failed = f", {failures} failed" if failures else ""
        typer.echo(f"fitting: {done} of {planned}{failed}", err=True)


def _print_json(verdict: Verdict) -> None:
    import json

    typer.echo(json.dumps(verdict.to_dict(), indent=2, allow_nan=False, ensure_ascii=False))


def _print_verdict(verdict: Verdict, page: Path) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, markup=False)
    first, *rest = verdict.sentences()
    console.print(Text(first, style="bold"))
    for sentence in rest:
        console.print(Text(sentence))
    table = Table(box=None, padding=(0, 2, 0, 0), title=None)
    for heading in ("candidate", "place", "mean error", "sd"):
        table.add_column(heading, justify="left" if heading == "candidate" else "right")
    for row in verdict.to_frame().to_dict("records"):
        style = "bold" if row["candidate"] == verdict.best else ""
        numbers = (
            ["–", f"failed in {row['n_failed']}", ""]
            if row["n_failed"]
            else [str(row["place"]), f"{100 * row['error']:.1f} %", f"{100 * row['sd']:.1f} %"]
        )
        table.add_row(*(Text(cell, style=style) for cell in (row["candidate"], *numbers)))
    console.print()
    console.print(table)
    console.print()
    for note in verdict.notes:
        console.print(Text(f"note: {note}"))
    console.print(Text(f"The page: {page}"))
