"""The questions that a verdict asks of its evidence, one function each; nothing is fitted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.combination import CombinationAdvice, would_combining_help
from polychotomy.comparison import (
    Ordering,
    PairAnswers,
    SelectedError,
    corrected_t_test,
    plan_comparison,
    selected_error,
)
from polychotomy.exceptions import InvalidInput
from polychotomy.predictions import OutOfFold
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import Candidate, Gate, OtherRule, Price, Undecided
from polychotomy.verdict.question import Question
from polychotomy.verdict.rules import chooser, order_by_rule

_MOST_CLASS_PAIRS = 100  # each takes some hundredths of a second a fold
_MOST_COMBINATIONS = 400  # class pairs × folds; fewer repetitions are asked where there are more
_FARTHEST = 1000.0  # times the data: beyond, no number is worth naming
_GATE_LEVEL = 0.05


def ask_other_rule(question: Question, evidence: Evidence) -> OtherRule | None:
    """Ask the rule that was not asked for, of the same folds."""
    if len(evidence.names) < 2:
        return None
    turned = replace(question, rule="paper" if question.rule == "margin" else "margin")
    _, ordering = order_by_rule(
        turned, evidence.losses[evidence.sound], evidence.names, ratio=evidence.ratio
    )
    name, why = _describe_other(turned, ordering)
    return OtherRule(name=name, best=ordering.names[ordering.best], ordering=ordering, why=why)


def _describe_other(question: Question, ordering: Ordering) -> tuple[str, str]:
    if question.rule == "margin":
        return "the rule with a margin, on these folds,", (
            "It takes the most preferred candidate whose mean is within "
            f"{question.smallest_difference:g} of every less preferred one's. It differs where a "
            "simpler candidate is worse by more than the margin but the tests do not show it."
        )
    return "MultiTest's rule, on these folds,", (
        "It keeps the most preferred candidate that is not shown to be worse than another: "
        f"one-sided {ordering.test}s, together at level {ordering.alpha:g} (Bonferroni). It "
        "differs where a simpler candidate is worse by more than the margin but not shown to be, "
        "as happens on little data, and where a difference below the margin is shown. The paper "
        "takes the 5×2cv t test on 5×2 folds: --rule paper does just that."
    )


def correct_for_choice(
    question: Question, evidence: Evidence, groups: ArrayLike | None
) -> SelectedError | None:
    """Correct the winner's loss for its having been chosen; None for what is no mean over rows."""
    if not question.criterion.is_mean:
        return None
    losses = question.criterion.sample_losses(evidence.predictions)[evidence.sound]
    folds = evidence.predictions.folds
    if question.rule == "paper":  # one MultiTest a run
        losses, folds = losses[:, :1], folds[:1]
    m, runs, repetitions, n = losses.shape
    try:
        return selected_error(
            losses.reshape(m, runs * repetitions, n),
            folds.reshape(runs * repetitions, n),
            choose=chooser(question, ratio=evidence.ratio),
            names=evidence.names,
            groups=groups,
        )
    except InvalidInput:  # folds of a few samples each
        return None


def find_undecided(
    pairs: PairAnswers, evidence: Evidence, best: str, yardsticks: tuple[str, ...]
) -> Undecided | None:
    """Find the rival that matters most of those that the data cannot tell from the best."""
    i = pairs.names.index(best)
    open_ = [
        j
        for j, answer in enumerate(pairs.answers[i])
        if answer == "undecided"
        and pairs.names[j] not in yardsticks
        and (pairs.estimate[i, j] > 0 or j < i)
    ]
    if not open_:
        return None
    j = max(open_, key=lambda rival: pairs.estimate[i, rival])
    tables = evidence.tables
    plan = plan_comparison(tables[i], tables[j], test_train_ratio=evidence.ratio)
    rows = len(evidence.predictions.y)
    known = 1 < plan.data_factor < _FARTHEST
    return Undecided(
        rival=pairs.names[j],
        plan=plan,
        more_rows=int(np.ceil(rows * (plan.data_factor - 1))) if known else None,
        margin_needed=float(max(abs(pairs.low[i, j]), abs(pairs.high[i, j]))),
    )


def price_candidates(candidates: tuple[Candidate, ...], evidence: Evidence, words: str) -> Price:
    """Set the losses of the sound candidates beside their times."""
    sound = [c for c in candidates if c.name in evidence.names]
    tested = np.mean([(evidence.predictions.folds[0, 0] == f).sum()
                      for f in range(evidence.losses.shape[-1])])  # fmt: skip
    return Price(
        names=tuple(c.name for c in sound),
        loss=np.array([c.loss for c in sound]),
        fit_seconds=np.array([c.fit_seconds for c in sound]),
        predict_seconds=np.array([c.predict_seconds for c in sound]) / float(tested),
        model_bytes=np.array([np.nan if c.model_bytes is None else c.model_bytes for c in sound]),
        words=words,
    )


def hold_gate(
    question: Question, evidence: Evidence, ordering: Ordering, yardsticks: tuple[str, ...]
) -> Gate | None:
    """Hold the best of the other candidates against the one asked for.

    ``baseline`` stands for the first candidate that ignores the features, unless one is so named.
    """
    if question.against is None:
        return None
    against = question.against
    if against == "baseline" and against not in evidence.predictions.names and yardsticks:
        against = yardsticks[0]
    if against not in evidence.names:
        why = "it failed" if against in evidence.predictions.names else "there is none so named"
        raise InvalidInput(
            f"nothing can be held against {question.against!r}: {why}. Candidates without a "
            f"failure: {', '.join(evidence.names)}."
        )
    others = [name for name in ordering.ordered_names if name != against]
    if not others:
        raise InvalidInput(f"{against!r} is the only candidate; expected another to compare.")
    first, second = (evidence.tables[evidence.names.index(n)].ravel() for n in (others[0], against))
    ratio = evidence.ratio or 1.0 / (evidence.losses.shape[-1] - 1)
    test = corrected_t_test(first, second, test_train_ratio=ratio, alternative="greater")
    low, high = corrected_t_test(first, second, test_train_ratio=ratio).confidence_interval()
    return Gate(
        challenger=others[0],
        against=against,
        passed=bool(test.pvalue > _GATE_LEVEL),
        difference=float(test.mean_difference),
        low=float(low),
        high=float(high),
        pvalue=float(test.pvalue),
    )


def combine(evidence: Evidence) -> tuple[CombinationAdvice | None, tuple[str, ...]]:
    """Ask whether combining would help, or say why it was not asked."""
    k = len(evidence.predictions.classes)
    pairs = k * (k - 1) // 2
    if len(evidence.names) < 2:
        return None, ("combining was not asked about: it takes two candidates without a failure",)
    if pairs > _MOST_CLASS_PAIRS:
        reason = f"{pairs} pairs of classes, more than {_MOST_CLASS_PAIRS}"
        return None, (f"combining was not asked about: {reason}, would take too long",)
    runs, repetitions, folds = evidence.losses.shape[1:]
    asked = max(1, min(repetitions, _MOST_COMBINATIONS // (pairs * folds)))
    note = f"combining was asked about in the first {asked} of {runs * repetitions} repetitions"
    notes = () if runs * repetitions == asked else (f"{note}, for the sake of time",)
    try:
        return would_combining_help(_some_repetitions(evidence.predictions, asked)), notes
    except InvalidInput as error:
        return None, (f"combining was not asked about: {error}",)


def _some_repetitions(predictions: OutOfFold, count: int) -> OutOfFold:
    """Return the predictions of the first repetitions of the first run."""
    return replace(
        predictions,
        folds=predictions.folds[:1, :count],
        predicted=predictions.predicted[:, :1, :count],
        probabilities=predictions.probabilities[:, :1, :count],
    )
