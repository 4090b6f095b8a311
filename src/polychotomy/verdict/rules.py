"""Which candidate: the paper's rule, and the one measured to choose best."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple, get_args

from polychotomy.arrays import Floats
from polychotomy.comparison import Ordering, multitest
from polychotomy.exceptions import InvalidInput
from polychotomy.study import RepeatedFolds

Rule = Literal["paper", "margin"]

MARGIN = 0.01
"""Of "margin": the difference in error that a preferred candidate may cost, one point."""


class Frequency(NamedTuple):
    """How many runs gave one order."""

    order: tuple[str, ...]
    runs: int


def plan_of(rule: Rule, runs: int) -> RepeatedFolds:
    """Return the resampling that a rule needs: 5×2 folds for the paper's, else 5×5.

    Examples
    --------
    >>> plan_of("paper", 1).n_trials, plan_of("margin", 2).n_trials
    (10, 50)
    """
    if rule not in get_args(Rule):
        raise InvalidInput(f"rule is {rule!r}; expected 'paper' or 'margin'.")
    return RepeatedFolds(repetitions=5, folds=2 if rule == "paper" else 5, runs=runs)


def order_by_rule(
    rule: Rule, errors: Floats, names: list[str]
) -> tuple[tuple[Frequency, ...], Ordering]:
    """Order candidates by a rule from their errors, (m, runs, repetitions, folds).

    *paper*: one MultiTest a run [YA06]_; the most frequent order, and the first run that gave it.

    *margin*: the most preferred candidate whose mean error is within ``MARGIN`` of every less
    preferred one's, over all folds of all runs: MultiTest with a margin, by the corrected t test
    at level ½. Of all rules tried in the truth lab it gave the simplest picks whose true error was
    within 0.2 points of those with the lowest mean.

    Examples
    --------
    >>> import numpy as np
    >>> noise = 0.001 * np.random.default_rng(0).standard_normal((3, 1, 5, 5))
    >>> errors = np.array([0.3, 0.105, 0.1])[:, None, None, None] + noise
    >>> _, ordering = order_by_rule("margin", errors, ["guess", "simple", "complex"])
    >>> ordering.ordered_names
    ('simple', 'complex', 'guess')
    """
    m, runs, repetitions, folds = errors.shape
    if rule == "margin":
        ordering = multitest(
            errors.reshape(m, runs * repetitions, folds),
            names=names,
            test="corrected-t",
            margin=MARGIN,
            alpha=0.5,
            correction=None,
        )
        return (Frequency(ordering.ordered_names, runs),), ordering
    orderings = [multitest(errors[:, run], names=names) for run in range(runs)]
    counts = Counter(ordering.ordered_names for ordering in orderings)
    frequencies = tuple(Frequency(order, count) for order, count in counts.most_common())
    first = next(o for o in orderings if o.ordered_names == frequencies[0].order)
    return frequencies, first
