"""Would bagging help? The gain measured, weighed with what bagging did elsewhere (T96).

The gain is the share of cases that only the bagged classifier gets right less the share that only
the single one does, so it is at most their sum δ, the share of cases that bagging decides. A table
of a few hundred cases measures it to some points, and most gains are smaller. But what learns is
known: trees gain by bagging, linear rules hardly ever. So the gains of each kind of learner on
other tables, normal about a share of δ, are the prior that the measured gain is weighed with.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from polychotomy.core.advice import Answer, answer_question, check_advice
from polychotomy.core.arguments import as_floats, check_codes, unexpected
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Axes, DataFrame, Result, new_axes
from polychotomy.decomposition.losses import Loss, LossLike, Misclassification, resolve_loss

PRIORS: dict[str | None, tuple[float, float]] = {
    None: (0.2, 0.35),
    "naive Bayes": (-0.02, 0.05),
    "linear": (0.0, 0.05),
    "neighbours": (0.0, 0.1),
    "kernel": (0.02, 0.08),
    "tree": (0.12, 0.4),
    "forest": (0.09, 0.15),
    "boosting": (0.05, 0.15),
}
"""Mean and deviation of the gain by kind of learner, as shares of δ; None: kind not known."""

SHARED = 1.2  # fits share their training cases, so that samples are not independent

SHARED_BY_TREES = 1.9  # one tree of another is apart by more than what its own samples show


def combine_with_prior(
    estimate: float, error: float, share: float, kind: str | None = None
) -> tuple[float, float]:
    """Weigh a measured gain with what bagging did on other data: expected gain and deviation.

    Parameters
    ----------
    estimate, error : float
        Paired difference of the error rates and its standard error.
    share : float
        Share of cases that exactly one of the two classifiers gets right, above 0.
    kind : str, optional
        Of :data:`PRIORS`.

    Examples
    --------
    The two differ on 2 % of the cases only, so that a measured loss of a point is mostly noise:

    >>> expected, deviation = combine_with_prior(-0.01, 0.01, 0.02)
    >>> round(expected, 4), round(deviation, 4)
    (-0.0006, 0.0057)
    """
    mean, deviation = PRIORS[kind]
    centre, spread = mean * share, deviation * share
    weight = spread**2 / (spread**2 + error**2)
    return centre + weight * (estimate - centre), math.sqrt(weight) * error


class BaggingAdvice(Result):
    """Whether bagging lowers the error by more than ``gain``: yes, no, or cannot tell.

    Parameters
    ----------
    answer : {"yes", "no", "cannot tell"}
        "yes" where the interval of the gain lies above ``gain``, "no" where it lies below.
    gain : float
        What counts as help, in units of the loss.
    confidence : float
        Confidence of each answer; the interval leaves out 1 − confidence at *each* end.
    loss : str
        Name of the loss.
    differences : (n,) floats
        Cross-validated minus out-of-bag loss of each sample; NaN where one is missing.
    cross_validated_error, bagged_error : float
        Means over the samples that have both.
    estimate, standard_error : float
        The difference of the two, which is the gain measured, and its standard error.
    disagreement : float
        Mean square of the differences: for misclassification the share of samples that one of the
        two gets right and the other wrong (with repetitions a little less), one won and one lost
        sample being added.
    has_prior : bool
        Whether what bagging did on other data sets is weighed in, as it is for misclassification.
    kind : str or None
        The kind of learner whose gains elsewhere are weighed in.
    expected, low, high : float
        The gain expected and its interval, which the answer is read from. Without the prior, the
        estimate and its own interval.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import would_bagging_help
    >>> y = np.zeros(400, dtype=int)
    >>> single = np.eye(2)[(np.arange(400) % 4 == 0).astype(int)]  # wrong on every fourth
    >>> bagged = np.eye(2)[(np.arange(400) % 8 == 0).astype(int)]  # on every eighth
    >>> print(would_bagging_help(single, bagged, y))  # doctest: +NORMALIZE_WHITESPACE
    Would bagging help? Yes: it is expected to lower the misclassification error by 0.11 (80 %
    interval 0.085 to 0.13); help means to lower it by more than 0.005. Measured on 400 samples:
    0.25 cross-validated, 0.125 bagged and out of bag; weighed with what bagging did on other data
    sets.
    """

    answer: Answer
    gain: float
    confidence: float
    loss: str
    differences: Floats
    cross_validated_error: float
    bagged_error: float
    estimate: float
    standard_error: float
    disagreement: float
    has_prior: bool
    kind: str | None
    expected: float
    low: float
    high: float

    @property
    def n_compared(self) -> int:
        """Samples with both predictions."""
        return int((~np.isnan(self.differences)).sum())

    @property
    def interval_level(self) -> float:
        """Confidence of the interval in percent: 1 − confidence is left out at each end."""
        return 100 * (2 * self.confidence - 1)

    def to_frame(self) -> DataFrame:
        """Return one row."""
        return self._frame(
            "answer", "estimate", "standard_error", "disagreement", "expected", "low", "high",
            "gain", "confidence", "cross_validated_error", "bagged_error", "n_compared",
        )  # fmt: skip

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the gain with its interval, and what would count as help."""
        ax = new_axes(ax, width=6.0, height=1.8)
        ax.axvspan(self.gain, max(self.high, self.gain) * 1.5 + 0.01, color="#009E73", alpha=0.15)
        reach = [[self.expected - self.low], [self.high - self.expected]]
        ax.errorbar(self.expected, 0, xerr=reach, fmt="o", color="black", capsize=4)
        ax.plot(self.estimate, 0, "|", color="0.5", markersize=14)
        ax.axvline(0, color="0.6", lw=0.8)
        ax.set_yticks([])
        ax.set_xlabel(f"{self.loss} error saved by bagging (green: help; grey: as measured)")
        ax.set_title(f"Would bagging help? {self.answer.capitalize()}.")
        return ax

    def __str__(self) -> str:
        whom = f"for learners of this kind ({self.kind}) " if self.kind else ""
        weighed = f"; weighed with what bagging did {whom}on other data sets" * self.has_prior
        count = self.n_compared
        return (
            f"Would bagging help? {self.answer.capitalize()}: it is expected to "
            f"{'raise' if self.expected < 0 else 'lower'} the {self.loss} error by "
            f"{abs(self.expected):.2g} ({self.interval_level:.0f} % interval {self._interval()}); "
            f"help means to lower it by more than {self.gain:g}. Measured on {count} "
            f"sample{'s' * (count != 1)}: {self.cross_validated_error:.4g} cross-validated, "
            f"{self.bagged_error:.4g} bagged and out of bag{weighed}."
        )

    def _interval(self) -> str:
        """Write the interval without minus signs: of a fall, a rise, or from a rise to a fall."""
        if self.low < 0 < self.high:
            return f"from {-self.low:.2g} higher to {self.high:.2g} lower"
        low, high = sorted((abs(self.low), abs(self.high)))
        return f"{low:.2g} to {high:.2g}"


def would_bagging_help(
    cross_validated: ArrayLike,
    out_of_bag: ArrayLike,
    y: ArrayLike,
    *,
    kind: str | None = None,
    loss: LossLike = "misclassification",
    gain: float = 0.005,
    confidence: float = 0.9,
) -> BaggingAdvice:
    """Say whether bagging a classifier would lower its error, from predictions alone.

    Parameters
    ----------
    cross_validated : (n, k) or (..., n, k) array-like
        Out-of-fold predictions of the classifier, leading axes being repetitions: one learner's
        ``OutOfFold.probabilities`` will do. NaN rows are missing.
    out_of_bag : (n, k) array-like
        ``ErrorDecomposition.aggregated``: out-of-bag predictions of the bagged classifier.
    y : (n,) ints or texts
        True class codes, 0 to k − 1, or labels, the columns being those of the sorted labels.
    kind : {"tree", "forest", "boosting", "neighbours", "linear", "naive Bayes", "kernel"}, optional
        What kind of learner it is; "forest" is for all that average many fits themselves.
    loss : {"misclassification", "squared", "deviance"}, Loss or callable
        In which the gain is measured.
    gain : float
        Smallest gain that counts as help: half a point by default.
    confidence : float
        Confidence of a "yes" or a "no".

    Notes
    -----
    The differences are paired over samples. For misclassification, one sample won and one lost
    are added, as Agresti and Min do for paired rates, so that a few samples without any
    difference do not prove that there is none. The fits share their training cases, so that the
    samples are not independent: the standard error is taken 1.2 times what independent ones would
    have, of trees 1.9 times, which is what is found where the truth is known. Fits in
    cross-validation see fewer cases than the classifier they stand for, which leans to "yes" by as
    much as the learning curve falls there.

    For misclassification the estimate is then weighed with what bagging gained on other tables, for
    learners of this kind, where single and bagged classifier disagreed as often (:data:`PRIORS`).
    How often each answer is right is on the page "The lab", in the documentation.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from polychotomy.decomposition import decompose_error
    >>> from polychotomy.decomposition import would_bagging_help
    >>> X, y = load_wine(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> single = cross_val_predict(tree, X, y, cv=10, method="predict_proba")
    >>> bagged = decompose_error(tree, X, y, n_bootstraps=100, random_state=0).aggregated
    >>> would_bagging_help(single, bagged, y).answer
    'yes'
    """
    single, bagged = _read(cross_validated, out_of_bag)
    n, k = bagged.shape
    codes = check_codes(y, n=n, k=k)
    chosen = resolve_loss(loss, k)
    check_advice(gain, confidence)
    if kind not in PRIORS:
        raise unexpected(
            "kind", kind, f"None or one of {', '.join(map(repr, filter(None, PRIORS)))}"
        )
    z = float(ndtri(confidence))  # 1 − confidence is left out at each end
    before = _losses(single, codes, chosen, "cross_validated")
    after = _losses(bagged[None], codes, chosen, "out_of_bag")
    with np.errstate(invalid="ignore"):
        differences = np.where(before == after, 0.0, before - after)  # ∞ − ∞: no difference
    both = ~np.isnan(differences)
    is_rate = isinstance(chosen, Misclassification)
    estimate, error, disagreement = _paired(differences[both], is_rate)
    error *= SHARED_BY_TREES if kind == "tree" else SHARED
    expected, deviation = estimate, error
    if is_rate:
        expected, deviation = combine_with_prior(estimate, error, disagreement, kind)
    low, high = expected - z * deviation, expected + z * deviation
    return BaggingAdvice(
        answer=answer_question(low, high, gain), gain=float(gain), confidence=float(confidence),
        loss=chosen.name, differences=differences,
        cross_validated_error=float(before[both].mean()), bagged_error=float(after[both].mean()),
        estimate=estimate, standard_error=error, disagreement=disagreement, has_prior=is_rate,
        kind=kind, expected=expected, low=low, high=high,
    )  # fmt: skip


def _read(cross_validated: ArrayLike, out_of_bag: ArrayLike) -> tuple[Floats, Floats]:
    """Return the predictions as (repetitions, n, k) and (n, k)."""
    single = as_floats("cross_validated", cross_validated)
    bagged = as_floats("out_of_bag", out_of_bag)
    if bagged.ndim != 2 or single.shape[-2:] != bagged.shape:
        raise InvalidInput(
            f"cross_validated has shape {single.shape} and out_of_bag {bagged.shape}; expected "
            "(n, k), or (..., n, k) for repetitions, and (n, k): class probabilities that "
            "cross_val_predict(…, method='predict_proba') and decompose_error(…).aggregated give."
        )
    return single.reshape(-1, *bagged.shape), bagged


def _losses(predictions: Floats, y: Ints, loss: Loss, name: str) -> Floats:
    """Mean loss of each sample over repetitions, (n,); NaN where no repetition has it."""
    missing: Bools = np.any(np.isnan(predictions), axis=2)
    filled = np.where(missing[..., None], 1.0 / predictions.shape[2], predictions)
    off = np.maximum(np.abs(filled.sum(axis=2) - 1), -filled.min(axis=2))
    if off.max() > 1e-4:
        repetition, sample = np.argwhere(off > 1e-4)[0]
        raise InvalidInput(
            f"{name} of sample {sample} (repetition {repetition}) is "
            f"{np.round(filled[repetition, sample][:8], 6).tolist()}; expected probabilities that "
            "sum to 1, or NaN where missing."
        )
    scores = loss.score(np.maximum(filled, 0.0))[:, np.arange(len(y)), y]
    counts: Ints = np.sum(~missing, axis=0)
    if not counts.any():
        raise InvalidInput(f"{name} has no prediction at all; expected some rows without NaN.")
    total: Floats = np.where(missing, 0.0, scores).sum(axis=0)
    return np.where(counts > 0, total / np.maximum(counts, 1), np.nan)


def _paired(differences: Floats, is_rate: bool) -> tuple[float, float, float]:
    """Mean of paired differences, its standard error, and their mean square."""
    n = len(differences)
    if n < 2:
        raise InvalidInput(
            f"{n} samples have both a cross-validated and an out-of-bag prediction; expected at "
            "least 2."
        )
    estimate = float(differences.mean())
    if not np.isfinite(estimate):
        return estimate, float("inf"), float("inf")
    square = float(differences @ differences)
    if is_rate:
        share = (square + 2.0) / (n + 2.0)
        variance = share - (estimate * n / (n + 2.0)) ** 2
        return estimate, float(np.sqrt(variance / (n + 2.0))), share
    return estimate, float(differences.std(ddof=1) / np.sqrt(n)), square / n
