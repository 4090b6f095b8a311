"""The rules of choice: each takes a draw and returns a learner's row, or None if it cannot decide.

The paper's own methods see the errors of 5×2 cross-validation, for which they were made. All others
see five times 5-fold cross-validation, which costs 25 fits of each learner instead of 10.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
from benchmarks.truth.bayesian import probability_worse
from benchmarks.truth.draws import Draw
from benchmarks.truth.regret import BASELINE, Rule, lowest_mean

from polychotomy.comparison import (
    select_anova,
    select_newman_keuls,
    select_testfirst,
)
from polychotomy.comparison.multitest import multitest
from polychotomy.comparison.ordering import Correction

POINTS = (0.5, 1, 2, 3)  # margins, in points of error
LEVELS = (0.05, 0.1, 0.2, 0.3, 0.5)


def one_standard_error(draw: Draw) -> int:
    """The simplest learner within one standard error of the lowest mean (Breiman et al., 1984).

    The standard error is that of the 25 folds of the lowest mean, taken for independent, as usual.
    """
    folds = draw.fifths.reshape(len(draw.fifths), -1)
    best = lowest_mean(draw)
    reach = folds[best].std(ddof=1) / np.sqrt(folds.shape[1])
    return int(np.flatnonzero(folds.mean(axis=1) <= folds[best].mean() + reach)[0])


def paper(draw: Draw, *, correction: Correction) -> int:
    """MultiTest as in the paper: the 5×2cv t test at 5 % in all."""
    return multitest(draw.halves, correction=correction).best


def corrected(draw: Draw, *, correction: Correction, alpha: float = 0.05) -> int:
    """MultiTest with the corrected resampled t test: simpler unless shown to be worse."""
    ordering = multitest(draw.fifths, test="corrected-t", correction=correction, alpha=alpha)
    return ordering.best


def within_margin(draw: Draw, *, points: float, level: float) -> int:
    """Simplest learner shown to be within the margin of every more complex one."""
    return multitest(
        draw.fifths, test="corrected-t", correction=None, alpha=level, margin=points / 100
    ).best


def rope(draw: Draw, *, points: float, probability: float) -> int:
    """Simpler unless it is practically worse, by more than the region, with that probability."""

    def improbability(a: np.ndarray, b: np.ndarray) -> float:
        rope = points / 100
        return 1 - float(probability_worse(a.ravel(), b.ravel(), test_train_ratio=0.25, rope=rope))

    ordering = multitest(draw.fifths, test=improbability, correction=None, alpha=1 - probability)
    return ordering.best


def of_halves(draw: Draw, *, select: Callable[..., int | None]) -> int | None:
    """One of the paper's alternatives, on the 5×2 errors at 5 %."""
    return select(draw.halves)


def oracle(draw: Draw, *, points: float) -> int:
    """What nobody can do: the simplest learner truly within the margin of the best."""
    return int(np.flatnonzero(draw.truth <= draw.truth.min() + points / 100)[0])


def margin_name(points: float, level: float) -> str:
    return f"margin {points:g}, level {level:g}"


GRID = {margin_name(*pair): pair for pair in product(POINTS, LEVELS)}  # rule → (points, level)

ORACLES: dict[str, Rule] = {
    f"oracle, within {points:g}": partial(oracle, points=points) for points in (0.5, 1)
}

RULES: dict[str, Rule] = {
    BASELINE: lowest_mean,
    "one standard error": one_standard_error,
    "MultiTest (the paper's)": partial(paper, correction="bonferroni"),
    "MultiTest, Holm": partial(paper, correction="holm"),
    "corrected t, Bonferroni": partial(corrected, correction="bonferroni"),
    "corrected t, Holm": partial(corrected, correction="holm"),
    "corrected t, each at 5 %": partial(corrected, correction=None),
    "corrected t, each at 20 %": partial(corrected, correction=None, alpha=0.2),
    "corrected t, each at 40 %": partial(corrected, correction=None, alpha=0.4),
    "Anova": partial(of_halves, select=select_anova),
    "Newman–Keuls": partial(of_halves, select=select_newman_keuls),
    "TestFirst": partial(of_halves, select=select_testfirst),
    "Bayesian ROPE 1, 95 %": partial(rope, points=1, probability=0.95),
    **{
        name: partial(within_margin, points=points, level=level)
        for name, (points, level) in GRID.items()
    },
    **ORACLES,
}
