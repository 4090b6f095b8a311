"""How samples are divided into rows to train on and rows to predict, again and again.

A single division is in :mod:`polychotomy.study.design.fixed_split`; how samples are dealt, in
:mod:`polychotomy.study.design.folds`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arguments import check_count, unexpected
from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.seeds import seed_of
from polychotomy.study.design.folds import assign_folds, cut_blocks, draw_groups, place_in_folds

_MOST_FOLDS = 32767  # a split is kept as int16


class Samples(NamedTuple):
    """What a plan knows of the samples: class codes, codes of groups, and ranks in time."""

    codes: Ints
    groups: Ints | None = None
    time: Ints | None = None


class Plan(ABC):
    """What every resampling plan answers, and how, unless it says so itself.

    A split row says in ``n`` small numbers how one repetition divides the samples; what the
    numbers mean is the plan's own affair, which only ``rows`` and ``parts`` have to know. Here they
    are the folds in which the samples are predicted.
    """

    kind: ClassVar[str]  # in the study file
    heeds_time: ClassVar[bool] = False  # no fit sees what comes later
    runs: int = 1  # a study may later have more of them
    folds: int = 1  # parts into which one repetition divides the samples it predicts

    @property
    @abstractmethod
    def name(self) -> str:
        """A short name by content; plans of one name differ in extent only."""

    @property
    def repetitions(self) -> int:
        """Repetitions a run."""
        return 1

    @property
    def least_members(self) -> int:
        """Samples that every class must have."""
        return 2

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
        samples = Samples(codes, groups, time)
        self.require(samples)
        split = np.empty((self.runs, self.repetitions, len(codes)), dtype=np.int16)
        for place in np.ndindex(self.runs, self.repetitions):
            split[place] = self.split_row(samples, seed, *place)
        return split

    def require(self, samples: Samples) -> None:
        """Refuse samples that cannot be split."""
        if samples.time is not None and not self.heeds_time:
            raise InvalidInput(
                f"the plan {self.name!r} would train on what comes later than the rows it predicts;"
                " for data with time expected TimeFolds(folds=5) or FixedSplit(test=0.3). Leave "
                "time out if the order does not matter."
            )
        if len(samples.codes) < max(self.folds, self.least_members):
            raise InvalidInput(
                f"there are {len(samples.codes)} samples; the plan {self.name!r} needs at least "
                f"{max(self.folds, self.least_members)}."
            )

    def split_row(self, samples: Samples, seed: int, run: int, repetition: int) -> Ints:
        """Return the split row of one repetition, (n,)."""
        raise NotImplementedError

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows to train on and, ascending, those to predict."""
        left_out = split_row == fold
        return (~left_out & (split_row != -2)).nonzero()[0], left_out.nonzero()[0]

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return in which part each sample is predicted, −1 for none, and how many parts there are.

        Fold f predicts part f modulo the number of parts; it is all that ``rows`` says about the
        rows to predict, for many split rows at once.
        """
        return np.maximum(split, -1), self.folds

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, for the study file."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        lists = {name: list(value) for name, value in given.items() if isinstance(value, tuple)}
        return {"kind": self.kind, **given, **lists}


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

    def split_row(self, samples: Samples, seed: int, run: int, repetition: int) -> Ints:
        """Return the fold of every sample."""
        own, stratified = seed_of(seed, "split", run, repetition), self.stratified
        codes, groups, _ = samples
        return assign_folds(codes, self.folds, groups=groups, stratified=stratified, seed=own)


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

    def require(self, samples: Samples) -> None:
        """Refuse all: these folds were not made here."""
        raise InvalidInput(
            f"the plan {self.name!r} was imported with its predictions; expected a plan that can "
            "be drawn, RepeatedFolds for example."
        )


@dataclass(frozen=True, kw_only=True)
class HoldOut(Plan):
    """One of ``of`` folds is held out in each run; ``of`` runs are a whole cross-validation.

    On a table so large that a single fold has rows enough to decide, one run does, and more can
    follow where it does not. Classes are dealt evenly; groups stay whole.

    A split row is 0 for samples to predict and −1 for those to train on.

    Parameters
    ----------
    of : int
        Folds that the samples are dealt into.
    runs : int
        Folds that are held out, one after another.

    Examples
    --------
    >>> import numpy as np
    >>> plan = HoldOut(of=4, runs=2)
    >>> first, second = plan.split(np.array([0, 1] * 8), seed=0)[:, 0]
    >>> [len(rows) for rows in plan.rows(first, 0)], int(((first == 0) & (second == 0)).sum())
    ([12, 4], 0)
    """

    of: int = 5
    runs: int = 1

    kind = "hold-out"

    def __post_init__(self) -> None:
        check_counts(self, of=2, runs=1)
        if self.runs > self.of:
            raise InvalidInput(f"runs={self.runs}; expected at most {self.of}, as many as folds.")

    @property
    def name(self) -> str:
        """For example "hold-out 1/5"."""
        return f"hold-out 1/{self.of}"

    @property
    def least_members(self) -> int:
        """Samples that every class must have: one for each fold."""
        return self.of

    @property
    def training_share(self) -> float:
        """How many of the samples a fit sees."""
        return 1 - 1 / self.of

    def split_row(self, samples: Samples, seed: int, run: int, repetition: int) -> Ints:
        """Return 0 for samples to predict and −1 for those to train on."""
        codes, groups, _ = samples
        own = seed_of(seed, "hold-out")
        folds = assign_folds(codes, self.of, groups=groups, stratified=True, seed=own)
        return np.where(folds == run, 0, -1)


@dataclass(frozen=True, kw_only=True)
class Rung(HoldOut):
    """The first fold of a ``HoldOut``, with so many of its rows to train on and to predict.

    They are drawn at random, the same ones first whatever the number: what a larger rung trains on
    includes what a smaller one does. In a split row the others are −2.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([0, 1] * 50)
    >>> small, large = (Rung(train=n, test=10).split(codes, seed=0)[0, 0] for n in (20, 40))
    >>> int((small == -1).sum()), bool((large[small == -1] == -1).all())
    (20, True)
    """

    train: int = 10_000
    test: int = 10_000

    kind = "rung"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_counts(self, train=2, test=1)

    @property
    def name(self) -> str:
        """For example "hold-out 1/5, 10000 rows"."""
        return f"{super().name}, {self.train} rows"

    def split_row(self, samples: Samples, seed: int, run: int, repetition: int) -> Ints:
        """Return 0 for samples to predict, −1 for those to train on, −2 for others."""
        row = super().split_row(samples, seed, run, repetition)
        order = np.random.default_rng(seed_of(seed, "rung")).permutation(len(row))
        for side, most in ((-1, self.train), (0, self.test)):
            row[order[row[order] == side][most:]] = -2
        return row


@dataclass(frozen=True, kw_only=True)
class TimeFolds(Plan):
    """Blocks in order of time, each predicted by a fit on all blocks before it.

    The samples are cut into ``folds`` + 1 blocks of about the same size; samples of equal time
    stay together. The first block is never predicted. There is one repetition only: time has one
    order. Where the data have groups too, a sample is not predicted if its group has been seen in
    an earlier block.

    In a split row, f ≥ 0 is the fold in which a sample is predicted; −1 − b marks a sample of block
    b that is never predicted, −1 those of the first block.

    Parameters
    ----------
    folds : int
        Blocks that are predicted.
    of : int, optional
        Blocks of about the same size in all, if more than one of them comes before the first that
        is predicted: one fit on the first four fifths is ``TimeFolds(folds=1, of=5)``.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.study import TimeFolds
    >>> plan = TimeFolds(folds=2)
    >>> row = plan.split(np.array([0, 1, 0, 1, 0, 1]), time=np.arange(6), seed=0)[0, 0]
    >>> row.tolist()
    [-1, -1, 0, 0, 1, 1]
    >>> [rows.tolist() for rows in plan.rows(row, 1)]
    [[0, 1, 2, 3], [4, 5]]
    """

    folds: int = 5
    of: int | None = None

    kind, heeds_time = "time folds", True

    def __post_init__(self) -> None:
        check_counts(self, folds=1)
        if self.of is not None:
            check_counts(self, of=self.folds + 1)

    @property
    def name(self) -> str:
        """For example "5 time folds"."""
        several = self.of is None
        return f"{self.folds} time folds" if several else f"last {self.folds}/{self.of} in time"

    @property
    def n_blocks(self) -> int:
        """Blocks of about the same size that the samples are cut into."""
        return self.of or self.folds + 1

    @property
    def training_share(self) -> float:
        """How many of the samples a fit sees, on average."""
        return (2 * self.n_blocks - self.folds - 1) / (2 * self.n_blocks)

    def split_row(self, samples: Samples, seed: int, run: int, repetition: int) -> Ints:
        """Return the block of every sample; nothing is drawn, so no seed counts."""
        codes, groups, time = samples
        if time is None:
            raise InvalidInput(
                f"the plan {self.name!r} needs the time of every sample; expected time=…, shape "
                "(n,), or RepeatedFolds for data without order."
            )
        early = self.n_blocks - self.folds - 1
        blocks = np.maximum(cut_blocks(time, self.n_blocks) - early, 0)
        row = np.where(blocks == 0, -1, blocks - 1)
        if groups is not None:
            first = np.full(int(groups.max()) + 1, self.folds + 1)
            np.minimum.at(first, groups, blocks)
            row = np.where((row >= 0) & (first[groups] < blocks), -1 - blocks, row)
        self._check(codes, row)
        return row

    def _check(self, codes: Ints, row: Ints) -> None:
        """Refuse folds that have nothing to learn from or nothing to predict."""
        for fold in range(self.folds):
            train, test = self.rows(row.astype(np.int16), fold)
            if not len(test):
                raise InvalidInput(
                    f"time fold {fold} has no sample of a group that is new; expected some. Use "
                    "fewer folds, or leave groups or time out."
                )
            if len(np.unique(codes[train])) < 2:
                raise InvalidInput(
                    f"all {len(train)} samples before time fold {fold} are of one class; expected "
                    "at least two classes to learn from. Use fewer folds."
                )

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows of all blocks before this one, and those to predict in it."""
        block = np.where(split_row >= 0, split_row + 1, -1 - split_row)
        return np.flatnonzero(block <= fold), np.flatnonzero(split_row == fold)


@dataclass(frozen=True, kw_only=True)
class Bootstrap(Plan):
    """T96. ``replicates`` bootstrap samples; each fit predicts the samples out of its bag.

    A split row counts how often each sample is in the bag; the counts sum to n. A bag that lacks
    a class, or holds every sample, is drawn again; if a hundred draws are not enough (a class of
    two or three samples or groups among very many classes), a bag may lack a class. Where the data
    have groups, whole groups are drawn, as many as there are; then the counts sum to n on average
    only.

    Parameters
    ----------
    replicates : int
        Bootstrap samples. A study may later have more of them.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.study import Bootstrap
    >>> plan = Bootstrap(replicates=3)
    >>> counts = plan.split(np.array([0, 0, 0, 1, 1, 1]), seed=0)
    >>> counts.shape, counts.sum(axis=-1).tolist()
    ((1, 3, 6), [[6, 6, 6]])
    """

    replicates: int = 50

    kind = name = "bootstrap"

    def __post_init__(self) -> None:
        check_counts(self, replicates=1)

    @property
    def repetitions(self) -> int:
        """The replicates."""
        return self.replicates

    def split_row(self, samples: Samples, seed: int, run: int, repetition: int) -> Ints:
        """Return how often each sample is in the bag."""
        codes, groups, _ = samples
        own = np.arange(len(codes)) if groups is None else groups  # without groups, each is one
        return draw_groups(codes, own, np.random.default_rng(seed_of(seed, self.kind, repetition)))

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows in the bag, repeated as drawn, and those left out."""
        return np.repeat(np.arange(len(split_row)), split_row), np.flatnonzero(split_row == 0)

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return 0 for samples out of the bag and −1 for the others: there is one part."""
        return np.where(split == 0, 0, -1).astype(np.int16), 1


@dataclass(frozen=True, kw_only=True)
class NestedSizes(Plan):
    """Cross-validation with training parts of several sizes, for learning curves.

    Each fold's samples are put in one random order, every class once first and then in
    proportion; a fit of size s trains on the beginnings of all other folds. So the training parts
    of the sizes are nested, and every size is tried on the same samples. Where the data have
    groups, each stays in one fold, and the order goes group by group.

    A split row holds, for every sample, its stage × ``folds`` + its fold, a stage being the first
    size that trains on it; ``len(sizes)`` if none does. The fit of size number i and fold f has
    the fold index i × ``folds`` + f.

    Parameters
    ----------
    folds : int
    sizes : sequence of floats
        Shares of a fold's training part, above 0 and up to 1. Rows are taken evenly from all
        other folds.
    repetitions : int
        Times with new folds.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.study import NestedSizes
    >>> plan = NestedSizes(folds=2, sizes=(0.5, 1.0))
    >>> row = plan.split(np.array([0, 1] * 4), seed=0)[0, 0]
    >>> [len(plan.rows(row, fold)[0]) for fold in range(plan.n_folds)]
    [2, 2, 4, 4]
    """

    folds: int = 5
    sizes: tuple[float, ...] = (0.2, 0.35, 0.6, 1.0)
    repetitions: int = 1

    kind = "nested sizes"

    def __post_init__(self) -> None:
        given = np.asarray(self.sizes)
        several = given.ndim == 1 and given.dtype.kind == "f" and given.size > 0
        if not several or given.max() > 1 or not (np.diff(given, prepend=0) > 0).all():
            expected = "shares of the training part up to 1, each larger than the one before"
            raise unexpected("sizes", self.sizes, expected)
        object.__setattr__(self, "sizes", tuple(given.tolist()))
        check_counts(self, folds=2, repetitions=1)

    @property
    def name(self) -> str:
        """For example "sizes 0.5, 1 of 5 folds"."""
        times = f"{self.repetitions}x" if self.repetitions > 1 else ""
        return f"sizes {', '.join(f'{size:g}' for size in self.sizes)} of {times}{self.folds} folds"

    @property
    def n_folds(self) -> int:
        """Fits a candidate needs in one repetition: sizes × folds."""
        return len(self.sizes) * self.folds

    @property
    def least_members(self) -> int:
        """Samples that every class must have."""
        return self.folds

    def split_row(self, samples: Samples, seed: int, run: int, repetition: int) -> Ints:
        """Return stage and fold of every sample."""
        codes, groups, _ = samples
        seeds = [seed_of(seed, kind, repetition) for kind in ("sizes", "order")]
        fold = assign_folds(codes, self.folds, groups=groups, stratified=True, seed=seeds[0])
        place = place_in_folds(codes, fold, groups, np.random.default_rng(seeds[1]))
        taken = np.rint(np.outer(self.sizes, np.bincount(fold, minlength=self.folds)))
        stage: Ints = (place >= taken[:, fold]).sum(axis=0)
        return stage * self.folds + fold

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the beginnings of the other folds, and all rows of this one."""
        size, left_out = divmod(fold, self.folds)
        stage, own = np.divmod(split_row, self.folds)
        train = np.flatnonzero((own != left_out) & (stage <= size))
        return train, np.flatnonzero(own == left_out)

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return the fold of each sample, the same at every size, and the number of folds."""
        return split % self.folds, self.folds


def check_counts(plan: Plan, **least: int) -> None:
    """Refuse numbers of a plan that are not whole or too small.

    Examples
    --------
    >>> check_counts(RepeatedFolds(), folds=3)
    Traceback (most recent call last):
        ...
    polychotomy.core.exceptions.InvalidInput: folds is 2; expected an int of at least 3.
    """
    for name, lowest in least.items():
        count = check_count(name, getattr(plan, name), least=lowest)
        object.__setattr__(plan, name, count)  # a NumPy number cannot be written as JSON
    marks = plan.n_folds + plan.folds * isinstance(plan, NestedSizes)  # and rows that no size takes
    if marks > _MOST_FOLDS:
        raise unexpected(f"the number of folds of {plan.name!r}", marks, f"at most {_MOST_FOLDS}")
