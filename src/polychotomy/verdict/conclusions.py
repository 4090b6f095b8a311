"""What is concluded from the evidence: which candidate, at what price, and what stays open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.combination import CombinationAdvice, would_combining_help
from polychotomy.combination.advice import MOST_PAIRS, MOST_SAMPLES
from polychotomy.comparison import (
    ComparisonPlan,
    Ordering,
    PairAnswers,
    SelectedError,
    compare_cases,
    compare_pairs,
    corrected_t_test,
    multitest,
    multitest_many,
    order_by_removal,
    plan_comparison,
    selected_error,
)
from polychotomy.comparison.pairs import fold_ratio
from polychotomy.comparison.sample_size import plan_of_test
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import gap
from polychotomy.core.predictions import OutOfFold, out_of_fold_forecasts
from polychotomy.validation.ranking import RankingCurve, ranking_curve
from polychotomy.validation.recalibration import recalibrate_forecasts
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import (
    Asks,
    Candidate,
    Gate,
    Guessing,
    NotAsked,
    OtherRule,
    Price,
    Recalibrated,
    Undecided,
)
from polychotomy.verdict.question import Question, cost_of_guessing


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


def guessing_of(question: Question, evidence: Evidence) -> Guessing | None:
    """Return what guessing costs on the rows judged; None where their labels are not known."""
    if evidence.only_right:
        return None
    classes = evidence.predictions.classes
    counts = np.bincount(evidence.predictions.y, minlength=len(classes))
    return cost_of_guessing(question.criterion, counts, classes)


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
    if np.ndim(margin):
        m = means.shape[1]
        later = np.where(np.triu(np.ones((m, m), dtype=bool), 1), margin, np.inf)
        apart = means[:, :, np.newaxis] - means[:, np.newaxis]
        return np.asarray((apart < later - _ROUNDING).all(axis=2).argmax(axis=1))
    later = np.minimum.accumulate(means[:, ::-1], axis=1)[:, ::-1]
    later = np.concatenate([later[:, 1:], np.full((len(means), 1), np.inf)], axis=1)
    return np.asarray((means < later + (margin - _ROUNDING)).argmax(axis=1))


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
        return compare_cases(
            evidence.cases[evidence.sound],
            names=evidence.names,
            margin=question.smallest_difference,
            groups=evidence.groups,
            as_given=evidence.as_given,
        )
    return compare_pairs(
        evidence.tables,
        names=evidence.names,
        margin=question.smallest_difference,
        test_train_ratio=evidence.ratio,
        samples=int((evidence.predictions.folds >= 0).any(axis=(0, 1)).sum()),
    )


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
    best = ordering.best
    by_margin = question.rule == "margin"
    open_ = [j for j in range(len(pairs.names)) if _is_open(pairs, best, j, by_margin=by_margin)]
    if not open_:
        return None
    rival = max(open_, key=lambda j: (pairs.names[j] in baselines, pairs.estimate[best, j]))
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
        ratio = evidence.ratio
        level = float(np.broadcast_to(np.asarray(ordering.level), ordering.edges.shape)[pair])
        return plan_comparison(a, b, test_train_ratio=ratio, alpha=level, alternative="greater")
    # One end of a 95 % interval has to come to lie on the other side of the margin.
    names = [evidence.names[one] for one in pair]
    test = evidence.compare(names[0], names[1], "greater" if above else "less")
    beyond = float(test.mean_difference) - question.smallest_difference
    return plan_of_test(replace(test, mean_difference=beyond), a.size, alpha=0.025)


_MOST_COMBINATIONS = 400  # class pairs × folds; fewer repetitions are asked where there are more

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
        return "the rule with a margin, on these folds,", (
            "It takes the most preferred candidate whose mean is within "
            f"{margin} of every less preferred one's. It differs where a more "
            "preferred candidate is worse by more than the margin but the tests do not show it."
        )
    return "MultiTest's rule, on these folds,", (
        "It keeps the most preferred candidate that is not shown to be worse than another: "
        f"one-sided {ordering.test}s, together at level {ordering.alpha:g} (Bonferroni). It "
        "differs where a more preferred candidate is worse by more than the margin but not shown "
        "to be, as happens on little data, and where a difference below the margin is shown. The "
        "paper takes the 5×2cv t test on 5×2 folds: --rule paper does just that."
    )


def correct_for_choice(
    question: Question,
    evidence: Evidence,
    groups: ArrayLike | None,
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
    if question.rule == "paper":  # one MultiTest for each run
        run = _run_shown(question, evidence)
        losses, folds = losses[:, [run]], folds[[run]]
    m, runs, repetitions, n = losses.shape
    table, parts = losses.reshape(m, -1, n), folds.reshape(runs * repetitions, n)
    choose = chooser(question, ratio=evidence.ratio, beaten=shown_worse(question, evidence))
    options: dict[str, Any] = {"groups": groups, "random_state": seed}
    options |= {"refitted": not evidence.as_given}
    if question.rule == "paper":  # a MultiTest for each draw: fewer of them
        options["n_replicates"] = _PAPER_DRAWS
    found = selected_error(table, parts, choose=choose, names=evidence.names, **options)
    if guess is not None:
        alone = selected_error(table[[evidence.names.index(guess)]], parts, **options)
        found = replace(alone, names=found.names, best=found.best, shares=found.shares)
    return found if groups is None else _allow_for_groups(found, groups)


_PAPER_DRAWS = 250


def _run_shown(question: Question, evidence: Evidence) -> int:
    """Return the first run that gave the most frequent order: the one whose best is the best."""
    losses = evidence.losses[evidence.sound]
    _, ordering = order_candidates(question, evidence)
    runs = range(losses.shape[1])
    return next(run for run in runs if np.array_equal(losses[:, run], ordering.errors))


def _allow_for_groups(found: SelectedError, groups: ArrayLike) -> SelectedError:
    """Where no loss was seen, let the upper end follow from the groups: rows of one are alike."""
    if found.expected > 0:
        return found
    count = len(np.unique(np.asarray(groups)))
    most = 1.0 - ((1.0 - found.level) / 2) ** (1.0 / count)  # Clopper and Pearson, none of count
    return replace(found, high=max(found.high, most))


def price_candidates(candidates: tuple[Candidate, ...], evidence: Evidence, words: str) -> Price:
    """Set the losses of the sound candidates beside their times."""
    sound = [c for c in candidates if c.name in evidence.names]
    splits = evidence.splits
    fits = splits.shape[0] * splits.shape[1] * (int(splits.max()) + 1)
    tested = (splits >= 0).sum() / fits
    return Price(
        names=tuple(c.name for c in sound),
        loss=np.array([c.loss for c in sound]),
        fit_seconds=np.array([c.fit_seconds for c in sound]),
        predict_seconds=np.array([c.predict_seconds for c in sound]) / float(tested),
        model_bytes=np.array([np.nan if c.model_bytes is None else c.model_bytes for c in sound]),
        words=words,
    )


def hold_gate(
    question: Question, evidence: Evidence, ordering: Ordering, baselines: tuple[str, ...]
) -> Gate | None:
    """Hold the best of the other candidates against the one asked for.

    ``baseline`` stands for the first candidate that ignores the features, unless one is so named.
    """
    if question.against is None:
        return None
    against = question.against
    if against == "baseline" and against not in evidence.predictions.names and baselines:
        against = baselines[0]
    if against not in evidence.names:
        why = "it failed" if against in evidence.predictions.names else "there is none so named"
        raise InvalidInput(
            f"nothing can be held against {question.against!r}: {why}. Candidates without a "
            f"failure: {', '.join(evidence.names)}."
        )
    others = [name for name in ordering.ordered_names if name != against]
    if not others:
        raise InvalidInput(f"{against!r} is the only candidate; expected another to compare.")
    test = evidence.compare(others[0], against, "greater")
    low, high = evidence.compare(others[0], against).confidence_interval()
    return Gate(
        challenger=others[0],
        against=against,
        passed=bool(test.pvalue > _GATE_LEVEL),
        difference=float(test.mean_difference),
        low=float(low),
        high=float(high),
        pvalue=float(test.pvalue),
    )


_ADVICE_LEVEL = 0.8  # as of bagging: with 10 % left out at each end, an answer is right in 90 %


def combine(
    evidence: Evidence, best: str, *, guess: str | None = None
) -> tuple[CombinationAdvice | NotAsked, tuple[str, ...]]:
    """Ask whether combining would gain over the best, or say why it was not asked; and notes.

    Over a guess it is no advice but the claim that the features tell anything, at 95 %.
    """
    if len(evidence.names) < 2:
        why = "combining was not asked about: it takes two candidates without a failure"
        return NotAsked(why), ()
    if evidence.only_right:
        told = "who was right" if evidence.predictions.scores is None else "what was scored"
        why = f"combining was not asked about: {told} is known, not what the answers were"
        return NotAsked(why), ()
    runs, repetitions, folds = evidence.losses.shape[1:]
    k, n = len(evidence.tested.classes), len(evidence.tested.y)
    pairs = min(k * (k - 1) // 2, MOST_PAIRS)
    most = min(_MOST_COMBINATIONS // (pairs * folds), MOST_SAMPLES // n)
    asked = max(1, min(repetitions, most))
    try:
        some = evidence.tested.part(runs=1, repetitions=asked)
        level = _ADVICE_LEVEL if guess is None else _LEVEL
        found = would_combining_help(some, over=best, level=level)
    except InvalidInput as error:
        return NotAsked(f"combining was not asked about: {error}"), ()
    parts = []
    if runs * repetitions > asked:
        which = "first" if asked == 1 else f"first {asked}"
        parts.append(f"the {which} of {runs * repetitions} repetitions")
    if found.n_class_pairs < found.n_possible_pairs:
        parts.append(f"{found.n_class_pairs} of {found.n_possible_pairs} pairs of classes")
    if n > MOST_SAMPLES:
        parts.append(f"{found.n_samples} of {n} rows")
    said = f"combining was asked about in {' and '.join(parts)}, for the sake of time"
    return found, (said,) if parts else ()


_MOST_FORECASTS = 50_000  # of one learner: whatever speaks against them is seen in as many


def some_forecasts(predictions: OutOfFold) -> tuple[OutOfFold, tuple[str, ...]]:
    """Return as many forecasts as trust is asked of, and a note where these are not all.

    Fewer repetitions first, for they tell of the same rows; then rows drawn at random.

    Examples
    --------
    >>> import numpy as np
    >>> p = np.full((1, 1, 3, 60_000, 2), 0.5)
    >>> one = OutOfFold(names=("a",), classes=("n", "y"), y=np.arange(60_000) % 2, probabilities=p,
    ...     folds=np.zeros((1, 3, 60_000), dtype=int), predicted=p.argmax(axis=-1),
    ...     hard=np.array([False]))
    >>> some_forecasts(one)[1]
    ('trust was asked about of 50000 of 180000 forecasts, for the sake of time',)
    """
    runs, repetitions, n = predictions.folds.shape
    total = predictions.folds.size
    if total <= _MOST_FORECASTS:
        return predictions, ()
    most = max(1, _MOST_FORECASTS // n)
    runs, repetitions = max(1, min(runs, most // repetitions)), min(repetitions, most)
    rows = np.arange(n)
    if n > _MOST_FORECASTS:
        rows = np.sort(np.random.default_rng(0).permutation(n)[:_MOST_FORECASTS])
    some = predictions.part(rows=rows, runs=runs, repetitions=repetitions)
    said = f"trust was asked about of {some.folds.size} of {total} forecasts"
    return some, (f"{said}, for the sake of time",)


_LOSSES = ("log-loss", "brier", "cost")  # those that recalibration can change

_MOST_CELLS = 200_000  # repetitions × rows × classes: a second or two for each candidate

_LEVEL = 0.95


def ask_recalibrated(
    question: Question, evidence: Evidence, best: str
) -> Recalibrated | NotAsked | None:
    """Find who would be chosen were all recalibrated, if not the best; or say why not asked.

    Each candidate's out-of-fold probabilities are recalibrated, cross-fitted, where that is shown
    to gain (:func:`recalibrate`); then the same rule chooses. With many rows fewer repetitions are
    looked at.
    """
    if question.criterion.name not in _LOSSES or len(evidence.names) < 2:
        return None
    k, n = len(evidence.tested.classes), len(evidence.tested.y)
    if n * k > 5 * _MOST_CELLS:
        why = "whether recalibration would change the choice was not asked: too many rows"
        return NotAsked(why)
    predictions = evidence.tested
    repetitions = predictions.folds.shape[1]
    asked = min(repetitions, max(1, _MOST_CELLS // (n * k)))
    if asked < repetitions or len(predictions.folds) > 1:
        predictions = predictions.part(runs=1, repetitions=asked)
    return _choose_again(question, evidence, predictions, best)


def _choose_again(
    question: Question, evidence: Evidence, predictions: OutOfFold, best: str
) -> Recalibrated | None:
    recalibrated, methods = recalibrate_all(predictions)
    losses = question.criterion.fold_losses(recalibrated)[evidence.sound]
    _, ordering = order_by_rule(question, losses, evidence.names, ratio=evidence.ratio)
    chosen = ordering.names[ordering.best]
    method = methods[predictions.names.index(chosen)]
    if chosen == best or method == "none":
        return None
    before = question.criterion.fold_losses(predictions)[evidence.sound]
    i, j = evidence.names.index(best), evidence.names.index(chosen)
    ratio = fold_ratio(losses.shape[-1]) if evidence.ratio is None else evidence.ratio
    test = corrected_t_test(losses[i].ravel(), losses[j].ravel(), test_train_ratio=ratio)
    low, high = test.confidence_interval(_LEVEL)
    return Recalibrated(
        name=chosen,
        method=method,
        before=float(before[j].mean()),
        after=float(losses[j].mean()),
        best_after=float(losses[i].mean()),
        low=float(low),
        high=float(high),
        level=_LEVEL,
    )


def recalibrate_all(predictions: OutOfFold) -> tuple[OutOfFold, list[str]]:
    """Recalibrate every learner's probabilities, cross-fitted, where that gains; and say how.

    Learners that failed somewhere, or give labels only, are left as they are.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(2, size=200)
    >>> sure = np.where(rng.random(200) < 0.8, y, 1 - y)  # right in 8 of 10, says 99 of 100
    >>> p = np.where(sure[:, None] == np.arange(2), 0.99, 0.01)[None, None, None]
    >>> found, methods = recalibrate_all(OutOfFold(names=("boosting",), classes=("no", "yes"),
    ...     y=y, folds=(np.arange(200) % 5)[None, None], predicted=sure[None, None, None],
    ...     probabilities=p, hard=np.array([False])))
    >>> methods, bool(0.75 < found.probabilities.max() < 0.85)
    (['temperature'], True)
    """
    probabilities = np.array(predictions.probabilities, dtype=np.float64)
    methods = ["none"] * len(predictions.names)
    planned = predictions.folds >= 0
    for m in np.flatnonzero(~predictions.hard):
        made = planned & ~np.isnan(probabilities[m]).any(axis=-1)
        if not np.array_equal(made, planned):
            continue
        try:
            found = recalibrate_forecasts(out_of_fold_forecasts(predictions, int(m)))
        except InvalidInput:  # too few rows to fit a map to
            continue
        methods[m] = found.chosen
        probabilities[m][made] = found.probabilities
    return replace(predictions, probabilities=probabilities), methods


def rank_rows(
    evidence: Evidence, best: str, candidates: Sequence[Candidate], baselines: Sequence[str]
) -> tuple[RankingCurve, ...]:
    """Return the ranking curves of the best and of the one with the next mean, of one class.

    It is the rarer of two classes. Of several it is the one that is missed most often: a mean over
    classes would hide what it is asked for. Rows count once, as the first repetition has them.
    """
    found = evidence.predictions
    missing = best in baselines or bool(found.hard[found.names.index(best)])
    if missing or best in evidence.contradictions or evidence.only_right:
        return ()
    losses = {one.name: one.loss for one in candidates if np.isfinite(one.loss)}
    usable = [
        name
        for name, hard in zip(found.names, found.hard, strict=True)
        if not hard and name in losses and name not in (*baselines, best)
    ]
    rivals = sorted(usable, key=lambda name: losses[name])[:1]
    rows = found.folds[0, 0] >= 0
    y, labels = found.y[rows], found.predicted[found.names.index(best), 0, 0, rows]
    sizes = np.bincount(y, minlength=len(found.classes))
    missed = np.bincount(y[labels != y], minlength=len(found.classes))
    code = int(missed.argmax()) if len(found.classes) > 2 else int(sizes.argmin())
    if not 0 < sizes[code] < len(y):
        return ()
    scores = [found.probabilities[found.names.index(name), 0, 0, rows, code]
              for name in (best, *rivals)]  # fmt: skip
    return tuple(
        ranking_curve(one, y == code, name=name, label=found.classes[code])
        for name, one in zip((best, *rivals), scores, strict=True)
        if np.isfinite(one).all()
    )
