"""A raced run: repetition by repetition, with a decision after each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study.design.plan import Plan, RepeatedFolds
from polychotomy.study.design.race import Race, Stop, decide
from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.work import Work
from polychotomy.study.ledger.ledger import Ledger
from polychotomy.study.workers.runner import RunTrials


def as_race(race: Any) -> Race | None:
    """Return a race, or None for none; True is the ordinary one.

    Examples
    --------
    >>> as_race(True), as_race(False)
    (Race(alpha=0.05), None)
    """
    if race is None or race is False:
        return None
    if race is True:
        return Race()
    if not isinstance(race, Race):
        raise InvalidInput(
            f"race={race!r}; expected True, False or a Race, such as Race(alpha=0.05)."
        )
    return race


def require_raceable(plan: Plan) -> None:
    """Refuse a plan whose repetitions cannot be compared as they come."""
    if not isinstance(plan, RepeatedFolds) or plan.runs * plan.repetitions < 2:
        raise InvalidInput(
            f"the plan {plan.name!r} cannot be raced; expected RepeatedFolds with two or more "
            "repetitions."
        )


def run_raced(
    ledger: Ledger, work: Work, to_do: Sequence[TrialKey], *, race: Race, run: RunTrials
) -> Iterator[Outcome]:
    """Yield the outcomes of a raced run; what is stopped is written to the ledger as a fact.

    What is decided after a repetition depends on the errors up to it alone, so that a resumed race
    ends like one that was never stopped.
    """
    heats = [_Heat(ledger, work, dataset, race) for dataset in work.datasets]
    (plan,) = work.plans.values()
    waiting: dict[int, list[TrialKey]] = {}
    for key in to_do:
        waiting.setdefault(key.run * plan.repetitions + key.repetition, []).append(key)
    for repetition in range(plan.runs * plan.repetitions):
        keys = [
            key
            for key in waiting.get(repetition, [])
            if any(heat.runs(key, repetition) for heat in heats)
        ]
        for outcome in run(keys):
            for heat in heats:
                heat.see(outcome)
            yield outcome
        for heat in heats:
            heat.look(repetition + 1)


class _Heat:
    """The race on one data set: errors so far, and after how many repetitions each was stopped."""

    def __init__(self, ledger: Ledger, work: Work, dataset: str, race: Race) -> None:
        ((self.name, plan),) = work.plans.items()
        assert isinstance(plan, RepeatedFolds), "refused by require_raceable"
        self.ledger, self.work, self.dataset, self.race, self.plan = (
            ledger, work, dataset, race, plan
        )  # fmt: skip
        self.candidates = list(work.candidates)
        self.looks = plan.runs * plan.repetitions
        self.errors: Floats = ledger.fold_errors(
            self.candidates, dataset=dataset, plan=self.name, runs=plan.runs
        ).reshape(len(self.candidates), self.looks, plan.folds)
        self.after: NDArray[np.intp] = np.full(len(self.candidates), self.looks)
        for stop in ledger.stopped():
            here = (stop["dataset"], stop["plan"]) == (dataset, self.name)
            if here and stop["candidate"] in self.candidates:
                self.after[self.candidates.index(stop["candidate"])] = stop["repetitions"]

    def runs(self, key: TrialKey, repetition: int) -> bool:
        """Whether a trial of this data set is still to be run."""
        return (
            key.dataset == self.dataset
            and self.after[self.candidates.index(key.candidate)] > repetition
        )

    def see(self, outcome: Outcome) -> None:
        """Take down the error of a finished trial."""
        key = outcome.key
        if key.dataset != self.dataset or outcome.status != "ok":
            return
        truth = self.work.datasets[key.dataset].target.codes[self.work.rows(key)[1]]
        where = key.run * self.plan.repetitions + key.repetition
        index = self.candidates.index(key.candidate)
        self.errors[index, where, key.fold] = np.mean(outcome.predicted != truth)

    def look(self, repetitions: int) -> None:
        """Decide after so many repetitions, and write down who is stopped and why."""
        stops = decide(
            self.errors[:, :repetitions],
            self.after >= repetitions,
            looks=self.looks,
            alpha=self.race.alpha,
            test_train_ratio=1 / (self.plan.folds - 1),
        )
        new = [stop for stop in stops if self.after[stop.candidate] > repetitions]
        for stop in new:
            self.after[stop.candidate] = repetitions
        if new:
            self.ledger.stop_candidates([self._fact(stop, repetitions) for stop in new])

    def _fact(self, stop: Stop, repetitions: int) -> dict[str, Any]:
        means = self.errors[:, :repetitions].mean(axis=(1, 2))
        better = self.candidates[stop.better]
        return {
            "dataset": self.dataset,
            "plan": self.name,
            "candidate": self.candidates[stop.candidate],
            "repetitions": repetitions,
            "of": self.looks,
            "better": better,
            "error": float(means[stop.candidate]),
            "better_error": float(means[stop.better]),
            "pvalue": stop.pvalue,
            "level": stop.level,
            "alpha": self.race.alpha,
            "reason": (
                f"worse than {better}, error {means[stop.candidate]:.3f} against "
                f"{means[stop.better]:.3f} (one-sided corrected t test, p = {stop.pvalue:.2g}, "
                f"held to {stop.level:.2g})"
            ),
        }
