"""How far a run is: what a progress bar needs, as one frozen value."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import seconds
from polychotomy.study.design.trials import Outcome
from polychotomy.study.ledger.ledger import Ledger


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a run of a study is.

    Parameters
    ----------
    done : int
        Trials finished, those of earlier runs of the study included.
    planned : int
        Trials that the study has in all.
    failed : int
        Trials of this run that gave no predictions: failed, timed out or crashed.
    resumed : int
        Trials that were finished before this run began.
    seconds : float
        Since this run began.
    doing : str
        What the trials are for, in a few words.
    of : str
        What is counted.

    Examples
    --------
    >>> now = Progress(done=60, planned=100, failed=1, resumed=20, seconds=10.0)
    >>> now.rate, now.eta
    (4.0, 10.0)
    >>> print(Progress(done=20, planned=100, failed=0, resumed=20, seconds=0.1).eta)
    None
    """

    done: int
    planned: int
    failed: int = 0
    resumed: int = 0
    seconds: float = 0.0
    doing: str = "fitting"
    of: str = "fits"

    @property
    def rate(self) -> float:
        """Trials a second in this run."""
        return (self.done - self.resumed) / self.seconds if self.seconds > 0 else 0.0

    @property
    def eta(self) -> float | None:
        """Seconds to go at this rate; None while nothing is known."""
        return (self.planned - self.done) / self.rate if self.rate > 0 else None


ShowProgress = Callable[[Progress], None]
"""Called when a run begins and after every trial."""


def saying(show: ShowProgress | None, doing: str) -> ShowProgress | None:
    """Show progress under the words for what is being done.

    Examples
    --------
    >>> saying(lambda now: print(now.doing), "comparing")(Progress(done=0, planned=5))
    comparing
    """
    return None if show is None else lambda now: show(replace(now, doing=doing))


def as_show(progress: Any) -> ShowProgress:
    """Return what to call: True prints a line every tenth of the way, False or None nothing.

    In a notebook both True and None show a bar.

    Examples
    --------
    >>> as_show(True) is print_tenths
    True
    >>> as_show("bar")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: progress='bar'; expected True, False or a function \
that takes a Progress.
    """
    if progress is not False and isinstance(progress, bool | None) and _in_notebook():
        return _notebook_bar()
    if isinstance(progress, bool | None):
        return print_tenths if progress else lambda now: None
    if not callable(progress):
        raise InvalidInput(
            f"progress={progress!r}; expected True, False or a function that takes a Progress."
        )
    return cast("ShowProgress", progress)


def harmless(show: ShowProgress) -> ShowProgress:
    """Make a display of ours say that it has failed, and no more: the fits go on.

    What somebody else's function raises ends the run, for it may be meant to.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     harmless(lambda now: 1 / 0)(Progress(done=0, planned=5))
    >>> str(said[0].message)
    'progress not shown: ZeroDivisionError: division by zero'
    """

    def shown(now: Progress) -> None:
        try:
            show(now)
        except Exception as error:
            warnings.warn(f"progress not shown: {type(error).__name__}: {error}", stacklevel=2)

    return shown


@harmless
def print_tenths(now: Progress) -> None:
    """Print a line at the beginning, at the end and every tenth between, on standard error."""
    if now.done == now.planned or now.done % max(1, now.planned // 10) == 0:
        speed = f", {say_speed(now)}" if now.rate and now.done < now.planned else ""
        lost = f", {now.failed} failed" if now.failed else ""
        print(f"{now.doing}: {now.done} of {now.planned}{speed}{lost}", file=sys.stderr, flush=True)


def _in_notebook() -> bool:
    """Whether a kernel runs this, which shows HTML and can change what it has shown."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def _notebook_bar() -> ShowProgress:
    # Its functions have no types, and where it runs it is there.
    bar = import_module("IPython.display").display({"text/html": ""}, raw=True, display_id=True)
    drawn = float("-inf")

    @harmless
    def show(now: Progress) -> None:
        nonlocal drawn
        if now.done < now.planned and time.monotonic() - drawn < _REDRAWN_SECONDS:
            return
        drawn = time.monotonic()
        parts = (f"{now.done} of {now.planned}", say_speed(now) if now.done < now.planned else "")
        failed = f"{now.failed} failed" if now.failed else ""
        words = escape(f"{now.doing}: {', '.join(filter(None, (*parts, failed)))}")
        html = f'<progress value="{now.done}" max="{now.planned}"></progress> {words}'
        bar.update({"text/html": html}, raw=True)

    return show


_REDRAWN_SECONDS = 0.2


def say_speed(now: Progress) -> str:
    """Say how fast it goes and how long it will take.

    Examples
    --------
    >>> say_speed(Progress(done=60, planned=100, failed=1, resumed=20, seconds=10.0))
    '4 fits/s, 10 s to go'
    """
    return "" if now.eta is None else f"{now.rate:.3g} {now.of}/s, {seconds(now.eta)} to go"


_COMMIT_SECONDS = 0.5  # work that a crash may cost; each commit waits for the disk


def record(
    ledger: Ledger, outcomes: Iterable[Outcome | None], now: Progress, show: ShowProgress
) -> Progress:
    """Write outcomes in batches as they come; what has come is kept on any error.

    Parameters
    ----------
    outcomes : iterable of Outcome
        None among them says that there may be a while before the next.
    now : Progress
        Where the run is before the first of them; returned is where it is after the last.
    show : callable
        Gets a :class:`Progress` after every trial.
    """
    committed = time.monotonic()
    start, batch = committed - now.seconds, list[Outcome]()
    try:
        for outcome in outcomes:
            batch += [] if outcome is None else [outcome]
            clock = time.monotonic()
            if batch and clock - committed > _COMMIT_SECONDS:
                ledger.record(batch)
                batch, committed = [], time.monotonic()
            if outcome is None:
                continue
            failed = now.failed + (outcome.status != "ok")
            now = replace(now, done=now.done + 1, failed=failed, seconds=clock - start)
            show(now)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_say_how_to_resume(ledger.path, now)) from None
    finally:
        ledger.record(batch)
    return now


def _say_how_to_resume(path: Path | None, now: Progress) -> str:
    how = "were kept in memory only"
    if path is not None:
        how = f"are kept in {str(path)!r}; the same study with the same file goes on from there"
    return f"stopped after {now.done} of {now.planned} fits, which {how}"
