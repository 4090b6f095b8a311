"""``polychotomy reproduce``: a paper's printed numbers beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polychotomy.cli.errors import errors_explained
from polychotomy.cli.options import positive_number, whole_number

HELP = (
    "Recompute a paper's tables and figures; print how many printed cells agree with ours.\n\n"
    "Writes a page with every printed number beside ours, and the same as CSV. PAPER is ya06, m24, "
    "mst09, t96 or ht98.\n\n"
    "Examples:\n\n"
    "\b\n"
    "  polychotomy reproduce t96\n"
    "  polychotomy reproduce mst09 --data sets --output mst09.md\n"
    "  polychotomy reproduce ya06 --data sets --runs 1000 --budget 60 --jobs 2 --study ya06.study"
)


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            help="ya06, m24, mst09, t96 or ht98.",
            metavar="PAPER",
            autocompletion=lambda: ["ya06", "m24", "mst09", "t96", "ht98"],
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            help="A folder of data sets, <name>.csv.gz. None: they are fetched once and kept.",
            metavar="DIR",
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            help="Runs [as the paper, or fewer where it takes hours].",
            metavar="N",
            parser=whole_number(1),
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            help="Minutes. No run begins after that; the same command goes on from --study.",
            metavar="MINUTES",
            parser=positive_number("60", or_zero=True),
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(help="Worker processes.", metavar="N", parser=whole_number(1))
    ] = 1,
    study: Annotated[
        Path | None,
        typer.Option(help="Keep every run in this file; the same command resumes.", metavar="FILE"),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="The first seed.", metavar="N", parser=whole_number())
    ] = 0,
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
    with errors_explained(study):
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
