"""Labels: any type in, codes out; what cannot be judged is refused with the reason."""

import numpy as np
import pandas as pd
import pytest

from polychotomy.exceptions import InvalidTable
from polychotomy.study.target import Target


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["b", "a", "b"], ["a", "b"]),
        ([True, False, True], [False, True]),
        (np.array([3, -1, 3]), [-1, 3]),
        (pd.Series(["x", "y", "x"], dtype="category"), ["x", "y"]),
        (np.array([2.0, 1.0, 2.0]), [1.0, 2.0]),
        (np.array(["x", "y", "y"], dtype=object), ["x", "y"]),
    ],
)
def test_labels_of_any_type(labels, classes):
    target = Target.from_labels(labels)
    assert target.classes.tolist() == classes
    assert target.classes[target.codes].tolist() == list(labels)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "a"], r"one class 'a'; expected at least two classes"),
        ([], "no rows"),
        ([0.5, 1.25, 2.0], r"looks continuous: 3 distinct values in 3 rows, .*0\.5"),
        (["a", None, "b", None], r"missing in 2 of 4 rows \(data row 2, 4\)"),
        ([1.0, np.nan], r"missing in 1 of 2 rows \(data row 2\)"),
        ([1, "a"], "mixes labels of the types int, str"),
        (np.eye(2), r"shape \(2, 2\)"),
    ],
)
def test_refused(labels, message):
    with pytest.raises(InvalidTable, match=message):
        Target.from_labels(labels, name="species")


def test_a_few_numbers_with_fractions_are_classes():
    target = Target.from_labels(np.tile([1.0, 2.0, 3.5], 40))
    assert target.names == ("1.0", "2.0", "3.5")


def test_rare_classes_are_named_with_counts_and_remedy():
    target = Target.from_labels(["a", "a", "b", "c"])
    with pytest.raises(InvalidTable, match=r"2 of the 3 classes.*'b' has 1, 'c' has 1.*Do this"):
        target.refuse_rare(2, name="y", remedy="Do this")
    target.refuse_rare(1, name="y", remedy="")
