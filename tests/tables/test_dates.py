"""Dates in text: many ways of writing, one reading or none."""

import datetime

import pandas as pd
import pytest
from skrub import TableVectorizer

from polychotomy.study.design.dataset import Dataset
from polychotomy.tables.dates import read_dates, with_dates
from polychotomy.tables.formats import Asked
from polychotomy.tables.reading import read_file, read_table

LAST_DAY = pd.Timestamp("2021-12-31")


@pytest.mark.parametrize(
    "text",
    [
        "2021-12-31",
        "2021/12/31",
        "2021.12.31",
        " 2021-12-31 ",
        "2021-12-31 00:00",
        "2021-12-31T00:00:00",
        "2021-12-31 0:00:00.000",
        "2021-12-31T00:00:00Z",
        "2021-12-31T02:00:00+02:00",
        "31.12.2021",
        "31.12.2021 00:00",
        "31/12/2021",
        "12/31/2021",
        "31-12-2021",
        "31 Dec 2021",
        "31 December 2021",
        "31-Dec-2021",
        "Dec 31, 2021",
        datetime.date(2021, 12, 31),
        datetime.datetime(2021, 12, 31),
    ],
)
def test_ways_of_writing_one_day(text):
    found = read_dates(pd.Series([text, None], dtype=object, index=[7, 7]))
    assert found.moments.iloc[0] == LAST_DAY
    assert found.moments.isna().tolist() == [False, True]
    assert found.unread.tolist() == [False, False]
    assert found.moments.index.tolist() == [7, 7]


@pytest.mark.parametrize(
    "text",
    ["gestern", "2021", "20211231", "3.5", "03/04/2021", "03-04-2021", "31.12.21", "12.31.2021",
     "2021-13-01", "2021-02-30", "2021-12", "12:30", "now"],
)  # fmt: skip
def test_what_is_not_read(text):
    found = read_dates(pd.Series(["2021-12-31", text, None], dtype=object))
    assert found.unread.tolist() == [False, True, False]


def test_numbers_are_no_dates():
    assert read_dates(pd.Series([2021, 20211231])).unread.all()


def test_time_of_day_is_kept():
    found = read_dates(pd.Series(["31.12.2021 13:45:10.5", "2021-12-31T15:45+02:00"]))
    assert found.moments.tolist() == [
        pd.Timestamp("2021-12-31 13:45:10.5"),
        pd.Timestamp("2021-12-31 13:45"),
    ]


def test_another_row_tells_day_from_month_unless_rows_disagree():
    def read(*texts):
        return read_dates(pd.Series(texts)).moments.dt.month.tolist()

    assert read("03/04/2021", "14/04/2021") == [4, 4]
    assert read("03/04/2021", "03/14/2021") == [3, 3]
    found = read_dates(pd.Series(["03/04/2021", "14/04/2021", "04/14/2021", "05/05/2021"]))
    assert found.unread.tolist() == [True, True, True, False]


def test_a_known_format_tells_day_from_month():
    texts = pd.Series(["03/04/2021", "03-04-2021 10:00", "03.04.2021", "2021-04-03"])
    day = read_dates(texts, "%d/%m/%Y").moments
    assert day.dt.month.tolist() == [4, 4, 4, 4]
    month = read_dates(texts, "%m/%d/%Y").moments
    assert month.dt.month.tolist() == [3, 3, 4, 4]  # dots are day first
    assert read_dates(pd.Series(["25/12/2021"]), "%m/%d/%Y").unread.all()


def test_columns_of_dates_come_back_in_utc():
    aware = pd.Series(pd.to_datetime(["2021-12-31T02:00"])).dt.tz_localize("Europe/Helsinki")
    assert read_dates(aware).moments.tolist() == [LAST_DAY]
    plain = pd.Series([LAST_DAY, pd.NaT])
    assert read_dates(plain).moments is plain


DAY, MOMENT = datetime.date(2021, 12, 31), datetime.datetime(2021, 12, 31, 6)
ZONE = datetime.timezone(datetime.timedelta(hours=2))


@pytest.mark.parametrize(
    "values",
    [
        [DAY, DAY],
        [DAY, None],
        [DAY, float("nan")],
        [pd.NaT, DAY],
        [DAY, MOMENT],
        [MOMENT.replace(tzinfo=ZONE), MOMENT],
    ],
)
def test_objects_that_are_dates_get_the_type_of_dates(values):
    frame = pd.DataFrame({0: pd.Series(values, dtype=object), "name": ["a", "b"]})
    typed = with_dates(frame)
    assert typed[0].dtype == "datetime64[us]"
    assert typed[0].isna().tolist() == pd.isna(frame[0]).tolist()
    assert frame[0].dtype == object  # the user's own is left as it is
    again = with_dates(typed)
    assert again is typed


def test_a_moment_with_a_zone_is_turned_into_utc():
    frame = pd.DataFrame({"at": pd.Series([MOMENT.replace(tzinfo=ZONE)], dtype=object)})
    assert with_dates(frame)["at"].item() == pd.Timestamp("2021-12-31 04:00")


@pytest.mark.parametrize("values", [["2021-12-31"], [DAY, "soon"], [None, None], [1, DAY], []])
def test_other_columns_are_left_alone(values):
    frame = pd.DataFrame({"day": pd.Series(values, dtype=object)})
    assert with_dates(frame) is frame


def test_two_columns_of_one_name():
    frame = pd.DataFrame([[DAY, "a"], [DAY, "b"]], columns=["x", "x"])
    typed = with_dates(frame)
    assert [dtype.kind == "M" for dtype in typed.dtypes] == [True, False]
    assert typed.iloc[:, 1].tolist() == ["a", "b"]


def test_days_of_a_parquet_file_are_dates(tmp_path):
    pd.DataFrame({"day": [DAY] * 3, "kind": ["a", "b", "a"]}).to_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet", target="kind").X["day"].dtype.kind == "M"
    assert read_file(tmp_path / "t.parquet", Asked())[0]["day"].dtype.kind == "M"


def test_candidates_of_a_study_get_dates():
    """Whatever skrub takes objects for: the year is a feature."""
    days = [datetime.date(2001 + i, 1, 1) for i in range(20)]
    data = Dataset.of(pd.DataFrame({"day": days}), ["a", "b"] * 10)
    assert data.X["day"].dtype.kind == "M"
    names = TableVectorizer().fit(data.X).get_feature_names_out()
    assert "day_year" in names
