"""Which classes are taken for which."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold
from polychotomy.validation import confusion_of
from polychotomy.validation.confusion import order_neighbours


def make(predicted, y, k=3):
    predicted = np.asarray(predicted)[None, None]
    p = np.where(predicted[..., None] < 0, np.nan, np.eye(k)[predicted])
    return OutOfFold(
        names=("one",), classes=tuple("abcdefgh"[:k]), y=np.asarray(y),
        folds=np.zeros((1, *predicted.shape[2:]), dtype=int), predicted=predicted,
        probabilities=p, hard=np.array([True]),
    )  # fmt: skip


def test_mean_over_repetitions_is_scikit_learns():
    rng = np.random.default_rng(0)
    y, predicted = rng.integers(3, size=40), rng.integers(3, size=(5, 40))
    found = confusion_of(make(predicted, y), "one")
    expected = np.mean([confusion_matrix(y, one) for one in predicted], axis=0)
    np.testing.assert_allclose(found.counts, expected)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1)


def test_worst_pairs():
    found = confusion_of(make([[1, 1, 1, 1, 0, 2]], [0, 0, 0, 1, 1, 2]))
    assert found.worst[0]._asdict() == {"truth": "a", "predicted": "b", "samples": 3, "share": 1}
    assert [(p.truth, p.predicted) for p in found.worst] == [("a", "b"), ("b", "a")]
    assert str(found).startswith("one errs most by taking 'a' for 'b' (100.0 %)")


def test_worst_is_a_share_of_the_class_and_one_of_two_is_chance():
    """15 of 18 frauds missed are worse than 40 of 6000 taken for one, and than one of two."""
    y = [0] * 6000 + [1] * 18 + [2] * 2
    predicted = [1] * 40 + [0] * 5960 + [0] * 15 + [1] * 3 + [2, 0]
    found = confusion_of(make([predicted], y))
    pairs = [(one.truth, one.predicted) for one in found.worst]
    assert pairs == [("b", "a"), ("c", "a"), ("a", "b")]


def test_no_errors():
    found = confusion_of(make([[0, 1, 2]], [0, 1, 2]))
    assert found.worst == ()
    assert str(found) == "one makes no errors."


def test_missing_predictions_are_not_counted():
    found = confusion_of(make([[0, -1, 1], [0, -1, -1]], [0, 1, 1]))
    assert found.counts.sum() == pytest.approx(1.5)
    assert found.counts[0, 0] == 1


def test_confusable_classes_become_neighbours():
    k = 8
    counts = 10 * np.eye(k)
    for a, b in [(0, 5), (1, 7), (2, 4), (3, 6)]:
        counts[a, b] = counts[b, a] = 6
    order = order_neighbours(counts).tolist()
    assert sorted(order) == list(range(k))
    for a, b in [(0, 5), (1, 7), (2, 4), (3, 6)]:
        assert abs(order.index(a) - order.index(b)) == 1


def test_unknown_learner():
    with pytest.raises(InvalidInput, match="learner is 'two'; expected one of 'one'"):
        confusion_of(make([[0, 1, 2]], [0, 1, 2]), "two")


def test_drawn():
    assert confusion_of(make([[0, 1, 2]], [0, 1, 2])).plot().get_xlabel() == "Predicted label"
