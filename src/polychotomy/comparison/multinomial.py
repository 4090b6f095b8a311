"""YA06 §2.5: the multinomial selection procedure of Alsing, Bauer and Miller (2002)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.friedman import names_of
from polychotomy.comparison.inputs import midranks
from polychotomy.core.arguments import as_floats, check_finite, wrong_shape
from polychotomy.core.arrays import Floats
from polychotomy.core.result import DataFrame, Result


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

    MSP (YA06 §2.5): each test case is won by the classifier with the highest posterior for its true
    class, and the most wins make the best. It suits classifiers with fine-grained probabilities;
    ties are shared equally. A case won by a hair counts as one won clearly, so look at the errors
    and the calibration too.

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
