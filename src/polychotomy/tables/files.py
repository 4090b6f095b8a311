"""Files that may hold a table: checked before they are opened, unpacked within a limit."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from gzip import BadGzipFile, GzipFile
from pathlib import Path
from zipfile import ZipFile, is_zipfile

from polychotomy.core.exceptions import InvalidTable

# How the name of a table's file may end, and what it then is.
KINDS = {
    **dict.fromkeys((".csv", ".csv.gz", ".tsv", ".tsv.gz"), "text"),
    ".parquet": "Parquet",
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), "sheets"),
    **dict.fromkeys((".jsonl", ".ndjson", ".jsonl.gz"), "JSON lines"),
    **dict.fromkeys((".feather", ".arrow"), "Arrow"),
    ".arff": "ARFF",
    ".sas7bdat": "SAS",
    ".xpt": "SAS transport",
    ".dta": "Stata",
    **dict.fromkeys((".sav", ".zsav"), "SPSS"),
}

SUFFIXES = tuple(KINDS)

_EXPECTED = f"a name that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"

MOST_BYTES = 8 * 2**30  # the most bytes a table may have unpacked


_MOST_RATIO = 200  # of unpacked to packed bytes; real tables stay below 50

_ALWAYS_ALLOWED = 64 * 2**20  # bytes that a small packed file may always have

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # two letters and more: C:/ is a drive

_BLOCK = 2**22


def as_path(place: str | Path) -> Path:
    """Return the name of a file or folder as a path.

    Examples
    --------
    >>> as_path(None)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidTable: None is no name of a file or folder; expected a \
text or a pathlib.Path.
    """
    try:
        return Path(place)
    except TypeError:
        raise InvalidTable(
            f"{str(place)[:60]} is no name of a file or folder; expected a text or a pathlib.Path."
        ) from None


def check_table_file(path: Path) -> Path:
    """Refuse what is not a regular file of a known kind with something in it."""
    if _ADDRESS.match(str(path)):
        raise InvalidTable(
            f"{path.as_posix()!r} is an address, and nothing is fetched from the net; expected a "
            "file. Download it first."
        )
    if not path.exists():
        near = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        raise InvalidTable(f"there is no file {str(path)!r}.{did_you_mean(path.name, near)}")
    if not path.is_file():
        found = "a folder" if path.is_dir() else "a device or a pipe"
        raise InvalidTable(f"{str(path)!r} is {found}, not a file; expected a table ({_EXPECTED}).")
    if kind_of_file(path) is None:
        raise InvalidTable(
            f"{path.name!r} is of no kind known here; expected {_EXPECTED}. If it is a table of "
            "text with a header, call it .csv: tabs, semicolons and bars are found."
        )
    if path.stat().st_size == 0:
        raise InvalidTable(f"{path.name!r} is empty; expected a header row and data.")
    return path


def kind_of_file(path: Path) -> str | None:
    """Return what a file is by its name, or None.

    Examples
    --------
    >>> kind_of_file(Path("Plants.CSV.gz")), kind_of_file(Path("plants.pdf"))
    ('text', None)
    """
    name = path.name.lower()
    return next((kind for suffix, kind in KINDS.items() if name.endswith(suffix)), None)


def read_whole(path: Path) -> bytes:
    """Return the bytes of a file, unpacked; refuse one that changes meanwhile or is a bomb."""
    return b"".join(read_blocks(path, path.stat().st_size + 1))


def read_blocks(path: Path, size: int = _BLOCK) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked, block by block, with the refusals of `read_whole`."""
    is_packed = path.name.lower().endswith(".gz")
    read, most = 0, _most_unpacked(path) if is_packed else MOST_BYTES
    try:
        with at_rest(path), path.open("rb") as file, GzipFile(fileobj=file) as unpacked:
            check_size(path)
            source = unpacked if is_packed else file
            while block := source.read(min(size, most + 1)):
                read += len(block)
                if read > most:
                    raise InvalidTable(too_large(path, most))
                yield block
    except EOFError:
        raise InvalidTable(f"{path.name!r} cannot be read: it ends in the middle.") from None
    except (BadGzipFile, zlib.error) as error:
        raise InvalidTable(
            f"{path.name!r} cannot be read as gzip: {error}. If it is not packed, call it .csv."
        ) from error
    except OSError as error:
        raise InvalidTable(f"{path.name!r} cannot be read: {error.strerror}.") from error


@contextmanager
def at_rest(path: Path) -> Iterator[None]:
    """Refuse a file that changes while it is read here."""
    before = path.stat()
    yield
    after = path.stat()
    if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
        raise InvalidTable(
            f"{path.name!r} changed while it was read ({before.st_size} bytes, now "
            f"{after.st_size}); expected a file at rest. Try again when it is complete."
        )


def stem_of(path: Path) -> str:
    """Return a table's name: that of its file without the suffix.

    Examples
    --------
    >>> from pathlib import Path
    >>> stem_of(Path("data/plants.csv.gz"))
    'plants'
    """
    suffix = next((suffix for suffix in SUFFIXES if path.name.lower().endswith(suffix)), "")
    return path.name[: len(path.name) - len(suffix)] or path.name


def did_you_mean(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> str:
    """Name the nearest of the known words, if one is near.

    Examples
    --------
    >>> did_you_mean("specis", ["height", "Species"])
    " Did you mean 'Species'?"
    """
    lower = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), lower, n=1, cutoff=cutoff)
    return f" Did you mean {lower[near[0]]!r}?" if near else ""


def no_column(table: str, name: str, columns: Sequence[str]) -> str:
    """Say that a table has no column of that name, and which ones it has.

    Examples
    --------
    >>> no_column("'plants'", "sise", ["size", "weight"])
    "'plants' has no column 'sise'. Did you mean 'size'? Its columns are: size, weight."
    """
    listed = ", ".join(columns[:60]) + (", …" if len(columns) > 60 else "")
    hint = did_you_mean(name, columns)
    return f"{table} has no column {name!r}.{hint} Its columns are: {listed}."


def too_large(path: Path, most: int) -> str:
    """Say of a file that it would not fit into memory."""
    return (
        f"{path.name!r} holds more than {most / 2**20:.0f} MiB unpacked; expected a table that "
        "fits into memory. If it is what it should be, unpack it, or take a sample of its rows."
    )


def _most_unpacked(path: Path) -> int:
    return min(MOST_BYTES, max(_ALWAYS_ALLOWED, _MOST_RATIO * path.stat().st_size))


def check_size(path: Path) -> None:
    """Refuse a file, or a zip archive such as a workbook, that would not fit into memory."""
    size, most = path.stat().st_size, MOST_BYTES
    if is_zipfile(path):
        with ZipFile(path) as archive:
            size, most = sum(one.file_size for one in archive.infolist()), _most_unpacked(path)
    if size > most:
        raise InvalidTable(too_large(path, most))
