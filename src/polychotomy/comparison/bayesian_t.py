"""The Bayesian correlated t test with a region of practical equivalence."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.inputs import Values, as_values
from polychotomy.comparison.paired_t import corrected_t_test
from polychotomy.core.arguments import check_share, is_number, unexpected
from polychotomy.core.arrays import Floats
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


class DifferencePosterior(Result):
    """What is believed of the difference of two learners' errors after seeing the folds.

    Student's t with ``df`` degrees of freedom around ``mean_difference`` with scale ``scale``; a
    point where the scale is 0.

    Parameters
    ----------
    a_better, equivalent, b_better : float or (...) floats
        Probabilities that a's error is smaller by more than the rope, that the two are practically
        equivalent, and that b's error is smaller by more than the rope. They add to 1.
    rope : float
        Half-width of the region of practical equivalence.
    mean_difference : float or (...) floats
        Mean of a − b.
    scale : float or (...) floats
    df : int

    Examples
    --------
    >>> from polychotomy.comparison import bayesian_t_test
    >>> a, b = [0.30, 0.26, 0.28, 0.32], [0.25, 0.25, 0.24, 0.26]
    >>> posterior = bayesian_t_test(a, b, test_train_ratio=1 / 3, rope=0.01)
    >>> print(posterior)  # doctest: +NORMALIZE_WHITESPACE
    Bayesian correlated t test: the first learner is better with probability 0.0281, the two are
    practically equivalent (difference of at most 0.01) with 0.0552, the second is better with
    0.917.
    """

    a_better: Values
    equivalent: Values
    b_better: Values
    rope: float
    mean_difference: Values
    scale: Values
    df: int

    @property
    def probabilities(self) -> tuple[Values, Values, Values]:
        """(a better, equivalent, b better): left of, inside and right of the rope."""
        return self.a_better, self.equivalent, self.b_better

    def credible_interval(self, level: float = 0.95) -> tuple[Values, Values]:
        """Return the ends of the central interval that holds the difference with this probability.

        Examples
        --------
        >>> from polychotomy.comparison import bayesian_t_test
        >>> posterior = bayesian_t_test([3, 5, 4], [1, 2, 3], test_train_ratio=0.5, rope=0.1)
        >>> [round(end, 3) for end in posterior.credible_interval()]
        [-1.928, 5.928]
        """
        width = special.stdtrit(self.df, 0.5 + check_share("level", level, such_as=0.95) / 2)
        reach = width * np.asarray(self.scale)
        mean = np.asarray(self.mean_difference)
        return as_values(mean - reach), as_values(mean + reach)

    def to_frame(self) -> DataFrame:
        """One row for each comparison."""
        return self._frame("mean_difference", "a_better", "equivalent", "b_better", "rope")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the density of the difference, the rope shaded."""
        ax = new_axes(ax, height=3.0)
        for mean, scale in zip(np.ravel(self.mean_difference), np.ravel(self.scale), strict=True):
            draw_posterior(ax, float(mean), float(scale), self.df)
        ax.axvspan(-self.rope, self.rope, color="0.9", zorder=0, label="practically equivalent")
        ax.set_xlabel("error of a − error of b")
        ax.set_yticks([])
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.legend(frameon=False)
        return ax

    def __str__(self) -> str:
        if np.ndim(self.a_better):
            likely = np.max([np.ravel(p) for p in self.probabilities], axis=0)
            return (
                f"Bayesian correlated t test: in {int((likely >= 0.95).sum())} of {likely.size} "
                "comparisons one conclusion has a probability of 0.95 or more."
            )
        return (
            f"Bayesian correlated t test: the first learner is better with probability "
            f"{self.a_better:.3g}, the two are practically equivalent (difference of at most "
            f"{self.rope:g}) with {self.equivalent:.3g}, the second is better with "
            f"{self.b_better:.3g}."
        )


def draw_posterior(ax: Axes, mean: float, scale: float, df: int) -> None:
    """Draw the shape of a t density; a line where the scale is 0."""
    if scale == 0:
        ax.axvline(mean, color="C0", linewidth=2)
        return
    t = np.linspace(-6, 6, 301)
    x, density = mean + scale * t, (1 + t**2 / df) ** (-(df + 1) / 2)  # up to a factor
    ax.plot(x, density, color="C0")
    ax.fill_between(x, density, color="C0", alpha=0.2)


def bayesian_t_test(
    a: ArrayLike, b: ArrayLike, *, test_train_ratio: float, rope: float
) -> DifferencePosterior:
    """Bayesian correlated t test of two learners' errors (Corani and Benavoli, 2015).

    With a flat prior the difference of the errors is Student's t around the mean difference m with
    scale √((1/L + ρ) S²) and L − 1 degrees of freedom: the numbers of `corrected_t_test`, read as
    belief. The probabilities are values of its distribution function; nothing is sampled.

    Parameters
    ----------
    a, b : (..., L) array-like
        Errors of the two learners on L ≥ 2 resamples; flatten repetitions × folds into one axis.
        Leading axes are a batch of comparisons.
    test_train_ratio : float
        ρ = n_test/n_train: 1/(k − 1) for k-fold cross-validation, however often repeated.
    rope : float
        Differences of at most this count as practical equivalence; 0.01 is one point of error.

    Notes
    -----
    A probability of 0.95 is not a test at 5 %: without a rope, one of two equal learners is called
    better with that probability (the certificate of honesty, in the documentation; ten times
    10-fold, n from 50 to 5,000) in 7 to 9 % of cases with linear learners and 15 to 18 % with the
    nearest neighbour.

    Examples
    --------
    >>> from polychotomy.comparison import bayesian_t_test
    >>> a, b = [0.30, 0.26, 0.28, 0.32], [0.25, 0.25, 0.24, 0.26]
    >>> posterior = bayesian_t_test(a, b, test_train_ratio=1 / 3, rope=0.01)
    >>> [round(p, 3) for p in posterior.probabilities]
    [0.028, 0.055, 0.917]
    """
    if not is_number(rope) or not 0.0 <= rope < np.inf:
        raise unexpected("rope", rope, "a difference of errors, 0 or more")
    test = corrected_t_test(a, b, test_train_ratio=test_train_ratio)
    mean, scale = np.asarray(test.estimate), np.asarray(test.standard_error)
    left = _below(-rope - mean, scale, test.df)
    right = _below(mean - rope, scale, test.df)
    if rope == 0:  # no region: a tie is shared out between the two sides
        tie = (scale == 0) & (mean == 0)
        left, right = np.where(tie, 0.5, left), np.where(tie, 0.5, right)
    return DifferencePosterior(
        a_better=as_values(left),
        equivalent=as_values(np.clip(1.0 - left - right, 0.0, 1.0)),
        b_better=as_values(right),
        rope=float(rope),
        mean_difference=test.estimate,
        scale=test.standard_error,
        df=test.df,
    )


def _below(distance: Floats, scale: Floats, df: int) -> Floats:
    """P(scale · T < distance); the point mass at 0 lies below positive distances only."""
    inside = special.stdtr(df, distance / np.where(scale == 0, 1.0, scale))
    return np.asarray(np.where(scale == 0, (distance > 0).astype(float), inside))
