"""StudySpec: several data sets; only what is new is computed; cost before it starts."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import polychotomy
from polychotomy.core.exceptions import InvalidInput, InvalidTable, StudyError
from polychotomy.decomposition import decompose_predictions, learning_curve_forecast
from polychotomy.study import (
    Bootstrap,
    Dataset,
    FixedSplit,
    Ledger,
    NestedSizes,
    RepeatedFolds,
    Study,
    StudySpec,
    TimeFolds,
)

IRIS, WINE = load_iris(return_X_y=True), load_wine(return_X_y=True)
X, y = IRIS
NB = {"NB": GaussianNB()}


def fitted(spec, path):
    """Return how many fits a run took."""
    seen = []
    spec.run(path, progress=seen.append).close()
    return seen[-1].done - seen[0].done


def test_each_addition_computes_only_what_is_new(tmp_path):
    path = tmp_path / "s"
    two = {**NB, "MAX": DummyClassifier()}
    both = {"iris": IRIS, "wine": WINE}
    assert fitted(StudySpec({"iris": IRIS}, NB), path) == 10
    assert fitted(StudySpec({"iris": IRIS}, NB), path) == 0
    assert fitted(StudySpec({"iris": IRIS}, two), path) == 10
    assert fitted(StudySpec(both, two), path) == 20
    assert fitted(StudySpec(both, two, plan=RepeatedFolds(runs=3)), path) == 80
    assert fitted(StudySpec({"wine": WINE}, NB, plan=Bootstrap(replicates=4)), path) == 4
    assert fitted(StudySpec({"wine": WINE}, NB, plan=Bootstrap(replicates=7)), path) == 3
    assert fitted(StudySpec(both, two), path) == 0
    with Ledger(path, read_only=True) as ledger:
        text = ledger.say_status()
        assert text.startswith("127 of 127 fits recorded")
        assert "  wine, bootstrap:\n    NB: 7 of 7" in text
        assert len(ledger.fact("specification")["plans"]) == 2


def test_the_order_of_additions_does_not_matter(tmp_path):
    both = StudySpec({"iris": IRIS, "wine": WINE}, NB)
    both.run(tmp_path / "once").close()
    StudySpec({"wine": WINE}, NB).run(tmp_path / "twice").close()
    both.run(tmp_path / "twice").close()
    found = []
    for name in ("once", "twice"):
        with Ledger(tmp_path / name, read_only=True) as ledger:
            found.append([both.gather(ledger, data).probabilities for data in ("iris", "wine")])
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_study_is_a_spec_of_one_data_set(tmp_path):
    study, spec = Study(NB, X, y, dataset="iris"), StudySpec({"iris": IRIS}, NB)
    assert study.fingerprint == spec.fingerprint
    study.run(tmp_path / "s").close()
    assert fitted(spec, tmp_path / "s") == 0
    assert polychotomy.study.StudySpec is StudySpec


def test_fingerprint_is_by_content():
    spec = StudySpec({"iris": IRIS}, NB)
    assert spec.fingerprint == StudySpec({"iris": (X.copy(), y.tolist())}, NB).fingerprint
    others = [
        StudySpec({"iris": (X + 1, y)}, NB),
        StudySpec({"iris": IRIS}, {"NB": GaussianNB(var_smoothing=1e-8)}),
        StudySpec({"iris": IRIS}, NB, plan=RepeatedFolds(runs=2)),
        StudySpec({"iris": IRIS}, NB, random_state=1),
        StudySpec({"iris": IRIS}, NB, keep="labels"),
    ]
    assert len({spec.fingerprint, *(other.fingerprint for other in others)}) == 6


def test_changed_data_are_named(tmp_path):
    StudySpec({"iris": IRIS, "wine": WINE}, NB).run(tmp_path / "s").close()
    other = WINE[0].copy()
    other[5, 3] = 0
    words = "data 'wine' are not the same: changed: column '3'"
    with pytest.raises(StudyError, match=words):
        StudySpec({"iris": IRIS, "wine": (other, WINE[1])}, NB).run(tmp_path / "s")


def test_labels_alone_take_less_room_and_give_votes(tmp_path):
    full, lean = (StudySpec({"iris": IRIS}, NB, keep=keep) for keep in ("probabilities", "labels"))
    with full.run(tmp_path / "full") as one, lean.run(tmp_path / "lean") as other:
        was, now = full.gather(one), lean.gather(other)
    np.testing.assert_array_equal(was.predicted, now.predicted)
    assert now.hard.all()
    np.testing.assert_array_equal(now.probabilities.argmax(axis=-1), now.predicted)
    with pytest.raises(StudyError, match="what is kept was 'labels', now 'probabilities'"):
        full.run(tmp_path / "lean")


def test_groups_and_times_reach_the_splits():
    groups, time = np.arange(150) // 10, np.arange(150) % 50
    with Study(NB, X, y, groups=groups).run() as ledger:
        folds = ledger.out_of_fold().folds[0]
        assert all(len(np.unique(row[groups == g])) == 1 for row in folds for g in range(15))
    study = Study(NB, X, y, time=time, plan=TimeFolds(folds=4))
    with study.run() as ledger:
        found = study.gather(ledger)
    assert (found.predicted[0, 0, 0] >= 0).sum() == (found.folds[0, 0] >= 0).sum()
    assert not np.isnan(found.fold_errors()).any()
    assert time[found.folds[0, 0] == -1].max() < time[found.folds[0, 0] == 0].min()


def test_bootstrap_predictions_are_those_of_fits_by_hand():
    study = Study(NB, X, y, plan=Bootstrap(replicates=5))
    with study.run() as ledger:
        predictions, in_bag = ledger.bootstrap_predictions("NB")
    assert predictions.shape == (5, 150, 3)
    for shares, counts in zip(predictions, in_bag, strict=True):
        rows, out = np.repeat(np.arange(150), counts), counts == 0
        by_hand = GaussianNB().fit(X[rows], y[rows]).predict_proba(X[out])
        np.testing.assert_allclose(shares[out], by_hand, atol=1e-6)
        assert np.isnan(shares[~out]).all()
    assert decompose_predictions(predictions, in_bag, y).error > 0


def test_size_errors_are_those_of_fits_by_hand():
    plan = NestedSizes(folds=3, sizes=(0.2, 1.0), repetitions=2)
    study = Study(NB, X, y, plan=plan)
    with study.run() as ledger:
        sizes, losses = ledger.size_errors("NB")
    assert sizes.tolist() == [20, 100]
    expected = np.zeros((2, 150))
    for row in plan.split(y, seed=0)[0]:
        for fold in range(6):
            train, test = plan.rows(row, fold)
            wrong = GaussianNB().fit(X[train], y[train]).predict(X[test]) != y[test]
            expected[fold // 3, test] += wrong / 2
    np.testing.assert_allclose(losses, expected)
    assert learning_curve_forecast(sizes, losses, n=150).answers


def test_a_fixed_split_predicts_its_test_rows():
    study = Study(NB, X, y, plan=FixedSplit(test=0.2))
    with study.run() as ledger:
        found = study.gather(ledger)
    assert (found.predicted >= 0).sum() == 30
    assert found.fold_errors().shape == (1, 1, 1, 1)


def test_fold_errors_are_those_of_all_predictions():
    candidates = {**NB, "1-NN": KNeighborsClassifier(1)}
    study = Study(candidates, X, y, plan=RepeatedFolds(repetitions=3, folds=4, runs=2))
    with study.run() as ledger:
        np.testing.assert_array_equal(ledger.fold_errors(), study.gather(ledger).fold_errors())
        assert ledger.fold_errors(["1-NN"], runs=1).shape == (1, 1, 3, 4)


def test_what_a_ledger_has_not_is_said(tmp_path):
    with StudySpec({"iris": IRIS, "wine": WINE}, NB).run() as ledger:
        for question, words in (
            (lambda: ledger.out_of_fold(), "has 2 of data set: 'iris', 'wine'. Name one"),
            (lambda: ledger.out_of_fold(dataset="irs"), "no data set 'irs'. Did you mean 'iris'"),
            (lambda: ledger.out_of_fold(["nb"], dataset="iris"), "no candidate 'nb'"),
            (lambda: ledger.fold_errors(dataset="iris", runs=2), "runs=2; the study has 1"),
            (lambda: ledger.bootstrap_predictions("NB", dataset="iris"), r"plan \(bootstrap\)"),
        ):
            with pytest.raises(InvalidInput, match=words):
                question()
    with Ledger() as empty, pytest.raises(StudyError, match="the study is empty"):
        empty.out_of_fold()


@pytest.mark.parametrize(
    ("datasets", "options", "message"),
    [
        ({}, {}, "datasets is dict; expected"),
        ([IRIS], {}, "datasets is list"),
        ({"a\n": IRIS}, {}, "a data set is named"),
        ({"a": X}, {}, "the data set 'a' is a ndarray; expected a Dataset or"),
        ({"a": IRIS}, {"keep": "all"}, "keep='all'; expected"),
        ({"a": IRIS}, {"random_state": 0.5}, "random_state is 0.5"),
        ({"a": (X, y, y)}, {}, "the data set 'a' is a tuple"),
    ],
)
def test_bad_specs(datasets, options, message):
    with pytest.raises(InvalidInput, match=message):
        StudySpec(datasets, NB, **options)


def test_a_rare_class_names_its_data_set():
    rare = np.where(np.arange(150) == 0, 9, y)
    with pytest.raises(InvalidTable, match=r"'wrong'.*'9' has 1"):
        StudySpec({"iris": IRIS, "wrong": (X, rare)}, NB)


def test_bad_groups_and_times():
    for name in ("groups", "time"):
        with pytest.raises(InvalidInput, match=rf"{name} has shape \(3,\); expected"):
            Dataset.of(X, y, **{name: [1, 2, 3]})
        with pytest.raises(InvalidInput, match=rf"{name} is missing in 1 of .* row 8\)"):
            Dataset.of(X, y, **{name: np.where(np.arange(150) == 7, np.nan, 1.0)})
        with pytest.raises(InvalidInput, match=f"{name} mixes values"):
            Dataset.of(X, y, **{name: [1, "a"] * 75})


def test_times_as_text_are_dates():
    days = [f"2024-{month:02d}-01" for month in (1, 10, 9)] * 50
    assert Dataset.of(X, y, time=days).time[:3].tolist() == [0, 2, 1]
    with pytest.raises(InvalidInput, match=r"time\[0\] is the text '9', which is no date"):
        Dataset.of(X, y, time=["9", "10"] * 75)
