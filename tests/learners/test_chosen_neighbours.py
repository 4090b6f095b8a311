"""k chosen by leave-one-out."""

import tracemalloc

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale
from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.core.exceptions import InvalidInput
from polychotomy.learners import ChosenNeighboursClassifier


@parametrize_with_checks([ChosenNeighboursClassifier()])
def test_estimator_checks(estimator, check):
    check(estimator)


def test_errors_are_those_of_leave_one_out():
    X, y = load_wine(return_X_y=True)
    X = scale(X)[::2]
    y = y[::2]
    model = ChosenNeighboursClassifier(candidates=(1, 5, 15)).fit(X, y)
    for k, error in model.errors_.items():
        theirs = cross_val_score(KNeighborsClassifier(k), X, y, cv=LeaveOneOut())
        assert error == pytest.approx(1 - theirs.mean())
    assert model.errors_[model.n_neighbors_] == min(model.errors_.values())


def test_predictions_are_scikit_learns_with_the_k_chosen():
    X, y = load_wine(return_X_y=True)
    X = scale(X)
    model = ChosenNeighboursClassifier().fit(X[::2], y[::2])
    theirs = KNeighborsClassifier(model.n_neighbors_).fit(X[::2], y[::2])
    np.testing.assert_allclose(model.predict_proba(X[1::2]), theirs.predict_proba(X[1::2]))


def test_copies_do_not_vote_for_themselves():
    # Every sample has a twin of the other class: leave-one-out must see the twin.
    X = np.repeat(np.arange(20.0), 2)[:, None]
    model = ChosenNeighboursClassifier(candidates=(1,)).fit(X, np.tile([0, 1], 20))
    assert model.errors_[1] == 1


def test_many_copies_of_one_point():
    X = np.zeros((30, 2))
    model = ChosenNeighboursClassifier(candidates=(1, 3)).fit(X, [0] * 20 + [1] * 10)
    assert set(model.errors_) == {1, 3}


def test_large_tables_choose_on_part_of_the_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 2))
    y = (X[:, 0] + rng.normal(size=5000) > 0).astype(int)
    assert ChosenNeighboursClassifier().fit(X, y).n_neighbors_ > 10


@pytest.mark.parametrize(
    "candidates", [[], [0], [-3], [1, 0], ["x"], "13", None, 3, [2.5], [1, [2]]]
)
def test_numbers_of_neighbours_that_are_none_are_refused(candidates):
    with pytest.raises(InvalidInput, match=r"candidates is .*; expected "):
        ChosenNeighboursClassifier(candidates=candidates).fit([[0.0], [1.0]], ["a", "b"])


def test_numpys_numbers_are_numbers():
    model = ChosenNeighboursClassifier(candidates=np.array([1, 2])).fit(np.eye(4), [0, 0, 1, 1])
    assert set(model.errors_) == {1, 2}


def test_many_classes_and_rows_take_little_memory():
    y = np.arange(1000) % 200
    model = ChosenNeighboursClassifier(candidates=(51,)).fit(y[:, None], y)
    tracemalloc.start()
    model.predict_proba(y[:, None])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20_000_000  # a vote of each neighbour for each class would be 80 MB


def test_no_more_samples_are_kept_than_asked_for():
    X, y = np.arange(300.0)[:, None], np.repeat(["a", "b", "c"], 100)
    model = ChosenNeighboursClassifier(at_most=60).fit(X, y)
    assert model._search.n_samples_fit_ == 60
    assert (model.predict(X) == y).mean() > 0.9
    alone = ChosenNeighboursClassifier(at_most=1).fit(X, y)
    assert alone.predict_proba(X[:1]).shape == (1, 3)  # of classes that were not kept, too
    with pytest.raises(InvalidInput, match="at_most is 0"):
        ChosenNeighboursClassifier(at_most=0).fit(X, y)
