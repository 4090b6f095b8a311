import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from nested_subsamples import _folds, learning_curve_losses, proportional_order
from polychotomy.core.exceptions import InvalidInput, LearnerError

IRIS = load_iris(return_X_y=True)


def test_subsamples_are_nested_and_in_proportion():
    y = np.repeat([0, 1, 2], [60, 30, 10])
    seen = []
    for test, train in _folds(y, 5, np.random.default_rng(0)):
        assert not set(test) & set(train)
        assert len(test) == 20
        assert_array_equal(np.bincount(y[test]), [12, 6, 2])
        assert abs(np.bincount(y[train[:20]], minlength=3) - [12, 6, 2]).max() <= 1
        seen += test.tolist()
    assert sorted(seen) == list(range(100))


def test_order_is_a_permutation():
    y = np.random.default_rng(1).integers(0, 4, 50)
    assert sorted(proportional_order(y, np.random.default_rng(2))) == list(range(50))


def test_losses_by_hand():
    """A learner that says the commonest class is wrong on the others at any size."""
    y = np.repeat([0, 1], [70, 30])
    sizes, losses = learning_curve_losses(
        DummyClassifier(), np.zeros((100, 1)), y, n_repeats=2, random_state=0
    )
    assert sizes.tolist() == [16, 28, 48, 80]
    assert_array_equal(losses, np.tile(y == 1, (4, 1)))


def test_same_seed_same_losses():
    first = learning_curve_losses(GaussianNB(), *IRIS, random_state=3)[1]
    again = learning_curve_losses(GaussianNB(), *IRIS, random_state=3)[1]
    other = learning_curve_losses(GaussianNB(), *IRIS, random_state=4)[1]
    assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_folds": 1}, "n_folds is 1"),
        ({"shares": (0.5, 2)}, r"shares is \(0.5, 2\)"),
        ({"shares": (1.0,)}, "at least two different ones"),
    ],
)
def test_errors_are_named(change, message):
    with pytest.raises(InvalidInput, match=message):
        learning_curve_losses(GaussianNB(), *IRIS, **change)


def test_too_small_a_subsample_is_said():
    with pytest.raises(LearnerError, match=r"failed on 2 training cases.*Raise the smallest"):
        learning_curve_losses(LinearDiscriminantAnalysis(), *IRIS, shares=(0.01, 1.0))
