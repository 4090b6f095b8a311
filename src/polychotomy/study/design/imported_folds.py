"""ImportedFolds: the folds that predictions made elsewhere came with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study.design.bootstrap import Bootstrap
from polychotomy.study.design.fixed_split import FixedSplit
from polychotomy.study.design.nested_sizes import NestedSizes
from polychotomy.study.design.plan import Plan, RepeatedFolds, check_counts, leave_out
from polychotomy.study.design.time_folds import TimeFolds


@dataclass(frozen=True, kw_only=True)
class ImportedFolds:
    """Folds read from a file of predictions; nothing can be fitted by them.

    Examples
    --------
    >>> ImportedFolds(repetitions=5, folds=2, runs=1).name
    'imported 5x2 folds'
    """

    repetitions: int
    folds: int
    runs: int

    least_members = 1

    def __post_init__(self) -> None:
        check_counts(self, repetitions=1, folds=1, runs=1)

    @property
    def name(self) -> str:
        """For example "imported 5x2 folds"."""
        return f"imported {self.repetitions}x{self.folds} folds"

    @property
    def n_folds(self) -> int:
        """Fits that a candidate had in one repetition."""
        return self.folds

    @property
    def n_trials(self) -> int:
        """Fits that a candidate had."""
        return self.runs * self.repetitions * self.folds

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Refuse: these folds were not made here."""
        raise InvalidInput(
            f"the plan {self.name!r} was imported with its predictions; expected a plan that can "
            "be drawn, RepeatedFolds for example."
        )

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows of all other folds, and those of this one."""
        return leave_out(split_row, fold)

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return the fold of each sample, and the number of folds."""
        return split, self.folds

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, for the study file."""
        return {"kind": "imported folds", **asdict(self)}


_KINDS: dict[str, type[Any]] = {
    "repeated folds": RepeatedFolds,
    "time folds": TimeFolds,
    "bootstrap": Bootstrap,
    "fixed split": FixedSplit,
    "nested sizes": NestedSizes,
    "imported folds": ImportedFolds,
}


def plan_from_dict(values: Mapping[str, Any]) -> Plan:
    """Return the plan that ``to_dict`` gave.

    Examples
    --------
    >>> plan_from_dict(RepeatedFolds(runs=3).to_dict()) == RepeatedFolds(runs=3)
    True
    """
    plan: Plan = _KINDS[values["kind"]](**{k: v for k, v in values.items() if k != "kind"})
    return plan
