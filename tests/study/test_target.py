"""Labels: any type in, codes out; what cannot be judged is refused with the reason."""

import numpy as np
import pandas as pd
import pytest

from polychotomy.core.exceptions import InvalidTable
from polychotomy.study.design.dataset import Target


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
        ([1, "a"], r"mixes values of the types int \(1\), str \('a'\)"),
        ([True, "yes", 2.5], r"types bool \(True\), float \(2.5\), str \('yes'\)"),
        (
            [f"row {i}" for i in range(50)],
            r"50 different labels in 50 rows, 'row 0' and 'row 1' among them.* 1225 fits",
        ),
        (range(40), r"40 different labels in 40 rows, 0 and 1 .*like an identifier.* 780 fits"),
        (np.eye(2), r"shape \(2, 2\)"),
    ],
)
def test_refused(labels, message):
    with pytest.raises(InvalidTable, match=message):
        Target.from_labels(labels, name="species")


def test_many_classes_with_two_rows_each_are_no_identifiers():
    assert len(Target.from_labels(list(range(30)) * 2).classes) == 30


def test_few_rows_may_all_differ():
    assert len(Target.from_labels(range(20)).classes) == 20


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (np.array([1, 2, 1], dtype=np.int8), "int8"),
        (np.array([2**63, 1, 1], dtype=np.uint64), "uint64"),
        (np.array([True, False]), "bool"),
        (pd.array([1, 2, 1], dtype="Int64"), "int64"),
        (pd.Categorical([5, 6, 5], categories=[7, 6, 5], ordered=True), "int64"),
    ],
)
def test_the_type_of_the_classes(labels, kind):
    assert Target.from_labels(labels).classes.dtype == kind


def test_unused_categories_are_no_classes():
    labels = pd.Series(pd.Categorical(["b", "a"], categories=["z", "b", "a"]))
    assert Target.from_labels(labels).names == ("a", "b")


@pytest.mark.parametrize(
    "labels", [["", "a"], ["مرحبا", "שלום"], ["🌱", "🌱🏽"], ["x" * 10_000, "x"]]
)
def test_any_text_is_a_label(labels):
    target = Target.from_labels(labels)
    assert [target.names[code] for code in target.codes] == labels


def test_a_long_label_is_cut_in_messages():
    with pytest.raises(InvalidTable, match=r"'x{20,}\.\.\.x{20,}'") as caught:
        Target.from_labels(["x" * 10_000] * 3)
    assert len(str(caught.value)) < 300


def test_a_few_numbers_with_fractions_are_classes():
    target = Target.from_labels(np.tile([1.0, 2.0, 3.5], 40))
    assert target.names == ("1.0", "2.0", "3.5")


def test_rare_classes_are_named_with_counts_and_remedy():
    target = Target.from_labels(["a", "a", "b", "c"])
    with pytest.raises(InvalidTable, match=r"2 of the 3 classes.*'b' has 1, 'c' has 1.*Do this"):
        target.refuse_rare(2, name="y", remedy="Do this")
    target.refuse_rare(1, name="y", remedy="")
