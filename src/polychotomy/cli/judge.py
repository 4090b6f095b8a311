"""``polychotomy judge`` and its options."""

from __future__ import annotations

import json
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
)

_LOSSES = (
    *("error", "log-loss", "auc", "brier", "balanced-error", "macro-f1", "mcc", "kappa"),
    "recall-at-precision",
)


def option(metavar: str | None, help: str, default: Any = None, *names: str, **how: Any) -> Any:
    """Return an option that takes a value."""
    return typer.Option(default, *names, help=help, metavar=metavar, **how)


def argument(metavar: str, help: str, **how: Any) -> Any:
    """Return what has to be given, by its place."""
    return typer.Argument(..., help=help, metavar=metavar, **how)


def flag(name: str, help: str) -> Any:
    """Return an option that is given or not."""
    return typer.Option(False, name, help=help)


def output_option(help: str, metavar: str = "FILE") -> Any:
    """Return the option that says where to write."""
    return option(metavar, help, None, "--output", "-o")


def one_of(*choices: str) -> Callable[[], list[str]]:
    """Return what the shell completes an option's value from."""
    return lambda: list(choices)


SHEET = option("NAME", "Of a workbook, the sheet to read [the first].")

ENCODING = option("NAME", "Of a text, such as cp1252 [found].")


def judge(
    table: Path | None = typer.Argument(
        None,
        help="A table (.csv, .tsv, .xlsx, .ods, .parquet, .jsonl, .feather, .arff, .sav, .dta, "
        "…), a folder of tables, or a plan (.toml). None: the built-in example.",
        metavar="TABLE",
        show_default=False,
    ),
    target: list[str] | None = option("COLUMN", "The column that holds the classes."),
    sheet: str | None = SHEET,
    encoding: str | None = ENCODING,
    output: Path | None = output_option("The page [<table>-verdict.html].", "PAGE.html"),
    study: Path | None = option("FILE", "Keep every fit in this file; the same command resumes."),
    candidates: str | None = option(
        "NAMES|FILE.py",
        "Built-in candidates in order of preference, separated by commas, or a Python file with "
        "a dict 'candidates'.",
    ),
    tune: bool = flag("--tune", "Search settings of the built-in candidates in every fit."),
    prefer: str = option(
        "listed|time|memory",
        "Of equals take the first listed, the fastest, or the smallest as a fitted model.",
        "listed",
        autocompletion=one_of("listed", "time", "memory"),
    ),
    rule: str = option(
        "margin|paper",
        "margin: the most preferred within a margin of the rest. paper: MultiTest by 5×2 folds.",
        "margin",
        autocompletion=one_of("margin", "paper"),
    ),
    margin: float | None = option(
        "NUMBER", "Difference of no practical meaning [0.01, or 1 % of the largest cost]."
    ),
    loss: str = option(
        "NAME|FILE.csv",
        f"By what to compare: {', '.join(_LOSSES)}; a CSV file is a cost matrix, rows true, "
        "columns predicted.",
        "error",
        autocompletion=one_of(*_LOSSES),
    ),
    group: str | None = option("COLUMN", "Keep rows of one value of this column together."),
    by: str | None = option(
        "COLUMN", "Say in which groups of this column the chosen one errs more."
    ),
    time: str | None = option("COLUMN", "Test on later rows only, by this column."),
    drop: list[str] | None = option("COLUMN", "Leave this column out; can be given several times."),
    against: str | None = option(
        "NAME|baseline",
        "Exit with 1 if the best of the others is shown to be worse than this one; baseline: MAX.",
    ),
    race: bool = flag("--race", "Stop candidates early that are shown to be worse."),
    runs: int = option("N", "Runs of the cross-validation.", 1, min=1),
    plan: str | None = option(
        "5x5", "Repetitions x folds [1x5, repeated while that may change the choice]."
    ),
    anatomy: bool | None = option(
        None,
        "Ask what limits the winner, what would help, and which columns matter [if quick].",
        None,
        "--anatomy/--no-anatomy",
    ),
    budget: str | None = option("10min", "Time for all of it; what it does not allow is left out."),
    predictions: Path | None = option(
        "FILE",
        "Judge predictions made elsewhere, a row each: candidate, sample, truth, and predicted or "
        "p:<class>, or correct, or score. More on the page 'The command line'.",
    ),
    learners: str | None = option("NAMES", "Of predictions, the models' columns [found]."),
    higher_better: bool | None = option(
        None, "Of predictions, which scores are better.", None, "--higher-better/--lower-better"
    ),
    model: Path | None = option("FILE", "Write the winner, fitted to all rows, to this file."),
    jobs: int | None = option("N", "Worker processes; -1: one for each processor [as pays]."),
    cluster: str | None = option("ADDRESS", "Fit on this Dask scheduler."),
    time_limit: float | None = option("SECONDS", "Most seconds a fit may take."),
    memory_limit: float | None = option("GB", "Most gigabytes a fit may take."),
    seed: int = option("N", "Seed of the study.", 0, min=0),
    as_json: bool = flag("--json", "Print the verdict as JSON and nothing else."),
    drop_rare: bool = flag("--drop-rare", "Leave out classes too small for the folds."),
    drop_unlabelled: bool = flag("--drop-unlabelled", "Leave out rows without a label."),
    live: bool = flag("--live", "Keep the page current while fits are made; it reloads itself."),
    mlflow: bool = flag("--mlflow", "Log a run of MLflow, where MLFLOW_TRACKING_URI says."),
    force: bool = flag("--force", "Overwrite the page and the model if they exist."),
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

        if predictions is None:
            # What most candidates need, imported by the fork server while the table is read.
            warm_up(("pandas", "sklearn.linear_model"))
        from polychotomy.app import Request, judge_request
        from polychotomy.core.exceptions import InvalidInput

        if target and len(target) > 1:  # none would be meant for sure
            times = f"{len(target)} times: {', '.join(target)}"
            raise InvalidInput(f"--target was given {times}; expected one.")
        given |= {"target": target[0] if target else None, "drop": tuple(dict.fromkeys(drop or ()))}
        asked = Request(**{field.name: given[field.name] for field in fields(Request)})
        judged = judge_request(
            asked, progress=fitting.watched(show), tell=lambda line: typer.echo(line, err=True),
            confirm=lambda estimate: typer.echo(f"expected: {estimate}", err=True),
        )  # fmt: skip
    if as_json:
        document = judged.verdict.to_dict()
        typer.echo(json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False))
    else:
        print_verdict(judged.verdict, judged.page)
    if judged.stopped:
        raise typer.Exit(130)
    if judged.no_model:
        typer.echo(f"error: {judged.no_model}", err=True)
    gate = getattr(judged.verdict, "gate", None)
    if gate is not None and not gate.passed:
        why = f"{gate.challenger} is shown to be worse than {gate.against}"
        typer.echo(f"exit code 1: {why}", err=True)
    if judged.no_model or not judged.verdict.is_clean:
        raise typer.Exit(1)
