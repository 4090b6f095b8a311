"""One driver a study: a lock that dies with its holder and leaves no file behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO

_held: set[tuple[int, int]] = set()  # device and inode of the studies that this process holds


class Hold:
    """A process's hold of a study file.

    The lock is the operating system's (``flock``), on the file itself: it ends with the process
    that holds it, however that dies. SQLite's own locks are of another kind and go on beside it.
    Closing any handle of a file gives up the locks that SQLite has on it, so a hold is released
    after SQLite's connection is closed, also where it was not got.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "study")
    ...     path.touch()
    ...     first, second = Hold(path), Hold(path)
    ...     first.is_held, second.is_held
    ...     first.release()
    ...     third = Hold(path)
    ...     third.is_held
    ...     third.release()
    (True, False)
    True
    """

    def __init__(self, path: Path) -> None:
        found = path.stat()
        self._file = (found.st_dev, found.st_ino)
        self._handle: BinaryIO | None = None
        self.is_held = False
        self.is_taken_here = self._file in _held
        if self.is_taken_here:
            return
        self._handle = path.open("rb")
        try:
            _lock(self._handle)
        except OSError:
            return
        self.is_held = True
        _held.add(self._file)

    def release(self) -> None:
        """Let others have the study."""
        if self._handle is not None:
            self._handle.close()
        if self.is_held:
            _held.discard(self._file)
            self.is_held = False


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
