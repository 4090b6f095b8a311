"""A table without a target, read some rows at a time, so that it need not fit into memory."""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from polychotomy.core.exceptions import InvalidTable
from polychotomy.tables import csv_text, files, reading
from polychotomy.tables.dates import with_dates
from polychotomy.tables.formats import Asked, index_as_columns

if TYPE_CHECKING:
    import pandas as pd

PART_BYTES = 2**25
"""Bytes of a table that are read at a time."""


class TableStream(Protocol):
    """A table in a file that can be read part by part, as often as needed."""

    @property
    def is_typed(self) -> bool:
        """Whether the file says which columns are numbers."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of how the file was read."""

    @property
    def columns(self) -> list[str]:
        """Names of all columns."""

    def parts(self, wanted: Collection[str], numbers: Collection[str]) -> Iterator[pd.DataFrame]:
        """Yield some rows after some rows of the ``wanted`` columns.

        In a CSV file ``numbers`` are read as such where a part of them holds nothing else; all
        other columns are texts.
        """

    def whole(self, wanted: Collection[str]) -> pd.DataFrame:
        """Return whole columns, those of a CSV file as texts."""


def open_stream(
    path: str | Path, *, asked: Asked | None = None, part_bytes: int | None = None
) -> TableStream:
    r"""Look a table through, as far as that takes little memory, and make it ready to be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "new.csv")
    ...     _ = path.write_text("height,code\n1.50,007\n2,8\n")
    ...     stream = open_stream(path, part_bytes=12)
    ...     [part.to_numpy().tolist() for part in stream.parts(stream.columns, ["height"])]
    [[[1.5, '007']], [[2, '8']]]
    """
    path = files.check_table_file(files.as_path(path))
    size = PART_BYTES if part_bytes is None else part_bytes
    kind, stream = files.kind_of_file(path), None
    if asked in (None, Asked()) and kind in ("text", "Parquet"):
        look = _CsvStream.looked_through if kind == "text" else _ParquetStream.looked_through
        stream = look(path, size)
    return stream or _WholeTable(
        *reading.read_file(path, asked or Asked()), is_typed=kind != "text"
    )


class _WholeTable(NamedTuple):
    """A table whose rows cannot be told apart by its bytes alone, such as one with blank lines."""

    frame: pd.DataFrame
    notes: tuple[str, ...]
    is_typed: bool

    @property
    def columns(self) -> list[str]:
        return [str(name) for name in self.frame.columns]

    def parts(self, wanted: Collection[str], numbers: Collection[str]) -> Iterator[pd.DataFrame]:
        yield self.whole(wanted)

    def whole(self, wanted: Collection[str]) -> pd.DataFrame:
        return self.frame[[name for name in self.columns if name in wanted]]


class _CsvStream(NamedTuple):
    path: Path
    part_bytes: int
    header: list[str]
    separators: csv_text.Separators
    n_rows: int
    is_typed: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def looked_through(cls, path: Path, part_bytes: int) -> _CsvStream | None:
        """Find separators and header, and look at all rows; None where something is unusual.

        What it is, and where, is then for the whole table's reader to say.
        """
        start = next(row_blocks(files.read_blocks(path), csv_text.START), b"")
        n_rows, header = 0, list[str]()
        try:
            text = csv_text.first_lines(csv_text.as_utf8(start, ""))
            separators = csv_text.find_separators(text, tabs=reading.is_tsv(path))
            for block in row_blocks(files.read_blocks(path, part_bytes), part_bytes):
                data, headed = csv_text.as_utf8(block, ""), not header
                header = header or csv_text.read_header(data, "", separators)
                rows = csv_text.regular_rows(data, header, separators, headed=headed)
                if rows is None or (block.startswith(codecs.BOM_UTF8) and not headed):
                    return None
                n_rows += rows
        except InvalidTable:
            return None
        return cls(path, part_bytes, header, separators, n_rows) if n_rows else None

    @property
    def columns(self) -> list[str]:
        return csv_text.column_names(self.header)

    def parts(self, wanted: Collection[str], numbers: Collection[str]) -> Iterator[pd.DataFrame]:
        blocks = files.read_blocks(self.path, self.part_bytes)
        for number, block in enumerate(row_blocks(blocks, self.part_bytes)):
            data = csv_text.as_utf8(block, self.path.name)
            frame = csv_text.parse_csv(
                data,
                self.header,
                self.path.name,
                self.separators,
                target=None,
                numbers=numbers,
                wanted=wanted,
                headed=number == 0,
            )
            if len(frame):  # not of the header alone
                yield frame

    def whole(self, wanted: Collection[str]) -> pd.DataFrame:
        import pandas as pd

        return pd.concat(self.parts(wanted, ()), ignore_index=True)


class _ParquetStream(NamedTuple):
    path: Path
    columns: list[str]
    n_rows: int
    rows_at_a_time: int
    is_typed: bool = True
    notes: tuple[str, ...] = ()

    @classmethod
    def looked_through(cls, path: Path, part_bytes: int) -> _ParquetStream | None:
        """Read what the file says of itself; None if it has no rows."""
        with reading.open_parquet(path) as file:
            empty, _ = index_as_columns(file.schema_arrow.empty_table().to_pandas())
            n, n_bytes = file.metadata.num_rows, reading.unpacked_bytes(file)
        columns, at_a_time = [str(name) for name in empty], n * part_bytes // max(n_bytes, 1)
        return cls(path, columns, n, max(1, at_a_time)) if n else None

    def parts(self, wanted: Collection[str], numbers: Collection[str]) -> Iterator[pd.DataFrame]:
        import pyarrow as pa

        names = [name for name in self.columns if name in wanted]
        with reading.open_parquet(self.path) as file:
            for batch in file.iter_batches(self.rows_at_a_time, columns=names):
                frame = index_as_columns(pa.Table.from_batches([batch]).to_pandas())[0][names]
                reading.check_values(frame, self.path)
                yield with_dates(frame)

    def whole(self, wanted: Collection[str]) -> pd.DataFrame:
        return reading.read_features(self.path, used=wanted, only=wanted)


def row_blocks(blocks: Iterable[bytes], size: int) -> Iterator[bytes]:
    r"""Join and cut blocks of a CSV file so that each ends with a row and has about ``size`` bytes.

    A row ends with a line outside of quotation marks.

    Examples
    --------
    >>> list(row_blocks([b'a\n"b', b'\nc"\nd'], 1))
    [b'a\n', b'"b\nc"\n', b'd']
    """
    rest: list[bytes] = []
    quoted = False
    for block in blocks:
        quoted = quoted or b'"' in block
        if sum(map(len, rest)) + len(block) < size:
            rest.append(block)
            continue
        if quoted:
            rest, block = [], b"".join([*rest, block])
        cut = _last_row_end(block)
        if cut:
            yield b"".join([*rest, memoryview(block)[:cut]])
            rest = []
        rest.append(block[cut:])
    if data := b"".join(rest):
        yield data


def _last_row_end(data: bytes) -> int:
    cut = data.rfind(b"\n") + 1
    is_within = data.count(b'"', 0, cut) % 2
    while is_within:
        opened = data.rfind(b'"', 0, cut)
        before = data.rfind(b"\n", 0, opened) + 1
        is_within ^= data.count(b'"', before, cut) % 2
        cut = before
    return cut
