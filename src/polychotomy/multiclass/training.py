"""What one fit of a learner gets: its samples, weights and folds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.special import logit
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_method_params

from polychotomy.core.arguments import as_floats
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.estimators import counts_for
from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass.merged import decide, is_kernel_svc
from polychotomy.multiclass.thresholds import checked_weights


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Samples, their class codes, and what goes to the learners beside them.

    Parameters
    ----------
    X : array, sparse matrix or data frame with n rows
        Passed to the learners as it is, rows taken.
    codes : (n,) ints
        Class codes 0 … k−1.
    weights : (n,) floats
        Sample weights, all ones if none were given.
    learner_params : dict
        Metadata for the learner's ``fit``; what has n entries is taken row by row.
    repeats : (n,) ints or None
        How often each row is repeated, for a learner that takes no weights.
    pairwise : bool
        X is a square kernel or distance matrix: rows and columns are taken together.
    """

    X: Any
    codes: Ints
    weights: Floats
    learner_params: dict[str, Any]
    repeats: Ints | None
    pairwise: bool

    def repeated(self, rows: Ints) -> Ints:
        """Rows as often as a learner without weights is to see them."""
        return rows if self.repeats is None else np.repeat(rows, self.repeats[rows])

    def places_among(self, rows: Ints) -> Ints:
        """Place of each sample among some rows, or −1, (n,)."""
        places = np.full(self.codes.size, -1)
        places[rows] = np.arange(rows.size)
        return places

    def fit_params(self, rows: Ints) -> dict[str, Any]:
        """Metadata for a fit on ``rows``."""
        params: dict[str, Any] = _check_method_params(self.codes, self.learner_params, rows)
        return params

    def take(self, rows: Ints, columns: Ints) -> Any:
        """X at ``rows``; where X is pairwise, at ``columns`` too."""
        if self.pairwise:
            return take_columns(_safe_indexing(self.X, rows), columns)
        if rows.size == self.codes.size and bool(np.all(rows == np.arange(rows.size))):
            return self.X
        return _safe_indexing(self.X, rows)


def take_columns(X: Any, columns: Ints) -> Any:
    """Return the columns of a pairwise X that belong to the training samples ``columns``."""
    return _safe_indexing(X, columns, axis=1)


def check_sample_weight(sample_weight: Any, n: int) -> Floats:
    """Return the weights as (n,) floats; all ones for None."""
    if sample_weight is None:
        return np.ones(n)
    weights = as_floats("sample_weight", sample_weight)
    weights = checked_weights(np.full(n, weights) if weights.ndim == 0 else weights, (n,))
    if not weights.any():
        raise InvalidInput("sample_weight: every weight is zero; expected at least one above 0.")
    return weights


def repeats_for(weights: Floats, estimator: Any) -> Ints:
    """Return weights as numbers of repetitions, for a learner that takes no weights."""
    counts = counts_for(weights)
    if counts is None:
        raise InvalidInput(
            f"sample_weight is {weights[weights > 0].min():g} to {weights.max():g}, and "
            f"{type(estimator).__name__} takes no sample weights; expected small multiples of one "
            "number, which are served by repeating rows. Round them, such as np.round(5 * w / "
            "w.mean()), choose a learner that takes weights, or, for a pipeline, enable metadata "
            "routing and request sample_weight in its steps."
        )
    return counts


Response: TypeAlias = Literal["predict_proba", "decision_function", "predict"]


# Probabilities of exactly 0 or 1 have no finite logit; none of a double's logits is beyond this.
_EDGE = float(np.finfo(np.float64).eps)


def respond(learner: Any, X: Any, response: Response) -> Floats:
    """Answer of a fitted two-class learner for its second class, (n,).

    A probability, a decision value, or 0 and 1 for a learner that gives labels only.
    """
    if response == "predict_proba":
        return np.asarray(learner.predict_proba(X)[:, 1], dtype=np.float64)
    if response == "decision_function":
        return np.asarray(learner.decision_function(X), dtype=np.float64).ravel()
    second = np.asarray(learner.predict(X)) == learner.classes_[1]
    return np.asarray(second, dtype=np.float64)


def finite_logits(probabilities: Floats) -> Floats:
    """Logits, those of 0 and 1 held at ±36."""
    return np.asarray(logit(np.clip(probabilities, _EDGE, 1.0 - _EDGE)))


@dataclass(eq=False)
class PlainTrainer:
    """Fits a learner on rows of the training data, and scores other rows with it.

    ``labels`` are what the learner sees for the − and + side.
    """

    estimator: Any
    data: TrainingData
    labels: np.ndarray[Any, Any]

    def fit(self, rows: Ints, positive: Bools) -> Any:
        """Fit a clone on ``rows``; ``positive`` (n,) tells the + side of every sample."""
        rows = self.data.repeated(rows)
        labels = self.labels[positive[rows].astype(np.intp)]
        X, params = self.data.take(rows, rows), self.data.fit_params(rows)
        return clone(self.estimator).fit(X, labels, **params)

    def respond(self, learner: Any, fitted_on: Ints, rows: Ints, response: Response) -> Floats:
        """Answer for ``rows`` by a learner that was fitted on the rows ``fitted_on``."""
        X = self.data.take(rows, self.data.repeated(fitted_on))
        dense = isinstance(X, np.ndarray) and X.dtype == np.float64
        if response == "decision_function" and dense and is_kernel_svc(learner):
            return decide(learner, X)
        return respond(learner, X, response)


# Rows to train on, rows to score.
Fold: TypeAlias = tuple[Ints, Ints]


# Folds by members of a class, by the log loss of RBF SVCs on a dozen sets: three from 30 and two
# from 300 on cost 0.5 % at most; two of 30 each cost 1.7 %, three of 10 each 2.5 %. (A single third
# left out cost more than two folds do.)
FOLDS, FEWER = 5, ((300, 2), (30, 3))


def make_folds(
    cv: object, X: Any, codes: Ints, split_params: dict[str, Any], weights: Floats | None = None
) -> list[Fold]:
    """Return the folds asked for by ``cv``: None, a number, a splitter, or (train, test) pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.training import make_folds
    >>> for train, test in make_folds(2, None, np.array([0, 0, 1, 1, 1]), {}):
    ...     print(train, test)
    [1 3] [0 2 4]
    [0 2 4] [1 3]
    """
    if cv is None or (isinstance(cv, Integral) and not isinstance(cv, bool)):
        each = codes.size / max(np.unique(codes).size, 1)
        default = next((folds for least, folds in FEWER if each >= least), FOLDS)
        return deal_folds(codes, default if cv is None else int(cv), weights)
    pairs: Iterable[Any]
    if hasattr(cv, "split") and not isinstance(cv, str):
        try:
            pairs = list(cv.split(X, codes, **split_params))
        except ValueError as error:
            raise InvalidInput(
                f"cv={cv!r} cannot split these samples: {error} Groups get to it by metadata "
                "routing: sklearn.set_config(enable_metadata_routing=True), fit(X, y, groups=…)."
            ) from error
    elif isinstance(cv, Iterable) and not isinstance(cv, str):
        pairs = cv
    else:
        raise InvalidInput(
            f"cv is {cv!r}; expected None, a number of folds ≥ 2, a scikit-learn splitter or an "
            "iterable of (train, test) index arrays."
        )
    return [(_rows(train), _rows(test)) for train, test in pairs]


def deal_folds(codes: Ints, n_folds: int, weights: Floats | None = None) -> list[Fold]:
    """Deal each class's members at random, evenly, to ``n_folds`` folds.

    At random because tables are often sorted: folds in their order would each ask a learner about
    inputs that it has not met at all, and thresholds learned from that were measured to more than
    double the error. The deal is the same for the same labels. A class with fewer members than
    folds goes to as many folds as it has members; one with a single member is never left out, for
    nothing could be learned of it then. A sample without weight is no member.
    """
    if n_folds < 2:
        raise InvalidInput(f"cv is {n_folds}; expected at least 2 folds.")
    fold = np.full(codes.size, -1, dtype=np.intp)
    weighty = np.arange(codes.size) if weights is None else np.flatnonzero(weights > 0)
    order = weighty[np.random.default_rng(0).permutation(weighty.size)]
    for code in np.unique(codes):
        members = order[codes[order] == code]
        if members.size > 1:
            fold[members] = np.arange(members.size) * n_folds // members.size
    used = np.unique(fold[fold >= 0])
    if not used.size:
        raise InvalidInput(
            "every class has one member only, so none can be left out to calibrate by; expected "
            "two in some class. Add samples, or pass calibration=None and thresholds=None."
        )
    return [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in used]


def _rows(indices: Any) -> Ints:
    rows = np.asarray(indices)
    return np.flatnonzero(rows) if rows.dtype == np.bool_ else rows.astype(np.intp)
