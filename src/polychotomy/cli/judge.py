"""``polychotomy judge``: which classifier to use, and a page that shows why."""

from __future__ import annotations

from dataclasses import fields

import typer

from polychotomy.cli import options
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


def judge(
    table: options.Table = None,
    target: options.Target = None,
    output: options.Output = None,
    study: options.Study = None,
    candidates: options.Candidates = None,
    prefer: options.Prefer = "listed",
    rule: options.Rule = "margin",
    margin: options.Margin = None,
    loss: options.Loss = "error",
    group: options.Group = None,
    time: options.Time = None,
    drop: options.Drop = None,
    against: options.Against = None,
    race: options.Race = False,
    runs: options.Runs = 1,
    anatomy: options.Anatomy = True,
    predictions: options.Predictions = None,
    model: options.Model = None,
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    time_limit: options.TimeLimit = None,
    memory_limit: options.MemoryLimit = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    drop_rare: options.DropRare = False,
    drop_unlabelled: options.DropUnlabelled = False,
    force: options.Force = False,
    yes: options.Yes = False,
) -> None:
    """Judge a table, a folder of them, or predictions; print the verdict and write its page."""
    given = dict(locals())  # the options are the request's fields, named alike
    with errors_explained(study) as fitting, candidates_print_aside(), progress_shown() as show:
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
