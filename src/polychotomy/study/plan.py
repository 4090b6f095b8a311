"""Resampling plans: which samples are left out together, in every repetition of every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Ints
from polychotomy.exceptions import InvalidInput
from polychotomy.study.seeds import seed_of


class Plan(Protocol):
    """What every resampling plan answers.

    A split row says in ``n`` small numbers how one repetition divides the samples; what the
    numbers mean is the plan's own affair, which only ``rows`` has to know.
    """

    @property
    def name(self) -> str:
        """A short name by content; plans of one name differ in extent only."""

    @property
    def runs(self) -> int:
        """Runs; a study may later have more of them."""

    @property
    def repetitions(self) -> int:
        """Repetitions a run."""

    @property
    def n_folds(self) -> int:
        """Fits a candidate needs in one repetition."""

    @property
    def least_members(self) -> int:
        """Samples that every class must have."""

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return a split row for every repetition of every run, (runs, repetitions, n)."""

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows to train on and, ascending, those to predict."""

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, for the study file."""


def assign_folds(codes: Ints, n_folds: int, *, stratified: bool, seed: int) -> Ints:
    """Deal ``n`` samples into folds at random, evenly in total and, if asked, in every class.

    Parameters
    ----------
    codes : (n,) ints
        Class codes.

    Returns
    -------
    (n,) ints
        The fold of each sample.

    Examples
    --------
    >>> import numpy as np
    >>> folds = assign_folds(np.array([0, 0, 0, 0, 1, 1]), 2, stratified=True, seed=7)
    >>> np.bincount(folds[:4]).tolist(), np.bincount(folds[4:]).tolist()
    ([2, 2], [1, 1])
    """
    order = np.random.default_rng(seed).permutation(len(codes))
    if stratified:
        # Dealing on across class borders keeps both the classes and the whole within one sample.
        order = order[np.argsort(codes[order], kind="stable")]
    folds = np.empty(len(codes), dtype=np.intp)
    folds[order] = np.arange(len(codes)) % n_folds
    return folds


@dataclass(frozen=True, kw_only=True)
class RepeatedFolds:
    """``runs`` runs of ``repetitions`` times ``folds``-fold cross-validation.

    Dietterich's 5×2 cross-validation, which YA06 uses, is the default: five repetitions of two
    folds. YA06's own folds are not stratified.

    Examples
    --------
    >>> RepeatedFolds().n_trials
    10
    >>> RepeatedFolds(repetitions=5, folds=5, runs=2).n_trials
    50
    """

    repetitions: int = 5
    folds: int = 2
    runs: int = 1
    stratified: bool = True

    def __post_init__(self) -> None:
        for name, least in (("repetitions", 1), ("folds", 2), ("runs", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise InvalidInput(
                    f"{name}={value!r}; expected a whole number of at least {least}."
                )

    @property
    def name(self) -> str:
        """For example "5x2 folds"."""
        kind = "folds" if self.stratified else "folds, not stratified"
        return f"{self.repetitions}x{self.folds} {kind}"

    @property
    def n_folds(self) -> int:
        """Fits a candidate needs in one repetition."""
        return self.folds

    @property
    def n_trials(self) -> int:
        """Fits a candidate needs."""
        return self.runs * self.repetitions * self.folds

    @property
    def least_members(self) -> int:
        """Samples that every class must have."""
        return self.folds

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return the fold of every sample, (runs, repetitions, n)."""
        return np.array(
            [
                [
                    assign_folds(
                        codes,
                        self.folds,
                        stratified=self.stratified,
                        seed=seed_of(seed, "split", run, repetition),
                    )
                    for repetition in range(self.repetitions)
                ]
                for run in range(self.runs)
            ],
            dtype=np.int16,
        )

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows of all other folds, and those of this one."""
        left_out = split_row == fold
        return np.flatnonzero(~left_out), np.flatnonzero(left_out)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, for the study file."""
        return {"kind": "repeated folds", **asdict(self)}


def plan_from_dict(values: Mapping[str, Any]) -> RepeatedFolds:
    """Return the plan that ``to_dict`` gave.

    Examples
    --------
    >>> plan_from_dict(RepeatedFolds(runs=3).to_dict()) == RepeatedFolds(runs=3)
    True
    """
    return RepeatedFolds(**{name: value for name, value in values.items() if name != "kind"})
