"""YA06 §3: MultiTest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison._inputs import checked_errors, is_real, learner_names, require_level
from polychotomy.comparison.graph import order_by_removal
from polychotomy.comparison.levels import Correction, as_matrix, decide_edges, require_correction
from polychotomy.comparison.ordering import MarginOrdering, Ordering
from polychotomy.comparison.pairwise import OneSidedTest, TestName, pairwise_pvalues
from polychotomy.exceptions import InvalidInput

_INDEPENDENT = "the differences in the folds are independent and normal"
# Each test in words, and what it assumes.
_WORDS: dict[TestName, tuple[str, str]] = {
    "5x2cv-t": ("5×2cv t test", _INDEPENDENT),
    "paired-t": ("paired t test", _INDEPENDENT),
    "corrected-t": (
        "corrected resampled t test",
        "the differences in the folds are normal, and as correlated as the share of test data says",
    ),
    "calibrated-t": (
        "t test with 10 calibrated degrees of freedom",
        "the differences in the folds are normal, and worth 11 independent ones",
    ),
    "wilcoxon": (
        "Wilcoxon signed-rank test",
        "the differences in the folds are independent and symmetric",
    ),
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
    test : {"5x2cv-t", "paired-t", "corrected-t", "calibrated-t", "wilcoxon"} or callable
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
    of proof is the other way round. On sets of 100 to 600 cases from fourteen populations (the
    truth lab, in the documentation) the paper's rule picks learners whose error is some 8 points
    above the best one's. With ``test="corrected-t", correction=None, margin=0.01, alpha=0.5`` on
    5×5 folds it is 0.7, as for the lowest mean, and every second pick is logistic regression or
    simpler, against every third.

    *Levels with a margin.* A candidate i is kept if **all** its tests against less preferred
    learners reject, so no correction is needed among them (an intersection-union test): each may
    have level α. What multiplies is the number of candidates, m − 1. Hence here
    ``correction="bonferroni"`` means α/(m − 1) a test, "holm" steps through the candidates' largest
    p-values, and with either the probability that the best one named is worse by the margin or more
    than some less preferred learner is at most α. With None this holds for each candidate alone.
    Nothing is claimed of the best against learners preferred to it that were not shown good enough.

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
    table = checked_errors(errors, names)
    m = len(table)
    found_names = learner_names(names, m)
    require_correction(correction)
    level_for_all = require_level(alpha)
    pairs = pairwise_pvalues(
        table, test=test, margin=checked_margin(margin), test_train_ratio=test_train_ratio
    )
    edges, levels = decide_edges(pairs, m, level_for_all, correction, margin=margin is not None)
    order = order_by_removal(edges)
    words, assumption = _in_words(test)
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
        test=words,
        assumption=assumption,
        errors=table,
        **kind,
    )


def _in_words(test: TestName | OneSidedTest) -> tuple[str, str]:
    if isinstance(test, str):
        return _WORDS[test]
    name = getattr(test, "__name__", type(test).__name__)
    return f"test {name!r}", f"what {name!r} assumes"


def checked_margin(margin: float | None) -> float | None:
    """Refuse a margin that is not positive."""
    if margin is None:
        return None
    if not is_real(margin) or not 0.0 < margin < np.inf:
        raise InvalidInput(
            f"margin is {margin!r}; expected a positive difference in error, such as 0.02 for two "
            "points, or None for the paper's rule."
        )
    return float(margin)
