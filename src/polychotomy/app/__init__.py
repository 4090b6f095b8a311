"""One request whole: what to read, what it will cost, what to write."""

from __future__ import annotations

from polychotomy.app.judging import Confirm, Judged, Tell, Told, judge_table
from polychotomy.app.many_tables import judge_many, judge_predictions
from polychotomy.app.request import Request
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study.progress import ShowProgress

__all__ = ["Judged", "Request", "judge_request"]


def judge_request(
    request: Request,
    *,
    tell: Tell | None = None,
    confirm: Confirm | None = None,
    progress: ShowProgress | None = None,
) -> Judged:
    """Judge what is asked for, and write its page.

    Parameters
    ----------
    tell : callable, optional
        Given lines to show at once: what was read, and what will not be tried.
    confirm : callable, optional
        Given the ``Estimate`` before the first fit; raises to stop.
    progress : callable, optional
        Called with a ``Progress`` at the beginning and after every fit.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from polychotomy.app import Request, judge_request
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = pathlib.Path(folder, "wine.html")
    ...     asked = Request(output=page, candidates="MAX,logistic", anatomy=False)
    ...     judge_request(asked).verdict.best
    'logistic'
    """
    told = Told(tell or Told().tell, confirm or Told().confirm, progress)
    if not request.mlflow:
        return _judge(request, told)
    from polychotomy.app.tracking import log_run, open_tracking

    mlflow = open_tracking()
    judged = _judge(request, told)
    run = log_run(mlflow, judged, None if judged.no_model else request.model)
    told.tell(f"logged as the run {run} in {mlflow.get_tracking_uri()}")
    return judged


def _judge(request: Request, told: Told) -> Judged:
    if request.predictions is not None:
        return judge_predictions(request)
    for option, given in (("learners", request.learners), ("higher-better", request.higher_better)):
        if given is not None:
            raise InvalidInput(f"--{option} is of a table of answers; expected --predictions too.")
    return judge_many(request, told) if request.is_many else judge_table(request, told)
