"""Export: a row for each prediction, in CSV and Parquet, safe for spreadsheets."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Study
from polychotomy.study.ledger.export import export_predictions, neutralise, predictions_frame

X, y = load_iris(return_X_y=True)
LABELS = np.array(["=HYPERLINK(1)", "-3", "plain"])[y]


@pytest.fixture(scope="module")
def ledger():
    with Study({"@bayes": GaussianNB()}, X, LABELS).run() as ledger:
        yield ledger


def test_rows_are_the_predictions(ledger):
    frame = predictions_frame(ledger)
    assert len(frame) == 5 * 150
    assert set(frame["truth"]) == set(LABELS)
    one = frame[(frame["repetition"] == 2) & (frame["fold"] == 1)]
    train = np.setdiff1d(np.arange(150), one["sample"])
    model = GaussianNB().fit(X[train], LABELS[train])
    columns = [f"p:{label}" for label in model.classes_]
    np.testing.assert_allclose(one[columns], model.predict_proba(X[one["sample"]]), atol=1e-6)
    np.testing.assert_array_equal(one["predicted"], model.predict(X[one["sample"]]))
    assert (frame["fit_seconds"] > 0).all()
    assert set(frame["model_bytes"]) == set(ledger.model_bytes().values())
    assert list(frame.columns[-3:]) == ["fit_seconds", "predict_seconds", "model_bytes"]


def test_parquet_gives_everything_back(ledger, tmp_path):
    assert export_predictions(ledger, tmp_path / "a.parquet") == 750
    pd.testing.assert_frame_equal(
        pd.read_parquet(tmp_path / "a.parquet"), predictions_frame(ledger), check_dtype=False
    )


def test_rows_written_a_few_at_a_time_are_the_same(ledger, tmp_path, monkeypatch):
    whole = predictions_frame(ledger)
    monkeypatch.setattr("polychotomy.study.ledger.export._ROWS", 77)
    assert export_predictions(ledger, tmp_path / "a.parquet") == 750
    found = pd.read_parquet(tmp_path / "a.parquet")
    pd.testing.assert_frame_equal(found, whole, check_dtype=False)


def test_csv_neutralises_formulas_and_leaves_numbers(ledger, tmp_path):
    export_predictions(ledger, tmp_path / "a.csv")
    frame = pd.read_csv(tmp_path / "a.csv", dtype={"truth": str})
    assert set(frame["truth"]) == {"'=HYPERLINK(1)", "-3", "plain"}
    assert set(frame["candidate"]) == {"'@bayes"}
    exact = predictions_frame(ledger)["p:plain"].to_numpy()
    np.testing.assert_allclose(frame["p:plain"], exact, rtol=1e-6)


@pytest.mark.parametrize("text", ["=1", "+a", "-a", "@x", "\tx", "\rx", "+1+1"])
def test_formulas_are_neutralised(text):
    assert neutralise(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-3", "+1.5", "-1e-9", "plain", "a=b", ""])
def test_numbers_and_plain_text_are_untouched(text):
    assert neutralise(text) == text


def test_unknown_suffix(ledger, tmp_path):
    with pytest.raises(InvalidInput, match=r"ends in \.csv or \.parquet"):
        export_predictions(ledger, tmp_path / "a.xlsx")
