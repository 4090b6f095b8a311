"""One driver a study: a lock that dies with its holder and leaves no file behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO


def try_hold(path: Path) -> BinaryIO | None:
    """Lock a study file for this process; return the open handle, or None if another has it.

    The lock is the operating system's (``flock``), on the file itself: it ends with the process
    that holds it, however that dies. SQLite's own locks are of another kind and go on beside it.
    The handle must be closed after SQLite's connection, since closing any handle of a file gives
    up the locks that SQLite has on it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "study")
    ...     path.touch()
    ...     first, second = try_hold(path), try_hold(path)
    ...     first.close()
    ...     third = try_hold(path)
    ...     third.close()
    >>> second is None, third is None
    (True, False)
    """
    handle = path.open("rb")
    try:
        _lock(handle)
    except OSError:
        handle.close()
        return None
    return handle


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: BinaryIO) -> None:
        # Far beyond the end, since a lock on Windows forbids reading what it covers.
        handle.seek(1 << 62)
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: BinaryIO) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def describe_holder() -> dict[str, int | str]:
    """Say who this process is, for those who find the study taken."""
    import platform
    from datetime import UTC, datetime

    return {
        "pid": os.getpid(),
        "host": platform.node(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }
