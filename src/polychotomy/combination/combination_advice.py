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

Conclusion = Literal["helps", "harms", "makes no difference", "undecided"]
NEGLIGIBLE = 0.005  # AUC: within ± this nothing that matters is gained or lost


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CombinationAdvice(Result):
    """AUC of the cross-fitted combination against the best single candidate, with its error.

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
    auc, auc_best, auc_average : float
        Of the combination, of the best single candidate, of the plain average. With more than two
        classes, means over the pairs of classes.
    aucs : (m,) floats
        Of each candidate alone.
    difference : float
        ``auc − auc_best``.
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
    auc: float
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
        """What the interval says."""
        low, high = self.interval
        if low > -NEGLIGIBLE and high < NEGLIGIBLE:
            return "makes no difference"
        if low > 0:
            return "helps"
        return "harms" if high < 0 else "undecided"

    @property
    def samples_to_decide(self) -> int:
        """About how many samples would decide, were the difference truly as estimated.

        Decide it to be other than 0 or, if that takes fewer, too small to matter.
        """
        low, _ = self.interval
        reach, size = self.difference - low, abs(self.difference)
        needed = max(size, NEGLIGIBLE - size)  # half an interval that would decide
        return max(self.n_samples, ceil(self.n_samples * (reach / needed) ** 2))

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
        numbers = (
            f"AUC {self.auc:.4f} against {self.auc_best:.4f} of the best single candidate "
            f"(mostly {self.best}), difference {self.difference:+.4f} ({self.level:.0%} interval "
            f"{low:+.4f} to {high:+.4f}; DeLong's test with enlarged error, p = {self.pvalue:.2g}, "
            "for new samples and these fits)"
        )
        gone = f" Left out for want of predictions: {', '.join(self.left_out)}."
        return f"{_OPENINGS[self.conclusion]}: {numbers}.{self._more()}" + gone * bool(
            self.left_out
        )

    def _more(self) -> str:
        if self.conclusion != "undecided":
            return ""
        return f" About {self.samples_to_decide} samples would decide, were the difference this."


_OPENINGS: dict[Conclusion, str] = {
    "helps": "Combining would help",
    "harms": "Combining would do harm",
    "makes no difference": "Combining would make no difference that matters",
    "undecided": "The data cannot tell whether combining would help",
}
