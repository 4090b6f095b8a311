"""Recording: trials are run, and their outcomes written as they come."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from polychotomy.study.ledger import Ledger
from polychotomy.study.progress import Progress, ShowProgress
from polychotomy.study.trials import Outcome

_COMMIT_SECONDS = 0.5  # work that a crash may cost; each commit waits for the disk


def record(
    ledger: Ledger, outcomes: Iterable[Outcome], *, planned: int, to_do: int, show: ShowProgress
) -> None:
    """Write outcomes in batches as they come; what has come is kept on any error.

    Parameters
    ----------
    planned : int
        Trials of the whole study.
    to_do : int
        Trials that are not recorded yet.
    show : callable
        Gets a :class:`Progress` at the beginning and after every trial.
    """
    start = committed = time.monotonic()
    resumed = done = planned - to_do
    now = Progress(done=done, planned=planned, failed=0, resumed=resumed, seconds=0.0)
    batch: list[Outcome] = []
    show(now)
    try:
        for outcome in outcomes:
            batch.append(outcome)
            clock = time.monotonic()
            if clock - committed > _COMMIT_SECONDS:
                ledger.record(batch)
                batch, committed = [], time.monotonic()
            failed = now.failed + (outcome.status != "ok")
            done += 1
            now = Progress(
                done=done, planned=planned, failed=failed, resumed=resumed, seconds=clock - start
            )
            show(now)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_say_how_to_resume(ledger.path, now)) from None
    finally:
        ledger.record(batch)


def _say_how_to_resume(path: Path | None, now: Progress) -> str:
    if path is None:
        return f"stopped after {now.done} of {now.planned} fits, which were kept in memory only"
    return (
        f"stopped after {now.done} of {now.planned} fits, which are kept in {str(path)!r}; the "
        "same study with the same file goes on from there"
    )
