"""What a run is given at the door: a plan, workers, a ledger, candidates that can travel."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from operator import index
from typing import Any

from polychotomy.exceptions import InvalidInput
from polychotomy.study.ledger import Ledger

_ANSWERS = ("name", "runs", "n_trials", "least_members", "split", "rows", "parts", "to_dict")


def check_plan(plan: Any) -> None:
    """Refuse what is no plan, a splitter of scikit-learn's among it.

    Examples
    --------
    >>> check_plan("5x5")
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: plan='5x5'; expected a plan, such as \
RepeatedFolds(repetitions=5, folds=2), TimeFolds or Bootstrap of polychotomy.study.
    """
    if isinstance(plan, type) or not all(hasattr(plan, name) for name in _ANSWERS):
        folds = getattr(plan, "n_splits", None)
        same = (
            f"RepeatedFolds(repetitions=1, folds={folds})"
            if isinstance(folds, int)
            else "RepeatedFolds(repetitions=5, folds=2)"
        )
        raise InvalidInput(
            f"plan={plan!r}; expected a plan, such as {same}, TimeFolds or Bootstrap of "
            "polychotomy.study."
        )


def count_workers(n_jobs: Any) -> int:
    """Return how many worker processes are meant: −1 is one a processor.

    Examples
    --------
    >>> count_workers(3), count_workers(-1) >= 1
    (3, True)
    """
    try:
        count = 0 if isinstance(n_jobs, bool) else index(n_jobs)
    except TypeError:
        count = 0
    if count < -1 or count == 0:
        raise InvalidInput(
            f"n_jobs={n_jobs!r}; expected a whole number of at least 1, or −1 for all processors."
        )
    if count > 0:
        return count
    import joblib

    return max(1, int(joblib.cpu_count()))


def require_ledger(ledger: Any) -> None:
    """Refuse anything but an open ledger, the name of its file among it."""
    if not isinstance(ledger, Ledger):
        raise InvalidInput(
            f"ledger is {ledger!r}; expected a Ledger: the one that run() returned, or "
            "Ledger(path) of the study file."
        )


def require_picklable(candidates: Mapping[str, Any]) -> None:
    """Refuse, before the first fit, a candidate that no worker could receive."""
    for name, candidate in candidates.items():
        try:
            pickle.dumps(candidate)
        except Exception as error:  # pickle raises whatever the object's own methods do
            raise InvalidInput(
                f"the candidate {name!r} cannot be sent to a worker process: {error}. Define "
                "its functions and classes at the top of a module, or use n_jobs=1."
            ) from error
