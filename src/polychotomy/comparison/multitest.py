"""YA06 §3: MultiTest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Bools, Floats
from polychotomy.comparison._inputs import Values, as_floats, is_real, learner_names, require_level
from polychotomy.comparison.graph import order_by_removal
from polychotomy.comparison.levels import Correction, family_levels, require_correction
from polychotomy.comparison.ordering import MarginOrdering, Ordering
from polychotomy.comparison.pairwise import OneSidedTest, TestName, pairwise_pvalues
from polychotomy.exceptions import InvalidInput

_WORDS = {
    "5x2cv-t": "5×2cv t test",
    "paired-t": "paired t test",
    "corrected-t": "corrected resampled t test",
}


def multitest(
    errors: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    alpha: float = 0.05,
    correction: Correction = "bonferroni",
    test: TestName | OneSidedTest = "5x2cv-t",
    margin: float | None = None,
    test_train_ratio: float | None = None,
) -> Ordering:
    """Order learners by preference, overridden where a test shows the preferred one to be worse.

    YA06 Fig. 1. For every pair i < j the one-sided test of H0: μ_i ≤ μ_j is made; where it rejects,
    j overrides i (an edge i → j). The best is the most preferred learner with no edge out; removing
    it and repeating gives the whole order.

    Parameters
    ----------
    errors : (m, 5, 2) or (m, repetitions, folds) array-like
        Errors, or any loss that is better smaller, of m learners on the same folds; rows in order
        of preference, simplest first. (m, L) is read as one repetition of L folds.
    names : sequence of str, optional
    alpha : float
        Level for all tests together.
    correction : {"bonferroni", "holm", None}
        How the level is shared out; None holds every test to ``alpha``.
    test : {"5x2cv-t", "paired-t", "corrected-t"} or callable
        The paper's is "5x2cv-t". A callable gets the errors (repetitions, folds) of i and of j and
        returns the p-value of H0: mean of the first ≤ mean of the second, or a result that has it
        as ``pvalue``.
    margin : float, optional
        Turns the question round (non-inferiority; not in the paper): i keeps its place before j
        only if H0: μ_i ≥ μ_j + margin is rejected. See Notes.
    test_train_ratio : float, optional
        For "corrected-t"; by default that of folds which part the data, 1/(folds − 1).

    Returns
    -------
    Ordering
        A `MarginOrdering` where a margin was given.

    Notes
    -----
    To reject means p ≤ level and also p < ½, so that equal errors never override a preference,
    whatever the level.

    *Margin.* The paper's rule keeps the simpler learner unless it is shown to be worse; with few
    folds almost nothing is shown, and the pick can be far from the best. With a margin the burden
    of proof is the other way round. A candidate i is kept if **all** its tests against less
    preferred learners reject, so no correction is needed among them (an intersection-union test):
    each may have level α. What multiplies is the number of candidates, m − 1. Hence here
    ``correction="bonferroni"`` means α/(m − 1) a test, "holm" steps through the candidates' largest
    p-values, and with either the probability that the best one named is worse by the margin or more
    than any less preferred learner is at most α. With None this holds for each candidate alone.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import multitest
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((3, 5, 2))
    >>> errors = np.array([0.30, 0.12, 0.12])[:, None, None] + noise
    >>> ordering = multitest(errors, names=["mean", "linear", "forest"])
    >>> ordering.ordered_names
    ('linear', 'forest', 'mean')
    """
    table = _checked_errors(errors, names)
    m = len(table)
    found_names = learner_names(names, m)
    require_correction(correction)
    level_for_all = require_level(alpha)
    pairs = pairwise_pvalues(
        table, test=test, margin=_checked_margin(margin), test_train_ratio=test_train_ratio
    )
    edges, levels = decide_edges(pairs, m, level_for_all, correction, margin=margin is not None)
    order = order_by_removal(edges)
    kind = {} if margin is None else {"margin": float(margin)}
    return (Ordering if margin is None else MarginOrdering)(
        names=found_names,
        order=order,
        best=int(order[0]),
        edges=edges,
        pvalues=as_matrix(pairs, m),
        level=levels,
        alpha=level_for_all,
        correction=correction,
        test=_in_words(test),
        errors=table,
        **kind,
    )


def decide_edges(
    pairs: Floats, m: int, alpha: float, correction: Correction, *, margin: bool
) -> tuple[Bools, Values]:
    """Edges (..., m, m) and levels from the p-values of the pairs, (..., m (m − 1)/2).

    Examples
    --------
    >>> import numpy as np
    >>> edges, level = decide_edges(np.array([0.01, 0.3, 0.2]), 3, 0.06, "bonferroni", margin=False)
    >>> np.argwhere(edges).tolist(), level
    ([[0, 1]], 0.02)
    """
    if margin:
        levels = _candidate_levels(pairs, m, alpha, correction)
        overrides = ~((pairs <= levels) & (pairs < 0.5))
    else:
        levels = family_levels(pairs, alpha, correction)
        overrides = (pairs <= levels) & (pairs < 0.5)
    edges = np.zeros((*pairs.shape[:-1], m, m), dtype=bool)
    edges[(..., *np.triu_indices(m, 1))] = overrides
    return edges, levels if isinstance(levels, float) else as_matrix(levels, m)


def _candidate_levels(pairs: Floats, m: int, alpha: float, correction: Correction) -> Values:
    """Levels where each row i < m − 1 is one candidate, judged by its largest p-value."""
    starts = np.cumsum([0, *range(m - 1, 1, -1)])
    worst = np.maximum.reduceat(pairs, starts, axis=-1) if m > 1 else pairs
    levels = family_levels(worst, alpha, correction)
    if isinstance(levels, float):
        return levels
    return np.repeat(levels, np.arange(m - 1, 0, -1), axis=-1)


def as_matrix(pairs: Floats, m: int) -> Floats:
    """Put the values of the pairs i < j in (..., m, m), NaN elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> as_matrix(np.array([0.5]), 2)
    array([[nan, 0.5],
           [nan, nan]])
    """
    matrix = np.full((*pairs.shape[:-1], m, m), np.nan)
    matrix[(..., *np.triu_indices(m, 1))] = pairs
    return matrix


def _in_words(test: TestName | OneSidedTest) -> str:
    if isinstance(test, str):
        return _WORDS[test]
    return f"test {getattr(test, '__name__', type(test).__name__)!r}"


def _checked_errors(errors: ArrayLike, names: Sequence[str] | None) -> Floats:
    table = as_floats(errors, "errors")
    if table.ndim == 2:
        table = table[:, None, :]
    if table.ndim != 3 or not table.size:
        raise InvalidInput(
            f"errors has shape {table.shape}; expected (learners, repetitions, folds), "
            "(m, 5, 2) for the 5×2cv t test."
        )
    _require_complete(table, learner_names(names, len(table)))
    return table


def _require_complete(table: Floats, names: tuple[str, ...]) -> None:
    bad = np.argwhere(~np.isfinite(table))
    if len(bad):
        i, repetition, fold = bad[0]
        raise InvalidInput(
            f"the error of {names[i]!r} in repetition {repetition}, fold {fold} is "
            f"{table[i, repetition, fold]} ({len(bad)} such in all); expected finite numbers. "
            "Leave the learner out, or fit that fold again."
        )


def _checked_margin(margin: float | None) -> float | None:
    if margin is None:
        return None
    if not is_real(margin) or not 0.0 < margin < np.inf:
        raise InvalidInput(
            f"margin is {margin!r}; expected a positive difference in error, such as 0.02 for two "
            "points, or None for the paper's rule."
        )
    return float(margin)
