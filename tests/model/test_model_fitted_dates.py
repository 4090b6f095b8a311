"""Dates in new tables: read as the same moments as in training, or refused."""

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from skrub import TableVectorizer
from typer.testing import CliRunner

from polychotomy.cli import app
from polychotomy.core.exceptions import InvalidTable
from polychotomy.model import fit_model, load_model, predict_file
from polychotomy.model.conforming import dates_of

DAYS = pd.Series(pd.date_range("2021-01-01", periods=60, freq="5D"))


def trained(seen):
    """Return a model that knows the dates only: early ones are cats."""
    X = pd.DataFrame({"seen": seen, "size": np.arange(60) % 7})
    learner = make_pipeline(TableVectorizer(), SimpleImputer(), GaussianNB())
    return fit_model(learner, X, ["cat"] * 30 + ["dog"] * 30)


@pytest.fixture(scope="module")
def model():
    return trained(DAYS.dt.strftime("%Y-%m-%d"))


def probabilities(model, seen):
    found = model.predict_table(pd.DataFrame({"seen": seen, "size": np.arange(60) % 7}))
    assert found.notes == ()
    return found.frame[["p:cat", "p:dog"]].to_numpy()


WAYS = {
    "day first": lambda days: days.dt.strftime("%d/%m/%Y"),
    "month first": lambda days: days.dt.strftime("%m/%d/%Y"),
    "dots": lambda days: days.dt.strftime("%d.%m.%Y"),
    "with time": lambda days: days.dt.strftime("%Y-%m-%d %H:%M"),
    "names": lambda days: days.dt.strftime("%d %b %Y"),
    "moments": lambda days: days,
    "aware": lambda days: days.dt.tz_localize("UTC"),
    "days": lambda days: days.dt.date,
    "category": lambda days: days.dt.strftime("%d.%m.%Y").astype("category"),
    "half": lambda days: days.dt.strftime("%d.%m.%Y").where(
        days.index % 2 == 0, days.dt.strftime("%Y-%m-%d")
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_other_ways_of_writing_are_the_same_moments(model, way):
    expected = probabilities(model, DAYS.dt.strftime("%Y-%m-%d"))
    assert expected[0, 0] > 0.9 > 0.1 > expected[-1, 0]
    np.testing.assert_array_equal(probabilities(model, WAYS[way](DAYS)), expected)


@pytest.mark.parametrize("way", ["day first", "dots", "moments", "days", "with time"])
def test_whatever_training_was_written_in(way):
    there = trained(WAYS[way](DAYS))
    expected = probabilities(there, WAYS[way](DAYS))
    assert expected[0, 0] > 0.9 > 0.1 > expected[-1, 0]
    for other in ("dots", "with time", "moments"):
        np.testing.assert_allclose(probabilities(there, WAYS[other](DAYS)), expected, atol=1e-12)


@pytest.mark.parametrize("value", ["gestern", 2021, 3.5, "03/04/2021", "31.12.21"])
@pytest.mark.parametrize("training", ["with time", "moments"])
def test_what_is_no_date_is_refused(training, value):
    model = trained(WAYS[training](DAYS))
    new = pd.DataFrame({"seen": ["2021-01-01", None, value, value], "size": 1})
    with pytest.raises(InvalidTable) as caught:
        model.predict_table(new)
    assert str(caught.value).startswith(f"the column 'seen' holds {str(value)!r}; expected a date")
    assert "2 of 4 rows cannot be read" in str(caught.value)
    assert "first data row 3" in str(caught.value)


def test_texts_that_stood_for_missing_in_training_still_do(model):
    new = pd.DataFrame({"seen": ["N/A", None, "31.12.2021", "?"], "size": 1})
    rows = model.predict_table(new).frame["p:cat"]
    assert rows[0] == rows[1] == rows[3] != rows[2]


def test_a_column_without_any_date(model):
    new = pd.DataFrame({"seen": [None, None], "size": [1, 2]})
    assert len(model.predict_table(new).frame) == 2


def test_formats_are_found_in_a_saved_model(model, tmp_path):
    model.save(tmp_path / "m.skops")
    found = dates_of(load_model(tmp_path / "m.skops").classifier)
    assert {name: date.format for name, date in found.items()} == {"seen": "%Y-%m-%d"}
    new = pd.DataFrame({"seen": DAYS, "size": 1})
    new.to_parquet(tmp_path / "new.parquet")
    new.assign(seen=DAYS.dt.strftime("%Y-%m-%d")).to_csv(tmp_path / "new.csv", index=False)
    frames = []
    for name in ("new.parquet", "new.csv"):
        predict_file(tmp_path / "m.skops", tmp_path / name, output=tmp_path / f"{name}.out.csv")
        frames.append(pd.read_csv(tmp_path / f"{name}.out.csv"))
    pd.testing.assert_frame_equal(*frames)


@pytest.mark.long
def test_the_command_reads_dots_and_refuses_words(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model.save(tmp_path / "m.skops")
    new = pd.DataFrame({"seen": DAYS.dt.strftime("%d.%m.%Y"), "size": np.arange(60) % 7})
    new.to_csv(tmp_path / "dots.csv", index=False)
    new.assign(seen=new["seen"].where(new.index != 4, "gestern")).to_csv(
        tmp_path / "words.csv", index=False
    )
    good, bad = (
        CliRunner().invoke(app, ["predict", "m.skops", name]) for name in ("dots.csv", "words.csv")
    )
    assert good.exit_code == 0
    found = pd.read_csv(tmp_path / "dots-predictions.csv")["p:cat"]
    expected = probabilities(model, DAYS.dt.strftime("%Y-%m-%d"))[:, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert bad.exit_code == 2
    assert "the column 'seen' holds 'gestern'; expected a date" in bad.stderr
    assert "1 of 60 rows cannot be read" in bad.stderr
    assert "first data row 5" in bad.stderr
    assert not (tmp_path / "words-predictions.csv").exists()
