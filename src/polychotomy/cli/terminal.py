"""What the terminal shows: errors as one message and an exit code, progress, the verdict."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from polychotomy.study.progress import Progress, ShowProgress
    from polychotomy.verdict.many import ManyVerdicts
    from polychotomy.verdict.verdict import Verdict

_PYTHONS_OWN = warnings.showwarning

_NO_END = 1_000_000  # characters in a line


class Fitting:
    """Whether fitting has begun: from then on an error is no wrong request."""

    has_begun = False

    def watched(self, show: ShowProgress) -> ShowProgress:
        """Return a progress display that notices the beginning."""

        def watch(now: Progress) -> None:
            self.has_begun = True
            show(now)

        return watch


@contextmanager
def errors_explained(study: Path | None) -> Iterator[Fitting]:
    """Turn what went wrong into one message and an exit code: 2 nothing was run, 1 failed."""
    from polychotomy.core.exceptions import LearnerError, PolychotomyError, StudyStopped

    fitting = Fitting()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning  # type: ignore[assignment]
            yield fitting
    except PolychotomyError as error:
        typer.echo(f"error: {error}", err=True)
        failed = fitting.has_begun or isinstance(error, LearnerError | StudyStopped)
        raise typer.Exit(1 if failed else 2) from None
    except BrokenPipeError:  # whoever read the output has enough
        raise
    except OSError as error:
        typer.echo(f"error: {explain_os_error(error, study)}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt as stop:
        typer.echo(f"\n{_explain_stop(study, str(stop))}.", err=True)
        raise typer.Exit(130) from None


def _show_warning(message: Warning | str, category: type[Warning], *where: object) -> None:
    """Show what is wrong with a study as a note; what a library warns of, as Python does."""
    # Only the first two arguments of Python's own function matter here; mypy wants all six named.
    if category.__name__ in ("DamagedRecords", "WorkerNotUsed"):
        typer.echo(f"note: {message}", err=True)
    else:
        _PYTHONS_OWN(message, category, *where)  # type: ignore[arg-type]


def _explain_stop(study: Path | None, known: str) -> str:
    if study is None:
        return f"{known or 'stopped: nothing was kept'}; with --study FILE it could go on from here"
    kept = f"stopped: finished fits are kept in {study}; the same command goes on from there"
    return known or (kept if study.exists() else "stopped before the first fit; nothing was kept")


def explain_os_error(error: OSError, study: Path | None = None) -> str:
    """Say which file the system has refused, why, and what to do.

    Examples
    --------
    >>> explain_os_error(OSError(28, "No space left on device", "page.html"))
    "'page.html' could not be used: No space left on device. Mend that, or name a file in another \
folder."
    """
    what = repr(str(error.filename)) if error.filename else "the output"
    why = (error.strerror or str(error) or type(error).__name__).rstrip(".")
    said = f"{what} could not be used: {why}. Mend that, or name a file in another folder."
    if study is None or not study.exists():
        return said
    return f"{said} Finished fits are kept in {str(study)!r}; the same command goes on from there."


@contextmanager
def candidates_print_aside() -> Iterator[None]:
    """Send what candidates print, from C too, to standard error: the verdict alone goes out."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def print_verdict(verdict: Verdict | ManyVerdicts, page: Path) -> None:
    """Print the verdict with its conclusion, its questions and the best candidate in bold."""
    from rich.console import Console
    from rich.text import Text

    from polychotomy.report.text import printable, verdict_to_text
    from polychotomy.verdict.findings import QUESTIONS

    console = Console(highlight=False, markup=False)
    # Where programs read it, a sentence is a line.
    width = console.width if console.is_terminal else _NO_END
    lines = verdict_to_text(verdict, width=width).split("\n")
    end = ["", f"The page: {page}"]  # unbroken, so that a path can be copied whole
    if model := getattr(verdict, "model", None):
        end.append(f"The model: {model}, {getattr(verdict, 'model_words', '')}")
    headline = printable(verdict.sentences()[0].text)
    for line in (*lines, *map(printable, end)):
        is_bold = bool(line) and headline.startswith(line)  # its first line, if it is wrapped
        is_bold |= line in ("Notes", *QUESTIONS.values()) or line.startswith(("* ", "Warning"))
        console.print(Text(line, style="bold" if is_bold else ""), soft_wrap=True)


@contextmanager
def progress_shown() -> Iterator[ShowProgress]:
    """Show a bar on a terminal, a few lines elsewhere; both on standard error."""
    from polychotomy.study.progress import harmless, print_tenths, say_speed

    if not sys.stderr.isatty():
        yield print_tenths
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    speed, failed = TextColumn("{task.fields[speed]}"), TextColumn("[red]{task.fields[failed]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), speed, failed)
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None, speed="", failed="")

    @harmless
    def show(now: Progress) -> None:
        failures = f"{now.failed} failed" if now.failed else ""
        bar.start()  # not before: lines are printed until then
        speed = "evaluating" if now.done == now.planned else say_speed(now)
        bar.update(
            task, description=escape(now.doing), completed=now.done, total=now.planned,
            speed=speed, failed=failures,
        )  # fmt: skip

    try:
        yield show
    finally:
        bar.stop()


@contextmanager
def rows_shown() -> Iterator[Callable[[int], None]]:
    """Show how many rows are predicted; nothing where standard error is no terminal."""
    from rich.console import Console

    with Console(stderr=True).status("Predicting") as status:
        yield lambda rows: status.update(f"{rows:,} rows predicted")
