"""A table without a target, read some rows at a time, so that it need not fit into memory."""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from polychotomy.core.exceptions import InvalidTable
from polychotomy.tables import csv_text, files, formats, reading
from polychotomy.tables.dates import with_dates
from polychotomy.tables.formats import Asked, index_as_columns

if TYPE_CHECKING:
    import pandas as pd

PART_BYTES = 2**23  # bytes of a table that are read at a time


class TableStream:
    """A table that can be read part by part, as often as needed; here, one that is in memory.

    Attributes
    ----------
    columns : list of str
    is_typed : bool
        Whether the file says which columns are numbers.
    notes : tuple of str
        What is to be said of how the file was read.
    """

    columns: list[str]
    is_typed: bool = True
    notes: tuple[str, ...] = ()

    def __init__(self, frame: pd.DataFrame, notes: tuple[str, ...], *, is_typed: bool) -> None:
        self._frame, self.notes, self.is_typed = frame, notes, is_typed
        self.columns = [str(name) for name in frame.columns]

    def parts(self, wanted: Collection[str], numbers: Collection[str]) -> Iterator[pd.DataFrame]:
        """Yield some rows after some rows of the ``wanted`` columns.

        In a CSV file ``numbers`` are read as such where a part of them holds nothing else; all
        other columns are texts.
        """
        yield self.whole(wanted)

    def whole(self, wanted: Collection[str]) -> pd.DataFrame:
        """Return whole columns, those of a CSV file as texts."""
        return self._frame[[name for name in self.columns if name in wanted]]


def open_stream(path: str | Path, *, asked: Asked | None = None) -> TableStream:
    r"""Look a table through, as far as that takes little memory, and make it ready to be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "new.csv")
    ...     _ = path.write_text("height,code\n1.50,007\n2,8\n")
    ...     stream = open_stream(path)
    ...     [part.to_numpy().tolist() for part in stream.parts(stream.columns, ["height"])]
    [[[1.5, '007'], [2.0, '8']]]
    """
    path = files.check_table_file(files.as_path(path))
    kind = files.kind_of_file(path)
    if asked in (None, Asked()) and kind in ("text", "Parquet"):
        # What is unusual, and where, is for the whole table's reader to say.
        with suppress(InvalidTable):
            return _CsvStream(path) if kind == "text" else _ParquetStream(path)
    return TableStream(*reading.read_file(path, asked or Asked()), is_typed=kind != "text")


class _CsvStream(TableStream):
    """Find separators and header of a file, and look at all rows."""

    is_typed = False

    def __init__(self, path: Path) -> None:
        self._path, self._header = path, list[str]()
        start = next(row_blocks(files.read_blocks(path), csv_text.START), b"")
        text = csv_text.first_lines(csv_text.as_utf8(start, ""))
        self._separators = csv_text.find_separators(text, tabs=reading.is_tsv(path))
        n_rows = 0
        for block in row_blocks(files.read_blocks(path, PART_BYTES), PART_BYTES):
            data, headed = csv_text.as_utf8(block, ""), not self._header
            self._header = self._header or csv_text.read_header(data, "", self._separators)
            rows = csv_text.regular_rows(data, self._header, self._separators, headed=headed)
            if rows is None or (block.startswith(codecs.BOM_UTF8) and not headed):
                raise InvalidTable("rows cannot be told apart by their bytes")
            n_rows += rows
        if not n_rows:
            raise InvalidTable("there are no rows")
        self.columns = csv_text.column_names(self._header)

    def parts(self, wanted: Collection[str], numbers: Collection[str]) -> Iterator[pd.DataFrame]:
        name = self._path.name
        blocks = row_blocks(files.read_blocks(self._path, PART_BYTES), PART_BYTES)
        for number, block in enumerate(blocks):
            frame = csv_text.parse_csv(
                csv_text.as_utf8(block, name), self._header, name, self._separators,
                target=None, numbers=numbers, wanted=wanted, headed=number == 0,
            )  # fmt: skip
            if len(frame):  # not of the header alone
                yield frame

    def whole(self, wanted: Collection[str]) -> pd.DataFrame:
        import pandas as pd

        return pd.concat(self.parts(wanted, ()), ignore_index=True)


class _ParquetStream(TableStream):
    """Read what a file says of itself."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with formats.open_parquet(path) as file:
            empty, _ = index_as_columns(file.schema_arrow.empty_table().to_pandas())
            n, n_bytes = file.metadata.num_rows, formats.unpacked_bytes(file)
        if not n:
            raise InvalidTable("there are no rows")
        self.columns = [str(name) for name in empty]
        self._rows_at_a_time = max(1, n * PART_BYTES // max(n_bytes, 1))

    def parts(self, wanted: Collection[str], numbers: Collection[str]) -> Iterator[pd.DataFrame]:
        import pyarrow as pa

        names = [name for name in self.columns if name in wanted]
        with formats.open_parquet(self._path) as file:
            known = (file.schema_arrow.pandas_metadata or {}).get("index_columns", ())
            levels = [one for one in known if isinstance(one, str)]  # not of a range of numbers
            for batch in file.iter_batches(self._rows_at_a_time, columns=[*names, *levels]):
                frame = index_as_columns(pa.Table.from_batches([batch]).to_pandas())[0][names]
                reading.check_values(frame, self._path)
                yield with_dates(frame)

    def whole(self, wanted: Collection[str]) -> pd.DataFrame:
        frame, _ = reading.read_file(self._path, Asked())  # whose types depend on all rows
        return frame[[name for name in self.columns if name in wanted]]


def row_blocks(blocks: Iterable[bytes], size: int) -> Iterator[bytes]:
    r"""Join and cut blocks of a CSV file so that each ends with a row and has about ``size`` bytes.

    A row ends with a line outside of quotation marks.

    Examples
    --------
    >>> list(row_blocks([b'a\n"b', b'\nc"\nd'], 1))
    [b'a\n', b'"b\nc"\n', b'd']
    """
    rest = b""
    for block in blocks:
        rest += block
        cut = _last_row_end(rest) if len(rest) >= size else 0
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest


def _last_row_end(data: bytes) -> int:
    cut = data.rfind(b"\n") + 1
    is_within = data.count(b'"', 0, cut) % 2
    while is_within:
        opened = data.rfind(b'"', 0, cut)
        before = data.rfind(b"\n", 0, opened) + 1
        is_within ^= data.count(b'"', before, cut) % 2
        cut = before
    return cut
