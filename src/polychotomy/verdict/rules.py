"""Which candidate: the paper's rule, the one measured to choose best, and what they leave open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from polychotomy.comparison import (
    ComparisonPlan,
    Ordering,
    PairAnswers,
    multitest,
    multitest_many,
    plan_comparison,
)
from polychotomy.core.arrays import Floats, Ints
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import Asks, Undecided
from polychotomy.verdict.question import Question


class Frequency(NamedTuple):
    """How many runs gave one order.

    Examples
    --------
    ``verdict.frequencies`` has one for each order, the most frequent first (YA06 Table 2):

    >>> from polychotomy.verdict import Frequency
    >>> f = Frequency(("tree", "mean"), runs=7)
    >>> f"{' < '.join(f.order)} in {f.runs} runs"
    'tree < mean in 7 runs'
    """

    order: tuple[str, ...]
    runs: int


def order_by_rule(
    question: Question, errors: Floats, names: list[str], *, ratio: float | None = None
) -> tuple[tuple[Frequency, ...], Ordering]:
    """Order candidates by a rule from their losses, (m, runs, repetitions, folds).

    *paper*: one MultiTest for each run [YA06]_; the most frequent order, and the first run that
    gave it.

    *margin*: the most preferred candidate whose mean loss is within the margin of every less
    preferred one's, over all folds of all runs: MultiTest with a margin, by the corrected t test
    at level ½. Of all rules tried in the truth lab it gave the simplest picks whose true error was
    within 0.2 points of those with the lowest mean.

    Parameters
    ----------
    ratio : float, optional
        Test cases for each training case, where folds do not part the data.

    Examples
    --------
    >>> import numpy as np
    >>> noise = 0.001 * np.random.default_rng(0).standard_normal((3, 1, 5, 5))
    >>> errors = np.array([0.3, 0.105, 0.1])[:, None, None, None] + noise
    >>> _, ordering = order_by_rule(Question(), errors, ["guess", "simple", "complex"])
    >>> ordering.ordered_names
    ('simple', 'complex', 'guess')
    """
    m, runs, repetitions, folds = errors.shape
    options = _options(question, (repetitions, folds), ratio)
    if question.rule == "margin":
        ordering = multitest(errors.reshape(m, runs * repetitions, folds), names=names, **options)
        return (Frequency(ordering.ordered_names, runs),), ordering
    orderings = [multitest(errors[:, run], names=names, **options) for run in range(runs)]
    counts = Counter(ordering.ordered_names for ordering in orderings)
    frequencies = tuple(Frequency(order, count) for order, count in counts.most_common())
    first = next(o for o in orderings if o.ordered_names == frequencies[0].order)
    return frequencies, first


def chooser(question: Question, *, ratio: float | None = None) -> Callable[[Floats], Ints]:
    """Return the rule as a function: losses (b, m, repetitions, folds) → rows chosen, (b,).

    Examples
    --------
    >>> import numpy as np
    >>> errors = np.reshape([0.3, 0.105, 0.1], (1, 3, 1, 1)) + np.zeros((2, 3, 5, 5))
    >>> chooser(Question())(errors)
    array([1, 1])
    """

    def choose(errors: Floats) -> Ints:
        options = _options(question, errors.shape[-2:], ratio)
        return np.asarray(multitest_many(errors[None], **options).best[0])

    return choose


def _options(question: Question, plan: tuple[int, ...], ratio: float | None) -> dict[str, Any]:
    """Arguments of MultiTest; its 5×2cv test is replaced where the table is not 5×2."""
    if question.rule == "margin":
        return {
            "test": "corrected-t",
            "margin": question.smallest_difference,
            "alpha": 0.5,
            "correction": None,
            "test_train_ratio": ratio,
        }
    if plan == (5, 2):
        return {"test": "5x2cv-t"}
    return {"test": "corrected-t", "test_train_ratio": ratio}


_NO_WIDTH = 0.01  # of the margin: intervals as narrow are of losses that are all the same

_FARTHEST = 1000.0  # times the data: beyond, no number is worth naming


def find_undecided(
    question: Question,
    evidence: Evidence,
    ordering: Ordering,
    pairs: PairAnswers,
    yardsticks: tuple[str, ...],
) -> Undecided | None:
    """Find the rival that matters most of those that the data cannot tell from the best.

    For the rule with a margin those are the simpler ones that were passed over and are not shown
    to be worse, and the more complex ones with a lower mean that may be better by more than the
    margin; for the paper's rule, more complex ones with a lower mean that is not shown. A
    candidate that ignores the features comes first, then whoever has the lowest mean.
    """
    best = ordering.best
    by_margin = question.rule == "margin"
    open_ = [j for j in range(len(pairs.names)) if _is_open(pairs, best, j, by_margin=by_margin)]
    if not open_:
        return None
    rival = max(open_, key=lambda j: (pairs.names[j] in yardsticks, pairs.estimate[best, j]))
    return _describe(question, evidence, ordering, pairs, rival)


def same_losses(pairs: PairAnswers, first: int, second: int) -> bool:
    """Whether two candidates did the same in every fold: an interval of no width."""
    return bool(pairs.high[first, second] - pairs.low[first, second] < _NO_WIDTH * pairs.margin)


def _is_open(pairs: PairAnswers, best: int, rival: int, *, by_margin: bool) -> bool:
    answer, gain = pairs.answers[best][rival], pairs.estimate[best, rival]
    if rival < best:
        return by_margin and answer == "undecided" and not same_losses(pairs, best, rival)
    if rival == best or gain <= 0:
        return False
    if by_margin:
        return bool(pairs.high[best, rival] >= pairs.margin)
    return answer == "undecided"


def _describe(
    question: Question, evidence: Evidence, ordering: Ordering, pairs: PairAnswers, rival: int
) -> Undecided:
    """Ask for the two that the less preferred one is better, and by how much."""
    first, second = sorted((ordering.best, rival))  # the preferred one first
    seen = float(pairs.estimate[first, second])
    above = seen > pairs.margin
    plan = _plan(question, evidence, ordering, (first, second), above=above)
    rows = len(evidence.predictions.y)
    known = 1 < plan.data_factor <= _FARTHEST
    asks: Asks = "more than margin" if above else "less than margin"
    return Undecided(
        rival=pairs.names[rival],
        asks="any difference" if question.rule == "paper" else asks,
        plan=plan,
        more_rows=int(np.ceil(rows * (plan.data_factor - 1))) if known else None,
        margin_needed=float(pairs.high[first, second]),
    )


def _plan(
    question: Question,
    evidence: Evidence,
    ordering: Ordering,
    pair: tuple[int, int],
    *,
    above: bool,
) -> ComparisonPlan:
    """Plan for the question that the rule asks of a pair, the preferred one first."""
    a, b = (evidence.tables[one] for one in pair)
    if question.rule == "paper":
        level = float(np.broadcast_to(np.asarray(ordering.level), ordering.edges.shape)[pair])
        return plan_comparison(
            a, b, test_train_ratio=evidence.ratio, alpha=level, alternative="greater"
        )
    # One end of a 95 % interval has to come to lie on the other side of the margin.
    return plan_comparison(
        a,
        b + question.smallest_difference,
        test_train_ratio=evidence.ratio,
        alpha=0.025,
        alternative="greater" if above else "less",
    )
