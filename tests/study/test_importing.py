"""Predictions made elsewhere: what export wrote comes back; every bad row is named."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.study import Ledger, RepeatedFolds, Study, StudySpec, import_predictions
from polychotomy.study.ledger.export import export_predictions

X, y = load_iris(return_X_y=True)
WORDS = np.array(["=HYPERLINK(1)", "'=x", "-3"])[y]
PLAN = RepeatedFolds(repetitions=3, folds=4, runs=2)
STUDY = Study(
    {"@bayes": GaussianNB(), "MAX": DummyClassifier(), "svm": LinearSVC()}, X, WORDS, plan=PLAN
)
GOOD = """learner,sample,fold,truth,p:no,p:yes
a,s1,0,yes,0.2,0.8
a,s2,1,no,0.6,0.4
b,s1,0,yes,1,0
b,s2,1,no,1,0
"""


def write(tmp_path, text):
    path = tmp_path / "predictions.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("keep", [None, "kept"])
def test_what_export_wrote_comes_back(tmp_path, suffix, keep):
    path = tmp_path / f"iris{suffix}"
    with STUDY.run() as ledger:
        export_predictions(ledger, path)
        before = STUDY.gather(ledger)
        clocks, sizes = ledger.trials(), ledger.model_bytes()
    with import_predictions(path, into=keep and tmp_path / keep) as ledger:
        after = ledger.out_of_fold()
        assert list(ledger.fact("specification")["datasets"]) == ["iris"]
        again = ledger.trials()
        assert ledger.model_bytes() == sizes
    assert after.names == before.names
    assert after.classes == before.classes
    for name in ("y", "folds", "predicted", "probabilities", "hard"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))
    assert [t["fit_seconds"] for t in again] == pytest.approx([t["fit_seconds"] for t in clocks])
    if keep:
        with Ledger(tmp_path / keep, read_only=True) as ledger:
            np.testing.assert_array_equal(ledger.out_of_fold().predicted, before.predicted)


def test_several_data_sets_come_back(tmp_path):
    spec = StudySpec({"one": (X, y), "two": (X[:100], WORDS[:100])}, {"NB": GaussianNB()})
    with spec.run() as ledger:
        export_predictions(ledger, tmp_path / "all.csv")
        before = [spec.gather(ledger, name) for name in ("one", "two")]
    with import_predictions(tmp_path / "all.csv") as ledger:
        for name, was in zip(("one", "two"), before, strict=True):
            found = ledger.out_of_fold(dataset=name)
            assert found.classes == was.classes
            np.testing.assert_array_equal(found.probabilities, was.probabilities)


def test_rows_of_several_data_sets_are_counted_alone(tmp_path):
    frame = pd.DataFrame(
        {
            "dataset": ["one", "one", "two", "two"],
            "learner": "a",
            "sample": [0, 1, 0, 1],
            "fold": 0,
            "truth": ["x", "y", "x", "y"],
            "p:x": [1.0, 0.5, 1.0, 0.5],
            "p:y": [0.0, 0.5, 0.0, 0.9],
        }
    )
    frame.to_csv(tmp_path / "p.csv", index=False)
    words = "data set 'two', its rows counted alone: the probabilities in row 2 sum to 1.4"
    with pytest.raises(InvalidTable, match=words):
        import_predictions(tmp_path / "p.csv")


def test_a_table_by_hand(tmp_path):
    with import_predictions(write(tmp_path, GOOD)) as ledger:
        found = ledger.out_of_fold()
        assert ledger.sample_ids() == ["s1", "s2"]
        assert "4 of 4 fits recorded" in ledger.say_status()
    assert found.names == ("a", "b")
    assert found.hard.tolist() == [False, True]
    assert found.fold_errors()[:, 0, 0].tolist() == [[0, 0], [1, 0]]


def test_labels_alone_are_votes(tmp_path):
    text = "candidate,sample,fold,truth,predicted\nR,0,1,a,b\nR,1,2,b,b\nR,2,2,c,c\n"
    with import_predictions(write(tmp_path, text)) as ledger:
        found = ledger.out_of_fold()
    assert found.classes == ("a", "b", "c")
    assert found.hard.tolist() == [True]
    assert found.probabilities[0, 0, 0].tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 1]]


def test_probabilities_alone_predict_the_largest(tmp_path):
    with import_predictions(write(tmp_path, GOOD)) as ledger:
        assert ledger.out_of_fold().predicted[0, 0, 0].tolist() == [1, 0]


def test_numbers_place_the_samples(tmp_path):
    text = "learner,sample,fold,truth,predicted\na,1,0,x,x\na,0,0,y,x\n"
    with import_predictions(write(tmp_path, text)) as ledger:
        assert ledger.sample_ids() is None
        assert ledger.out_of_fold().y.tolist() == [1, 0]


def test_a_fold_without_rows_is_a_failed_fit(tmp_path):
    with import_predictions(write(tmp_path, GOOD.replace("b,s2,1,no,1,0\n", ""))) as ledger:
        failed = [trial for trial in ledger.trials() if trial["status"] != "ok"]
        errors = ledger.fold_errors()
    assert [(t["candidate"], t["fold"]) for t in failed] == [("b", 1)]
    assert failed[0]["cause"] == "no predictions of this fold in the file"
    assert np.isnan(errors[1, 0, 0, 1])


def test_rounded_probabilities_are_made_to_sum_to_one(tmp_path):
    text = "learner,sample,fold,truth,p:a,p:b,p:c\nx,0,0,a,0.333,0.333,0.333\n"
    with import_predictions(write(tmp_path, text)) as ledger:
        shares = ledger.out_of_fold().probabilities
    assert shares.sum() == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            GOOD.replace("learner", "who"),
            "columns 'who', .*; expected either candidate or learner, sample, truth",
        ),
        (
            GOOD.replace("truth", "kind"),
            "'kind'.*; expected either candidate or learner, sample, truth",
        ),
        (
            GOOD.replace("p:", "q:").replace("0.8", "0.7"),
            r"q:.*and p:<class> for every class or predicted \(or correct",
        ),
        (
            "id,plan,price\n1,basic,9\n2,pro,19\n",
            "has the columns 'id', 'plan', 'price'; expected either candidate or learner",
        ),
        ("id,dataset\n1,x\n2,y\n", "^the table of predictions has the columns"),
        (GOOD.splitlines()[0] + "\n", "has a header but no rows"),
        (GOOD.replace("s2,1,no,0.6", "s2,1,maybe,0.6"), "truth is 'maybe' in row 2, which is none"),
        (GOOD.replace("b,s1,0,yes", "b,s1,0,no"), "truth is 'no' in row 3, but the sample 's1'"),
        (GOOD + "a,s1,0,yes,0.5,0.5\n", "'s1' is predicted by 'a' again in row 5"),
        (GOOD.replace("b,s2,1", "b,s2,0"), "'s2' is in fold 0 in row 4, but in fold 1"),
        (GOOD.replace("0.6,0.4", "0.6,0.6"), "probabilities in row 2 sum to 1.2; expected 1"),
        (GOOD.replace("0.6,0.4", "1.6,-0.6"), "p:no is '1.6' in row 2; expected a probability"),
        (GOOD.replace("0.6,0.4", "NaN,0.4"), "p:no is 'NaN' in row 2"),
        (GOOD.replace("0.6", "high"), "p:no is 'high' in row 2; expected a probability"),
        (GOOD.replace("s2,1,no,0.6", "s2,x,no,0.6"), "fold is 'x' in row 2"),
        (GOOD.replace("s2,1,no,0.6", "s2,0.5,no,0.6"), "fold is '0.5' in row 2; expected a whole"),
        (GOOD.replace("a,s2,1,no", "a,,1,no"), "sample is empty in row 2"),
        (GOOD.replace("a,s1", "../x,s1"), "a learner is named '../x'"),
        (GOOD.replace("p:yes", "p:no"), "p:"),
    ],
)
def test_bad_rows_are_named(tmp_path, text, message):
    with pytest.raises(InvalidInput, match=message):
        import_predictions(write(tmp_path, text), into=tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_a_sample_that_is_missing_in_a_fold(tmp_path):
    more = GOOD + "a,s3,1,no,0.5,0.5\n"
    words = "missing: 1 of 'b', such as that of 'b' to the sample 's3'; expected"
    with pytest.raises(InvalidTable, match=words):
        import_predictions(write(tmp_path, more))


def test_a_sample_that_is_missing_in_a_repetition(tmp_path):
    frame = pd.DataFrame(
        {
            "learner": "a",
            "sample": [0, 1, 0],
            "repetition": [0, 0, 1],
            "fold": 0,
            "truth": ["x", "y", "x"],
            "predicted": "x",
        }
    )
    frame.to_parquet(tmp_path / "p.parquet")
    words = "1 of 'a', such as that of 'a' to the sample '1' in run 0, repetition 1; expected"
    with pytest.raises(InvalidTable, match=words):
        import_predictions(tmp_path / "p.parquet")


@pytest.mark.parametrize(
    ("name", "message"),
    [("p.pdf", "of no kind known here"), ("p.csv", "there is no file")],
)
def test_files_that_cannot_be_read(tmp_path, name, message):
    (tmp_path / "p.pdf").touch()
    with pytest.raises(InvalidInput, match=message):
        import_predictions(tmp_path / name)


def test_a_workbook(tmp_path):
    frame = pd.read_csv(write(tmp_path, GOOD))
    frame.to_excel(tmp_path / "p.xlsx", index=False)
    with import_predictions(tmp_path / "p.xlsx") as ledger:
        shares = ledger.out_of_fold().probabilities[0, 0, 0]
    np.testing.assert_allclose(shares, [[0.2, 0.8], [0.6, 0.4]], atol=1e-7)


def test_nothing_is_fitted_into_an_import(tmp_path):
    with import_predictions(write(tmp_path, GOOD), into=tmp_path / "s") as ledger:
        plan = ledger._part(kinds=("imported folds",)).plan
    with pytest.raises(InvalidInput, match="was imported with its predictions"):
        Study({"MAX": DummyClassifier()}, X, y, plan=plan).run()
