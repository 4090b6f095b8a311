"""YA06 §2.5: the multinomial selection procedure of Alsing, Bauer and Miller (2002)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import special
from scipy.fft import irfft, rfft

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
from polychotomy.core.arrays import Floats, Ints
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
    >>> round(found.probability_correct(4.0), 3)  # if one wins four times as often
    0.896
    >>> print(found)
    Of 4 cases A wins 3 (75 %), B 1 (25 %). If one of them wins twice as often as any other in \
truth, the most frequent winner of 4 cases is that one with a probability of at least 0.741.
    """

    names: tuple[str, ...]
    wins: Floats
    best: int
    n: int

    @property
    def shares(self) -> Floats:
        """(m,) share of the cases won."""
        return np.asarray(self.wins / self.n)

    def probability_correct(self, ratio: float) -> float:
        """Return the least probability that the right one is named, over all ways to be close.

        If the truly best wins ``ratio`` times as often as any other, the hardest case is that all
        others win equally often (Bechhofer, Elmaghraby and Morse, 1959); see
        `probability_of_correct_selection`.
        """
        return probability_of_correct_selection(self.n, len(self.names), ratio)

    def to_frame(self) -> DataFrame:
        """One row for each classifier."""
        return self._frame(learner=self.names, share=self.shares, wins=self.wins)

    def __str__(self) -> str:
        found = [
            f"{name} {'wins ' if i == 0 else ''}{wins:.6g} ({100 * wins / self.n:.3g} %)"
            for i, (name, wins) in enumerate(zip(self.names, self.wins, strict=True))
        ]
        start = f"Of {self.n} cases {', '.join(found)}."
        if len(self.names) == 1:
            return start
        return (
            f"{start} If one of them wins twice as often as any other in truth, the most frequent "
            f"winner of {self.n} cases is that one with a probability of at least "
            f"{self.probability_correct(2.0):.3g}."
        )


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
        Outcomes, two or more.
    ratio : float
        1 or more.

    Examples
    --------
    One trial names the likeliest of three with its own probability, 2/4:

    >>> from polychotomy.comparison import probability_of_correct_selection
    >>> round(probability_of_correct_selection(1, 3, 2.0), 12)
    0.5
    """
    check_count("n", n, least=1, unit="trials")
    check_count("m", m, least=1, unit="outcomes")
    if not is_number(ratio) or not 1 <= ratio < np.inf:
        raise unexpected(
            "ratio", ratio, "how much likelier the best outcome is than the others, at least 1"
        )
    if m == 1:
        return 1.0
    other = 1.0 / (ratio + m - 1)
    counts = np.arange(n + 1)
    best, pmf = _poisson(counts, n * ratio * other), _poisson(counts, n * other)
    total = 0.0
    for count in counts[best > 1e-18 * best.max()]:
        total += float(best[count]) * _share_of_wins(pmf, int(count), n - int(count), m - 1)
    return float(np.clip(total / float(_poisson(np.array(n), n)), 0.0, 1.0))


def _poisson(counts: Ints, mean: float) -> Floats:
    return np.asarray(np.exp(special.xlogy(counts, mean) - mean - special.gammaln(counts + 1.0)))


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
    ways = special.comb(others, ties) / (ties + 1)
    total = ways @ (tied ** ties[:, None] * below ** (others - ties)[:, None])
    return float(irfft(total, size)[rest])
