"""Notes about rows that belong together, where nothing was named for that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from polychotomy.app import judging
from polychotomy.app.inputs import read_request
from polychotomy.app.request import Request
from polychotomy.core.exceptions import InvalidTable


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 3)
    frame = pd.DataFrame(
        {
            "patient": [f"P{i:02}" for i in patient],
            "day": pd.date_range("2026-01-01", periods=180).astype(str),
            "dose": rng.normal(size=180).round(2),
            "outcome": np.array(["ill", "well"])[rng.integers(2, size=60)[patient]],
        }
    )
    frame.to_csv(path := tmp_path / "visits.csv", index=False)
    return path


def read(visits: Path, **options: Any) -> tuple[str, ...]:
    return read_request(Request(table=visits, target="outcome", **options)).table.notes


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ({}, ["--group patient", "--time day"]),
        ({"group": "patient"}, ["--time day"]),
        ({"time": "day"}, ["--group patient"]),
        ({"drop": ("patient", "day")}, []),
    ],
)
def test_options_are_named_that_were_not_given(
    visits: Path, options: dict[str, Any], asked: list[str]
) -> None:
    notes = read(visits, **options)
    found = [note.partition("judge with ")[2] for note in notes]
    assert [option for option in found if option] == asked


def test_copied_rows_are_counted(visits: Path) -> None:
    frame = pd.read_csv(visits)
    pd.concat([frame, frame]).to_csv(visits, index=False)
    notes = read(visits)
    assert any(note.startswith("180 of 360 rows are copies of others") for note in notes)
    grouped = read(visits, group="patient")
    assert not any("copies" in note for note in grouped)


def test_rare_labels_left_out_are_said_to_be_others_written_differently(tmp_path: Path) -> None:
    labels = ["ill", "well"] * 30 + ["Ill", "well "]
    path = tmp_path / "visits.csv"
    pd.DataFrame({"dose": range(62), "outcome": labels}).to_csv(path, index=False)
    notes = judging.prepare(Request(table=path, target="outcome", drop_rare=True)).data.table.notes
    assert notes[-1].startswith("the labels 'Ill' and 'ill' of 'outcome' differ in case or blanks")
    assert notes[-1].endswith("members left out: 'Ill' (1), 'well ' (1)")


def refused(tmp_path: Path, labels: Any) -> str:
    """What is said of a table whose classes are too small."""
    path = tmp_path / "t.csv"
    pd.DataFrame({"x": range(len(labels)), "y": labels}).to_csv(path, index=False)
    with pytest.raises(InvalidTable) as caught:
        judging.prepare(Request(table=path, target="y"))
    return str(caught.value)


def test_rare_labels_that_another_is_but_for_its_writing_are_named_first(tmp_path: Path) -> None:
    said = refused(tmp_path, ["kl0"] * 9 + ["kl1"] * 9 + ["Kl0", "kl1 ", "kl2", "KL2"])
    assert said.startswith(
        "the labels 'KL2' and 'kl2' of 'y' differ in case or blanks only: taken as 2 classes; "
        "write each in one way; the labels 'Kl0' and 'kl0' of 'y' differ in case or blanks only: "
        "taken as 2 classes; write each in one way; the labels 'kl1' and 'kl1 ' of 'y' differ in "
        "case or blanks only: taken as 2 classes; write each in one way; too few members in 4 of "
        "the 6 classes"
    )
    assert said.endswith("leave them out by --drop-rare.")
    frequent = refused(tmp_path, ["a"] * 9 + ["A"] * 9 + ["b"])  # they are not why
    assert frequent.startswith("too few members in 1 of the 3 classes")


def test_many_numbers_of_which_many_are_rare_look_like_numbers_to_predict(tmp_path: Path) -> None:
    said = refused(tmp_path, np.random.default_rng(0).poisson(18, size=400))
    assert said.startswith(
        "'y' holds 23 different numbers, which look like numbers to predict, not classes: cut "
        "them into classes first (pandas.cut, pandas.qcut); too few members in 5 of the 23 classes"
    )


@pytest.mark.parametrize(
    "labels",
    [
        np.r_[np.repeat(np.arange(30), 9), 30],
        [f"n{one}" for one in np.random.default_rng(0).poisson(18, size=400)],
        np.r_[np.repeat(np.arange(5), 9), 5:12],
    ],
    ids=["one is rare", "texts", "twelve"],
)
def test_labels_that_may_well_be_classes_are_not_called_numbers(
    tmp_path: Path, labels: Any
) -> None:
    assert refused(tmp_path, labels).startswith("too few members")
