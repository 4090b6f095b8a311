"""ErrorDecomposition: T96's error budget of one learner on one data set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from polychotomy._result import Result
from polychotomy.arrays import Floats, Ints, to_host
from polychotomy.decomposition.accumulation import QUANTITIES
from polychotomy.decomposition.reconciliation import domingos, kohavi_wolpert

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_ERROR, _AGGREGATED, _EFFECT, _VARIANCE, _REVERSED = range(5)
_SAMPLE_COLUMNS = [_ERROR, _AGGREGATED, _VARIANCE, _REVERSED]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ErrorDecomposition(Result):
    """What limits a learner's error, from bootstrap fits and the samples each left out (T96).

    Arrays with a last axis of 5 hold error, aggregated_error, aggregation_effect, variance and
    reversed_variance; those with a first axis of 1 + k hold all samples, then each class. Arrays
    with a row a sample are of the kind that the predictions were: see :meth:`on_host`.

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
    sample_estimates, sample_monte_carlo_errors : (n, 5) floats
        The same for each sample; NaN where never out of bag.
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
    y: Ints
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
    sample_monte_carlo_errors: Floats
    bayes_bound: float

    def on_host(self) -> Self:
        """Return the same with all arrays in NumPy; itself where they are.

        Examples
        --------
        >>> import array_api_strict as xp
        >>> from polychotomy.decomposition import decompose_predictions
        >>> p = xp.asarray([[[0.0, 1.0]], [[1.0, 0.0]]])
        >>> decompose_predictions(p, xp.zeros((2, 1)), xp.asarray([1])).on_host().aggregated
        array([[0.5, 0.5]])
        """
        if isinstance(self.y, np.ndarray):
            return self
        names = (
            "y", "n_out_of_bag", "aggregated", "votes", "sample_estimates",
            "sample_monte_carlo_errors",
        )  # fmt: skip
        return replace(self, **{name: to_host(getattr(self, name)) for name in names})

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
        return int((to_host(self.n_out_of_bag) == 0).sum())

    @property
    def n_infinite(self) -> int:
        """Samples whose error is infinite: some fit gave their class probability zero."""
        return int(np.isinf(to_host(self.sample_estimates)[:, _ERROR]).sum())

    @property
    def per_sample(self) -> pd.DataFrame:
        """Error, aggregated_error, variance and reversed_variance of each sample."""
        return self._sample_frame(self.sample_estimates)

    @property
    def per_sample_monte_carlo_error(self) -> pd.DataFrame:
        """Monte-Carlo standard errors of ``per_sample``; NaN with fewer than two fits."""
        return self._sample_frame(self.sample_monte_carlo_errors)

    @property
    def per_class(self) -> pd.DataFrame:
        """The five quantities of each class, a row a class."""
        return self._class_frame(self.estimates)

    @property
    def per_class_monte_carlo_error(self) -> pd.DataFrame:
        """Monte-Carlo standard errors of ``per_class``; NaN with fewer than two fits."""
        return self._class_frame(self.monte_carlo_errors)

    @property
    def reconciliation(self) -> pd.DataFrame:
        """Kohavi–Wolpert's and Domingos' terms from the same fits' votes, a row a term."""
        import pandas as pd

        host = self.on_host()
        seen = host.n_out_of_bag > 0
        votes, y = host.votes[seen], host.y[seen]
        bias, variance = kohavi_wolpert(votes, y)
        main, unbiased, biased = domingos(votes, y)
        terms = (
            ("kohavi-wolpert", "bias", bias),
            ("kohavi-wolpert", "variance", variance),
            ("domingos", "bias", main),
            ("domingos", "unbiased variance", unbiased),
            ("domingos", "biased variance (subtracts)", biased),
        )
        rows = [(name, term, float(values.mean())) for name, term, values in terms]
        return pd.DataFrame(rows, columns=["decomposition", "term", "value"])

    def to_frame(self) -> pd.DataFrame:
        """Return a row a quantity and class, "all" first, and the two bounds at the end.

        The Bayes bound is taken as given; what is uncertain about the bias bound is the
        aggregated error.
        """
        import pandas as pd

        scopes = ["all", *self.classes]
        frame = pd.DataFrame(
            {
                "quantity": np.tile(QUANTITIES, len(scopes)),
                "class": np.repeat(scopes, len(QUANTITIES)),
                "estimate": self.estimates.ravel(),
                "monte_carlo_error": self.monte_carlo_errors.ravel(),
                "monte_carlo_bias": self.monte_carlo_biases.ravel(),
                "low": self.lows.ravel(),
                "high": self.highs.ravel(),
            }
        )
        bound, error = self.bayes_bound, self.monte_carlo_errors[0, _AGGREGATED]
        bias = self.monte_carlo_biases[0, _AGGREGATED]
        low, high = self.lows[0, _AGGREGATED] - bound, self.highs[0, _AGGREGATED] - bound
        bounds = [
            ("bayes_bound", "all", bound, 0.0, 0.0, bound, bound),
            ("bias_bound", "all", self.bias_bound, error, bias, low, high),
        ]
        last = pd.DataFrame(bounds, columns=frame.columns)
        return pd.concat([frame, last], ignore_index=True)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the budget as one stacked bar (see :func:`draw_error_budget`)."""
        from polychotomy.decomposition.drawings import draw_error_budget

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

    def _class_frame(self, values: Floats) -> pd.DataFrame:
        import pandas as pd

        frame = pd.DataFrame(values[1:], columns=list(QUANTITIES))
        frame.insert(0, "class", self.classes)
        return frame

    def _sample_frame(self, values: Floats) -> pd.DataFrame:
        import pandas as pd

        columns = [QUANTITIES[column] for column in _SAMPLE_COLUMNS]
        return pd.DataFrame(to_host(values)[:, _SAMPLE_COLUMNS], columns=columns)
