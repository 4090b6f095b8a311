"""Predictions as a file: what tells the rows apart, then class and probabilities."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.files import check_output, check_suffix, writing_whole
from polychotomy.model.model import Model, load_model
from polychotomy.model.schema import Schema
from polychotomy.study.design.dataset import name_some
from polychotomy.study.design.specification import installed
from polychotomy.study.fitting.user_module import load_module
from polychotomy.study.ledger.export import neutralise
from polychotomy.tables.files import did_you_mean, stem_of
from polychotomy.tables.reading import read_features

if TYPE_CHECKING:
    import pandas as pd


_ROW = "row"


def keep_columns(table: pd.DataFrame, names: tuple[str, ...], schema: Schema) -> pd.DataFrame:
    """Return the columns asked for, or the number of each row, counted from 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from polychotomy.model.schema import Schema
    >>> schema = Schema(columns=(), is_frame=True, target="y", labels=(0, 1), label_dtype="int8")
    >>> table = pd.DataFrame({"patient": ["a", "b"]})
    >>> keep_columns(table, ("patient",), schema)["patient"].tolist()
    ['a', 'b']
    >>> keep_columns(table, (), schema)["row"].tolist()
    [1, 2]
    """
    import pandas as pd

    there = [str(name) for name in table.columns]
    ours = ["predicted", *(f"p:{label}" for label in schema.labels)]
    for name in names:
        if name not in there:
            raise InvalidInput(
                f"--keep: the table has no column {name!r}.{did_you_mean(name, there)} Its columns "
                f"are: {', '.join(there[:40])}{', …' if len(there) > 40 else ''}."
            )
        if name in ours:
            raise InvalidInput(
                f"--keep names {name!r}, and a column of the predictions is called so; expected "
                "another. Rename it in the table."
            )
    if not names:
        return pd.DataFrame({_ROW: range(1, len(table) + 1)})
    return table.iloc[:, [there.index(name) for name in dict.fromkeys(names)]]


def offer_to_keep(table: pd.DataFrame, kept: pd.DataFrame, schema: Schema) -> list[str]:
    """Say how columns that the model does not use can be had beside the predictions."""
    known = {*schema.names, schema.target}
    spare = [str(name) for name in table.columns if str(name) not in known]
    if not spare or list(kept.columns) != [_ROW]:
        return []
    return [
        "rows are told apart by their number in the table; to copy a column instead, such as "
        f"{spare[0]!r}: --keep {shlex.quote(spare[0])}"
    ]


def write_rows(kept: pd.DataFrame, predictions: pd.DataFrame, path: Path) -> None:
    """Write columns side by side, whole or not at all; in CSV no cell is a formula."""
    import pandas as pd

    frame = pd.concat([kept.reset_index(drop=True), predictions], axis=1)
    with writing_whole(path) as temporary:
        if path.suffix == ".parquet":
            frame.to_parquet(temporary, index=False)
            return
        for name in (*kept.columns, "predicted"):
            if frame[name].dtype.kind not in "biufMm":
                cells = frame[name].astype(object)
                frame[name] = cells.map(lambda cell: neutralise(str(cell)), na_action="ignore")
        frame.rename(columns=neutralise).to_csv(temporary, index=False)


_DECIDING = ("scikit-learn", "skrub", "polychotomy")  # packages whose code makes the predictions


class FilePrediction(NamedTuple):
    """What was predicted: where, how many rows of each class, remarks, and by what it decides.

    Examples
    --------
    >>> from pathlib import Path
    >>> from polychotomy.model import FilePrediction
    >>> found = FilePrediction(Path("out.csv"), {"ash": 2, "oak": 1}, notes=(),
    ...     deciding="labels are those of least expected cost")
    >>> print(found.say())
    3 rows predicted (2 'ash', 1 'oak'), written to out.csv; labels are those of least expected cost
    """

    path: Path
    counts: dict[str, int]
    notes: tuple[str, ...]
    deciding: str

    def say(self) -> str:
        """Say how many rows got which class, where it is written, and what the labels are."""
        classes = name_some([f"{count} {name[:60]!r}" for name, count in self.counts.items()])
        n = sum(self.counts.values())
        rows = f"{n} row{'s' * (n != 1)}"
        return f"{rows} predicted ({classes}), written to {self.path}; {self.deciding}"


def predict_file(
    model: str | Path,
    table: str | Path,
    *,
    output: str | Path | None = None,
    keep: Iterable[str] = (),
    trusted: Iterable[str] = (),
    force: bool = False,
) -> FilePrediction:
    """Predict every row of a table in a file, and write class and probabilities to another.

    The rows stay in their order. What tells them apart comes first: the columns of ``keep``, or
    else ``row``, which counts the rows of data from 1.

    Parameters
    ----------
    model : path
        A file that :meth:`Model.save` wrote.
    table : path
        A ``.csv``, ``.csv.gz`` or ``.parquet`` file with the columns of training.
    output : path, optional
        A ``.csv`` or ``.parquet`` file; by default ``<table>-predictions.csv`` in the current
        folder. Text in a CSV file that a spreadsheet would take for a formula gets a leading
        apostrophe.
    keep : names
        Columns of the table to copy, whether the model uses them or not.
    trusted : names
        More types to trust, see :func:`load_model`; a name that ends in ``.py`` is the candidates
        file that the model came from: it is run, and its types are trusted.
    force : bool
        Overwrite ``output`` if it exists.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pandas as pd
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.model import fit_model
    >>> from polychotomy.model import predict_file
    >>> X = pd.DataFrame({"size": [1.0, 1.2, 3.0, 3.1]})
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = pathlib.Path(name)
    ...     fit_model(GaussianNB(), X, ["small"] * 2 + ["large"] * 2).save(folder / "m.skops")
    ...     X.to_csv(folder / "new.csv", index=False)
    ...     predict_file(folder / "m.skops", folder / "new.csv", output=folder / "out.csv").counts
    {'large': 2, 'small': 2}
    """
    model, table = Path(model), Path(table)
    path = Path(output) if output is not None else Path(f"{stem_of(table)}-predictions.csv")
    _check_output(path, model, table, force=force)
    names = list(trusted)
    modules = [load_module(Path(name)).__name__ for name in names if name.endswith(".py")]
    loaded = load_model(model, trusted=[*names, *(f"{module}.*" for module in modules)])
    features = read_features(table, used=loaded.schema.names)
    kept = keep_columns(features, tuple(keep), loaded.schema)
    found = loaded.predict_table(features)
    write_rows(kept, found.frame, path)
    predicted = found.frame["predicted"].astype(str).value_counts()
    counts = {str(label): int(predicted.get(str(label), 0)) for label in loaded.schema.labels}
    notes = (*_note_versions(loaded), *found.notes, *offer_to_keep(features, kept, loaded.schema))
    return FilePrediction(path, counts, notes, loaded.deciding)


def _check_output(path: Path, model: Path, table: Path, *, force: bool) -> None:
    check_suffix(path, ".csv", ".parquet", what="write predictions to")
    for kind, other in (("model", model), ("table", table)):
        if path.resolve() == other.resolve():
            raise InvalidInput(f"--output {str(path)!r} is the {kind} itself; choose another name.")
    check_output(path, force=force)


def _note_versions(model: Model) -> list[str]:
    """Say where the model was fitted with other versions than those here."""
    return [
        f"the model was fitted with {package} {then}, here is {now}: predictions may differ"
        for package, now in installed(_DECIDING).items()
        if (then := model.versions.get(package, now)) != now
    ]
