"""Study: candidates × data × plan, run into a ledger; what is recorded is never run again."""

from __future__ import annotations

import pickle
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from polychotomy._version import __version__
from polychotomy.exceptions import InvalidInput
from polychotomy.predictions import OutOfFold
from polychotomy.study.ledger import Ledger
from polychotomy.study.plan import RepeatedFolds
from polychotomy.study.runner import Work, plan_trials, run_trials
from polychotomy.study.specification import Specification, specify
from polychotomy.study.target import Target
from polychotomy.study.trials import Outcome, TrialKey

_COMMIT_SECONDS = 0.5  # work that a crash may cost; each commit waits for the disk

Progress = Callable[[int, int, int], None]
"""Called with trials finished, trials planned, failures so far."""


@dataclass(frozen=True, eq=False)
class Study:
    """What to fit: candidates in order of preference, a table, and how to resample it.

    Parameters
    ----------
    candidates : {name: classifier}
        In order of preference, simplest first.
    X : (n, features) DataFrame, array or sparse matrix
    y : (n,) labels
    dataset : str
        What to call the data.
    plan : RepeatedFolds
        5×2 cross-validation by default.
    random_state : int
        The study's seed. Each split and each fit has a seed made from this one and its own key.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> study = Study({"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}, X, y)
    >>> with study.run() as ledger:
    ...     errors = study.gather(ledger).fold_errors()
    >>> errors.mean(axis=(1, 2, 3)).round(2).tolist()
    [0.67, 0.05]
    """

    candidates: Mapping[str, Any]
    X: Any
    y: Any
    dataset: str = field(default="data", kw_only=True)
    plan: RepeatedFolds = field(default=RepeatedFolds(), kw_only=True)
    random_state: int = field(default=0, kw_only=True)
    target: Target = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.candidates, Mapping):
            raise InvalidInput(
                f"candidates is a {type(self.candidates).__name__}; expected {{name: classifier}}, "
                "in order of preference."
            )
        object.__setattr__(self, "candidates", dict(self.candidates))
        for name, candidate in self.candidates.items():
            _check_candidate(name, candidate)
        if not self.candidates:
            raise InvalidInput("candidates is empty; expected {name: classifier} with at least one")
        if not hasattr(self.X, "shape"):
            import numpy as np

            object.__setattr__(self, "X", np.asarray(self.X))
        object.__setattr__(self, "target", Target.from_labels(self.y))
        n = len(self.target.codes)
        if len(self.X.shape) != 2 or self.X.shape[0] != n:
            raise InvalidInput(
                f"X has shape {tuple(self.X.shape)} and y has {n} labels; expected X of shape "
                f"({n}, features)."
            )
        if not isinstance(self.random_state, int):
            raise InvalidInput(
                f"random_state={self.random_state!r}; expected a whole number, so that the same "
                "study can be run again."
            )
        self.target.refuse_rare(
            self.plan.folds,
            name="y",
            remedy="Collect more of them, or leave these classes out.",
        )

    @property
    def specification(self) -> Specification:
        """The study by content, as plain values."""
        return specify(
            dataset=self.dataset,
            X=self.X,
            target=self.target,
            candidates=dict(self.candidates),
            plan=self.plan,
            seed=self.random_state,
        )

    def run(
        self,
        path: str | Path | None = None,
        *,
        n_jobs: int = 1,
        progress: Progress | None = None,
    ) -> Ledger:
        """Run what the ledger at ``path`` does not have yet; return the ledger, open.

        Parameters
        ----------
        path : path or None
            The study file, new or to be resumed. None keeps the ledger in memory.
        n_jobs : int
            Worker processes; 1 fits in this process.
        progress : callable, optional
            Called with trials finished, trials planned and failures so far.
        """
        if not isinstance(n_jobs, int) or n_jobs < 1:
            raise InvalidInput(f"n_jobs={n_jobs!r}; expected a whole number of at least 1.")
        if n_jobs > 1:
            self._require_picklable()
        ledger = Ledger(path)
        try:
            ledger.hold()
            self._run_into(ledger, n_jobs, progress or _silent)
        except BaseException:
            ledger.close()
            raise
        return ledger

    def _require_picklable(self) -> None:
        """Refuse, before the first fit, a candidate that no worker could receive."""
        for name, candidate in self.candidates.items():
            try:
                pickle.dumps(candidate)
            except Exception as error:  # pickle raises whatever the object's own methods do
                raise InvalidInput(
                    f"the candidate {name!r} cannot be sent to a worker process: {error}. Define "
                    "its functions and classes at the top of a module, or use n_jobs=1."
                ) from error

    def _run_into(self, ledger: Ledger, n_jobs: int, progress: Progress) -> None:
        folds = self.plan.split(self.target.codes, seed=self.random_state)
        ledger.begin(
            self.specification, truth=self.target.codes, folds=folds, provenance=_provenance()
        )
        planned = plan_trials(self.dataset, list(self.candidates), folds)
        finished = ledger.finished()
        missing = [key for key in planned if key not in finished]
        work = Work(dict(self.candidates), self.X, self.target, folds, seed=self.random_state)
        _record(ledger, work, missing, n_jobs, len(planned), progress)

    def gather(self, ledger: Ledger) -> OutOfFold:
        """Return the ledger's predictions of this study's candidates as an ``OutOfFold``."""
        return ledger.out_of_fold(list(self.candidates), runs=self.plan.runs)


def _record(
    ledger: Ledger,
    work: Work,
    missing: list[TrialKey],
    n_jobs: int,
    n_planned: int,
    progress: Progress,
) -> None:
    """Run trials and write their outcomes in batches; what was finished is kept on any error."""
    done, failures = n_planned - len(missing), 0
    batch: list[Outcome] = []
    since = time.monotonic()
    progress(done, n_planned, failures)
    try:
        for outcome in run_trials(work, missing, n_jobs=n_jobs):
            batch.append(outcome)
            done, failures = done + 1, failures + (outcome.status != "ok")
            if time.monotonic() - since > _COMMIT_SECONDS:
                ledger.record(batch)
                batch, since = [], time.monotonic()
            progress(done, n_planned, failures)
    finally:
        ledger.record(batch)


def _check_candidate(name: Any, candidate: Any) -> None:
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput(f"a candidate is named {name!r}; expected text that is not empty.")
    if ".." in name.replace("\\", "/").split("/") or not name.isprintable():
        raise InvalidInput(
            f"a candidate is named {name!r}; expected a name without control characters and "
            "without '..' as a part of a path."
        )
    if isinstance(candidate, type) or not all(
        hasattr(candidate, method) for method in ("fit", "predict", "get_params")
    ):
        hint = f" Did you mean {candidate.__name__}()?" if isinstance(candidate, type) else ""
        raise InvalidInput(
            f"the candidate {name!r} is {candidate!r}; expected a scikit-learn classifier "
            f"(fit, predict, get_params).{hint}"
        )


def _provenance() -> dict[str, Any]:
    """Where and with what the study was begun."""
    return {
        "polychotomy": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def _silent(done: int, planned: int, failures: int) -> None:
    """Show no progress."""
