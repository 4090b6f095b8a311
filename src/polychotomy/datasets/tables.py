"""Tables from files: CSV, compressed CSV or Parquet, with a target column."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polychotomy.datasets.labels import MISSING, note_labels, plain_labels
from polychotomy.exceptions import InvalidTable

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".csv", ".csv.gz", ".parquet")


class Table(NamedTuple):
    """A labelled table: its name, features, labels, and what a reader should be told about it."""

    name: str
    X: pd.DataFrame
    labels: NDArray[Any]
    target: str
    notes: tuple[str, ...]


def read_table(path: str | Path, *, target: str) -> Table:
    r"""Read a labelled table from a file.

    In the target column only an empty field is missing: ``NA``, ``None`` and ``null`` are labels
    like others there, and a note says so. In the other columns they are missing values.

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
    path = Path(path)
    _check_file(path)
    frame = _read_parquet(path) if path.name.endswith(".parquet") else _read_csv(path, target)
    _check_columns(frame, target, path)
    _check_rows(frame, path)
    labels = plain_labels(frame[target])
    X = frame.drop(columns=target)
    if X.shape[1] == 0:
        raise InvalidTable(
            f"{path.name!r} has the column {target!r} only; expected at least one more to predict "
            "it from."
        )
    return Table(_stem(path), X, labels, target, note_labels(labels.tolist(), target))


def _stem(path: Path) -> str:
    suffix = next(suffix for suffix in SUFFIXES if path.name.lower().endswith(suffix))
    return path.name[: -len(suffix)] or path.name


def _check_file(path: Path) -> None:
    if not path.exists():
        near = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        raise InvalidTable(f"there is no file {str(path)!r}.{_did_you_mean(path.name, near)}")
    if not path.is_file():
        raise InvalidTable(f"{str(path)!r} is not a file; expected a table ({_expected()}).")
    if not path.name.lower().endswith(SUFFIXES):
        raise InvalidTable(f"{path.name!r} is of no kind known here; expected {_expected()}.")
    if path.stat().st_size == 0:
        raise InvalidTable(f"{path.name!r} is empty; expected a header row and data.")


def _expected() -> str:
    return f"a name that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"


def _read_parquet(path: Path) -> pd.DataFrame:
    import pandas as pd
    import pyarrow

    try:
        return pd.read_parquet(path)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise InvalidTable(f"{path.name!r} is not a Parquet file: {error}") from error


def _read_csv(path: Path, target: str) -> pd.DataFrame:
    import pandas as pd
    from pandas.errors import EmptyDataError, ParserError

    try:
        header = pd.read_csv(path, nrows=0, encoding="utf-8-sig")
        _refuse_duplicates(pd.read_csv(path, header=None, nrows=1, dtype=str, encoding="utf-8-sig"))
        columns = list(header.columns)
        if target not in columns:  # before the whole file is read
            _check_columns(header, target, path)
        missing = {c: sorted(MISSING) if c != target else [""] for c in columns}
        return pd.read_csv(
            path,
            encoding="utf-8-sig",
            keep_default_na=False,
            na_values=missing,
            dtype={target: str},
            float_precision="round_trip",  # the same numbers, hence the same study, everywhere
            low_memory=False,
        )
    except EmptyDataError:
        raise InvalidTable(f"{path.name!r} is empty; expected a header row and data.") from None
    except ParserError as error:
        raise InvalidTable(
            f"{path.name!r} cannot be read as a table: {str(error).strip()}. Expected as many "
            "fields in every row as in the header, separated by commas."
        ) from error
    except UnicodeDecodeError as error:
        raise InvalidTable(
            f"{path.name!r} is not UTF-8 text: byte {error.object[error.start]:#04x} at position "
            f"{error.start}. Save it as UTF-8."
        ) from error
    except (OSError, EOFError) as error:  # a broken gz file among them
        raise InvalidTable(f"{path.name!r} cannot be read: {error}") from error


def _refuse_duplicates(header: pd.DataFrame) -> None:
    """Look at the header as it is; pandas renames the second of two equal names."""
    names = header.iloc[0].dropna().tolist()
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidTable(
            f"{names.count(twice[0])} columns are called {twice[0]!r}; expected each name once. "
            "Rename one of them."
        )


def _check_columns(frame: pd.DataFrame, target: str, path: Path) -> None:
    columns = [str(c) for c in frame.columns]
    if len(columns) == 1 and target not in columns:
        for mark, name in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
            if mark in columns[0]:
                raise InvalidTable(
                    f"{path.name!r} looks separated by {name}: its header is {columns[0][:80]!r}; "
                    "expected commas. Save it with commas, or as Parquet."
                )
    if target not in columns:
        raise InvalidTable(
            f"{path.name!r} has no column {target!r}.{_did_you_mean(target, columns)} "
            f"Its columns are: {', '.join(columns)}."
        )


def _check_rows(frame: pd.DataFrame, path: Path) -> None:
    if len(frame) == 0:
        raise InvalidTable(f"{path.name!r} has a header but no rows; expected data below it.")
    for name in frame.columns:
        first = frame[name].dropna().head(1).tolist()
        if first and isinstance(first[0], list | dict | np.ndarray):
            raise InvalidTable(
                f"the column {str(name)!r} of {path.name!r} holds {type(first[0]).__name__}s, such "
                f"as {str(first[0])[:60]}; expected numbers, texts or dates. Take it apart or "
                "drop it."
            )


def _did_you_mean(word: str, known: list[str]) -> str:
    lower = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), lower, n=1)
    return f" Did you mean {lower[near[0]]!r}?" if near else ""
