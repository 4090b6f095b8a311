"""YA06's other tree: splits by gain ratio, of categories many ways, pruned on cases held back."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from polychotomy.reproduction.ya06_reading import Mixed
from polychotomy.reproduction.ya06_tree import (
    classify,
    grow,
    grow_on,
    predict_tree,
    prune,
    run_tree,
)

NONE = np.zeros((8, 0))
J48 = pd.read_csv(Path(__file__).parent / "oracles" / "j48.csv")  # made by j48.py beside it


@pytest.mark.parametrize("table", J48.table.unique())
def test_tree_answers_as_j48_of_weka_does(table):
    """The same splits give the same answers to all cases left out; J48 cuts what gains nothing."""
    frame = J48[J48.table == table].dropna(axis=1, how="all")

    def cases(rows):
        numbers, categories = rows.filter(regex="^n"), rows.filter(regex="^c")
        return Mixed(numbers.to_numpy(float), categories.to_numpy(int), rows.y.to_numpy())

    train, test = cases(frame[frame.j48.isna()]), frame[frame.j48.notna()]
    root = grow_on(train, np.eye(int(frame.y.max()) + 1)[train.y])
    prune(root, train)
    assert root.children
    assert classify(root, cases(test)).tolist() == test.j48.tolist()


def test_category_is_split_into_all_its_values():
    codes = np.array([[0], [0], [1], [1], [2], [2], [3], [3]])
    y = np.array([0, 0, 1, 1, 0, 0, 1, 1])
    root = grow(Mixed(NONE, codes, y), np.eye(2)[y])
    assert sorted(root.children) == [0, 1, 2, 3]
    unseen = Mixed(NONE[:2], np.array([[1], [9]]), np.zeros(2, int))
    assert classify(root, unseen).tolist() == [1, root.answer]


def test_ratio_prefers_few_branches_of_the_same_gain():
    """Both columns tell the classes apart; the one with eight values has three bits of its own."""
    y = np.repeat([0, 1], 8)
    many, two = np.arange(16) // 2, np.repeat([0, 1], 8)
    root = grow(Mixed(np.zeros((16, 0)), np.column_stack([many, two]), y), np.eye(2)[y])
    assert root.column == 1


def test_threshold_of_a_number_is_that_of_scikit_learn():
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 1))
    y = (x[:, 0] + 0.3 * rng.normal(size=200) > 0.4).astype(int)
    root = grow(Mixed(x, np.zeros((200, 0), int), y), np.eye(2)[y])
    tree = DecisionTreeClassifier(criterion="entropy", max_depth=1, min_samples_leaf=2).fit(x, y)
    assert root.threshold == pytest.approx(tree.tree_.threshold[0])


def test_pruning_cuts_what_does_not_help():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(100, 2))
    y = (x[:, 0] > 0.8).astype(int)  # which the cases held back below do not bear out
    cases = Mixed(x, np.zeros((100, 0), int), y)
    root = grow(cases, np.eye(2)[y])
    assert root.children
    held = Mixed(rng.normal(size=(100, 2)), np.zeros((100, 0), int), np.zeros(100, int))
    assert prune(root, held) == 0
    assert not classify(root, cases).any()
    assert set(predict_tree(cases, cases, rng)) <= {0, 1}


def test_run_gives_ten_folds_and_depends_on_its_seed(sets):
    first, again, other = (run_tree("hepatitis", sets, seed) for seed in (0, 0, 1))
    assert first == again != other
    assert len(first["C4.5"]) == 10
