"""The column of --time: written in many ways, one order of the rows."""

import numpy as np
import pandas as pd
import pytest

from polychotomy.app.inputs import read_request
from polychotomy.app.request import Request
from polychotomy.core.exceptions import InvalidTable

DAYS = pd.Series(pd.date_range("2021-01-01", periods=40, freq="5D"))


def times(folder, days):
    frame = pd.DataFrame({"size": range(40), "seen": days, "animal": ["cat", "dog"] * 20})
    frame.to_csv(folder / "animals.csv", index=False)
    return read_request(Request(table=folder / "animals.csv", target="animal", time="seen")).time


@pytest.mark.parametrize("way", ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d %b %Y"])
def test_ways_of_writing_are_the_same_times(tmp_path, way):
    found = times(tmp_path, DAYS.dt.strftime(way))
    np.testing.assert_array_equal(found, DAYS.to_numpy())


def test_months_are_times(tmp_path):
    found = times(tmp_path, [f"2021-{month:02}" for month in range(1, 11)] * 4)
    assert found[1] == np.datetime64("2021-02-01")


def test_what_is_no_time_is_counted_and_quoted(tmp_path):
    days = DAYS.dt.strftime("%d.%m.%Y").where(~DAYS.index.isin([4, 7]), "gestern")
    with pytest.raises(InvalidTable) as caught:
        times(tmp_path, days)
    assert str(caught.value) == (
        "'seen' cannot be read as time: 2 of 40 rows hold no date that can be read in one way "
        "only, first data row 5: 'gestern'. Expected numbers, or dates written like 2026-03-31 or "
        "2026-03-31T12:00:00."
    )


def test_gaps_are_told_with_a_way_out(tmp_path):
    days = DAYS.dt.strftime("%Y-%m-%d").where(DAYS.index != 4)
    with pytest.raises(InvalidTable, match=r"data row 5.*take those rows out of the table\.$"):
        times(tmp_path, days)
