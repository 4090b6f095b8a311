from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import kstest

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold
from polychotomy.validation import (
    assess_trust,
    check_forecasts,
    probability_trace,
    uncertainty_coefficient,
)
from polychotomy.validation.trust import compare_confidence
from validation_strategies import draw_forecasts


def ledger(p, y, *, hard=False, repetitions=1):
    n, k = p.shape
    every = np.broadcast_to(p, (1, 1, repetitions, n, k)).copy()
    folds = np.stack([np.random.default_rng(r).permutation(n) % 5 for r in range(repetitions)])
    return OutOfFold(
        names=("learner",),
        classes=tuple(map(str, range(k))),
        y=y,
        folds=folds[None],
        predicted=every.argmax(axis=-1),
        probabilities=every,
        hard=np.array([hard]),
    )


@pytest.mark.parametrize(
    ("power", "finding", "chosen"),
    [
        (1.0, "no sign against them", "none"),
        (3.0, "too sure", "temperature"),
        (0.3, "too cautious", "temperature"),
    ],
)
def test_findings(power, finding, chosen):
    p, y = draw_forecasts(np.random.default_rng(0), 400, 3)
    said = p**power / (p**power).sum(axis=1, keepdims=True)
    trust = assess_trust(ledger(said, y), n_simulations=99)
    assert (trust.finding, trust.recalibration.chosen) == (finding, chosen)
    assert trust.trace.slope == probability_trace(said, y).slope
    assert trust.uncertainty_coefficient == uncertainty_coefficient(y, said.argmax(axis=1))
    assert str(trust).startswith(f"learner: {finding}. The trace")
    assert trust.to_frame().loc[0, "recalibration"] == chosen
    assert trust.plot() is not None


def test_what_is_printed_of_the_trace_is_corrected_as_the_finding_is():
    found = assess_trust(ledger(*draw_forecasts(np.random.default_rng(0), 400, 3)))
    told = replace(found, null=replace(found.null, pvalue=0.04), confidence_pvalue=0.6)
    assert told.finding == "no sign against them"
    assert "does not speak against" in str(told)
    assert "p = 0.08 (r:" in str(told)
    assert "; p = 0.6 (this p and the trace's by Holm for the two)" in str(told)
    told = replace(found, null=replace(found.null, pvalue=0.02), confidence_pvalue=0.6)
    assert told.finding == "uneven"
    assert "The trace speaks against" in str(told)


def test_repetitions_do_not_make_evidence():
    p, y = draw_forecasts(np.random.default_rng(3), 150, 3)
    once = assess_trust(ledger(p, y), n_simulations=199)
    often = assess_trust(ledger(p, y, repetitions=10), n_simulations=199)
    assert_allclose(often.null.pvalue_slope, once.null.pvalue_slope, atol=0.1)
    assert_allclose(often.reliability.lower, once.reliability.lower)
    assert_allclose(often.scores.log_loss, once.scores.log_loss)


def test_uneven():
    """As sure as it is right on the whole, but the sure are too sure and the others not enough."""
    rng = np.random.default_rng(0)
    p = np.tile([[0.6, 0.4], [0.9, 0.1]], (500, 1))
    y = (rng.random(1000) > np.tile([0.7, 0.8], 500)).astype(int)
    trust = assess_trust(ledger(p, y), n_simulations=99)
    assert trust.finding == "uneven"


def test_a_favoured_class_is_found_though_the_trace_pools_classes():
    p, y = draw_forecasts(np.random.default_rng(6), 1000, 5, concentration=0.4)
    said = p * [3, 1, 1, 1, 1]
    trust = assess_trust(ledger(said / said.sum(axis=1, keepdims=True), y), n_simulations=99)
    assert min(trust.null.pvalue_r, trust.null.pvalue_slope) > 0.05
    assert trust.recalibration.chosen == "sigmoid"
    assert trust.finding == "too sure"  # of class 0


def test_direction_does_not_come_from_the_slope():
    """Ten classes, too cautious: the trace is bent and its slope below 1 all the same."""
    rng = np.random.default_rng(0)
    truth = np.where(np.eye(10)[rng.integers(10, size=900)] == 1, 0.9, 0.1 / 9)
    y = (rng.random((900, 1)) > truth.cumsum(axis=1)[:, :-1]).sum(axis=1)
    said = 0.3 * truth + 0.7 * rng.dirichlet(np.full(10, 5), size=900)
    trust = assess_trust(ledger(said, y), n_simulations=99)
    assert trust.trace.slope < 1
    assert trust.accuracy > trust.confidence
    assert trust.finding == "too cautious"


@pytest.mark.long
def test_level_of_the_comparison_of_confidence():
    rng = np.random.default_rng(0)
    pvalues = [
        compare_confidence(check_forecasts(*draw_forecasts(rng, 100, 3)))[2] for _ in range(200)
    ]
    assert kstest(pvalues, "uniform", alternative="greater").pvalue > 0.001  # not too small


@pytest.mark.parametrize(
    ("trace", "confidence", "finding"),
    [
        (0.2, 0.011, "too sure"),  # 0.022 for two questions
        (0.2, 0.04, "no sign against them"),  # 0.08
        (0.04, 0.2, "no sign against them"),
        (0.02, 0.2, "uneven"),
        (0.02, 0.04, "too sure"),
    ],
)
def test_the_finding_follows_from_both_pvalues(trace, confidence, finding):
    trust = assess_trust(ledger(*draw_forecasts(np.random.default_rng(0), 60, 3)), n_simulations=19)
    trust = replace(
        trust,
        null=replace(trust.null, pvalue=trace),
        confidence_pvalue=confidence,
        confidence=0.90,
        accuracy=0.87,
    )
    assert trust.finding == finding
    assert (min(trust.adjusted_pvalues) > 0.05) == (finding == "no sign against them")


@pytest.mark.long
def test_true_probabilities_are_seldom_suspected():
    """Of true ones, vague or sure, at most 5 % are suspected; one error of sure ones is chance."""
    rng = np.random.default_rng(0)
    for n, k, concentration in ((60, 3, 0.5), (50, 2, 0.02)):
        found = [
            assess_trust(
                ledger(*draw_forecasts(rng, n, k, concentration=concentration)), n_simulations=99
            ).finding
            for _ in range(40)
        ]
        assert sum(one != "no sign against them" for one in found) <= 5  # more in 1 of 70


def test_one_error_of_a_very_sure_learner_is_no_evidence():
    p = np.tile([0.998, 0.002], (50, 1))  # 1 error in 50 happens in 9.5 % of such tables
    *_, pvalue = compare_confidence(check_forecasts(p, np.arange(50) == 0))
    assert_allclose(pvalue, 1 - 0.998**50, atol=0.03)


def test_labels_only():
    y = np.arange(50) % 2
    trust = assess_trust(ledger(np.eye(2)[y ^ (np.arange(50) < 5)], y, hard=True))
    assert trust.finding == "labels only"
    assert str(trust) == "learner gives labels only: there are no probabilities to trust."


def test_missing_forecasts_are_said():
    p, y = draw_forecasts(np.random.default_rng(0), 60, 3)
    whole = ledger(p, y)
    probabilities = whole.probabilities.copy()
    probabilities[0, 0, 0, whole.folds[0, 0] == 2] = np.nan
    predictions = replace(whole, probabilities=probabilities)
    trust = assess_trust(predictions, "learner", n_simulations=19)
    assert trust.n_missing == 12
    assert str(trust).endswith("12 forecasts are missing.")


def test_plain_arrays_are_refused_with_what_to_call():
    with pytest.raises(InvalidInput, match=r"is a ndarray; expected an OutOfFold.*made of arrays"):
        assess_trust(np.array([[0.5, 0.5]]), [0])


def test_the_resolution_is_that_of_a_share_worked_by_hand():
    """Of 400 cases 0.8 sure and 320 right, so that nothing is seen: 1.96 √(2 · 0.8 · 0.2 / 399)."""
    y = (np.arange(400) % 5 == 0).astype(int)
    p = np.tile([0.8, 0.2], (400, 1))[None, None, None]
    one = OutOfFold(names=("a",), classes=("no", "yes"), y=y, probabilities=p,
                    folds=(np.arange(400) % 5)[None, None], predicted=p.argmax(axis=-1),
                    hard=np.array([False]))  # fmt: skip
    assert assess_trust(one).resolution == pytest.approx(1.959964 * np.sqrt(2 * 0.16 / 399))
