"""Every pair of learners: p-values by a test of any kind, and answers by an interval (YA06 §3).

The one-sided p-values are what MultiTest orders by. The answers, better, equivalent, undecided or
worse, are what the rule by a margin needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.five_by_two import t_test_5x2
from polychotomy.comparison.inputs import (
    Values,
    checked_errors,
    checked_margin,
    learner_names,
    require_5x2,
)
from polychotomy.comparison.mcnemar import McNemarTest, mcnemar_test
from polychotomy.comparison.paired_t import (
    calibrated_t_test,
    case_t_test,
    corrected_t_test,
    paired_t_test,
)
from polychotomy.comparison.results import PairedTest
from polychotomy.comparison.signed_rank import wilcoxon_test
from polychotomy.core.arguments import as_floats, check_count, check_share, unexpected, wrong_shape
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


class WithPValue(Protocol):
    """A result with a p-value."""

    @property
    def pvalue(self) -> float | Floats:
        """The p-value."""


OneSidedTest: TypeAlias = Callable[[Floats, Floats], "float | WithPValue"]
"""(a, b), errors on the same folds → p-value of H0: mean of a ≤ mean of b, or a result with one."""


TestName: TypeAlias = Literal["5x2cv-t", "paired-t", "corrected-t", "calibrated-t", "wilcoxon"]


def pairwise_pvalues(
    errors: Floats,
    *,
    test: TestName | OneSidedTest,
    margin: float | None = None,
    test_train_ratio: float | None = None,
) -> Floats:
    """One-sided p-values of the pairs i < j, in the order of ``np.triu_indices(m, 1)``.

    Parameters
    ----------
    errors : (..., m, repetitions, folds)
        Finite errors. Leading axes are a batch, except for a callable test.
    test
        A name, or a function of two arrays (repetitions, folds).
    margin
        None: H0 is μ_i ≤ μ_j. Else H0 is μ_i ≥ μ_j + margin, whose rejection shows that i is within
        the margin of j: the same test of (errors of j + margin) against (errors of i).
    test_train_ratio
        For "corrected-t".

    Returns
    -------
    (..., m (m − 1) / 2) floats

    Examples
    --------
    >>> import numpy as np
    >>> errors = np.array([[[0.3, 0.2], [0.4, 0.2]], [[0.1, 0.1], [0.2, 0.1]]])
    >>> pairwise_pvalues(errors, test="paired-t").round(4)
    array([0.0069])
    """
    name = None if callable(test) else _known(test)
    if name == "5x2cv-t":
        require_5x2(errors, "errors")
    i, j = np.triu_indices(errors.shape[-3], 1)
    a, b = np.take(errors, i, axis=-3), np.take(errors, j, axis=-3)
    if margin is not None:
        a, b = b + margin, a
    if callable(test):
        return _called(test, a, b)
    assert name is not None
    return np.asarray(_NAMED[name](a, b, test_train_ratio))


def _known(test: object) -> TestName:
    for name in _NAMED:
        if isinstance(test, str) and test == name:
            return name
    if isinstance(test, str) and test in ("5x2cv-f", "f_test_5x2"):
        raise InvalidInput(
            "the combined 5×2cv F test squares the differences, so it is two-sided only and "
            f"cannot order learners; choose one of {tuple(_NAMED)}."
        )
    raise unexpected(
        "test", test, f"one of {tuple(_NAMED)} or a function (a, b) → one-sided p-value"
    )


def fold_ratio(folds: int) -> float:
    """Test cases a training case where ``folds`` folds part the data: 1/(folds − 1).

    Examples
    --------
    >>> fold_ratio(5)
    0.25
    """
    if folds < 2:
        raise InvalidInput(
            f"the last axis has {folds} fold, so the share of test data is not known; pass "
            "test_train_ratio=, or errors of shape (learners, repetitions, folds)."
        )
    return 1.0 / (folds - 1)


def in_a_row(errors: Floats) -> Floats:
    """Put the folds of all repetitions in one axis."""
    return errors.reshape(*errors.shape[:-2], errors.shape[-2] * errors.shape[-1])


def _corrected(a: Floats, b: Floats, ratio: float | None) -> PairedTest:
    ratio = fold_ratio(a.shape[-1]) if ratio is None else ratio
    return corrected_t_test(in_a_row(a), in_a_row(b), test_train_ratio=ratio, alternative="greater")


def _wilcoxon(a: Floats, b: Floats) -> Floats:
    first, second = in_a_row(a), in_a_row(b)
    pvalues = np.empty(first.shape[:-1])
    for pair in np.ndindex(pvalues.shape):
        pvalues[pair] = wilcoxon_test(first[pair], second[pair], alternative="greater").pvalue
    return pvalues


_NAMED: dict[TestName, Callable[[Floats, Floats, float | None], float | Floats]] = {
    "5x2cv-t": lambda a, b, _: t_test_5x2(a, b, alternative="greater").pvalue,
    "paired-t": lambda a, b, _: (
        paired_t_test(in_a_row(a), in_a_row(b), alternative="greater").pvalue
    ),
    "corrected-t": lambda a, b, ratio: _corrected(a, b, ratio).pvalue,
    "calibrated-t": lambda a, b, _: (
        calibrated_t_test(in_a_row(a), in_a_row(b), alternative="greater").pvalue
    ),
    "wilcoxon": lambda a, b, _: _wilcoxon(a, b),
}


def _called(test: OneSidedTest, a: Floats, b: Floats) -> Floats:
    if a.ndim != 3:
        raise InvalidInput("a function as test takes one pair at a time; expected one table.")
    return np.array([_one_pvalue(test, a[pair], b[pair]) for pair in range(len(a))], dtype=float)


def _one_pvalue(test: OneSidedTest, a: Floats, b: Floats) -> float:
    answer = test(a, b)
    found = answer.pvalue if hasattr(answer, "pvalue") else answer
    pvalue = as_floats("the p-value of the test function", found)
    if pvalue.size != 1 or not 0.0 <= pvalue.item() <= 1.0:
        raise InvalidInput(
            f"the test function returned {answer!r}; expected one p-value from 0 to 1, of H0: mean "
            "error of the first ≤ that of the second."
        )
    return float(pvalue.item())


PairAnswer = Literal["better", "equivalent", "undecided", "worse", ""]

_CELLS = 2**19  # differences in memory at a time: as much as a cache has

_RULE_OF_THREE = 3.0  # of n rows without an event, up to 3/n of all may have one (95 %)

_NO_WIDTH = 0.01  # of the margin: intervals as narrow are of losses that are all the same

_COLOURS = {"better": "#0072B2", "equivalent": "#009E73", "undecided": "0.6", "worse": "#D55E00"}


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
    method : str
        The test behind the intervals.

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
    method: str = "Corrected resampled t test"

    def to_frame(self) -> DataFrame:
        """One row for each pair, the preferred one first."""
        i, j = np.triu_indices(len(self.names), 1)
        return self._frame(
            first=[self.names[a] for a in i],
            second=[self.names[b] for b in j],
            difference=self.estimate[i, j],
            low=self.low[i, j],
            high=self.high[i, j],
            pvalue=self.pvalues[i, j],
            answer=[self.answers[a][b] for a, b in zip(i, j, strict=True)],
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
        raise wrong_shape("errors", table, "two folds or more")
    ratio = fold_ratio(table.shape[-1]) if test_train_ratio is None else test_train_ratio
    rows = table.reshape(m, -1)
    if samples is not None:
        check_count("samples", samples, unit="rows")
    tests = [
        corrected_t_test(rows[i], rows[j], test_train_ratio=ratio)
        for i, j in zip(*np.triu_indices(m, 1), strict=True)
    ]
    return _answer_all(tests, found, smallest, level, samples)


def compare_cases(
    losses: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    margin: float,
    level: float = 0.95,
    groups: ArrayLike | None = None,
    as_given: bool = False,
) -> PairAnswers:
    """Answer for every pair of learners as `compare_pairs` does, from the losses of all cases.

    The interval is that of `case_t_test`, which knows of every case, so that more repetitions make
    it but a little narrower; of models as they are, where each case is right or wrong, that of
    Agresti and Min, with the p-value of McNemar's test in its mid-p form.

    Parameters
    ----------
    losses : (m, repetitions, n) array-like
        Of m learners on each of n cases, each predicted once in every repetition.
    names, margin, level
        As for `compare_pairs`.
    groups : (n,) array-like, optional
        Cases of one group are not independent.
    as_given : bool
        Compare models as they are on one test set, not what learns them.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import compare_cases
    >>> wrong = np.zeros((2, 1, 1000))
    >>> wrong[0, 0, :300] = wrong[1, 0, :100] = 1
    >>> pairs = compare_cases(wrong, margin=0.01)
    >>> pairs.answers[0][1], pairs.low[0, 1].round(3).item(), pairs.high[0, 1].round(3).item()
    ('worse', 0.168, 0.232)
    """
    table = checked_errors(losses, names)
    found, smallest = learner_names(names, len(table)), checked_margin(margin)
    if smallest is None:
        raise InvalidInput("margin is None; expected the smallest difference that matters.")
    i, j = np.triu_indices(len(table), 1)
    means = table.mean(axis=1, keepdims=True)
    tests: Sequence[PairedTest | McNemarTest]
    if as_given and groups is None and np.isin(means, (0.0, 1.0)).all():
        wrong = means[:, 0].astype(bool)
        tests = [mcnemar_test(wrong[i], wrong[j], exact="mid-p")] if len(i) else []
    else:  # some at a time: all pairs of many cases would take much memory
        size = max(1, _CELLS // table[0].size)
        tests = [
            case_t_test(
                table[i[k : k + size]], table[j[k : k + size]], groups=groups, as_given=as_given
            )
            for k in range(0, len(i), size)
        ]
    return _answer_all(tests, found, smallest, level, table.shape[-1])


def _answer_all(
    tests: Sequence[PairedTest | McNemarTest],
    names: tuple[str, ...],
    margin: float,
    level: float,
    samples: int | None,
) -> PairAnswers:
    """Gather two-sided tests of the pairs i < j, one by one or in batches, into all answers."""
    m = len(names)
    i, j = np.triu_indices(m, 1)
    share = check_share("level", level, such_as=0.95)
    ends = [test.confidence_interval(share) for test in tests]
    estimate, low, high, pvalues = (np.zeros((m, m)) for _ in range(4))
    np.fill_diagonal(pvalues, 1.0)
    estimate[i, j] = _joined([test.mean_difference for test in tests])
    low[i, j], high[i, j] = (_joined([end[side] for end in ends]) for side in (0, 1))
    estimate[j, i], low[j, i], high[j, i] = -estimate[i, j], -high[i, j], -low[i, j]
    pvalues[i, j] = pvalues[j, i] = _joined([test.pvalue for test in tests])
    few = samples is not None and samples * margin < _RULE_OF_THREE
    return PairAnswers(
        names=names,
        estimate=estimate,
        low=low,
        high=high,
        answers=_answer(low, high, margin, alike_is_equal=not few),
        pvalues=pvalues,
        margin=margin,
        level=float(level),
        **({"method": tests[0].method} if tests else {}),
    )


def _joined(values: Sequence[Values]) -> Floats:
    return np.concatenate([np.atleast_1d(one) for one in values] or [np.empty(0)])


def _answer(
    low: Floats, high: Floats, margin: float, *, alike_is_equal: bool
) -> tuple[tuple[PairAnswer, ...], ...]:
    within = (low > -margin) & (high < margin)
    if not alike_is_equal:
        within &= high - low >= _NO_WIDTH * margin
    words = np.select(
        [within, high < 0, low > 0], ["equivalent", "better", "worse"], "undecided"
    ).astype(object)
    np.fill_diagonal(words, "")
    return tuple(tuple(row) for row in words.tolist())
