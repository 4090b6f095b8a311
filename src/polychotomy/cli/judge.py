"""``polychotomy judge`` and its options; numbers are read with a message that quotes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from polychotomy.cli.terminal import (
    ask_first,
    candidates_print_aside,
    errors_explained,
    print_json,
    print_verdict,
    progress_shown,
)

HELP = (
    "Say which classifier to use on TABLE, and write a page that shows why.\n\n"
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
    "Exit code 0: done. 1: done, but something failed or a gate was not passed, or a file could "
    "not be written; said which. 2: the request was wrong, nothing was run."
)


def whole_number(least: int = 0, *, also: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers of at least ``least``, or of the one besides.

    Examples
    --------
    >>> whole_number(1)("12"), whole_number(1, also=-1)("-1")
    (12, -1)
    """
    besides = "" if also is None else f", or {also}"
    expected = f"expected a whole number of at least {least}{besides}."

    def read(given: str) -> int:
        try:
            number = int(given)
        except ValueError:
            raise typer.BadParameter(f"{given!r} is no whole number; {expected}") from None
        if number < least and number != also:
            raise typer.BadParameter(f"it is {number}; {expected}")
        return number

    return read


def positive_number(such_as: str, *, or_zero: bool = False) -> Callable[[str], float]:
    """Return a reader of finite numbers above 0; ``such_as`` is one, for the message.

    Examples
    --------
    >>> positive_number("60")("2.5"), positive_number("60", or_zero=True)("0")
    (2.5, 0.0)
    """
    read = any_number(such_as)
    expected = f"expected a number {'of at least' if or_zero else 'above'} 0, as {such_as}."

    def read_positive(given: str) -> float:
        number = read(given)
        if not 0 <= number < math.inf or (number == 0 and not or_zero):
            raise typer.BadParameter(f"it is {given}; {expected}")
        return number

    return read_positive


def any_number(such_as: str) -> Callable[[str], float]:
    """Return a reader of numbers; ``such_as`` is one, for the message.

    Examples
    --------
    >>> any_number("0.01")("2e-2")
    0.02
    """

    def read(given: str) -> float:
        try:
            return float(given)
        except ValueError:
            raise typer.BadParameter(
                f"{given!r} is no number; expected one, as {such_as}."
            ) from None

    return read


def judge(
    table: Annotated[
        Path | None,
        typer.Argument(
            help="A table (.csv, .csv.gz, .parquet), a folder of tables, or a plan (.toml). "
            "None: the built-in example.",
            metavar="TABLE",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option(help="The column that holds the classes.", metavar="COLUMN")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where to write the page [<table>-verdict.html].",
            metavar="PAGE.html",
        ),
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
            help="Order of preference: as listed (simplest first), by measured time, or by the "
            "size of the fitted model.",
            metavar="listed|time|memory",
            autocompletion=lambda: ["listed", "time", "memory"],
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
        typer.Option(
            help="Difference of no practical meaning [0.01: one point of error; with a cost matrix "
            "1 % of the largest cost, by size].",
            metavar="NUMBER",
            parser=any_number("0.01"),
        ),
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
    drop: Annotated[
        list[str] | None,
        typer.Option(help="Leave this column out. Can be given several times.", metavar="COLUMN"),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            help="Exit with 1 if the best of the other candidates is shown to be worse than this "
            "one. baseline: the one that ignores the features, MAX; it must be among --candidates.",
            metavar="NAME|baseline",
        ),
    ] = None,
    race: Annotated[
        bool,
        typer.Option(
            "--race",
            help="Stop candidates early that are shown to be worse than a more preferred one.",
        ),
    ] = False,
    runs: Annotated[
        int,
        typer.Option(help="Runs of the cross-validation.", metavar="N", parser=whole_number(1)),
    ] = 1,
    anatomy: Annotated[
        bool,
        typer.Option(help="Ask what limits the winner, and whether bagging or more data help."),
    ] = True,
    predictions: Annotated[
        Path | None,
        typer.Option(
            help="Judge predictions made elsewhere, a row each, in a .csv or .parquet file with "
            "the columns candidate, sample, fold, truth, and p:<class> for every class or "
            "predicted. More of it: 'Predictions made elsewhere' on the page 'The command line'.",
            metavar="FILE",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="Write the winner, fitted to all rows, to this file.", metavar="FILE"),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Worker processes; -1: one a processor [1 if quick, else one a processor].",
            metavar="N",
            parser=whole_number(1, also=-1),
        ),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Fit on this Dask scheduler.", metavar="ADDRESS")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            help="Most seconds a single fit may take.",
            metavar="SECONDS",
            parser=positive_number("60"),
        ),
    ] = None,
    memory_limit: Annotated[
        float | None,
        typer.Option(
            help="Most gigabytes a single fit may take.",
            metavar="GB",
            parser=positive_number("0.5"),
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Seed of the study.", metavar="N", parser=whole_number())
    ] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the verdict as JSON and nothing else.")
    ] = False,
    drop_rare: Annotated[
        bool, typer.Option("--drop-rare", help="Leave out classes too small for the folds.")
    ] = False,
    drop_unlabelled: Annotated[
        bool, typer.Option("--drop-unlabelled", help="Leave out rows without a label.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the page and the model if they exist.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask, also where it takes more than an hour.")
    ] = False,
) -> None:
    """Judge a table, a folder of them, or predictions; print the verdict and write its page."""
    given = dict(locals())  # the options are the request's fields, named alike
    with errors_explained(study) as fitting, candidates_print_aside(), progress_shown() as show:
        from polychotomy.study.workers.processes import warm_up

        # What most candidates need, imported by the fork server while the table is read.
        warm_up(("pandas", "sklearn.linear_model", "skrub"))
        from polychotomy.app import Request, judge_request

        given |= {"target": _one_target(target), "drop": tuple(dict.fromkeys(drop or ()))}
        asked = Request(**{field.name: given[field.name] for field in fields(Request)})
        judged = judge_request(asked, confirm=ask_first(yes), progress=fitting.watched(show))
    if as_json:
        print_json(judged.verdict)
    else:
        print_verdict(judged.verdict, judged.page)
    if not judged.verdict.is_clean:
        raise typer.Exit(1)


def _one_target(given: list[str] | None) -> str | None:
    """Return the target; of two, none would be meant for sure."""
    if given and len(given) > 1:
        from polychotomy.core.exceptions import InvalidInput

        raise InvalidInput(
            f"--target was given {len(given)} times: {', '.join(given)}; expected one."
        )
    return given[0] if given else None
