"""Which candidate is chosen by a rule, how sure that is, and who comes near."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from polychotomy.comparison import (
    Ordering,
    PairAnswers,
    SelectedError,
    compare_cases,
    compare_pairs,
    multitest,
    multitest_many,
    order_by_removal,
    plan_comparison,
    selected_error,
)
from polychotomy.comparison.sample_size import plan_of_test
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.numbers import gap
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import Asks, Gate, OtherRule, Undecided
from polychotomy.verdict.question import Question, name_against


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


def order_candidates(
    question: Question, evidence: Evidence
) -> tuple[tuple[Frequency, ...], Ordering]:
    """Order the sound candidates by a rule.

    By the default margin one that is shown to be worse than another, within the margin or not,
    gives way to it.
    """
    losses = evidence.losses[evidence.sound]
    frequencies, found = order_by_rule(question, losses, evidence.names, ratio=evidence.ratio)
    edges = found.edges | shown_worse(question, evidence)
    if np.array_equal(edges, found.edges):
        return frequencies, found
    order = order_by_removal(edges)
    found = replace(found, edges=edges, order=order, best=int(order[0]))
    return (Frequency(found.ordered_names, frequencies[0].runs),), found


def shown_worse(question: Question, evidence: Evidence) -> Bools:
    """Which candidates are shown to be worse than a less preferred one, so that they give way.

    (m, m); nobody where a margin was asked for: then that says what may be given up.
    """
    m = len(evidence.names)
    if question.may_keep_worse or m < 2:
        return np.zeros((m, m), dtype=bool)
    answers = np.array(compare_all(question, evidence).answers, dtype=object)
    return np.triu(answers == "worse")


def chooser(
    question: Question, *, ratio: float | None = None, beaten: Bools | None = None
) -> Callable[[Floats], Ints]:
    """Return the rule as a function: losses (b, m, repetitions, folds) → rows chosen, (b,).

    ``beaten`` (m, m) says who is shown to be worse than whom and so must have a lower mean.

    Examples
    --------
    >>> import numpy as np
    >>> errors = np.reshape([0.3, 0.105, 0.1], (1, 3, 1, 1)) + np.zeros((2, 3, 5, 5))
    >>> chooser(Question())(errors)
    array([1, 1])
    """

    def choose(errors: Floats) -> Ints:
        if question.rule == "margin":
            margins: Any = question.smallest_difference
            if beaten is not None and beaten.any():
                margins = np.where(beaten, 0.0, margins)
            return first_within(errors.mean(axis=(-2, -1)), margins)
        options = _options(question, errors.shape[-2:], ratio)
        return np.asarray(multitest_many(errors[None], **options).best[0])

    return choose


_ROUNDING = 1e-12


def first_within(means: Floats, margin: float | Floats) -> Ints:
    """Return the first whose mean is within the margin of every later one's, (b, m) → (b,).

    It is what the rule with a margin chooses, MultiTest at level ½, without a test of every pair,
    of which many candidates have thousands. ``margin`` may be one for each pair, (m, m).

    Examples
    --------
    >>> import numpy as np
    >>> first_within(np.array([[0.3, 0.105, 0.1], [0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]), 0.01)
    array([1, 0, 2])
    """
    last = means.shape[1] - 1
    most = np.broadcast_to(margin, (last + 1, last + 1)) - _ROUNDING
    chosen, lowest = np.full(len(means), last), means[:, last]
    for row in reversed(range(last)):
        # Near the lowest of them first: of a hundred systems few are, and pairs take long.
        near, later = np.flatnonzero(means[:, row] < lowest + most.max()), slice(row + 1, None)
        within = means[near, row, np.newaxis] < means[near, later] + most[row, later]
        chosen[near[within.all(axis=1)]] = row
        lowest = np.minimum(lowest, means[:, row])
    return chosen


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


def compare_all(question: Question, evidence: Evidence) -> PairAnswers:
    """Answer for every pair of sound candidates: from all rows where they can be compared."""
    if evidence.cases is not None:
        found = compare_cases(
            evidence.cases[evidence.sound],
            names=evidence.names,
            margin=question.smallest_difference,
            groups=evidence.groups,
            as_given=evidence.as_given,
        )
        low, high = (np.clip(end, -1.0, 1.0) for end in (found.low, found.high))
        return replace(found, low=low, high=high) if question.criterion.is_rate else found
    counts = np.bincount(evidence.tested.y)  # what ranks knows no more than the rarest class does
    known = counts.sum() if question.criterion.is_mean else counts[counts > 0].min()
    return compare_pairs(
        evidence.tables,
        names=evidence.names,
        margin=question.smallest_difference,
        test_train_ratio=evidence.ratio,
        samples=int(known),
    )


# Probability, from which on no more repetitions are made, that they would not change the choice.
# Set on 250 generated tables of 60 to 400 rows with seven candidates: 0.7 took 37 % of the fits of
# five repetitions and cost 0.08 ± 0.08 points of true error, 0.9 took 57 % and cost nothing. On
# samples of other, real tables ("A plan that grows", in the documentation) 0.7 took 38 % and cost
# 0.10 ± 0.10 points.
STEADY = 0.7

_DRAWS = 400

# Variance of a mean over rows by the drawing of the folds alone. Measured with linear
# discriminants, nearest neighbours and trees: 0.96 to 1.24 of what rows, taken to be independent,
# have between repetitions; before there are two, 0.1 to 0.9 of the variance over rows.
_SHARED_FITS = 1.25
_OF_ONE = 0.4


def how_steady(question: Question, evidence: Evidence) -> float | None:
    """Return how likely it is that the choice would stay; None where there is nothing to choose.

    Nor is it known of a rule that chooses by one run, and of folds that can be drawn in one way
    only, as those in order of time.
    """
    if len(evidence.names) < 2 or question.rule == "paper" or not evidence.can_be_redrawn:
        return None
    return steadiness(
        evidence.tables,
        None if evidence.cases is None else evidence.cases[evidence.sound],
        chooser(question, ratio=evidence.ratio, beaten=shown_worse(question, evidence)),
        tested=float((evidence.predictions.folds[0, 0] >= 0).mean()),
    )


def steadiness(
    tables: Floats, cases: Floats | None, choose: Callable[[Floats], Ints], *, tested: float = 1.0
) -> float:
    """Probability that the mean over all drawings of the folds would lead to the same choice.

    The means seen are shifted by what the drawing of the folds alone may have done to them.

    Parameters
    ----------
    tables : (m, repetitions, folds) floats
        Mean losses in the folds.
    cases : (m, repetitions, n) floats, optional
        Losses of all rows. Without them the spread of the folds stands for theirs.
    choose : callable
        Tables (b, m, repetitions, folds) → who is chosen, (b,).
    tested : float
        Share of all rows that are tested in one repetition. Where it is not all of them, what the
        others would do to the means counts, too.

    Examples
    --------
    >>> import numpy as np
    >>> wrong = np.zeros((2, 1, 100))
    >>> wrong[0, 0, :50] = wrong[1, 0, 40:50] = 1
    >>> tables = wrong.reshape(2, 1, 5, 20).mean(axis=-1)
    >>> lowest = lambda errors: errors.mean(axis=(-1, -2)).argmin(axis=-1)
    >>> steadiness(tables, wrong, lowest)
    1.0
    """
    rows = tables.reshape(len(tables), 1, -1) if cases is None else cases
    m, repetitions, n = rows.shape
    if repetitions == 1:
        spread = (1 - tested + tested * _OF_ONE) * np.cov(rows[:, 0]).reshape(m, m) / n
    else:
        around = (rows - rows.mean(axis=1, keepdims=True)).reshape(m, -1)
        within = around @ around.T / ((repetitions - 1) * n)
        spread = _SHARED_FITS * within / (n * repetitions)
    shifts = np.random.default_rng(0).multivariate_normal(
        np.zeros(m), spread, size=_DRAWS, method="eigh"
    )
    seen = choose(tables[np.newaxis])
    drawn = choose(tables + shifts[:, :, np.newaxis, np.newaxis])
    return float(np.mean(drawn == seen))


_NO_WIDTH = 0.01  # of the margin: intervals as narrow are of losses that are all the same


_FARTHEST = 1000.0  # times the data: beyond, no number is worth naming


def find_undecided(
    question: Question,
    evidence: Evidence,
    ordering: Ordering,
    pairs: PairAnswers,
    baselines: tuple[str, ...],
) -> Undecided | None:
    """Find the rival that matters most of those that the data cannot tell from the best.

    For the rule with a margin those are the simpler ones that were passed over and are not shown
    to be worse, and the more complex ones with a lower mean that may be better by more than the
    margin; for the paper's rule, more complex ones with a lower mean that is not shown. A
    candidate that ignores the features comes first, then whoever has the lowest mean.
    """
    best, by_margin = ordering.best, question.rule == "margin"
    open_ = [j for j in range(len(pairs.names)) if _is_open(pairs, best, j, by_margin=by_margin)]
    if not open_:
        return None
    rival = max(open_, key=lambda j: (pairs.names[j] in baselines, pairs.estimate[best, j]))
    first, second = sorted((best, rival))  # is the less preferred one better, and by how much?
    above = bool(pairs.estimate[first, second] > pairs.margin)
    asks: Asks = "more than margin" if above else "less than margin"
    if by_margin:  # one end of a 95 % interval has to come to lie on the other side of the margin
        names = pairs.names[first], pairs.names[second]
        test = evidence.compare(*names, "greater" if above else "less")
        beyond = float(test.mean_difference) - question.smallest_difference
        count = evidence.tables[first].size
        plan = plan_of_test(replace(test, mean_difference=beyond), count, alpha=0.025)
    else:
        asks = "any difference"
        plan = plan_comparison(
            evidence.tables[first],
            evidence.tables[second],
            test_train_ratio=evidence.ratio,
            alpha=float(np.broadcast_to(ordering.level, ordering.edges.shape)[first, second]),
            alternative="greater",
        )
    known, rows = 1 < plan.data_factor <= _FARTHEST, len(evidence.predictions.y)
    return Undecided(
        rival=pairs.names[rival],
        asks=asks,
        plan=plan,
        more_rows=int(np.ceil(rows * (plan.data_factor - 1))) if known else None,
        margin_needed=float(pairs.high[first, second]),
    )


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
    return answer in ("undecided", "worse")  # worse by the test of the pair, not by MultiTest's


_GATE_LEVEL = 0.05


def ask_other_rule(question: Question, evidence: Evidence) -> OtherRule | None:
    """Ask the rule that was not asked for, of the same folds; of one test set there are none."""
    if len(evidence.names) < 2 or evidence.as_given:
        return None
    turned = replace(question, rule="paper" if question.rule == "margin" else "margin")
    _, ordering = order_candidates(turned, evidence)
    name, why = _describe_other(turned, ordering)
    return OtherRule(name=name, best=ordering.names[ordering.best], ordering=ordering, why=why)


def _describe_other(question: Question, ordering: Ordering) -> tuple[str, str]:
    if question.rule == "margin":
        margin = gap(question.smallest_difference, question.criterion)
        return "The rule with a margin", (
            "It takes the most preferred candidate whose mean is within "
            f"{margin} of every less preferred one's. It differs where a more "
            "preferred candidate is worse by more than the margin but the tests do not show it."
        )
    return "MultiTest's rule", (
        "It keeps the most preferred candidate that is not shown to be worse than another: "
        f"one-sided {ordering.test}s, together at level {ordering.alpha:g} (Bonferroni). It "
        "differs where a more preferred candidate is worse by more than the margin but not shown "
        "to be, as happens on little data, and where a difference below the margin is shown. The "
        "paper takes the 5×2cv t test on 5×2 folds: --rule paper does just that."
    )


def correct_for_choice(
    question: Question,
    evidence: Evidence,
    ordering: Ordering,
    groups: Any,
    *,
    guess: str | None = None,
    seed: int = 0,
) -> SelectedError | None:
    """Correct the winner's loss for its having been chosen; None for what is no mean over rows.

    ``guess`` is the winner's name where it ignores the features: that is what is left where nothing
    beats it, not chosen for a low loss, so that its loss is given as it was seen.
    """
    if not question.criterion.is_mean:
        return None
    losses = question.criterion.sample_losses(evidence.predictions)[evidence.sound]
    folds = evidence.predictions.folds
    options: dict[str, Any] = {"groups": groups, "random_state": seed}
    options |= {"refitted": not evidence.as_given}
    if question.rule == "paper":  # one MultiTest for each run: the first whose best is the best
        of_folds = evidence.losses[evidence.sound]
        same = (np.array_equal(one, ordering.errors) for one in of_folds.swapaxes(0, 1))
        run = next(run for run, is_shown in enumerate(same) if is_shown)
        losses, folds = losses[:, [run]], folds[[run]]
        options["n_replicates"] = _PAPER_DRAWS
    m, runs, repetitions, n = losses.shape
    table, parts = losses.reshape(m, -1, n), folds.reshape(runs * repetitions, n)
    choose = chooser(question, ratio=evidence.ratio, beaten=shown_worse(question, evidence))
    found = selected_error(table, parts, choose=choose, names=evidence.names, **options)
    if guess is not None:
        alone = selected_error(table[[evidence.names.index(guess)]], parts, **options)
        found = replace(alone, names=found.names, best=found.best, shares=found.shares)
    if guess is None:  # who errs just where the best one does is no other choice
        same = ((table == table[found.best]) | np.isnan(table)).all(axis=(1, 2))
        shares = np.where(same, 0.0, found.shares)
        shares[found.best] = found.shares[same].sum()
        found = replace(found, shares=shares)
    if question.criterion.is_rate:  # which weighted errors, taken to first order, may pass
        low, expected, high = np.clip((found.low, found.corrected, found.high), 0.0, 1.0).tolist()
        found = replace(found, low=low, corrected=expected, high=high)
    if groups is None or found.expected > 0:
        return found
    # Where no loss was seen the upper end follows from the groups, as rows of one are alike.
    count = len(np.unique(np.asarray(groups)))
    most = 1.0 - ((1.0 - found.level) / 2) ** (1.0 / count)  # Clopper and Pearson, none of count
    return replace(found, high=max(found.high, most))


_PAPER_DRAWS = 250  # a MultiTest for each: fewer of them


def hold_gate(
    question: Question, evidence: Evidence, ordering: Ordering, baselines: tuple[str, ...]
) -> Gate | None:
    """Hold the best of the other candidates against the one asked for."""
    if question.against is None:
        return None
    against = name_against(question.against, evidence.names, baselines)
    challenger = next(name for name in ordering.ordered_names if name != against)
    test = evidence.compare(challenger, against, "greater")
    low, high = evidence.compare(challenger, against).confidence_interval()
    return Gate(
        challenger=challenger,
        against=against,
        passed=bool(test.pvalue > _GATE_LEVEL),
        difference=float(test.mean_difference),
        low=float(low),
        high=float(high),
        pvalue=float(test.pvalue),
    )
