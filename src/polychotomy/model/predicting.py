"""Predictions as a file: what tells the rows apart, then class and probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.core.files import check_output, check_suffix, spare_inputs, writing_whole
from polychotomy.core.numbers import counted
from polychotomy.model.conforming import Conforming, dates_of
from polychotomy.model.model import Model, load_model
from polychotomy.model.schema import Schema
from polychotomy.study.design.dataset import name_some
from polychotomy.study.design.specification import installed
from polychotomy.study.ledger.export import neutralise, writing_rows
from polychotomy.tables.files import no_column, stem_of
from polychotomy.tables.formats import Asked
from polychotomy.tables.streaming import TableStream, open_stream

if TYPE_CHECKING:
    import pandas as pd


class Kept:
    """The columns of a table that tell its predictions apart: those asked for, or ``row``.

    Parameters
    ----------
    names : names
        Columns asked for; refused if they are not there, or called like ours.
    is_csv : bool
        Whether they are written as CSV.
    """

    def __init__(
        self, stream: TableStream, names: tuple[str, ...], schema: Schema, *, is_csv: bool
    ) -> None:
        there = stream.columns
        ours = ["predicted", *(f"p:{label}" for label in schema.labels)]
        for name in names:
            if name not in there:
                raise InvalidInput(f"--keep: {no_column('the table', name, there)}")
            if name in ours:
                raise InvalidInput(
                    f"--keep names {name!r}, and a column of the predictions is called so; "
                    "expected another. Rename it in the table."
                )
        self.names = names
        # What the model reads as a number is to be written as it was, and the type of a column of
        # a Parquet file depends on all of its rows: these are kept in memory.
        self._whole: dict[str, pd.Series] = {}
        for name in names:
            if stream.is_typed or name in schema.names:
                column = stream.whole([name])[name]
                if column.dtype.kind == "M" and is_csv:  # without hours only if none has any
                    column = column.astype(str).where(column.notna())
                self._whole[name] = column

    def part(self, frame: pd.DataFrame, start: int) -> pd.DataFrame:
        """Return the columns for some rows of the table, the first of which is ``start``."""
        import pandas as pd

        stop = start + len(frame)
        if not self.names:
            return pd.DataFrame({"row": range(start + 1, stop + 1)})
        whole = {n: c.iloc[start:stop].set_axis(frame.index) for n, c in self._whole.items()}
        return pd.DataFrame({name: whole.get(name, frame[name]) for name in self.names})


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
        rows = counted(sum(self.counts.values()), "row")
        return f"{rows} predicted ({classes}), written to {self.path}; {self.deciding}"


def predict_file(
    model: str | Path,
    table: str | Path,
    *,
    output: str | Path | None = None,
    sheet: str | None = None,
    encoding: str | None = None,
    keep: Iterable[str] = (),
    coverage: float | None = None,
    trusted: Iterable[str] = (),
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> FilePrediction:
    """Predict every row of a table in a file, and write class and probabilities to another.

    The table is read, predicted and written part by part, and need not fit into memory. The rows
    stay in their order. What tells them apart comes first: the columns of ``keep``, or
    else ``row``, which counts the rows of data from 1.

    Parameters
    ----------
    model : path
        A file that :meth:`Model.save` wrote.
    table : path
        A file of any kind that :func:`read_table` reads, with the columns of training.
    output : path, optional
        A ``.csv``, ``.parquet`` or ``.xlsx`` file; by default ``<table>-predictions.csv`` in the
        current folder. Text that a spreadsheet would take for a formula gets a leading apostrophe.
    sheet, encoding : str, optional
        Of a workbook the sheet to read, of a text its encoding, as in :func:`read_table`.
    keep : names
        Columns of the table to copy, whether the model uses them or not.
    coverage : float, optional
        Write a column ``set``, too: classes that hold the true one in this share of cases.
    trusted : names
        More types to trust, or the candidates file, see :func:`load_model`.
    force : bool
        Overwrite ``output`` if it exists.
    progress : callable, optional
        Called with the number of rows that are done, after each part.

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
    loaded = load_model(model, trusted=trusted)
    stream = open_stream(table, asked=Asked(sheet, encoding))
    kept = Kept(stream, tuple(dict.fromkeys(keep)), loaded.schema, is_csv=path.suffix == ".csv")
    try:
        conforming = Conforming(stream.columns, loaded.schema, dates_of(loaded.estimator_))
    except InvalidTable as error:  # the reason may be how the file was read
        raise InvalidTable(
            " ".join([str(error), *(f"Note: {one}." for one in stream.notes)])
        ) from None
    with writing_whole(path) as temporary:
        while True:
            with writing_rows(temporary, as_parquet=path.suffix != ".csv") as write:
                counts, warned = _predict_parts(
                    loaded, stream, conforming, kept, coverage, write, progress
                )
            if not conforming.undecided:
                break
            conforming.settle(stream.whole(conforming.undecided))
        if path.suffix == ".xlsx":
            _make_sheet(temporary)
    labels = [str(label) for label in loaded.schema.labels]
    notes = (*_note_versions(loaded), *stream.notes, *conforming.notes, *warned)
    return FilePrediction(path, dict(zip(labels, counts, strict=True)), notes, loaded.deciding)


def _predict_parts(
    model: Model,
    stream: TableStream,
    conforming: Conforming,
    kept: Kept,
    coverage: float | None,
    write: Callable[[pd.DataFrame], None],
    progress: Callable[[int], None] | None,
) -> tuple[list[int], list[str]]:
    """Predict and write part after part; return rows of each class, and warnings.

    From an undecided column on the rest is only looked through.
    """
    import pandas as pd

    labels = np.array([str(label) for label in model.schema.labels], dtype=object)
    numbers = [str(column.name) for column in model.schema.columns if column.kind == "number"]
    counts, row = np.zeros(len(labels), dtype=np.intp), 0
    warned: dict[str, None] = {}
    for frame in stream.parts({*model.schema.names, *kept.names}, numbers):
        X = conforming.take(frame)
        if X is not None:
            found = model.predict_conformed(X)
            answers = model.frame_of(found)
            if coverage is not None:
                held = model.choose_sets(found.probabilities, coverage)
                answers.insert(1, "set", [" | ".join(labels[one]) for one in held])
            write(pd.concat([kept.part(frame, row), answers], axis=1))
            counts += np.bincount(found.codes, minlength=len(counts))
            warned |= dict.fromkeys(found.warned)
        row += len(frame)
        if progress is not None:
            progress(row)
    return counts.tolist(), list(warned)


def _make_sheet(path: Path) -> None:
    """Turn a Parquet file into a workbook, in which no text is a formula."""
    import pandas as pd

    frame = pd.read_parquet(path)
    if len(frame) > _MOST_SHEET_ROWS:
        raise InvalidInput(f"a sheet cannot hold {len(frame)} rows; write to .csv or .parquet.")
    safe = frame.map(lambda cell: neutralise(cell) if isinstance(cell, str) else cell)
    safe = safe.rename(columns=neutralise)
    with path.open("wb") as file:
        safe.to_excel(file, index=False, engine="openpyxl")


_MOST_SHEET_ROWS = 2**20 - 1  # beside the header


def _check_output(path: Path, model: Path, table: Path, *, force: bool) -> None:
    check_suffix(path, ".csv", ".parquet", ".xlsx", what="write predictions to")
    if path.suffix == ".xlsx" and find_spec("openpyxl") is None:
        raise InvalidInput(
            f"to write {path.name!r} takes a library that is not installed. Get it by: pip install "
            "'polychotomy[excel]', or write to .csv."
        )
    spare_inputs({"--output": path}, {"model": model, "table": table})
    check_output(path, force=force)


def _note_versions(model: Model) -> list[str]:
    """Say where the model was fitted with other versions than those here."""
    return [
        f"the model was fitted with {package} {then}, here is {now}: predictions may differ"
        for package, now in installed(_DECIDING).items()
        if (then := model.versions.get(package, now)) != now
    ]
