"""One call a paper: run it, compare every printed cell."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction.budgets import Budget
from polychotomy.reproduction.provenance import describe_machine, describe_versions
from polychotomy.reproduction.request import Findings, Request
from polychotomy.reproduction.result import Reproduction
from polychotomy.study.progress import ShowProgress, as_show

PAPERS = ("ya06", "m24", "mst09", "t96", "ht98")


def reproduce(
    paper: str,
    *,
    data: str | Path | None = None,
    runs: int | None = None,
    budget: float | None = None,
    n_jobs: int = 1,
    study: str | Path | None = None,
    random_state: int = 0,
    progress: bool | ShowProgress | None = None,
) -> Reproduction:
    """Recompute a paper's tables and figures; compare every printed cell with ours.

    Parameters
    ----------
    paper : {"ya06", "m24", "mst09", "t96", "ht98"}
    data : folder, optional
        Holds the data sets as ``<name>.csv.gz``; see
        `polychotomy.reproduction.data.load`. Without it they are fetched once and kept. Cells
        whose data set is not in the folder cannot be reproduced.
    runs : int, optional
        By default as many as the paper has, or fewer where that would take hours.
    budget : float, optional
        Minutes. No new run begins after that; a later call with the same ``study`` goes on. The
        first run is always made.
    n_jobs : int
        Worker processes.
    study : path, optional
        Keeps every run.
    random_state : int
        The first seed.
    progress : bool or callable, optional
        As in `polychotomy.verdict.judge`: True prints lines, a function gets a `Progress`.

    Examples
    --------
    >>> from polychotomy.reproduction.reproduce import reproduce
    >>> found = reproduce("ht98", runs=1)
    >>> found.cells[0].printed, round(found.cells[0].ours, 6), found.cells[0].verdict
    (0.47, 0.481068, 'differs')
    """
    key = paper_key(paper)
    module = import_module(f"polychotomy.reproduction.{key}")
    run: Callable[[Request], Findings] = getattr(module, f"reproduce_{key}")
    request = Request(
        data=_folder(data),
        runs=_count("runs", runs, module.RUNS),
        budget=Budget(budget),
        n_jobs=_count("n_jobs", n_jobs, 1),
        study=None if study is None else Path(study),
        seed=random_state,
        progress=as_show(progress),
    )
    found = run(request)
    return Reproduction(
        paper=key.upper(),
        title=module.TITLE,
        cells=found.cells,
        blocks=found.blocks,
        facts={"what": found.what, **_facts(key, request, found)},
    )


def paper_key(paper: str) -> str:
    """Return a paper's key in lower case, or refuse what is none.

    Examples
    --------
    >>> paper_key("YA06")
    'ya06'
    """
    key = str(paper).lower()
    if key not in PAPERS:
        raise InvalidInput(f"there is no paper {paper!r}; there are: {', '.join(PAPERS)}.")
    return key


def _facts(key: str, request: Request, found: Findings) -> dict[str, str]:
    data = "" if request.data is None or key == "t96" else " --data DIR"  # T96 is all simulated
    return {
        "command": f"`python -m polychotomy reproduce {key}{data} --runs {found.repeat}`",
        "machine": describe_machine(),
        "versions": describe_versions(),
        "first seed": str(request.seed),
        "runs": found.runs,
        "minutes of computing": f"{found.seconds / 60:.1f}",
    }


def _folder(data: str | Path | None) -> Path | None:
    if data is None:
        return None
    if not Path(data).is_dir():
        raise InvalidInput(
            f"there is no folder {str(data)!r}; expected one of data sets, <name>.csv.gz."
        )
    return Path(data)


def _count(name: str, value: int | None, default: int) -> int:
    if value is None:
        return default
    if not isinstance(value, int) or value < 1:
        raise InvalidInput(f"{name}={value!r}; expected a whole number of at least 1.")
    return value
