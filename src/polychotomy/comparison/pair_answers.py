"""Every pair of learners: better, equivalent, undecided or worse, by an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.inputs import checked_errors, learner_names, require_level
from polychotomy.comparison.multitest import checked_margin
from polychotomy.comparison.paired_t import corrected_t_test
from polychotomy.comparison.pairwise import fold_ratio
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Result, new_axes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


PairAnswer = Literal["better", "equivalent", "undecided", "worse", ""]

_RULE_OF_THREE = 3.0  # of n rows without an event, up to 3/n of all may have one (95 %)

_NO_WIDTH = 0.01  # of the margin: intervals as narrow are of losses that are all the same

_COLOURS = {"better": "#0072B2", "equivalent": "#009E73", "undecided": "0.6", "worse": "#D55E00"}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PairAnswers(Result):
    """Differences of all pairs of learners, with intervals and an answer each.

    Parameters
    ----------
    names : tuple of str
        In order of preference.
    estimate, low, high : (m, m) floats
        ``[i, j]``: mean error of i minus that of j, and the ends of its interval; 0 on the
        diagonal.
    answers : tuple of tuples of {"better", "equivalent", "undecided", "worse", ""}
        ``[i][j]``: what i is, compared with j.
    pvalues : (m, m) floats
        Two-sided, of no difference; 1 on the diagonal.
    margin : float
        Differences of less than this are of no practical meaning.
    level : float
        Of each interval.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import compare_pairs
    >>> noise = 0.001 * np.random.default_rng(0).standard_normal((2, 5, 5))
    >>> print(compare_pairs([[[0.30]], [[0.10]]] + noise, names=["a", "b"], margin=0.01))
    Of 1 pair 1 is told apart, 0 are equivalent (within 0.01), 0 are undecided.
    """

    names: tuple[str, ...]
    estimate: Floats
    low: Floats
    high: Floats
    answers: tuple[tuple[PairAnswer, ...], ...]
    pvalues: Floats
    margin: float
    level: float

    def to_frame(self) -> pd.DataFrame:
        """One row a pair, the preferred one first."""
        import pandas as pd

        i, j = np.triu_indices(len(self.names), 1)
        return pd.DataFrame(
            {
                "first": [self.names[a] for a in i],
                "second": [self.names[b] for b in j],
                "difference": self.estimate[i, j],
                "low": self.low[i, j],
                "high": self.high[i, j],
                "pvalue": self.pvalues[i, j],
                "answer": [self.answers[a][b] for a, b in zip(i, j, strict=True)],
            }
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the differences with their intervals, the margin shaded."""
        frame = self.to_frame()
        ax = new_axes(ax, height=1.2 + 0.22 * len(frame))
        ax.axvspan(-self.margin, self.margin, color="0.9", zorder=0)
        for row, one in enumerate(frame.to_dict("records")):
            colour = _COLOURS[one["answer"]]
            ax.plot([one["low"], one["high"]], [row, row], color=colour)
            ax.plot(one["difference"], row, "o", color=colour, markersize=4)
        labels = [f"{a} − {b}" for a, b in zip(frame["first"], frame["second"], strict=True)]
        ax.set_yticks(np.arange(len(frame)), labels)
        ax.set_xlabel("difference (shaded: no practical meaning)")
        ax.invert_yaxis()
        ax.spines[["right", "top"]].set_visible(False)
        return ax

    def __str__(self) -> str:
        found = self.to_frame()["answer"].tolist()
        apart = found.count("better") + found.count("worse")
        same, open_ = found.count("equivalent"), found.count("undecided")
        return (
            f"Of {len(found)} pair{'s' * (len(found) != 1)} {apart} {_be(apart)} told apart, "
            f"{same} {_be(same)} equivalent (within {self.margin:g}), "
            f"{open_} {_be(open_)} undecided."
        )


def _be(count: int) -> str:
    return "is" if count == 1 else "are"


def compare_pairs(
    errors: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    margin: float,
    level: float = 0.95,
    test_train_ratio: float | None = None,
    samples: int | None = None,
) -> PairAnswers:
    """Answer for every pair of learners whether one is better, and whether that matters.

    From the interval of `corrected_t_test`: *equivalent* where it lies within ± ``margin`` (then a
    difference, even a certain one, does not matter), *better* or *worse* where it lies on one side
    of 0, *undecided* elsewhere. Each interval stands for itself: of 20 pairs of equal learners
    about one is wrongly told apart at level 0.95.

    Parameters
    ----------
    errors : (m, repetitions, folds) array-like
        Errors of m learners on the same folds, or another loss that is better smaller.
    names : sequence of str, optional
    margin : float
        Smallest difference that matters.
    level : float
        Of each interval.
    test_train_ratio : float, optional
        By default that of folds which part the data, 1/(folds − 1).
    samples : int, optional
        Rows that the folds are made of. Losses that are the same in every fold have an interval of
        no width; that shows two learners to be equivalent only where the rule of three allows,
        3/``samples`` being at most the margin, and leaves them undecided elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import compare_pairs
    >>> never_wrong = np.zeros((2, 5, 5))
    >>> [compare_pairs(never_wrong, margin=0.01, samples=n).answers[0][1] for n in (150, 8000)]
    ['undecided', 'equivalent']
    >>> noise = 0.001 * np.random.default_rng(0).standard_normal((3, 5, 5))
    >>> pairs = compare_pairs(np.reshape([0.3, 0.1, 0.101], (3, 1, 1)) + noise, margin=0.01)
    >>> pairs.answers[0], pairs.answers[1]
    (('', 'worse', 'worse'), ('better', '', 'equivalent'))
    """
    table = checked_errors(errors, names)
    m = len(table)
    found = learner_names(names, m)
    smallest = checked_margin(margin)
    if smallest is None:
        raise InvalidInput("margin is None; expected the smallest difference that matters.")
    if table.shape[1] * table.shape[2] < 2:
        raise InvalidInput(f"errors has shape {table.shape}; expected two folds or more.")
    ratio = fold_ratio(table.shape[-1]) if test_train_ratio is None else test_train_ratio
    rows = table.reshape(m, -1)
    shape = (m, m, rows.shape[1])
    test = corrected_t_test(
        np.broadcast_to(rows[:, None], shape),
        np.broadcast_to(rows[None, :], shape),
        test_train_ratio=ratio,
    )
    low, high = (np.asarray(end) for end in test.confidence_interval(require_level(level, "level")))
    few = samples is not None and _checked_samples(samples) * smallest < _RULE_OF_THREE
    answers = _answer(low, high, smallest, alike_is_equal=not few)
    return PairAnswers(
        names=found,
        estimate=np.asarray(test.mean_difference),
        low=low,
        high=high,
        answers=answers,
        pvalues=np.asarray(test.pvalue),
        margin=smallest,
        level=float(level),
    )


def _checked_samples(samples: int) -> int:
    whole = isinstance(samples, Integral) and not isinstance(samples, bool)
    if not (whole and samples >= 1):
        raise InvalidInput(f"samples is {samples!r}; expected a whole number of rows, 1 or more.")
    return int(samples)


def _answer(
    low: Floats, high: Floats, margin: float, *, alike_is_equal: bool
) -> tuple[tuple[PairAnswer, ...], ...]:
    within = (low > -margin) & (high < margin)
    if not alike_is_equal:
        within &= high - low >= _NO_WIDTH * margin
    words = np.select(
        [within, high < 0, low > 0],
        ["equivalent", "better", "worse"],
        "undecided",
    ).astype(object)
    np.fill_diagonal(words, "")
    return tuple(tuple(row) for row in words.tolist())
