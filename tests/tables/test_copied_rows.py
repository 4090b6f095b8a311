"""Rows that are in a table more than once are noted; cases that are equal by themselves are not."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from polychotomy.tables.row_notes import note_copies

RNG = np.random.default_rng(0)
MEASURED = pd.DataFrame(RNG.normal(size=(100, 4)).round(3), columns=list("abcd"))
LABELS = RNG.choice(["p", "q"], size=100).tolist()


def again(X, labels, rows):
    return pd.concat([X, X.iloc[rows]]), [*labels, *(labels[row] for row in rows)]


def test_the_note_says_how_many_and_what_to_do():
    assert note_copies(*again(MEASURED, LABELS, [*range(100)] * 3)) == [
        "300 of 400 rows are copies of others in every column used: where a fit has seen the copy "
        "of a row, it can answer from memory, which says nothing of new cases; if they are the "
        "same case recorded again, keep one of each"
    ]


COUNTED = pd.DataFrame(RNG.integers(40, size=(100, 4)))


@pytest.mark.parametrize(("count", "noted"), [(4, False), (5, False), (6, True), (50, True)])
def test_a_twentieth_of_the_rows_is_let_pass_where_values_come_again(count, noted):
    assert bool(note_copies(*again(COUNTED, LABELS, range(count)))) == noted


@pytest.mark.parametrize("X", [
    MEASURED,
    COUNTED.assign(case=[f"case {i}" for i in range(100)]),
    COUNTED.assign(case=RNG.permutation(5000)[:100]),
], ids=["measured", "named", "numbered"])  # fmt: skip
@pytest.mark.parametrize(("count", "noted"), [(2, False), (3, True), (4, True)])
def test_three_where_nearly_every_case_has_a_value_of_its_own(X, count, noted):
    assert bool(note_copies(*again(X, LABELS, range(count)))) == noted
    long, labels = pd.concat([MEASURED + i / 7 for i in range(5)]), LABELS * 5
    assert not note_copies(*again(long, labels, range(5)))  # a hundredth of 505
    assert note_copies(*again(long, labels, range(6)))


def test_another_label_or_another_time_is_no_copy():
    X, labels = again(MEASURED, LABELS, range(100))
    other = {"p": "q", "q": "p"}
    assert not note_copies(X, [*LABELS, *map(other.get, LABELS)])
    assert not note_copies(X, labels, time=np.arange(200))
    assert note_copies(X, labels, time=np.arange(200) % 100)


def test_copies_within_a_group_do_not_count():
    X, labels = again(MEASURED, LABELS, range(100))
    assert not note_copies(X, labels, groups=np.arange(200) % 100)
    (note,) = note_copies(X, labels, groups=[f"g{i}" for i in range(200)])
    assert note.startswith("100 of 200 rows are copies of rows of other groups in every column")
    some = np.where(np.arange(200) < 180, np.arange(200) % 100, -1)
    assert note_copies(X, labels, groups=some)[0].startswith("20 of 200 rows")


@pytest.mark.parametrize("kind", ["text", "category", "gaps", "dates", "mixed"])
def test_any_kind_of_column(kind):
    X = MEASURED.assign(
        more={
            "text": [f"t{i % 40}" for i in range(100)],
            "category": pd.Categorical([f"t{i % 7}" for i in range(100)]),
            "gaps": [None if i % 3 else i / 7 for i in range(100)],
            "dates": pd.date_range("2026-01-01", periods=100),
            "mixed": [i if i % 2 else str(i) for i in range(100)],
        }[kind]
    )
    assert not note_copies(X, LABELS)
    assert note_copies(*again(X, LABELS, range(100)))[0].startswith("100 of 200 rows")


def test_one_fine_column_among_coarse_ones_tells_a_copy():
    X = pd.DataFrame({"a": RNG.normal(size=300), "b": RNG.integers(2, size=300)})
    labels = RNG.choice(["p", "q"], size=300).tolist()
    assert not note_copies(X, labels)
    assert note_copies(*again(X, labels, range(33)))[0].startswith("33 of 333 rows")


def _zero_or_more():
    amount = np.where(RNG.random(2000) < 0.6, 0, RNG.normal(size=2000))
    return pd.DataFrame({"amount": amount, "a": RNG.integers(12, size=2000)})


NATURAL = {
    "every combination twice": pd.DataFrame([*itertools.product(*[range(4)] * 4)] * 2),
    "six answers yes or no": pd.DataFrame(RNG.integers(2, size=(500, 6))),
    "one of thirty, one column each": pd.DataFrame(np.eye(30, dtype=int)).sample(
        500, replace=True, random_state=0
    ),
    "ages": pd.DataFrame({"age": RNG.integers(20, 80, size=500), "sex": RNG.integers(2, size=500)}),
    "two rounded measurements": pd.DataFrame(RNG.normal(size=(1000, 2)).round(1)),
    "rare words": pd.DataFrame(RNG.poisson(0.02, size=(3000, 100))),
    "nothing or an amount": _zero_or_more(),
}


@pytest.mark.parametrize("X", NATURAL.values(), ids=NATURAL)
def test_cases_that_are_equal_by_themselves_are_no_copies(X):
    for labels in (["p"] * len(X), RNG.choice(["p", "q"], size=len(X)).tolist()):
        assert pd.concat([X, pd.Series(labels, index=X.index, name="y")], axis=1).duplicated().any()
        assert not note_copies(X, labels)


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits, load_iris, load_wine])
def test_well_known_tables_give_no_note(load):
    X, y = load(return_X_y=True, as_frame=True)
    assert not note_copies(X, y.tolist())
