"""The questions that a verdict asks of its evidence, one function each; nothing is fitted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.combination import CombinationAdvice, would_combining_help
from polychotomy.comparison import Ordering, SelectedError, corrected_t_test, selected_error
from polychotomy.comparison.pairs import fold_ratio
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import gap
from polychotomy.core.predictions import OutOfFold, out_of_fold_forecasts
from polychotomy.validation.recalibration import recalibrate_forecasts
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import Candidate, Gate, NotAsked, OtherRule, Price, Recalibrated
from polychotomy.verdict.question import Question, too_many_pairs
from polychotomy.verdict.rules import chooser, order_by_rule

_MOST_COMBINATIONS = 400  # class pairs × folds; fewer repetitions are asked where there are more

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
    choose = chooser(question, ratio=evidence.ratio)
    options: dict[str, Any] = {"groups": groups, "random_state": seed}
    try:
        found = selected_error(table, parts, choose=choose, names=evidence.names, **options)
        if m == 1:
            found = _as_seen(found, found)
        elif guess is not None:
            own = table[[evidence.names.index(guess)]]
            found = _as_seen(found, selected_error(own, parts, **options))
    except InvalidInput:  # folds of a few samples each
        return None
    return found if groups is None else _allow_for_groups(found, groups)


def _as_seen(found: SelectedError, alone: SelectedError) -> SelectedError:
    """Give the loss of one that was not chosen for it as seen: what the draws add is chance."""
    low, high = min(alone.low, alone.plain), max(alone.high, alone.plain)
    return replace(found, plain=alone.plain, corrected=alone.plain, low=low, high=high)


def _run_shown(question: Question, evidence: Evidence) -> int:
    """Return the first run that gave the most frequent order: the one whose best is the best."""
    losses = evidence.losses[evidence.sound]
    _, ordering = order_by_rule(question, losses, evidence.names, ratio=evidence.ratio)
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


def combine(evidence: Evidence, best: str) -> tuple[CombinationAdvice | NotAsked, tuple[str, ...]]:
    """Ask whether combining would gain over the best, or say why it was not asked; and notes."""
    k = len(evidence.predictions.classes)
    pairs = k * (k - 1) // 2
    if len(evidence.names) < 2:
        why = "combining was not asked about: it takes two candidates without a failure"
        return NotAsked(why), ()
    too_dear = too_many_pairs(k)
    if too_dear is not None:
        how = f"would_combining_help(ledger.out_of_fold(), over={best!r})"
        asked = f"to ask all the same, of the ledger of a study file, in Python: {how}"
        return NotAsked(f"combining was not asked about: {too_dear}; {asked}"), ()
    runs, repetitions, folds = evidence.losses.shape[1:]
    asked = max(1, min(repetitions, _MOST_COMBINATIONS // (pairs * folds)))
    which = "first" if asked == 1 else f"first {asked}"
    note = f"combining was asked about in the {which} of {runs * repetitions} repetitions"
    notes = () if runs * repetitions == asked else (f"{note}, for the sake of time",)
    some = first_repetitions(evidence.predictions, asked)
    try:
        return would_combining_help(some, over=best), notes
    except InvalidInput as error:
        return NotAsked(f"combining was not asked about: {error}"), ()


def first_repetitions(predictions: OutOfFold, count: int) -> OutOfFold:
    """Return the predictions of the first repetitions of the first run.

    Examples
    --------
    >>> import numpy as np
    >>> p = np.full((1, 1, 3, 2, 2), 0.5)
    >>> one = OutOfFold(names=("a",), classes=("n", "y"), y=np.array([0, 1]), probabilities=p,
    ...     folds=np.zeros((1, 3, 2), dtype=int), predicted=p.argmax(axis=-1),
    ...     hard=np.array([False]))
    >>> first_repetitions(one, 2).folds.shape
    (1, 2, 2)
    """
    return replace(
        predictions,
        folds=predictions.folds[:1, :count],
        predicted=predictions.predicted[:, :1, :count],
        probabilities=predictions.probabilities[:, :1, :count],
    )


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
    k, n = len(evidence.predictions.classes), len(evidence.predictions.y)
    if n * k > 5 * _MOST_CELLS:
        why = "whether recalibration would change the choice was not asked: too many rows"
        return NotAsked(why)
    repetitions = evidence.predictions.folds.shape[1]
    asked = min(repetitions, max(1, _MOST_CELLS // (n * k)))
    predictions = evidence.predictions
    if asked < repetitions or len(predictions.folds) > 1:
        predictions = first_repetitions(predictions, asked)
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
    test = corrected_t_test(
        losses[i].ravel(),
        losses[j].ravel(),
        test_train_ratio=evidence.ratio or fold_ratio(losses.shape[-1]),
    )
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
