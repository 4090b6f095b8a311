"""Study: candidates × data × plan, run into a ledger; what is recorded is never run again."""

from __future__ import annotations

import pickle
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from polychotomy._version import __version__
from polychotomy.exceptions import InvalidInput
from polychotomy.predictions import OutOfFold
from polychotomy.study.dataset import Dataset
from polychotomy.study.ledger import Ledger
from polychotomy.study.limits import Limits
from polychotomy.study.plan import Plan, RepeatedFolds
from polychotomy.study.planning import plan_trials
from polychotomy.study.progress import Progress, ShowProgress
from polychotomy.study.recording import record
from polychotomy.study.runner import run_trials
from polychotomy.study.specification import Specification, specify
from polychotomy.study.trials import TrialKey
from polychotomy.study.work import Work


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
    plan : RepeatedFolds or another plan
        5×2 cross-validation by default.
    groups : (n,) values, optional
        Samples of one group are never on both sides of a split.
    time : (n,) values, optional
        When each sample was taken; no fit sees what comes later.
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
    plan: Plan = field(default=RepeatedFolds(), kw_only=True)
    groups: Any = field(default=None, kw_only=True)
    time: Any = field(default=None, kw_only=True)
    random_state: int = field(default=0, kw_only=True)
    data: Dataset = field(init=False, repr=False)

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
        data = Dataset.of(self.X, self.y, groups=self.groups, time=self.time)
        object.__setattr__(self, "data", data)
        if not isinstance(self.random_state, int):
            raise InvalidInput(
                f"random_state={self.random_state!r}; expected a whole number, so that the same "
                "study can be run again."
            )
        data.target.refuse_rare(
            self.plan.least_members,
            name="y",
            remedy="Collect more of them, or leave these classes out.",
        )

    @property
    def specification(self) -> Specification:
        """The study by content, as plain values."""
        return specify(
            datasets={self.dataset: self.data},
            candidates=self.candidates,
            plans={self.plan.name: self.plan},
            seed=self.random_state,
        )

    def run(
        self,
        into: str | Path | Ledger | None = None,
        *,
        n_jobs: int = 1,
        cluster: str | Path | None = None,
        limits: Limits | None = None,
        progress: ShowProgress | None = None,
    ) -> Ledger:
        """Run what the ledger does not have yet; return the ledger, open.

        Parameters
        ----------
        into : path, Ledger or None
            The study file, new or to be resumed, or an open ledger. None keeps the ledger in
            memory.
        n_jobs : int
            Worker processes; 1 fits in this process, unless there are limits or candidates from
            a file of the user's.
        cluster : address or path, optional
            Fit on the workers of a Dask scheduler instead, given by its address
            (``"tcp://…:8786"``) or by its scheduler file.
        limits : Limits, optional
            What a single fit may take.
        progress : callable, optional
            Called with a ``Progress`` at the beginning and after every fit.
        """
        if not isinstance(n_jobs, int) or n_jobs < 1:
            raise InvalidInput(f"n_jobs={n_jobs!r}; expected a whole number of at least 1.")
        limits = limits or Limits()
        if n_jobs > 1 or limits or cluster is not None:
            self._require_picklable()
        ledger = into if isinstance(into, Ledger) else Ledger(into)
        try:
            ledger.hold()
            work, to_do, planned = self._begin(ledger)
            outcomes = run_trials(work, to_do, n_jobs=n_jobs, cluster=cluster, limits=limits)
            show = progress or _show_nothing
            record(ledger, outcomes, planned=planned, to_do=len(to_do), show=show)
        except BaseException:
            if ledger is not into:
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

    def _begin(self, ledger: Ledger) -> tuple[Work, list[TrialKey], int]:
        """Write down what the study is; return its work, what is to do, and the trials in all."""
        work = self.work()
        ledger.begin(
            self.specification,
            truths={self.dataset: self.data.target.codes},
            splits=work.splits,
            provenance=_provenance(),
        )
        planned = list(plan_trials(work.datasets, work.candidates, work.plans))
        finished = ledger.finished()
        return work, [key for key in planned if key not in finished], len(planned)

    def work(self) -> Work:
        """Return all that the trials need."""
        split = self.plan.split(
            self.data.target.codes,
            groups=self.data.groups,
            time=self.data.time,
            seed=self.random_state,
        )
        return Work(
            candidates=self.candidates,
            datasets={self.dataset: self.data},
            plans={self.plan.name: self.plan},
            splits={(self.dataset, self.plan.name): split},
            seed=self.random_state,
        )

    def gather(self, ledger: Ledger) -> OutOfFold:
        """Return the ledger's predictions of this study's candidates as an ``OutOfFold``."""
        return ledger.out_of_fold(
            list(self.candidates), dataset=self.dataset, plan=self.plan.name, runs=self.plan.runs
        )


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


def _show_nothing(now: Progress) -> None:
    """Show no progress."""
