"""YA06 §2.5 and §4.2: other ways to name a best learner, some of which cannot always name one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.friedman import names_of
from polychotomy.comparison.groups import anova_test, in_own_unit
from polychotomy.comparison.inputs import NOISE, checked_errors, midranks
from polychotomy.comparison.newman_keuls import critical_ranges, not_told_apart, studentized_ranges
from polychotomy.comparison.ordering import decide_edges
from polychotomy.comparison.pairs import in_a_row, pairwise_pvalues
from polychotomy.core.arguments import as_floats, check_finite, check_share, wrong_shape
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.result import DataFrame, Result

NOT_FOUND = -1


def select_anova(errors: ArrayLike, *, alpha: float = 0.05) -> int | None:
    """Name the most preferred learner if Anova finds no difference, else nobody.

    YA06 §4.2. See `anova_test`.

    Parameters
    ----------
    errors : (m, 5, 2) or (m, repetitions, folds) array-like
        Rows in order of preference.
    alpha : float

    Returns
    -------
    int or None
        0, or None where the test rejects.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import select_anova
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 5, 2))
    >>> print(select_anova([[[0.1]], [[0.1]]] + noise), select_anova([[[0.3]], [[0.1]]] + noise))
    0 None
    """
    return _found(choose_by_anova(checked_errors(errors), _level(alpha)))


def select_newman_keuls(errors: ArrayLike, *, alpha: float = 0.05) -> int | None:
    """Name the most preferred learner of those that Newman–Keuls puts with the smallest mean.

    YA06 §4.2. Let G be the underline that starts at the smallest mean (or just that learner), and l
    the most preferred in it. The best is l, unless another underline that holds l holds a learner
    preferred to l: then l was not told apart from a simpler one, which is told apart from the
    smallest mean, and nobody is named. (The paper's underlines are lost in print; this reading
    agrees with its examples and, in simulation, with its Table 3.)

    Parameters
    ----------
    errors : (m, 5, 2) or (m, repetitions, folds) array-like
        Rows in order of preference.
    alpha : float

    Returns
    -------
    int or None

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import select_newman_keuls
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((3, 5, 2))
    >>> select_newman_keuls([[[0.3]], [[0.1]], [[0.1]]] + noise)
    1
    """
    return _found(choose_by_newman_keuls(checked_errors(errors), _level(alpha)))


def select_testfirst(errors: ArrayLike, *, alpha: float = 0.05) -> int | None:
    """Name the learner with the smallest mean error, if tests confirm it.

    YA06 §4.2, TestFirst: it must be significantly better than every preferred learner, and not
    significantly worse than any less preferred one. The paper does not state the level; each test
    is held to α/(m (m − 1)/2), as in `multitest`, which agrees with its Table 3.

    Parameters
    ----------
    errors : (m, 5, 2) or (m, repetitions, folds) array-like
        Rows in order of preference; of equal means the most preferred counts as smallest.
    alpha : float

    Returns
    -------
    int or None

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import select_testfirst
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 5, 2))
    >>> select_testfirst([[[0.3]], [[0.1]]] + noise)
    1
    """
    table = checked_errors(errors)
    pairs = pairwise_pvalues(table, test="5x2cv-t")
    edges, _ = decide_edges(pairs, len(table), _level(alpha), "bonferroni", margin=False)
    return _found(choose_by_testfirst(table, edges))


def choose_by_anova(tables: Floats, alpha: float) -> Ints:
    """`select_anova` of a batch (..., m, repetitions, folds); −1 where nobody is named."""
    if tables.shape[-3] == 1:
        return np.zeros(tables.shape[:-3], dtype=np.intp)
    pvalue = np.asarray(anova_test(in_a_row(tables)).pvalue)
    return np.where(pvalue > alpha, 0, NOT_FOUND)


def choose_by_newman_keuls(tables: Floats, alpha: float) -> Ints:
    """`select_newman_keuls` of a batch (..., m, repetitions, folds); −1 where nobody is named."""
    rows = in_a_row(tables)
    m, folds = rows.shape[-2:]
    if m == 1:
        return np.zeros(tables.shape[:-3], dtype=np.intp)
    order, ranges = studentized_ranges(rows)
    together = not_told_apart(ranges, critical_ranges(m, m * (folds - 1), alpha))
    first = together[..., 0, :]  # G, as places by ascending mean
    best = np.where(first, order, m).min(axis=-1)
    at = np.argmax(order == best[..., None], axis=-1)  # its place
    reach = np.take_along_axis(together, at[..., None, None], axis=-2)[..., 0, :]
    beyond = reach & (np.arange(m) > at[..., None]) & ~first
    simpler = (beyond & (order < best[..., None])).any(axis=-1)
    return np.where(simpler, NOT_FOUND, best)


def choose_by_testfirst(tables: Floats, edges: Bools) -> Ints:
    """`select_testfirst` of a batch and its graph (..., m, m); −1 where nobody is named."""
    m = tables.shape[-3]
    means = in_own_unit(in_a_row(tables)).mean(axis=-1)
    first = np.argmin(midranks(means, noise=NOISE), axis=-1)
    index = first[..., None, None]
    overrides = np.take_along_axis(edges, index, axis=-1)[..., 0]  # who is overridden by it
    overridden = np.take_along_axis(edges, index, axis=-2)[..., 0, :].any(axis=-1)
    beats_all = (overrides | (np.arange(m) >= first[..., None])).all(axis=-1)
    return np.where(beats_all & ~overridden, first, NOT_FOUND)


def _level(alpha: float) -> float:
    return check_share("alpha", alpha, such_as=0.05)


def _found(choice: Ints) -> int | None:
    return None if choice.item() == NOT_FOUND else int(choice.item())


class MultinomialSelection(Result):
    """Who gives the true class the highest probability most often.

    Parameters
    ----------
    names : tuple of str
    wins : (m,) floats
        Cases won; a tie is shared equally.
    best : int
        Row with the most wins, the most preferred of equals.
    n : int
        Cases.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import multinomial_selection
    >>> values = np.array([[0.9, 0.8], [0.7, 0.6], [0.4, 0.5], [0.9, 0.1]])
    >>> found = multinomial_selection(values, names=["A", "B"])
    >>> print(found)
    Cases won, of 4: A 3 (75 %), B 1 (25 %).
    """

    names: tuple[str, ...]
    wins: Floats
    best: int
    n: int

    def to_frame(self) -> DataFrame:
        """One row for each classifier."""
        return self._frame(learner=self.names, share=self.wins / self.n, wins=self.wins)

    def __str__(self) -> str:
        found = ", ".join(
            f"{name} {wins:.6g} ({100 * wins / self.n:.3g} %)"
            for name, wins in zip(self.names, self.wins, strict=True)
        )
        return f"Cases won, of {self.n}: {found}."


def multinomial_selection(
    values: ArrayLike, *, names: Sequence[str] | None = None
) -> MultinomialSelection:
    """Name the classifier that gives the true class the highest probability most often.

    MSP, of Alsing, Bauer and Miller (2002; YA06 §2.5): each test case is won by the classifier with
    the highest posterior for its true class, and the most wins make the best. It suits classifiers
    with fine-grained probabilities; ties are shared equally. A case won by a hair counts as one won
    clearly, so look at the errors and the calibration too.

    Parameters
    ----------
    values : (n, m) array-like
        What each of m classifiers gives the true class of each of n cases; larger is better.
    names : sequence of str, optional
        By default the columns of a data frame.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import multinomial_selection
    >>> found = multinomial_selection([[0.9, 0.8], [0.7, 0.7], [0.4, 0.5], [0.9, 0.1]])
    >>> found.best, found.wins
    (0, array([2.5, 1.5]))
    """
    table = as_floats("values", values)
    if table.ndim != 2 or not table.size:
        raise wrong_shape("values", table, "(cases, classifiers)")
    check_finite("values", table)
    winners = table == table.max(axis=1, keepdims=True)
    wins = (winners / winners.sum(axis=1, keepdims=True)).sum(axis=0)
    return MultinomialSelection(
        names=names_of(values, names, table.shape[1]),
        wins=wins,
        best=int(np.argmin(midranks(-wins))),
        n=len(table),
    )
