"""What a request reads: its table, a cost matrix, a file of candidates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polychotomy.app.request import Request
from polychotomy.core.arguments import will_have
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.core.numbers import counted, short
from polychotomy.study import Target
from polychotomy.study.design.candidates import for_tables
from polychotomy.study.design.dataset import name_some
from polychotomy.study.design.plan import Plan
from polychotomy.study.fitting.user_module import load_module
from polychotomy.tables.column_notes import gather_notes
from polychotomy.tables.dates import read_dates
from polychotomy.tables.files import check_table_file, no_column
from polychotomy.tables.formats import Asked, say_sheets
from polychotomy.tables.reading import Table, note_alike, read_file, read_labelled
from polychotomy.tables.row_notes import note_features


class TableRequest(NamedTuple):
    """A table, and of its rows the groups, the times and the groups to count errors in."""

    table: Table
    groups: NDArray[Any] | None
    time: NDArray[Any] | None
    by: NDArray[Any] | None = None

    def only(self, keep: Bools, note: str) -> TableRequest:
        """Return the rows to keep, with a note on the others."""
        table = self.table._replace(
            X=self.table.X.loc[keep].reset_index(drop=True),
            labels=self.table.labels[keep],
            notes=(*self.table.notes, note),
        )
        return TableRequest(table, *(None if one is None else one[keep] for one in self[1:]))


def read_request(request: Request) -> TableRequest:
    """Read a table, or the built-in example, and set apart what are no features."""
    whole = _read(request)
    uses = _check_columns(whole, request)
    table = _labelled(whole, request.drop_unlabelled)
    groups = None if request.group is None else _values(table, request.group)
    times = None if request.time is None else _times(table, request.time)
    by = None if request.by is None else table.X[request.by].to_numpy()
    X = table.X.drop(columns=list(uses))
    if X.shape[1] == 0:
        raise InvalidTable(
            f"nothing is left of {table.name!r} to predict {table.target!r} from; expected columns "
            f"besides {', '.join(uses)}."
        )
    labels = table.labels.tolist()
    found = gather_notes(lambda: note_features(X, labels, table.target, groups=groups, time=times))
    notes = (*table.notes, *found, *_note_apart(uses))
    return TableRequest(table._replace(X=X.reset_index(drop=True), notes=notes), groups, times, by)


def _note_apart(uses: dict[str, str]) -> list[str]:
    words = {"--group": "kept together", "--time": "ordered in time"}
    notes = [
        f"{column!r} is not among the features: rows are {words[option]} by it"
        for column, option in uses.items()
        if option in words
    ]
    dropped = [repr(column) for column, option in uses.items() if option == "--drop"]
    return [*notes, f"left out by --drop: {name_some(dropped)}"] if dropped else notes


def _labelled(table: Table, drop_unlabelled: bool) -> Table:
    """Refuse rows without a label, or leave them out and note it; rows keep their numbers."""
    import pandas as pd

    missing = np.asarray(pd.isna(table.labels))
    count, n = int(missing.sum()), len(missing)
    if not count:
        return table
    if count == n or not drop_unlabelled:
        rows = name_some([str(row + 1) for row in np.flatnonzero(missing)])
        raise InvalidTable(
            f"the target {table.target!r} is missing in {count} of {n} rows (data row {rows}); "
            "expected a label in every row. Fill them in, or leave these rows out by "
            "--drop-unlabelled."
        )
    labels = table.labels[~missing]
    note = f"{count} of {n} rows left out: {table.target!r} is missing there"
    return table._replace(
        X=table.X.loc[~missing],
        labels=np.array(labels.tolist()) if labels.dtype == object else labels,
        notes=(*table.notes, note),
    )


def _read(request: Request) -> Table:
    path, target = request.table, request.target
    if path is None:
        from sklearn.datasets import load_wine

        if target not in (None, "class"):
            raise InvalidTable(
                f"the built-in example has no column {target!r}; its target is 'class'. "
                "Name a table to judge your own."
            )
        data = load_wine(as_frame=True)
        cultivars = np.array([f"cultivar {i + 1}" for i in data.target])
        return Table("wine", data.data, cultivars, "class", ())
    if target is None:
        raise InvalidInput(
            f"no target was named for {path.name!r}; expected --target COLUMN, the column that "
            f"holds the classes.{say_sheets(path)}"
        )
    how = {"sheet": request.sheet, "encoding": request.encoding}
    return read_labelled(path, target=target, unused=request.drop, **how)


def _check_columns(table: Table, request: Request) -> dict[str, str]:
    """Return the columns that are no features, each with its option, or say what is wrong."""
    columns = list(map(str, table.X.columns))
    named = [("--by", request.by), ("--group", request.group), ("--time", request.time)]
    uses: dict[str, str] = {}
    for option, column in (*named, *(("--drop", column) for column in request.drop)):
        if column is None:
            continue
        if column == table.target:
            raise InvalidInput(f"{option} names the target {column!r}; expected another column.")
        if column not in columns:
            raise InvalidInput(f"{option}: {no_column(repr(table.name), column, columns)}")
        if option != "--by":
            uses.setdefault(column, option)  # no feature by its use: to drop it too is no more
    if request.by is not None and table.X[request.by].nunique(dropna=False) < 2:
        raise InvalidInput(f"--by names {request.by!r}, which is the same in all rows.")
    return uses


def _values(table: Table, column: str) -> NDArray[Any]:
    values = table.X[column]
    missing = np.flatnonzero(values.isna())
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


def without_rare(data: TableRequest, plan: Plan, drop_rare: bool) -> TableRequest:
    """Refuse classes with too few members, or drop them and note it."""
    table, least = data.table, plan.least_members
    target = Target.from_labels(table.labels, name=table.target)
    rare = target.rare(least)
    if not rare.any():
        return data
    alike = note_alike(target.names, table.target, among=[*np.array(target.names)[rare]])
    first = "".join(f"{one}; " for one in alike)
    enough = (~rare).sum() > 1
    if not (drop_rare and enough):
        remedy = "Collect more, or leave them out by --drop-rare." if enough else "Collect more."
        try:
            target.refuse_rare(least, name=table.target, remedy=remedy)
        except InvalidTable as error:
            raise InvalidTable(f"{first}{error}") from None
    keep = ~rare[target.codes]
    dropped = name_some([f"{target.names[c]!r} ({target.counts[c]})" for c in np.flatnonzero(rare)])
    rows = f"{first}{target.doubt(rare.sum(), table.target)}{counted(int((~keep).sum()), 'row')}"
    return data.only(keep, f"{rows} of classes with fewer than {least} members left out: {dropped}")


def read_costs(path: Path, classes: Sequence[str]) -> Floats:
    r"""Read costs from a table: rows are true classes, columns predicted ones, named by class.

    Rows and columns may stand in any order; the first field of each row is the true class. What is
    no number is NaN.

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

    # Texts as they are written: no class is missing for being called NA.
    frame, _ = read_file(check_table_file(path), Asked(texts=("",)))
    fields = frame.iloc[:, 1:].set_axis(frame.iloc[:, 0].map(str).tolist())
    for kind, names in (("row", list(fields.index)), ("column", list(fields.columns))):
        if sorted(names) != sorted(classes):
            raise InvalidInput(
                f"the cost matrix {path.name!r} has the {kind}s {', '.join(names[:10])}; expected "
                f"one for each class: {', '.join(classes[:10])}. The file needs a header with the "
                "names of the predicted classes, and the true one first in every row."
            )
    ordered = fields.loc[list(classes), list(classes)]
    costs: Floats = ordered.apply(pd.to_numeric, errors="coerce").to_numpy(dtype=float)
    return costs


def read_candidates(path: Path, columns: Collection[str] = ()) -> dict[str, Any]:
    r"""Read candidates from a Python file, in order of preference, simplest first.

    The file defines a dict ``candidates`` of classifiers for numbers, each of which gets the
    table's columns turned into numbers (:func:`for_tables`), but for those that are made for a
    table with these ``columns`` (:func:`names_columns`), which get it as it is; a dict
    ``raw_candidates`` of classifiers that get the table as it is, or both; without either, every
    classifier that is a variable of the file is a candidate under the variable's name. The file is
    run.

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
    plain, raw = (getattr(module, name, None) for name in ("candidates", "raw_candidates"))
    if plain is raw is None:
        plain = {name: value for name, value in vars(module).items() if _is_classifier(value)}
    plain, raw = ({} if given is None else given for given in (plain, raw))
    for given in (plain, raw):
        if not isinstance(given, dict):
            raise InvalidInput(
                f"candidates in {path.name!r} are {given!r}; expected a dict {{name: classifier}}."
            )
    twice = sorted(plain.keys() & raw.keys())
    if twice or (not plain and not raw):
        found = f"names {twice[0]!r} twice" if twice else "names no candidates"
        raise InvalidInput(
            f"{path.name!r} {found}; expected a dict 'candidates' of scikit-learn classifiers, "
            "'raw_candidates' with other names, or variables that are classifiers."
        )
    for name, value in (plain | raw).items():
        if not _is_classifier(value):
            call = f" Write {value.__name__}()." if isinstance(value, type) else ""
            words = short(" ".join(repr(value).split()), 80)
            raise InvalidInput(
                f"the candidate {name!r} of {path.name!r} is {words}; expected a "
                f"scikit-learn classifier, with fit, predict and get_params.{call}"
            )
    return {
        name: value if name in raw or names_columns(value, columns) else for_tables(value)
        for name, value in (plain | raw).items()
    }


_FOR_TABLES = ("skrub.", "polychotomy.study.fitting.table_numbers")


def names_columns(candidate: Any, columns: Collection[str] = ()) -> bool:
    """Whether a candidate is made for a table and not for numbers.

    It picks columns by name or type somewhere, has as a parameter a list of some of these
    ``columns`` or a function that names one, or a part of skrub's, which makes numbers of tables
    itself.

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
    >>> from sklearn.ensemble import HistGradientBoostingClassifier
    >>> names_columns(HistGradientBoostingClassifier(categorical_features=["age"]), ["age", "town"])
    True
    """
    from sklearn.compose import ColumnTransformer, make_column_selector

    try:
        parts = [candidate, *candidate.get_params(deep=True).values()]
    except Exception:  # a class of the user's own may raise anything
        return False
    transformers = [part.transformers for part in parts if isinstance(part, ColumnTransformer)]
    chosen = [one for *_, one in chain.from_iterable(transformers)]
    chosen += [one for one in parts if isinstance(one, list) and {*map(str, one)} <= {*columns}]
    written = [getattr(getattr(one, "__code__", None), "co_consts", ()) for one in parts]
    chosen += {*map(str, chain.from_iterable(written))} & {*columns}  # lambda X: X["age"]
    return any(type(part).__module__.startswith(_FOR_TABLES) for part in parts) or any(
        isinstance(one, str | make_column_selector)
        or (np.ndim(one) == 1 and any(isinstance(name, str) for name in one))
        for one in chosen
    )


def _is_classifier(value: Any) -> bool:
    return not isinstance(value, type) and all(
        will_have(value, method) for method in ("fit", "predict", "get_params")
    )
