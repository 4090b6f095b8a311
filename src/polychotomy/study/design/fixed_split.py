"""Splits that are given: one training and one test part, which may be drawn, or all folds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arguments import check_count, unexpected
from polychotomy.core.arrays import Bools, Ints, count_classes
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.seeds import seed_of
from polychotomy.study.design.folds import cut_blocks
from polychotomy.study.design.plan import Plan, RepeatedFolds, Samples


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

    kind, heeds_time = "fixed split", True

    def __post_init__(self) -> None:
        given = np.asarray(self.test)
        if given.ndim == 0 and given.dtype.kind == "f" and 0 < given < 1:
            object.__setattr__(self, "test", float(given))
            return
        if given.ndim == 1 and given.dtype.kind in "iub" and given.size:
            rows = np.flatnonzero(given) if given.dtype.kind == "b" else np.sort(given)
            if len(rows) and rows[0] >= 0 and (np.diff(rows) > 0).all():
                object.__setattr__(self, "test", tuple(rows.tolist()))
                return
        expected = "a share above 0 and below 1, or rows: numbers from 0, each once, or bools"
        raise unexpected("test", self.test, expected)

    @property
    def name(self) -> str:
        """For example "fixed split 0.3"; rows that were given are named by their hash."""
        if isinstance(self.test, float):
            return f"fixed split {self.test:g}"
        rows = np.asarray(self.test, dtype="<i8").tobytes()
        return f"fixed split {hashlib.sha256(rows).hexdigest()[:8]}"

    def split_row(self, samples: Samples, seed: int, run: int, repetition: int) -> Ints:
        """Return 0 for samples to predict and −1 for the others."""
        rng = np.random.default_rng(seed_of(seed, "fixed"))
        if not isinstance(self.test, float):
            test = np.isin(np.arange(n := len(samples.codes)), self.test)
            if test.sum() < len(self.test):
                raise InvalidInput(f"test has row {self.test[-1]}; there are {n}, counted from 0.")
        elif samples.time is not None:
            test = _latest(samples.time, self.test)
        elif samples.groups is not None:
            test = _draw_groups(samples.codes, samples.groups, self.test, rng)
        else:
            test = _draw(samples.codes, self.test, rng)
        _check_sides(samples, test)
        return np.where(test, 0, -1)


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

    @property
    def name(self) -> str:
        """For example "1x5 given folds 0a1b2c3d"."""
        return f"{self.repetitions}x{self.folds} given folds {self.digest}"

    def split_row(self, samples: Samples, seed: int, run: int, repetition: int) -> Ints:
        """Return the fold of every sample."""
        if self.assigned is None or self.assigned.shape[1] != len(samples.codes):
            raise InvalidInput(f"the plan {self.name!r} is of other rows; expected its own.")
        fold = self.assigned[repetition].astype(np.intp)
        if samples.groups is not None:
            first = np.unique(samples.groups, return_index=True)[1]
            apart = np.flatnonzero(fold != fold[first][samples.groups])
            if len(apart):
                row = int(first[samples.groups[apart[0]]])
                raise InvalidInput(
                    f"rows {row} and {apart[0]} are of one group and in different folds; expected "
                    "folds that keep groups whole, such as GroupKFold's. Or leave out cv."
                )
        return fold

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values; the folds are in the ledger's splits."""
        return {key: value for key, value in super().to_dict().items() if key != "assigned"}


def plan_of_splits(cv: Any, X: Any, y: Any, groups: Any = None) -> Plan:
    """Return the plan of a number of folds, a splitter of scikit-learn's or its splits.

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> plan_of_splits(10, [[1.0]] * 20, list("ab") * 10).name
    '1x10 folds'
    """
    if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
        return RepeatedFolds(repetitions=1, folds=check_count("cv", cv, least=2))
    try:
        if isinstance(cv, str):
            raise TypeError("it is a text")
        splits = [*(cv.split(X, y, groups) if hasattr(cv, "split") else cv)]
        train, test = np.zeros((2, len(splits), np.shape(y)[0]), dtype=bool)
        for i, (rows, left_out) in enumerate(splits):
            train[i, rows], test[i, left_out] = True, True
    except (TypeError, ValueError, IndexError) as error:
        raise InvalidInput(
            f"cv={cv!r}; expected a number of folds, a splitter or (train, test) pairs of rows: "
            f"{error}."
        ) from None
    apart = bool((train != test).all())
    if apart and len(splits) == 1:
        return FixedSplit(test=np.flatnonzero(test))
    repetitions = max(int(test[:, 0].sum()), 1)
    if apart and splits and len(splits) % repetitions == 0:
        dealt = test.reshape(repetitions, -1, test.shape[1])
        if (dealt.sum(axis=1) == 1).all():
            assigned = dealt.argmax(axis=1).astype(np.int16)
            digest = hashlib.sha256(assigned.astype("<i2").tobytes()).hexdigest()[:8]
            shape = {"repetitions": repetitions, "folds": dealt.shape[1]}
            return GivenFolds(**shape, digest=digest, assigned=assigned)
    raise InvalidInput(
        f"cv={cv!r} does not predict every row once from all others; expected folds that part "
        "the rows, such as StratifiedKFold, GroupKFold or RepeatedStratifiedKFold give them. "
        "For rows in order of time there is time=…."
    )


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


def _check_sides(samples: Samples, test: Bools) -> None:
    """Refuse what could not be learned from, and what would leak."""
    codes, groups, time = samples
    n_classes = len(np.unique(codes[~test]))
    if test.all() or n_classes < 2:
        raise InvalidInput(
            f"the {int((~test).sum())} samples to train on are of {n_classes} class; expected at "
            "least two classes."
        )
    leaks = {}
    if groups is not None:
        leaks["of a group that is predicted, too"] = np.isin(groups, groups[test])
    if time is not None:
        leaks["no earlier than the first row to predict"] = time >= time[test].min()
    for what, found in leaks.items():
        rows = np.flatnonzero(~test & found)
        if len(rows):
            raise InvalidInput(
                f"row {rows[0]} is trained on but is {what}; expected none such, and there are "
                f"{len(rows)}."
            )
