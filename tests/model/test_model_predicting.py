"""Files in, files out: suffixes, formulas, what is never overwritten."""

import numpy as np
import pandas as pd
import pytest
from messy_tables import messy
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from polychotomy import for_tables
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.model import fit_model, load_model, predict_file


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("predicting")
    X, y = messy()
    X = X[["size", "count"]]
    fit_model(GaussianNB(), X, y).save(folder / "m.skops")
    X.to_csv(folder / "new.csv", index=False)
    X.to_parquet(folder / "new.parquet")
    return folder


@pytest.mark.parametrize("table", ["new.csv", "new.parquet"])
@pytest.mark.parametrize("output", ["out.csv", "out.parquet"])
def test_every_kind_of_file(place, tmp_path, table, output):
    found = predict_file(place / "m.skops", place / table, output=tmp_path / output)
    read = pd.read_csv if output.endswith("csv") else pd.read_parquet
    frame = read(tmp_path / output)
    X = pd.read_parquet(place / "new.parquet")
    expected = load_model(place / "m.skops").predict_table(X).frame
    expected.insert(0, "row", range(1, len(X) + 1))
    pd.testing.assert_frame_equal(frame, expected, check_dtype=False, rtol=1e-12)
    assert found.counts == expected["predicted"].value_counts().sort_index().to_dict()
    assert found.say().startswith("90 rows predicted (")


def test_one_row_by_itself_is_refused_with_the_way_out(place):
    X = pd.read_parquet(place / "new.parquet")
    with pytest.raises(ValueError, match=r"2D array|2-dimensional"):
        load_model(place / "m.skops").predict(X.iloc[0])


def test_progress_counts_the_rows_that_are_done(place, tmp_path):
    done = []
    predict_file(
        place / "m.skops", place / "new.csv", output=tmp_path / "o.csv", progress=done.append
    )
    assert done[-1] == 90
    assert done == sorted(done)


def test_the_default_output_is_named_after_the_table(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(predict_file(place / "m.skops", place / "new.csv").path) == "new-predictions.csv"


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("out.txt", r"expected a name that ends in \.csv or \.parquet"),
        ("new.csv", "is the table itself"),
        ("no/out.csv", "there is no folder"),
        ("taken.csv", "exists and was left as it is"),
    ],
)
def test_outputs_that_are_refused(place, output, message):
    (place / "taken.csv").write_text("precious")
    with pytest.raises(InvalidInput, match=message):
        predict_file(place / "m.skops", place / "new.csv", output=place / output, force=False)
    assert (place / "taken.csv").read_text() == "precious"
    with pytest.raises(InvalidInput, match="is the table itself"):
        predict_file(place / "m.skops", place / "new.csv", output=place / "new.csv", force=True)


def test_formulas_are_made_harmless_in_csv_only(tmp_path):
    X = pd.DataFrame({"u": range(6)})
    fit_model(DummyClassifier(), X, ["=1+1"] * 4 + ["-3", "@x"]).save(tmp_path / "m.skops")
    X.to_csv(tmp_path / "new.csv", index=False)
    for name in ("out.csv", "out.parquet"):
        predict_file(tmp_path / "m.skops", tmp_path / "new.csv", output=tmp_path / name)
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0] == "row,predicted,p:-3,p:=1+1,p:@x"
    assert lines[1].startswith("1,'=1+1,")
    assert pd.read_parquet(tmp_path / "out.parquet")["predicted"][0] == "=1+1"


def test_a_bad_table_writes_nothing(place, tmp_path):
    (tmp_path / "bad.csv").write_text("size\n1\n")
    with pytest.raises(InvalidTable, match=r"of the 2 columns .* these are missing: 'count'"):
        predict_file(place / "m.skops", tmp_path / "bad.csv", output=tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]


def test_other_versions_are_remarked_on(place, tmp_path, monkeypatch):
    monkeypatch.setattr("polychotomy.study.design.specification.version", lambda package: "0.0")
    found = predict_file(place / "m.skops", place / "new.csv", output=tmp_path / "out.csv")
    assert any("fitted with scikit-learn" in note and "here is 0.0" in note for note in found.notes)


OWN = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
class First(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self
    def predict(self, X):
        return np.full(len(X), self.classes_[0])
"""


def test_the_candidates_file_can_be_trusted_as_a_whole(place, tmp_path):
    from polychotomy.study.fitting.user_module import load_module

    (tmp_path / "own.py").write_text(OWN)
    X, y = messy()
    fit_model(load_module(tmp_path / "own.py").First(), X[["size"]], y).save(tmp_path / "m.skops")
    arguments = (tmp_path / "m.skops", place / "new.csv")
    with pytest.raises(InvalidInput, match=r"not trusted: polychotomy_user_\w+\.First"):
        predict_file(*arguments, output=tmp_path / "out.csv")
    own = [str(tmp_path / "own.py")]
    assert predict_file(*arguments, output=tmp_path / "out.csv", trusted=own).counts["ash"] == 90
    (tmp_path / "own.py").write_text(OWN + "\nx = 1\n")  # another file, another module
    with pytest.raises(InvalidInput, match=r"judged with another file than .*own.py, or with this"):
        predict_file(*arguments, output=tmp_path / "out.csv", trusted=own, force=True)


def test_from_a_sheet_to_a_sheet(tmp_path):
    pytest.importorskip("openpyxl")
    days = pd.to_datetime(["2024-03-01", "2024-03-02", None, "2024-03-04"] * 6)
    X = pd.DataFrame({"size": [1.0, 1.2, 3.0, None] * 6, "day": days, "name": ["+1+x", "b"] * 12})
    model = fit_model(for_tables(GaussianNB()), X, ["small", "small", "=large", "=large"] * 6)
    model.save(tmp_path / "m.skops")
    X.head(5).to_excel(tmp_path / "new.xlsx", index=False, sheet_name="rows")
    out = tmp_path / "out.xlsx"
    found = predict_file(
        tmp_path / "m.skops", tmp_path / "new.xlsx", sheet="rows", output=out, keep=["day", "name"]
    )
    written = pd.read_excel(out)
    assert list(written.columns) == ["day", "name", "predicted", "p:=large", "p:small"]
    assert written["day"].equals(X["day"].head(5).astype(written["day"].dtype))
    assert written["name"].tolist()[0] == "'+1+x"  # no formula
    assert set(written["predicted"]) == {"small", "'=large"}
    assert sum(found.counts.values()) == 5
    expected = model.predict_table(X.head(5)).frame["p:small"]
    np.testing.assert_allclose(written["p:small"], expected)


def test_durations_in_typed_files(tmp_path):
    hours = np.arange(40)
    X = pd.DataFrame({"stay": pd.to_timedelta(hours, "h"), "size": hours % 3})
    y = np.where(hours > 19, "long", "short")
    fit_model(for_tables(DecisionTreeClassifier()), X, y).save(tmp_path / "m.skops")
    X.to_parquet(tmp_path / "new.parquet")
    found = predict_file(tmp_path / "m.skops", tmp_path / "new.parquet", output=tmp_path / "p.csv")
    assert found.counts == {"long": 20, "short": 20}
