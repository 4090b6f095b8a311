"""StudySpec: data sets × candidates × a plan, by content; what is recorded is never run again."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, get_args

from polychotomy._version import __version__
from polychotomy.codes.draws import check_seed
from polychotomy.exceptions import InvalidInput
from polychotomy.predictions import OutOfFold
from polychotomy.study.candidate_names import check_candidates, check_name
from polychotomy.study.data_print import DataPrint, print_data
from polychotomy.study.dataset import Dataset
from polychotomy.study.lazy_folds import split_data
from polychotomy.study.ledger import Ledger
from polychotomy.study.limits import Limits
from polychotomy.study.plan import Plan, RepeatedFolds
from polychotomy.study.planning import missing_trials, planned_repetitions
from polychotomy.study.progress import ShowProgress, as_show
from polychotomy.study.race import Race
from polychotomy.study.racing import as_race, require_raceable, run_raced
from polychotomy.study.recording import record
from polychotomy.study.run_checks import (
    check_plan,
    count_workers,
    require_ledger,
    require_picklable,
)
from polychotomy.study.runner import run_trials, running
from polychotomy.study.specification import Keep, Specification, fingerprint, specify
from polychotomy.study.status import seconds_a_trial
from polychotomy.study.termination import closing_on_terminate
from polychotomy.study.trials import TrialKey
from polychotomy.study.work import Work


@dataclass(frozen=True, eq=False)
class StudySpec:
    """What to fit: every candidate on every data set, resampled by one plan.

    The ledger depends on this and on nothing else: not on the number of workers, on crashes or on
    how often it was resumed. A ledger takes more data sets, candidates, plans and runs later and
    computes only what is new; what would change recorded results is refused.

    Parameters
    ----------
    datasets : {name: Dataset or (X, y)}
        :meth:`Dataset.of` also takes groups and times.
    candidates : {name: classifier}
        In order of preference, simplest first.
    plan : RepeatedFolds, TimeFolds, Bootstrap, FixedSplit or NestedSizes
        5×2 cross-validation by default.
    keep : {"probabilities", "labels"}
        What is kept of the predictions. Labels take less room; probabilities are then votes.
    random_state : int
        The study's seed. Each split and each fit has a seed made from this one and its own key.

    Examples
    --------
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.study import StudySpec
    >>> data = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
    >>> spec = StudySpec(data, {"naive Bayes": GaussianNB()})
    >>> with spec.run() as ledger:
    ...     print(ledger.say_status().splitlines()[0])
    ...     spec.gather(ledger, "wine").fold_errors().shape, spec.estimate_cost(ledger)
    20 of 20 fits recorded
    ((1, 1, 5, 2), 0.0)
    """

    datasets: Mapping[str, Any]
    candidates: Mapping[str, Any]
    plan: Plan = field(default=RepeatedFolds(), kw_only=True)
    keep: Keep = field(default="probabilities", kw_only=True)
    random_state: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "candidates", check_candidates(self.candidates))
        object.__setattr__(self, "datasets", _check_datasets(self.datasets))
        seed = check_seed(self.random_state, expected="an int of at least 0, to run it again")
        object.__setattr__(self, "random_state", seed)
        if self.keep not in get_args(Keep):
            raise InvalidInput(f"keep={self.keep!r}; expected 'probabilities' or 'labels'.")
        check_plan(self.plan)
        for name, data in self.datasets.items():
            data.target.refuse_rare(
                self.plan.least_members,
                name="y" if len(self.datasets) == 1 else name,
                remedy="Collect more of them, or leave these classes out.",
            )

    @cached_property
    def prints(self) -> dict[str, DataPrint]:
        """Fingerprints of the data sets."""
        return {name: print_data(data) for name, data in self.datasets.items()}

    @cached_property
    def specification(self) -> Specification:
        """The study by content, as plain values."""
        return specify(
            datasets=self.prints,
            candidates=self.candidates,
            plans={self.plan.name: self.plan},
            seed=self.random_state,
            keep=self.keep,
        )

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the specification: the same for the same study, in every process."""
        return fingerprint(self.specification)

    def work(self) -> Work:
        """Return all that the trials need."""
        return Work(
            candidates=self.candidates,
            datasets=self.datasets,
            plans={self.plan.name: self.plan},
            splits={
                (name, self.plan.name): split_data(self.plan, data, self.random_state)
                for name, data in self.datasets.items()
            },
            seed=self.random_state,
        )

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

        Parameters
        ----------
        into : path, Ledger or None
            The study file, new or to be resumed, or an open ledger. None keeps the ledger in
            memory.
        n_jobs : int
            Worker processes; 1 fits in this process, unless there are limits or candidates from
            a file of the user's. −1 is one a processor.
        cluster : address or path, optional
            Fit on the workers of a Dask scheduler instead, given by its address
            (``"tcp://…:8786"``) or by its scheduler file.
        limits : Limits, optional
            What a single fit may take.
        progress : callable or bool, optional
            Called with a ``Progress`` at the beginning and after every fit. True prints a line
            every tenth of the way, on standard error.
        race : Race or bool, optional
            Stop candidates that are already shown to be worse than a more preferred one; True is
            ``Race()``. Without it, candidates that a race stopped earlier are run to the end.
        """
        limits, race, show = limits or Limits(), as_race(race), as_show(progress)
        if race is not None:
            require_raceable(self.plan)
        n_jobs = count_workers(n_jobs)
        if n_jobs > 1 or limits or cluster is not None:
            require_picklable(self.candidates)
        ledger = into if isinstance(into, Ledger) else Ledger(into)
        try:
            with closing_on_terminate():
                work, to_do, planned = self.begin(ledger)
                if race is None:
                    ledger.resume_candidates(
                        product(self.datasets, [self.plan.name], self.candidates)
                    )
                with running(work, n_jobs=n_jobs, cluster=cluster, limits=limits) as run:
                    outcomes = (
                        run(to_do)
                        if race is None
                        else run_raced(ledger, work, to_do, race=race, run=run)
                    )
                    record(ledger, outcomes, planned=planned, to_do=len(to_do), show=show)
        except BaseException:
            if ledger is not into:
                ledger.close()
            raise
        return ledger

    def begin(self, ledger: Ledger) -> tuple[Work, list[TrialKey], int]:
        """Hold a ledger and write down what the study is.

        Returns
        -------
        work : Work
        to_do : list of TrialKey
            Trials that the ledger does not have.
        planned : int
            Trials of this study in all.
        """
        ledger.hold()
        work = self.work()
        ledger.begin(
            self.specification,
            prints=self.prints,
            splits=work.splits,
            planned=planned_repetitions(self.datasets, self.candidates, self.plan),
            provenance=_provenance(),
        )
        to_do = list(missing_trials(work, ledger.done()))
        planned = len(self.datasets) * len(self.candidates) * self.plan.n_trials
        return work, to_do, planned

    def estimate_cost(
        self, ledger: Ledger, *, n_jobs: int = 1, limits: Limits | None = None
    ) -> float:
        """Return the seconds that the trials a ledger does not have will take.

        From the clocks that it has. A candidate without any on a data set is fitted once, on its
        first trial, which is recorded: nothing is wasted.

        Parameters
        ----------
        n_jobs : int
            Worker processes that will share the work.
        limits : Limits, optional
            What that single fit may take.
        """
        require_ledger(ledger)
        n_jobs = count_workers(n_jobs)
        if limits:
            require_picklable(self.candidates)
        work, to_do, _ = self.begin(ledger)
        seconds = seconds_a_trial(ledger, self.plan.name)
        first: dict[tuple[str, str], TrialKey] = {}
        for key in to_do:
            if (key.dataset, key.candidate) not in seconds:
                first.setdefault((key.dataset, key.candidate), key)
        if first:
            keys = list(first.values())
            ledger.record(list(run_trials(work, keys, limits=limits or Limits())))
            seconds = seconds_a_trial(ledger, self.plan.name)
        left = Counter((key.dataset, key.candidate) for key in to_do)
        left.subtract(list(first))
        return sum(count * seconds[names] for names, count in left.items()) / n_jobs

    def gather(self, ledger: Ledger, dataset: str | None = None) -> OutOfFold:
        """Return the ledger's predictions of this study's candidates as an ``OutOfFold``."""
        require_ledger(ledger)
        return ledger.out_of_fold(
            list(self.candidates),
            dataset=dataset or next(iter(self.datasets)),
            plan=self.plan.name,
            runs=self.plan.runs,
        )


def _check_datasets(datasets: Any) -> dict[str, Dataset]:
    if not isinstance(datasets, Mapping) or not datasets:
        raise InvalidInput(
            f"datasets is {type(datasets).__name__}; expected {{name: Dataset or (X, y)}} with at "
            "least one."
        )
    checked = {}
    for name, data in datasets.items():
        check_name(name, "data set")
        if not isinstance(data, Dataset):
            if not isinstance(data, tuple) or len(data) != 2:
                raise InvalidInput(
                    f"the data set {name!r} is a {type(data).__name__}; expected a Dataset or "
                    "(X, y)."
                )
            data = Dataset.of(*data)
        checked[name] = data
    return checked


def _provenance() -> dict[str, Any]:
    """Where and with what the study was begun."""
    return {
        "polychotomy": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }
