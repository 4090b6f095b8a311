"""Columns that tell that rows belong together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from polychotomy.tables.row_notes import note_groups, note_order

RNG = np.random.default_rng(0)
PATIENTS = np.repeat(np.arange(100), 3)
OUTCOME = RNG.integers(2, size=100)[PATIENTS]


def _groups(values: Any, name: str = "column", labels: Any = OUTCOME) -> list[str]:
    return note_groups(pd.DataFrame({name: values}), list(labels))


def test_the_note_says_what_was_seen_and_what_to_do() -> None:
    assert _groups([f"P{i:03}" for i in PATIENTS], "patient no") == [
        "the column 'patient no' has 100 values in 300 rows, and rows with the same value nearly "
        "always have the same label: if new rows will have new values of it, judge with --group "
        "'patient no'"
    ]


def test_what_is_warned_of_says_in_a_line_what_to_do() -> None:
    (agrees,) = note_groups(pd.DataFrame({"patient": PATIENTS}), list(OUTCOME))
    asked = "if new rows will have new values of it, judge with --group patient"
    assert (agrees.kind, agrees.line) == (
        "groups",
        f"rows of one 'patient' share their label; {asked}",
    )
    assert agrees.for_python().line.endswith("judge with groups=X['patient']")
    mixed = RNG.integers(2, size=300)
    (called,) = note_groups(pd.DataFrame({"patient": PATIENTS}), list(mixed))
    assert (called.kind, called.line) == ("groups", f"'patient' names groups; {asked}")


@pytest.mark.parametrize(
    "values",
    [PATIENTS, PATIENTS + 0.0, RNG.permutation(100)[PATIENTS] * 37, [f"x{i}" for i in PATIENTS]],
    ids=["whole numbers", "with a point", "in no order", "text"],
)
def test_names_of_groups_are_known(values: Any) -> None:
    assert len(_groups(values)) == 1


def test_numbers_in_the_order_of_the_classes_are_known_by_their_name_alone() -> None:
    by_class = np.sort(OUTCOME)
    assert _groups(PATIENTS, "subject_id", by_class)
    assert not _groups(PATIENTS, "column", by_class)


def test_labels_that_differ_within_a_value_are_no_reason() -> None:
    assert not _groups(PATIENTS, labels=RNG.integers(2, size=300))


def test_labels_that_nearly_all_agree_anyway_are_no_reason() -> None:
    assert not _groups(PATIENTS, labels=RNG.random(300) < 0.02)


def test_a_column_that_is_called_a_group_is_named_whatever_the_labels_are() -> None:
    labels = RNG.integers(2, size=300)
    for values in (PATIENTS, [f"P{i}" for i in PATIENTS]):
        (note,) = _groups(values, "patient_id", labels)
        assert "same label" not in note
        assert note.endswith(
            "if new rows will have new values of it, judge with --group patient_id"
        )
    assert not _groups(np.arange(300), "patient_id", labels), "a row each"
    assert not _groups(PATIENTS % 4, "hospital", labels), "few, and in training all of them"


@pytest.mark.parametrize(
    "values",
    [
        PATIENTS / 10,
        [f"{i} kg" for i in PATIENTS],
        [f"2026-{i % 12 + 1:02}-{i // 12 + 1:02}" for i in PATIENTS],
        PATIENTS % 15,
        np.arange(300),
        [None] * 300,
    ],
    ids=["decimals", "amounts", "dates", "few values", "own value each", "missing"],
)
def test_what_is_no_name_of_a_group_is_not_noted(values: Any) -> None:
    assert not _groups(values)


def test_a_quantity_that_tells_the_label_is_no_name() -> None:
    grams = RNG.integers(100, 200, size=300)
    assert not _groups(grams, labels=grams > 150)


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits, load_iris, load_wine])
def test_well_known_tables_give_no_note(load: Any) -> None:
    X, y = load(return_X_y=True, as_frame=True)
    assert note_groups(X, y.tolist()) == note_order(X) == []


def test_one_class_gives_no_note() -> None:
    assert not _groups(PATIENTS, "patient", [1] * 300)


DAYS = pd.Series(pd.date_range("2026-01-01", periods=60))


@pytest.mark.parametrize(
    "values",
    [
        DAYS, DAYS.astype(str), DAYS[::-1].astype(str).tolist(), DAYS.dt.floor("3D"),
        DAYS.dt.strftime("%d.%m.%Y"), DAYS.dt.strftime("%m/%d/%Y"), DAYS.dt.strftime("%d %b %Y"),
        DAYS.dt.date, DAYS.dt.tz_localize("Asia/Tokyo"),
    ],
)  # fmt: skip
def test_rows_in_the_order_of_time_are_noted(values: Any) -> None:
    assert note_order(pd.DataFrame({"taken at": values})) == [
        "the rows are in the order of 'taken at': if later rows are to be predicted from earlier "
        "ones, judge with --time 'taken at'"
    ]


def test_numbers_are_times_by_their_name() -> None:
    assert note_order(pd.DataFrame({"timestamp": range(30)}))
    assert not note_order(pd.DataFrame({"height": range(30)}))


@pytest.mark.parametrize(
    "values",
    [
        DAYS.sample(frac=1, random_state=0).astype(str),
        DAYS[:10].astype(str),
        ["2026-01-01"] * 60,
        [f"day {i:02}" for i in range(60)],
        [*DAYS[:-1].astype(str), "2026-13-45"],
        [f"{1 + i // 6:02}/{1 + i % 6:02}/2026" for i in range(60)],
    ],
    ids=["shuffled", "few", "one day", "no dates", "no such day", "day or month"],
)
def test_other_orders_are_not_noted(values: Any) -> None:
    assert not note_order(pd.DataFrame({"date": list(values)}))
