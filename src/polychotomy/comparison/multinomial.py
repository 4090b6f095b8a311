"""YA06 §2.5: the multinomial selection procedure of Alsing, Bauer and Miller (2002)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, rfft
from scipy.special import comb
from scipy.stats import poisson

from polychotomy.comparison.friedman import names_of
from polychotomy.comparison.inputs import midranks
from polychotomy.core.arguments import (
    as_floats,
    check_count,
    check_finite,
    is_number,
    unexpected,
    wrong_shape,
)
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


def probability_of_correct_selection(n: int, m: int, ratio: float) -> float:
    """Probability that the most frequent of m outcomes in n trials is the likeliest one.

    In the least favourable case (Bechhofer, Elmaghraby and Morse, 1959): one outcome is ``ratio``
    times as likely as each of the others; ties are broken by lot. Exact: n Poisson counts of the
    same shares, given their sum, are multinomial, and sums are convolutions.

    Parameters
    ----------
    n : int
        Trials.
    m : int
        Outcomes.
    ratio : float
        1 or more.

    Examples
    --------
    One trial names the likeliest of three with its own probability, 2/4:

    >>> from polychotomy.comparison import probability_of_correct_selection
    >>> round(probability_of_correct_selection(1, 3, 2.0), 12)
    0.5
    """
    check_count("n", n, unit="trials")
    check_count("m", m, unit="outcomes")
    if not is_number(ratio) or not 1 <= ratio < np.inf:
        raise unexpected("ratio", ratio, "how much likelier the best outcome is, at least 1")
    other = 1.0 / (ratio + m - 1)
    counts = np.arange(n + 1)
    best, pmf = poisson.pmf(counts, n * ratio * other), poisson.pmf(counts, n * other)
    likely = counts[best > 1e-18 * best.max()].tolist()
    total = sum(best[count] * _share_of_wins(pmf, count, n - count, m - 1) for count in likely)
    return float(np.clip(total / poisson.pmf(n, n), 0.0, 1.0))


def _share_of_wins(pmf: Floats, count: int, rest: int, others: int) -> float:
    """E[1/(1 + ties); the others' counts are at most ``count`` and sum to ``rest``].

    Of each number of ties, the sum of the other counts is a convolution of what is below
    ``count``: a product of Fourier transforms.
    """
    size = others * count + 1
    if rest >= size:
        return 0.0
    below, tied = rfft(pmf[:count], size), rfft(np.eye(1, size, count)[0] * pmf[count])
    ties = np.arange(others + 1)
    ways = comb(others, ties) / (ties + 1)
    total = ways @ (tied ** ties[:, None] * below ** (others - ties)[:, None])
    return float(irfft(total, size)[rest])
