"""What was asked: one request, or one for every table of a folder or a plan; where answers go."""

from __future__ import annotations

import math
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from polychotomy.core.arguments import unexpected
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.files import check_output, check_suffix
from polychotomy.core.plain_values import read_as
from polychotomy.study.fitting.limits import Limits
from polychotomy.tables.files import SUFFIXES
from polychotomy.verdict.question import Preference, Rule

# What says where and how fast, not what.
_ELSEWHERE = (
    *("output", "study", "force", "model", "table", "live", "mlflow"),
    *("jobs", "cluster", "time_limit", "memory_limit"),
)

_FORBIDDEN = (
    *("table", "output", "study", "force", "model", "predictions", "live"),
    *("learners", "higher_better", "mlflow"),
)

_LONGEST_PAGE = 4 * 2**20


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the command line was asked to judge, and how.

    Parameters
    ----------
    table : path or None
        None takes scikit-learn's wine data.
    target : str or None
        The column of labels; only the built-in example can do without.
    output : path, optional
        Where to write the page; by default ``<table>-verdict.html`` in the current folder,
        or ``<table>-verdict-2.html`` where that is taken by another verdict.
    study : path, optional
        Keep the ledger in this file; what it already has is not fitted again.
    candidates : str, optional
        A Python file (a name that ends in ``.py``) or names of built-in candidates, separated by
        commas, in order of preference; by default all built-in ones that the table can afford.
    tune : bool
        Search the settings of built-in candidates in every fit, on its training part.
    rule, margin, prefer, against, race, plan, runs, anatomy
        As in :func:`judge`.
    budget : str, optional
        Time for all of it, such as "10min": what does not fit into it is left out, and said.
    loss : str
        The name of a loss, or a CSV file with a cost matrix.
    sheet, encoding : str, optional
        Of a workbook the sheet to read, of a text its encoding.
    group, time : str, optional
        Columns of groups and of times; they are no features then.
    by : str, optional
        A column in whose groups the best one's error is given, too; a feature unless it is dropped.
    drop : tuple of str
        Columns to leave out.
    predictions : path, optional
        Judge predictions made elsewhere, in place of a table.
    learners, higher_better : str and bool, optional
        Of these, as in :func:`import_predictions`; names are separated by commas.
    model : path, optional
        Write the best candidate, fitted to all rows, to this ``.skops`` file.
    jobs : int, optional
        Worker processes, −1 for one for each processor; by default one for short studies, else one
        for each processor.
    cluster : str, optional
        Address of a Dask scheduler to fit on.
    time_limit, memory_limit : float, optional
        Seconds and gigabytes that a single fit may take.
    seed : int
    drop_rare : bool
        Leave classes out that have fewer members than the folds need.
    drop_unlabelled : bool
        Leave rows out that have no label.
    force : bool
        Overwrite whatever exists at ``output`` and ``model``.
    live : bool
        Keep the page current from the first fits on; it reloads itself until all is done.
    mlflow : bool
        Log numbers, page and model as a run of MLflow, where ``MLFLOW_TRACKING_URI`` says.

    Examples
    --------
    >>> from pathlib import Path
    >>> from polychotomy.app import Request
    >>> Request(table=Path("plants.csv"), target="species", time_limit=60).limits.seconds
    60
    """

    table: Path | None = None
    target: str | None = None
    sheet: str | None = None
    encoding: str | None = None
    output: Path | None = None
    study: Path | None = None
    candidates: str | None = None
    tune: bool = False
    rule: Rule = "margin"
    margin: float | None = None
    loss: str = "error"
    prefer: Preference = "listed"
    against: str | None = None
    race: bool = False
    group: str | None = None
    by: str | None = None
    time: str | None = None
    drop: tuple[str, ...] = ()
    plan: str | None = None
    runs: int = 1
    anatomy: bool | None = None
    budget: str | None = None
    predictions: Path | None = None
    learners: str | None = None
    higher_better: bool | None = None
    model: Path | None = None
    jobs: int | None = None
    cluster: str | None = None
    time_limit: float | None = None
    memory_limit: float | None = None
    seed: int = 0
    drop_rare: bool = False
    drop_unlabelled: bool = False
    force: bool = False
    live: bool = False
    mlflow: bool = False

    @property
    def is_many(self) -> bool:
        """Whether the table is a folder or a plan of many.

        Examples
        --------
        >>> from pathlib import Path
        >>> Request(table=Path("plan.toml")).is_many, Request(table=Path("table.csv")).is_many
        (True, False)
        """
        return self.table is not None and (self.table.is_dir() or self.table.suffix == ".toml")

    @property
    def limits(self) -> Limits:
        """What a single fit may take."""
        seconds, memory = self.time_limit, self.memory_limit
        for option, most in (("--time-limit", seconds), ("--memory-limit", memory)):
            if most is not None and not 0 < most < math.inf:
                raise unexpected(option, most, "a number above 0")
        return Limits(seconds=seconds, memory=None if memory is None else int(memory * 2**30))


def repeat_command(request: Request) -> str:
    """Return the command line that gives the same verdict, with file names only.

    Examples
    --------
    >>> from pathlib import Path
    >>> from polychotomy.app.request import Request
    >>> print(repeat_command(Request(table=Path("data/my plants.csv"), target="kind", runs=2)))
    polychotomy judge 'my plants.csv' --target kind --runs 2
    """
    words = ["polychotomy", "judge"]
    if request.table is not None:
        words.append(request.table.name)
    for field in fields(request):
        value = getattr(request, field.name)
        if field.name not in _ELSEWHERE and value != field.default:
            words += _option(field.name, value)
    return shlex.join(words)


def _option(name: str, value: Any) -> list[str]:
    option = f"--{name.replace('_', '-')}"
    if name == "higher_better":
        return [option if value else "--lower-better"]
    if isinstance(value, tuple):
        return [word for one in value for word in (option, one)]
    if value is True:
        return [option]
    return [f"--no-{name}"] if value is False else [option, str(value)]


def list_requests(request: Request) -> Iterator[Request]:
    """Yield a request for every table of a folder or a plan."""
    assert request.table is not None
    if request.table.is_dir():
        files = [path for path in sorted(request.table.iterdir()) if path.is_file()]
        tables = [path for path in files if path.name.lower().endswith(SUFFIXES)]
        # That beginning is a spreadsheet's mark that it is open.
        found = [path for path in tables if not path.name.startswith("~$")]
        if not found:
            raise InvalidInput(
                f"the folder {str(request.table)!r} has no tables; expected files whose names end "
                f"in {', '.join(SUFFIXES)}."
            )
        yield from (replace(request, table=path) for path in found)
        return
    plan = _read_plan(request.table)
    tables = plan.pop("tables", None)
    listed: list[Any] = tables if isinstance(tables, list) else []
    if not listed or not all(isinstance(one, dict) and "path" in one for one in listed):
        raise InvalidInput(
            f"the tables of {request.table.name!r} are {tables!r}; expected [[tables]], each with "
            "a path."
        )
    for table in listed:
        options = _read_options({**plan, **table}, request.table.name)
        yield replace(request, table=request.table.parent / options.pop("path"), **options)


def _read_plan(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:  # of the file, of UTF-8 or of TOML
        raise InvalidInput(f"the plan {path.name!r} cannot be read as TOML: {error}.") from error


def _read_options(given: dict[str, Any], plan: str) -> dict[str, Any]:
    """Return the options of a table in a plan; refuse what is none, or of the wrong type."""
    kinds = {"path": str} | get_type_hints(Request)
    options = {}
    for name, value in given.items():
        field = name.replace("-", "_")
        if field not in kinds or field in _FORBIDDEN:
            known = ", ".join(one.replace("_", "-") for one in kinds if one not in _FORBIDDEN)
            raise InvalidInput(f"{name!r} in {plan!r} is no option there; expected {known}.")
        options[field] = read_as(kinds[field], value, f"{name!r} in {plan!r}")
    return options


def choose_page(request: Request, name: str, study: Path | None, mark: str) -> Path:
    """Return where the page is to be written: as asked, or under a name that is free.

    A page that was written for the same study, which ``mark`` tells, may be written again. To judge
    again with one option changed is what the page itself advises, so a name that nobody chose is
    numbered and not refused.
    """
    if request.study is not None and not request.study.is_file():  # one that is there is resumed
        check_output(request.study, force=True)
    page, number = request.output or Path(f"{name}-verdict.html"), 1
    while not (request.output or request.force or _is_of(page, study, mark)) and page.exists():
        number += 1
        page = Path(f"{name}-verdict-{number}.html")
    if not page.is_dir():
        named = page.with_suffix(page.suffix.lower())
        check_suffix(named, ".html", ".htm", what="write the page to")
    check_output(page, force=request.force or _is_of(page, study, mark))
    return page


def _is_of(page: Path, study: Path | None, mark: str) -> bool:
    """Whether a page was written for just this study: it holds the study's fingerprint."""
    if study is None or not page.is_file():
        return False
    with page.open("rb") as file:
        return mark.encode() in file.read(_LONGEST_PAGE)
