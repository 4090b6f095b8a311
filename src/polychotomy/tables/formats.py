"""Kinds of files that libraries read whole: sheets, JSON lines, Arrow, ARFF, SAS, Stata, SPSS."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from polychotomy.core.exceptions import InvalidTable
from polychotomy.tables import csv_text, files

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow.parquet as pq


class Asked(NamedTuple):
    """How to read a file: which sheet of a workbook, in which encoding, and for which target.

    ``texts`` are columns of a CSV file of which every cell is a text, whatever it looks like; then
    nothing is missing in the others, too.
    """

    sheet: str | None = None
    encoding: str | None = None
    target: str | None = None
    texts: Collection[str] = ()


_Read = tuple["pd.DataFrame", tuple[str, ...]]


def read_by_library(path: Path, asked: Asked) -> _Read:
    """Read a file by the library for its kind; say what to install where there is none."""
    kind = str(files.kind_of_file(path))
    files.check_size(path)
    with _reading_as(kind, path):
        frame, notes = _READERS[kind](path, asked)
    frame = frame.set_axis([str(name) for name in frame.columns], axis=1)
    csv_text.refuse_duplicates(list(frame.columns))
    return frame, notes


@contextmanager
def _reading_as(kind: str, path: Path) -> Iterator[None]:
    """Explain what is wrong in a file, or that it changes while it is read."""
    try:
        with files.at_rest(path):
            yield
    except ImportError as error:
        extra = "excel" if kind == "sheets" else kind.lower()
        raise InvalidTable(
            f"{path.name!r} is a file of {kind}, for which a library is not installed. Get it by: "
            f"pip install 'polychotomy[{extra}]'"
        ) from error
    except InvalidTable:
        raise
    except Exception as error:  # each library has errors of its own
        reason = (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
        raise InvalidTable(
            f"{path.name!r} cannot be read as {kind}: {reason}. Write it anew, or name it by what "
            "it is."
        ) from error


@contextmanager
def open_parquet(path: Path) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file of a size that can be read."""
    from pyarrow import parquet

    with _reading_as("Parquet", path), parquet.ParquetFile(path, buffer_size=2**20) as file:
        if unpacked_bytes(file) > files.MOST_BYTES:
            raise InvalidTable(files.too_large(path, files.MOST_BYTES))
        csv_text.refuse_duplicates(file.schema_arrow.names)
        yield file


def unpacked_bytes(file: pq.ParquetFile) -> int:
    """Return how many bytes the columns of a Parquet file take unpacked."""
    groups = (file.metadata.row_group(i) for i in range(file.num_row_groups))
    return sum(group.total_byte_size for group in groups)


def _read_parquet(path: Path, asked: Asked) -> _Read:
    import pandas as pd

    with open_parquet(path):
        return index_as_columns(pd.read_parquet(path))


def _read_sheet(path: Path, asked: Asked) -> _Read:
    """Read a sheet cell by cell: types are those of the cells, and blank rows are none."""
    import pandas as pd

    with _open_book(path) as book:
        names = [str(name) for name in book.sheet_names]
        if asked.sheet is not None and asked.sheet not in names:
            raise InvalidTable(
                f"{path.name!r} has no sheet {asked.sheet!r}."
                f"{files.did_you_mean(asked.sheet, names)} Its sheets are: {_listed(names)}."
            )
        sheet = asked.sheet or names[0]
        # Not pandas' own header and types: blank rows and a title often stand above the header,
        # a second column of one name would be renamed, and NA is a label in the target.
        how = {"header": None, "dtype": object, "keep_default_na": False, "na_values": [""]}
        cells = pd.read_excel(book, sheet_name=sheet, **how)
    first = f"the first of the sheets {_listed(names)} was read; --sheet names another"
    notes = [first] if asked.sheet is None and len(names) > 1 else []
    cells = cells.dropna(how="all").dropna(how="all", axis=1)
    if cells.empty:
        raise InvalidTable(f"the sheet {sheet!r} of {path.name!r} is empty. {' '.join(notes)}")
    several = (cells.notna().sum(axis=1) > 1).to_numpy() | (cells.shape[1] == 1)
    start = int(several.argmax())
    start += _is_over_the_header(cells.iloc[start : start + 2])
    if start:
        title = str(cells.iloc[0].dropna().iloc[0])[:60]
        notes.append(f"the header is row {cells.index[start] + 1} of the sheet, below {title!r}")
    header = ["" if pd.isna(name) else str(name) for name in cells.iloc[start]]
    csv_text.refuse_duplicates(header)
    if asked.target is not None and asked.target not in header:
        notes += _say_where(path, asked.target)
    frame = cells.iloc[start + 1 :].set_axis(csv_text.column_names(header), axis=1)
    frame = frame.reset_index(drop=True)
    given = {asked.target, *asked.texts}
    commas = [name for name in frame if name not in given and _has_commas(frame[name])]
    frame[commas] = frame[commas].replace(csv_text.COMMA_ALONE, r"\1.\2", regex=True)
    said = f"texts with decimal commas are taken as numbers: {', '.join(map(repr, commas[:5]))}"
    notes += [said] * bool(commas)
    if asked.target is not None:
        frame = frame.apply(_as_in_text, target=asked.target)
    return frame.infer_objects(), tuple(notes)


def _open_book(path: Path) -> pd.ExcelFile:
    import pandas as pd

    # calamine reads all kinds; without it pandas has a library for each, which may be there.
    return pd.ExcelFile(path, engine="calamine" if find_spec("python_calamine") else None)


def _listed(sheets: Iterable[Any]) -> str:
    return ", ".join(repr(str(name)) for name in list(sheets)[:20])


_HEAD = 20  # rows in which the header of a sheet is looked for


def _say_where(path: Path, target: str) -> list[str]:
    """Name the sheets that have a column of that name."""
    import pandas as pd

    with _open_book(path) as book:
        heads = pd.read_excel(book, sheet_name=None, header=None, nrows=_HEAD)
    has = [name for name, head in heads.items() if head.eq(target).any(axis=None)]
    return [f"the column {target!r} is in {_listed(has)}: name one by --sheet"] if has else []


def say_sheets(path: Path) -> str:
    """Say which sheets a workbook has; nothing of another file.

    Examples
    --------
    >>> say_sheets(Path("plants.csv"))
    ''
    """
    if files.kind_of_file(path) != "sheets" or not path.is_file():
        return ""
    with _reading_as("sheets", path), _open_book(path) as book:
        return f" Its sheets are: {_listed(book.sheet_names)}."


def _is_over_the_header(rows: pd.DataFrame) -> bool:
    """Whether the first of two rows names groups of columns, in merged cells, above their names."""
    known, names = rows.notna().to_numpy(), rows.iloc[-1].tolist()
    texts = {name for name in names if isinstance(name, str)}
    return 2 * known[0].sum() <= len(names) == len(texts)


def _has_commas(cells: pd.Series) -> bool:
    """Whether all texts are numbers, some with decimal commas, which are not before thousands."""
    import pandas as pd

    texts = pd.Series([cell for cell in cells if isinstance(cell, str)], dtype=str)
    if not texts.str.contains(r",(?!\d{3}$)").any():
        return False
    known = texts[~texts.isin(csv_text.MISSING)]
    points = known.str.replace(csv_text.COMMA_ALONE, r"\1.\2", regex=True)
    return bool(pd.to_numeric(points, errors="coerce").notna().all())


def _as_in_text(cells: pd.Series, target: str) -> pd.Series:
    """Give a column of a sheet what that of a CSV file has: gaps, numbers, or texts throughout."""
    import pandas as pd

    is_target = cells.name == target
    known = cells if is_target else cells.mask(cells.isin(csv_text.MISSING))
    texts = known.dropna().map(str)
    if not any(isinstance(cell, str) for cell in known):
        return known
    numbers = pd.to_numeric(texts, errors="coerce")
    found = texts if is_target or numbers.isna().any() else numbers
    return found.reindex(cells.index)


def _read_json_lines(path: Path, asked: Asked) -> _Read:
    import pandas as pd

    rows, notes = json_lines(path, asked.encoding)
    return pd.DataFrame(rows), notes


def json_lines(
    path: Path, encoding: str | None = None
) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Return the objects in the lines of a file, and what is to be said of how it was read."""
    data, notes = csv_text.decode(files.read_whole(path), path.name, encoding)
    # Not by pandas, for which "007" is a number, and a text a date by its column's name. As one
    # list, so that an error has the number of its line.
    lines = filter(str.strip, data.decode().split("\n"))
    rows = json.loads("[" + ",\n".join(lines) + "]")
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("a line is no object {…}")
    return rows, notes


def _read_arrow(path: Path, asked: Asked) -> _Read:
    import pyarrow as pa

    with pa.memory_map(str(path)) as source:
        try:
            table = pa.ipc.open_file(source).read_all()
        except pa.ArrowInvalid:  # the same in the form of a stream
            source.seek(0)
            table = pa.ipc.open_stream(source).read_all()
        return index_as_columns(table.to_pandas())


def index_as_columns(frame: pd.DataFrame) -> _Read:
    """Make the levels of an index columns, with a note; one level without a name is dropped.

    Of several levels one without a name gets one: a number of rows has one level only.

    Examples
    --------
    >>> import pandas as pd
    >>> visits = pd.DataFrame({"x": [1]}, index=pd.MultiIndex.from_tuples(
    ...     [("ann", 2)], names=["patient", None]))
    >>> index_as_columns(visits)[1]
    ("the index is among the columns: 'patient', 'index 2'",)
    """
    if frame.index.nlevels > 1:
        levels = enumerate(frame.index.names, 1)
        frame = frame.rename_axis([f"index {i}" if name is None else name for i, name in levels])
    # A level of a column's name is that column, kept by set_index(…, drop=False).
    named = [name for name in frame.index.names if name is not None and name not in frame.columns]
    if not named:
        return frame.reset_index(drop=True), ()
    frame = frame.reset_index(named).reset_index(drop=True)
    return frame, (f"the index is among the columns: {', '.join(map(repr, map(str, named)))}",)


def _read_arff(path: Path, asked: Asked) -> _Read:
    import pandas as pd

    arff = import_module("arff")  # not SciPy's, which knows neither texts nor quotation marks
    data, notes = csv_text.decode(files.read_whole(path), path.name, asked.encoding)
    found = arff.loads(_ARFF_DATE.sub(r"\1string", data.decode()))
    return pd.DataFrame(found["data"], columns=[name for name, _ in found["attributes"]]), notes


_ARFF_DATE = re.compile(r"^(\s*@attribute\s.*\s)date\b.*$", re.IGNORECASE | re.MULTILINE)


def _by_pandas(reader: str, encoding: str | None = None) -> Callable[[Path, Asked], _Read]:
    def read(path: Path, asked: Asked) -> _Read:
        how = {} if encoding is None else {"encoding": asked.encoding or encoding}
        return getattr(import_module("pandas"), reader)(path, **how), ()

    return read


_READERS: dict[str, Callable[[Path, Asked], _Read]] = {
    "Parquet": _read_parquet,
    "sheets": _read_sheet,
    "JSON lines": _read_json_lines,
    "Arrow": _read_arrow,
    "ARFF": _read_arff,
    "SAS": _by_pandas("read_sas", "infer"),
    "SAS transport": _by_pandas("read_sas", "cp1252"),
    "Stata": _by_pandas("read_stata"),
    "SPSS": _by_pandas("read_spss"),
}
