"""OutOfFold: fold means by hand, and shapes that do not fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold


def made(**changes):
    y = np.array([0, 1, 1, 0, 1, 0])
    folds = np.array([[[0, 0, 1, 1, 2, 2], [2, 1, 0, 2, 1, 0]]])
    predicted = np.array([[0, 0, 1, 1, 1, 0], [0, 1, 1, 0, 1, 1]])[None, None]
    parts = {
        "names": ("a",),
        "classes": ("x", "y"),
        "y": y,
        "folds": folds,
        "predicted": predicted,
        "probabilities": np.eye(2)[predicted],
        "hard": np.array([True]),
    }
    return OutOfFold(**(parts | changes))


def test_fold_errors_by_hand():
    np.testing.assert_allclose(made().fold_errors(), [[[[0.5, 0.5, 0.0], [0.5, 0.0, 0.0]]]])


def test_a_failed_fold_is_nan_and_only_that():
    predicted = made().predicted.copy()
    predicted[0, 0, 0, :2] = -1
    errors = made(predicted=predicted).fold_errors()
    assert np.isnan(errors[0, 0, 0, 0])
    np.testing.assert_allclose(errors[0, 0, 0, 1:], [0.5, 0.0])


@given(st.integers(1, 3), st.integers(1, 3), st.integers(2, 4), st.integers(0, 99))
def test_fold_means_equal_a_loop(m, repetitions, n_folds, seed):
    random = np.random.default_rng(seed)
    n = 4 * n_folds
    folds = np.array([[random.permutation(n) % n_folds for _ in range(repetitions)]])
    losses = random.normal(size=(m, 1, repetitions, n))
    table = OutOfFold(
        names=tuple(map(str, range(m))),
        classes=("x", "y"),
        y=np.zeros(n, dtype=int),
        folds=folds,
        predicted=np.zeros((m, 1, repetitions, n), dtype=int),
        probabilities=np.full((m, 1, repetitions, n, 2), 0.5),
        hard=np.zeros(m, dtype=bool),
    )
    found = table.fold_means(losses)
    for i in range(m):
        for r in range(repetitions):
            for f in range(n_folds):
                expected = losses[i, 0, r, folds[0, r] == f].mean()
                assert found[i, 0, r, f] == pytest.approx(expected)


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(InvalidInput, match=r"hard has shape \(2,\); expected \(1,\)"):
        made(hard=np.zeros(2, dtype=bool))


def test_codes_from_one_are_refused_with_the_way_to_make_codes():
    with pytest.raises(InvalidInput, match=r"y\[1\] is 2; expected whole numbers from 0 to 1") as e:
        made(y=np.array([1, 2, 2, 1, 2, 1]))
    assert "np.unique(labels, return_inverse=True)" in str(e.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y": np.array([0.0, 1, 1, 0, 1, 0])}, "y holds float64 values"),
        ({"y": np.array(list("xyyxyx"))}, "y holds <U1 values"),
        ({"y": np.array([0, 1, 1, 0, 1, -1])}, r"y\[5\] is -1"),
        ({"y": [[0, 1], [1]]}, r"y is \[\[0, 1\], \[1\]\], which is no array"),
        ({"folds": np.array([0, 0, 1, 1, 2, 2])}, r"folds has shape \(6,\); expected \(1, 1, 6\)"),
        (
            {"folds": np.full((1, 2, 6), -2)},
            r"folds\[0, 0, 0\] is -2; expected whole numbers of at",
        ),
        (
            {"predicted": np.full((1, 1, 2, 6), 2)},
            r"predicted\[0, 0, 0, 0\] is 2; expected .* -1 to 1",
        ),
        ({"hard": [1]}, "hard holds int64 values; expected True or False each"),
    ],
)
def test_what_are_no_codes_is_refused(changes, message):
    with pytest.raises(InvalidInput, match=message):
        made(**changes)


def test_lists_are_taken_as_arrays():
    whole = made()
    lists = made(
        y=whole.y.tolist(),
        folds=whole.folds.tolist(),
        predicted=whole.predicted.tolist(),
        probabilities=np.eye(2, dtype=int)[whole.predicted].tolist(),
        hard=[True],
        classes=["x", "y"],
    )
    np.testing.assert_array_equal(lists.fold_errors(), whole.fold_errors())
    assert lists.probabilities.dtype == np.float64
    assert lists.classes == ("x", "y")
