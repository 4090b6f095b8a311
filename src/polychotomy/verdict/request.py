"""A table to judge, as the command line asks for it: read, checked, judged, written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from polychotomy.datasets.tables import Table, read_table
from polychotomy.exceptions import InvalidInput, InvalidTable
from polychotomy.study import RepeatedFolds, Study, Target
from polychotomy.study.specification import fingerprint
from polychotomy.study.study import Progress
from polychotomy.study.target import name_some
from polychotomy.verdict.candidates import choose, ladder
from polychotomy.verdict.candidates_file import read_candidates
from polychotomy.verdict.judge import conclude
from polychotomy.verdict.rules import Rule, plan_of
from polychotomy.verdict.verdict import Verdict


def judge_table(
    path: Path | None,
    *,
    target: str | None,
    output: Path | None = None,
    study: Path | None = None,
    candidates: str | None = None,
    rule: Rule = "paper",
    runs: int = 1,
    n_jobs: int = 1,
    seed: int = 0,
    drop_rare: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> tuple[Verdict, Path]:
    """Judge the built-in candidates on a table and write the page; return both.

    Everything that can be wrong with the request is checked before the first fit.

    Parameters
    ----------
    path : path or None
        The table; None takes scikit-learn's wine data.
    target : str or None
        The column of labels; only the built-in example can do without.
    candidates : str, optional
        A Python file (a name that ends in ``.py``) or names of built-in candidates, separated by
        commas, in order of preference; by default all built-in ones.
    output : path, optional
        Where to write the page; by default ``<table>-verdict.html`` in the current folder.
    rule : {"paper", "margin"}
        As in :func:`judge`.
    drop_rare : bool
        Leave classes out that have fewer members than the folds need.
    force : bool
        Overwrite whatever exists at ``output``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = pathlib.Path(folder, "wine.html")
    ...     verdict, _ = judge_table(None, target=None, output=page, candidates="MAX,logistic")
    ...     verdict.best, page.exists()
    ('logistic', True)
    """
    table = _read(path, target)
    plan = plan_of(rule, runs)
    table = _without_rare(table, plan, drop_rare)
    page = output or Path(f"{table.name}-verdict.html")
    work = Study(
        _candidates(candidates),
        table.X,
        table.labels,
        dataset=table.name,
        plan=plan,
        random_state=seed,
    )
    _check_output(page, study, work, force)
    _spare_inputs(page, {"table": path, "study": study, "candidates file": _file(candidates)})
    with work.run(study, n_jobs=n_jobs, progress=progress) as ledger:
        verdict = conclude(work, ledger, rule=rule, notes=table.notes)
    verdict.to_html(page)
    return verdict, page


def _candidates(asked: str | None) -> dict[str, Any]:
    if asked is None:
        return ladder()
    path = _file(asked)
    if path is not None:
        return read_candidates(path)
    return choose([name.strip() for name in asked.split(",")])


def _read(path: Path | None, target: str | None) -> Table:
    if path is None:
        return _wine(target)
    if target is None:
        raise InvalidInput(
            f"no target was named for {path.name!r}; expected --target COLUMN, the column that "
            "holds the classes."
        )
    return read_table(path, target=target)


def _wine(target: str | None) -> Table:
    from sklearn.datasets import load_wine

    if target not in (None, "class"):
        raise InvalidTable(
            f"the built-in example has no column {target!r}; its target is 'class'. "
            "Name a table to judge your own."
        )
    data = load_wine(as_frame=True)
    cultivars = np.array([f"cultivar {i + 1}" for i in data.target])
    return Table("wine", data.data, cultivars, "class", ())


def _without_rare(table: Table, plan: RepeatedFolds, drop_rare: bool) -> Table:
    """Refuse classes with too few members, or drop them and note it."""
    target = Target.from_labels(table.labels, name=table.target)
    if not drop_rare:
        target.refuse_rare(
            plan.folds, name=table.target, remedy="Collect more, or leave them out by --drop-rare."
        )
        return table
    rare = target.rare(plan.folds)
    if not rare.any():
        return table
    keep = ~rare[target.codes]
    dropped = name_some([f"{target.names[c]!r} ({target.counts[c]})" for c in np.flatnonzero(rare)])
    count = int((~keep).sum())
    note = (
        f"{count} {'row' if count == 1 else 'rows'} of classes with fewer than {plan.folds} "
        "members left out: "
    )
    return table._replace(
        X=table.X.loc[keep].reset_index(drop=True),
        labels=table.labels[keep],
        notes=(*table.notes, note + dropped),
    )


def _check_output(page: Path, study: Path | None, work: Study, force: bool) -> None:
    """Refuse, before the first fit, a page that could not or should not be written."""
    if not page.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(page.parent)!r} to write {page.name!r} into.")
    if page.is_dir():
        raise InvalidInput(f"{str(page)!r} is a folder; expected the name of a page to write.")
    if not os.access(page.parent, os.W_OK):
        raise InvalidInput(f"the folder {str(page.parent)!r} cannot be written. Choose another.")
    if page.exists() and not force and not (study and _is_page_of(page, work)):
        raise InvalidInput(
            f"{str(page)!r} exists and was left as it is. Choose another --output, or overwrite it "
            "by --force."
        )


def _spare_inputs(page: Path, inputs: dict[str, Path | None]) -> None:
    """Refuse, whatever --force says, to write the page over what the request reads."""
    for kind, path in inputs.items():
        if path is not None and page.resolve() == path.resolve():
            raise InvalidInput(
                f"--output {str(page)!r} is the {kind} itself; choose another name for the page."
            )


def _file(candidates: str | None) -> Path | None:
    return Path(candidates) if candidates and candidates.endswith(".py") else None


def _is_page_of(page: Path, work: Study) -> bool:
    """Whether a page was written for just this study."""
    with page.open("rb") as file:
        head: bytes = file.read(4096)
    mark: Any = f'name="polychotomy-study" content="{fingerprint(work.specification)}"'
    return mark.encode() in head
