"""The table that a request is about: read, its special columns set apart, rare classes handled."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polychotomy.datasets.tables import Table, read_table
from polychotomy.exceptions import InvalidInput, InvalidTable
from polychotomy.study import Target
from polychotomy.study.plan import Plan
from polychotomy.study.target import name_some


class TableRequest(NamedTuple):
    """A table with its groups and times set apart from the features."""

    table: Table
    groups: NDArray[Any] | None
    time: NDArray[Any] | None


def read_request(
    path: Path | None, target: str | None, *, group: str | None, time: str | None
) -> TableRequest:
    """Read a table, or the built-in example, and set apart the columns of groups and times."""
    table = _read(path, target)
    for option, column in (("--group", group), ("--time", time)):
        if column is not None:
            _check_column(table, option, column)
    if group is not None and group == time:
        raise InvalidInput(f"--group and --time both name {group!r}; expected two columns.")
    groups = None if group is None else _values(table, group)
    times = None if time is None else _times(table, time)
    apart = [column for column in (group, time) if column is not None]
    X = table.X.drop(columns=apart)
    if X.shape[1] == 0:
        raise InvalidTable(
            f"nothing is left of {table.name!r} to predict {table.target!r} from; expected columns "
            f"besides {', '.join(apart)}."
        )
    notes = [f"{column!r} is not among the features: rows are {use} by it" for column, use in (
        (group, "kept together"), (time, "ordered in time")) if column is not None]  # fmt: skip
    return TableRequest(table._replace(X=X, notes=(*table.notes, *notes)), groups, times)


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


def _check_column(table: Table, option: str, column: str) -> None:
    if column == table.target:
        raise InvalidInput(f"{option} names the target {column!r} itself; expected another column.")
    names = [str(name) for name in table.X.columns]
    if column not in names:
        near = get_close_matches(column, names, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InvalidInput(
            f"{option}: {table.name!r} has no column {column!r}.{hint} Its columns are: "
            f"{', '.join(names)}."
        )


def _values(table: Table, column: str) -> NDArray[Any]:
    import pandas as pd

    values = table.X[column]
    missing = np.flatnonzero(pd.isna(values))
    if len(missing):
        rows = name_some([str(row + 1) for row in missing])
        raise InvalidTable(
            f"{column!r} is missing in {len(missing)} of {len(values)} rows (data row {rows}); "
            "expected a value in every row."
        )
    return np.asarray(values.to_numpy())


def _times(table: Table, column: str) -> NDArray[Any]:
    """Return times as numbers or dates, which have an order that text does not."""
    import pandas as pd

    values = _values(table, column)
    if values.dtype.kind in "iufM":
        return values
    try:
        times = pd.to_datetime(pd.Series(values), format="ISO8601", utc=True)
        return np.asarray(times.to_numpy(dtype="datetime64[ns]"))
    except (ValueError, TypeError) as error:
        raise InvalidTable(
            f"{column!r} cannot be read as time: {str(error).splitlines()[0][:200]}. Expected "
            "numbers, or dates written like 2026-03-31 or 2026-03-31T12:00:00."
        ) from None


def without_rare(request: TableRequest, plan: Plan, drop_rare: bool) -> TableRequest:
    """Refuse classes with too few members, or drop them and note it."""
    table, least = request.table, plan.least_members
    target = Target.from_labels(table.labels, name=table.target)
    if not drop_rare:
        target.refuse_rare(
            least, name=table.target, remedy="Collect more, or leave them out by --drop-rare."
        )
        return request
    rare = target.rare(least)
    if not rare.any():
        return request
    keep = ~rare[target.codes]
    dropped = name_some([f"{target.names[c]!r} ({target.counts[c]})" for c in np.flatnonzero(rare)])
    count = int((~keep).sum())
    note = (
        f"{count} {'row' if count == 1 else 'rows'} of classes with fewer than {least} "
        f"members left out: {dropped}"
    )
    left = table._replace(
        X=table.X.loc[keep].reset_index(drop=True),
        labels=table.labels[keep],
        notes=(*table.notes, note),
    )
    return TableRequest(
        left,
        None if request.groups is None else request.groups[keep],
        None if request.time is None else request.time[keep],
    )
