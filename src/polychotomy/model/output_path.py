"""Where a result may be written, found out before the work that makes it."""

from __future__ import annotations

from pathlib import Path

from polychotomy.exceptions import InvalidInput
from polychotomy.whole_file import check_folder


def check_output(path: Path, *, force: bool) -> None:
    """Refuse a file that exists, or a folder that does not or cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> check_output(Path("no/such/folder.csv"), force=False)
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: there is no folder 'no/such' to write 'folder.csv' into.
    """
    if not path.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(path.parent)!r} to write {path.name!r} into.")
    if path.is_dir():
        raise InvalidInput(f"{str(path)!r} is a folder; expected the name of a file to write.")
    if path.exists() and not force:
        raise InvalidInput(
            f"{str(path)!r} exists and was left as it is. Choose another name, or overwrite it by "
            "--force."
        )
    check_folder(path.parent)
