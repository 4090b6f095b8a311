"""Trust: every question about one learner's probabilities, asked of its out-of-fold forecasts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import ndtr, ndtri

from polychotomy.core.arrays import Floats
from polychotomy.core.predictions import (
    Forecasts,
    OutOfFold,
    learner_position,
    out_of_fold_forecasts,
)
from polychotomy.core.result import Axes, DataFrame, Result
from polychotomy.core.seeds import as_generator
from polychotomy.validation.confusion import uncertainty_coefficient
from polychotomy.validation.recalibration import Recalibration, recalibrate_forecasts
from polychotomy.validation.reliability import ReliabilityDiagram, diagram_of
from polychotomy.validation.scores import ProbabilityScores, score_forecasts
from polychotomy.validation.trace import ProbabilityTrace, TraceNull, monte_carlo_pvalue

_FEW = 25.0  # variance of the number of right ones below which it is not taken as normal

CONFIDENCE_DRAWS = 1999
"""Draws of the number of right ones, where it is not taken as normal."""


_CELLS = 200_000  # random numbers at once


class Trust(Result):
    """Whether one learner's probabilities mean what they say, and what to do if not.

    Parameters
    ----------
    name : str
        The learner.
    hard : bool
        It gave labels only; its probabilities are zeros and ones, and nothing to trust.
    n_missing : int
        Out-of-fold forecasts missing for failed fits.
    confidence, accuracy : float
        Mean probability of the predicted class, and how often it was the true one.
    confidence_pvalue : float
        Of their difference if the probabilities are true, two-sided, over cases; before the
        correction of :attr:`adjusted_pvalues`.
    resolution : float
        By less than that the probabilities may be off on average without its being seen: the
        difference of confidence and accuracy that was seen, and beyond it half the width of a 95 %
        interval over cases, √2 times, for the model that will be used is one more fit, and was
        chosen on these cases.
    uncertainty_coefficient : float
        Share of the uncertainty about the class that its predicted labels remove.
    trace : ProbabilityTrace
        M24's trace over all forecasts.
    null : TraceNull
        What it would be if the probabilities were true.
    scores : ProbabilityScores
        Log loss, Brier score and its parts, smooth calibration error.
    reliability : ReliabilityDiagram
        Of the predicted class.
    recalibration : Recalibration
        What recalibration gains.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.core.predictions import OutOfFold
    >>> from polychotomy.validation import assess_trust
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(2, size=200)
    >>> p = np.where(y[:, None] == np.arange(2), 0.7, 0.3)  # always right, never sure
    >>> trust = assess_trust(OutOfFold(
    ...     names=("shy",), classes=("no", "yes"), y=y, folds=(np.arange(200) % 5)[None, None],
    ...     predicted=y[None, None, None], probabilities=p[None, None, None],
    ...     hard=np.array([False]),
    ... ))
    >>> trust.finding
    'too cautious'
    """

    name: str
    hard: bool
    n_missing: int
    confidence: float
    accuracy: float
    confidence_pvalue: float
    resolution: float
    uncertainty_coefficient: float
    trace: ProbabilityTrace
    null: TraceNull
    scores: ProbabilityScores
    reliability: ReliabilityDiagram
    recalibration: Recalibration

    @property
    def finding(self) -> str:
        """In short: "labels only", "no sign against them", "too sure", "too cautious", "uneven".

        Evidence is a trace unlike that of true probabilities, a confidence unlike the accuracy
        (both by :attr:`adjusted_pvalues`), or a recalibration with a real gain: trace and
        confidence pool the classes, and do not see one being favoured over the others.

        Examples
        --------
        See `assess_trust`.
        """
        if self.hard:
            return "labels only"
        trace, confidence = self.adjusted_pvalues
        alpha = self.recalibration.alpha
        if min(trace, confidence) > alpha and self.recalibration.chosen == "none":
            return "no sign against them"
        if confidence > alpha:
            return "uneven"
        return "too cautious" if self.accuracy > self.confidence else "too sure"

    @property
    def adjusted_pvalues(self) -> tuple[float, float]:
        """P-values of the trace and of confidence against accuracy, by Holm for the two asked.

        Examples
        --------
        See `assess_trust`.
        """
        trace, confidence = self.null.pvalue, self.confidence_pvalue
        least = min(1.0, 2 * min(trace, confidence))
        return max(least, trace), max(least, confidence)

    def to_frame(self) -> DataFrame:
        """One row."""
        return self._frame(
            learner=self.name,
            finding=self.finding,
            r=self.null.observed_r,
            slope=self.null.observed_slope,
            pvalue=self.null.pvalue,
            confidence=self.confidence,
            accuracy=self.accuracy,
            confidence_pvalue=self.confidence_pvalue,
            resolution=self.resolution,
            log_loss=self.scores.log_loss,
            brier=self.scores.brier,
            calibration=self.scores.calibration,
            smooth_calibration_error=self.scores.smooth_calibration_error,
            uncertainty_coefficient=self.uncertainty_coefficient,
            recalibration=self.recalibration.chosen,
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the trace in the band of true probabilities."""
        return self.null.plot(ax)

    def __str__(self) -> str:
        missing = f" {self.n_missing} forecasts are missing." if self.n_missing else ""
        if self.hard:
            return f"{self.name} gives labels only: there are no probabilities to trust.{missing}"
        trace, confidence = self.adjusted_pvalues
        return (
            f"{self.name}: {self.finding}. {replace(self.null, pvalue=trace)} Mean confidence "
            f"{self.confidence:.3f}, accuracy {self.accuracy:.3f}; p = {confidence:.2g} (this p "
            f"and the trace's by Holm for the two). {self.scores} {self.recalibration}{missing}"
        )


def assess_trust(
    predictions: OutOfFold,
    learner: str | int = 0,
    *,
    n_simulations: int | None = None,
    alpha: float = 0.05,
    random_state: int | np.random.Generator | None = 0,
) -> Trust:
    """Ask every question about one learner's probabilities of its out-of-fold forecasts.

    Parameters
    ----------
    predictions : OutOfFold
        What a ledger gives.
    learner : str or int
        Its name or its position.
    n_simulations : int, optional
        Drawings for the trace's band; by default 999, 199 above 20,000 forecasts and 99 above a
        million, which still tell p-values below 0.05 after the correction for two questions.
    alpha : float
        Level of the tests.
    random_state : int, Generator or None
        Seed of the drawings.

    Returns
    -------
    Trust

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.core.predictions import OutOfFold
    >>> from polychotomy.validation import assess_trust
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(2, size=200)
    >>> sure = np.where(rng.random(200) < 0.8, y, 1 - y)  # right in 8 of 10, says 99 of 100
    >>> p = np.where(sure[:, None] == np.arange(2), 0.99, 0.01)
    >>> trust = assess_trust(
    ...     OutOfFold(
    ...         names=("boosting",), classes=("no", "yes"), y=y,
    ...         folds=(np.arange(200) % 5)[None, None], predicted=sure[None, None, None],
    ...         probabilities=p[None, None, None], hard=np.array([False]),
    ...     ),
    ...     "boosting",
    ... )
    >>> trust.finding, trust.recalibration.chosen
    ('too sure', 'temperature')
    >>> max(trust.adjusted_pvalues) < 0.05
    True
    """
    position = learner_position(predictions, learner)
    forecasts = out_of_fold_forecasts(predictions, position)
    recalibration = recalibrate_forecasts(forecasts, alpha=alpha)
    trace = recalibration.before
    drawings = n_simulations or (
        999 if trace.y.size <= 20_000 else 199 if trace.y.size <= 10**6 else 99
    )
    confidence, accuracy, confidence_pvalue = compare_confidence(forecasts, random_state)
    return Trust(
        name=predictions.names[position],
        hard=bool(predictions.hard[position]),
        n_missing=forecasts.n_missing,
        confidence=confidence,
        accuracy=accuracy,
        confidence_pvalue=confidence_pvalue,
        resolution=_resolution(forecasts),
        uncertainty_coefficient=uncertainty_coefficient(
            forecasts.y, forecasts.probabilities.argmax(axis=1)
        ),
        trace=trace,
        null=trace.null_band(drawings, random_state=random_state, level=1 - alpha),
        scores=score_forecasts(forecasts),
        reliability=diagram_of(forecasts, confidence=1 - alpha),
        recalibration=recalibration,
    )


def compare_confidence(
    forecasts: Forecasts, random_state: int | np.random.Generator | None = 0
) -> tuple[float, float, float]:
    """Mean probability of the predicted class, its accuracy, and the p-value of the difference.

    If the probabilities are true, a case's accuracy has mean p and variance p (1 − p); the sum over
    cases is taken as normal (Spiegelhalter's test with the predicted class as event), or drawn
    where it has a variance below 25: one error of a very sure learner is no normal deviate.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import check_forecasts
    >>> forecasts = check_forecasts(np.tile([0.9, 0.1], (400, 1)), np.arange(400) % 2)
    >>> confidence, accuracy, pvalue = compare_confidence(forecasts)
    >>> round(confidence, 3), accuracy, pvalue < 1e-9
    (0.9, 0.5, True)
    """
    p = forecasts.probabilities
    top = p.max(axis=1)
    right = (p.argmax(axis=1) == forecasts.y).astype(float)
    difference = forecasts.case_means(right - top).sum()
    variance = forecasts.case_means(top * (1 - top)).sum()
    if abs(difference) < 1e-12:
        pvalue = 1.0
    elif 0 < variance < _FEW:
        drawn = np.abs(_drawn_differences(forecasts, as_generator(random_state)))
        pvalue = monte_carlo_pvalue(drawn, abs(difference))
    else:
        pvalue = float(2 * ndtr(-abs(difference) / np.sqrt(variance))) if variance > 0 else 0.0
    return float(top.mean()), float(right.mean()), pvalue


def _resolution(forecasts: Forecasts) -> float:
    """Add 1.96 √2 standard errors, as seen or as expected if that is more, to what was seen.

    Where all were right, what was seen says nothing of the spread. √2 and what was seen are from
    the tables of ``benchmarks/lab_fits.py`` that rules may be tuned on: without either the fitted
    model was off by more in a fifth of them, mostly as its accuracy was lower than it had looked.
    """
    p = forecasts.probabilities
    top, right = p.max(axis=1), p.argmax(axis=1) == forecasts.y
    off, expected = (forecasts.case_means(one) for one in (right - top, top * (1 - top)))
    seen = off.var(ddof=1) if off.size > 1 else 0.0
    error = np.sqrt(2 * max(seen, expected.mean()) / off.size)
    return float(abs(off.mean()) - ndtri(0.025) * error)


def _drawn_differences(forecasts: Forecasts, rng: np.random.Generator) -> Floats:
    """Right ones less expected ones, a case the mean of its rows, were the probabilities true.

    Rows about one case share the random number that draws their class.
    """
    p, samples = forecasts.probabilities, forecasts.samples
    rows = np.arange(p.shape[0])
    top = p.argmax(axis=1)
    end = p.cumsum(axis=1)[rows, top]
    most = p[rows, top]
    weight = 1 / np.bincount(samples)[samples]
    expected = float(weight @ most)
    differences = np.empty(CONFIDENCE_DRAWS)
    at_once = max(1, _CELLS // rows.size)
    for first in range(0, CONFIDENCE_DRAWS, at_once):
        some = slice(first, first + at_once)
        uniform = rng.random((differences[some].size, int(samples.max()) + 1))[:, samples]
        differences[some] = ((uniform < end) & (uniform >= end - most)) @ weight - expected
    return differences
