"""ErrorDecomposition: the error budget of a learner (T96), its tables and its drawings."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

import numpy as np

from polychotomy.core.arguments import unexpected
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.result import Axes, DataFrame, Result, new_axes
from polychotomy.decomposition.accumulation import QUANTITIES

_ERROR, _AGGREGATED, _EFFECT, _VARIANCE, _REVERSED = range(5)


class ErrorDecomposition(Result):
    """What limits a learner's error, from bootstrap fits and the samples each left out (T96).

    Arrays with a last axis of 5 hold error, aggregated_error, aggregation_effect, variance and
    reversed_variance; those with a first axis of 1 + k hold all samples, then each class.

    Parameters
    ----------
    loss : str
        Name of the loss.
    classes : tuple of str
        Class labels as text.
    y : (n,) ints
        Class codes.
    n_bootstraps : int
        Number of fits, b.
    n_out_of_bag : (n,) ints
        Fits that left each sample out, B_i.
    aggregated : (n, k) floats
        Out-of-bag prediction of the bagged learner, C_A (eq. 24); NaN where never out of bag.
    votes : (n, k) floats
        Share of the fits that vote for each class, ties shared; NaN where never out of bag.
    estimates, monte_carlo_errors, monte_carlo_biases : (1 + k, 5) floats
        Means over samples; their standard errors from having b fits and not endlessly many; and
        the biases from the same cause. An average of few fits is a worse classifier than the
        average of endlessly many, so the aggregated error leans upwards.
    lows, highs : (1 + k, 5) floats
        95 % intervals over samples, the fits taken as given.
    sample_estimates : (n, 5) floats
        The estimates for each sample; NaN where never out of bag.
    bayes_bound : float
        Cover and Hart's lower limit of the Bayes error (eq. 32), 0 without a neighbour error. It
        is a limit for endless data, often false at finite n: not noise that nobody can remove.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import decompose_predictions
    >>> votes = np.array([[[0.0, 1.0]], [[0.0, 1.0]], [[1.0, 0.0]]])  # three fits, one sample
    >>> one = decompose_predictions(votes, np.zeros((3, 1), dtype=int), [1])
    >>> one.per_sample.round(3)
       error  aggregated_error  variance  reversed_variance
    0  0.333               0.0     0.333              0.111
    """

    loss: str
    classes: tuple[str, ...]
    y: Ints | Floats
    n_bootstraps: int
    n_out_of_bag: Ints
    aggregated: Floats
    votes: Floats
    estimates: Floats
    monte_carlo_errors: Floats
    monte_carlo_biases: Floats
    lows: Floats
    highs: Floats
    sample_estimates: Floats
    bayes_bound: float

    @property
    def error(self) -> float:
        """Error of the learner fitted to a bootstrap sample, Err(C) (eq. 29)."""
        return float(self.estimates[0, _ERROR])

    @property
    def aggregated_error(self) -> float:
        """Error of the bagged learner, Err(C_A) (eq. 28)."""
        return float(self.estimates[0, _AGGREGATED])

    @property
    def aggregation_effect(self) -> float:
        """Error minus aggregated error, AE (eq. 30): against a fit to a *bootstrap* sample.

        That fit sees 63 % of the cases, so this is too hopeful as advice on bagging; ask
        :func:`would_bagging_help`. Never NaN: a sample on which both errors are infinite
        contributes zero.
        """
        return float(self.estimates[0, _EFFECT])

    @property
    def variance(self) -> float:
        """Variance PE(C, C_A) (eqs. 11, 25)."""
        return float(self.estimates[0, _VARIANCE])

    @property
    def shape_effect(self) -> float:
        """What the shape of the loss adds to the variance, AE − Var (eq. 17); 0 if squared."""
        return self.aggregation_effect - self.variance

    @property
    def reversed_variance(self) -> float:
        """PE(C_A, C): what eq. (21) and the paper's figure 1 show in place of the variance."""
        return float(self.estimates[0, _REVERSED])

    @property
    def bias_bound(self) -> float:
        """Aggregated error minus ``bayes_bound`` (eqs. 31, 33): no more than this is bias.

        As in the paper it may be negative, which says that ``bayes_bound`` is false.
        """
        return self.aggregated_error - self.bayes_bound

    @property
    def n_never_out_of_bag(self) -> int:
        """Samples that every fit had seen, left out of every average."""
        return int((self.n_out_of_bag == 0).sum())

    @property
    def n_infinite(self) -> int:
        """Samples whose error is infinite: some fit gave their class probability zero."""
        return int(np.isinf(self.sample_estimates[:, _ERROR]).sum())

    @property
    def per_sample(self) -> DataFrame:
        """Error, aggregated_error, variance and reversed_variance of each sample."""
        columns = dict(zip(QUANTITIES, self.sample_estimates.T, strict=True))
        return self._frame(**columns).drop(columns="aggregation_effect")

    def to_frame(self) -> DataFrame:
        """Return a row for each quantity and class, "all" first, and the two bounds at the end.

        The Bayes bound is taken as given; what is uncertain about the bias bound is the
        aggregated error.
        """
        import pandas as pd

        scopes = ["all", *self.classes]
        columns = {
            "quantity": np.tile(QUANTITIES, len(scopes)),
            "class": np.repeat(scopes, len(QUANTITIES)),
            "estimate": self.estimates,
            "monte_carlo_error": self.monte_carlo_errors,
            "monte_carlo_bias": self.monte_carlo_biases,
            "low": self.lows,
            "high": self.highs,
        }
        frame, bound = self._frame(**columns), self.bayes_bound
        bias = frame.loc[[_AGGREGATED]].assign(quantity="bias_bound")
        bias[["estimate", "low", "high"]] -= bound
        frame.loc[len(frame)] = ("bayes_bound", "all", bound, 0.0, 0.0, bound, bound)
        return pd.concat([frame, bias], ignore_index=True)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the budget as one stacked bar (see :func:`draw_error_budget`)."""
        return draw_error_budget({"learner": self}, ax=ax)

    def __str__(self) -> str:
        spread = self.monte_carlo_errors[0, _ERROR]
        known = f"± {spread:.2g}" if np.isfinite(spread) else "± unknown"
        said = (
            f"{self.loss} error {self.error:.4g} ({known} from {self.n_bootstraps} bootstrap "
            f"fit{'s' if self.n_bootstraps > 1 else ''} and not endlessly many), bagged "
            f"{self.aggregated_error:.4g}, aggregation effect {self.aggregation_effect:+.4g}, "
            f"variance {self.variance:.4g}"
        )
        said += self._say_bound()
        if self.n_never_out_of_bag:
            n = self.y.shape[0]
            said += f"; {self.n_never_out_of_bag} of {n} samples never out of bag, left out"
        if self.n_infinite:
            said += f"; infinite on {self.n_infinite} samples given probability zero by some fit"
        return said + "."

    def _say_bound(self) -> str:
        if self.bayes_bound == 0:
            return ""
        if self.bias_bound < 0:
            return f"; Cover–Hart Bayes limit {self.bayes_bound:.4g}, above that and not believed"
        return (
            f"; Cover–Hart Bayes limit {self.bayes_bound:.4g} (asymptotic: may be false at "
            f"n = {self.y.shape[0]}), bias at most {self.bias_bound:.4g} if it holds"
        )


# Okabe and Ito's colours, told apart by colour-blind readers too.
_GREY, _BLUE, _ORANGE, _GREEN = "#999999", "#0072B2", "#E69F00", "#009E73"


def draw_error_budget(
    decompositions: Mapping[str, ErrorDecomposition], ax: Axes | None = None
) -> Axes:
    """Draw each learner's error as one stacked bar: Bayes bound, bias bound, aggregation effect.

    A negative aggregation effect is hatched and taken off the end of the bar. The black mark is
    the error, with its interval over samples. The first two parts are the paper's bounds
    (eqs. 32, 33), labelled as such: the first may exceed the true Bayes error at finite n. Where
    it exceeds the error of the bagged learner it cannot be believed: then it is no part of the
    bar but a dotted mark.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import decompose_predictions
    >>> from polychotomy.decomposition import draw_error_budget
    >>> votes = np.eye(2)[[[0], [1], [1]]]
    >>> budget = decompose_predictions(votes, np.zeros((3, 1)), [1], nearest_neighbour_error=0.1)
    >>> draw_error_budget({"votes": budget}).get_xlabel()
    'misclassification error'
    """
    given = list(decompositions.values()) if isinstance(decompositions, Mapping) else []
    if not given or not all(isinstance(one, ErrorDecomposition) for one in given):
        raise unexpected("decompositions", decompositions, "{learner: what decompose_error found}")
    ax = new_axes(ax, width=7.0, height=2.2 + 0.5 * len(decompositions))
    for row, budget in enumerate(given):
        _draw_bar(ax, row, budget)
    ax.set_yticks(range(len(given)), ["\n".join(wrap(name, 24)) for name in decompositions])
    ax.invert_yaxis()
    ax.set_xlim(left=0)
    ax.set_xlabel(f"{given[0].loss} error")
    handles, labels = ax.get_legend_handles_labels()
    once = dict(zip(labels, handles, strict=True))  # a part of several bars is named once
    ax.legend(once.values(), once.keys(), loc="lower left", bbox_to_anchor=(0, 1.0),
              fontsize="small", frameon=False)  # fmt: skip
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _draw_bar(ax: Axes, row: int, budget: ErrorDecomposition) -> None:
    aggregated, effect = np.nan_to_num(budget.estimates[0, [1, 2]], posinf=0.0).tolist()
    refuted = budget.bayes_bound > aggregated
    bound = 0.0 if refuted else budget.bayes_bound
    for left, width, colour, hatch, name in (
        (0.0, bound, _GREY, "", "Cover–Hart Bayes limit (asymptotic, may be false)"),
        (bound, aggregated - bound, _BLUE, "", f"bias, at most (eq. {33 if bound else 31})"),
        (aggregated, effect, _ORANGE, "", "aggregation effect"),
        (aggregated + effect, -effect, "none", "////", "negative aggregation effect"),
    ):
        if width > 0:
            edge = "black" if hatch else "white"
            ax.barh(row, width, 0.6, left=left, color=colour, hatch=hatch, ec=edge, label=name)
    if refuted:
        ends = (row - 0.38, row + 0.38)
        text = "Cover–Hart limit, above the bagged error: not believed"
        ax.plot([budget.bayes_bound] * 2, ends, color="black", ls=":", label=text)
    error, low, high = budget.error, budget.lows[0, 0], budget.highs[0, 0]
    if np.isfinite(error):
        reach = [[error - low], [high - error]]
        text = "error, 95 % interval over samples"
        ax.errorbar(error, row, xerr=reach, fmt="|", color="black", ms=14, capsize=3, label=text)
    else:
        ax.annotate("infinite", (aggregated, row), xytext=(4, 0), textcoords="offset points")
