"""``polychotomy judge`` and its options; numbers are read with a message that quotes them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from polychotomy.cli.terminal import (
    candidates_print_aside,
    errors_explained,
    print_verdict,
    progress_shown,
    show_estimate,
    show_line,
)

_LOSSES = [
    *("error", "log-loss", "auc", "brier", "balanced-error", "macro-f1", "mcc", "kappa"),
    "recall-at-precision",
]


def output_option(help: str, metavar: str = "FILE") -> Any:
    """Return the option that says where to write."""
    return typer.Option(None, "--output", "-o", help=help, metavar=metavar)


SHEET = typer.Option(None, help="Of a workbook, the sheet to read [the first].", metavar="NAME")

ENCODING = typer.Option(None, help="Of a text, such as cp1252 [found].", metavar="NAME")


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
    expected = f"expected a number {'of at least' if or_zero else 'above'} 0, as {such_as}."

    def read(given: str) -> float:
        number = any_number(such_as)(given)
        if not 0 <= number < math.inf or (number == 0 and not or_zero):
            raise typer.BadParameter(f"it is {given}; {expected}")
        return number

    return read


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
            message = f"{given!r} is no number; expected one, as {such_as}."
            raise typer.BadParameter(message) from None

    return read


def judge(
    table: Path | None = typer.Argument(
        None,
        help="A table (.csv, .tsv, .xlsx, .ods, .parquet, .jsonl, .feather, .arff, .sav, .dta, "
        "…), a folder of tables, or a plan (.toml). None: the built-in example.",
        metavar="TABLE",
        show_default=False,
    ),
    target: list[str] | None = typer.Option(
        None, help="The column that holds the classes.", metavar="COLUMN"
    ),
    sheet: str | None = SHEET,
    encoding: str | None = ENCODING,
    output: Path | None = output_option(
        "Where to write the page [<table>-verdict.html].", "PAGE.html"
    ),
    study: Path | None = typer.Option(
        None, help="Keep every fit in this file; the same command resumes from it.", metavar="FILE"
    ),
    candidates: str | None = typer.Option(
        None,
        help="Built-in candidates in order of preference, separated by commas, or a Python "
        "file with a dict 'candidates'.",
        metavar="NAMES|FILE.py",
    ),
    tune: bool = typer.Option(
        False,
        "--tune",
        help="Search settings of the built-in candidates in every fit, on its training part.",
    ),
    prefer: str = typer.Option(
        "listed",
        help="Order of preference: as listed (simplest first), by measured time, or by the "
        "size of the fitted model.",
        metavar="listed|time|memory",
        autocompletion=lambda: ["listed", "time", "memory"],
    ),
    rule: str = typer.Option(
        "margin",
        help="margin: by 5 folds, the most preferred within a margin of the rest. paper: "
        "MultiTest by 5×2 folds, keeps a preferred candidate unless shown worse.",
        metavar="margin|paper",
        autocompletion=lambda: ["margin", "paper"],
    ),
    margin: float | None = typer.Option(
        None,
        help="Difference of no practical meaning [0.01: one point of error; with a cost matrix "
        "1 % of the largest cost, by size; at most 1/20 of what guessing costs].",
        metavar="NUMBER",
        parser=any_number("0.01"),
    ),
    loss: str = typer.Option(
        "error",
        help=f"By what to compare: {', '.join(_LOSSES)}; a CSV file is a cost matrix, rows true, "
        "columns predicted.",
        metavar="NAME|FILE.csv",
        autocompletion=lambda: _LOSSES,
    ),
    group: str | None = typer.Option(
        None, help="Keep rows of one value of this column together.", metavar="COLUMN"
    ),
    by: str | None = typer.Option(
        None,
        help="Say in which groups of this column the chosen one errs more; it stays a feature "
        "unless it is dropped.",
        metavar="COLUMN",
    ),
    time: str | None = typer.Option(
        None, help="Test on later rows only, by this column.", metavar="COLUMN"
    ),
    drop: list[str] | None = typer.Option(
        None, help="Leave this column out. Can be given several times.", metavar="COLUMN"
    ),
    against: str | None = typer.Option(
        None,
        help="Exit with 1 if the best of the other candidates is shown to be worse than this "
        "one. baseline: the one that ignores the features, MAX; it must be among --candidates.",
        metavar="NAME|baseline",
    ),
    race: bool = typer.Option(
        False,
        "--race",
        help="Stop candidates early that are shown to be worse than a more preferred one.",
    ),
    runs: int = typer.Option(
        1, help="Runs of the cross-validation.", metavar="N", parser=whole_number(1)
    ),
    plan: str | None = typer.Option(
        None,
        help="Repetitions x folds [1x5, repeated up to 5 times while that may change the choice].",
        metavar="5x5",
    ),
    anatomy: bool | None = typer.Option(
        None,
        "--anatomy/--no-anatomy",
        help="Ask what limits the winner, whether bagging or more data help, and which columns "
        "matter "
        "[where that takes no longer than half of the comparison].",
        show_default=False,
    ),
    budget: str | None = typer.Option(
        None, help="Time for all of it; what it does not allow is left out.", metavar="10min"
    ),
    predictions: Path | None = typer.Option(
        None,
        help="Judge predictions made elsewhere, a row each, in a file of any kind of table, "
        "with columns candidate, sample, truth, and p:<class> for every class or predicted, or "
        "correct (1 or 0) or score in place of these, or a column for each model. More of it: "
        "'Predictions made elsewhere' on the page 'The command line'.",
        metavar="FILE",
    ),
    learners: str | None = typer.Option(
        None, help="Of predictions, the models' columns, by commas [found].", metavar="NAMES"
    ),
    higher_better: bool | None = typer.Option(
        None,
        "--higher-better/--lower-better",
        help="Of predictions, compare by their scores: which are better.",
        show_default=False,
    ),
    model: Path | None = typer.Option(
        None, help="Write the winner, fitted to all rows, to this file.", metavar="FILE"
    ),
    jobs: int | None = typer.Option(
        None,
        help="Worker processes; -1: one a processor [1 if quick, else one a processor].",
        metavar="N",
        parser=whole_number(1, also=-1),
    ),
    cluster: str | None = typer.Option(None, help="Fit on this Dask scheduler.", metavar="ADDRESS"),
    time_limit: float | None = typer.Option(
        None,
        help="Most seconds a single fit may take.",
        metavar="SECONDS",
        parser=positive_number("60"),
    ),
    memory_limit: float | None = typer.Option(
        None,
        help="Most gigabytes a single fit may take.",
        metavar="GB",
        parser=positive_number("0.5"),
    ),
    seed: int = typer.Option(0, help="Seed of the study.", metavar="N", parser=whole_number()),
    as_json: bool = typer.Option(
        False, "--json", help="Print the verdict as JSON and nothing else."
    ),
    drop_rare: bool = typer.Option(
        False, "--drop-rare", help="Leave out classes too small for the folds."
    ),
    drop_unlabelled: bool = typer.Option(
        False, "--drop-unlabelled", help="Leave out rows without a label."
    ),
    live: bool = typer.Option(
        False, "--live", help="Keep the page current from the first fits on; it reloads itself."
    ),
    mlflow: bool = typer.Option(
        False,
        "--mlflow",
        help="Log numbers, page and model as a run of MLflow, where MLFLOW_TRACKING_URI says.",
    ),
    force: bool = typer.Option(
        False, "--force", help="Overwrite the page and the model if they exist."
    ),
) -> None:
    """Say which classifier to use on TABLE, and write a page that shows why.

    Examples:

    \b
      polychotomy judge                                    the built-in example
      polychotomy judge plants.csv --target species
      polychotomy judge plants.xlsx --sheet 2026 --target species
      polychotomy judge plants.csv --target species --study plants.polychotomy --jobs 2
      polychotomy judge plants.csv --target species --candidates mine.py --margin 0.02
      polychotomy judge visits.csv --target outcome --group patient --loss log-loss
      polychotomy judge plants.csv --target species --model plants.skops
      polychotomy judge plants.csv --target species --candidates new.py --against old
      polychotomy judge --predictions made-elsewhere.csv
      polychotomy judge tables/ --target class             every table in a folder

    Exit code 0: done. 1: done, but something failed or a gate was not passed, or a file could
    not be written; said which. 2: the request was wrong, nothing was run. 130: stopped by
    Ctrl-C, with the verdict so far where one repetition was complete.
    """
    given = dict(locals())  # the options are the request's fields, named alike
    with errors_explained(study) as fitting, candidates_print_aside(), progress_shown() as show:
        from polychotomy.study.workers.processes import warm_up

        # What most candidates need, imported by the fork server while the table is read.
        warm_up(("pandas", "sklearn.linear_model", "skrub"))
        from polychotomy.app import Request, judge_request
        from polychotomy.core.exceptions import InvalidInput

        if target and len(target) > 1:  # none would be meant for sure
            times = f"{len(target)} times: {', '.join(target)}"
            raise InvalidInput(f"--target was given {times}; expected one.")
        given |= {"target": target[0] if target else None}
        given |= {"drop": tuple(dict.fromkeys(drop or ()))}
        asked = Request(**{field.name: given[field.name] for field in fields(Request)})
        judged = judge_request(
            asked, tell=show_line, confirm=show_estimate, progress=fitting.watched(show)
        )
    if as_json:
        document = judged.verdict.to_dict()
        typer.echo(json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False))
    else:
        print_verdict(judged.verdict, judged.page)
    if judged.stopped:
        raise typer.Exit(130)
    if not judged.verdict.is_clean:
        raise typer.Exit(1)
