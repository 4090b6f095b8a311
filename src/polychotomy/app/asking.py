"""What a request asks for: one table, many, or predictions made elsewhere."""

from __future__ import annotations

from polychotomy.app.many_request import ManyJudged, is_many, judge_many
from polychotomy.app.predictions_request import judge_predictions
from polychotomy.app.request import Confirm, Judged, Request, judge_table
from polychotomy.study.progress import ShowProgress


def judge_request(
    request: Request, *, confirm: Confirm | None = None, progress: ShowProgress | None = None
) -> Judged | ManyJudged:
    """Judge what is asked for, and write its page.

    Parameters
    ----------
    confirm : callable, optional
        Told what is expected before the first fit; raises to stop.
    progress : callable, optional
        Called with a ``Progress`` at the beginning and after every fit.
    """
    if request.predictions is not None:
        return judge_predictions(request)
    if is_many(request.table):
        return judge_many(request, confirm=confirm, progress=progress)
    return judge_table(request, confirm=confirm, progress=progress)
