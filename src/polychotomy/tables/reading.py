"""Tables from files: CSV, compressed CSV or Parquet, with or without a target column."""

from __future__ import annotations

from collections.abc import Collection
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polychotomy.core.exceptions import InvalidTable
from polychotomy.tables.column_notes import note_columns
from polychotomy.tables.csv_text import (
    check_rows,
    decode_text,
    find_separators,
    parse_csv,
    read_header,
)
from polychotomy.tables.dates import with_dates
from polychotomy.tables.files import (
    MOST_BYTES,
    as_path,
    check_table_file,
    did_you_mean,
    read_whole,
    stem_of,
)
from polychotomy.tables.labels import note_labels, plain_labels

if TYPE_CHECKING:
    import pandas as pd


class Table(NamedTuple):
    """A labelled table: its name, features, labels, and what a reader should be told about it.

    The labels are an array, or a pandas ``Categorical`` where the column was one. `read_table`
    makes it from a file.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from polychotomy.tables.reading import Table
    >>> X = pd.DataFrame({"height": [1.5, 12.0]})
    >>> table = Table("plants", X, np.array(["herb", "tree"]), target="kind", notes=())
    >>> table.X.shape, table.labels.tolist()
    ((2, 1), ['herb', 'tree'])
    """

    name: str
    X: pd.DataFrame
    labels: Any
    target: str
    notes: tuple[str, ...]


def read_table(path: str | Path, *, target: str) -> Table:
    r"""Read a labelled table from a file.

    In the target column only an empty field is missing: ``NA``, ``None`` and ``null`` are labels
    like others there, and a note says so. In the other columns they are missing values. Further
    notes name columns that are constant, empty, equal, infinite, like an identifier, or that give
    the target away.

    Parameters
    ----------
    path : path
        A file whose name ends in ``.csv``, ``.csv.gz`` or ``.parquet``.
    target : str
        The column that holds the labels.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "plants.csv")
    >>> _ = path.write_text("height,kind\n1.5,NA\n,tree\n")
    >>> table = read_table(path, target="kind")
    >>> table.name, table.labels.tolist()
    ('plants', ['NA', 'tree'])
    >>> table.notes
    ("1 label of 'kind' is the text 'NA': taken as a class, not as missing",)
    >>> folder.cleanup()
    """
    table = read_labelled(path, target=target)
    columns = note_columns(table.X, table.labels.tolist(), target)
    return table._replace(notes=(*table.notes, *columns))


def read_labelled(path: str | Path, *, target: str, unused: Collection[str] = ()) -> Table:
    """Read a labelled table from a file, without remarks about the features.

    Columns named in ``unused`` may hold whatever they like.
    """
    path = as_path(path)
    check_table_file(path)
    frame, notes = _read(path, target)
    idle = [name for name in unused if name in frame and name != target]
    _check_values(frame.drop(columns=idle), path)
    labels = plain_labels(frame[target])
    X = frame.drop(columns=target)
    if X.shape[1] == 0:
        raise InvalidTable(
            f"{path.name!r} has the column {target!r} only; expected at least one more to predict "
            "it from."
        )
    notes += note_labels(labels.tolist(), target)
    return Table(stem_of(path), X, labels, target, notes)


def read_features(path: str | Path, *, used: Collection[str] | None = None) -> pd.DataFrame:
    r"""Read a table without a target from a file, every column of a CSV file as text.

    A model knows which columns were numbers; guessing again from new rows could go wrong. Columns
    that are not ``used`` may hold whatever they like.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "new.csv")
    ...     _ = path.write_text("height,code\n1.50,007\n")
    ...     read_features(path).to_numpy().tolist()
    [['1.50', '007']]
    """
    path = as_path(path)
    check_table_file(path)
    frame, _ = _read(path, None)
    _check_values(frame if used is None else frame[[n for n in frame if str(n) in used]], path)
    return frame


def _read(path: Path, target: str | None) -> tuple[pd.DataFrame, tuple[str, ...]]:
    is_parquet = path.name.lower().endswith(".parquet")
    frame, notes = _read_parquet(path) if is_parquet else _read_csv(path, target)
    if target is not None:
        _check_target([str(column) for column in frame.columns], target, path)
    _check_rows(frame, path)
    return frame, notes


def _read_csv(path: Path, target: str | None) -> tuple[pd.DataFrame, tuple[str, ...]]:
    text = decode_text(read_whole(path), path.name)
    separators = find_separators(text)
    header = read_header(text, path.name, separators)
    if target is not None:  # before the whole file is parsed
        _check_target(header, target, path)
    check_rows(text, header, path.name, separators)
    frame = parse_csv(text, header, path.name, separators, target=target)
    return frame, () if separators.note is None else (separators.note,)


def _read_parquet(path: Path) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read a Parquet file; an index that means something is left out with a note."""
    import pandas as pd
    import pyarrow
    import pyarrow.parquet

    data = read_whole(path)
    try:
        metadata = pyarrow.parquet.read_metadata(BytesIO(data))
        groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
        if sum(group.total_byte_size for group in groups) > MOST_BYTES:
            raise InvalidTable(
                f"{path.name!r} holds more than {MOST_BYTES} bytes unpacked; expected a table that "
                "fits into memory. Take a sample of its rows."
            )
        frame: pd.DataFrame = pd.read_parquet(BytesIO(data))
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError, OSError) as error:
        raise InvalidTable(
            f"{path.name!r} cannot be read as Parquet: {str(error).rstrip('.')}. Write it anew, or "
            "name it by what it is."
        ) from error
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InvalidTable(
            f"two columns of {path.name!r} are called {str(twice[0])!r}; expected each name once."
        )
    named = [str(name) for name in frame.index.names if name is not None]
    notes = tuple(f"the index {name!r} of the Parquet file was not used" for name in named)
    return with_dates(frame.reset_index(drop=True)), notes


def _check_target(columns: list[str], target: str, path: Path) -> None:
    if target not in columns:
        listed = ", ".join(columns[:60]) + (", …" if len(columns) > 60 else "")
        data = " Is the first line data? Expected the names of the columns there."
        raise InvalidTable(
            f"{path.name!r} has no column {target!r}.{did_you_mean(target, columns)} "
            f"Its columns are: {listed}.{data * any(map(_is_number, columns))}"
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _check_rows(frame: pd.DataFrame, path: Path) -> None:
    if len(frame) == 0:
        raise InvalidTable(f"{path.name!r} has a header but no rows; expected data below it.")


def _check_values(frame: pd.DataFrame, path: Path) -> None:
    """Refuse cells that hold several values."""
    for name in frame.columns:
        first = frame[name].dropna().head(1).tolist()
        if first and isinstance(first[0], list | dict | np.ndarray | bytes):
            raise InvalidTable(
                f"the column {str(name)!r} of {path.name!r} holds values of the type "
                f"{type(first[0]).__name__}, such as {str(first[0])[:60]}; expected "
                "numbers, texts or dates. Take it apart, or leave it out (judge has --drop COLUMN)."
            )
