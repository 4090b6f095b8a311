"""Recalibrating forecasts by maps that have not seen their cases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from polychotomy.calibration.calibrators import FLOOR, Calibrator, Unchanged
from polychotomy.calibration.isotonic import fit_isotonic
from polychotomy.calibration.sigmoid import fit_sigmoid
from polychotomy.calibration.temperature import fit_temperature
from polychotomy.core.arguments import check_share
from polychotomy.core.arrays import Bools, Floats, Ints, Probabilities
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import Forecasts, check_forecasts
from polychotomy.core.result import Axes, DataFrame, Result, new_axes
from polychotomy.validation.scores import log_losses
from polychotomy.validation.trace import (
    ProbabilityTrace,
    shown_positions,
    straight_over_ties,
    trace_columns,
    winning_threshold,
)
from polychotomy.validation.trace_sums import fit_line


def cross_fit(forecasts: Forecasts, fit: Callable[[Forecasts, Ints], Calibrator]) -> Probabilities:
    """Recalibrate each fold by a map fitted to the other folds of its repetition.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration import Unchanged
    >>> from polychotomy.validation import check_forecasts
    >>> forecasts = check_forecasts([[0.8, 0.2], [0.4, 0.6]], [0, 1], folds=[0, 1])
    >>> cross_fit(forecasts, lambda forecasts, others: Unchanged())
    array([[0.8, 0.2],
           [0.4, 0.6]])
    """
    result = np.empty_like(forecasts.probabilities)
    for repetition in np.unique(forecasts.repetitions):
        inside = forecasts.repetitions == repetition
        folds = usable_folds(forecasts, inside)
        for fold in np.unique(folds[inside]):
            left_out = inside & (folds == fold)
            calibrator = fit(forecasts, np.flatnonzero(inside & ~left_out))
            result[left_out] = calibrator.apply(forecasts.probabilities[left_out])
    return result


def usable_folds(forecasts: Forecasts, inside: Bools) -> Ints:
    """Take the folds given; where a repetition has one only, five drawn within each class."""
    if np.unique(forecasts.folds[inside]).size > 1:
        return forecasts.folds
    folds = np.full(len(forecasts.y), -1)
    # shuffled, with a seed of its own: rows that come in turns must not fall in one fold
    rows = np.random.default_rng(0).permutation(np.flatnonzero(inside))
    by_class = rows[np.argsort(forecasts.y[rows], kind="stable")]
    cases = forecasts.samples[by_class]
    first = np.unique(cases, return_index=True)[1]
    turn = np.full(forecasts.n_cases, -1)
    turn[cases[np.sort(first)]] = np.arange(first.size) % min(5, first.size)
    folds[by_class] = turn[cases]
    return folds


def paired_gains(gains: Floats, alpha: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean gain of each method, its interval and the p-value of no gain, for all methods together.

    The p-value is the larger of two, times the number of methods: that of the two-sided paired
    t-test, and the inverse likelihood ratio exp(−Σ gains), which true probabilities push below α in
    at most α of cases (Markov). The second guards the first where the probabilities are so sure
    that the few cases to come out otherwise have not been met yet: there all gains are small and
    alike. The lower end of the interval is the lower of both tests', turned round, so that it is
    above 0 just where the p-value is below α.

    Parameters
    ----------
    gains : (methods, cases) floats
        Loss before minus after.
    alpha : float
        One minus the joint confidence.

    Examples
    --------
    >>> import numpy as np
    >>> mean, lower, upper, p = paired_gains(np.array([[0.1, 0.2, 0.3]]), 0.05)
    >>> mean.round(3), lower.round(3), upper.round(3), p.round(3)  # p = exp(−0.6)
    (array([0.2]), array([-0.799]), array([0.448]), array([0.549]))
    """
    m, n = gains.shape
    mean = gains.mean(axis=1)
    error = gains.std(axis=1, ddof=1) / np.sqrt(n)
    # where every case gains the same up to rounding there is no t: the likelihood ratio decides
    t = np.divide(mean, error, where=error > 1e-14, out=np.full(m, np.inf))
    reach = -float(stdtrit(n - 1, alpha / (2 * m))) * error
    inverse_ratio = np.exp(-np.maximum(gains.sum(axis=1), 0))
    pvalues = np.maximum(2 * stdtr(n - 1, -t), inverse_ratio)
    guarded = np.maximum(reach, np.log(m / alpha) / n)
    return mean, mean - guarded, mean + reach, np.minimum(m * pvalues, 1.0)


METHODS = ("temperature", "sigmoid", "isotonic")


class Recalibration(Result):
    """What each way of recalibrating gains on cases it was not fitted to.

    Parameters
    ----------
    chosen : str
        "temperature", "sigmoid", "isotonic", or "none" if no gain is real: the simplest whose
        loss is within one standard error of the best.
    calibrator : Calibrator
        The chosen map fitted to all forecasts, for new probabilities: ``calibrator.apply(p)``.
    methods : tuple of str
        The ways tried.
    log_loss_before : float
        Mean log loss over cases; probabilities below 1e-6 count as 1e-6 here, so that one
        impossible event is no infinite gain.
    log_loss : (3,) floats
        The same after each, cross-fitted.
    gain, lower, upper : (3,) floats
        Loss before minus after, with an interval that holds for the three together (Bonferroni).
    pvalues : (3,) floats
        Of no gain, times three (Bonferroni): the larger of the two-sided paired t-test's over
        cases and the inverse likelihood ratio. At most ``alpha`` just where ``lower`` is at least
        0: interval and p-value are of the same test.
    alpha : float
        Level at which a gain is called real.
    before, after : ProbabilityTrace
        Of the forecasts as they were, and cross-fitted by the chosen way.
    probabilities : (n, k) floats
        The forecasts after the chosen way, cross-fitted.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import recalibrate
    >>> p = np.tile([[0.99, 0.01], [0.01, 0.99]], (200, 1))  # too sure: 4 in 5 are right
    >>> y = (np.arange(400) + (np.arange(400) % 5 == 0)) % 2
    >>> print(recalibrate(p, y))
    Recalibrate by temperature: log loss 0.9291 becomes 0.5058, a gain of 0.4233 (0.2705 to \
0.5760, p = 2.7e-10); slope of the trace 0.8081 before, 1.0325 after.
    """

    chosen: str
    calibrator: Calibrator
    methods: tuple[str, ...]
    log_loss_before: float
    log_loss: Floats
    gain: Floats
    lower: Floats
    upper: Floats
    pvalues: Floats
    alpha: float
    before: ProbabilityTrace
    after: ProbabilityTrace
    probabilities: Probabilities

    def to_frame(self) -> DataFrame:
        """Give a row for each method."""
        return self._frame(
            method=self.methods,
            log_loss_before=self.log_loss_before,
            log_loss=self.log_loss,
            gain=self.gain,
            lower=self.lower,
            upper=self.upper,
            pvalue=self.pvalues,
            chosen=[method == self.chosen for method in self.methods],
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how far the trace is from that of true probabilities, before and after."""
        ax = new_axes(ax)
        ax.axhline(0, color="0.6", linewidth=1, label="mean of true probabilities")
        for name, trace in (("before", self.before), (f"after: {self.chosen}", self.after)):
            at = shown_positions(trace.steps.size)
            straight = straight_over_ties(trace)
            r, slope = _line(trace)
            label = f"{name}, r = {r:.4f}, slope {slope:.3f}"
            ax.plot(trace.steps[at], straight[at] - trace.steps[at], label=label)
        ax.set(xlabel="step (probabilities in ascending order, 0 at 1/k)", ylabel="trace − step")
        ax.legend(loc="best", frameon=False, fontsize="small")
        return ax

    def __str__(self) -> str:
        at = int(self.gain.argmax()) if self.chosen == "none" else self.methods.index(self.chosen)
        gain = (
            f"{self.gain[at]:.4f} ({self.lower[at]:.4f} to {self.upper[at]:.4f}, "
            f"p = {self.pvalues[at]:.2g})"
        )
        before = f"{self.log_loss_before:.4f}{self._say_floored()}"
        if self.chosen == "none":
            return (
                f"Leave the probabilities as they are: log loss {before}, and "
                f"the best recalibration ({self.methods[at]}) gains {gain}, not real at level "
                f"{self.alpha:g}."
            )
        return (
            f"Recalibrate by {self.chosen}: log loss {before} becomes "
            f"{self.log_loss[at]:.4f}, a gain of {gain}; slope of the trace "
            f"{_line(self.before)[1]:.4f} before, {_line(self.after)[1]:.4f} after."
        )

    def _say_floored(self) -> str:
        """Say that some true class had a probability of about zero, and what was made of it."""
        true = self.before.probabilities[np.arange(self.before.y.size), self.before.y]
        floored = int((true < FLOOR).sum())
        noun = "probability" if floored == 1 else "probabilities"
        return f" (with {floored} {noun} about 0 taken as {FLOOR:g})" if floored else ""


def _line(trace: ProbabilityTrace) -> tuple[float, float]:
    """Return r and slope straight over ties: neither depends on the order of the rows."""
    r, slope, _ = fit_line(straight_over_ties(trace), -int(trace.steps[0]))
    return r, slope


def recalibrate(
    probabilities: ArrayLike,
    y: ArrayLike,
    *,
    folds: ArrayLike | None = None,
    samples: ArrayLike | None = None,
    repetitions: ArrayLike | None = None,
    alpha: float = 0.05,
) -> Recalibration:
    """Try temperature, sigmoid and isotonic recalibration, cross-fitted; choose by real gain.

    In each repetition, the forecasts of a fold are recalibrated by a map fitted to the other
    folds, so no case meets a map that saw its class. The gain in log loss is tested over cases,
    each the mean over its repetitions, and must also be large enough as a likelihood ratio. The
    maps of different folds share most of their data, and the learners behind the other folds saw
    this case: the test takes neither into account, both matter little for maps of few parameters.

    Parameters
    ----------
    probabilities : (n, k) floats
        Out-of-sample forecasts, rows summing to 1.
    y : (n,) ints or texts
        True class codes, 0 to k − 1, or labels, the columns being those of the sorted labels.
    folds : (n,) ints, optional
        Rows left out together, two folds or more. Without it, five folds drawn within each class.
    samples, repetitions : (n,) ints, optional
        Which case a row is about, and of which repetition of the resampling plan.
    alpha : float
        Level of the test; no method is chosen that does not pass it.

    Returns
    -------
    Recalibration

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import recalibrate
    >>> rng = np.random.default_rng(0)
    >>> p = rng.dirichlet(np.ones(3), size=300)
    >>> y = (rng.random((300, 1)) > p.cumsum(axis=1)).sum(axis=1)  # true probabilities
    >>> recalibrate(p, y).chosen
    'none'
    """
    forecasts = check_forecasts(
        probabilities, y, folds=folds, samples=samples, repetitions=repetitions
    )
    if folds is not None and not forecasts.folds.any():
        raise InvalidInput(
            f"folds is {np.asarray(folds)[0]!s} for every row; expected two folds or more, one to "
            "judge a recalibration that was fitted to the others. Without folds five are drawn."
        )
    return recalibrate_forecasts(forecasts, alpha=alpha)


def recalibrate_forecasts(forecasts: Forecasts, *, alpha: float = 0.05) -> Recalibration:
    """Recalibrate checked forecasts.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import check_forecasts
    >>> forecasts = check_forecasts(np.tile([0.5, 0.5], (20, 1)), np.arange(20) % 2)
    >>> recalibrate_forecasts(forecasts).chosen
    'none'
    """
    check_share("alpha", alpha, such_as=0.05)
    if forecasts.n_cases < 2:
        raise InvalidInput(
            "there is 1 case; expected at least 2, one to fit a recalibration and one to judge it."
        )
    fitted = {method: cross_fit(forecasts, _fitter(method)) for method in METHODS}
    before = _case_losses(forecasts, forecasts.probabilities)
    after = np.stack([_case_losses(forecasts, fitted[method]) for method in METHODS])
    gain, lower, upper, pvalues = paired_gains(before - after, alpha)
    chosen = _simplest_good(after, real=(pvalues <= alpha) & (gain > 0))
    kept = fitted.get(chosen, forecasts.probabilities)
    calibrator = (
        Unchanged()
        if chosen == "none"
        else _fitter(chosen, cross=False)(forecasts, np.arange(len(forecasts.y)))
    )
    return Recalibration(
        chosen=chosen, calibrator=calibrator, methods=METHODS,
        log_loss_before=float(before.mean()), log_loss=after.mean(axis=1), gain=gain, lower=lower,
        upper=upper, pvalues=pvalues, alpha=alpha,
        before=_trace(forecasts, forecasts.probabilities), after=_trace(forecasts, kept),
        probabilities=kept,
    )  # fmt: skip


def _simplest_good(losses: Floats, *, real: Bools) -> str:
    """Choose the first method with a real gain within one standard error of the best such."""
    if not real.any():
        return "none"
    best = int(np.where(real, losses.mean(axis=1), np.inf).argmin())
    excess = losses - losses[best]  # (methods, cases)
    error = excess.std(axis=1, ddof=1) / np.sqrt(excess.shape[1])
    return METHODS[int(np.argmax(real & (excess.mean(axis=1) <= error)))]


# Cross-fitted maps are fitted to no more rows, drawn at random: a map of two numbers for each
# class loses k/5,000 of log loss for that at most, and 100,000 forecasts are recalibrated in half
# the time. Curves learn more slowly, and are quicker to fit. The map handed on sees all rows.
_MOST_ROWS = {"temperature": 5_000, "sigmoid": 5_000, "isotonic": 20_000}


def _fitter(method: str, *, cross: bool = True) -> Callable[[Forecasts, Ints], Calibrator]:
    def fit(forecasts: Forecasts, rows: Ints) -> Calibrator:
        if cross and rows.size > _MOST_ROWS[method]:
            rows = np.random.default_rng(0).permutation(rows)[: _MOST_ROWS[method]]
        p, y = forecasts.probabilities[rows], forecasts.y[rows]
        if method == "temperature":
            return fit_temperature(p, y)
        if method == "sigmoid":
            return fit_sigmoid(p, y)
        return fit_isotonic(p, y, n_cases=np.unique(forecasts.samples[rows]).size)

    return fit


def _case_losses(forecasts: Forecasts, probabilities: Probabilities) -> Floats:
    losses = log_losses(np.maximum(probabilities, FLOOR), forecasts.y)
    return forecasts.case_means(losses)


def _trace(forecasts: Forecasts, probabilities: Probabilities) -> ProbabilityTrace:
    return trace_columns(
        probabilities,
        forecasts.y,
        samples=forecasts.samples,
        threshold=winning_threshold(forecasts.n_classes),
    )
