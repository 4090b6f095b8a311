"""Seconds of a fit of a user's own code, which may hang or end its process: timed in another."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import PolychotomyError
from polychotomy.core.numbers import seconds
from polychotomy.study import Dataset, FixedSplit, Limits, Study, StudySpec
from polychotomy.study.design.specification import describe
from polychotomy.study.fitting.fit import take
from polychotomy.study.fitting.seeding import seeded
from polychotomy.study.fitting.user_module import is_users_own

_MOST_SECONDS = 5.0


class Pilot(NamedTuple):
    """Seconds of fits on two sizes of training data, and these in rows."""

    half: float
    whole: float
    sizes: tuple[int, int]


def time_own(
    study: Study,
    names: Sequence[str],
    some: Callable[[int], Ints],
    most: int,
    limits: Limits,
) -> dict[str, Pilot]:
    """Fit candidates on two small parts of the data in a process of their own.

    A candidate that fails, or takes more than five seconds, is not in the result.

    Parameters
    ----------
    names : sequence of str
        Candidates of the study.
    some : callable
        Gives about so many rows that have the classes in proportion.
    most : int
        The most rows to train on.
    limits : Limits
        Of the fits to come; these here get no more.
    """
    seconds = min(_MOST_SECONDS, limits.seconds or _MOST_SECONDS)
    whole = _part(study, some(2 * most))
    half = _part(study, some(whole.n // 2))
    parts = {"whole": whole, "half": half}
    pilot = StudySpec(
        parts,
        {name: study.candidates[name] for name in names},
        plan=FixedSplit(test=0.5),
        keep="labels",
    )
    with pilot.run(limits=Limits(seconds=seconds, memory=limits.memory)) as ledger:
        found = {
            (trial["candidate"], trial["dataset"]): trial["fit_seconds"] + trial["predict_seconds"]
            for trial in ledger.trials()
            if trial["status"] == "ok"
        }
    return {
        name: Pilot(found[name, "half"], found[name, "whole"], (half.n // 2, whole.n // 2))
        for name in names
        if {(name, "half"), (name, "whole")} <= found.keys()
    }


def _part(study: Study, rows: Ints) -> Dataset:
    """Return some rows as a data set, without classes of a single one."""
    target = study.data.target
    codes = target.codes[rows]
    rows = rows[np.bincount(codes, minlength=len(target.classes))[codes] > 1]
    return Dataset.of(take(study.data.X, rows), target.classes[target.codes[rows]])


_PILOT_ROWS = 600

_WARM_ROWS = 60

_STEEPEST = 2.0  # no built-in learner's time grows faster than with the square of the rows

_FEWEST = 4  # members of a class: learners that try themselves on folds need some


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimate:
    """What a study is expected to cost.

    Parameters
    ----------
    fit_seconds : {name: float}
        Of one fit and its predictions; candidates that failed on the part tried are missing.
    n_fits : int
        Still to be made, at most.
    seconds : float
        Wall clock, with this many workers.
    n_jobs : int
    unknown : tuple of str
        Candidates that failed when tried beforehand, or took too long for that.
    on_cluster : bool
        The workers are a cluster's, and nobody has counted them: ``seconds`` are of one.
    extra : int
        Of the fits, those that ask what limits the best; how many there will be depends on who it
        is.
    race : bool
        Whether a race may stop candidates early.
    notes : tuple of str
        What will not be asked, and why.
    """

    fit_seconds: Mapping[str, float]
    n_fits: int
    seconds: float
    n_jobs: int
    unknown: tuple[str, ...] = ()
    on_cluster: bool = False
    extra: int = 0
    race: bool = False
    notes: tuple[str, ...] = ()

    def shared(self, n_jobs: int, *, on_cluster: bool) -> Estimate:
        """Return the estimate of one worker for several of them, or for a cluster's."""
        if on_cluster:
            return replace(self, on_cluster=True)
        return replace(self, seconds=self.seconds / n_jobs, n_jobs=n_jobs)

    def __str__(self) -> str:
        workers = f"with {self.n_jobs} workers" if self.n_jobs > 1 else "with one worker"
        if self.on_cluster:
            workers = "of one worker's time, shared by those of the cluster"
        known = f"{self._fits}, about {seconds(self.seconds)} {workers}"
        if not self.unknown:
            return known
        why = "as a try on part of the rows failed or took too long"
        return f"{known}; not counted, {why}: {', '.join(self.unknown)}"

    @property
    def _fits(self) -> str:
        """The number of fits in words, and why there may be fewer."""
        reasons = []
        if self.extra:
            reasons.append(
                f"{self.n_fits - self.extra} to compare, the rest on what limits the best"
            )
        if self.race:
            reasons.append("fewer where the race stops candidates")
        return (
            f"up to {self.n_fits} fits ({'; '.join(reasons)})" if reasons else f"{self.n_fits} fits"
        )

    @property
    def dearest(self) -> str:
        """The candidates that take most of the time, in words."""
        order = sorted(self.fit_seconds, key=lambda name: -self.fit_seconds[name])[:3]
        return ", ".join(f"{name} {seconds(self.fit_seconds[name])} a fit" for name in order)


def estimate_cost(
    study: Study,
    *,
    fits: Mapping[str, int],
    extra: int = 0,
    n_jobs: int = 1,
    limits: Limits | None = None,
) -> Estimate:
    """Fit each candidate on part of the rows, and extrapolate to the training size.

    Up to 600 training rows the fit is made as it will be; beyond, two fits, on 300 and on 600
    rows, give a power law, taken to be no flatter than linear and no steeper than quadratic. A
    user's own code is fitted in a process of its own, on up to 150 and 300 rows.

    Parameters
    ----------
    fits : {name: int}
        Fits still to be made of each candidate.
    extra : int
        Fits still to be made of the winner, whoever that is: counted as those of the mean
        candidate.
    limits : Limits, optional
        Of a single fit.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from polychotomy.study import Study
    >>> study = Study({"MAX": DummyClassifier()}, *load_iris(return_X_y=True))
    >>> estimate = estimate_cost(study, fits={"MAX": 10})
    >>> estimate.n_fits, estimate.seconds < 10
    (10, True)
    """
    wanted = {name: count for name, count in fits.items() if count}
    own = [name for name in wanted if is_users_own(study.candidates[name])]
    found = _time_own_code(study, own, limits or Limits())
    for name in wanted:
        one = None if name in own else _time_candidate(study, name)
        if one is not None:
            found[name] = one
    total = sum(found[name].own * count for name, count in wanted.items() if name in found)
    shared: dict[str, float] = {}  # candidates that prepare the data alike do so once together
    for name, one in found.items():
        shared[one.preparation] = max(
            shared.get(one.preparation, 0.0), one.preparing * wanted[name]
        )
    alone = {name: one.own + one.preparing for name, one in found.items()}
    total += sum(shared.values()) + extra * float(np.mean([*alone.values()] or [0.0]))
    return Estimate(
        fit_seconds=alone,
        n_fits=sum(wanted.values()) + extra,
        seconds=total / n_jobs,
        n_jobs=n_jobs,
        unknown=tuple(name for name in wanted if name not in found),
        extra=extra,
    )


class _Seconds(NamedTuple):
    """Seconds of a fit: preparing the data, the learner's own, and what the preparation is."""

    preparing: float
    own: float
    preparation: str


def _time_candidate(study: Study, name: str) -> _Seconds | None:
    n = study.data.n
    full = n * (study.plan.n_folds - 1) / study.plan.n_folds
    some = partial(some_rows, study.data.target.codes)
    few, many = some(_PILOT_ROWS // 2), some(_PILOT_ROWS)
    try:
        _time_fit(study, name, some(_WARM_ROWS), 1)  # what is loaded on first use
        if full <= _PILOT_ROWS:
            return _time_fit(study, name, some(int(full)), n - int(full))
        half = _time_fit(study, name, few, len(few))
        whole = _time_fit(study, name, many, len(many))
    except Exception:  # a candidate that fails is told of by the study itself
        return None
    sizes = (len(few), len(many), full)
    return whole._replace(
        preparing=_extrapolate(half.preparing, whole.preparing, sizes),
        own=_extrapolate(half.own, whole.own, sizes),
    )


def _time_own_code(study: Study, names: list[str], limits: Limits) -> dict[str, _Seconds]:
    if not names:
        return {}
    some = partial(some_rows, study.data.target.codes)
    full = study.data.n * (study.plan.n_folds - 1) / study.plan.n_folds
    try:
        found: dict[str, Pilot] = time_own(study, names, some, _PILOT_ROWS // 2, limits)
    except PolychotomyError:  # the study itself tells of it
        return {}
    return {
        name: _Seconds(0.0, _extrapolate(one.half, one.whole, (*one.sizes, full)), "")
        for name, one in found.items()
    }


def _extrapolate(half: float, whole: float, sizes: tuple[float, float, float]) -> float:
    """Seconds at the last of three sizes, by the power law through the times at the first two."""
    few, many, full = sizes
    growth = np.log(max(whole, 1e-9) / max(half, 1e-9))
    power = growth / np.log(many / few) if many > few else 1.0
    return float(whole * (full / many) ** np.clip(power, 1.0, _STEEPEST))


def _time_fit(study: Study, name: str, rows: Ints, asked: int) -> _Seconds:
    from sklearn.pipeline import Pipeline

    target = study.data.target
    model = seeded(_clone(study.candidates[name]), 0)
    X, labels = take(study.data.X, rows), target.classes[target.codes[rows]]
    some = take(study.data.X, rows[:asked])
    preparation = ""
    start = time.perf_counter()
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        warnings.simplefilter("ignore")
        if type(model) is Pipeline and len(model.steps) > 1:
            steps, model = model[:-1], model.steps[-1][1]
            X, some = steps.fit_transform(X, labels), steps.transform(some)
            preparation = describe(steps)
        prepared = time.perf_counter()
        model.fit(X, labels)
        model.predict(some)
        if hasattr(model, "predict_proba"):
            model.predict_proba(some)
    return _Seconds(prepared - start, time.perf_counter() - prepared, preparation)


def _clone(estimator: Any) -> Any:
    from sklearn.base import clone

    return clone(estimator)


def some_rows(codes: Ints, count: int) -> Ints:
    """Return rows that hold the classes in about their proportion, but a few of each at least.

    Examples
    --------
    >>> import numpy as np
    >>> some_rows(np.repeat([0, 1], [96, 4]), 8).tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 96, 97, 98, 99]
    """
    rank, place = np.empty(len(codes)), np.empty(len(codes))
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        rank[members] = np.arange(len(members))
        place[members] = (rank[members] + 0.5) / len(members)
    order = np.argsort(place, kind="stable")
    chosen = rank < _FEWEST
    chosen[order[:count]] = True
    return order[chosen[order]]
