"""Whether what a request asks to be written can and may be: before the first fit."""

from __future__ import annotations

from pathlib import Path

from polychotomy.exceptions import InvalidInput
from polychotomy.whole_file import check_folder

_SUFFIXES = (".html", ".htm")
_LONGEST_PAGE = 4 * 2**20


def check_page(page: Path, study: Path | None, mark: str, *, force: bool) -> None:
    """Refuse a page that could not or should not be written.

    A page that was written for the same study, which ``mark`` tells, may be written again.
    """
    if page.is_dir():
        raise InvalidInput(f"{str(page)!r} is a folder; expected the name of a page to write.")
    if page.suffix.lower() not in _SUFFIXES:
        raise InvalidInput(
            f"--output {str(page)!r}: the page is HTML; expected a name that ends in .html. For "
            "JSON, use --json."
        )
    if not page.parent.is_dir():
        raise InvalidInput(f"there is no folder {str(page.parent)!r} to write {page.name!r} into.")
    if page.exists() and not force and not (study and _has_mark(page, mark)):
        raise InvalidInput(
            f"{str(page)!r} exists and was left as it is. Choose another --output, or overwrite it "
            "by --force."
        )
    check_folder(page.parent)


def check_study_path(study: Path | None) -> None:
    """Refuse a study that could not be kept there."""
    if study is None or study.is_file():
        return
    if study.is_dir():
        raise InvalidInput(f"--study {str(study)!r} is a folder; expected the name of a file.")
    if not study.parent.is_dir():
        raise InvalidInput(
            f"there is no folder {str(study.parent)!r} to keep the study {study.name!r} in."
        )
    check_folder(study.parent)


def spare_inputs(outputs: dict[str, Path | None], inputs: dict[str, Path | None]) -> None:
    """Refuse, whatever --force says, to write over what the request reads, or one file twice."""
    taken = {path.resolve(): kind for kind, path in inputs.items() if path is not None}
    for option, path in outputs.items():
        if path is None:
            continue
        kind = taken.get(path.resolve())
        if kind is not None:
            raise InvalidInput(
                f"{option} {str(path)!r} is the {kind} itself; choose another name for it."
            )
        taken[path.resolve()] = f"file of {option}"


def _has_mark(page: Path, fingerprint: str) -> bool:
    """Whether a page was written for just this study: it holds the study's fingerprint."""
    with page.open("rb") as file:
        return fingerprint.encode() in file.read(_LONGEST_PAGE)
