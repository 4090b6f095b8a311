"""The winner's error, corrected for its having been chosen (after Tsamardinos et al., 2018).

In a bootstrap replicate the rule chooses on the samples drawn; on those left out, the chosen one's
loss lies above its mean over all samples by as much as the draw has flattered it. Tsamardinos,
Greasidou and Borboudakis take the mean loss on samples left out itself. That is the error of
choosing and fitting: where the rule wavers between a good and a bad learner, the bad one's errors
are in it, though the good one was taken. Here the optimism alone is added to the winner's mean. A
draw has the samples' noise once more, on top of their own, so that chance decides there with twice
the variance, and the optimism is 1/√2 of that with the samples themselves: √2 makes up for that.
With equal learners both corrections are the same on average. Simulations where the truth is known
stand behind the factor: ``benchmarks/selected_error.py``, docs/results/selected_error.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.inputs import learner_names
from polychotomy.core.arguments import as_array, as_floats, check_share, shown, unexpected
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Axes, DataFrame, Result, draw_bars
from polychotomy.core.seeds import as_generator

Choose = Callable[[Floats], Ints]
"""Errors (b, m, repetitions, folds) → the row chosen in each of b tables, (b,)."""


_CELLS = 2 * 10**7  # bootstrap weights in memory at a time

_MOST_UNITS = 5_000  # drawn one by one


class SelectedError(Result):
    """What the chosen learner's error is expected to be on samples that had no say in the choice.

    Parameters
    ----------
    names : tuple of str
    best : int
        Row of the learner chosen on all samples.
    plain : float
        Its mean loss over all samples: too low on average, since it was chosen for being low.
    corrected : float
        Plus √2 times the mean, over bootstrap replicates, of what the learner chosen on the samples
        drawn loses more on those left out than on all.
    low, high : float
        From the quantiles of those differences about their mean; some 30 % wider than the error's
        own spread would ask for, since each is over 37 % of the samples, which makes up for what
        samples share. Of losses that are 0 or 1 the interval holds Wilson's for as many samples,
        so that no errors seen do not mean that none are possible.
    level : float
    shares : (m,) floats
        How often each learner was chosen.
    n_replicates : int

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison.selected_error import selected_error
    >>> rng = np.random.default_rng(0)
    >>> losses = (rng.random((20, 1, 100)) < 0.3).astype(float)  # twenty learners, all alike
    >>> found = selected_error(losses, np.arange(100)[None] % 5)
    >>> found.plain < 0.25, 0.27 < found.corrected < 0.33
    (True, True)
    """

    names: tuple[str, ...]
    best: int
    plain: float
    corrected: float
    low: float
    high: float
    level: float
    shares: Floats
    n_replicates: int

    @property
    def expected(self) -> float:
        """What to expect: the corrected loss, but no less than what was seen.

        A rule that prefers simple learners may choose one that was not the lowest; the learners
        chosen in replicates may then do better than it.
        """
        return max(self.corrected, self.plain)

    def to_frame(self) -> DataFrame:
        """One row."""
        columns = ("plain", "corrected", "low", "high", "level", "n_replicates")
        frame = self._frame(*columns)
        frame.insert(0, "learner", self.names[self.best])
        return frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how often each learner is chosen when the samples are drawn again."""
        label = "chosen in this share of bootstrap samples"
        return draw_bars(ax, self.names, self.shares, label, marked=self.best)

    def __str__(self) -> str:
        return (
            f"The loss of {self.names[self.best]}, chosen among {len(self.names)}, is "
            f"{self.plain:.4g} as seen and {self.corrected:.4g} ({self.low:.4g} to "
            f"{self.high:.4g}) corrected for the choice ({self.n_replicates} bootstrap "
            "replicates)."
        )


def lowest_mean(errors: Floats) -> Ints:
    """Choose the lowest mean, the first of equals.

    Examples
    --------
    >>> import numpy as np
    >>> lowest_mean(np.array([[[[0.2, 0.3]], [[0.1, 0.1]]]]))
    array([1])
    """
    return np.asarray(errors.mean(axis=(2, 3)).argmin(axis=1))


def selected_error(
    losses: ArrayLike,
    folds: ArrayLike,
    *,
    choose: Choose = lowest_mean,
    names: Sequence[str] | None = None,
    groups: ArrayLike | None = None,
    n_replicates: int = 500,
    level: float = 0.95,
    random_state: int = 0,
) -> SelectedError:
    """Correct the error of a chosen learner for the choice: bootstrap bias corrected CV.

    Samples are drawn with replacement from the out-of-fold losses; the rule chooses on the samples
    drawn, and the chosen one is judged on those not drawn (Tsamardinos, Greasidou and Borboudakis,
    2018). What it loses there beyond its mean over all samples corrects the winner's mean. Nothing
    is fitted again.

    Parameters
    ----------
    losses : (m, repetitions, n) array-like
        Out-of-fold losses; NaN for samples that were never left out, the same in all learners.
    folds : (repetitions, n) array-like of ints
        The fold in which each was left out; −1 for never.
    choose : callable
        The rule: errors (b, m, repetitions, folds) → rows (b,). By default the lowest mean.
    names : sequence of str, optional
    groups : (n,) array-like, optional
        Samples of one group are drawn together. More than 5,000 samples or groups are drawn in
        5,000 blocks of equal size, dealt at random.
    n_replicates : int
    level : float
    random_state : int

    Examples
    --------
    With one learner nothing was chosen, and nothing is corrected but by chance:

    >>> import numpy as np
    >>> from polychotomy.comparison.selected_error import selected_error
    >>> one = np.tile([0.0, 0.0, 0.0, 1.0], 50)[None, None]
    >>> found = selected_error(one, np.arange(200)[None] % 5)
    >>> found.plain, round(found.corrected, 2)
    (0.25, 0.25)
    """
    table, parts = _checked(losses, folds)
    m, _, n = table.shape
    if not isinstance(n_replicates, Integral) or n_replicates < 1:
        raise unexpected("n_replicates", n_replicates, "an int of at least 1")
    if not callable(choose):
        raise InvalidInput(
            f"choose is {shown(choose)}; expected a function that returns the row chosen "
            "in each draw, from errors (draws, m, repetitions, folds)."
        )
    if groups is not None and (shape := as_array("groups", groups).shape) != (n,):
        raise InvalidInput(f"groups has shape {shape}; expected ({n},), a group for each sample.")
    found_names = learner_names(names, m)
    tail = (1.0 - check_share("level", level, such_as=0.95)) / 2
    rng = as_generator(random_state)
    units = _units(n, groups, random_state)
    judged = ~np.isnan(table[0]).all(axis=0)  # (n,)
    means = _over_repetitions(table)  # (m, n)
    cells = _cells(table, parts, units)
    best = int(choose(_fold_errors(np.ones((1, int(units.max()) + 1)), cells))[0])
    totals = np.stack([np.bincount(units, one * judged) for one in (np.ones(n), *means)])
    weights = _weights(rng, n_replicates, totals.shape[1])
    outside, picked = _choose_again(weights, totals, cells, choose)
    overall = means[:, judged].mean(axis=1)  # (m,)
    optimism = outside - overall[picked]
    corrected = float(overall[best] + np.sqrt(2.0) * optimism.mean())
    low, high = corrected - optimism.mean() + np.quantile(optimism, [tail, 1.0 - tail])
    if np.isin(table[:, parts >= 0], (0.0, 1.0)).all():
        corrected = min(max(corrected, 0.0), 1.0)
        least, most = _wilson(corrected, int(judged.sum()), tail)
        low, high = max(min(low, least), 0.0), min(max(high, most), 1.0)
    return SelectedError(
        names=found_names,
        best=best,
        plain=float(overall[best]),
        corrected=corrected,
        low=float(low),
        high=float(high),
        level=float(level),
        shares=np.bincount(picked, minlength=m) / len(picked),
        n_replicates=len(outside),
    )


def _choose_again(
    weights: Iterator[Floats], totals: Floats, cells: list[list[_Cell]], choose: Choose
) -> tuple[Floats, Ints]:
    """In each replicate: what is chosen on the samples drawn, and its loss on the others, (b,).

    ``totals`` has for each unit the samples judged and, below, the sum of each learner's losses.
    """
    outside: list[Floats] = []
    chosen: list[Ints] = []
    for drawn in weights:
        left = (drawn == 0).astype(float) @ totals.T  # (b, 1 + m)
        errors = _fold_errors(drawn, cells)
        usable = np.isfinite(errors).all(axis=(1, 2, 3)) & (left[:, 0] > 0)
        picks = choose(errors[usable])
        own = np.take_along_axis(left[usable], 1 + picks[:, None], axis=1)[:, 0]
        outside.append(own / left[usable, 0])
        chosen.append(picks)
    if not any(map(len, outside)):
        raise InvalidInput(
            "in no bootstrap replicate had every fold a sample; expected more samples in a fold."
        )
    return np.concatenate(outside), np.concatenate(chosen)


def _units(n: int, groups: ArrayLike | None, seed: int) -> Ints:
    """Return what each sample is drawn with: itself, its group, or a block where there are many.

    The variance of a mean is that of the means of random blocks, whatever their number: 5,000 tell
    it to 2 %, and a million samples are drawn as fast as they.
    """
    own = np.arange(n) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    count = int(own.max()) + 1
    if count <= _MOST_UNITS:
        return np.asarray(own)
    blocks = np.random.default_rng(seed).permutation(count) % _MOST_UNITS
    return np.asarray(blocks[own])


def _weights(rng: np.random.Generator, replicates: int, count: int) -> Iterator[Floats]:
    """How often each unit is drawn, (size, count), in batches that fit in memory."""
    batch, share = max(1, _CELLS // count), np.full(count, 1.0 / count)
    for first in range(0, replicates, batch):
        yield rng.multinomial(count, share, size=min(batch, replicates - first)).astype(float)


def _over_repetitions(table: Floats) -> Floats:
    """Mean loss of each sample over the repetitions that have it, (m, n); 0 where none has."""
    there = ~np.isnan(table)
    return np.asarray(np.where(there, table, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1))


class _Cell(NamedTuple):
    """One fold of one repetition: its units, and the samples and losses of each there."""

    units: Ints
    counts: Floats  # (units,)
    sums: Floats  # (m, units)


def _cells(table: Floats, folds: Ints, units: Ints) -> list[list[_Cell]]:
    """Sum losses by unit in every fold of every repetition."""
    cells: list[list[_Cell]] = []
    for losses, split in zip(table.swapaxes(0, 1), folds, strict=True):
        cells.append([])
        for fold in range(int(folds.max()) + 1):
            rows = np.flatnonzero(split == fold)
            own, place = np.unique(units[rows], return_inverse=True)
            size = len(own)
            sums = [np.bincount(place, weights=one[rows], minlength=size) for one in losses]
            counts = np.bincount(place, minlength=size).astype(np.float64)
            cells[-1].append(_Cell(own, counts, np.stack(sums)))
    return cells


def _fold_errors(weights: Floats, cells: list[list[_Cell]]) -> Floats:
    """Weighted errors in every fold, (b, m, repetitions, folds); NaN where no sample was drawn."""
    m = len(cells[0][0].sums)
    errors = np.empty((len(weights), m, len(cells), len(cells[0])))
    for repetition, fold in np.ndindex(len(cells), len(cells[0])):
        cell = cells[repetition][fold]
        drawn = weights if len(cell.units) == weights.shape[1] else weights[:, cell.units]
        with np.errstate(invalid="ignore"):
            errors[:, :, repetition, fold] = drawn @ cell.sums.T / (drawn @ cell.counts)[:, None]
    return errors


def _wilson(share: float, n: int, tail: float) -> tuple[float, float]:
    """Wilson's interval of a share of n."""
    z = -float(special.ndtri(tail))
    centre, reach = share + z * z / (2 * n), z * np.sqrt(share * (1 - share) / n + (z / n / 2) ** 2)
    scale = 1 + z * z / n
    return max((centre - reach) / scale, 0.0), (centre + reach) / scale


def _checked(losses: ArrayLike, folds: ArrayLike) -> tuple[Floats, Ints]:
    table, parts = as_floats("losses", losses), as_floats("folds", folds)
    if table.ndim != 3 or not table.size or parts.shape != table.shape[1:]:
        raise InvalidInput(
            f"losses has shape {table.shape} and folds {parts.shape}; expected (learners, "
            "repetitions, samples) and (repetitions, samples)."
        )
    wrong = np.argwhere(np.isnan(table) != (parts < 0))
    if len(wrong):
        learner, repetition, sample = wrong[0]
        raise InvalidInput(
            f"learner {learner} in repetition {repetition} has the loss "
            f"{table[learner, repetition, sample]} for sample {sample}, whose fold is "
            f"{parts[repetition, sample]}; expected NaN exactly where the fold is −1."
        )
    return table, parts.astype(np.intp)
