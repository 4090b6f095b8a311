"""Notes about rows that belong together, where nothing was named for that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from polychotomy.app.inputs import read_request
from polychotomy.app.request import Request


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
