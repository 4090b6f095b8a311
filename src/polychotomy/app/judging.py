"""One table, judged: all is checked before the first fit."""

from __future__ import annotations

from collections import Counter
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
from polychotomy.app.request import Request, choose_page, repeat_command
from polychotomy.comparison import Criterion
from polychotomy.core.arguments import read_duration
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.files import spare_inputs
from polychotomy.core.numbers import counted
from polychotomy.study import Ledger, Study
from polychotomy.study.design.candidates import LeftOut, affordable_ladder, choose, with_tuning
from polychotomy.study.design.plan import Plan
from polychotomy.study.design.trials import TrialKey
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.progress import ShowProgress, as_show
from polychotomy.study.study import count_workers, plan_trials
from polychotomy.study.workers.cluster import share_cluster
from polychotomy.tables.column_notes import gather_notes, gravity
from polychotomy.verdict.anatomy import WORTH_WORKERS, count_fits
from polychotomy.verdict.conclusions import Drawn, run_to_verdict
from polychotomy.verdict.estimate import Estimate, estimate_cost, within_budget
from polychotomy.verdict.many import ManyVerdicts
from polychotomy.verdict.notes import note_rare, note_tuned
from polychotomy.verdict.question import (
    Question,
    check_question,
    criterion_of,
    criterion_on,
    mark_of,
    one_split_in_time,
    plan_of,
    rungs_of,
)
from polychotomy.verdict.verdict import Verdict

# Given a line to show at once.
Tell = Callable[[str], None]


# Told what a study is expected to take before it begins.
Confirm = Callable[[Estimate], None]


class Judged(NamedTuple):
    """A verdict, where its page was written, and whether it is one so far: somebody stopped it.

    ``no_model`` says why none was made where one was asked for.

    Examples
    --------
    >>> from polychotomy.app import Judged
    >>> Judged._fields
    ('verdict', 'page', 'stopped', 'no_model')
    """

    verdict: Verdict | ManyVerdicts
    page: Path
    stopped: bool = False
    no_model: str | None = None


class Told(NamedTuple):
    """Who is told lines at once, the estimate before the first fit, and every fit.

    Examples
    --------
    >>> from polychotomy.app.judging import Told
    >>> Told(tell=print).tell("wine: 178 rows")
    wine: 178 rows
    """

    tell: Tell = lambda _: None
    confirm: Confirm = lambda _: None
    progress: ShowProgress | None = None


_LONG_READ = 2**24  # bytes of a file of which nothing else is said for a second or more


def judge_table(request: Request, told: Told | None = None) -> Judged:
    """Judge candidates on a table and write the page.

    Everything that can be wrong with the request is checked before the first fit.
    """
    began, told = monotonic(), told or Told()
    if request.table and request.table.is_file() and request.table.stat().st_size > _LONG_READ:
        told.tell(f"reading {request.table.name}")
    prepared = prepare(request)
    page = _check_outputs(request, prepared)
    far = request.cluster is not None
    with share_cluster(request.cluster, request.study) if far else nullcontext() as cluster:
        estimate = estimate_request(request, prepared, told.tell)
        jobs = choose_jobs(request, 0.0 if estimate is None else estimate.seconds)
        running: dict[str, Any] = {}
        if estimate is not None and prepared.budget is not None:
            left = prepared.budget - (monotonic() - began)
            prepared, estimate = fit_into(prepared, estimate, jobs, left)
            running["expected"] = estimate.expected
        if estimate is not None:
            told.confirm(estimate.shared(jobs, on_cluster=far))
        running |= {"pilots": () if estimate is None else estimate.pilots, "n_jobs": jobs}
        running |= {"cluster": cluster, "progress": told.progress, "tell": told.tell}
        with _watched(request, prepared, page, running) as into:
            drawn = draw_verdict(request, prepared, into, began=began, **running)
    return _write(request, prepared, drawn, page)


def fit_into(
    prepared: Prepared, estimate: Estimate, jobs: int, left: float
) -> tuple[Prepared, Estimate]:
    """Leave out the candidates for which the seconds left are too few."""
    study, gone, estimate = within_budget(prepared.study, estimate, jobs, left)
    check_question(prepared.question, study)
    return prepared._replace(study=study, left_out=(*prepared.left_out, *gone)), estimate


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
    about |= {"anatomy": request.anatomy is not False, "known": _known(request, prepared)}
    grows = prepared.most_runs > 1
    draw = partial(draw_so_far, prepared.study, prepared.question, grows=grows, **about)
    running["tell"](f"the verdict so far is in {page}, which reloads itself")
    show = as_show(running["progress"])
    with live_page(page, request.study, draw, show) as (ledger, running["progress"]):
        yield ledger


def _known(request: Request, prepared: Prepared) -> dict[str, str]:
    known = {"fingerprint": prepared.mark}
    try:
        return known | {"command": repeat_command(request)}
    except Exception as error:  # what is recorded only adds to the answers
        return known | {"problem": f"{type(error).__name__}: {error}"}


def draw_verdict(
    request: Request, prepared: Prepared, into: Path | Ledger | None, **running: Any
) -> Drawn:
    """Run a prepared request into a ledger, or a file of one, and draw its verdict.

    ``running`` goes to :func:`run_study`, ``began`` beside it to :func:`run_to_verdict`.
    """
    return run_to_verdict(
        prepared.study, prepared.question, into,
        budget=prepared.budget, anatomy=request.anatomy, notes=prepared.data.table.notes,
        most_runs=prepared.most_runs, left_out=prepared.left_out, stoppable=True,
        by=None if request.by is None else (request.by, prepared.data.by),
        known=_known(request, prepared), limits=prepared.limits,
        **{"began": monotonic(), **running},
    )  # fmt: skip


class Prepared(NamedTuple):
    """A request whose every part was checked: nothing of it was fitted yet."""

    data: TableRequest
    question: Question
    study: Study
    left_out: tuple[LeftOut, ...]
    mark: str
    most_runs: int
    budget: float | None
    limits: Limits


def prepare(request: Request) -> Prepared:
    """Read the table and the candidates, and check all that can be wrong."""
    data = inputs.read_request(request)
    in_time, rows = request.time is not None, len(data.table.labels)
    how: dict[str, Any] = {"plan": request.plan, "race": request.race, "in_time": in_time}
    plan, most_runs = plan_of(request.rule, request.runs, rows=rows, **how)
    data = inputs.without_rare(data, plan, request.drop_rare)
    table = data.table
    candidates, left_out = _candidates(request, data)
    if request.jobs is not None:
        count_workers(request.jobs, "--jobs")
    limits = request.limits
    study = one_split_in_time(Study(
        candidates, table.X, table.labels, dataset=table.name, plan=plan, groups=data.groups,
        time=data.time, random_state=request.seed,
    ))  # fmt: skip
    if request.study is not None and request.study.exists():
        study = _as_known(study, request.study)
    if request.time is not None:  # a plan says what it lacks, here before any fit
        known = {"groups": study.data.groups, "time": study.data.time}
        study.plan.split(study.data.target.codes, seed=request.seed, **known)
    question = read_question(request, study.data.target.names)
    check_question(question, study)
    mark = mark_of(study.specification, question)
    budget = None if request.budget is None else read_duration(request.budget)
    return Prepared(data, question, study, left_out, mark, most_runs, budget, limits)


def _as_known(study: Study, path: Path) -> Study:
    """Return the study with the name that its file has for the data: the table may be renamed."""
    with Ledger(path, read_only=True) as ledger:
        stored = (ledger.fact("specification") or {}).get("datasets", {})
    own = study.specification["datasets"][study.dataset]["sha256"]
    names = [name for name, data in stored.items() if data["sha256"] == own]
    return study if study.dataset in stored or not names else replace(study, dataset=names[0])


def _candidates(request: Request, data: TableRequest) -> tuple[dict[str, Any], tuple[LeftOut, ...]]:
    path = _file(request.candidates, ".py")
    if path is not None:
        if request.tune:
            raise InvalidInput(
                "--tune is for built-in candidates; in a file, tuned(estimator, grid) of "
                "polychotomy makes one."
            )
        return inputs.read_candidates(path, getattr(data.table.X, "columns", ())), ()
    left_out: tuple[LeftOut, ...] = ()
    if request.candidates is None:
        rows, columns = data.table.X.shape
        classes = len(set(data.table.labels.tolist()))
        chosen, left_out = affordable_ladder(rows, classes, columns=max(columns, 1))
    else:
        chosen = choose([name.strip() for name in request.candidates.split(",")])
    return with_tuning(chosen) if request.tune else chosen, left_out


def _file(text: str | None, suffix: str) -> Path | None:
    return Path(text) if text and text.endswith(suffix) else None


def _check_outputs(request: Request, prepared: Prepared) -> Path:
    outputs = {"--output": request.output, "--model": request.model}
    inputs_named = {"table": request.table, "study": request.study}
    inputs_named["candidates file"] = _file(request.candidates, ".py")
    inputs_named["cost matrix"] = _file(request.loss, ".csv")
    spare_inputs(outputs, inputs_named)
    page = choose_page(request, prepared.data.table.name, request.study, prepared.mark)
    if request.model is not None:
        from polychotomy.model import check_model_path

        check_model_path(request.model, force=request.force)
    return page


def estimate_request(request: Request, prepared: Prepared, tell: Tell) -> Estimate | None:
    """Estimate what is left to do, by one worker; None where all is recorded.

    What is known before any fit is told first: on a large table an estimate takes a while.
    """
    study = prepared.study
    fits, first, extra = _to_do(request, study)
    if not any(fits.values()):
        return None
    rungs = rungs_of(study, prepared.question)
    rows, columns = counted(study.data.n, "row"), counted(np.shape(study.X)[1], "column")
    classes = counted(len(study.data.target.classes), "class")
    candidates = counted(len(study.candidates), "candidate")
    tell(f"{study.dataset}: {rows}, {columns}, {classes}; {candidates}")
    target, noted = study.data.target, prepared.data.table.notes
    rare = gather_notes(lambda: note_rare(prepared.question, target.names, target.codes))
    for note in sorted((*noted, *rare), key=gravity):
        tell(f"{'warning' if getattr(note, 'kind', '') else 'note'}: {note}")
    not_tried = (f"not tried: {one.name} ({one.reason})" for one in prepared.left_out)
    for line in (*not_tried, *gather_notes(lambda: note_tuned(study))):
        tell(line)
    if rungs:
        few = counted(rungs[0].train, "row")
        tell(f"fitted on {few} first, then on more; on all rows only who may be the best")
    found = estimate_cost(
        study, fits=fits, first=first, extra=extra, extra_unasked=request.anatomy is None,
        before=sum(rung.train for rung in rungs) / (study.data.n * study.plan.training_share),
        most_runs=prepared.most_runs, limits=prepared.limits, budget=prepared.budget,
    )  # fmt: skip
    return replace(found, race=request.race)


def choose_jobs(request: Request, seconds: float) -> int:
    """Return the workers to use: those asked for, or as many as pay."""
    if request.jobs is not None:
        return count_workers(request.jobs)
    return 1 if seconds < WORTH_WORKERS else count_workers(-1)


def _to_do(request: Request, study: Study) -> tuple[dict[str, int], dict[str, TrialKey], int]:
    """Fits not recorded yet: of each candidate, its first, and of questions on the winner."""
    planned = plan_trials([study.dataset], study.candidates, {study.plan.name: study.plan})
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
    left = [key for key in planned if key not in done and key.candidate not in stopped]
    fits = dict.fromkeys(study.candidates, 0) | Counter(key.candidate for key in left)
    return fits, {key.candidate: key for key in reversed(left)}, max(extra, 0)


def _write(request: Request, prepared: Prepared, drawn: Drawn, page: Path) -> Judged:
    """Write the model, then the page that names it; without it where there is none."""
    verdict, no_model = drawn.verdict, None
    verdict.to_html(page)  # it is there whatever becomes of the model
    if request.model is not None:
        try:
            _save_model(request, request.model, prepared, verdict)
            verdict = replace(verdict, model=request.model.name)
            verdict.to_html(page)
        except LearnerError as error:  # what was found in hours is told all the same
            no_model = str(error)
    return Judged(verdict, page, drawn.stopped, no_model)


def _save_model(request: Request, path: Path, prepared: Prepared, verdict: Verdict) -> None:
    from polychotomy.model import check_model_path
    from polychotomy.model.fitting import winner_options, write_model

    options = winner_options(verdict)
    check_model_path(path, force=request.force)
    table, estimator = prepared.data.table, prepared.study.candidates[verdict.best]
    options |= {"target": table.target, "limits": request.limits}
    write_model(path, estimator, table.X, table.labels, **options)


def read_question(request: Request, classes: Sequence[str], plan: Plan | None = None) -> Question:
    """Return what a request asks of data with these classes, or of predictions by a plan."""
    path = _file(request.loss, ".csv")
    if path is None:
        criterion = criterion_of(request.loss)
    else:
        criterion = Criterion(name="cost", costs=inputs.read_costs(path, classes))
    if plan is not None:
        criterion = criterion_on(plan, criterion)
    same = ("rule", "margin", "prefer", "against", "race")
    return Question(criterion=criterion, **{name: getattr(request, name) for name in same})
