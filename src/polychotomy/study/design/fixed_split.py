"""Splits that are given: one training and one test part, which may be drawn, or all folds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Bools, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.seeds import seed_of
from polychotomy.study.design.plan import Plan, RepeatedFolds, count_classes, refuse_time
from polychotomy.study.design.time_folds import cut_blocks


@dataclass(frozen=True, kw_only=True)
class FixedSplit(Plan):
    """One division into a training and a test part.

    A share is drawn class by class; with groups, whole groups; with time, the latest samples. Rows
    that are given are only checked: no group on both sides, nothing in training later than a test
    sample.

    A split row is 0 for samples to predict and −1 for those to train on.

    Parameters
    ----------
    test : float or sequence of ints or bools
        The share of samples to predict, above 0 and below 1, or which rows these are.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.study import FixedSplit
    >>> codes = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> FixedSplit(test=[1, 5]).split(codes, seed=0)[0, 0].tolist()
    [-1, 0, -1, -1, -1, 0, -1, -1]
    >>> codes[FixedSplit(test=0.25).split(codes, seed=0)[0, 0] == 0].tolist()
    [0, 1]
    """

    test: float | Sequence[int] | Sequence[bool] | NDArray[Any] = 0.3

    def __post_init__(self) -> None:
        if np.ndim(self.test) == 0:
            share = self.test
            if not isinstance(share, float | np.floating) or not 0 < share < 1:
                raise InvalidInput(
                    f"test={share!r}; expected a share above 0 and below 1, or the rows to predict."
                )
            object.__setattr__(self, "test", float(share))
        else:
            object.__setattr__(self, "test", _rows_of(np.asarray(self.test)))

    kind = "fixed split"
    runs = repetitions = folds = 1
    least_members = 2

    @property
    def name(self) -> str:
        """For example "fixed split 0.3"; rows that were given are named by their hash."""
        if isinstance(self.test, float):
            return f"fixed split {self.test:g}"
        rows = np.asarray(self.test, dtype="<i8").tobytes()
        return f"fixed split {hashlib.sha256(rows).hexdigest()[:8]}"

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return 0 for samples to predict and −1 for the others, (1, 1, n)."""
        rng = np.random.default_rng(seed_of(seed, "fixed"))
        if not isinstance(self.test, float):
            test = _given(np.asarray(self.test), len(codes))
        elif time is not None:
            test = _latest(time, self.test)
        elif groups is not None:
            test = _draw_groups(codes, groups, self.test, rng)
        else:
            test = _draw(codes, self.test, rng)
        _check_sides(codes, test, groups, time)
        return np.where(test, 0, -1).astype(np.int16)[np.newaxis, np.newaxis]

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values; rows that were given are in the ledger's splits."""
        test = self.test if isinstance(self.test, float) else list(self.test)
        return {"kind": self.kind, "test": test}


@dataclass(frozen=True, kw_only=True)
class GivenFolds(Plan):
    """Folds that somebody else has dealt: those of a splitter of scikit-learn's, for example.

    Parameters
    ----------
    digest : str
        What tells them from others; the folds themselves are in the ledger's splits.
    assigned : (repetitions, n) ints or None
        The fold of every sample, which a plan that was read from a file does not have.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import KFold
    >>> plan = plan_of_splits(KFold(2), np.zeros((4, 1)), list("abab"))
    >>> plan.name, plan.split(np.array([0, 1, 0, 1]), seed=0).tolist()
    ('1x2 given folds 2392619f', [[[0, 0, 1, 1]]])
    """

    repetitions: int = 1
    folds: int = 2
    digest: str = ""
    assigned: NDArray[np.int16] | None = field(default=None, compare=False, repr=False)

    kind = "given folds"
    runs = 1
    least_members = 2

    @property
    def name(self) -> str:
        """For example "1x5 given folds 0a1b2c3d"."""
        return f"{self.repetitions}x{self.folds} given folds {self.digest}"

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return the fold of every sample, (1, repetitions, n)."""
        refuse_time(time, self.name)
        if self.assigned is None or self.assigned.shape[1] != len(codes):
            raise InvalidInput(f"the plan {self.name!r} is of other rows; expected its own.")
        return self.assigned[np.newaxis]

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values; the folds are in the ledger's splits."""
        return {key: value for key, value in Plan.to_dict(self).items() if key != "assigned"}


def plan_of_splits(cv: Any, X: Any, y: Any, groups: Any = None) -> Plan:
    """Return the plan of a number of folds, a splitter of scikit-learn's or its splits.

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> plan_of_splits(10, [[1.0]] * 20, list("ab") * 10).name
    '1x10 folds'
    """
    if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
        return RepeatedFolds(repetitions=1, folds=int(cv))
    n, splits = np.shape(y)[0], []
    try:
        found = cv.split(X, y, groups) if hasattr(cv, "split") else cv
        splits = [tuple(np.unique(np.arange(n)[rows]) for rows in one) for one in found]
        sides = [len(train) + len(test) == n for train, test in splits]
    except (TypeError, ValueError, IndexError) as error:
        raise InvalidInput(
            f"cv={cv!r}; expected a number of folds, a splitter or (train, test) pairs of rows: "
            f"{error}."
        ) from None
    times = np.cumsum([np.bincount(test, minlength=n) for _, test in splits], axis=0)
    whole = [i + 1 for i, row in enumerate(times) if row.min() == row.max()]
    if len(splits) == 1 and sides[0]:
        return FixedSplit(test=splits[0][1])
    each = whole[0] if whole else 0
    if not each or len(splits) % each or whole != [*range(each, len(splits) + 1, each)]:
        sides = []
    if not sides or not all(sides):
        raise InvalidInput(
            f"cv={cv!r} does not predict every row once from all others; expected folds that part "
            "the rows, such as StratifiedKFold, GroupKFold or RepeatedStratifiedKFold give them. "
            "For rows in order of time there is time=…."
        )
    assigned = np.empty((len(splits) // each, n), dtype=np.int16)
    for i, (_, test) in enumerate(splits):
        assigned[i // each, test] = i % each
    digest = hashlib.sha256(assigned.astype("<i2").tobytes()).hexdigest()[:8]
    return GivenFolds(repetitions=len(assigned), folds=each, digest=digest, assigned=assigned)


def _rows_of(test: NDArray[Any]) -> tuple[int, ...]:
    """Row numbers, ascending, from row numbers or a mask."""
    if test.ndim != 1 or test.dtype.kind not in "iub":
        raise InvalidInput(
            f"test has shape {test.shape} and type {test.dtype}; expected a share, row numbers or "
            "a True for each row to predict."
        )
    rows = np.flatnonzero(test) if test.dtype.kind == "b" else np.sort(test)
    if not len(rows) or rows[0] < 0 or (np.diff(rows) == 0).any():
        raise InvalidInput(
            f"test names {len(rows)} rows, from {rows[:1].tolist()}; expected at least one, each "
            "once, counted from 0."
        )
    return tuple(rows.tolist())


def _given(rows: Ints, n: int) -> Bools:
    if rows[-1] >= n:
        raise InvalidInput(f"test has row {rows[-1]}; there are {n}, counted from 0.")
    test = np.zeros(n, dtype=bool)
    test[rows] = True
    return test


def _draw(codes: Ints, share: float, rng: np.random.Generator) -> Bools:
    """Take a share of every class, at least one and not all of it."""
    test = np.zeros(len(codes), dtype=bool)
    for code in np.unique(codes):
        members = rng.permutation(np.flatnonzero(codes == code))
        taken = min(max(round(share * len(members)), 1), len(members) - 1)
        test[members[:taken]] = True
    return test


def _draw_groups(codes: Ints, groups: Ints, share: float, rng: np.random.Generator) -> Bools:
    """Take groups in random order, each that brings the classes nearer to the share."""
    counts = count_classes(codes, groups)
    totals = counts.sum(axis=0)
    wanted, taken = share * totals, np.zeros(len(totals))
    test = np.zeros(len(counts), dtype=bool)
    for group in rng.permutation(len(counts)):
        nearer = ((taken + counts[group] - wanted) ** 2 / totals).sum()
        if nearer < ((taken - wanted) ** 2 / totals).sum():
            test[group], taken = True, taken + counts[group]
    if not test.any() or test.all():
        raise InvalidInput(
            f"{len(counts)} groups cannot be divided so that about {share:g} of the samples are "
            "predicted; expected more groups. Name the rows instead: FixedSplit(test=[…])."
        )
    return np.asarray(test[groups])


def _latest(time: Ints, share: float) -> Bools:
    """Take the latest samples; those of equal time stay together."""
    reached = np.cumsum(np.bincount(time))
    if len(reached) < 2:
        return np.asarray(cut_blocks(time, 2) == 1)  # says that there are too few times
    first = int(np.argmin(np.abs(reached[:-1] - (1 - share) * len(time)))) + 1
    return np.asarray(time >= first)


def _check_sides(codes: Ints, test: Bools, groups: Ints | None, time: Ints | None) -> None:
    if test.all() or len(np.unique(codes[~test])) < 2:
        raise InvalidInput(
            f"the {int((~test).sum())} samples to train on are of "
            f"{len(np.unique(codes[~test]))} class; expected at least two classes."
        )
    if groups is not None:
        both = np.intersect1d(groups[test], groups[~test])
        if len(both):
            row = int(np.flatnonzero(test & (groups == both[0]))[0])
            raise InvalidInput(
                f"{len(both)} groups are on both sides of the split, that of row {row} for one; "
                "expected each on one side."
            )
    if time is not None and time[~test].max() >= time[test].min():
        row = int(np.flatnonzero(~test & (time >= time[test].min()))[0])
        raise InvalidInput(
            f"row {row} is trained on but is no earlier than the first row to predict; expected "
            "all rows to train on before those to predict."
        )
