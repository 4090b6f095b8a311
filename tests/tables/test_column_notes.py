"""Remarks about columns: each where it belongs, none where it does not."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.metrics import cohen_kappa_score

from polychotomy.tables.column_notes import _agreement, note_columns

N = 40
LABELS = np.tile(["a", "b"], N // 2).tolist()


def notes(**columns):
    return note_columns(pd.DataFrame(columns, index=range(N)), LABELS, "y")


@pytest.mark.parametrize("data", [load_iris, load_wine, load_breast_cancer])
def test_sound_tables_have_none(data):
    X, y = data(return_X_y=True, as_frame=True)
    assert note_columns(X, y.tolist(), "y") == ()


def test_columns_that_tell_nothing():
    assert notes(u=np.nan, v=None, w="x", z=[1.0] * 39 + [None]) == (
        "2 columns have no values: 'u', 'v'",
        "1 column has one value only: 'w'",
    )


def test_equal_columns():
    x = np.random.default_rng(0).normal(size=N)
    t = np.where(x > 0, "p", "q")
    found = notes(a=x, b=-x, c=x, d=t, e=pd.Categorical(t), f=x)
    assert found == ("3 columns equal others: 'c' ('a'), 'e' ('d'), 'f' ('a')",)


@pytest.mark.parametrize(
    "values",
    [
        range(100, 100 + N),
        np.random.default_rng(0).permutation(N),
        [f"k{i}" for i in range(N)],
        pd.array([f"k{i}" for i in range(N)], dtype="string"),
        [f"k{max(i, 1)}" for i in range(N)],  # twice the same, else unique
        [f"Braund, Mr. Owen {chr(65 + i)}." for i in range(N)],
        [f"person{i}@example.org" for i in range(N)],
        [f"https://example.org/{i}" for i in range(N)],
        pd.Categorical([f"k{i}" for i in range(N)]),
    ],
)
def test_identifiers(values):
    (note,) = notes(x=values)
    assert note.startswith("1 column has another value in nearly every row, like a name or an ")
    assert note.endswith("(leave it out by --drop x): 'x'")


def test_the_way_to_drop_columns_can_be_typed():
    codes = [f"k{i}" for i in range(N)]
    (note,) = (one for one in notes(**{"full name": codes, "b": codes[::-1]}))
    assert "(leave them out by --drop 'full name' --drop b): 'full name', 'b'" in note


def test_names_help_to_find_identifiers():
    scattered = np.arange(N) * 7
    assert notes(income=scattered) == ()
    assert "'patient_id'" in notes(patient_id=scattered)[0]
    assert "'ID'" in notes(ID=scattered)[0]
    assert notes(humid=scattered) == ()


@pytest.mark.parametrize(
    "values",
    [
        np.linspace(0, 1, N),
        [f"a sentence about case {i}" for i in range(N)],
        pd.date_range("2024-01-01", periods=N),
        [f"2024-01-01 00:{i:02}:00" for i in range(N)],
        [f"1/{i}/2024" for i in range(N)],
        [f"{i % 28 + 1} March {1900 + i}" for i in range(N)],
        [f"Monday, {i % 28 + 1:02}.03.{1900 + i} 12:00" for i in range(N)],
        [f"Mar {i % 28 + 1}, {1900 + i}" for i in range(N)],
        [f"{i // 60:02}:{i:02}" for i in range(N)],
        [f"€{i},50" for i in range(N)],
        [f"{i}.25 kg" for i in range(N)],
        [f"it was {i} o'clock and all was well" for i in range(N)],
        np.tile([f"k{i}" for i in range(N // 2)], 2),
    ],
)
def test_numbers_texts_and_dates_are_no_identifiers(values):
    assert not any(note.kind == "id" for note in notes(x=values))


@pytest.mark.parametrize(
    "values",
    [
        np.tile([0, 1], N // 2),
        np.tile([0.5, -2.0], N // 2),
        np.tile(["no", "yes"], N // 2),
        np.tile(np.array(["no", None], dtype=object), N // 2),
        pd.Categorical(np.tile(["no", "yes"], N // 2)),
        np.tile([True, False], N // 2),
    ],
)
def test_a_column_that_gives_the_target_away(values):
    (note,) = notes(x=values)
    assert "gives 'y' away" in note
    assert note.endswith(": 'x'")


def test_a_leak_may_have_few_exceptions_and_a_good_predictor_is_none():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=1000)
    redrawn = rng.integers(3, size=1000)
    nearly = np.where(rng.random(1000) < 0.12, redrawn, y)  # wrong in 8 %
    good = np.where(rng.random(1000) < 0.3, redrawn, y)  # in 20 %
    found = note_columns(pd.DataFrame({"nearly": nearly, "good": good}), y, "y")
    assert [note.leaks for note in found] == [("nearly",)]


def test_a_value_that_gives_one_class_of_three_away():
    rng = np.random.default_rng(1)
    y = rng.choice(["alive", "dead", "lost"], size=300)
    ward = np.where(y == "dead", "left", rng.choice(["A", "B"], size=300))
    (found,) = note_columns(pd.DataFrame({"ward": ward}), y, "outcome")
    assert "gives a class of 'outcome' away" in found
    assert (found.kind, found.leaks) == ("leak", ())
    assert found.line == (
        "'ward' gives a class of 'outcome' away; unless it is known when you predict, judge again "
        "with --drop ward"
    )
    assert found.for_python().line.endswith("judge again without it")


@pytest.mark.parametrize("noise", [0, 0.1])
def test_several_values_that_give_one_class_of_three_away(noise):
    rng = np.random.default_rng(1)
    y = rng.choice(["alive", "dead", "lost"], size=600, p=[0.6, 0.25, 0.15])
    seen = np.where(rng.random(600) < noise, rng.permutation(y), y)
    code = np.where(seen == "lost", rng.choice(["X1", "X2"], 600), rng.choice(["A", "B", "C"], 600))
    (found,) = note_columns(pd.DataFrame({"code": code}), y, "outcome")
    assert "gives a class of 'outcome' away" in found


@pytest.mark.parametrize("gap", [None, 0.0])
def test_what_is_filled_in_after_the_outcome_alone(gap):
    rng = np.random.default_rng(1)
    y = rng.choice(["paid", "default"], size=400, p=[0.8, 0.2])
    recovered = pd.Series(rng.exponential(size=400)).where(y == "default", gap)
    (found,) = note_columns(pd.DataFrame({"recovered": recovered}), y, "outcome")
    assert found.leaks == ("recovered",)
    dates = pd.Series(pd.date_range("2024-01-01", periods=400)).where(y == "default")
    (found,) = note_columns(pd.DataFrame({"closed": dates}), y, "outcome")
    assert found.leaks == ("closed",)


def test_texts_of_few_rows_each_are_no_leak():
    names = np.repeat([f"town {i}" for i in range(15)], 3)
    y = np.random.default_rng(0).permutation(np.repeat(["a", "b", "c"], 15))
    assert note_columns(pd.DataFrame({"town": names}), y, "y") == ()


def test_rare_values_beside_a_rare_class_are_no_leak():
    rng = np.random.default_rng(2)
    y = rng.random(2000) < 0.01
    assert note_columns(pd.DataFrame({"x": rng.random(2000) < 0.01}), y, "y") == ()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=30))
def test_agreement_is_cohens_kappa(pairs):
    codes, classes = (np.unique(part, return_inverse=True)[1] for part in zip(*pairs, strict=True))
    found = _agreement(codes, classes)
    for value, label in np.ndindex(found.shape):
        if np.ptp(codes) and np.ptp(classes):
            kappa = cohen_kappa_score(codes == value, classes == label)
            assert found[value, label] == pytest.approx(kappa, abs=1e-9)


def test_missing_labels_say_nothing_about_leaks():
    X = pd.DataFrame({"x": np.tile([0, 1], N // 2)})
    assert "gives 'y' away" in note_columns(X, [None, *LABELS[1:]], "y")[0]


def test_few_rows_prove_nothing():
    X = pd.DataFrame({"x": [0, 1] * 5, "k": range(10)})
    assert note_columns(X, ["a", "b"] * 5, "y") == ()


def test_infinite_values_name_column_and_row():
    x = np.random.default_rng(0).normal(size=N)
    x[[4, 9]] = [np.inf, -np.inf]
    assert notes(x=x) == (
        "'x' is infinite (or beyond 3e38) in 2 rows (first in data row 5): a gap to built-in "
        "candidates, others may fail",
    )


def test_many_columns_are_counted():
    assert notes(**{f"c{i}": 1 for i in range(9)}) == (
        "9 columns have one value only: 'c0', 'c1', 'c2', 'c3', 'c4' and 4 more",
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([f"{i % 9},{i % 7}" for i in range(N)], True),
        ([f"{i % 9},5" if i % 2 else str(i) for i in range(N)], True),
        ([f"{i % 9}.5" if i % 20 else "-" for i in range(N)], True),
        ([f"{i % 9}.5" if i % 3 else "-" for i in range(N)], False),
        ([f"{i % 9 + 1}.{100 + i},50" for i in range(N)], True),
        ([f"{i % 9 + 1} {100 + i}" for i in range(N)], True),
        ([f"{i % 9} %" for i in range(N)], True),
        ([f"€{i % 9},50" for i in range(N)], True),
        ([f"{i % 9} - {i % 9 + 2}" for i in range(N)], False),
        ([f"{i % 9}" for i in range(N)], False),
        ([f"red,{i % 7}" for i in range(N)], False),
        (np.linspace(0, 1, N), False),
    ],
)
def test_decimal_commas(values, told):
    found = notes(x=values)
    assert any("numbers that are taken as text" in note for note in found) == told


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([f"{i % 12 + 1:02}/{i % 5 + 1:02}/2026" for i in range(N)], True),
        ([f"{i % 5 + 1}.{i % 12 + 1}.2026" for i in range(N)], True),
        ([f"{i % 12 + 1:02}/{i % 5 + 1:02}/2026" if i % 9 else None for i in range(N)], True),
        ([f"{i % 28 + 1:02}/{i % 12 + 1:02}/2026" for i in range(N)], False),
        ([f"{i % 12 + 1:02}/{i % 12 + 1:02}/2026" for i in range(N)], False),
        ([f"2026-{i % 12 + 1:02}-{i % 5 + 1:02}" for i in range(N)], False),
        ([f"{i % 12 + 1}/{i % 5 + 1}" for i in range(N)], False),
    ],
)
def test_dates_that_may_be_read_with_the_day_or_the_month_first(values, told):
    found = [note for note in notes(x=values) if note.kind == "reading"]
    line = "'x' is read with the month before the day; write 2021-12-31, not 12/31/2021"
    assert [note.line for note in found] == [line] * told


def test_a_line_names_two_columns_and_cuts_long_names():
    columns = {f"code of the outcome number {i} as written down": LABELS for i in range(4)}
    (leak,) = [note for note in notes(**columns) if note.kind == "leak"]
    assert leak.line == (
        "'code of the outcome number 0 …', 'code of the outcome number 1 …' and 2 more give 'y' "
        "away; unless they are known when you predict, judge again without them (--drop)"
    )
