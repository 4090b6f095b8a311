"""What the operating system says of a study file: its file system, and who has it locked.

A write-ahead log is not safe on a file system that is shared over a network.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from polychotomy.core.exceptions import StudyError

_MOUNTS = Path("/proc/self/mountinfo")


# As Linux calls them; those in user space are there as "fuse.…".
_NETWORK = {
    "9p", "acfs", "afs", "afsfuse", "beegfs", "blobfuse", "blobfuse2", "ceph", "cifs", "coda",
    "curlftpfs", "cvmfs", "davfs", "davfs2", "gcsfuse", "glusterfs", "google-drive-ocamlfuse",
    "goofys", "gpfs", "gvfsd-fuse", "hdfs", "juicefs", "lustre", "moosefs", "mount-s3",
    "mountpoint-s3", "ncpfs", "nfs", "nfs4", "orangefs", "prl_fs", "pvfs2", "rclone", "s3fs",
    "s3ql", "seaweedfs", "smb2", "smb3", "smbfs", "smbnetfs", "sshfs", "vboxsf", "vmhgfs",
    "vmhgfs-fuse", "webdav",
}  # fmt: skip


def find_mount(path: Path, mounts: str) -> tuple[str, str]:
    r"""Return where the mount of an absolute path is, and its kind, both empty where none is known.

    Parameters
    ----------
    mounts : str
        The text of ``/proc/self/mountinfo``.

    Examples
    --------
    >>> from pathlib import Path
    >>> text = '''22 1 8:1 / / rw - ext4 /dev/sda1 rw
    ... 36 22 0:40 / /home/my\\040data rw shared:1 - nfs4 server:/export rw'''
    >>> find_mount(Path("/home/my data/study"), text)
    ('/home/my data', 'nfs4')
    """
    found = [("", "")]
    for left, _, right in (line.partition(" - ") for line in mounts.splitlines()):
        fields, kind = left.split(), right.partition(" ")[0]
        if len(fields) < 5 or not kind:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[4])
        if PurePosixPath(path.as_posix()).is_relative_to(point):
            found.append((point, kind))
    return max(reversed(found), key=lambda mount: len(mount[0]))  # later ones cover earlier ones


def refuse_network(path: Path, mounts: str | None = None) -> None:
    """Refuse to write a study to a file system that several machines may share.

    Parameters
    ----------
    mounts : str, optional
        The table of mounts; read from the system by default. Where there is none to read (not
        Linux), nothing is refused.
    """
    if mounts is None:
        try:
            mounts = _MOUNTS.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
    point, kind = find_mount(path.resolve(), mounts)
    if kind.lower().removeprefix("fuse.") in _NETWORK:
        raise StudyError(
            f"the study {str(path)!r} would be on {point!r}, a network file system "
            f"({kind}). SQLite's write-ahead log needs memory that all its readers share, "
            "which machines do not, so results could be lost there. Keep the study on a disk of "
            "this machine and copy it when it is done; it can be read anywhere."
        )


_locked: set[tuple[int, int] | None] = set()  # device and inode of what this process has locked


class Lock:
    """A process's lock on a study file: it alone drives the study.

    The lock is the operating system's (``flock``), on the file itself: it ends with the process
    that holds it, however that dies. SQLite's own locks are of another kind and go on beside it.
    Closing any handle of a file gives up the locks that SQLite has on it, so a lock is released
    after SQLite's connection is closed, also where it was not got.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "study")
    ...     path.touch()
    ...     first, second = Lock(path), Lock(path)
    ...     first.is_held, second.is_held
    ...     first.release()
    ...     third = Lock(path)
    ...     third.is_held
    ...     third.release()
    (True, False)
    True
    """

    def __init__(self, path: Path) -> None:
        self._file = identify(path)
        self._handle: BinaryIO | None = None
        self.is_held = False
        self.is_taken_here = self._file in _locked
        if self.is_taken_here:
            return
        self._handle = path.open("rb")
        try:
            _lock(self._handle)
        except OSError:
            return
        self.is_held = True
        _locked.add(self._file)

    def release(self) -> None:
        """Let others have the study."""
        if self._handle is not None:
            self._handle.close()
        if self.is_held:
            _locked.discard(self._file)
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


def identify(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another of its name, device and inode; None if it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_writable(path: Path) -> bool:
    """Say whether a file and its folder, in which a log would be, can be written."""
    return os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)
