"""Network file systems are known by the table of mounts."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from polychotomy.core.exceptions import StudyError
from polychotomy.study.ledger.file_system import find_mount, refuse_network

TABLE = r"""22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
25 22 0:30 / /home rw shared:1 - nfs4 server:/export/home rw,vers=4.2
31 25 0:41 / /home/me/local rw - xfs /dev/sdb1 rw
32 22 0:42 / /mnt/my\040share rw - cifs //server/share rw
33 22 0:43 / /mnt/ssh rw shared:2 master:1 - fuse.sshfs me@server:/ rw
34 22 0:44 / /mnt/usb rw - fuseblk.ntfs /dev/sdc1 rw
35 22 0:45 / /mnt/plain-fuse rw - fuse.bindfs /data rw
36 22 0:46 / /over rw - nfs server:/x rw
37 22 0:47 / /over rw - tmpfs tmpfs rw
nonsense
"""


@pytest.mark.parametrize(
    ("path", "mount", "network"),
    [
        ("/data/s", ("/", "ext4"), False),
        ("/home/me/s", ("/home", "nfs4"), True),
        ("/homework/s", ("/", "ext4"), False),
        ("/home/me/local/deep/s", ("/home/me/local", "xfs"), False),
        ("/mnt/my share/s", ("/mnt/my share", "cifs"), True),
        ("/mnt/ssh/s", ("/mnt/ssh", "fuse.sshfs"), True),
        ("/mnt/usb/s", ("/mnt/usb", "fuseblk.ntfs"), False),
        ("/mnt/plain-fuse/s", ("/mnt/plain-fuse", "fuse.bindfs"), False),
        ("/over/s", ("/over", "tmpfs"), False),
    ],
)
def test_the_innermost_latest_mount_counts(path, mount, network):
    assert find_mount(Path(path), TABLE) == mount
    with pytest.raises(StudyError, match=mount[1]) if network else nullcontext():
        refuse_network(Path(path), TABLE)


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "lustre"])
def test_refused_with_the_reason(kind):
    table = f"22 1 8:1 / / rw - {kind} somewhere rw"
    with pytest.raises(StudyError, match=rf"network file system \({kind}\).*write-ahead log"):
        refuse_network(Path("/any/study"), table)


def test_links_are_followed(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    table = f"1 0 8:1 / / rw - ext4 x rw\n2 1 0:9 / {real} rw - nfs x rw"
    with pytest.raises(StudyError, match="nfs"):
        refuse_network(tmp_path / "link" / "study", table)


def test_an_empty_table_refuses_nothing(tmp_path):
    refuse_network(tmp_path, "")
    assert find_mount(tmp_path, "") == ("", "")
    refuse_network(tmp_path / "s", "")
    refuse_network(tmp_path / "s")
