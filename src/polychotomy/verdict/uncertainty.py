"""What the data leave open about the choice, and how much more would settle it."""

from __future__ import annotations

import numpy as np

from polychotomy.comparison import ComparisonPlan, Ordering, PairAnswers, plan_comparison
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import Asks, Undecided
from polychotomy.verdict.question import Question

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
