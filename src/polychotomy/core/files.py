"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from polychotomy.core.exceptions import InvalidInput


@contextmanager
def writing_whole(path: Path) -> Iterator[Path]:
    """Give a name beside ``path`` to write to; rename it once all is written, else remove it.

    An ``OSError`` while writing, such as a full disk, names ``path``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "page.html")
    ...     with writing_whole(path) as temporary:
    ...         _ = temporary.write_text("all of it")
    ...     path.read_text(), [p.name for p in path.parent.iterdir()]
    ('all of it', ['page.html'])
    """
    if path.is_dir():
        raise InvalidInput(f"{str(path)!r} is a folder; expected the name of a file to write.")
    name = str(path.with_name(f".{path.name}.{uuid4().hex[:8]}"))
    try:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL, 0o666))  # less the process's umask
    except OSError as error:
        raise InvalidInput(
            f"cannot write {str(path)!r}: {error.strerror}. Choose a folder that exists and can be "
            "written."
        ) from error
    try:
        yield Path(name)
        os.replace(name, path)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError) and error.filename in (None, name):
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error
        raise


def check_output(path: Path, *, force: bool) -> None:
    """Refuse a file that exists, or a folder that does not or cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> check_output(Path("no/such/folder.csv"), force=False)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: there is no folder 'no/such' to write 'folder.csv' \
into.
    """
    if not path.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(path.parent)!r} to write {path.name!r} into.")
    if path.is_dir():
        raise InvalidInput(f"{str(path)!r} is a folder; expected the name of a file to write.")
    if path.exists() and not force:
        raise InvalidInput(
            f"{str(path)!r} exists and was left as it is. Choose another name, or overwrite it by "
            "--force (in Python by force=True)."
        )
    # Tried: permissions do not tell it for the superuser, or on what is mounted to be read only.
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise InvalidInput(
            f"the folder {str(path.parent)!r} cannot be written: {error.strerror}. Choose another."
        ) from error


def spare_inputs(outputs: Mapping[str, Path | None], inputs: Mapping[str, Path | None]) -> None:
    """Refuse, whatever --force says, to write over what is read, or one file twice.

    Examples
    --------
    >>> spare_inputs({"--output": Path("a.csv")}, {"table": Path("a.csv")})
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: --output 'a.csv' is the table itself; choose another \
name for it.
    """
    taken = {path.resolve(): kind for kind, path in inputs.items() if path is not None}
    for option, path in outputs.items():
        if path is None:
            continue
        kind = taken.setdefault(path.resolve(), f"file of {option}")
        if kind != f"file of {option}":
            raise InvalidInput(
                f"{option} {str(path)!r} is the {kind} itself; choose another name for it."
            )


def check_suffix(path: Path, *suffixes: str, what: str) -> None:
    """Refuse the name of a file that does not tell a known format.

    Examples
    --------
    >>> check_suffix(Path("notes.txt"), ".csv", ".parquet", what="export to")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: cannot export to 'notes.txt'; expected a name that \
ends in .csv or .parquet.
    """
    if path.suffix not in suffixes:
        ends = " or ".join(suffixes)
        raise InvalidInput(f"cannot {what} {path.name!r}; expected a name that ends in {ends}.")
