"""Many tables judged together, with one page over all; and predictions, of one or more."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from polychotomy.app import judging
from polychotomy.app.judging import Judged, Prepared, Told
from polychotomy.app.request import Request, choose_page, list_requests, repeat_command
from polychotomy.core.exceptions import InvalidInput, InvalidTable, LearnerError, NoVerdictYet
from polychotomy.core.files import spare_inputs
from polychotomy.core.numbers import counted
from polychotomy.study import Ledger, import_predictions
from polychotomy.study.workers.cluster import share_cluster
from polychotomy.verdict.case import case_of_predictions
from polychotomy.verdict.conclusions import conclude_case
from polychotomy.verdict.estimate import Estimate
from polychotomy.verdict.many import Problem, unite_verdicts
from polychotomy.verdict.question import mark_of
from polychotomy.verdict.verdict import Verdict

_NOT_HERE = (
    *("table", "target", "sheet", "encoding", "study", "candidates"),
    *("time", "drop", "race", "model", "cluster", "plan", "budget", "live", "tune"),
)


def judge_many(request: Request, told: Told | None = None) -> Judged:
    """Judge every table of a folder or a plan, and write one page over all.

    A table that cannot be judged is told of, and does not stop the others. Whoever stops it gets
    the page of those that were judged. A budget is one of all tables: see :func:`_judge_all`.
    """
    began, told = monotonic(), told or Told()
    for name in ("model", "live"):
        if getattr(request, name):
            raise InvalidInput(f"--{name} is for one table; expected none with many.")
    assert request.table is not None
    prepared, problems = _prepare_all(request, list(list_requests(request)))
    mark = hashlib.sha256("".join(one.mark for _, one in prepared).encode()).hexdigest()
    spare_inputs({"--output": request.output}, {"study": request.study, "plan": request.table})
    page = choose_page(request, request.table.resolve().stem, request.study, mark)
    with share_cluster(request.cluster, request.study) as cluster:
        jobs, estimates = _agree(request, prepared, told)
        running: dict[str, Any] = {"n_jobs": jobs, "cluster": cluster, "progress": told.progress}
        with Ledger(request.study) as ledger:
            verdicts, more, stopped = _judge_all(prepared, estimates, ledger, began, **running)
    problems += more
    if not verdicts:
        raise LearnerError(f"no table could be judged; {problems[0].table}: {problems[0].cause}")
    known = {"fingerprint": mark, "command": repeat_command(request)}
    many = unite_verdicts(verdicts, problems=problems, provenance=known)
    many.to_html(page)
    return Judged(many, page, stopped)


def _judge_all(
    prepared: list[tuple[Request, Prepared]],
    estimates: dict[str, Estimate | None],
    ledger: Ledger,
    began: float,
    **running: Any,
) -> tuple[list[Verdict], list[Problem], bool]:
    """Return the verdicts in the order of the tables, what went wrong, and whether to stop.

    Of a budget each table gets an equal part of what is left, the cheapest first, so that what
    they leave goes to those that take longer.
    """

    def cost(asked: tuple[Request, Prepared]) -> float:
        estimate = estimates[asked[1].study.dataset]
        return 0.0 if estimate is None else estimate.most_seconds

    budgeted = prepared[0][1].budget is not None
    drawn: dict[str, Verdict] = {}
    problems: list[Problem] = []
    stopped = False
    for number, (single, one) in enumerate(sorted(prepared, key=cost) if budgeted else prepared):
        name, start = one.study.dataset, monotonic()
        estimate = estimates[name]
        try:
            if one.budget is not None:
                left = max(one.budget - (start - began), 0.0) / (len(prepared) - number)
                one = one._replace(budget=left)
                if estimate is not None:
                    one, estimate = judging.fit_into(one, estimate, running["n_jobs"], left)
                running["expected"] = None if estimate is None else estimate.expected
            running |= {"began": start, "pilots": () if estimate is None else estimate.pilots}
            found = judging.draw_verdict(single, one, ledger, **running)
        except (LearnerError, NoVerdictYet, InvalidInput) as error:
            problems.append(Problem(name, str(error)))
            continue
        except KeyboardInterrupt:
            if not drawn:
                raise
            stopped = True
        else:
            drawn[name], stopped = found.verdict, found.stopped
        if stopped:
            break
    names = [one.study.dataset for _, one in prepared]
    if stopped:
        known = {*drawn, *(problem.table for problem in problems)}
        problems += [Problem(name, "somebody stopped it") for name in names if name not in known]
    return [drawn[name] for name in names if name in drawn], problems, stopped


def _prepare_all(
    request: Request, singles: list[Request]
) -> tuple[list[tuple[Request, Prepared]], list[Problem]]:
    """Read every table; remember those that cannot be judged."""
    prepared: list[tuple[Request, Prepared]] = []
    problems: list[Problem] = []
    for single in singles:
        assert single.table is not None
        try:
            one = judging.prepare(single)
        except InvalidTable as error:
            problems.append(Problem(single.table.name, str(error)))
            continue
        for _, other in prepared:
            names = other.study.dataset, one.study.dataset
            if names[0] == names[1] or _content(other) == _content(one):
                raise InvalidInput(
                    f"two tables have the same name or hold the same data: {names[0]!r} and "
                    f"{names[1]!r}; expected each once. Take one of them away, or rename it."
                )
        prepared.append((single, one))
    if not prepared:
        raise InvalidTable(
            f"of {counted(len(singles), 'table')} none can be judged; {problems[0].table}: "
            f"{problems[0].cause}"
        )
    return _with_common_candidates(prepared), problems


def _content(one: Prepared) -> Any:
    return one.study.specification["datasets"][one.study.dataset]


def _with_common_candidates(
    prepared: list[tuple[Request, Prepared]],
) -> list[tuple[Request, Prepared]]:
    """Try the same built-in candidates on every table, so that they can be compared over all."""
    common = set.intersection(*(set(one.study.candidates) for _, one in prepared))
    if not common or any(single.candidates is not None for single, _ in prepared):
        return prepared
    left_out = {gone.name: gone for _, one in prepared for gone in one.left_out}
    changed = []
    for single, one in prepared:
        kept = {n: c for n, c in one.study.candidates.items() if n in common}
        gone = tuple(left_out[name] for name in left_out if name not in kept)
        study = replace(one.study, candidates=kept)
        changed.append((single, one._replace(study=study, left_out=gone)))
    return changed


def _agree(
    request: Request, prepared: list[tuple[Request, Prepared]], told: Told
) -> tuple[int, dict[str, Estimate | None]]:
    """Return the number of workers, and what each table is expected to take."""
    budgets = {one.budget for _, one in prepared}
    if len(budgets) > 1:
        raise InvalidInput("tables have budgets of their own; expected one, of all together.")
    asked = {}
    for single, one in prepared:
        own = one._replace(budget=one.budget and one.budget / len(prepared))
        asked[one.study.dataset] = judging.estimate_request(single, own, told.tell)
    parts = [estimate for estimate in asked.values() if estimate is not None]
    total = Estimate(
        fit_seconds={}, n_jobs=1, race=request.race,
        n_fits=sum(one.n_fits for one in parts), extra=sum(one.extra for one in parts),
        seconds=sum(one.seconds for one in parts),
        most_seconds=sum(one.most_seconds for one in parts),
        unknown=tuple(sorted({name for one in parts for name in one.unknown})),
        stopped=tuple(sorted({name for one in parts for name in one.stopped})),
        most_runs=max((one.most_runs for one in parts), default=1),
    )  # fmt: skip
    jobs = judging.choose_jobs(request, total.seconds)
    if parts:
        told.confirm(total.shared(jobs, on_cluster=request.cluster is not None))
    return jobs, asked


def judge_predictions(request: Request) -> Judged:
    """Judge predictions made elsewhere and write the page; nothing is fitted.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> text = ["candidate,sample,fold,truth,predicted"]
    >>> for i in range(40):
    ...     text.append(f"always a,{i},{i % 4},{'ab'[i % 2]},a")
    ...     text.append(f"oracle,{i},{i % 4},{'ab'[i % 2]},{'ab'[i % 2]}")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "mine.csv")
    ...     _ = file.write_text(chr(10).join(text))
    ...     page = pathlib.Path(folder, "page.html")
    ...     judge_predictions(Request(predictions=file, output=page)).verdict.best
    'oracle'
    """
    assert request.predictions is not None
    for name in _NOT_HERE:
        if getattr(request, name):
            raise InvalidInput(
                f"{'a table' if name == 'table' else f'--{name}'} together with --predictions; "
                "expected the predictions alone: nothing is fitted."
            )
    path, page = request.predictions, Path()
    spare_inputs({"--output": request.output}, {"predictions": path})
    command = repeat_command(request)
    verdicts, mark = [], ""
    options: dict[str, Any] = {n: getattr(request, n) for n in ("group", "by", "higher_better")}
    options["learners"] = request.learners and [n.strip() for n in request.learners.split(",")]
    with import_predictions(path, **options) as ledger:
        for name, data in ledger.fact("specification")["datasets"].items():
            case = case_of_predictions(ledger, name)
            question = judging.read_question(request, data["classes"], case.plan)
            mark = mark_of(case.specification, question)
            page = choose_page(request, path.resolve().name.split(".")[0], path, mark)
            known = {"command": command, "fingerprint": mark}
            verdicts.append(conclude_case(case, ledger, question, known=known))
        notes = ledger.fact("provenance").get("notes", ())
    many = unite_verdicts(verdicts, notes=notes, provenance=known)
    found = many if len(verdicts) > 1 else verdicts[0]
    found.to_html(page)
    return Judged(found, page)
