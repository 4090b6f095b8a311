"""What a resampling plan is; repeated cross-validation; folds that keep groups whole.

The other plans have files of their own: time folds, bootstrap, fixed split, nested sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.seeds import seed_of

MOST_FOLDS = 32767  # a split is kept as int16


class Plan(Protocol):
    """What every resampling plan answers, and how, unless it says so itself.

    A split row says in ``n`` small numbers how one repetition divides the samples; what the
    numbers mean is the plan's own affair, which only ``rows`` and ``parts`` have to know. Here they
    are the folds in which the samples are predicted.
    """

    kind: ClassVar[str]  # in the study file

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
    def folds(self) -> int:
        """Parts into which one repetition divides the samples it predicts."""

    @property
    def least_members(self) -> int:
        """Samples that every class must have."""

    @property
    def n_folds(self) -> int:
        """Fits a candidate needs in one repetition."""
        return self.folds

    @property
    def training_share(self) -> float:
        """About how many of the samples a fit sees."""
        return 1 - 1 / max(self.folds, 2)

    @property
    def n_trials(self) -> int:
        """Fits a candidate needs in all."""
        return self.runs * self.repetitions * self.n_folds

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return a split row for every repetition of every run, (runs, repetitions, n)."""

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows to train on and, ascending, those to predict."""
        left_out = split_row == fold
        return (~left_out).nonzero()[0], left_out.nonzero()[0]

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return in which part each sample is predicted, −1 for none, and how many parts there are.

        Fold f predicts part f modulo the number of parts; it is all that ``rows`` says about the
        rows to predict, for many split rows at once.
        """
        return split, self.folds

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, for the study file."""
        return {"kind": self.kind, **vars(self)}


@dataclass(frozen=True, kw_only=True)
class RepeatedFolds(Plan):
    """``runs`` runs of ``repetitions`` times ``folds``-fold cross-validation.

    Dietterich's 5×2 cross-validation, which YA06 uses, is the default: five repetitions of two
    folds. YA06's own folds are not stratified. Where the data have groups, each stays whole.

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

    kind = "repeated folds"

    def __post_init__(self) -> None:
        check_counts(self, repetitions=1, folds=2, runs=1)

    @property
    def name(self) -> str:
        """For example "5x2 folds"."""
        kind = "folds" if self.stratified else "folds, not stratified"
        return f"{self.repetitions}x{self.folds} {kind}"

    @property
    def least_members(self) -> int:
        """Samples that every class must have: one for each fold, if the folds are stratified."""
        return self.folds if self.stratified else 2

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return the fold of every sample, (runs, repetitions, n)."""
        refuse_time(time, self.name)
        split = np.empty((self.runs, self.repetitions, len(codes)), dtype=np.int16)
        for run, repetition in np.ndindex(self.runs, self.repetitions):
            split[run, repetition] = self.split_row(
                codes, groups=groups, seed=seed, run=run, repetition=repetition
            )
        return split

    def split_row(
        self, codes: Ints, *, groups: Ints | None = None, seed: int, run: int, repetition: int
    ) -> NDArray[np.int16]:
        """Return the fold of every sample in one repetition, (n,)."""
        require_samples(codes, self.folds, self.name)
        own = seed_of(seed, "split", run, repetition)
        folds = assign_folds(codes, self.folds, groups=groups, stratified=self.stratified, seed=own)
        return folds.astype(np.int16)


@dataclass(frozen=True, kw_only=True)
class FirstRepetitions(RepeatedFolds):
    """The first repetitions of ``RepeatedFolds`` that were to have ``of``, under their name.

    Examples
    --------
    >>> part = FirstRepetitions(repetitions=2, of=5, folds=5)
    >>> part.name, part.n_trials, part.to_dict()["name"]
    ('5x5 folds', 10, '5x5 folds, the first 2 repetitions')
    """

    of: int = 5

    @property
    def name(self) -> str:
        """That of the whole plan: by it the fits are recorded."""
        whole = RepeatedFolds(repetitions=self.of, folds=self.folds, stratified=self.stratified)
        return whole.name

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, with a name that says which repetitions were made."""
        many = "repetition" if self.repetitions == 1 else f"{self.repetitions} repetitions"
        return {**super().to_dict(), "name": f"{self.name}, the first {many}"}


@dataclass(frozen=True, kw_only=True)
class ImportedFolds(Plan):
    """Folds read from a file of predictions; nothing can be fitted by them.

    Examples
    --------
    >>> ImportedFolds(repetitions=5, folds=2, runs=1).name
    'imported 5x2 folds'
    """

    # With defaults: without them a dataclass takes the properties of ``Plan`` for the defaults.
    repetitions: int = 1
    folds: int = 1
    runs: int = 1
    only_right: bool = False  # who was right is told, or what was scored, not the answers
    better: Literal["", "higher", "lower"] = ""  # which scores are, where scores are all there is
    scale: float = 1.0  # of the scores: how far apart nine tenths of them are

    kind = "imported folds"
    least_members = 1

    def __post_init__(self) -> None:
        check_counts(self, repetitions=1, folds=1, runs=1)

    @property
    def name(self) -> str:
        """For example "imported 5x2 folds"; "one test set" where there is a single fold."""
        if self.repetitions * self.folds * self.runs == 1:
            return "one test set"
        return f"imported {self.repetitions}x{self.folds} folds"

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Refuse: these folds were not made here."""
        raise InvalidInput(
            f"the plan {self.name!r} was imported with its predictions; expected a plan that can "
            "be drawn, RepeatedFolds for example."
        )


def check_counts(plan: object, **least: int) -> None:
    """Refuse numbers of a plan that are not whole or too small.

    Examples
    --------
    >>> check_counts(RepeatedFolds(), folds=3)
    Traceback (most recent call last):
        ...
    polychotomy.core.exceptions.InvalidInput: folds=2; expected a whole number of at least 3.
    """
    for name, lowest in least.items():
        value = getattr(plan, name)
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or value < lowest:
            raise InvalidInput(f"{name}={value!r}; expected a whole number of at least {lowest}.")
        if name == "folds" and value > MOST_FOLDS:
            raise InvalidInput(f"folds={value!r}; expected at most {MOST_FOLDS}.")
        object.__setattr__(plan, name, int(value))  # a NumPy number cannot be written as JSON


def refuse_time(time: Ints | None, plan: str) -> None:
    """Refuse samples ordered in time for a plan that would train on the future.

    Examples
    --------
    >>> refuse_time(None, "5x2 folds")
    """
    if time is not None:
        raise InvalidInput(
            f"the plan {plan!r} would train on what comes later than the rows it predicts; for "
            "data with time expected TimeFolds(folds=5) or FixedSplit(test=0.3). Leave time out "
            "if the order does not matter."
        )


def require_samples(codes: Ints, least: int, plan: str) -> None:
    """Refuse fewer samples than folds.

    Examples
    --------
    >>> import numpy as np
    >>> require_samples(np.array([0, 1]), 2, "1x2 folds")
    """
    if len(codes) < least:
        raise InvalidInput(
            f"there are {len(codes)} samples; the plan {plan!r} needs at least {least}."
        )


def assign_folds(
    codes: Ints, n_folds: int, *, groups: Ints | None = None, stratified: bool, seed: int
) -> Ints:
    """Deal ``n`` samples into folds at random, evenly in total and, if asked, in every class.

    Parameters
    ----------
    codes : (n,) ints
        Class codes.
    groups : (n,) ints, optional
        Codes of groups that stay together; then the folds are as even as the groups allow.

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
    rng = np.random.default_rng(seed)
    if groups is not None:
        return assign_groups(codes if stratified else np.zeros_like(codes), groups, n_folds, rng)
    order = rng.permutation(len(codes))
    if stratified:
        # Dealing on across class borders keeps both the classes and the whole within one sample.
        order = order[np.argsort(codes[order], kind="stable")]
    folds = np.empty(len(codes), dtype=np.intp)
    folds[order] = np.arange(len(codes)) % n_folds
    return folds


def assign_groups(codes: Ints, groups: Ints, n_folds: int, rng: np.random.Generator) -> Ints:
    """Deal whole groups into folds, large ones first, each where its classes are rarest yet.

    A group goes to the fold f with the smallest Σ_c g_c · count_fc / total_c, g_c being its
    samples of class c: the step that keeps the sum of squared shares smallest. Groups come in
    order of magnitude (powers of two), at random within: strictly by size, every repetition would
    deal the same hands.

    Parameters
    ----------
    codes : (n,) ints
        Class codes; all 0 for folds that need not be stratified.
    groups : (n,) ints
        Group codes.

    Returns
    -------
    (n,) ints
        The fold of each sample.

    Examples
    --------
    >>> import numpy as np
    >>> groups = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    >>> folds = assign_groups(np.repeat([0, 1], 4), groups, 2, np.random.default_rng(0))
    >>> bool((folds[::2] == folds[1::2]).all()), bool(folds[0] != folds[2])
    (True, True)
    """
    counts = count_classes(codes, groups)
    if len(counts) < n_folds:
        raise InvalidInput(
            f"there {'is 1 group' if len(counts) == 1 else f'are {len(counts)} groups'}; expected "
            f"at least {n_folds}, one for each fold. Take a column with more values for groups."
        )
    return deal_groups(counts, n_folds, rng)[groups]


def count_classes(codes: Ints, groups: Ints) -> Ints:
    """Return the samples of each class in each group, (groups, k).

    Examples
    --------
    >>> import numpy as np
    >>> count_classes(np.array([0, 1, 1]), np.array([0, 0, 1])).tolist()
    [[1, 1], [0, 1]]
    """
    n_groups, k = int(groups.max()) + 1, int(codes.max()) + 1
    return np.bincount(groups * k + codes, minlength=n_groups * k).reshape(n_groups, k)


def deal_groups(counts: Ints, n_folds: int, rng: np.random.Generator) -> Ints:
    """Return the fold of each group, given its samples of each class, (groups, k).

    Examples
    --------
    >>> import numpy as np
    >>> sorted(deal_groups(np.array([[3], [1], [1], [1]]), 2, np.random.default_rng(0)).tolist())
    [0, 1, 1, 1]
    """
    magnitude = np.floor(np.log2(np.maximum(counts.sum(axis=1), 1)))
    order = np.lexsort((rng.random(len(counts)), -magnitude))
    shares = counts / np.maximum(counts.sum(axis=0), 1)
    filled = np.zeros((n_folds, counts.shape[1]))
    folds = np.empty(len(counts), dtype=np.intp)
    ties = rng.random((len(counts), n_folds))
    for group in order:
        cost = filled @ shares[group]
        lightest = np.flatnonzero(cost <= cost.min() * (1 + 1e-12))
        fold = lightest[np.argmin(ties[group, lightest])]
        folds[group] = fold
        filled[fold] += counts[group]
    return _fill_empty(folds, n_folds)


def _fill_empty(folds: Ints, n_folds: int) -> Ints:
    """Give an empty fold a group of the fold with most groups; more groups than folds are given.

    A fold can stay empty while groups of a class that it lacks find another fold as good.
    """
    sizes = np.bincount(folds, minlength=n_folds)
    for empty in np.flatnonzero(sizes == 0):
        donor = int(np.argmax(sizes))
        folds[np.flatnonzero(folds == donor)[0]] = empty
        sizes[donor], sizes[empty] = sizes[donor] - 1, 1
    return folds
