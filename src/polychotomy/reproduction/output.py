"""Where the page goes: checked before anything is run."""

from __future__ import annotations

from pathlib import Path

from polychotomy.core.exceptions import InvalidInput

MARK = "polychotomy reproduce"
"""Stands in every page; a page that bears it may be overwritten by the same command."""

_SUFFIXES = (".md", ".html")


def check_output(output: Path | None, paper: str, *, force: bool) -> Path:
    """Return the page to write, ``<paper>-reproduction.html`` by default, or refuse it.

    Examples
    --------
    >>> check_output(None, "t96", force=False).name
    't96-reproduction.html'
    """
    path = Path(f"{paper}-reproduction.html") if output is None else output
    if path.suffix not in _SUFFIXES:
        raise InvalidInput(f"{path.name!r}; expected a name that ends in .md or .html.")
    if not path.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(path.parent)!r}; expected one that exists.")
    for target in (path, path.with_suffix(".csv")):
        if target.exists() and not force and not _is_ours(path):
            raise InvalidInput(
                f"{str(target)!r} exists and is no page of this command; expected a new name. "
                "Give another --output, or --force to overwrite it."
            )
    return path


def _is_ours(page: Path) -> bool:
    return page.is_file() and MARK in page.read_text(encoding="utf-8", errors="replace")
