"""What went wrong, as one message and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer


@contextmanager
def errors_explained(study: Path | None) -> Iterator[None]:
    """Turn what went wrong into one message and an exit code: 2 wrong request, 1 failed."""
    from polychotomy.exceptions import LearnerError, PolychotomyError

    try:
        yield
    except PolychotomyError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1 if isinstance(error, LearnerError) else 2) from None
    except KeyboardInterrupt:
        kept = (
            f"finished fits are kept in {study}; the same command goes on from there"
            if study
            else "nothing was kept; with --study FILE it could go on from here"
        )
        typer.echo(f"\nstopped: {kept}.", err=True)
        raise typer.Exit(130) from None
