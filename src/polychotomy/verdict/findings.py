"""What a verdict is made of besides the results of the packages: findings and sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from polychotomy.comparison import ComparisonPlan, Ordering
from polychotomy.core.arrays import Bools, Floats
from polychotomy.decomposition import BaggingAdvice, ErrorDecomposition, LearningCurveForecast

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
    >>> found = Undecided("forest", "any difference", plan, more_rows=906, margin_needed=0.03)
    >>> f"{found.more_rows} more rows may tell it from {found.rival}"
    '906 more rows may tell it from forest'
    """

    rival: str
    asks: Asks
    plan: ComparisonPlan
    more_rows: int | None
    margin_needed: float


class Guessing(NamedTuple):
    """What it would cost to give every row the same answer.

    ``label`` is the most frequent class and ``error`` the share of rows of others; ``loss`` is that
    of the best single answer by the criterion: with probabilities, the shares of the classes.

    Examples
    --------
    It is ``verdict.guessing``, None where only who was right is known:

    >>> from polychotomy.verdict import Guessing
    >>> Guessing("healthy", error=0.02, loss=0.02).error
    0.02
    """

    label: str
    error: float
    loss: float


class Recalibrated(NamedTuple):
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


class NotAsked(NamedTuple):
    """A question that was not asked, and why."""

    reason: str


class Contradiction(NamedTuple):
    """A candidate whose ``predict`` is not the class of its highest ``predict_proba``.

    ``share`` is that of rows in which the two differ, ties left out; ``error`` that of its labels,
    ``argmax_error`` that of the most probable classes, ``pvalue`` of their being equal.

    Examples
    --------
    ``verdict.contradictions`` has one for each such candidate:

    >>> from polychotomy.verdict import Contradiction
    >>> Contradiction("mine", share=0.96, error=0.04, argmax_error=0.95, pvalue=1e-9).share
    0.96
    """

    name: str
    share: float
    error: float
    argmax_error: float
    pvalue: float


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
    without_budget : {name: str}
        Rivals whose error budget is not known, and why.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy import judge
    >>> anatomy = judge({"naive Bayes": GaussianNB()}, *load_iris(return_X_y=True)).anatomy
    >>> list(anatomy.budgets), anatomy.bagging.answer
    (['naive Bayes'], 'no')
    >>> print(anatomy)  # doctest: +ELLIPSIS
    naive Bayes: ...
    Would bagging help? No: ...
    Would more data help? ...
    """

    budgets: dict[str, ErrorDecomposition]
    bagging: BaggingAdvice
    forecast: LearningCurveForecast | None
    averages: bool
    without_budget: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [f"{name}: {budget}" for name, budget in self.budgets.items()]
        lines += [str(one) for one in (self.bagging, self.forecast) if one is not None]
        return "\n".join(lines)


class Dependence(NamedTuple):
    """The mean probability of each class where columns have certain values.

    ``values`` are those of the first of the columns, of numbers the means of tenths of the rows;
    the others of ``columns`` go with it. ``shares`` are (values, k).
    """

    columns: tuple[str, ...]
    values: tuple[float | str, ...]
    is_number: bool
    shares: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Columns:
    """Which columns matter: by how much the loss rises where one is permuted in held-out rows.

    Parameters
    ----------
    groups : tuple of tuples of str
        Columns that were permuted together, as they are correlated, the most important first.
    rise, low, high : (groups,) floats
        How much the loss rises, with its 95 % interval over folds; NaN ends where there is one.
    before : float
        The loss of these rows as they are.
    rows, folds, repeats : int
        Held-out rows in all, of how many folds, and how often each was permuted.
    curves : tuple of Dependence
        How probabilities depend on the first three groups.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy import judge
    >>> columns = judge({"naive Bayes": GaussianNB()}, *load_iris(return_X_y=True)).columns
    >>> columns.groups[0], float(columns.rise[0].round(1))
    (('x0', 'x2', 'x3'), 0.6)
    """

    groups: tuple[tuple[str, ...], ...]
    rise: Floats
    low: Floats
    high: Floats
    before: float
    rows: int
    folds: int
    repeats: int
    curves: tuple[Dependence, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Price:
    """Loss against time: what each candidate costs to fit and to ask.

    Parameters
    ----------
    names : tuple of str
    loss : (m,) floats
    fit_seconds : (m,) floats
        Mean of its fits.
    predict_seconds : (m,) floats
        Mean of its folds, divided by their samples: seconds for each sample.
    words : str
        What the loss is called.
    model_bytes : (m,) floats, optional
        Size of a pickled fit; NaN where it is not known.

    Attributes
    ----------
    efficient_fit, efficient_predict : (m,) bools
        Nothing is better and faster to fit, or to ask.

    Examples
    --------
    >>> import numpy as np
    >>> price = Price(names=("slow", "fast"), loss=np.array([0.2, 0.1]), words="error",
    ...     fit_seconds=np.array([2.0, 1.0]), predict_seconds=np.array([1e-3, 1e-4]))
    >>> price.efficient_fit.tolist()
    [False, True]
    """

    names: tuple[str, ...]
    loss: Floats
    fit_seconds: Floats
    predict_seconds: Floats
    words: str
    model_bytes: Floats | None = None
    efficient_fit: Bools = field(init=False)
    efficient_predict: Bools = field(init=False)

    def __post_init__(self) -> None:
        for name in ("fit", "predict"):
            edge = efficient(self.loss, getattr(self, f"{name}_seconds"))
            object.__setattr__(self, f"efficient_{name}", edge)


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


Section: TypeAlias = Literal[
    "which", "real", "price", "trust", "limits", "combining", "errors", "columns", "failed",
    "computed", "warning",
]  # fmt: skip
"""The page's sections, each of which answers one question; a warning stands above them all."""


QUESTIONS: dict[Section, str] = {
    "which": "Which one?",
    "real": "Is it real?",
    "price": "At what price?",
    "trust": "Can I trust the probabilities?",
    "limits": "What limits it?",
    "combining": "Would combining help?",
    "errors": "Where does it err?",
    "columns": "Which columns matter?",
    "failed": "What failed?",
    "computed": "How was this computed?",
}
"""Those questions, as the page asks them."""


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """What is said, in plain words, and why it may be said.

    Parameters
    ----------
    text : str
        For whoever has to act on it.
    basis : str
        The test, its numbers and what it takes for granted, for whoever has to sign it.
    section : str
        Where the page shows more.
    emphasis : str
        The part of ``text`` that carries the claim; empty if none does.

    Examples
    --------
    >>> said = Sentence(text="Use logistic.", basis="…", section="which", emphasis="Use logistic")
    >>> print(said)
    Use logistic.
    >>> said.to_dict()["section"]
    'which'
    """

    text: str
    basis: str
    section: Section
    emphasis: str = ""

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, str]:
        """Return the parts as plain values."""
        return {name: str(value) for name, value in asdict(self).items()}
