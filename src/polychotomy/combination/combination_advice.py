"""CombinationAdvice: what combining the candidates would gain, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.special import ndtri

from polychotomy._result import Result
from polychotomy.arrays import Floats
from polychotomy.combination.drawings import draw_weights

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Conclusion = Literal[
    "helps", "helps little", "makes no difference", "does not help", "harms", "undecided"
]
NEGLIGIBLE = 0.005  # AUC, half a point: within ± this nothing that matters is gained or lost
_POWER = 0.8


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CombinationAdvice(Result):
    """AUC of the cross-fitted combination against one candidate alone, with its error.

    Parameters
    ----------
    names : tuple of str
        The candidates combined.
    left_out : tuple of str
        Candidates without a prediction for some sample, which cannot be combined.
    weights : (m,) floats
        Mean weights over the folds and pairs of classes.
    best : str
        The candidate chosen most often as the best single one; in every fold it is chosen on the
        other folds, as the weights are, so neither side sees the samples it is judged on.
    over : str
        The candidate that the combination is compared with: the one asked for, else ``best``.
    auc, auc_over, auc_best, auc_average : float
        Of the combination, of the candidate it is compared with, of the best single candidate, of
        the plain average. With more than two classes, means over the pairs of classes.
    aucs : (m,) floats
        Of each candidate alone.
    difference : float
        ``auc − auc_over``.
    standard_error : float
        Of the difference: DeLong's, enlarged for folds that share what they learn on; for new
        samples, not for new training sets.
    pvalue : float
        Two-sided, of no difference.
    level : float
        Of the interval.
    n_samples : int
        Samples judged.
    n_class_pairs : int
        Pairs of classes in the means; pairs with too few samples are left out.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination import would_combining_help
    >>> from polychotomy.predictions import OutOfFold
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(400) % 2
    >>> p = 1 / (1 + np.exp(-rng.normal(size=(2, 400)) - 1.5 * (y - 0.5)))
    >>> p = np.stack([1 - p, p], axis=-1)[:, None, None]
    >>> advice = would_combining_help(OutOfFold(
    ...     names=("left", "right"), classes=("no", "yes"), y=y,
    ...     folds=(np.arange(400) // 80)[None, None], predicted=p.argmax(axis=-1),
    ...     probabilities=p, hard=np.zeros(2, dtype=bool),
    ... ))
    >>> advice.conclusion, advice.auc > advice.auc_best
    ('helps', True)
    """

    names: tuple[str, ...]
    left_out: tuple[str, ...]
    weights: Floats
    best: str
    over: str
    auc: float
    auc_over: float
    auc_best: float
    auc_average: float
    aucs: Floats
    difference: float
    standard_error: float
    pvalue: float
    level: float
    n_samples: int
    n_class_pairs: int

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the difference."""
        reach = float(ndtri((1 + self.level) / 2)) * self.standard_error
        return self.difference - reach, self.difference + reach

    @property
    def conclusion(self) -> Conclusion:
        """What the interval says, held against 0 and against half a point of AUC.

        =====================  ======================================================
        helps                  above 0, and it may be half a point or more
        helps little           above 0, and below half a point
        makes no difference    around 0, and less than half a point either way
        does not help          below half a point, and it may be a loss that matters
        harms                  below 0
        undecided              from 0 or less to half a point or more
        =====================  ======================================================
        """
        low, high = self.interval
        if low > 0:
            return "helps" if high >= NEGLIGIBLE else "helps little"
        if high < 0:
            return "harms"
        if high >= NEGLIGIBLE:
            return "undecided"
        return "makes no difference" if low > -NEGLIGIBLE else "does not help"

    @property
    def samples_to_decide(self) -> int:
        """About how many samples would decide with power 0.8, were the gain truly as estimated.

        Decide it to be more than 0 or, if that takes fewer, less than half a point.
        """
        z = float(ndtri((1 + self.level) / 2)) + float(ndtri(_POWER))
        needed = max(self.difference, NEGLIGIBLE - self.difference)  # from the farther bound
        return max(self.n_samples, ceil(self.n_samples * (z * self.standard_error / needed) ** 2))

    def to_frame(self) -> pd.DataFrame:
        """Return a row a candidate, and one each for the plain average and the combination."""
        import pandas as pd

        m = len(self.names)
        return pd.DataFrame(
            {
                "ranker": [*self.names, "plain average", "combination"],
                "weight": [*self.weights, *[np.nan] * 2],
                "auc": [*self.aucs, self.auc_average, self.auc],
                "kind": ["candidate"] * m + ["combination"] * 2,
            }
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the weights, with each candidate's AUC."""
        labels = [f"{name} ({area:.3f})" for name, area in zip(self.names, self.aucs, strict=True)]
        ax = draw_weights(self.weights, names=labels, ax=ax)
        ax.set_xlabel(f"weight; in parentheses the AUC alone, together {self.auc:.3f}")
        return ax

    def __str__(self) -> str:
        low, high = self.interval
        itself = (self.over, self.auc_over) == (self.best, self.auc_best)
        chosen = " (the best single one, chosen in each fold on the others)" if itself else ""
        numbers = (
            f"AUC {self.auc:.4f} against {self.auc_over:.4f} of {self.over} alone{chosen}, "
            f"difference {self.difference:+.4f} ({100 * self.level:g} % interval {low:+.4f} to "
            f"{high:+.4f}; DeLong's test with enlarged error, p = {self.pvalue:.2g}, for new "
            f"samples and these fits; a gain matters from {NEGLIGIBLE:g} on)"
        )
        return f"{_OPENINGS[self.conclusion]}: {numbers}.{self._more()}{self._others()}"

    def _more(self) -> str:
        if self.conclusion != "undecided":
            return ""
        return (
            f" About {self.samples_to_decide} samples would decide with power {_POWER:g}, were the "
            "difference this."
        )

    def _others(self) -> str:
        best = gone = ""
        if self.best != self.over:
            best = (
                f" The best single candidate, chosen in each fold on the others, is mostly "
                f"{self.best} (AUC {self.auc_best:.4f})."
            )
        if self.left_out:
            gone = f" Left out for want of predictions: {', '.join(self.left_out)}."
        return best + gone


_OPENINGS: dict[Conclusion, str] = {
    "helps": "Combining would help",
    "helps little": "Combining would help, but by less than matters",
    "makes no difference": "Combining would make no difference that matters",
    "does not help": "Combining would bring no gain that matters",
    "harms": "Combining would do harm",
    "undecided": "The data cannot tell whether combining would help",
}
