"""Benchmark sets in a folder: ``<name>.csv.gz``, features first, the last column ``class``.

An empty field is missing, and nothing else is. A file ``COLUMNS.csv`` (name, column, kind) beside
them says which whole numbers are names of categories.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.tables.files import as_path
from polychotomy.tables.reading import plain_labels

if TYPE_CHECKING:
    import pandas as pd


CATEGORICAL = ("nominal", "binary")

_KINDS = ("numeric", "ordinal", *CATEGORICAL)


@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset:
    """A benchmark set: its features, its labels, and what kind each feature is.

    Parameters
    ----------
    name : str
    X : (n, features) DataFrame
        Numeric and ordinal columns are numbers, nominal and binary ones categories of text.
        Missing values are NaN.
    y : (n,) labels
    kinds : {column: "numeric", "ordinal", "nominal" or "binary"}

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from polychotomy.reproduction.data.folder import Dataset
    >>> X = pd.DataFrame({"legs": [4.0, 2.0]})
    >>> Dataset(name="pets", X=X, y=np.array(["dog", "bird"]), kinds={"legs": "numeric"}).name
    'pets'
    """

    name: str
    X: pd.DataFrame
    y: NDArray[Any]
    kinds: Mapping[str, str]


def load_folder_dataset(
    folder: str | Path, name: str, *, kinds: Mapping[str, str] | None = None
) -> Dataset:
    r"""Read a benchmark set from a folder of ``.csv.gz`` files.

    Parameters
    ----------
    folder : path
        Holds ``<name>.csv.gz`` and, optionally, ``COLUMNS.csv``.
    name : str
        The set.
    kinds : {column: kind}, optional
        Overrides what ``COLUMNS.csv`` says. Columns that neither knows are numeric where all their
        values are numbers, else nominal.

    Examples
    --------
    >>> import gzip, pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "pets.csv.gz")
    >>> _ = path.write_bytes(gzip.compress(b"legs,fur,class\n4,1,dog\n2,,bird\n"))
    >>> pets = load_folder_dataset(folder.name, "pets", kinds={"fur": "binary"})
    >>> pets.X.fur.tolist(), pets.y.tolist(), dict(pets.kinds)
    (['1', nan], ['dog', 'bird'], {'legs': 'numeric', 'fur': 'binary'})
    >>> folder.cleanup()
    """
    folder = as_path(folder)
    path = folder / f"{name}.csv.gz"
    if not path.is_file():
        raise InvalidInput(_no_such_set(folder, name))
    frame = _read(path)
    if frame.columns[-1] != "class" or len(frame.columns) < 2 or not len(frame):
        raise InvalidTable(
            f"{path.name!r} has {len(frame)} rows and the columns {', '.join(frame.columns[:10])}; "
            "expected rows of features and a last column 'class'."
        )
    known = {**_read_kinds(folder, name), **(kinds or {})}
    columns = {column: _typed(frame[column], known.get(column)) for column in frame.columns[:-1]}
    import pandas as pd

    return Dataset(
        name=name,
        X=pd.DataFrame({column: values for column, (values, _) in columns.items()}),
        y=plain_labels(frame["class"]),
        kinds={column: kind for column, (_, kind) in columns.items()},
    )


def _no_such_set(folder: Path, name: str) -> str:
    if not folder.is_dir():
        return f"there is no folder {str(folder)!r}; expected one of .csv.gz files."
    there = sorted(path.name.removesuffix(".csv.gz") for path in folder.glob("*.csv.gz"))
    near = get_close_matches(name, there, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"there is no data set {name!r} in {str(folder)!r}.{hint} It has: {', '.join(there)}."


def _read(path: Path) -> pd.DataFrame:
    """Read every field as text, so that each column's kind decides what it becomes."""
    import pandas as pd

    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])
    except (OSError, EOFError, ValueError) as error:  # ParserError is a ValueError
        raise InvalidTable(f"{path.name!r} cannot be read: {error}") from error


def _read_kinds(folder: Path, name: str) -> dict[str, str]:
    path = folder / "COLUMNS.csv"
    if not path.is_file():
        return {}
    import pandas as pd

    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    own = table[table["name"] == name]
    return dict(zip(own["column"], own["kind"], strict=True))


def _typed(column: pd.Series, kind: str | None) -> tuple[pd.Series, str]:
    """Return the column as what its kind says, and the kind."""
    if kind not in (None, *_KINDS):
        raise InvalidTable(
            f"the kind of column {column.name!r} is {kind!r}; expected {', '.join(_KINDS)}."
        )
    if kind in CATEGORICAL:
        return column.astype("category"), kind
    try:
        numbers = column.astype("float64")  # exact: each text through Python's float
    except ValueError as error:
        if kind is None:
            return column.astype("category"), "nominal"
        raise InvalidTable(f"the column {column.name!r} is {kind}, but {error}.") from error
    return numbers, kind or "numeric"
