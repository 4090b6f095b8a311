"""Many tables judged together, with one page over all."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from polychotomy.app.estimate import Estimate
from polychotomy.app.judging import (
    Confirm,
    Prepared,
    choose_jobs,
    draw_verdict,
    estimate_request,
    prepare,
)
from polychotomy.app.request import (
    Request,
    check_page,
    check_study_path,
    list_requests,
    repeat_command,
    spare_inputs,
)
from polychotomy.core.exceptions import InvalidInput, InvalidTable, LearnerError
from polychotomy.study import Ledger
from polychotomy.study.design.trials import Outcome
from polychotomy.study.progress import ShowProgress
from polychotomy.verdict.many import ManyVerdicts, Problem, unite_verdicts
from polychotomy.verdict.verdict import Verdict


class ManyJudged(NamedTuple):
    """Verdicts on many tables and where their page was written.

    Examples
    --------
    >>> from polychotomy.app import ManyJudged
    >>> ManyJudged._fields
    ('verdict', 'page')
    """

    verdict: ManyVerdicts
    page: Path


def judge_many(
    request: Request, *, confirm: Confirm | None = None, progress: ShowProgress | None = None
) -> ManyJudged:
    """Judge every table of a folder or a plan, and write one page over all.

    A table that cannot be judged is told of, and does not stop the others.
    """
    if request.model is not None or request.predictions is not None:
        raise InvalidInput(
            "--model and --predictions are for one table; expected neither with many."
        )
    assert request.table is not None
    page = request.output or Path(f"{request.table.resolve().stem}-verdict.html")
    prepared, problems = _prepare_all(request, list(list_requests(request)))
    mark = hashlib.sha256("".join(one.mark for _, one in prepared).encode()).hexdigest()
    spare_inputs({"--output": page}, {"study": request.study, "plan": request.table})
    check_page(page, request.study, mark, force=request.force)
    check_study_path(request.study)
    jobs, pilots = _agree(request, prepared, confirm)
    verdicts: list[Verdict] = []
    with Ledger(request.study) as ledger:
        for single, one in prepared:
            try:
                made = pilots[one.study.dataset]
                verdicts.append(draw_verdict(single, one, ledger, jobs, progress, made))
            except LearnerError as error:
                problems.append(Problem(one.study.dataset, str(error)))
    if not verdicts:
        raise LearnerError(f"no table could be judged; {problems[0].table}: {problems[0].cause}")
    many = unite_verdicts(
        verdicts,
        problems=problems,
        provenance={"fingerprint": mark, "command": repeat_command(request)},
    )
    many.to_html(page)
    return ManyJudged(many, page)


def _prepare_all(
    request: Request, singles: list[Request]
) -> tuple[list[tuple[Request, Prepared]], list[Problem]]:
    """Read every table; remember those that cannot be judged."""
    prepared: list[tuple[Request, Prepared]] = []
    problems: list[Problem] = []
    for single in singles:
        assert single.table is not None
        try:
            one = prepare(single, alone=False)
        except InvalidTable as error:
            problems.append(Problem(single.table.name, str(error)))
            continue
        _refuse_twins(one, [other for _, other in prepared])
        prepared.append((single, one))
    if not prepared:
        raise InvalidTable(
            f"{_none_of(len(singles), str(request.table and request.table.name))}; "
            f"{problems[0].table}: {problems[0].cause}"
        )
    return _with_common_candidates(prepared), problems


def _none_of(count: int, source: str) -> str:
    if count == 1:
        return f"the only table of {source!r} cannot be judged"
    return f"none of the {count} tables of {source!r} can be judged"


def _refuse_twins(one: Prepared, others: list[Prepared]) -> None:
    """Refuse a second table of the same name, or with the same content."""
    for other in others:
        if one.study.dataset == other.study.dataset:
            raise InvalidInput(
                f"two tables are called {one.study.dataset!r}; expected each name once."
            )
        if _content(one) == _content(other):
            raise InvalidInput(
                f"the tables {other.study.dataset!r} and {one.study.dataset!r} hold the same data; "
                "expected each once. Take one of them away."
            )


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
        changed.append((single, one._replace(study=replace_candidates(one, kept), left_out=gone)))
    return changed


def replace_candidates(one: Prepared, candidates: dict[str, Any]) -> Any:
    """Return the study of a prepared request with other candidates."""
    study = one.study
    return type(study)(
        candidates,
        study.X,
        study.y,
        dataset=study.dataset,
        plan=study.plan,
        groups=study.groups,
        time=study.time,
        random_state=study.random_state,
    )


def _agree(
    request: Request, prepared: list[tuple[Request, Prepared]], confirm: Confirm | None
) -> tuple[int, dict[str, tuple[Outcome, ...]]]:
    """Return the number of workers, and the fits of each table that were made to find it."""
    estimates = [estimate_request(single, one) for single, one in prepared]
    known = [estimate for estimate in estimates if estimate is not None]
    total = Estimate(
        fit_seconds={
            f"{name} on {one.study.dataset}": value
            for (_, one), estimate in zip(prepared, estimates, strict=True)
            if estimate is not None
            for name, value in estimate.fit_seconds.items()
        },
        n_fits=sum(estimate.n_fits for estimate in known),
        seconds=sum(estimate.seconds for estimate in known),
        n_jobs=1,
        unknown=tuple(sorted({name for estimate in known for name in estimate.unknown})),
        extra=sum(estimate.extra for estimate in known),
        race=request.race,
        notes=tuple(
            f"{one.study.dataset}: {note}"
            for (_, one), estimate in zip(prepared, estimates, strict=True)
            if estimate is not None
            for note in estimate.notes
        ),
    )
    jobs = choose_jobs(request, total.seconds)
    if confirm is not None and known:
        confirm(total.shared(jobs, on_cluster=request.cluster is not None))
    return jobs, {
        one.study.dataset: () if estimate is None else estimate.pilots
        for (_, one), estimate in zip(prepared, estimates, strict=True)
    }
