"""Which candidate: the paper's rule, and the one measured to choose best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from polychotomy.comparison import Ordering, multitest, multitest_many
from polychotomy.core.arrays import Floats, Ints
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

    *paper*: one MultiTest a run [YA06]_; the most frequent order, and the first run that gave it.

    *margin*: the most preferred candidate whose mean loss is within the margin of every less
    preferred one's, over all folds of all runs: MultiTest with a margin, by the corrected t test
    at level ½. Of all rules tried in the truth lab it gave the simplest picks whose true error was
    within 0.2 points of those with the lowest mean.

    Parameters
    ----------
    ratio : float, optional
        Test cases a training case, where folds do not part the data.

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
