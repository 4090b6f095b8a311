"""Losses in every fold: by hand, and against scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss, precision_recall_curve, roc_auc_score

from polychotomy.comparison import Criterion
from polychotomy.comparison.criteria import mean_pair_auc, mean_recall
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold


def make(k=3, n=120, m=2, repetitions=2, folds=3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    p = rng.dirichlet(np.ones(k), size=(m, 1, repetitions, n))
    p = 0.5 * p + 0.5 * np.eye(k)[y] * rng.random((m, 1, repetitions, n, 1))
    p /= p.sum(axis=-1, keepdims=True)
    parts = np.stack([rng.permutation(n) % folds for _ in range(repetitions)])[None]
    return OutOfFold(
        names=tuple("abcdef"[:m]), classes=tuple("xyzuvw"[:k]), y=y, folds=parts,
        predicted=p.argmax(axis=-1), probabilities=p, hard=np.zeros(m, dtype=bool),
    )  # fmt: skip


def changed(predictions, name, where, value):
    """Return predictions with some entries changed; they themselves cannot be."""
    array = getattr(predictions, name).copy()
    array[where] = value
    return replace(predictions, **{name: array})


def each_fold(predictions):
    for index in np.ndindex(*predictions.folds.shape[:2], int(predictions.folds.max()) + 1):
        run, repetition, fold = index
        rows = predictions.folds[run, repetition] == fold
        for i in range(len(predictions.names)):
            p = predictions.probabilities[i, run, repetition, rows]
            yield (
                (i, *index),
                p,
                predictions.y[rows],
                predictions.predicted[i, run, repetition, rows],
            )


@pytest.mark.parametrize("k", [2, 3, 5])
def test_losses_are_scikit_learns(k):
    predictions = make(k)
    found = {
        name: Criterion(name=name).fold_losses(predictions)
        for name in ("error", "log-loss", "brier", "auc")
    }
    for index, p, y, predicted in each_fold(predictions):
        labels = np.arange(k)
        assert found["error"][index] == pytest.approx((predicted != y).mean())
        assert found["log-loss"][index] == pytest.approx(log_loss(y, p, labels=labels))
        full = brier_score_loss(y, p, labels=labels, scale_by_half=False)
        assert found["brier"][index] == pytest.approx(full)
        area = roc_auc_score(y, p[:, 1]) if k == 2 else roc_auc_score(y, p, multi_class="ovo")
        assert found["auc"][index] == pytest.approx(1 - area)


def test_costs_are_those_of_the_label_expected_to_cost_least():
    predictions = make(2, n=40, m=1, repetitions=1, folds=1)
    costs = np.array([[0.0, 1.0], [7.0, 2.0]])
    losses = Criterion(name="cost", costs=costs).sample_losses(predictions)[0, 0, 0]
    p = predictions.probabilities[0, 0, 0]
    assert losses.tolist() == [
        costs[truth, 1 if p0 + 2 * p1 < 7 * p1 else 0]
        for truth, (p0, p1) in zip(predictions.y, p.tolist(), strict=True)
    ]


def test_costs_of_labels_only_are_those_of_the_label_predicted():
    predictions = replace(make(2, n=40, m=1, repetitions=1, folds=1), hard=np.array([True]))
    costs = np.array([[0.0, 1.0], [7.0, 2.0]])
    losses = Criterion(name="cost", costs=costs).sample_losses(predictions)[0, 0, 0]
    assert losses.tolist() == costs[predictions.y, predictions.predicted[0, 0, 0]].tolist()


def test_decisions_are_the_labels_scored():
    predictions = make(2, n=40, m=1, repetitions=1, folds=1)
    predictions = changed(predictions, "predicted", np.s_[..., 3], -1)
    predictions = changed(predictions, "probabilities", np.s_[..., 3, :], np.nan)
    found = Criterion(name="cost", costs=[[0, 1], [5, 0]]).decisions(predictions)
    p = predictions.probabilities[..., 1]
    np.testing.assert_array_equal(found, np.where(np.isnan(p), -1, p > 1 / 6))
    plain = Criterion(name="error").decisions(predictions)
    np.testing.assert_array_equal(plain, predictions.predicted)


def test_the_class_prior_is_the_cheapest_constant():
    """A candidate that ignores the features must not be easy to beat by a constant."""
    y = np.repeat([0, 1], [110, 89])
    p = np.tile([110 / 199, 89 / 199], (199, 1))[None, None, None]
    prior = OutOfFold(
        names=("MAX",), classes=("-", "+"), y=y, folds=np.zeros((1, 1, 199), dtype=int),
        predicted=np.zeros((1, 1, 1, 199), dtype=int), probabilities=p, hard=np.array([False]),
    )  # fmt: skip
    costs = np.array([[0.0, 1.0], [5.0, 0.0]])
    assert Criterion(name="cost", costs=costs).sample_losses(prior).mean() == 110 / 199


def test_no_prediction_is_nan_in_every_loss():
    predictions = make(3)
    predictions = changed(
        predictions, "predicted", np.s_[1, 0, 0, predictions.folds[0, 0] == 1], -1
    )
    predictions = changed(
        predictions, "probabilities", np.s_[1, 0, 0, predictions.folds[0, 0] == 1], np.nan
    )
    for criterion in (
        *(Criterion(name=name) for name in ("error", "log-loss", "brier", "auc")),
        Criterion(name="cost", costs=1 - np.eye(3)),
    ):
        missing = np.isnan(criterion.fold_losses(predictions))
        assert np.argwhere(missing).tolist() == [[1, 0, 0, 1]], criterion.name


def test_a_true_class_without_probability_is_a_large_loss_but_finite():
    predictions = make(2, n=4, m=1, repetitions=1, folds=1)
    predictions = changed(predictions, "probabilities", np.s_[0, 0, 0, 0], [0.0, 1.0])
    losses = Criterion(name="log-loss").sample_losses(predictions)[0, 0, 0]
    assert losses[0] == pytest.approx(-np.log(np.finfo(np.float32).eps))


def test_ties_count_one_half():
    assert mean_pair_auc(np.full((4, 2), 0.5), np.array([0, 1, 0, 1])) == 0.5


def test_samples_never_left_out_are_nan():
    predictions = make(2)
    predictions = changed(predictions, "folds", np.s_[:, :, :5], -1)
    predictions = changed(predictions, "predicted", np.s_[..., :5], -1)
    assert np.isnan(Criterion(name="brier").sample_losses(predictions)[..., :5]).all()
    assert not np.isnan(Criterion(name="brier").fold_losses(predictions)).any()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"name": "f1"}, "'f1'; expected one of error, log-loss, auc, brier, cost"),
        ({"name": "cost"}, "costs for the loss 'cost' is None"),
        (
            {"name": "error", "costs": np.eye(2)},
            "costs for the loss 'error' is an array",
        ),
        ({"name": "cost", "costs": np.ones((2, 3))}, r"\[1.0, 1.0, 1.0\]\]; expected a square"),
        ({"name": "cost", "costs": np.ones((2, 2))}, "numbers that differ"),
    ],
)
def test_what_is_no_criterion(arguments, words):
    with pytest.raises(InvalidInput, match=words):
        Criterion(**arguments)


def test_costs_of_other_classes():
    with pytest.raises(InvalidInput, match=r"2 rows; expected 3, one for each of the classes x, y"):
        Criterion(name="cost", costs=1 - np.eye(2)).fold_losses(make(3))


def test_auc_of_one_class_and_of_one_sample():
    predictions = make(2, n=6, m=1, repetitions=1, folds=1)
    predictions = changed(predictions, "y", np.s_[:], 0)
    with pytest.raises(InvalidInput, match="samples of one class only"):
        Criterion(name="auc").fold_losses(predictions)
    with pytest.raises(InvalidInput, match="no loss of one sample"):
        Criterion(name="auc").sample_losses(predictions)


def test_margins():
    assert Criterion(name="error").margin == 0.01
    assert Criterion(name="cost", costs=[[0, 50], [1, 0]]).margin == pytest.approx(0.5)


@pytest.mark.parametrize("k", [2, 3])
def test_recall_at_a_precision_is_scikit_learns(k):
    predictions = make(k)
    p = predictions.probabilities.round(1)  # ties
    found = Criterion(name="recall-at-precision").fold_losses(replace(predictions, probabilities=p))
    for at in np.ndindex(found.shape):
        learner, run, repetition, fold = at
        rows = predictions.folds[run, repetition] == fold
        y, shares = predictions.y[rows], p[learner, run, repetition, rows]
        recalls = []
        for c in [np.bincount(y).argmin()] if k == 2 else range(k):
            precision, recall, _ = precision_recall_curve(y == c, shares[:, c])
            recalls.append(recall[precision >= 0.9].max())
        assert found[at] == pytest.approx(1 - np.mean(recalls))


def test_recall_without_a_threshold_that_is_precise():
    p = np.full((4, 2), 0.5)
    assert mean_recall(p, np.array([0, 0, 0, 1])) == 0
    with pytest.raises(InvalidInput, match="'recall-at-precision' ranks the samples"):
        Criterion(name="recall-at-precision").sample_losses(make(2))
