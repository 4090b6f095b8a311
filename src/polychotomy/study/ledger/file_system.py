"""Which file system a study is on: a write-ahead log is not safe on one shared over a network."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from polychotomy.core.exceptions import StudyError

_MOUNTS = Path("/proc/self/mountinfo")


_NETWORK = {
    "9p", "acfs", "afs", "beegfs", "ceph", "cifs", "coda", "cvmfs", "davfs", "glusterfs", "gpfs",
    "lustre", "ncpfs", "nfs", "nfs4", "orangefs", "prl_fs", "pvfs2", "smb2", "smb3", "smbfs",
    "vboxsf", "vmhgfs", "webdav",
}  # fmt: skip

_NETWORK_FUSE = {
    "afsfuse", "blobfuse", "blobfuse2", "ceph", "curlftpfs", "davfs", "davfs2", "gcsfuse",
    "glusterfs", "goofys", "google-drive-ocamlfuse", "gvfsd-fuse", "hdfs", "juicefs", "lustre",
    "mount-s3", "mountpoint-s3", "moosefs", "rclone", "s3fs", "s3ql", "seaweedfs", "smbnetfs",
    "sshfs", "vmhgfs-fuse",
}  # fmt: skip


class Mount(NamedTuple):
    """A mounted file system."""

    point: str
    kind: str

    @property
    def is_network(self) -> bool:
        """Whether several machines may have it mounted."""
        kind = self.kind.lower()
        for prefix in ("fuse.", "fuseblk."):
            if kind.startswith(prefix):
                return kind.removeprefix(prefix) in _NETWORK_FUSE
        return kind in _NETWORK


def find_mount(path: Path, mounts: str) -> Mount | None:
    r"""Return the mount that holds an absolute path, from the text of ``/proc/self/mountinfo``.

    Examples
    --------
    >>> from pathlib import Path
    >>> text = '''22 1 8:1 / / rw - ext4 /dev/sda1 rw
    ... 36 22 0:40 / /home/my\\040data rw shared:1 - nfs4 server:/export rw'''
    >>> find_mount(Path("/home/my data/study"), text)
    Mount(point='/home/my data', kind='nfs4')
    >>> find_mount(Path("/home/study"), text).is_network
    False
    """
    best: Mount | None = None
    for line in mounts.splitlines():
        mount = _parse(line)
        if mount is None or not PurePosixPath(path.as_posix()).is_relative_to(mount.point):
            continue
        if best is None or len(mount.point) >= len(best.point):  # later ones cover earlier ones
            best = mount
    return best


def _parse(line: str) -> Mount | None:
    left, dash, right = line.partition(" - ")
    fields = left.split()
    if not dash or len(fields) < 5 or not right.split():
        return None
    point = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), fields[4])
    return Mount(point, right.split()[0])


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
    mount = find_mount(path.resolve(), mounts)
    if mount is not None and mount.is_network:
        raise StudyError(
            f"the study {str(path)!r} would be on {mount.point!r}, a network file system "
            f"({mount.kind}). SQLite's write-ahead log needs memory that all its readers share, "
            "which machines do not, so results could be lost there. Keep the study on a disk of "
            "this machine and copy it when it is done; it can be read anywhere."
        )
