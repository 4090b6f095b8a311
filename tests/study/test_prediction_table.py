"""A table of predictions: what its columns may be."""

import numpy as np
import pandas as pd
import pytest

from polychotomy.core.exceptions import InvalidTable
from polychotomy.study import import_predictions

GOOD = {
    "candidate": ["a", "a", "b", "b"],
    "sample": [10, 20, 10, 20],
    "fold": [1, 2, 1, 2],
    "truth": [0, 1, 0, 1],
    "p:0": [0.5, 0.25, 1.0, 0.0],
    "p:1": [0.5, 0.75, 0.0, 1.0],
}


def trials(table):
    """What a table is taken for: all predictions, all trials, the names of the samples."""
    with import_predictions(table) as ledger:
        return ledger.out_of_fold(), ledger.trials(), ledger.sample_ids()


def test_numbers_as_labels_and_samples():
    found, _, samples = trials(pd.DataFrame(GOOD))
    assert found.classes == ("0", "1")
    assert samples == ["10", "20"]
    assert found.folds.tolist() == [[[0, 1]]]
    assert found.predicted[:, 0, 0].tolist() == [[0, 1], [0, 1]]
    assert found.hard.tolist() == [False, True]


def test_numbers_that_became_floats():
    found, _, samples = trials(pd.DataFrame(GOOD).astype({"truth": float, "sample": float}))
    assert found.classes == ("0", "1")
    assert samples == ["10", "20"]


def test_samples_of_one_number_are_two():
    frame = pd.DataFrame(GOOD | {"sample": ["1", "01", "1", "01"]})
    assert trials(frame)[2] == ["1", "01"]


def test_labels_like_na_are_labels(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("learner,sample,fold,truth,predicted\na,0,0,NA,null\na,1,0,null,NA\n")
    assert trials(path)[0].classes == ("NA", "null")


def test_clocks_may_be_missing_in_part():
    frame = pd.DataFrame({**GOOD, "fit_seconds": [1.0, np.nan, 2.0, 3.0]})
    _, found, _ = trials(frame)
    assert [trial["fit_seconds"] for trial in found] == [1, 0, 2, 3]
    assert [trial["predict_seconds"] for trial in found] == [0] * 4


def test_sizes_may_be_missing_in_part():
    for gap in (np.nan, None, "", pd.NA):
        frame = pd.DataFrame({**GOOD, "model_bytes": [gap, "12", gap, gap]})
        assert [trial["model_bytes"] for trial in trials(frame)[1]] == [12, None, None, None]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"learner": list("aabb")}, "expected either candidate or learner"),
        ({"truth": [0, 1, None, 1]}, "truth is empty in row 3"),
        ({"repetition": [0, 0, -1, 0]}, "repetition is .*-1.* in row 3"),
        ({"model_bytes": [1, 1, -2, 1]}, "model_bytes is '-2' in row 3; expected a whole number"),
        (
            {"model_bytes": ["1", "?", "", "1"]},
            r"model_bytes is '\?' in row 2; expected a whole number",
        ),
        ({"predicted": [0, 1, 0, 7]}, "predicted is '7' in row 4, which is none of the classes"),
    ],
)
def test_bad_columns(changes, words):
    with pytest.raises(InvalidTable, match=words):
        import_predictions(pd.DataFrame({**GOOD, **changes}))


@pytest.mark.parametrize("separator", [";", "\t", "|"])
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_other_separators_are_found(tmp_path, separator, decimal, mark):
    """R's write.csv2 and many spreadsheets write semicolons and decimal commas."""
    path = tmp_path / "p.csv"
    frame = pd.DataFrame(GOOD | {"fit_seconds": [0.5, 0.25, 1.5, 2.0], "candidate": list("aabb")})
    frame["sample"] = ["1,5", "2,5"] * 2  # names stay as they are written
    path.write_text(mark + frame.to_csv(sep=separator, decimal=decimal, index=False))
    found, clocks, samples = trials(path)
    assert found.probabilities[:, 0, 0].tolist() == [[[0.5, 0.5], [0.25, 0.75]], [[1, 0], [0, 1]]]
    assert [trial["fit_seconds"] for trial in clocks] == [0.5, 0.25, 1.5, 2.0]
    assert samples == ["1,5", "2,5"]


def test_exponents_after_decimal_commas(tmp_path):
    """As pandas writes small probabilities, and whole numbers of a column with gaps."""
    path = tmp_path / "p.csv"
    small = 3.9598515e-05
    shares = {"p:0": [small, 0.25, 1, 0], "p:1": [1 - small, 0.75, 0, 1]}
    frame = pd.DataFrame(GOOD | shares | {"model_bytes": [12, None, 7, 7]})
    frame.to_csv(path, sep=";", decimal=",", index=False)
    found, sizes, _ = trials(path)
    assert found.probabilities[0, 0, 0, 0].tolist() == np.float32([small, 1 - small]).tolist()
    assert [trial["model_bytes"] for trial in sizes] == [12, None, 7, None]
