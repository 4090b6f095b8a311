"""One table, judged: all is checked before the first fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from polychotomy.app import inputs
from polychotomy.app.inputs import TableRequest
from polychotomy.app.request import (
    Request,
    check_study_path,
    choose_page,
    repeat_command,
    spare_inputs,
)
from polychotomy.comparison import Criterion
from polychotomy.core.arguments import read_duration
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.numbers import counted
from polychotomy.study import Ledger, Study
from polychotomy.study.design.candidates import LeftOut, affordable_ladder, choose, with_tuning
from polychotomy.study.design.plan import Plan
from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.progress import ShowProgress, as_show
from polychotomy.study.study import count_workers, plan_trials
from polychotomy.study.workers.cluster import share_cluster
from polychotomy.verdict.anatomy import WORTH_WORKERS, count_fits
from polychotomy.verdict.estimate import Estimate, estimate_cost, within_budget
from polychotomy.verdict.judge import Drawn, run_to_verdict
from polychotomy.verdict.many import ManyVerdicts
from polychotomy.verdict.notes import note_tuned
from polychotomy.verdict.question import (
    Question,
    check_question,
    criterion_named,
    criterion_on,
    mark_of,
    one_split_in_time,
    plan_of,
    rungs_of,
)
from polychotomy.verdict.verdict import Verdict

Tell = Callable[[str], None]
"""Given a line to show at once."""


Confirm = Callable[[Estimate], None]
"""Told what a study is expected to take before it begins."""


class Judged(NamedTuple):
    """A verdict, where its page was written, and whether it is one so far: somebody stopped it.

    Examples
    --------
    >>> from polychotomy.app import Judged
    >>> Judged._fields
    ('verdict', 'page', 'stopped')
    """

    verdict: Verdict | ManyVerdicts
    page: Path
    stopped: bool = False


def judge_table(
    request: Request,
    *,
    tell: Tell | None = None,
    confirm: Confirm | None = None,
    progress: ShowProgress | None = None,
) -> Judged:
    """Judge candidates on a table and write the page.

    Everything that can be wrong with the request is checked before the first fit.
    """
    began = monotonic()
    prepared = prepare(request)
    asked = (
        nullcontext() if request.cluster is None else share_cluster(request.cluster, request.study)
    )
    with asked as cluster:
        estimate = estimate_request(request, prepared, tell)
        jobs = choose_jobs(request, 0.0 if estimate is None else estimate.seconds)
        if estimate is not None and prepared.budget is not None:
            left = prepared.budget - (monotonic() - began)
            study, gone, estimate = within_budget(prepared.study, estimate, jobs, left)
            check_question(prepared.question, study)
            prepared = prepared._replace(study=study, left_out=(*prepared.left_out, *gone))
        if confirm is not None and estimate is not None:
            confirm(estimate.shared(jobs, on_cluster=cluster is not None))
        pilots = () if estimate is None else estimate.pilots
        running: dict[str, Any] = {"n_jobs": jobs, "cluster": cluster, "progress": progress}
        running["tell"] = tell
        page = prepared.page
        assert page is not None
        with _watched(request, prepared, page, running) as into:
            drawn = draw_verdict(request, prepared, into, pilots, began=began, **running)
    return Judged(_write(request, prepared, drawn.verdict, page), page, drawn.stopped)


@contextmanager
def _watched(
    request: Request, prepared: Prepared, page: Path, running: dict[str, Any]
) -> Iterator[Path | Ledger | None]:
    """Give what to run into; with --live, ``running`` keeps the page current, too."""
    if not request.live:
        yield request.study
        return
    from polychotomy.app.live import draw_so_far, live_page

    about: dict[str, Any] = {"left_out": prepared.left_out, "notes": prepared.data.table.notes}
    about |= {"anatomy": request.anatomy is not False, **_about(request, prepared)}
    grows = prepared.most_runs > 1
    draw = partial(draw_so_far, prepared.study, prepared.question, grows=grows, **about)
    if running["tell"] is not None:
        running["tell"](f"the verdict so far is in {page}, which reloads itself")
    show = as_show(running["progress"])
    with live_page(page, request.study, draw, show) as (ledger, running["progress"]):
        yield ledger


def _about(request: Request, prepared: Prepared) -> dict[str, str]:
    return {"command": repeat_command(request), "mark": prepared.mark}


def draw_verdict(
    request: Request,
    prepared: Prepared,
    into: Path | Ledger | None,
    pilots: Sequence[Outcome],
    *,
    began: float | None = None,
    **running: Any,
) -> Drawn:
    """Run a prepared request into a ledger, or a file of one, and draw its verdict.

    ``running`` goes to :func:`run_study`.
    """
    return run_to_verdict(
        prepared.study,
        prepared.question,
        into,
        began=monotonic() if began is None else began,
        budget=prepared.budget,
        anatomy=request.anatomy,
        notes=prepared.data.table.notes,
        most_runs=prepared.most_runs,
        left_out=prepared.left_out,
        by=None if request.by is None else (request.by, prepared.data.by),
        stoppable=True,
        about=_about(request, prepared),
        pilots=pilots,
        limits=prepared.limits,
        **running,
    )


class Prepared(NamedTuple):
    """A request whose every part was checked: nothing of it was fitted yet."""

    data: TableRequest
    question: Question
    study: Study
    left_out: tuple[LeftOut, ...]
    mark: str
    limits: Limits
    most_runs: int
    budget: float | None
    page: Path | None  # of a request for one table


def prepare(request: Request, *, alone: bool = True) -> Prepared:
    """Read the table and the candidates, and check all that can be wrong.

    ``alone``: the request is for one table, with a page of its own.
    """
    if request.seed < 0:
        raise InvalidInput(f"the seed is {request.seed}; expected 0 or more.")
    if request.jobs == 0:
        raise InvalidInput("--jobs is 0; expected 1 or more, or -1 for one for each processor.")
    columns = inputs.Columns(request.group, request.time, request.drop, request.by)
    data = inputs.read_request(
        request.table,
        request.target,
        columns,
        drop_unlabelled=request.drop_unlabelled,
        sheet=request.sheet,
        encoding=request.encoding,
    )
    plan, most_runs = plan_of(
        request.rule,
        request.runs,
        plan=request.plan,
        race=request.race,
        in_time=request.time is not None,
        rows=len(data.table.labels),
    )
    data = inputs.without_rare(data, plan, request.drop_rare)
    table = data.table
    candidates, left_out = _candidates(request.candidates, data)
    if request.tune:
        if _file(request.candidates, ".py") is not None:
            raise InvalidInput(
                "--tune is for built-in candidates; in a file, tuned(estimator, grid) of "
                "polychotomy makes one."
            )
        candidates = with_tuning(candidates)
    study = Study(
        candidates,
        table.X,
        table.labels,
        dataset=table.name,
        plan=plan,
        groups=data.groups,
        time=data.time,
        random_state=request.seed,
    )
    study = one_split_in_time(study)
    if request.study is not None and request.study.exists():
        study = _as_known(study, request.study)
    if request.time is not None:
        check_time_folds(study, group=request.group, time=request.time)
    question = read_question(request, study.data.target.names)
    check_question(question, study)
    mark, limits = mark_of(study.specification, question), request.limits
    page = _check_outputs(request, table.name, mark) if alone else None
    budget = None if request.budget is None else read_duration(request.budget)
    return Prepared(data, question, study, left_out, mark, limits, most_runs, budget, page)


def _as_known(study: Study, path: Path) -> Study:
    """Return the study with the name that its file has for the data: the table may be renamed."""
    with Ledger(path, read_only=True) as ledger:
        stored = (ledger.fact("specification") or {}).get("datasets", {})
    own = study.specification["datasets"][study.dataset]["sha256"]
    names = [name for name, data in stored.items() if data["sha256"] == own]
    return study if study.dataset in stored or not names else replace(study, dataset=names[0])


def check_time_folds(study: Study, *, group: str | None, time: str) -> None:
    """Refuse times, or times with groups, that leave a fold nothing to learn or to predict.

    Parameters
    ----------
    group, time : str
        The columns, to be named in the message.
    """
    data, plan = study.data, study.plan
    try:
        plan.split(data.target.codes, groups=data.groups, time=data.time, seed=study.random_state)
    except InvalidInput as error:
        found = str(error).split("; expected")[0]
        if group is None:
            blocks = getattr(plan, "n_blocks", 2)
            raise InvalidInput(
                f"the rows cannot be cut into {blocks} blocks by --time {time!r}: "
                f"{found}. Take a finer time, add rows, or leave --time out."
            ) from None
        raise InvalidInput(
            f"--time {time!r} and --group {group!r} leave nothing to test, as only rows of groups "
            f"not seen before are: {found}. Keep one of the two: --time to test on later rows, "
            "--group to test on new groups."
        ) from None


def _candidates(
    asked: str | None, data: TableRequest
) -> tuple[dict[str, Any], tuple[LeftOut, ...]]:
    if asked is None:
        rows, columns = data.table.X.shape
        classes = len(set(data.table.labels.tolist()))
        return affordable_ladder(rows, classes, columns=max(columns, 1))
    path = _file(asked, ".py")
    if path is not None:
        return inputs.read_candidates(path), ()
    names = [name.strip() for name in asked.split(",")]
    if not all(names):
        raise InvalidInput(
            f"--candidates {asked!r} has an empty name; expected names separated by commas, or a "
            "file whose name ends in .py."
        )
    return choose(names), ()


def _file(text: str | None, suffix: str) -> Path | None:
    return Path(text) if text and text.endswith(suffix) else None


def _check_outputs(request: Request, name: str, mark: str) -> Path:
    spare_inputs(
        {"--output": request.output, "--model": request.model},
        {
            "table": request.table,
            "study": request.study,
            "candidates file": _file(request.candidates, ".py"),
            "cost matrix": _file(request.loss, ".csv"),
        },
    )
    page = choose_page(request, name, request.study, mark)
    check_study_path(request.study)
    if request.model is not None:
        from polychotomy.model import check_model_path

        check_model_path(request.model, force=request.force)
    return page


def estimate_request(
    request: Request, prepared: Prepared, tell: Tell | None = None
) -> Estimate | None:
    """Estimate what is left to do, by one worker; None where all is recorded.

    What is known before any fit is told first: on a large table an estimate takes a while.
    """
    fits, first, extra = _to_do(request, prepared.study)
    if not any(fits.values()):
        return None
    study = prepared.study
    rungs = rungs_of(study, prepared.question)
    if tell is not None:
        columns = counted(np.shape(study.X)[1], "column")
        classes = counted(len(study.data.target.classes), "class")
        candidates = counted(len(study.candidates), "candidate")
        rows = counted(study.data.n, "row")
        tell(f"{study.dataset}: {rows}, {columns}, {classes}; {candidates}")
        for note in prepared.data.table.notes:
            tell(f"{'warning' if getattr(note, 'kind', '') else 'note'}: {note}")
        for one in prepared.left_out:
            tell(f"not tried: {one.name} ({one.reason})")
        for note in note_tuned(study):
            tell(note)
        if rungs:
            few = counted(rungs[0].train, "row")
            tell(f"fitted on {few} first, then on more; on all rows only who may be the best")
    found = estimate_cost(
        study,
        fits=fits,
        first=first,
        extra=extra,
        extra_unasked=request.anatomy is None,
        most_runs=prepared.most_runs,
        before=sum(rung.train for rung in rungs) / (study.data.n * study.plan.training_share),
        limits=prepared.limits,
    )
    return replace(found, race=request.race)


def choose_jobs(request: Request, seconds: float) -> int:
    """Return the workers to use: those asked for, or as many as pay."""
    if request.jobs is not None:
        return count_workers(request.jobs)
    return 1 if seconds < WORTH_WORKERS else count_workers(-1)


def _to_do(request: Request, study: Study) -> tuple[dict[str, int], dict[str, TrialKey], int]:
    """Fits not recorded yet: of each candidate, its first, and of questions on the winner."""
    planned = list(plan_trials([study.dataset], study.candidates, {study.plan.name: study.plan}))
    extra = 0 if request.anatomy is False else count_fits(study)
    done: set[TrialKey] = set()
    stopped: set[str] = set()
    if request.study is not None and request.study.exists():
        with Ledger(request.study, read_only=True) as ledger:
            done = {key for key in ledger.finished() if key.dataset == study.dataset}
            extra -= sum(
                key.plan != study.plan.name and key.candidate in study.candidates for key in done
            )
            asked = (ledger.fact("columns") or {}).get(study.dataset) or {}
            extra -= max((one.get("fits", 0) for one in asked.values()), default=0)
            for stop in ledger.stopped() if request.race else ():
                if (stop["dataset"], stop["plan"]) == (study.dataset, study.plan.name):
                    stopped.add(stop["candidate"])
    fits = dict.fromkeys(study.candidates, 0)
    first: dict[str, TrialKey] = {}
    for key in planned:
        if key not in done and key.candidate not in stopped:
            fits[key.candidate] += 1
            first.setdefault(key.candidate, key)
    return fits, first, max(extra, 0)


def _write(request: Request, prepared: Prepared, verdict: Verdict, page: Path) -> Verdict:
    """Write the model, then the page that names it; without it where there is none."""
    if request.model is None:
        verdict.to_html(page)
        return verdict
    try:
        _save_model(request, request.model, prepared, verdict)
    except LearnerError:
        verdict.to_html(page)
        raise
    named = replace(verdict, model=request.model.name)
    named.to_html(page)
    return named


def _save_model(request: Request, path: Path, prepared: Prepared, verdict: Verdict) -> None:
    from polychotomy.model import check_model_path
    from polychotomy.model.fitting import winner_options, write_model

    options = winner_options(verdict)
    check_model_path(path, force=request.force)
    table = prepared.data.table
    write_model(
        path,
        prepared.study.candidates[verdict.best],
        table.X,
        table.labels,
        target=table.target,
        limits=prepared.limits,
        **options,
    )


def read_question(request: Request, classes: Sequence[str], plan: Plan | None = None) -> Question:
    """Return what a request asks of data with these classes, or of predictions by a plan."""
    path = _file(request.loss, ".csv")
    if path is None:
        criterion = criterion_named(request.loss)
    else:
        criterion = Criterion(name="cost", costs=inputs.read_costs(path, classes))
    if plan is not None:
        criterion = criterion_on(plan, criterion)
    return Question(
        rule=request.rule,
        margin=request.margin,
        criterion=criterion,
        prefer=request.prefer,
        against=request.against,
        race=request.race,
    )
