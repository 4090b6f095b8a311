"""Shared preparation: only what is the same is shared, and only as copies."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler

from polychotomy.study.fitting.prepare import (
    Preparations,
    Prepared,
    content_key,
    shared_beginnings,
)


def shared(first, second):
    """How many steps two candidates have in common."""
    return len(shared_beginnings({"a": first, "b": second}).get("a", ()))


def pipe(*steps):
    return make_pipeline(*steps, GaussianNB())


@pytest.mark.parametrize(
    ("first", "second", "steps"),
    [
        (pipe(StandardScaler()), pipe(StandardScaler()), 1),
        (pipe(StandardScaler(), PCA(2)), pipe(StandardScaler(), PCA(2)), 2),
        (pipe(StandardScaler(), PCA(2)), pipe(StandardScaler(), PCA(3)), 1),
        (pipe(StandardScaler(), PCA(2)), pipe(StandardScaler()), 1),
        (pipe(PCA(2), StandardScaler()), pipe(StandardScaler(), PCA(2)), 0),
        (pipe(StandardScaler()), pipe(StandardScaler(with_std=False)), 0),
        (pipe(StandardScaler()), pipe(MinMaxScaler()), 0),
        (pipe(StandardScaler()), StandardScaler(), 0),
        (GaussianNB(), GaussianNB(), 0),
        (pipe(StandardScaler()), pipe(StandardScaler().set_output(transform="pandas")), 0),
        (pipe(StandardScaler()), Pipeline(pipe(StandardScaler()).steps, memory="x"), 0),
        (pipe("passthrough", PCA()), pipe("passthrough", PCA()), 0),
        (pipe(SelectKBest(k=2)), pipe(SelectKBest(k=2)), 1),
    ],
)
def test_what_is_shared(first, second, steps):
    assert shared(first, second) == steps


def test_functions_are_the_same_only_if_they_are_one():
    def make():
        return lambda X: X

    one, other = make(), make()
    assert shared(pipe(FunctionTransformer(one)), pipe(FunctionTransformer(one))) == 1
    assert shared(pipe(FunctionTransformer(one)), pipe(FunctionTransformer(other))) == 0


def test_a_subclass_of_pipeline_is_left_alone():
    class Mine(Pipeline):
        pass

    assert shared(Mine(pipe(PCA()).steps), Mine(pipe(PCA()).steps)) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        ((1,), [1]),
        ("1", 1),
        (np.zeros(2), np.zeros((2, 1))),
        (np.zeros(2), np.zeros(2, dtype=np.float32)),
        ({"a": 1}, {"a": 2}),
        (KNeighborsClassifier(3), KNeighborsClassifier(4)),
        (np.random.RandomState(0), np.random.RandomState(0)),
    ],
)
def test_keys_of_things_that_differ_differ(one, other):
    assert content_key(one) != content_key(other)


def test_nan_is_itself():
    assert content_key(np.nan) == content_key(float("nan"))


class Counting(StandardScaler):
    fits = 0

    def fit(self, X, y=None, sample_weight=None):
        type(self).fits += 1
        return super().fit(X, y, sample_weight)


def test_a_step_is_fitted_once_a_training_set_and_given_out_as_a_copy():
    raw = Prepared(np.arange(8.0).reshape(4, 2), np.ones((1, 2)))
    preparations = Preparations()
    first = preparations.prepare(
        "fold 0", ("scaler",), lambda position: Counting(), lambda: raw, None
    )
    kept = first.train.copy()
    first.train_copy()[:] = 7  # a learner that writes on its input
    first.test_copy()[:] = 7
    second = preparations.prepare(
        "fold 0", ("scaler",), lambda position: Counting(), lambda: raw, None
    )
    np.testing.assert_array_equal(second.train, kept)
    assert Counting.fits == 1
    assert second.fit_seconds == first.fit_seconds > 0
    preparations.prepare("fold 1", ("scaler",), lambda position: Counting(), lambda: raw, None)
    assert Counting.fits == 2


def test_the_order_in_memory_is_kept():
    raw = Prepared(np.asfortranarray(np.arange(8.0).reshape(4, 2)), np.ones((1, 2)))
    made = Preparations().prepare(
        "fold", ("scaler",), lambda position: StandardScaler(), lambda: raw, None
    )
    assert made.train.flags.f_contiguous
