"""The page while a verdict forms: a plain file that reloads itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, strftime
from typing import Any

import numpy as np

from polychotomy.core.numbers import counted, percent
from polychotomy.report.page import RELOADS_EVERY, render, render_page
from polychotomy.study import Ledger, Study
from polychotomy.study.progress import Progress, ShowProgress
from polychotomy.verdict.conclusions import conclude
from polychotomy.verdict.question import Question
from polychotomy.verdict.running import so_far
from polychotomy.verdict.verdict import page_or_file

_SHARE = 0.1  # of the time, at most, for pages that the next one replaces


@contextmanager
def live_page(
    page: Path, into: Path | None, draw: Callable[[Ledger, Progress], str], show: ShowProgress
) -> Iterator[tuple[Ledger, ShowProgress]]:
    """Give a ledger to run into, and a function that shows progress and keeps the page current.

    A page that cannot be drawn is left out. Without a verdict there is no page in the end, as
    without --live.
    """
    not_before, is_written = 0.0, False

    # Between two fits, where they are handed out: a thread would read what is being written.
    def shown(now: Progress) -> None:
        nonlocal not_before, is_written
        show(now)
        began = monotonic()
        if began < not_before:
            return
        with warnings.catch_warnings(), suppress(Exception):
            warnings.simplefilter("ignore")
            page_or_file(draw(ledger, now), page)
            is_written = True
        end = monotonic()
        not_before = end + max(RELOADS_EVERY / 2, (end - began) * (1 / _SHARE - 1))

    with Ledger(into) as ledger:
        try:
            yield ledger, shown
        except BaseException:
            if is_written:
                page.unlink(missing_ok=True)
            raise


def draw_so_far(
    study: Study, question: Question, ledger: Ledger, now: Progress, *, grows: bool, **about: Any
) -> str:
    """Draw the verdict on what is complete, or before there is any the errors so far.

    ``about`` goes to :func:`conclude`.
    """
    made = f"{now.done} of {counted(now.planned, 'fit')} made, {strftime('%H:%M:%S')}"
    with suppress(Exception):
        found = so_far(study, ledger, question, grows=grows, why="its fits are still to come")
        part, absent = found or (study.changed(candidates={}), ())
        assert len(part.candidates) >= min(2, len(study.candidates)), "nothing to choose from"
        about["left_out"] = (*about["left_out"], *absent)
        verdict = conclude(part, ledger, question, **about)
        missing = "; not in it yet: " + ", ".join(one.name for one in absent) if absent else ""
        running = f"{made}: the verdict so far, which may change{missing}"
        return render_page(verdict, running=running)
    running = f"{made}; a verdict comes with the first candidates whose folds are all made"
    rows = [(name, *_error(study, ledger, name)) for name in study.candidates]
    return render(
        "waiting.html", title=f"{study.dataset}: no verdict yet", name=study.dataset,
        mark=about["known"]["fingerprint"], running=running, every=RELOADS_EVERY, rows=rows,
    )  # fmt: skip


def _error(study: Study, ledger: Ledger, name: str) -> tuple[int, str]:
    """Return the fits of a candidate so far, and their mean error."""
    with suppress(Exception):  # such as that nothing is recorded yet
        folds = ledger.fold_errors([name], dataset=study.dataset, plan=study.plan.name)
        made = int(np.isfinite(folds).sum())
        return made, percent(float(np.nanmean(folds))) if made else ""
    return 0, ""
