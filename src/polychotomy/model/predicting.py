"""Predictions for a table in a file, as the command line asks for them."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from polychotomy.datasets.table_files import stem_of
from polychotomy.datasets.tables import read_features
from polychotomy.exceptions import InvalidInput
from polychotomy.model.model import Model
from polychotomy.model.model_file import load_model
from polychotomy.model.output_path import check_output
from polychotomy.model.predicted_rows import keep_columns, offer_to_keep, write_rows
from polychotomy.study.target import name_some
from polychotomy.study.user_module import load_module

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
    >>> from polychotomy.model import fit_model, predict_file
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
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInput(
            f"cannot write predictions to {path.name!r}; expected a name that ends in .csv or "
            ".parquet."
        )
    for kind, other in (("model", model), ("table", table)):
        if path.resolve() == other.resolve():
            raise InvalidInput(f"--output {str(path)!r} is the {kind} itself; choose another name.")
    check_output(path, force=force)


def _note_versions(model: Model) -> list[str]:
    """Say where the model was fitted with other versions than those here."""
    notes = []
    for package in _DECIDING:
        then = model.versions.get(package)
        try:
            now = version(package)
        except PackageNotFoundError:
            continue
        if then is not None and then != now:
            notes.append(
                f"the model was fitted with {package} {then}, here is {now}: predictions may differ"
            )
    return notes
