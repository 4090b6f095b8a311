"""What a verdict is made of besides the results of the packages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from polychotomy.comparison import ComparisonPlan, Ordering
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.result import Result, new_axes
from polychotomy.decomposition import BaggingAdvice, ErrorDecomposition, LearningCurveForecast

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


Asks: TypeAlias = Literal["less than margin", "more than margin", "any difference"]


class Stopped(NamedTuple):
    """Why a candidate was not run to the end of a race.

    ``error`` and ``better_error`` are means over the folds of the ``after`` repetitions that it
    has, ``level`` what the p-value was held to, ``alpha`` the probability that the race stops any
    candidate wrongly.
    """

    after: int
    of: int
    better: str
    error: float
    better_error: float
    pvalue: float
    level: float
    alpha: float

    def __str__(self) -> str:
        return f"stopped after {self.after} of {self.of} repetitions"


class Candidate(NamedTuple):
    """One candidate in numbers.

    ``error`` is the plain mean over all folds of the share of wrong labels, ``loss`` that of the
    criterion by which candidates are compared, ``sd`` its standard deviation over the folds; all
    are NaN for a candidate that failed somewhere or was stopped. ``model_bytes`` is the size of a
    pickled fit, None where it is not known.

    Examples
    --------
    ``verdict.candidates`` has one for each, ``verdict.candidate(name)`` one by name:

    >>> from polychotomy.verdict import Candidate
    >>> one = Candidate("1-NN", error=0.05, sd=0.02, loss=0.05, fit_seconds=0.001,
    ...     predict_seconds=0.002, n_failed=0)
    >>> one.name, one.error, one.stopped
    ('1-NN', 0.05, None)
    """

    name: str
    error: float
    sd: float
    loss: float
    fit_seconds: float
    predict_seconds: float
    n_failed: int
    model_bytes: int | None = None
    stopped: Stopped | None = None


class Failure(NamedTuple):
    """One trial that gave no predictions.

    Examples
    --------
    ``verdict.failures`` has one for each fit that failed:

    >>> from polychotomy.verdict import Failure
    >>> failure = Failure("SVM", run=0, repetition=2, fold=1, status="timeout",
    ...     cause="it was not done within the time limit of 60 seconds", details="")
    >>> f"{failure.candidate}, fold {failure.fold}: {failure.cause}"
    'SVM, fold 1: it was not done within the time limit of 60 seconds'
    """

    candidate: str
    run: int
    repetition: int
    fold: int
    status: str
    cause: str
    details: str


class OtherRule(NamedTuple):
    """What the rule that was not asked for says of the same folds, and why it may differ.

    Examples
    --------
    It is ``verdict.other_rule``:

    >>> import numpy as np
    >>> from polychotomy.comparison.multitest import multitest
    >>> from polychotomy.verdict import OtherRule
    >>> noise = 0.01 * np.random.default_rng(0).standard_normal((2, 5, 2))
    >>> ordering = multitest([[[0.3]], [[0.1]]] + noise, names=["mean", "tree"])
    >>> OtherRule("MultiTest's rule", "tree", ordering, why="…").best
    'tree'
    """

    name: str
    best: str
    ordering: Ordering
    why: str


class Undecided(NamedTuple):
    """A rival that the data cannot tell from the best, and what would.

    ``asks`` is what the rule needs to know of the two: whether they differ by less than the margin
    (as seen), by more (as seen), or, for the paper's rule, at all. ``plan`` is for that question:
    its difference is counted from the margin where there is one. ``more_rows`` is None where the
    difference seen lies so near to what is asked that no number is worth naming. ``margin_needed``
    is the smallest margin at which the data show the less preferred of the two to be no better
    than that.

    Examples
    --------
    It is ``verdict.undecided``, None where nothing is open:

    >>> from polychotomy.comparison import plan_comparison
    >>> from polychotomy.verdict import Undecided
    >>> plan = plan_comparison([[0.30, 0.26, 0.28, 0.27]], [[0.29, 0.25, 0.28, 0.25]])
    >>> doubt = Undecided("forest", "any difference", plan, more_rows=906, margin_needed=0.03)
    >>> f"{doubt.more_rows} more rows would tell it from {doubt.rival}"
    '906 more rows would tell it from forest'
    """

    rival: str
    asks: Asks
    plan: ComparisonPlan
    more_rows: int | None
    margin_needed: float


class Mended(NamedTuple):
    """Who would be chosen if every candidate's probabilities were recalibrated first.

    ``before`` and ``after`` are its mean losses over folds, ``method`` what recalibrates it,
    ``best_after`` the loss of the verdict's best, recalibrated too where that gains; ``low`` and
    ``high`` are the ends of the interval of ``best_after − after``.
    """

    name: str
    method: str
    before: float
    after: float
    best_after: float
    low: float
    high: float
    level: float


class Gate(NamedTuple):
    """Whether a challenger is significantly worse than one that it must not be worse than.

    ``difference`` is the challenger's mean loss less the other's, ``low`` and ``high`` the ends of
    its interval, ``pvalue`` that of the challenger's being no worse.

    Examples
    --------
    It is ``verdict.gate`` after ``judge(…, against="in production")``:

    >>> from polychotomy.verdict import Gate
    >>> gate = Gate("forest", "in production", passed=True, difference=-0.02, low=-0.03, high=-0.01,
    ...     pvalue=0.99)
    >>> gate.passed
    True
    """

    challenger: str
    against: str
    passed: bool
    difference: float
    low: float
    high: float
    pvalue: float


class Timings(NamedTuple):
    """Fits made, and the seconds they took, added up over all workers.

    Examples
    --------
    It is ``verdict.timings``:

    >>> from polychotomy.verdict import Timings
    >>> Timings(n_fits=50, seconds=2.5).n_fits
    50
    """

    n_fits: int
    seconds: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Anatomy:
    """What limits the best candidate: its error's parts, and what bagging or more data would do.

    Parameters
    ----------
    budgets : {name: ErrorDecomposition}
        The best candidate's first.
    bagging : BaggingAdvice
    forecast : LearningCurveForecast or None
        None where the rows are too few to be cut into training sizes.
    averages : bool
        Whether the best candidate averages many fits itself, as a forest does.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy import judge
    >>> anatomy = judge({"naive Bayes": GaussianNB()}, *load_iris(return_X_y=True)).anatomy
    >>> list(anatomy.budgets), anatomy.bagging.answer
    (['naive Bayes'], 'cannot tell')
    >>> print(anatomy)  # doctest: +ELLIPSIS
    naive Bayes: ...
    Would bagging help? Cannot tell: ...
    Would more data help? ...
    """

    budgets: dict[str, ErrorDecomposition]
    bagging: BaggingAdvice
    forecast: LearningCurveForecast | None
    averages: bool

    def __str__(self) -> str:
        lines = [f"{name}: {budget}" for name, budget in self.budgets.items()]
        return "\n".join(
            [*lines, str(self.bagging), *([str(self.forecast)] if self.forecast else [])]
        )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Price(Result):
    """Loss against time: what each candidate costs to fit and to ask.

    Parameters
    ----------
    names : tuple of str
    loss : (m,) floats
    fit_seconds : (m,) floats
        Mean a fit.
    predict_seconds : (m,) floats
        Mean a fold, divided by its samples: seconds a sample.
    words : str
        What the loss is called.
    model_bytes : (m,) floats, optional
        Size of a pickled fit; NaN where it is not known.

    Examples
    --------
    >>> import numpy as np
    >>> price = Price(names=("slow", "fast"), loss=np.array([0.2, 0.1]), words="error",
    ...     fit_seconds=np.array([2.0, 1.0]), predict_seconds=np.array([1e-3, 1e-4]))
    >>> price.efficient_fit.tolist()
    [False, True]
    >>> print(price)
    No candidate is both better and faster to fit than fast.
    """

    names: tuple[str, ...]
    loss: Floats
    fit_seconds: Floats
    predict_seconds: Floats
    words: str
    model_bytes: Floats | None = None

    @property
    def efficient_fit(self) -> Bools:
        """(m,): nothing is better and faster to fit."""
        return efficient(self.loss, self.fit_seconds)

    @property
    def efficient_predict(self) -> Bools:
        """(m,): nothing is better and faster to ask."""
        return efficient(self.loss, self.predict_seconds)

    def to_frame(self) -> pd.DataFrame:
        """One row a candidate."""
        import pandas as pd

        return pd.DataFrame(
            {
                "candidate": self.names,
                "loss": self.loss,
                "fit_seconds": self.fit_seconds,
                "predict_seconds": self.predict_seconds,
                **({} if self.model_bytes is None else {"model_bytes": self.model_bytes}),
                "efficient_fit": self.efficient_fit,
                "efficient_predict": self.efficient_predict,
            }
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw loss against fit time, the efficient edge as a line."""
        ax = new_axes(ax)
        edge = np.flatnonzero(self.efficient_fit)
        edge = edge[np.argsort(self.fit_seconds[edge])]
        ax.plot(self.fit_seconds[edge], self.loss[edge], color="#0072B2", drawstyle="steps-post")
        ax.plot(self.fit_seconds, self.loss, "o", color="black")
        for name, x, y in zip(self.names, self.fit_seconds, self.loss, strict=True):
            ax.annotate(name, (x, y), xytext=(5, 4), textcoords="offset points", fontsize=8)
        ax.set(xscale="log", xlabel="seconds a fit", ylabel=self.words)
        ax.spines[["right", "top"]].set_visible(False)
        return ax

    def __str__(self) -> str:
        edge = [name for name, on in zip(self.names, self.efficient_fit, strict=True) if on]
        return f"No candidate is both better and faster to fit than {', '.join(edge)}."


def efficient(loss: Floats, cost: Floats) -> Bools:
    """Which points no other one beats in loss and cost: the efficient edge.

    Examples
    --------
    >>> import numpy as np
    >>> efficient(np.array([0.3, 0.2, 0.25]), np.array([1.0, 2.0, 3.0]))
    array([ True,  True, False])
    """
    no_worse = (loss[:, None] <= loss) & (cost[:, None] <= cost)
    better = (loss[:, None] < loss) | (cost[:, None] < cost)
    return np.asarray(~(no_worse & better).any(axis=0))
