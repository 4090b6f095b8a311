"""A verdict as a run of MLflow: its numbers, its page, its JSON and its model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polychotomy.app.judging import Judged
from polychotomy.core.exceptions import InvalidInput, StudyStopped
from polychotomy.verdict.many import ManyVerdicts
from polychotomy.verdict.verdict import Verdict

_LONGEST = 500  # characters that every store takes as a parameter


def open_tracking() -> Any:
    """Return the module mlflow once its tracking store has answered: before hours of fits."""
    try:
        import mlflow
    except ImportError:
        raise InvalidInput(
            "--mlflow takes a library that is not installed. Get it by: pip install "
            "'polychotomy[mlflow]'."
        ) from None
    try:
        mlflow.MlflowClient().search_experiments(max_results=1)
    except Exception as error:  # of the network, of a database, or of MLflow itself
        where = f"{mlflow.get_tracking_uri()} cannot be used"
        raise InvalidInput(
            f"--mlflow: {where}: {_first_line(error)} Expected the address of a tracking server, "
            "or of a database (pip install mlflow), in MLFLOW_TRACKING_URI."
        ) from error
    return mlflow


def log_run(mlflow: Any, judged: Judged, model: Path | None) -> str:
    """Log what was judged as one run, and return its id.

    The model is its own file: log_model would pickle it, and a pickle runs whatever is in it.
    """
    verdict = judged.verdict
    many = isinstance(verdict, ManyVerdicts)
    verdicts = verdict.verdicts if isinstance(verdict, ManyVerdicts) else (verdict,)
    try:
        with mlflow.start_run(run_name=judged.page.stem) as run:
            for one in verdicts:
                of = f"{one.dataset['name']}/" if many else ""
                mlflow.log_metrics({_key(of + name): value for name, value in _metrics(one)})
                mlflow.log_params({_key(of + name): value for name, value in _params(one)})
            mlflow.set_tag("mlflow.note.content", verdict.to_markdown())  # the run's description
            mlflow.log_dict(verdict.to_dict(), "verdict.json")
            for path in filter(None, (judged.page, model)):
                mlflow.log_artifact(str(path))
    except Exception as error:
        raise StudyStopped(
            f"the verdict is in {str(judged.page)!r}, but {mlflow.get_tracking_uri()} has not "
            f"taken it: {_first_line(error)}"
        ) from error
    return str(run.info.run_id)


def _metrics(verdict: Verdict) -> Iterator[tuple[str, float]]:
    """Yield what to expect of the chosen one, and every candidate's loss, all as they compare."""
    kind, expected = verdict.criterion.name, verdict.selected
    for name in ("expected", "low", "high"):
        if getattr(expected, name, None) is not None:
            yield f"{kind} {name}", float(getattr(expected, name))
    for one in verdict.candidates:
        if not one.n_failed and one.stopped is None:
            yield f"{kind} of {one.name}", float(one.loss)


def _params(verdict: Verdict) -> Iterator[tuple[str, str]]:
    said = verdict.dataset | {"best": verdict.best, "rule": verdict.rule, "margin": verdict.margin}
    for name in ("rows", "columns", "best", "rule", "margin"):
        yield name, str(said[name])[:_LONGEST]


def _key(name: str) -> str:
    """Return a name as MLflow takes it.

    Examples
    --------
    >>> _key("error of k-NN (3)")
    'error of k-NN _3_'
    """
    return re.sub(r"[^\w\-. /:]|(?<=/)\.+|^[/.]+", "_", name, flags=re.ASCII)[:250]


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0].split(". ")[0].rstrip(".") + "."
