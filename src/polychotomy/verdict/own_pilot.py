"""Seconds of a fit of a user's own code, which may hang or end its process: timed in another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from polychotomy.arrays import Ints
from polychotomy.study import Dataset, FixedSplit, Limits, Study, StudySpec
from polychotomy.study.fitting import take

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
