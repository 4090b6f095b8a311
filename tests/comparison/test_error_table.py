"""ErrorTable: every way in gives the same table; missing cells are named."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.comparison import ErrorTable, friedman_test
from polychotomy.comparison.multitest import multitest
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold


@pytest.fixture
def table():
    errors = np.random.default_rng(0).uniform(size=(3, 2, 4, 5, 2))
    return ErrorTable.from_array(errors, names=["NA", "b", "c"], data_sets=["iris", "wine"])


def predictions(seed, n=40, k=3, names=("A", "B")):
    rng = np.random.default_rng(seed)
    folds = np.stack([[rng.permutation(n) % 2 for _ in range(5)] for _ in range(2)])
    p = rng.dirichlet(np.ones(k), (len(names), 2, 5, n))
    return OutOfFold(
        names=names,
        classes=tuple("xyz"[:k]),
        y=rng.integers(0, k, n),
        folds=folds,
        predicted=p.argmax(axis=-1),
        probabilities=p,
        hard=np.zeros(len(names), bool),
    )


@pytest.mark.filterwarnings("error")  # of pandas, too
def test_a_frame_and_a_csv_give_the_table_back(table, tmp_path):
    frame = table.to_frame()
    again = ErrorTable.from_frame(frame)
    assert (again.names, again.data_sets) == (table.names, table.data_sets)
    assert_array_equal(again.errors, table.errors)
    path = tmp_path / "errors.csv"
    frame.sample(frac=1, random_state=0).to_csv(path, index=False)
    read = ErrorTable.read_csv(path, names=table.names)
    assert_array_equal(read.of("iris", run=3), table.of("iris", run=3))


def test_more_than_ten_folds_keep_their_order():
    frame = pd.DataFrame({"learner": "A", "fold": range(12), "error": np.arange(12) / 12})
    assert_array_equal(
        ErrorTable.from_frame(frame.astype({"fold": str})).of()[0, 0] * 12, range(12)
    )


@pytest.mark.parametrize("ndim", [2, 3, 4, 5])
def test_arrays_of_any_depth(ndim):
    shape = (3, 2, 2, 2, 2)[:ndim]
    table = ErrorTable.from_array(np.zeros(shape).tolist())
    assert table.errors.shape == (3, *(1,) * (5 - ndim), *(2,) * (ndim - 1))


@pytest.mark.parametrize("loss", ["misclassification", "squared", "deviance"])
def test_losses_by_hand(loss):
    one = predictions(0)
    table = ErrorTable.from_predictions({"x": one, "y": predictions(1)}, loss=loss)
    assert table.errors.shape == (2, 2, 2, 5, 2)
    inside = one.folds[1, 3] == 1
    p, y = one.probabilities[1, 1, 3, inside], one.y[inside]
    expected = {
        "misclassification": np.mean(p.argmax(axis=1) != y),
        "squared": np.mean(
            [((row - np.eye(3)[c]) ** 2).sum() for row, c in zip(p, y, strict=True)]
        ),
        "deviance": np.mean([-2 * np.log(row[c]) for row, c in zip(p, y, strict=True)]),
    }
    assert_allclose(table.of("x", run=1)[1, 3, 1], expected[loss])


def test_any_loss_will_do():
    one = predictions(0)
    own = ErrorTable.from_predictions(one, loss=lambda p, y: 1.0 * (p.argmax(axis=-1) != y))
    assert_allclose(own.errors, ErrorTable.from_predictions(one).errors)


def test_a_failed_fold_is_missing_and_named(table):
    errors = table.errors.copy()
    errors[1, 0, 2, 4, 1] = np.nan
    broken = ErrorTable(names=table.names, data_sets=table.data_sets, errors=errors)
    assert "1 cell missing" in str(broken)
    assert broken.missing().to_dict("records") == [
        {"learner": "b", "data_set": "iris", "run": 2, "repetition": 4, "fold": 1}
    ]
    with pytest.raises(InvalidInput, match="'b' on 'iris' in run 2, repetition 4, fold 1 is miss"):
        broken.mean_errors()
    with pytest.raises(InvalidInput, match="'b' in repetition 4, fold 1 is nan"):
        multitest(broken.of("iris", run=2), names=broken.names)
    assert broken.without_failed().names == ("NA", "c")
    assert broken.filled(1.0).of(0, run=2)[1, 4, 1] == 1.0
    gaps = ErrorTable.from_frame(broken.to_frame().dropna())
    assert_array_equal(np.isnan(gaps.errors), np.isnan(errors))


def test_means_are_one_a_data_set(table):
    assert_allclose(table.mean_errors(), table.errors.mean(axis=(2, 3, 4)).T)
    assert friedman_test(table.mean_errors()).n_data_sets == 2


def test_one_data_set_cannot_be_many():
    one = ErrorTable.from_array(np.random.default_rng(0).uniform(size=(3, 5, 2)))
    with pytest.raises(InvalidInput, match="cannot stand for data sets"):
        friedman_test(one.mean_errors())


def test_reordering(table):
    again = table.reordered([2, 0, 1])
    assert again.names == ("c", "NA", "b")
    assert_array_equal(again.of(1), table.of(1)[[2, 0, 1]])


def test_drawing(table):
    assert table.plot().get_xlabel() == "error on iris"


def test_errors(table):
    frame = table.to_frame()
    with pytest.raises(InvalidInput, match=r"lacks \['fold'\]"):
        ErrorTable.from_frame(frame.drop(columns="fold"))
    with pytest.raises(InvalidInput, match="there are 2 rows for learner NA, data_set iris"):
        ErrorTable.from_frame(pd.concat([frame, frame.head(1)]))
    with pytest.raises(InvalidInput, match="no rows"):
        ErrorTable.from_frame(frame.head(0))
    with pytest.raises(InvalidInput, match="expected the learners"):
        ErrorTable.from_frame(frame, names=["b", "c"])
    with pytest.raises(InvalidInput, match="data_set is 'beer'"):
        table.of("beer")
    with pytest.raises(InvalidInput, match="run is 4"):
        table.of("iris", run=4)
    with pytest.raises(InvalidInput, match="'a' twice; expected distinct names"):
        ErrorTable.from_array(np.zeros((2, 3, 1, 1, 1)), data_sets=["a", "b", "a"])
    with pytest.raises(InvalidInput, match="loss is 'auc'"):
        ErrorTable.from_predictions(predictions(0), loss="auc")
    with pytest.raises(InvalidInput, match="losses have shape"):
        ErrorTable.from_predictions(predictions(0), loss=lambda p, y: p)
    with pytest.raises(InvalidInput, match="data set 'y' has learners"):
        ErrorTable.from_predictions({"x": predictions(0), "y": predictions(1, names=("A", "C"))})
    with pytest.raises(InvalidInput, match="predictions is empty"):
        ErrorTable.from_predictions({})
