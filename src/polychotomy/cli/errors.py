"""What went wrong, as one message and an exit code."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # the disk, a share or a limit is full


@contextmanager
def errors_explained(study: Path | None) -> Iterator[None]:
    """Turn what went wrong into one message and an exit code: 2 wrong request, 1 failed."""
    from polychotomy.core.exceptions import LearnerError, PolychotomyError

    try:
        yield
    except PolychotomyError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1 if isinstance(error, LearnerError) else 2) from None
    except BrokenPipeError:  # whoever read the output has enough
        raise
    except OSError as error:
        typer.echo(f"error: {explain_os_error(error, study)}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo(f"\n{_explain_stop(study)}.", err=True)
        raise typer.Exit(130) from None


def _explain_stop(study: Path | None) -> str:
    if study is None:
        return "stopped: nothing was kept; with --study FILE it could go on from here"
    if not study.exists():
        return "stopped before the first fit; nothing was kept"
    return f"stopped: finished fits are kept in {study}; the same command goes on from there"


def explain_os_error(error: OSError, study: Path | None = None) -> str:
    """Say which file the system has refused, why, and what to do.

    Examples
    --------
    >>> explain_os_error(OSError(errno.ENOSPC, "No space left on device", "page.html"))
    "'page.html' could not be written: No space left on device. Make room, or name a file in \
another folder."
    """
    what = repr(str(error.filename)) if error.filename else "the output"
    why = (error.strerror or str(error) or type(error).__name__).rstrip(".")
    if error.errno not in _NO_ROOM:
        return f"{what} cannot be used: {why}. Mend that, or name another file or folder."
    kept = (
        f" Finished fits are kept in {str(study)!r}; the same command goes on from there."
        if study is not None and study.exists()
        else ""
    )
    return f"{what} could not be written: {why}. Make room, or name a file in another folder.{kept}"
