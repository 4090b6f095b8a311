import array_api_strict
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold
from polychotomy.validation import (
    check_forecasts,
    out_of_fold_forecasts,
    probability_trace,
    recalibrate,
    reliability_diagram,
    score_probabilities,
)
from validation_strategies import draw_forecasts


def two_learners(*, failed=()):
    """Two learners, one run, two repetitions of two folds over six cases."""
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(3), size=(2, 1, 2, 6))
    folds = np.array([[[0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1]]])
    for learner, repetition, fold in failed:
        p[learner, 0, repetition, folds[0, repetition] == fold] = np.nan
    predicted = np.where(np.isnan(p).any(axis=-1), -1, np.nan_to_num(p).argmax(axis=-1))
    return OutOfFold(
        names=("tree", "forest"),
        classes=("a", "b", "c"),
        y=np.array([0, 1, 2, 0, 1, 2]),
        folds=folds,
        predicted=predicted,
        probabilities=p,
        hard=np.array([False, False]),
    )


def test_rows_of_a_ledger():
    predictions = two_learners()
    forecasts = out_of_fold_forecasts(predictions, "forest")
    assert_array_equal(forecasts.probabilities, predictions.probabilities[1, 0].reshape(12, 3))
    assert_array_equal(forecasts.y, [0, 1, 2, 0, 1, 2] * 2)
    assert_array_equal(forecasts.samples, [0, 1, 2, 3, 4, 5] * 2)
    assert_array_equal(forecasts.repetitions, [0] * 6 + [1] * 6)
    assert_array_equal(forecasts.folds, [0, 0, 0, 1, 1, 1, 2, 3, 2, 3, 2, 3])
    assert (forecasts.n_cases, forecasts.n_classes, forecasts.n_missing) == (6, 3, 0)
    assert_allclose(forecasts.case_means(np.arange(12.0)), [3, 4, 5, 6, 7, 8])


def test_failed_folds_are_left_out_and_counted():
    forecasts = out_of_fold_forecasts(two_learners(failed=[(0, 0, 1), (0, 1, 1)]), 0)
    assert forecasts.n_missing == 6
    assert_array_equal(forecasts.samples, [0, 1, 2, 0, 2, 3])  # cases 0, 1, 2 and 0, 2, 4
    assert forecasts.n_cases == 4


def test_samples_never_left_out_are_not_missing():
    predictions = two_learners()
    folds = np.where(np.arange(6) == 0, -1, predictions.folds)
    holdout = OutOfFold(**{**predictions.__dict__, "folds": folds})
    forecasts = out_of_fold_forecasts(holdout)
    assert (len(forecasts.y), forecasts.n_missing) == (10, 0)


def test_single_precision_ledger():
    predictions = two_learners()
    single = OutOfFold(
        **{**predictions.__dict__, "probabilities": predictions.probabilities.astype(np.float32)}
    )
    assert out_of_fold_forecasts(single).probabilities.dtype == np.float64


@pytest.mark.parametrize("learner", ["bush", 2, -3, None])
def test_unknown_learner(learner):
    with pytest.raises(InvalidInput, match="expected one of 'tree', 'forest' or a position"):
        out_of_fold_forecasts(two_learners(), learner)


def test_nothing_but_failures():
    failed = [(0, repetition, fold) for repetition in range(2) for fold in range(2)]
    with pytest.raises(InvalidInput, match="learner 'tree' has no out-of-fold prediction: all 12"):
        out_of_fold_forecasts(two_learners(failed=failed), "tree")


def test_groups_may_be_any_labels():
    p, y = draw_forecasts(np.random.default_rng(0), 4, 2)
    forecasts = check_forecasts(p, y, samples=["b", "a", "b", "c"], folds=[7, 7, 9, 9])
    assert_array_equal(forecasts.samples, [1, 0, 1, 2])
    assert_array_equal(forecasts.folds, [0, 0, 1, 1])
    with pytest.raises(InvalidInput, match=r"samples has shape \(3,\); expected \(4,\)"):
        check_forecasts(p, y, samples=[0, 1, 2])


def test_half_precision_is_checked_with_its_own_rounding():
    p = np.array([[0.3, 0.3, 0.4]] * 3, dtype=np.float16)
    assert check_forecasts(p, [0, 1, 2]).probabilities.shape == (3, 3)


def test_boolean_codes():
    assert_array_equal(check_forecasts([[0.5, 0.5]] * 2, [True, False]).y, [1, 0])


@pytest.mark.parametrize(
    "ask",
    [check_forecasts, probability_trace, score_probabilities, reliability_diagram, recalibrate],
)
def test_one_class_leaves_nothing_to_ask(ask):
    with pytest.raises(InvalidInput, match=r"shape \(5, 1\); expected .* two classes or more"):
        ask(np.ones((5, 1)), np.zeros(5, dtype=int))


def test_one_class_leaves_nothing_to_trace_elsewhere():
    with pytest.raises(InvalidInput, match=r"two classes or more\. For two classes pass"):
        probability_trace(array_api_strict.ones((5, 1)), [0] * 5)
