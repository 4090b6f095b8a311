"""CombinationAdvice: what combining the candidates would gain, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from polychotomy.combination.margin_weights import draw_weights
from polychotomy.combination.tuned_margin import SETTINGS, Setting, tuned_margin_weights
from polychotomy.combination.two_classes import combine, join_ties
from polychotomy.core.advice import Answer
from polychotomy.core.arguments import check_share, unexpected
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import rough
from polychotomy.core.predictions import OutOfFold, require_predictions
from polychotomy.core.ranking import placements
from polychotomy.core.result import Axes, DataFrame, Result

Conclusion = Literal[
    "helps", "helps little", "makes no difference", "does not help", "harms", "undecided"
]

NEGLIGIBLE = 0.005  # AUC, half a point: within ± this nothing that matters is gained or lost

_POWER = 0.8


class CombinationAdvice(Result):
    """AUC of the cross-fitted combination against one candidate alone, with its error.

    Parameters
    ----------
    names : tuple of str
        The candidates combined.
    left_out : tuple of str
        Candidates without a prediction for some sample, which cannot be combined.
    weights : (m,) floats
        Mean weights over the folds and pairs of classes.
    best : str
        The candidate chosen most often as the best single one; in every fold it is chosen on the
        other folds, as the weights are, so neither side sees the samples it is judged on.
    over : str
        The candidate that the combination is compared with: the one asked for, else ``best``.
    auc, auc_over, auc_best, auc_average : float
        Of the combination, of the candidate it is compared with, of the best single candidate, of
        the plain average. With more than two classes, means over the pairs of classes.
    aucs : (m,) floats
        Of each candidate alone.
    difference : float
        ``auc − auc_over``.
    standard_error : float
        Of the difference: DeLong's, enlarged for folds that share what they learn on; for new
        samples, not for new training sets.
    pvalue : float
        Two-sided, of no difference.
    level : float
        Of the interval.
    n_samples : int
        Samples judged.
    n_class_pairs : int
        Pairs of classes in the means; pairs with too few samples are left out.
    n_possible_pairs : int
        Pairs of classes with enough samples, from which those in the means were drawn; the error
        is enlarged for the drawing.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.advice import would_combining_help
    >>> from polychotomy.core.predictions import OutOfFold
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(400) % 2
    >>> p = 1 / (1 + np.exp(-rng.normal(size=(2, 400)) - 1.5 * (y - 0.5)))
    >>> p = np.stack([1 - p, p], axis=-1)[:, None, None]
    >>> advice = would_combining_help(OutOfFold(
    ...     names=("left", "right"), classes=("no", "yes"), y=y,
    ...     folds=(np.arange(400) // 80)[None, None], predicted=p.argmax(axis=-1),
    ...     probabilities=p, hard=np.zeros(2, dtype=bool),
    ... ))
    >>> advice.conclusion, advice.auc > advice.auc_best
    ('helps', True)
    """

    names: tuple[str, ...]
    left_out: tuple[str, ...]
    weights: Floats
    best: str
    over: str
    auc: float
    auc_over: float
    auc_best: float
    auc_average: float
    aucs: Floats
    difference: float
    standard_error: float
    pvalue: float
    level: float
    n_samples: int
    n_class_pairs: int
    n_possible_pairs: int

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the difference."""
        reach = float(ndtri((1 + self.level) / 2)) * self.standard_error
        return self.difference - reach, self.difference + reach

    @property
    def expected(self) -> float:
        """The gain expected: the difference."""
        return self.difference

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.interval[1]

    @property
    def gain(self) -> float:
        """Smallest gain that matters, half a point of AUC."""
        return NEGLIGIBLE

    @property
    def answer(self) -> Answer:
        """Whether combining would help, as ``conclusion`` has it: "helps" is yes, little is no."""
        if self.conclusion == "undecided":
            return "cannot tell"
        return "yes" if self.conclusion == "helps" else "no"

    @property
    def conclusion(self) -> Conclusion:
        """What the interval says, held against 0 and against half a point of AUC.

        =====================  ======================================================
        helps                  above 0, and it may be half a point or more
        helps little           above 0, and below half a point
        makes no difference    around 0, and less than half a point either way
        does not help          below half a point, and it may be a loss that matters
        harms                  below 0
        undecided              from 0 or less to half a point or more
        =====================  ======================================================
        """
        low, high = self.interval
        if low > 0:
            return "helps" if high >= NEGLIGIBLE else "helps little"
        if high < 0:
            return "harms"
        if high >= NEGLIGIBLE:
            return "undecided"
        return "makes no difference" if low > -NEGLIGIBLE else "does not help"

    @property
    def samples_to_decide(self) -> int:
        """About how many samples would decide with power 0.8, were the gain truly as estimated.

        Decide it to be more than 0 or, if that takes fewer, less than half a point.
        """
        z = float(ndtri((1 + self.level) / 2)) + float(ndtri(_POWER))
        needed = max(self.difference, NEGLIGIBLE - self.difference)  # from the farther bound
        return max(self.n_samples, ceil(self.n_samples * (z * self.standard_error / needed) ** 2))

    def to_frame(self) -> DataFrame:
        """Return a row for each candidate, then the plain average and the combination."""
        m = len(self.names)
        return self._frame(
            ranker=[*self.names, "plain average", "combination"],
            weight=[*self.weights, *[np.nan] * 2],
            auc=[*self.aucs, self.auc_average, self.auc],
            kind=["candidate"] * m + ["combination"] * 2,
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the weights, with each candidate's AUC."""
        labels = [f"{name} ({area:.3f})" for name, area in zip(self.names, self.aucs, strict=True)]
        ax = draw_weights(self.weights, names=labels, ax=ax)
        ax.set_xlabel(f"weight; in parentheses the AUC alone, together {self.auc:.3f}")
        return ax

    def __str__(self) -> str:
        low, high = self.interval
        itself = (self.over, self.auc_over) == (self.best, self.auc_best)
        chosen = " (the best single one, chosen in each fold on the others)" if itself else ""
        numbers = (
            f"AUC {self.auc:.4f} against {self.auc_over:.4f} of {self.over} alone{chosen}, "
            f"difference {self.difference:+.4f} ({100 * self.level:g} % interval {low:+.4f} to "
            f"{high:+.4f}; DeLong's test with enlarged error, p = {self.pvalue:.2g}, for new "
            f"samples and these fits; a gain matters from {NEGLIGIBLE:g} on)"
        )
        return f"{_OPENINGS[self.conclusion]}: {numbers}.{self._more()}{self._others()}"

    def _more(self) -> str:
        if self.conclusion != "undecided":
            return ""
        return (
            f" About {rough(self.samples_to_decide)} samples would decide with power {_POWER:g}, "
            "were the difference this."
        )

    def _others(self) -> str:
        best = gone = ""
        if self.best != self.over:
            best = (
                f" The best single candidate, chosen in each fold on the others, is mostly "
                f"{self.best} (AUC {self.auc_best:.4f})."
            )
        if self.left_out:
            gone = f" Left out for want of predictions: {', '.join(self.left_out)}."
        return best + gone + self._drawn()

    def _drawn(self) -> str:
        if self.n_class_pairs == self.n_possible_pairs:
            return ""
        return (
            f" Asked in {self.n_class_pairs} of {self.n_possible_pairs} pairs of classes, drawn at "
            "random."
        )


_OPENINGS: dict[Conclusion, str] = {
    "helps": "Combining would help",
    "helps little": "Combining would help, but by less than matters",
    "makes no difference": "Combining would make no difference that matters",
    "does not help": "Combining would bring no gain that matters",
    "harms": "Combining would bring no gain that matters, and may do harm",
    "undecided": "The data cannot tell whether combining would help",
}


ClassPair = tuple[int, int]

COMBINED, BEST, AVERAGE = 0, 1, 2  # rows of the placements; the candidates alone follow


@dataclass(frozen=True)
class FoldOfPair:
    """One fold and pair of classes: odds to learn on, and to judge on."""

    learn: Floats  # (n, m)
    learn_positive: Bools
    judge: Floats
    judge_positive: Bools
    judged: Ints  # sample numbers
    precision: float  # relative, of the odds


class PlacementSums:
    """Placements of samples by pair of classes, summed over repetitions; and mean weights."""

    def __init__(self, pairs: list[ClassPair], y: Ints, m: int) -> None:
        # Of the members of each pair only: all samples of a hundred pairs would fill the memory.
        self.members = {pair: np.flatnonzero(np.isin(y, pair)) for pair in pairs}
        self.sums = {pair: np.zeros((3 + m, len(own))) for pair, own in self.members.items()}
        self.counts = {pair: np.zeros(len(own)) for pair, own in self.members.items()}
        self.weights: list[Floats] = []
        self.chosen = np.zeros(m)

    def add(self, pair: ClassPair, fold: FoldOfPair, weights: Floats, best: int) -> None:
        """Place the samples of a fold by the combination, the best, the average, and each alone."""
        m = len(weights)
        scores = scores_of_odds(fold.judge)
        errors = fold.precision * (1.0 - scores * scores) / 2  # of the odds' logarithm, as scores
        mixed = [combine(scores, one, errors) for one in (weights, np.full(m, 1.0 / m))]
        rankers = np.column_stack([mixed[0], fold.judge[:, best], mixed[1], fold.judge])
        judged = np.searchsorted(self.members[pair], fold.judged)
        for row, ranker in enumerate(rankers.T):
            high, low = placements(ranker, fold.judge_positive)
            self.sums[pair][row, judged[fold.judge_positive]] += high
            self.sums[pair][row, judged[~fold.judge_positive]] += low
        self.counts[pair][judged] += 1
        self.weights.append(weights)
        self.chosen += np.arange(m) == best

    def means(self) -> dict[ClassPair, Floats]:
        """Mean placements, (3 + m, members), NaN where one was never placed; pairs placed only."""
        found = {}
        for pair, counts in self.counts.items():
            if counts.any():
                with np.errstate(invalid="ignore"):
                    found[pair] = self.sums[pair] / counts
        return found


# What bounds the time, whatever the table; measured with six candidates and five folds. Up to
# these, everything is asked. 100 pairs of 100 samples each take 2.6 s; 20,000 samples of three
# classes 0.9 s, or 0.5 s where weights are learned on 1,000 of either class, which tell a handful
# of weights as well: the interval is as wide.
MOST_PAIRS, MOST_SAMPLES, _MOST_LEARNED = 100, 20_000, 1_000

_LEAST_OF_CLASS = 100


def draw_pairs(y: Ints, k: int) -> tuple[list[ClassPair], int]:
    """Return the pairs of classes to ask about, at random where there are many; and how many are.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.advice import draw_pairs
    >>> draw_pairs(np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3]), 4)  # the last is too rare
    ([(0, 1), (0, 2), (1, 2)], 3)
    >>> pairs, possible = draw_pairs(np.arange(600) % 200, 200)
    >>> len(pairs), possible
    (100, 19900)
    """
    # Two samples to learn on and one to judge.
    pairs = list(combinations(np.flatnonzero(np.bincount(y, minlength=k) >= 3).tolist(), 2))
    if len(pairs) <= MOST_PAIRS:
        return pairs, len(pairs)
    drawn = np.random.default_rng(0).choice(len(pairs), MOST_PAIRS, replace=False)
    return [pairs[i] for i in np.sort(drawn)], len(pairs)


def draw_samples(y: Ints, k: int) -> Ints:
    """Return the samples to ask about, in order: all, or as many of each class as suffice.

    The area of a pair does not depend on how frequent its classes are.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.advice import draw_samples
    >>> len(draw_samples(np.arange(600) % 3, 3)), len(draw_samples(np.arange(60_000) % 3, 3))
    (600, 19998)
    """
    if len(y) <= MOST_SAMPLES:
        return np.arange(len(y))
    most = max(MOST_SAMPLES // k, _LEAST_OF_CLASS)
    order = np.random.default_rng(0).permutation(len(y))
    return np.sort(np.concatenate([order[y[order] == one][:most] for one in range(k)]))


def place_all(
    probabilities: NDArray[np.floating], y: Ints, folds: Ints, pairs: list[ClassPair]
) -> PlacementSums:
    """Cross-fit every fold of every repetition.

    Parameters
    ----------
    probabilities : (m, repetitions, n, k) floats
        Their type says how precise they are.
    y : (n,) ints
    folds : (repetitions, n) ints
        −1 where a sample was never left out.
    pairs : list of (lower, upper)
    """
    m, repetitions, _, k = probabilities.shape
    # With many classes there are many pairs: only the settings that need no iteration.
    settings = SETTINGS if k == 2 else tuple(one for one in SETTINGS if one[0] == 1)
    sums = PlacementSums(pairs, y, m)
    for repetition in range(repetitions):
        for fold in np.unique(folds[repetition][folds[repetition] >= 0]):
            parts = {
                pair: part
                for pair in pairs
                if (part := _part(probabilities[:, repetition], y, folds[repetition], fold, pair))
            }
            _place_fold(parts, settings, sums)
    return sums


def _place_fold(
    parts: dict[ClassPair, FoldOfPair], settings: tuple[Setting, ...], sums: PlacementSums
) -> None:
    if not parts:
        return
    alone = [_areas(part.learn, part.learn_positive) for part in parts.values()]
    best = int(np.mean(alone, axis=0).argmax())  # one candidate for all pairs of classes
    for pair, part in parts.items():
        learn = scores_of_odds(part.learn)
        weights = tuned_margin_weights(learn, part.learn_positive, settings=settings).weights
        sums.add(pair, part, weights, best)


def _areas(odds: Floats, positive: Bools) -> Floats:
    return np.array([placements(column, positive)[0].mean() for column in odds.T])


def _part(
    probabilities: NDArray[np.floating], y: Ints, folds: Ints, fold: int, pair: ClassPair
) -> FoldOfPair | None:
    """Odds between a pair of classes; None where the fold, or the others, lack one of them."""
    lower, upper = pair
    members = ((y == lower) | (y == upper)) & (folds >= 0)
    learn = _some_of_each(np.flatnonzero(members & (folds != fold)), y)
    judge = np.flatnonzero(members & (folds == fold))
    if np.bincount(y[learn] == upper, minlength=2).min() < 2:
        return None
    if np.bincount(y[judge] == upper, minlength=2).min() < 1:
        return None
    return FoldOfPair(
        pair_odds(probabilities[:, learn], pair), y[learn] == upper,
        pair_odds(probabilities[:, judge], pair), y[judge] == upper,
        judge, _odds_precision(probabilities),
    )  # fmt: skip


def _some_of_each(samples: Ints, y: Ints) -> Ints:
    """Return the samples, or where a class has many of them some of its own, drawn at random."""
    if len(samples) <= _MOST_LEARNED:
        return samples
    order = np.random.default_rng(0).permutation(samples)
    return np.sort(np.concatenate([order[y[order] == one][:_MOST_LEARNED] for one in np.unique(y)]))


def pair_odds(probabilities: NDArray[np.floating], pair: ClassPair) -> Floats:
    """Odds (n, m) of the upper of two classes, p_upper / p_lower; 1 where both are 0.

    Odds that differ by no more than the precision of the probabilities, which is that of their
    type, are the same to the last digit, across learners too.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.advice import pair_odds
    >>> pair_odds(np.array([[[0.1, 0.3, 0.6], [0.0, 0.0, 1.0]]]), (0, 1)).round(12)
    array([[3.],
           [1.]])
    >>> one, other = pair_odds(np.array([[[1 / 7, 3 / 7, 3 / 7], [0.2, 0.6, 0.2]]]), (0, 1))
    >>> bool(one == other)
    True
    """
    lower, upper = (np.asarray(probabilities[..., one], dtype=np.float64).T for one in pair)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        odds = np.where((lower == 0) & (upper == 0), 1.0, upper / lower)
    finite = np.where(np.isinf(odds), 0.0, odds)
    return join_ties(odds, _odds_precision(probabilities) * finite)


def scores_of_odds(odds: Floats) -> Floats:
    """Scores in [−1, 1], (p_upper − p_lower) / (p_upper + p_lower); of two classes, 2p − 1.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.advice import scores_of_odds
    >>> scores_of_odds(np.array([0.0, 1.0, 3.0, np.inf]))
    array([-1. ,  0. ,  0.5,  1. ])
    """
    return np.asarray(1.0 - 2.0 / (1.0 + odds))


def _odds_precision(probabilities: NDArray[np.floating]) -> float:
    """Bound of the odds' relative error: two roundings of what is kept, two of what it was."""
    kept = float(np.finfo(probabilities.dtype).eps)
    return 2 * max(kept, float(np.finfo(np.float64).eps))


_ALONE = 3  # row of the first candidate alone among the placements


def would_combining_help(
    predictions: OutOfFold, *, over: str | None = None, level: float = 0.95
) -> CombinationAdvice:
    """Compare the AUC of a cross-fitted combination with that of one candidate alone.

    In every fold the weights (:func:`tuned_margin_weights`) are learned on the out-of-fold
    predictions of the other folds, and so is the choice of the best single candidate, unless one
    is asked for: both sides are judged on samples that they did not see. The fits behind the other
    folds' predictions have seen this fold's samples, as in all stacking; that favours neither
    side. With more than two classes everything is done for each pair of classes and averaged; of
    more than 100 pairs a hundred are drawn, of more than 20,000 samples as many of each class.
    DeLong's error is enlarged, since the folds share most of what their weights are learned on.

    Parameters
    ----------
    predictions : OutOfFold
        Of two or more candidates, in two or more folds. Candidates that lack a prediction for
        some sample are left out, and named in the result.
    over : str, optional
        The candidate to compare with: what would be used otherwise. By default the best single one
        by its AUC, chosen in every fold on the others. One that was chosen for its low loss on
        these very samples looks a little better than it is, which makes the gain look smaller.
    level : float
        Of the confidence interval.

    Returns
    -------
    CombinationAdvice

    Examples
    --------
    Two candidates that err on different samples:

    >>> import numpy as np
    >>> from polychotomy.core.predictions import OutOfFold
    >>> from polychotomy import would_combining_help
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(400) % 2
    >>> logits = rng.normal(size=(2, 400)) + 1.5 * (y - 0.5)
    >>> p = 1 / (1 + np.exp(-logits))
    >>> p = np.stack([1 - p, p], axis=-1)[:, None, None]  # (m, runs, repetitions, n, k)
    >>> advice = would_combining_help(OutOfFold(
    ...     names=("left", "right"), classes=("no", "yes"), y=y,
    ...     folds=(np.arange(400) // 80)[None, None], predicted=p.argmax(axis=-1),
    ...     probabilities=p, hard=np.zeros(2, dtype=bool),
    ... ))
    >>> advice.conclusion
    'helps'
    """
    require_predictions(predictions)
    level = check_share("level", level, such_as=0.95)
    k = len(predictions.classes)
    asked = draw_samples(predictions.y, k)
    y = predictions.y[asked]
    folds = predictions.folds.reshape(-1, len(predictions.y))[:, asked]
    stacked = _stack_repetitions(predictions)
    stacked = stacked if len(asked) == stacked.shape[2] else stacked[:, :, asked]
    predicted = np.isfinite(stacked).all(axis=-1) | (folds < 0)  # (m, repetitions, n)
    complete = np.array([bool(one.all()) for one in predicted])
    _require_candidates(predictions.names, complete)
    pairs, possible = draw_pairs(y, k)
    sums = place_all(stacked[complete], y, folds, pairs)
    means = sums.means()
    if not means:
        raise InvalidInput(
            "no pair of classes has two samples of each class outside some fold and one inside; "
            "combining cannot be judged by cross-fitting. Give more samples or fewer folds."
        )
    each = np.array([_area(placed, y[sums.members[pair]], pair) for pair, placed in means.items()])
    areas = each.mean(axis=0)
    names = tuple(np.array(predictions.names, dtype=object)[complete])
    best = names[int(sums.chosen.argmax())]
    rival = BEST if over is None else _ALONE + _position(over, names)
    error = _standard_error(means, sums.members, y, rival) * np.sqrt(_overlap_factor(folds))
    if len(pairs) < possible:  # other pairs could have been drawn
        spread = (each[:, COMBINED] - each[:, rival]).var(ddof=1)
        error = np.sqrt(error**2 + spread / len(means) * (1 - len(pairs) / possible))
    difference = float(areas[COMBINED] - areas[rival])
    return CombinationAdvice(
        names=names,
        left_out=tuple(np.array(predictions.names, dtype=object)[~complete]),
        weights=np.mean(sums.weights, axis=0),
        best=best,
        over=best if over is None else over,
        auc=float(areas[COMBINED]),
        auc_over=float(areas[rival]),
        auc_best=float(areas[BEST]),
        auc_average=float(areas[AVERAGE]),
        aucs=areas[_ALONE:],
        difference=difference,
        standard_error=float(error),
        pvalue=_two_sided(difference, float(error)),
        level=level,
        n_samples=len(
            np.unique(
                np.concatenate(
                    [sums.members[pair][np.isfinite(placed[0])] for pair, placed in means.items()]
                )
            )
        ),
        n_class_pairs=len(means),
        n_possible_pairs=possible if len(pairs) < possible else len(means),
    )


def _position(name: str, names: tuple[str, ...]) -> int:
    if not isinstance(name, str) or name not in names:
        raise unexpected(
            "over", name, f"a candidate with a prediction for every sample: {', '.join(names)}"
        )
    return names.index(name)


def _stack_repetitions(predictions: OutOfFold) -> NDArray[np.floating]:
    """Probabilities with runs and repetitions as one axis, (m, repetitions, n, k)."""
    p = predictions.probabilities
    return p.reshape(p.shape[0], -1, *p.shape[3:])


def _require_candidates(names: tuple[str, ...], complete: Bools) -> None:
    if complete.sum() < 2:
        held = ", ".join(name for name, ok in zip(names, complete, strict=True) if ok) or "none"
        raise InvalidInput(
            f"candidates with a prediction for every sample: {held}; expected two or more to "
            f"combine, of {len(names)} given."
        )


def _area(placed: Floats, y: Ints, pair: ClassPair) -> Floats:
    """AUC of every ranker: the mean placement of either class (the same where folds are even)."""
    means = [np.nanmean(placed[:, y == one], axis=1) for one in pair]
    return np.asarray((means[0] + means[1]) / 2)


def _standard_error(
    means: dict[ClassPair, Floats], members: dict[ClassPair, Ints], y: Ints, rival: int
) -> float:
    """DeLong's error of the mean difference over pairs of classes.

    A sample takes part in every pair of its class: its placements are summed first, so that the
    pairs' covariance is counted.
    """
    variance = 0.0
    for one in np.unique(y):
        own = [
            (placed[COMBINED] - placed[rival])[y[members[pair]] == one]
            for pair, placed in means.items()
            if one in pair
        ]
        if not own:
            continue
        totals = np.sum(own, axis=0)
        totals = totals[np.isfinite(totals)]
        if len(totals) > 1:
            variance += float(totals.var(ddof=1)) / len(totals)
    return float(np.sqrt(variance)) / len(means)


def _overlap_factor(folds: Ints) -> float:
    """How much larger the variance is because folds share what their weights are learned on.

    The weights of two of K folds are learned on K − 1 folds each, K − 2 of them the same, so the
    folds' differences are correlated; DeLong's variance takes them for independent. Where nobody
    knows anything, the variance was found to be 1.1, 1.6 and 1.6 times DeLong's for 2, 4 and 5
    folds (three candidates, 120 samples); this gives 1, 1.67 and 1.75.
    """
    n_folds = max(len(np.unique(one[one >= 0])) for one in folds)
    return 1.0 + (n_folds - 2) / (n_folds - 1)


def _two_sided(difference: float, error: float) -> float:
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * ndtr(-abs(difference) / error))
