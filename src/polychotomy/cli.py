"""The command line: one library call a command.

Only typer and rich are imported before a command runs, so that ``--help`` is instant.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from polychotomy.study.progress import Progress, ShowProgress
    from polychotomy.verdict.estimate import Estimate
    from polychotomy.verdict.many import ManyVerdicts
    from polychotomy.verdict.question import Preference, Rule
    from polychotomy.verdict.verdict import Verdict

_LONG = 3600.0  # seconds from which nothing begins unasked

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
    "  polychotomy judge                                    the built-in example\n"
    "  polychotomy judge plants.csv --target species\n"
    "  polychotomy judge plants.csv --target species --study plants.polychotomy --jobs 2\n"
    "  polychotomy judge plants.csv --target species --candidates mine.py --margin 0.02\n"
    "  polychotomy judge visits.csv --target outcome --group patient --loss log-loss\n"
    "  polychotomy judge plants.csv --target species --model plants.skops\n"
    "  polychotomy judge plants.csv --target species --candidates new.py --against old\n"
    "  polychotomy judge --predictions made-elsewhere.csv\n"
    "  polychotomy judge tables/ --target class             every table in a folder\n\n"
    "Exit code 0: done. 1: done, but something failed or a gate was not passed; said which. "
    "2: the request was wrong, nothing was run."
)
def judge(
    table: Annotated[
        Path | None,
        typer.Argument(
            help="A table (.csv, .csv.gz, .parquet), a folder of tables, or a plan (.toml). "
            "None: the built-in example."
        ),
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
    prefer: Annotated[
        str,
        typer.Option(
            help="Order of preference: as listed (simplest first), or by measured time.",
            metavar="listed|time",
            autocompletion=lambda: ["listed", "time"],
        ),
    ] = "listed",
    rule: Annotated[
        str,
        typer.Option(
            help="margin: by 5×5 folds, the most preferred within a margin of the rest. paper: "
            "MultiTest by 5×2 folds, keeps a preferred candidate unless shown worse.",
            metavar="margin|paper",
            autocompletion=lambda: ["margin", "paper"],
        ),
    ] = "margin",
    margin: Annotated[
        float | None,
        typer.Option(help="Difference of no practical meaning [0.01: one point of error]."),
    ] = None,
    loss: Annotated[
        str,
        typer.Option(
            help="By what to compare; a CSV file is a cost matrix, rows true, columns predicted.",
            metavar="error|log-loss|auc|brier|FILE.csv",
            autocompletion=lambda: ["error", "log-loss", "auc", "brier"],
        ),
    ] = "error",
    group: Annotated[
        str | None,
        typer.Option(help="Keep rows of one value of this column together.", metavar="COLUMN"),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(help="Test on later rows only, by this column.", metavar="COLUMN"),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            help="Exit with 1 if the best of the other candidates is shown to be worse than this "
            "one. baseline: the one that ignores the features.",
            metavar="NAME|baseline",
        ),
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="Runs of the cross-validation.")] = 1,
    anatomy: Annotated[
        bool,
        typer.Option(help="Ask what limits the winner, and whether bagging or more data help."),
    ] = True,
    predictions: Annotated[
        Path | None,
        typer.Option(help="Judge predictions made elsewhere (see export).", metavar="FILE"),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="Write the winner, fitted to all rows, to this file.", metavar="FILE"),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Worker processes [1 if quick, else one a processor]."),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Fit on this Dask scheduler.", metavar="ADDRESS")
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(help="Most seconds a single fit may take.", metavar="SECONDS")
    ] = None,
    memory_limit: Annotated[
        float | None, typer.Option(help="Most gigabytes a single fit may take.", metavar="GB")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the study.")] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the verdict as JSON and nothing else.")
    ] = False,
    drop_rare: Annotated[
        bool, typer.Option("--drop-rare", help="Leave out classes too small for the folds.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the page and the model if they exist.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask, also where it takes more than an hour.")
    ] = False,
) -> None:
    """Judge a table, a folder of them, or predictions; print the verdict and write its page."""
    with _errors_explained(study), _progress_shown() as progress:
        from polychotomy.verdict.asking import judge_request
        from polychotomy.verdict.request import Request

        asked = Request(
            table=table,
            target=target,
            output=output,
            study=study,
            candidates=candidates,
            rule=cast("Rule", rule),
            margin=margin,
            loss=loss,
            prefer=cast("Preference", prefer),
            against=against,
            group=group,
            time=time,
            runs=runs,
            anatomy=anatomy,
            predictions=predictions,
            model=model,
            jobs=jobs,
            cluster=cluster,
            time_limit=time_limit,
            memory_limit=memory_limit,
            seed=seed,
            drop_rare=drop_rare,
            force=force,
        )
        judged = judge_request(asked, confirm=_confirm(yes), progress=progress)
    if as_json:
        _print_json(judged.verdict)
    else:
        _print_verdict(judged.verdict, judged.page)
    if not judged.verdict.is_clean:
        raise typer.Exit(1)


@app.command()
def status(
    study: Annotated[Path, typer.Argument(help="A study file, also one that is being run.")],
) -> None:
    """Say how far a study is."""
    with _errors_explained(study):
        from polychotomy.study import Ledger

        with Ledger(study, read_only=True) as ledger:
            typer.echo(ledger.say_status())


@app.command(
    help="Predict the rows of TABLE by a model that judge saved; write class and probabilities.\n\n"
    "Examples:\n\n"
    "\b\n"
    "  polychotomy judge plants.csv --target species --model plants.skops\n"
    "  polychotomy predict plants.skops new.csv\n"
    "  polychotomy predict plants.skops new.csv --output found.parquet"
)
def predict(
    model: Annotated[Path, typer.Argument(help="A model file (.skops).")],
    table: Annotated[Path, typer.Argument(help="A table: .csv, .csv.gz or .parquet.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="A .csv or .parquet file [<table>-predictions.csv].",
            metavar="FILE",
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
    with _errors_explained(None):
        from polychotomy.model import predict_file

        found = predict_file(model, table, output=output, trusted=trust or (), force=force)
    for note in found.notes:
        typer.echo(f"note: {note}")
    typer.echo(found.say())


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

        with Ledger(study, read_only=True) as ledger:
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


def _confirm(yes: bool) -> Callable[[Estimate], None]:
    """Show what is coming; over an hour, ask first, or stop where nobody can be asked."""

    def confirm(estimate: Estimate) -> None:
        typer.echo(f"expected: {estimate}", err=True)
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


@contextmanager
def _progress_shown() -> Iterator[ShowProgress]:
    """Show a bar on a terminal, a few lines elsewhere; both on standard error."""
    if not sys.stderr.isatty():
        yield _print_tenths
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
            task, completed=now.done, total=now.planned, speed=_say_speed(now), failed=failures
        )

    try:
        yield show
    finally:
        bar.stop()


def _print_tenths(now: Progress) -> None:
    if now.done == now.planned or now.done % max(1, now.planned // 10) == 0:
        speed = f", {_say_speed(now)}" if now.rate and now.done < now.planned else ""
        failed = f", {now.failed} failed" if now.failed else ""
        typer.echo(f"fitting: {now.done} of {now.planned}{speed}{failed}", err=True)


def _say_speed(now: Progress) -> str:
    """Say how fast it goes and how long it will take."""
    if now.eta is None:
        return ""
    minutes, seconds = divmod(round(now.eta), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{now.rate:.3g} fits/s, {hours}:{minutes:02}:{seconds:02} to go"


def _print_json(verdict: Verdict | ManyVerdicts) -> None:
    import json

    typer.echo(json.dumps(verdict.to_dict(), indent=2, allow_nan=False, ensure_ascii=False))


def _print_verdict(verdict: Verdict | ManyVerdicts, page: Path) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, markup=False)
    first, *rest = verdict.sentences()
    console.print(Text(first.text, style="bold"))
    for sentence in rest:
        console.print(Text(f"• {sentence.text}"))
    headings, rows = verdict.text_table()
    table = Table(box=None, padding=(0, 2, 0, 0), title=None)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == headings[0] else "right")
    for is_best, cells in rows:
        table.add_row(*(Text(cell, style="bold" if is_best else "") for cell in cells))
    console.print()
    console.print(table)
    console.print()
    for note in verdict.notes:
        console.print(Text(f"note: {note}"))
    console.print(Text(f"The page: {page}"))
    model = getattr(verdict, "model", None)
    if model:
        console.print(Text(f"The model: {model}"))
