"""What a request reads: its table, a cost matrix, a file of candidates."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arguments import will_have
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.core.numbers import short
from polychotomy.study import Target
from polychotomy.study.design.candidates import for_tables
from polychotomy.study.design.dataset import name_some
from polychotomy.study.design.plan import Plan
from polychotomy.study.fitting.user_module import load_module
from polychotomy.tables.column_notes import note_columns
from polychotomy.tables.csv_text import decode, find_separators, with_points
from polychotomy.tables.dates import read_dates
from polychotomy.tables.files import no_column
from polychotomy.tables.reading import Table, read_labelled
from polychotomy.tables.row_notes import note_copies, note_groups, note_order

if TYPE_CHECKING:
    import pandas as pd


class Columns(NamedTuple):
    """Columns of a request that have a use: of groups, of times, those left out, of errors."""

    group: str | None = None
    time: str | None = None
    drop: tuple[str, ...] = ()
    by: str | None = None

    @property
    def apart(self) -> list[str]:
        """Names of those that are no features, each once."""
        named = (self.group, self.time, *self.drop)
        return list(dict.fromkeys(column for column in named if column is not None))


class TableRequest(NamedTuple):
    """A table with its groups and times set apart from the features."""

    table: Table
    groups: NDArray[Any] | None
    time: NDArray[Any] | None
    by: NDArray[Any] | None = None


def read_request(
    path: Path | None,
    target: str | None,
    columns: Columns,
    *,
    drop_unlabelled: bool = False,
    **how: Any,
) -> TableRequest:
    """Read a table, or the built-in example, and set apart what are no features.

    ``how`` goes to :func:`read_labelled`: sheet and encoding.
    """
    whole = _read(path, target, unused=columns.drop, **how)
    _check_columns(whole, columns)
    table = _labelled(whole, drop_unlabelled)
    groups = None if columns.group is None else _values(table, columns.group)
    times = None if columns.time is None else _times(table, columns.time)
    by = None if columns.by is None else table.X[columns.by].to_numpy()
    X = table.X.drop(columns=columns.apart)
    if X.shape[1] == 0:
        raise InvalidTable(
            f"nothing is left of {table.name!r} to predict {table.target!r} from; expected columns "
            f"besides {', '.join(columns.apart)}."
        )
    labels = table.labels.tolist()
    remarks = note_columns(X, labels, table.target)
    copies = note_copies(X, labels, groups=groups, time=times)
    # Columns by which rows seem to belong together, where none was named for that.
    related = [] if columns.group is not None else note_groups(X, labels)
    related += [] if columns.time is not None else note_order(X)
    notes = (*table.notes, *remarks, *copies, *related, *_note_apart(columns))
    return TableRequest(table._replace(X=X.reset_index(drop=True), notes=notes), groups, times, by)


def _note_apart(columns: Columns) -> list[str]:
    uses = ((columns.group, "kept together"), (columns.time, "ordered in time"))
    notes = [
        f"{column!r} is not among the features: rows are {use} by it"
        for column, use in uses
        if column is not None
    ]
    if columns.drop:
        notes.append(f"left out by --drop: {name_some([repr(one) for one in columns.drop])}")
    return notes


def _labelled(table: Table, drop_unlabelled: bool) -> Table:
    """Refuse rows without a label, or leave them out and note it; rows keep their numbers."""
    import pandas as pd

    missing = np.asarray(pd.isna(table.labels))
    if not missing.any():
        return table
    count, n = int(missing.sum()), len(missing)
    if not drop_unlabelled:
        rows = name_some([str(row + 1) for row in np.flatnonzero(missing)])
        raise InvalidTable(
            f"the target {table.target!r} is missing in {count} of {n} rows (data row {rows}); "
            "expected a label in every row. Fill them in, or leave these rows out by "
            "--drop-unlabelled."
        )
    if count == n:
        raise InvalidTable(f"the target {table.target!r} is missing in all {n} rows.")
    labels = table.labels[~missing]
    note = f"{count} of {n} rows left out: {table.target!r} is missing there"
    return table._replace(
        X=table.X.loc[~missing],
        labels=np.array(labels.tolist()) if labels.dtype == object else labels,
        notes=(*table.notes, note),
    )


def _read(path: Path | None, target: str | None, **how: Any) -> Table:
    if path is None:
        return _wine(target)
    if target is None:
        raise InvalidInput(
            f"no target was named for {path.name!r}; expected --target COLUMN, the column that "
            "holds the classes."
        )
    return read_labelled(path, target=target, **how)


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


def _check_columns(table: Table, columns: Columns) -> None:
    """Refuse names of no column, the target, and columns named for two uses."""
    named = [("--group", columns.group), ("--time", columns.time)]
    if columns.by is not None:
        _check_column(table, "--by", columns.by)
        if table.X[columns.by].nunique(dropna=False) < 2:
            raise InvalidInput(f"--by names {columns.by!r}, which is the same in all rows.")
    uses: dict[str, str] = {}
    for option, column in (*named, *(("--drop", column) for column in columns.drop)):
        if column is not None:
            _check_column(table, option, column)
            other = uses.setdefault(column, option)
            if other != option:
                raise InvalidInput(_twice(column, other, option))


def _twice(column: str, first: str, second: str) -> str:
    if second == "--drop":
        return (
            f"--drop names {column!r}, which {first} needs; it is no feature anyway. Leave "
            f"--drop {column} out."
        )
    return f"--group and --time both name {column!r}; expected two columns."


def _check_column(table: Table, option: str, column: str) -> None:
    if column == table.target:
        raise InvalidInput(f"{option} names the target {column!r} itself; expected another column.")
    names = [str(name) for name in table.X.columns]
    if column not in names:
        raise InvalidInput(f"{option}: {no_column(repr(table.name), column, names)}")


def _values(table: Table, column: str) -> NDArray[Any]:
    import pandas as pd

    values = table.X[column]
    missing = np.flatnonzero(pd.isna(values))
    if len(missing):
        rows = name_some([str(values.index[row] + 1) for row in missing])
        raise InvalidTable(
            f"{column!r} is missing in {len(missing)} of {len(values)} rows (data row {rows}); "
            "expected a value in every row. Fill them in, or take those rows out of the table."
        )
    return np.asarray(values.to_numpy())


def _times(table: Table, column: str) -> NDArray[Any]:
    """Return times as numbers or dates, which have an order that text does not."""
    import pandas as pd

    values = _values(table, column)
    if values.dtype.kind in "iufM":
        return values
    found = read_dates(pd.Series(values), "ISO8601")
    rows = np.flatnonzero(found.unread)
    if len(rows):
        raise InvalidTable(
            f"{column!r} cannot be read as time: {len(rows)} of {len(values)} rows hold no date "
            f"that can be read in one way only, first data row {table.X.index[rows[0]] + 1}: "
            f"{str(values[rows[0]])[:60]!r}. Expected numbers, or dates written like 2026-03-31 or "
            "2026-03-31T12:00:00."
        )
    return np.asarray(found.moments.to_numpy())


def without_rare(request: TableRequest, plan: Plan, drop_rare: bool) -> TableRequest:
    """Refuse classes with too few members, or drop them and note it."""
    table, least = request.table, plan.least_members
    target = Target.from_labels(table.labels, name=table.target)
    rare = target.rare(least)
    if not rare.any():
        return request
    enough = (~rare).sum() > 1
    if not (drop_rare and enough):
        remedy = "Collect more, or leave them out by --drop-rare." if enough else "Collect more."
        target.refuse_rare(least, name=table.target, remedy=remedy)
    keep = ~rare[target.codes]
    dropped = name_some([f"{target.names[c]!r} ({target.counts[c]})" for c in np.flatnonzero(rare)])
    rows = "1 row" if (~keep).sum() == 1 else f"{(~keep).sum()} rows"
    note = f"{rows} of classes with fewer than {least} members left out: {dropped}"
    left = table._replace(
        X=table.X.loc[keep].reset_index(drop=True),
        labels=table.labels[keep],
        notes=(*table.notes, note),
    )
    return TableRequest(
        left,
        None if request.groups is None else request.groups[keep],
        None if request.time is None else request.time[keep],
        None if request.by is None else request.by[keep],
    )


def read_costs(path: Path, classes: Sequence[str]) -> Floats:
    r"""Read costs from a CSV file: rows are true classes, columns predicted ones, named by class.

    Rows and columns may stand in any order; the first field of each row is the true class.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "costs.csv")
    ...     _ = path.write_text("truth,yes,no\nno,1,0\nyes,0,5\n")
    ...     read_costs(path, ["no", "yes"])
    array([[0., 1.],
           [5., 0.]])
    """
    import pandas as pd

    frame = _read_cost_fields(path)
    for kind, found in (("row", frame.index), ("column", frame.columns)):
        names = [str(name) for name in found]
        if sorted(names) != sorted(classes):
            odd = sorted(set(names) ^ set(classes)) or [n for n in names if names.count(n) > 1]
            raise InvalidInput(
                f"the cost matrix {path.name!r} has the {kind}s {', '.join(names[:10])}; expected "
                f"one for each class: {', '.join(classes[:10])}. Look at {odd[0]!r}. The file "
                "needs a header with the names of the predicted classes, and the true one first in "
                "every row."
            )
    ordered = frame.loc[list(classes), list(classes)]
    costs = pd.to_numeric(ordered.stack(), errors="coerce").to_numpy(dtype=float)
    if not np.isfinite(costs).all():
        (truth, predicted), text = next(
            entry
            for entry, cost in zip(ordered.stack().items(), costs, strict=True)
            if not np.isfinite(cost)
        )
        raise InvalidInput(
            f"the cost matrix {path.name!r} has the entry {text!r} for {truth!r} taken for "
            f"{predicted!r}; expected finite numbers."
        )
    return np.asarray(costs.reshape(len(classes), len(classes)))


def _read_cost_fields(path: Path) -> pd.DataFrame:
    """Read the fields as texts, separated as in a table."""
    import pandas as pd

    try:
        text = decode(path.read_bytes(), path.name)[0].decode()
        mark, decimal = find_separators(text)
        frame = pd.read_csv(StringIO(text), sep=mark, dtype=str, keep_default_na=False, index_col=0)
    except InvalidTable:
        raise
    except (OSError, ValueError) as error:  # pandas' parser errors are ValueErrors
        raise InvalidInput(
            f"the cost matrix {path.name!r} cannot be read: {_why(error)}. Expected "
            "a CSV file with a row for each true class and a column for each predicted one."
        ) from error
    return frame.map(with_points) if decimal == "," else frame


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error).splitlines()[0].rstrip(".")


def read_candidates(path: Path) -> dict[str, Any]:
    r"""Read candidates from a Python file, in order of preference, simplest first.

    The file defines a dict ``candidates`` of classifiers for numbers, each of which gets the
    table's columns turned into numbers (:func:`for_tables`), but for those that pick columns by
    name or type, which get the table as it is; a dict ``raw_candidates`` of
    classifiers that get the table as it is, or both; without either, every classifier that is a
    variable of the file is a candidate under the variable's name. The file is run.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "mine.py")
    ...     _ = path.write_text(
    ...         "from sklearn.naive_bayes import GaussianNB\n"
    ...         "candidates = {'naive Bayes': GaussianNB()}\n"
    ...     )
    ...     list(read_candidates(path))
    ['naive Bayes']
    """
    try:
        module = load_module(path)
    except SystemExit:
        raise InvalidInput(
            f"{path.name!r} ends the program; expected definitions only. Put what is to be run "
            'under: if __name__ == "__main__".'
        ) from None
    given = {name: getattr(module, name, None) for name in ("candidates", "raw_candidates")}
    for name, value in given.items():
        if value is not None and not isinstance(value, dict):
            raise InvalidInput(
                f"{name} in {path.name!r} is {value!r}; expected a dict {{name: classifier}}."
            )
    plain, raw = (value or {} for value in given.values())
    if not any(value is not None for value in given.values()):
        plain = {name: value for name, value in vars(module).items() if _is_classifier(value)}
    twice = sorted(plain.keys() & raw.keys())
    if twice:
        raise InvalidInput(
            f"{twice[0]!r} is in candidates and in raw_candidates of {path.name!r}; expected each "
            "name once."
        )
    if not plain and not raw:
        raise InvalidInput(
            f"{path.name!r} names no candidates; expected a dict 'candidates' of scikit-learn "
            "classifiers, or variables that are such."
        )
    for name, value in (plain | raw).items():
        if not _is_classifier(value):
            call = f" Write {value.__name__}()." if isinstance(value, type) else ""
            words = short(" ".join(repr(value).split()), 80)
            raise InvalidInput(
                f"the candidate {name!r} of {path.name!r} is {words}; expected a "
                f"scikit-learn classifier, with fit, predict and get_params.{call}"
            )
    made = {name: value if names_columns(value) else for_tables(value)
            for name, value in plain.items()}  # fmt: skip
    return made | raw


def names_columns(candidate: Any) -> bool:
    """Whether a candidate picks columns by name or type somewhere: of a table, not of numbers.

    Examples
    --------
    >>> from sklearn.compose import make_column_selector, make_column_transformer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> numbers = make_column_selector(dtype_include="number")
    >>> for columns in (numbers, ["age"], [0]):
    ...     chosen = make_column_transformer((StandardScaler(), columns))
    ...     names_columns(make_pipeline(chosen, GaussianNB()))
    True
    True
    False
    """
    from sklearn.compose import ColumnTransformer, make_column_selector

    try:
        parts = [candidate, *candidate.get_params(deep=True).values()]
    except Exception:  # a class of the user's own may raise anything
        return False
    chosen = [one[-1] for part in parts if isinstance(part, ColumnTransformer)
              for one in part.transformers]  # fmt: skip
    return any(
        isinstance(one, str | make_column_selector)
        or (np.ndim(one) == 1 and any(isinstance(name, str) for name in one))
        for one in chosen
    )


def _is_classifier(value: Any) -> bool:
    return not isinstance(value, type) and all(
        will_have(value, method) for method in ("fit", "predict", "get_params")
    )
