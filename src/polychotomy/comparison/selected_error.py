"""The winner's error: corrected for its having been chosen, and how far it may be off.

*Correction.* Samples are drawn anew and the rule chooses again; what the draw flatters the chosen
one by is the optimism (Efron's bootstrap, with normal weights; Tsamardinos, Greasidou and
Borboudakis 2018 take the samples left out: the same on average, with more noise). A draw has the
samples' noise once more, on top of their own: √2 times the optimism makes up for that. But fits on
a part of the samples make the error too high, on tables whose truth is known by about what √2 would
add: it is left out where learners were refitted. Why not the mean loss on samples left out, whoever
was chosen: that is the error of choosing and fitting, and where the rule wavers between a good and
a bad learner, the bad one's errors are in it, though the good one was taken.

*Interval.* The model that will be used is one more fit. Where fits vary, as where a tree finds an
interaction in one training set and misses it in another, so does its error, and no number of
predictions by other fits tells it. What folds vary by beyond the chance of their samples is the
variance from fit to fit (as in a prediction interval of a random-effects meta-analysis); it is
added to that of the samples. Why not draw samples alone: that knows nothing of other fits, and
covered 62 % of the true errors in one setting where 95 % was said. ``benchmarks/headline.py`` has
both beside other ways, on fitted learners whose true error is known: docs/results/headline.md.

*Chosen again.* On another table of the same kind the means differ from the true ones as these do:
by twice the variance from these. So the rule is asked of draws that are √2 as far off, and of fits
that vary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


_CELLS = 2 * 10**7  # numbers in memory at a time

_DRAWS = 10**6  # bootstrap draws × samples

_MOST_UNITS = 5_000  # drawn one by one

_LUCK_LEVEL = 0.05


class SelectedError(Result):
    """What the chosen learner's error is expected to be, refitted, on samples with no say in it.

    Parameters
    ----------
    names : tuple of str
    best : int
        Row of the learner chosen on all samples.
    plain : float
        Its mean loss over all samples: too low on average, since it was chosen for being low.
    corrected : float
        Plus the mean, over bootstrap draws, of what the learner chosen on the samples drawn loses
        more on all samples than on those; √2 times that where nothing was refitted.
    low, high : float
        Interval of the error of one more fit of it: by the chance of the samples and by what fits
        vary. Of losses that are 0 or 1 Wilson's, of as many samples as are worth both.
    level : float
    shares : (m,) floats
        How often each learner would be chosen on other samples, with other fits.
    n_replicates : int
        Draws; each is used twice, the second time mirrored.
    luck : float
        Standard deviation of its error from fit to fit, beyond the chance of the samples in a fold.
    luck_pvalue : float
        Of folds that differ as much as these do by the chance of their samples alone.

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
    luck: float = 0.0
    luck_pvalue: float = 1.0

    @property
    def depends_on_luck(self) -> bool:
        """Whether the error is shown to depend on which samples happened to be trained on."""
        return self.luck_pvalue < _LUCK_LEVEL

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
            f"replicates); from fit to fit it varies by {self.luck:.2g}."
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
    refitted: bool = True,
    n_replicates: int | None = None,
    level: float = 0.95,
    random_state: int = 0,
) -> SelectedError:
    """Correct the error of a chosen learner for the choice, and say how far it may be off.

    Samples are drawn with replacement from the out-of-fold losses, and the rule chooses on those
    drawn. Nothing is fitted again: what other fits would do is told by how folds differ.

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
    refitted : bool
        Whether every fold was predicted by a fit of its own. Else the learners are taken as they
        are, and folds differ by the chance of their samples alone.
    n_replicates : int, optional
        By default so many that the ends of the interval move by some 0.1 points of error between
        seeds: 10,000 for 100 samples, never fewer than 1,000.
    level : float
    random_state : int

    Examples
    --------
    With one learner nothing was chosen, and nothing is corrected:

    >>> import numpy as np
    >>> from polychotomy.comparison.selected_error import selected_error
    >>> one = np.tile([0.0, 0.0, 0.0, 1.0], 50)[None, None]
    >>> found = selected_error(one, np.arange(200)[None] % 5)
    >>> found.plain, found.corrected, round(found.low, 3), round(found.high, 3)
    (0.25, 0.25, 0.195, 0.314)

    Fits that find the rule in four folds and miss it in the fifth:

    >>> unlucky = np.where(np.arange(200) % 5 == 0, np.arange(200) % 2, 0.0)[None, None]
    >>> found = selected_error(unlucky, np.arange(200)[None] % 5)
    >>> found.plain, found.depends_on_luck, found.high > 0.5
    (0.1, True, True)
    """
    table, parts = _checked(losses, folds)
    m, _, n = table.shape
    wrong = not isinstance(n_replicates, Integral) or n_replicates < 1
    if n_replicates is not None and wrong:
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
    units = _units(n, groups, random_state)
    judged = ~np.isnan(table[0]).all(axis=0)  # (n,)
    means = _over_repetitions(table)  # (m, n)
    cells = _cells(table, parts, units)
    overall = means[:, judged].mean(axis=1)  # (m,)
    counted = (judged.astype(float), *means * judged)
    totals: Floats = np.stack([np.bincount(units, one).astype(float) for one in counted])
    luck = _between_fits(cells) if refitted else Luck(np.zeros(m), 1, np.ones(m))
    best = int(choose(_fold_errors(cells)[np.newaxis])[0])
    draws = int(n_replicates or min(max(_DRAWS // totals.shape[1], 1000), 10_000))
    optimism, again = _choose_again(
        as_generator(random_state), draws, totals, cells, choose, luck.variance
    )
    corrected = float(overall[best] + (1.0 if refitted else np.sqrt(2.0)) * optimism)
    whole = _Cell(np.arange(len(totals[0])), totals[0], totals[[1 + best]])
    count = int(judged.sum())
    within = np.nanvar(table[best], axis=1, ddof=1).mean() / count if count > 1 else 0.0
    chance = within
    if groups is not None and means[best, judged].var() > 0:  # what copies take away
        chance *= max(1.0, _chance(whole)[0] * (count - 1) / means[best, judged].var())
    if np.isin(table[:, parts >= 0], (0.0, 1.0)).all():
        corrected = min(max(corrected, 0.0), 1.0)
        spread = corrected * (1.0 - corrected)
        inflation = chance / within if within > 0 else 1.0
        total = spread / count * inflation + luck.variance[best]
        worth = spread / total if total > 0 else count  # in samples
        low, high = _wilson(corrected, worth, luck.t(tail, total, best))
    else:
        total = chance + luck.variance[best]
        reach = luck.t(tail, total, best) * np.sqrt(total)
        low, high = corrected - reach, corrected + reach
        low = max(low, 0.0) if np.nanmin(table) >= 0 else low
    return SelectedError(
        names=found_names, best=best, plain=float(overall[best]), corrected=corrected,
        low=float(low), high=float(high), level=float(level),
        shares=np.bincount(again, minlength=m) / len(again), n_replicates=draws,
        luck=float(np.sqrt(luck.variance[best])), luck_pvalue=float(luck.pvalue[best]),
    )  # fmt: skip


class Luck(NamedTuple):
    """What errors vary by from fit to fit: variances (m,), degrees of freedom, p-values (m,)."""

    variance: Floats
    df: int
    pvalue: Floats

    def t(self, tail: float, total: float, best: int) -> float:
        """Quantile of Student's t for a variance of which this is a part (Satterthwaite)."""
        share = self.variance[best] / total if total > 0 else 0.0
        df = self.df / share**2 if share > 1e-6 else np.inf
        return -float(special.ndtri(tail) if df > 1e6 else special.stdtrit(df, tail))


def _chance(cell: _Cell) -> Floats:
    """Variance (m,) of the mean loss in a fold by the chance of its units."""
    total, size = cell.counts.sum(), len(cell.units)
    off = _off_mean(cell.sums, cell.counts)
    return np.asarray((off**2).sum(axis=1) / total**2 * size / max(size - 1, 1))


def _between_fits(cells: list[list[_Cell]]) -> Luck:
    """Take what folds of a repetition differ by, less the chance of their samples.

    Folds that are held out one by one are taken together.
    """
    rows = cells if len(cells[0]) > 1 else [[cell for row in cells for cell in row]]
    m, folds = len(cells[0][0].sums), len(rows[0])
    # Folds of a single sample, as when each is left out by itself, show nothing of their chance.
    if folds < 2 or min(len(cell.units) for row in rows for cell in row) < 2:
        return Luck(np.zeros(m), 1, np.ones(m))
    chance = np.array([[_chance(cell) for cell in row] for row in rows]).mean(axis=(0, 1))
    seen = _fold_errors(rows).var(axis=2, ddof=1).mean(axis=1)  # (m,)
    df = len(rows) * (folds - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Repetitions share their samples: what they show together counts as one of them does.
        pvalue = special.chdtrc(folds - 1, (folds - 1) * seen / chance)
    return Luck(np.maximum(seen - chance, 0.0), df, np.where(seen > chance, pvalue, 1.0))


def _choose_again(
    rng: np.random.Generator,
    replicates: int,
    totals: Floats,
    cells: list[list[_Cell]],
    choose: Choose,
    luck: Floats,
) -> tuple[float, Ints]:
    """Return the mean optimism, and who is chosen in each draw of another table.

    ``totals`` has for each unit the samples judged and, below, the sum of each learner's losses.
    Units are weighted by normal numbers of variance 1, as they would be drawn in the limit, so that
    no fold is ever empty; each draw is used twice, mirrored, and what is linear in it cancels out.
    """
    count, m = totals.shape[1], len(luck)
    seen = _fold_errors(cells)[np.newaxis]
    best = int(choose(seen)[0])
    off_mean, off_folds = _off_mean(totals[1:], totals[0]), np.zeros((count, *seen.shape[1:]))
    for repetition, fold in np.ndindex(*seen.shape[2:]):
        cell = cells[repetition][fold]
        own = _off_mean(cell.sums, cell.counts).T / cell.counts.sum()
        off_folds[cell.units, :, repetition, fold] = own
    noise = np.sqrt(2.0 * luck) * rng.standard_normal((replicates, m))
    batch = max(1, _CELLS // max(count, m * seen.size))
    optimism: list[Floats] = []
    chosen: list[Ints] = []
    for first in range(0, replicates, batch):
        size = min(batch, replicates - first)
        drawn = rng.standard_normal((size, count))
        off = drawn @ off_mean.T / totals[0].sum()  # (b, m)
        apart = (drawn @ off_folds.reshape(count, -1)).reshape(size, *seen.shape[1:])
        other = noise[first : first + size, :, np.newaxis, np.newaxis]
        for sign in (1.0, -1.0):
            picks = choose(seen + sign * apart)
            optimism.append(sign * (off[:, best] - off[np.arange(size), picks]))
            chosen.append(choose(seen + sign * (np.sqrt(2.0) * apart + other)))
    return float(np.concatenate(optimism).mean()), np.concatenate(chosen)


def _off_mean(sums: Floats, counts: Floats) -> Floats:
    """Return what each unit loses beyond the mean of all samples, (m, units)."""
    return np.asarray(sums - sums.sum(axis=1, keepdims=True) / counts.sum() * counts)


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


def _fold_errors(cells: list[list[_Cell]]) -> Floats:
    """Errors in every fold, (m, repetitions, folds)."""
    if any(not cell.counts.size for row in cells for cell in row):
        raise InvalidInput("a fold of a repetition has no sample; expected one in each.")
    rows = [[cell.sums.sum(axis=1) / cell.counts.sum() for cell in row] for row in cells]
    return np.moveaxis(np.array(rows), 2, 0)


def _wilson(share: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's interval of a share of n."""
    centre, reach = share + z * z / (2 * n), z * np.sqrt(share * (1 - share) / n + (z / n / 2) ** 2)
    scale = 1 + z * z / n
    return max((centre - reach) / scale, 0.0), min((centre + reach) / scale, 1.0)


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
