"""Which trials a study has: data sets × candidates × plans, repetition by repetition."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import groupby, product
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from polychotomy._version import __version__
from polychotomy.core.arguments import check_count, is_number
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold
from polychotomy.core.seeds import check_seed
from polychotomy.study.design.candidates import check_candidates, check_name
from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.plan import Plan, RepeatedFolds
from polychotomy.study.design.specification import (
    DataPrint,
    Keep,
    Specification,
    fingerprint,
    print_data,
    specify,
)
from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.fitting.work import Work, split_data
from polychotomy.study.ledger.ledger import Ledger
from polychotomy.study.progress import Progress, ShowProgress, as_show, record
from polychotomy.study.racing import Race, as_race, require_raceable, rounds_of_race
from polychotomy.study.workers.cluster import Cluster, share_cluster
from polychotomy.study.workers.pool import Patience
from polychotomy.study.workers.protocol import require_picklable
from polychotomy.study.workers.runner import closing_on_terminate, running
from polychotomy.tables.reading import as_pandas


def plan_trials(
    datasets: Iterable[str], candidates: Iterable[str], plans: Mapping[str, Plan]
) -> Iterator[TrialKey]:
    """List the trials of a study, repetition by repetition, candidates in turn.

    Examples
    --------
    >>> from polychotomy.study.design.plan import RepeatedFolds
    >>> plan = RepeatedFolds(repetitions=1)
    >>> keys = plan_trials(["iris"], ["a", "b"], {plan.name: plan})
    >>> [(key.candidate, key.fold) for key in keys]
    [('a', 0), ('a', 1), ('b', 0), ('b', 1)]
    """
    datasets, candidates = list(datasets), list(candidates)
    for name, plan in plans.items():
        runs, repetitions, folds = map(range, (plan.runs, plan.repetitions, plan.n_folds))
        for run, repetition, dataset, candidate, fold in product(
            runs, repetitions, datasets, candidates, folds
        ):
            yield TrialKey(dataset, candidate, name, run, repetition, fold)


def missing_trials(
    work: Work, done: Mapping[tuple[str, str, str], NDArray[np.bool_]]
) -> Iterator[TrialKey]:
    """List the trials of a study that are not done."""
    for key in plan_trials(work.datasets, work.candidates, work.plans):
        found = done.get((key.dataset, key.candidate, key.plan))
        where = key.run * work.plans[key.plan].repetitions + key.repetition
        if found is None or where >= len(found) or not found[where, key.fold]:
            yield key


class TimeLeft(NamedTuple):
    """What is known of the time that a run has.

    Parameters
    ----------
    expected : {candidate: float}
        Seconds that a fit takes, where that is known.
    deadline : float
        By the monotonic clock.
    """

    expected: Mapping[str, float]
    deadline: float

    def rounds(self, keys: Iterable[TrialKey]) -> Iterator[tuple[list[TrialKey], Patience]]:
        """Yield trials in an order that completes as many candidates as can be, as early as can be.

        In each repetition quick candidates come before slow ones, by powers of ten of a fit's time.
        While others wait, no fit takes more than its share of half of what is left, or twice
        what was expected of it: it comes again when they are done.
        """

        def turn(key: TrialKey) -> tuple[int, int, float]:
            seconds = max(self.expected.get(key.candidate, inf), 0.01)
            return key.run, key.repetition, np.ceil(np.log10(seconds))

        for _, repetition in groupby(sorted(keys, key=turn), lambda key: key[3:5]):
            rounds = [list(together) for _, together in groupby(repetition, turn)]
            names = [{key.candidate for key in together} for together in rounds]
            put_off: list[TrialKey] = []
            for number, together in enumerate(rounds):
                waiting = len(set().union(*names[number:]))
                share = max(self.deadline - monotonic(), 0.0) / (2 * waiting)
                seconds = {n: max(share, 2 * self.expected.get(n, 0.0)) for n in names[number]}
                yield together, Patience(seconds if waiting > 1 else {}, put_off)
            yield put_off, Patience()


def check_plan(plan: Any) -> None:
    """Refuse what is no plan, a splitter of scikit-learn's among it.

    Examples
    --------
    >>> check_plan("5x5")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: plan='5x5'; expected a plan, such as \
RepeatedFolds(repetitions=5, folds=2), TimeFolds or Bootstrap of polychotomy.study.
    """
    if Plan not in type(plan).__mro__:
        folds = getattr(plan, "n_splits", None)
        repetitions, folds = (1, folds) if isinstance(folds, int) else (5, 2)
        same = f"RepeatedFolds(repetitions={repetitions}, folds={folds})"
        raise InvalidInput(
            f"plan={plan!r}; expected a plan, such as {same}, TimeFolds or Bootstrap of "
            "polychotomy.study."
        )


def count_workers(n_jobs: Any, name: str = "n_jobs") -> int:
    """Return how many worker processes are meant: −1 is one for each processor.

    Examples
    --------
    >>> count_workers(3), count_workers(-1) >= 1
    (3, True)
    """
    if is_number(n_jobs) and n_jobs == -1:
        import joblib

        return max(1, int(joblib.cpu_count()))
    return check_count(name, n_jobs, unit="processes (−1: one for each processor)")


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
    ...     spec.gather(ledger, "wine").fold_errors().shape
    20 of 20 fits recorded
    (1, 1, 5, 2)
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
            datasets=self.prints, candidates=self.candidates, plans={self.plan.name: self.plan},
            seed=self.random_state, keep=self.keep,
        )  # fmt: skip

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the specification: the same for the same study, in every process."""
        return fingerprint(self.specification)

    def work(self) -> Work:
        """Return all that the trials need."""
        splits = {
            (name, self.plan.name): split_data(self.plan, data, self.random_state)
            for name, data in self.datasets.items()
        }
        return Work(
            candidates=self.candidates, datasets=self.datasets, plans={self.plan.name: self.plan},
            splits=splits, seed=self.random_state,
        )  # fmt: skip

    def run(
        self,
        into: str | Path | Ledger | None = None,
        *,
        n_jobs: int = 1,
        cluster: str | Path | Cluster | None = None,
        limits: Limits | None = None,
        progress: ShowProgress | bool | None = None,
        race: Race | bool | None = None,
        time_left: TimeLeft | None = None,
    ) -> Ledger:
        """Run what the ledger does not have yet; return the ledger, open.

        Parameters
        ----------
        into : path, Ledger or None
            The study file, new or to be resumed, or an open ledger. None keeps the ledger in
            memory.
        n_jobs : int
            Worker processes that fit at a time; −1 is one for each processor. No candidate is
            fitted in this process, with 1 neither.
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
        time_left : TimeLeft, optional
            In each repetition quick candidates are finished before the others begin, and wait for
            no fit; by default all get on together. A race has an order of its own.
        """
        limits, show = limits or Limits(), as_show(progress)
        race = as_race(race) if race else None
        if race is not None:
            require_raceable(self.plan)
        n_jobs = count_workers(n_jobs)
        require_picklable(self.candidates)
        with closing_on_terminate(), share_cluster(cluster, into) as shared:
            ledger = into if isinstance(into, Ledger) else Ledger(into)
            try:
                work, to_do, planned = self.begin(ledger)
                resumed = planned - len(to_do)
                now = Progress(done=resumed, planned=planned, resumed=resumed)
                show(now)
                rounds: Iterable[tuple[list[TrialKey], Patience]]
                if race is None:
                    ledger.resume_candidates(product(self.datasets, work.plans, self.candidates))
                    rounds = time_left.rounds(to_do) if time_left else [(to_do, Patience())]
                else:
                    rounds = (
                        (keys, Patience()) for keys in rounds_of_race(ledger, work, to_do, race)
                    )
                with running(work, n_jobs=n_jobs, cluster=shared, limits=limits) as run:
                    for keys, patience in rounds:
                        now = record(ledger, run(keys, patience), now, show)
            except BaseException:
                if ledger is not into:
                    ledger.close()
                raise
        return ledger

    def begin(self, ledger: Ledger) -> tuple[Work, list[TrialKey], int]:
        """Lock a ledger and write down what the study is.

        Returns
        -------
        work : Work
        to_do : list of TrialKey
            Trials that the ledger does not have.
        planned : int
            Trials of this study in all.
        """
        ledger.lock()
        work = self.work()
        repetitions = dict.fromkeys(self.candidates, self.plan.runs * self.plan.repetitions)
        made_by = {"polychotomy": __version__, "python": platform.python_version()}
        made_by["platform"] = f"{platform.system()} {platform.machine()}"
        ledger.begin(
            self.specification, prints=self.prints, splits=work.splits, provenance=made_by,
            planned={self.plan.name: dict.fromkeys(self.datasets, repetitions)},
        )  # fmt: skip
        to_do = list(missing_trials(work, ledger.done()))
        planned = len(self.datasets) * len(self.candidates) * self.plan.n_trials
        return work, to_do, planned

    def record_pilots(self, ledger: Ledger, outcomes: Iterable[Outcome]) -> None:
        """Record trials of this study that were run beforehand, as far as they are new."""
        outcomes = list(outcomes)
        if outcomes:
            to_do = set(self.begin(ledger)[1])
            ledger.record([one for one in outcomes if one.key in to_do])

    def gather(self, ledger: Ledger, dataset: str | None = None) -> OutOfFold:
        """Return the ledger's predictions of this study's candidates as an ``OutOfFold``."""
        name, plan = dataset or next(iter(self.datasets)), self.plan
        candidates = list(self.candidates)
        return ledger.out_of_fold(candidates, dataset=name, plan=plan.name, runs=plan.runs)


def _check_datasets(datasets: Any) -> dict[str, Dataset]:
    if not isinstance(datasets, Mapping) or not datasets:
        raise InvalidInput(
            f"datasets is {type(datasets).__name__}; expected {{name: Dataset or (X, y)}} with at "
            "least one."
        )
    checked = {}
    for name, given in datasets.items():
        check_name(name, "data set")
        is_pair = isinstance(given, tuple) and len(given) == 2
        data = Dataset.of(*given) if is_pair else given
        if not isinstance(data, Dataset):
            what = type(data).__name__
            raise InvalidInput(f"the data set {name!r} is a {what}; expected a Dataset or (X, y).")
        checked[name] = data
    return checked


@dataclass(frozen=True, eq=False, repr=False)
class Study(StudySpec):
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
    >>> errors.mean(axis=(1, 2, 3)).round(2).tolist()
    [0.67, 0.05]
    """

    datasets: Mapping[str, Any] = field(init=False)
    X: Any
    y: Any
    dataset: str = field(default="data", kw_only=True)
    groups: Any = field(default=None, kw_only=True)
    time: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("X", "y", "groups", "time"):
            object.__setattr__(self, name, as_pandas(getattr(self, name)))
        data = Dataset.of(self.X, self.y, groups=self.groups, time=self.time)
        object.__setattr__(self, "datasets", {self.dataset: data})
        super().__post_init__()

    def __repr__(self) -> str:
        candidates = ", ".join(self.candidates)
        return f"<Study: {candidates} on {self.dataset!r}, {self.plan.name}: {self.data!r}>"

    def changed(self, **parts: Any) -> Study:
        """Return the study with another plan or fewer candidates; its data are not read again.

        Examples
        --------
        >>> from sklearn.dummy import DummyClassifier
        >>> study = Study({"MAX": DummyClassifier()}, [[0], [1], [2], [3]], list("abab"))
        >>> study.changed(plan=RepeatedFolds(repetitions=1, folds=2)).plan.name
        '1x2 folds'
        """
        changed = copy(self)
        vars(changed).pop("specification", None)  # of the old parts
        vars(changed).update(parts, prints=self.prints)
        return changed

    def _repr_html_(self) -> str:
        about = f"Study of {self.dataset!r} by {self.plan.name}: {repr(self.data)[1:-1]}"
        tried = "".join(
            f"<li>{escape(name)} <code>{escape(str(one)[:200])}</code></li>"
            for name, one in self.candidates.items()
        )
        return f"<p>{escape(about)}; candidates in order of preference:</p>\n<ol>{tried}</ol>"

    @property
    def data(self) -> Dataset:
        """The table, its labels encoded."""
        data: Dataset = self.datasets[self.dataset]
        return data
