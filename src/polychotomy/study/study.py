"""Study: candidates × one data set × a plan; a specification with one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from polychotomy.predictions import OutOfFold
from polychotomy.study.dataset import Dataset
from polychotomy.study.ledger import Ledger
from polychotomy.study.limits import Limits
from polychotomy.study.plan import Plan, RepeatedFolds
from polychotomy.study.progress import ShowProgress
from polychotomy.study.race import Race
from polychotomy.study.spec import StudySpec
from polychotomy.study.specification import Keep, Specification
from polychotomy.study.work import Work


@dataclass(frozen=True, eq=False, repr=False)
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
    keep : {"probabilities", "labels"}
        What is kept of the predictions.
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
    ...     study.estimate_cost(ledger)  # all is done
    0.0
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
    keep: Keep = field(default="probabilities", kw_only=True)
    random_state: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "candidates", self.spec.candidates)

    def __repr__(self) -> str:
        return (
            f"<Study: {', '.join(self.candidates)} on {self.dataset!r}, {self.plan.name}: "
            f"{self.data!r}>"
        )

    @cached_property
    def spec(self) -> StudySpec:
        """The study as a specification of one data set."""
        data = Dataset.of(self.X, self.y, groups=self.groups, time=self.time)
        return StudySpec(
            {self.dataset: data},
            self.candidates,
            plan=self.plan,
            keep=self.keep,
            random_state=self.random_state,
        )

    @property
    def data(self) -> Dataset:
        """The table, its labels encoded."""
        data: Dataset = self.spec.datasets[self.dataset]
        return data

    @property
    def specification(self) -> Specification:
        """The study by content, as plain values."""
        return self.spec.specification

    def work(self) -> Work:
        """Return all that the trials need."""
        return self.spec.work()

    def run(
        self,
        into: str | Path | Ledger | None = None,
        *,
        n_jobs: int = 1,
        cluster: str | Path | None = None,
        limits: Limits | None = None,
        progress: ShowProgress | bool | None = None,
        race: Race | bool | None = None,
    ) -> Ledger:
        """Run what the ledger does not have yet; return the ledger, open.

        Parameters as in :meth:`StudySpec.run`.
        """
        return self.spec.run(
            into, n_jobs=n_jobs, cluster=cluster, limits=limits, progress=progress, race=race
        )

    def estimate_cost(
        self, ledger: Ledger, *, n_jobs: int = 1, limits: Limits | None = None
    ) -> float:
        """Return the seconds that the trials a ledger does not have will take.

        Parameters as in :meth:`StudySpec.estimate_cost`.
        """
        return self.spec.estimate_cost(ledger, n_jobs=n_jobs, limits=limits)

    def gather(self, ledger: Ledger) -> OutOfFold:
        """Return the ledger's predictions of this study's candidates as an ``OutOfFold``."""
        return self.spec.gather(ledger)
