"""What a study will take: every candidate is tried, as contained as in the study itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import PolychotomyError
from polychotomy.core.numbers import seconds
from polychotomy.study import Dataset, FixedSplit, Limits, Study
from polychotomy.study.design.candidates import LeftOut
from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.fit import take
from polychotomy.study.fitting.work import split_data
from polychotomy.study.study import plan_trials
from polychotomy.study.workers.runner import TimedTrial, time_trials
from polychotomy.verdict.anatomy import ALWAYS_ALLOWED, ANATOMY_SHARE

MOST_SECONDS = 5.0  # of a try

_PILOT_ROWS = 600

_MOST_PILOT_ROWS, _OF_A_FIT = 10_000, 10  # beyond, a tenth of the rows of a fit

_JITTER = 0.05  # seconds: how such a time grows, nobody can tell

_PARTS = 4  # how many times more rows the second try has than the first

_FOR_FITS = 0.8  # of the time that is left when all were tried

_WARM_ROWS = 60

_STEEPEST = 2.0  # no built-in learner's time grows faster than with the square of the rows

_FEWEST = 4  # members of a class: learners that try themselves on folds need some

_WARM, _FEW, _MANY = "\0warm", "\0few", "\0many"
"""Parts of the table that are tried; no data set can have such a name."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimate:
    """What a study is expected to cost.

    Parameters
    ----------
    fit_seconds : {name: float}
        Of one fit and its predictions; candidates that failed on the part tried are missing.
    n_fits : int
        Still to be made: of one repetition where more may follow.
    seconds, most_seconds : float
        Wall clock, with this many workers, of these fits, and of all that may follow.
    n_jobs : int
    unknown : tuple of str
        Candidates that failed when tried beforehand.
    stopped : tuple of str
        Candidates that took too long for that: they take more than their seconds here.
    on_cluster : bool
        The workers are a cluster's, and nobody has counted them: ``seconds`` are of one.
    extra : int
        Fits that ask what limits the best, at most; how many there will be depends on who it is.
    most_runs : int
        Repetitions that there may be.
    race : bool
        Whether a race may stop candidates early.
    pilots : tuple of Outcome
        Planned fits that were made to find this out; they need not be made again.
    """

    fit_seconds: Mapping[str, float]
    n_fits: int
    seconds: float
    most_seconds: float
    n_jobs: int
    unknown: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    on_cluster: bool = False
    extra: int = 0
    most_runs: int = 1
    race: bool = False
    pilots: tuple[Outcome, ...] = ()

    def shared(self, n_jobs: int, *, on_cluster: bool) -> Estimate:
        """Return the estimate of one worker for several of them, or for a cluster's."""
        if on_cluster:
            return replace(self, on_cluster=True)
        low, high = self.seconds / n_jobs, self.most_seconds / n_jobs
        return replace(self, seconds=low, most_seconds=high, n_jobs=n_jobs)

    def __str__(self) -> str:
        workers = f"with {self.n_jobs} workers" if self.n_jobs > 1 else "with one worker"
        if self.on_cluster:
            workers = "of one worker's time, shared by those of the cluster"
        fits = f"{self.n_fits} fits"
        if self.most_runs > 1:
            fits += f", up to {self.n_fits * self.most_runs} while that may change the choice"
        if self.extra:
            fits += f", then up to {self.extra} on what limits the best and which columns matter"
        if self.race:
            fits += "; fewer where the race stops candidates"
        low, high = seconds(self.seconds), seconds(self.most_seconds)
        about = "more than" if self.stopped else "about"
        known = f"{fits}; {about} {low if low == high else f'{low} to {high}'} {workers}"
        if self.stopped:
            known += (
                f"; counted by the time after which a try was stopped: {', '.join(self.stopped)}"
            )
        if not self.unknown:
            return known
        why = "as a try on part of the rows failed"
        return f"{known}; not counted, {why}: {', '.join(self.unknown)}"

    @property
    def expected(self) -> dict[str, float]:
        """Seconds of a fit, of those that a try tells."""
        return {name: one for name, one in self.fit_seconds.items() if name not in self.stopped}


def estimate_cost(
    study: Study,
    *,
    fits: Mapping[str, int],
    first: Mapping[str, TrialKey] | None = None,
    extra: int = 0,
    extra_unasked: bool = False,
    most_runs: int = 1,
    before: float = 0.0,
    limits: Limits | None = None,
    budget: float | None = None,
) -> Estimate:
    """Fit each candidate on part of the rows, and extrapolate to the training size.

    Up to 600 training rows the fit is a planned one, whose outcome is kept; beyond, two fits, on
    600 rows, or a tenth of those of a fit, and on a quarter of these, give a line, or where the
    time grows faster than the rows a power law, taken to be no steeper than quadratic. A candidate
    that takes more than five seconds for that is not waited for, and counted as if it had taken
    these; of a ``budget`` of seconds a try of each of them takes no more than a third in all.

    Parameters
    ----------
    fits : {name: int}
        Fits still to be made of each candidate.
    first : {name: trial}, optional
        One of these each; by default the first of the study.
    extra : int
        Fits still to be made of the winner, whoever that is: counted as those of the dearest.
    extra_unasked : bool
        They are made only within a share of the time of the others.
    most_runs : int
        How often all may have to be made.
    before : float
        Training rows, in units of those of a fit, of the fits on fewer rows that come first; then
        not all candidates are fitted on all rows: two are counted, and at most all of them.
    limits : Limits, optional
        Of a single fit; the tries here get no more.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from polychotomy.study import Study
    >>> study = Study({"MAX": DummyClassifier()}, *load_iris(return_X_y=True))
    >>> estimate = estimate_cost(study, fits={"MAX": 10})
    >>> estimate.n_fits, estimate.seconds < 10, len(estimate.pilots)
    (10, True, 1)
    """
    wanted = {name: count for name, count in fits.items() if count}
    try:
        limits = limits or Limits()
        most = min(MOST_SECONDS, limits.seconds or MOST_SECONDS)
        if budget is not None:
            most = min(most, budget / max(study.plan.n_folds, 3 * len(wanted)))
        how = {} if budget is None else {"loading": most}
        found, pilots = _try_all(study, wanted, first or {}, replace(limits, seconds=most), **how)
    except PolychotomyError:  # the study itself tells of it
        found, pilots = {}, []
    total = sum(found[name].own * count for name, count in wanted.items() if name in found)
    shared: dict[str | None, float] = {}  # candidates that prepare the data alike do so once
    for name, one in found.items():
        longest = shared.get(one.preparation, 0.0)
        shared[one.preparation] = max(longest, one.preparing * wanted[name])
    alone = {name: one.own + one.preparing for name, one in found.items()}
    total += sum(shared.values())
    further = extra * max([*alone.values()], default=0.0)  # who the best is, is not known
    if extra_unasked:
        further = min(further, max(ANATOMY_SHARE * most_runs * total, ALWAYS_ALLOWED))
    return Estimate(
        fit_seconds=alone, n_fits=sum(wanted.values()), n_jobs=1,
        seconds=before * total + (2 * total / len(found) if before and found else total),
        most_seconds=(before + most_runs) * total + further,
        unknown=tuple(name for name in wanted if name not in found),
        stopped=tuple(n for n, one in found.items() if one.outcome.status == "timeout"),
        extra=extra, most_runs=most_runs, pilots=tuple(pilots),
    )  # fmt: skip


def _try_all(
    study: Study,
    wanted: Mapping[str, int],
    first: Mapping[str, TrialKey],
    limits: Limits,
    **how: float,
) -> tuple[dict[str, TimedTrial], list[Outcome]]:
    """Return the seconds of a fit of each candidate, and the outcomes of planned ones."""
    full = study.data.n * study.plan.training_share
    sizes = {_WARM: _WARM_ROWS}  # what is loaded on first use
    if full > _PILOT_ROWS:
        many = int(np.clip(full / _OF_A_FIT, _PILOT_ROWS, _MOST_PILOT_ROWS))
        sizes |= {_FEW: many // _PARTS, _MANY: many}
    plan, parts = FixedSplit(test=0.5), {name: _part(study, 2 * n) for name, n in sizes.items()}
    rounds = [[*plan_trials([part], wanted, {plan.name: plan})] for part in parts]
    work = study.work()
    if full <= _PILOT_ROWS:
        planned = plan_trials(work.datasets, wanted, work.plans)
        firsts = {key.candidate: key for key in reversed(list(planned))} | dict(first)
        rounds.append([firsts[name] for name in wanted])
    drawn = {(name, plan.name): split_data(plan, part, work.seed) for name, part in parts.items()}
    work = replace(
        work, candidates={name: study.candidates[name] for name in wanted},
        datasets={**work.datasets, **parts}, plans={**work.plans, plan.name: plan},
        splits={**work.splits, **drawn},
    )  # fmt: skip
    timed = list(time_trials(work, rounds, limits, **how))
    last = {one.outcome.candidate: one for one in timed}
    found = {n: one for n in wanted if (one := last[n]).outcome.status in ("ok", "timeout")}
    if full <= _PILOT_ROWS:
        outcomes = [last[name].outcome for name in wanted]
        return found, [one for one in outcomes if one.status in ("ok", "failed")]
    sizes_tried = (parts[_FEW].n / 2, parts[_MANY].n / 2, full)
    early_ones = {one.outcome.candidate: one for one in timed if one.outcome.dataset == _FEW}
    for name, late in [*found.items()]:
        early = early_ones.get(name, late)
        if early.outcome.status not in ("ok", "timeout"):
            del found[name]
        elif late is not early:
            found[name] = late._replace(
                preparing=_extrapolate((early.preparing, late.preparing), sizes_tried),
                own=_extrapolate((early.own, late.own), sizes_tried),
            )
    return found, []


def _part(study: Study, count: int) -> Dataset:
    """Return about so many rows as a data set, without classes of a single one."""
    target = study.data.target
    rows = some_rows(target.codes, count)
    codes = target.codes[rows]
    rows = rows[np.bincount(codes, minlength=len(target.classes))[codes] > 1]
    return Dataset.of(take(study.data.X, rows), target.classes[target.codes[rows]])


def _extrapolate(times: tuple[float, float], sizes: tuple[float, float, float]) -> float:
    """Seconds at the last of three sizes, from those at the first two.

    By the line through them, as something is to be done for every fit whatever its rows; by a power
    law where the time grows faster than the rows.

    Examples
    --------
    >>> _extrapolate((0.2, 0.5), (100, 400, 4000)), _extrapolate((0.1, 1.6), (100, 400, 4000))
    (4.1, 160.0)
    """
    (early, late), (few, many, full) = times, sizes
    if many <= few or late <= early:
        return float(max(early, late))
    if late / many <= early / few or late < _JITTER:
        return round(late + (late - early) / (many - few) * (full - many), 9)
    power = np.log(late / max(early, 1e-9)) / np.log(many / few)
    return float(late * (full / many) ** min(power, _STEEPEST))


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


def within_budget(
    study: Study, estimate: Estimate, jobs: int, left: float
) -> tuple[Study, tuple[LeftOut, ...], Estimate]:
    """Leave out the dearest candidates, so that one repetition of the others takes the time left.

    One candidate stays, whatever it takes. A part of the time is for starting processes and for the
    verdict itself; candidates that have failed take none.
    """
    costs = {**dict.fromkeys(estimate.unknown, 0.0), **estimate.fit_seconds}
    order = sorted(costs, key=lambda name: (name in estimate.stopped, costs[name]))
    # One that was stopped may take any time: as probably as not, it has taken half of it.
    expected = [costs[name] * (1 + (name in estimate.stopped)) for name in order]
    most = _FOR_FITS * left * jobs / study.plan.n_folds
    within = np.searchsorted(np.cumsum(expected), most, side="right")
    kept = order[: max(int(within), 1)]
    gone = [name for name in study.candidates if name in costs and name not in kept]
    if not gone:
        return study, (), estimate
    tried = {name: one for name, one in study.candidates.items() if name not in gone}
    why = f"a repetition of all would take longer than the {seconds(left)} that there are"
    takes = {name: f"about {seconds(costs[name])}" for name in gone}
    takes |= {name: f"more than {seconds(costs[name])}" for name in estimate.stopped}
    left_out = tuple(
        LeftOut(name, f"{why}; a fit of it takes {takes[name]}", (*study.candidates,))
        for name in gone
    )
    share = sum(costs[name] for name in kept) / max(sum(costs.values()), 1e-9)
    estimate = replace(
        estimate, fit_seconds={n: one for n, one in estimate.fit_seconds.items() if n in tried},
        n_fits=estimate.n_fits * len(kept) // len(costs), seconds=share * estimate.seconds,
        most_seconds=share * estimate.most_seconds,
        unknown=tuple(name for name in estimate.unknown if name in tried),
        stopped=tuple(name for name in estimate.stopped if name in tried),
        pilots=tuple(one for one in estimate.pilots if one.candidate in tried),
    )  # fmt: skip
    return replace(study, candidates=tried), left_out, estimate
