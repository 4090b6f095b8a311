"""From a verdict to a model that scikit-learn takes for one of its own."""

import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibrationDisplay
from sklearn.datasets import load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import check_is_fitted

from polychotomy import import_predictions, judge, load_model
from polychotomy.calibration import Temperature
from polychotomy.core.exceptions import InvalidInput, InvalidTable, LearnerError
from polychotomy.model import RecalibratedClassifier, fit_model

CANDIDATES = {"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}
X, CODES = load_iris(return_X_y=True, as_frame=True)
Y = pd.Series(np.array(["setosa", "versicolor", "virginica"])[CODES], name="species")


class Sure(GaussianNB):
    """Naive Bayes whose probabilities are far too certain."""

    def predict_proba(self, X):
        return Temperature(4.0).apply(super().predict_proba(X))


@pytest.fixture(scope="module")
def verdict():
    return judge(CANDIDATES, X, Y, anatomy=False, plan="1x5", dataset="iris", random_state=3)


@pytest.fixture(scope="module")
def model(verdict):
    return verdict.fit()


def test_it_is_the_winner_on_all_rows(verdict, model):
    expected = fit_model(
        GaussianNB(),
        X,
        Y,
        candidate="naive Bayes",
        dataset="iris",
        recalibration=verdict.trust.recalibration,
        random_state=3,
    )
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    assert (model.name, model.schema.target) == ("naive Bayes", "species")
    assert model.classes_.tolist() == sorted(set(Y))
    assert model.feature_names_in_.tolist() == list(X.columns)
    assert "Use naive Bayes" in model.card


def test_it_is_recalibrated_as_advised():
    random = np.random.default_rng(0)
    codes = random.integers(2, size=300)
    rows = codes[:, np.newaxis] + random.normal(scale=1.5, size=(300, 2))
    verdict = judge({"sure": Sure()}, rows, codes, anatomy=False, plan="1x5")
    recalibration = verdict.trust.recalibration
    assert recalibration.chosen != "none"
    raw = Sure().fit(rows, codes).predict_proba(rows)
    expected = recalibration.calibrator.apply(raw)
    np.testing.assert_allclose(verdict.fit().predict_proba(rows), expected)


def test_the_same_comes_from_a_file(model, tmp_path):
    model.save(tmp_path / "m.skops")
    loaded = load_model(tmp_path / "m.skops")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert (loaded.predict(X) == model.predict(X)).all()
    assert loaded.feature_names_in_.tolist() == model.feature_names_in_.tolist()


def test_scikit_learn_takes_it_for_a_classifier(model):
    check_is_fitted(model)
    assert is_classifier(model)
    assert model.n_features_in_ == 4
    assert model.score(X, Y) > 0.9
    assert permutation_importance(model, X, Y, n_repeats=2).importances.shape == (4, 2)
    assert (FrozenEstimator(model).predict(X) == model.predict(X)).all()
    is_setosa = fit_model(GaussianNB(), X, Y == "setosa")
    CalibrationDisplay.from_estimator(is_setosa, X, Y == "setosa")


def test_its_clone_is_not_fitted(model):
    assert isinstance(clone(model), RecalibratedClassifier)
    assert not hasattr(clone(model), "classes_")
    wrong = pd.Series(np.random.default_rng(0).permutation(Y))
    assert cross_val_score(model, X, wrong).mean() < 0.5  # not the rows it has seen


@pytest.mark.long
@pytest.mark.parametrize("name", ["logistic", "bayes", "forest", "support vectors", "boosted"])
@pytest.mark.parametrize("kind", ["frame", "array"])
def test_scikit_learns_own_checks(name, kind):
    """All that the winner passes itself; a refit learns winner, recalibration and sets anew."""
    winner = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "bayes": GaussianNB(),
        "forest": RandomForestClassifier(5, random_state=0),
        "support vectors": SVC(),
        "boosted": HistGradientBoostingClassifier(max_iter=5),
    }[name]
    table = X if kind == "frame" else X.to_numpy()
    fitted = judge({name: winner}, table, Y, anatomy=False, plan="1x5").fit()
    if name == "bayes":  # as where a verdict advises it
        fitted.set_params(calibrator="temperature", sets=True)
    found = check_estimator(fitted, on_fail=None, on_skip=None)
    assert len(found) > 50
    failed = {one["check_name"] for one in found if one["status"] == "failed"}
    assert not failed
    # Only where SCIPY_ARRAY_API is not set, or the winner has a tag of its own for it.
    assert {one["check_name"] for one in found if one["status"] != "passed"} <= {
        "check_array_api_input"
    }


def test_its_clone_learns_all_of_it_anew_from_other_rows():
    """Other classes, another table: winner, recalibration and sets are theirs."""
    random = np.random.default_rng(0)
    codes = random.integers(2, size=300)
    rows = codes[:, np.newaxis] + random.normal(scale=1.5, size=(300, 2))
    fitted = judge({"sure": Sure()}, rows, codes, anatomy=False, plan="1x5").fit()
    assert fitted.calibrator_ is not None
    assert fitted.set_thresholds_.shape == (99, 2)
    other = clone(fitted).fit(X.to_numpy(), Y)
    expected = RecalibratedClassifier(clone(fitted.estimator), fitted.calibrator, sets=True)
    p = expected.fit(X.to_numpy(), Y).predict_proba(X.to_numpy())
    np.testing.assert_array_equal(other.predict_proba(X.to_numpy()), p)
    assert other.classes_.tolist() == sorted(set(Y))
    assert other.set_thresholds_.shape == (99, 3)
    again = fitted.fit(X, Y)  # in place, as any other classifier
    assert again is fitted
    assert again.feature_names_in_.tolist() == list(X.columns)
    np.testing.assert_array_equal(again.predict_proba(X[X.columns[::-1]]), p)
    assert again.card.startswith("# sure\n\nFitted anew, to other rows")


def test_columns_may_stand_in_any_order_and_come_from_anywhere(model):
    expected = model.predict_proba(X)
    shuffled = X[X.columns[::-1]].assign(more=1)
    for same in (shuffled, pa.Table.from_pandas(shuffled), X.to_numpy(), X.to_numpy().tolist()):
        np.testing.assert_array_equal(model.predict_proba(same), expected)
    with pytest.raises(InvalidTable, match="an array of 3 columns; expected the 4 of training"):
        model.predict(X.to_numpy()[:, :3])


@pytest.mark.parametrize("library", ["polars", "polars lazily", "pyarrow", "duckdb"])
def test_tables_of_other_libraries(verdict, library):
    module = pytest.importorskip(library.split()[0])
    frame = pa.Table.from_pandas(X.rename(columns=lambda name: name.split(" (")[0]))
    read = {
        "polars": lambda: module.from_arrow(frame),
        "polars lazily": lambda: module.from_arrow(frame).lazy(),
        "pyarrow": lambda: frame,
        "duckdb": lambda: module.from_arrow(frame),
    }[library]
    y = module.Series(Y.tolist()) if library == "polars" else pa.array(Y.tolist())
    if library == "duckdb":  # which has tables only
        y = module.from_arrow(pa.table({"kind": Y.tolist()}))
    found = judge(CANDIDATES, read(), y, anatomy=False, plan="1x5", random_state=3)
    assert found.candidate("naive Bayes").error == verdict.candidate("naive Bayes").error
    model = found.fit()
    assert model.feature_names_in_.tolist() == frame.column_names
    assert (model.predict(read()) == verdict.fit().predict(X)).all()
    assert len(model.predict_table(read()).frame) == 150


def test_verdicts_without_a_table_say_what_to_do(verdict, tmp_path):
    lines = [f"{who},{i},{i % 5},{i % 2},{i % 2}" for i in range(50) for who in "ab"]
    (tmp_path / "p.csv").write_text("\n".join(["learner,sample,fold,truth,predicted", *lines]))
    for other in (
        pickle.loads(pickle.dumps(verdict)),
        judge(import_predictions(tmp_path / "p.csv")),
    ):
        with pytest.raises(InvalidInput, match=r"no table to fit.*fit_model\(candidates"):
            other.fit()


def test_a_winner_that_contradicts_itself_makes_no_model():
    class Swapped(GaussianNB):
        def predict_proba(self, X):
            return super().predict_proba(X)[:, ::-1]

    found = judge({"swapped": Swapped()}, X, Y, anatomy=False, plan="1x5")
    with pytest.raises(LearnerError, match="no model was made: the probabilities of 'swapped'"):
        found.fit()


def test_in_a_pipeline_that_is_fitted_it_is_fitted_too(model):
    copied = pickle.loads(pickle.dumps(model))
    assert make_pipeline(StandardScaler(), copied).fit(X, Y).score(X, Y) > 0.9
    assert clone(make_pipeline(StandardScaler(), model)).fit(X, Y).score(X, Y) > 0.9


DAYS = pd.to_datetime(np.where(CODES == 1, "2020-01-01", "2021-06-01"))


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (DAYS, "2020-01-01 00:00:00"),
        (DAYS.to_numpy().astype("datetime64[ns]"), "2020-01-01 00:00:00"),
        (pd.Series(DAYS.tz_localize("UTC")), "2020-01-01 00:00:00+00:00"),
        (DAYS.date.tolist(), "2020-01-01"),
        (pd.Categorical(DAYS), "2020-01-01 00:00:00"),
        (pd.cut(CODES == 1, [-1, 0, 1], labels=None), "(0, 1]"),
        (DAYS.to_period("M"), "2020-01"),
        ((CODES == 1) * 0.5, 0.5),
        (pd.Categorical((CODES == 1) * 0.5), 0.5),
    ],
    ids=lambda value: str(value) if isinstance(value, str | float) else "",
)
def test_labels_that_are_no_texts_are_told_saved_and_scored(labels, told, tmp_path):
    model = judge(CANDIDATES, X, labels, anatomy=False, plan="1x3").fit()
    predicted = model.predict(X)
    assert set(predicted[CODES == 1]) <= set(model.classes_)
    assert told in model.classes_
    assert model.score(X, labels) == np.mean((predicted == told) == (CODES == 1)) > 0.6
    weights = 1.0 + (CODES == 1)
    right = (predicted == told) == (CODES == 1)
    assert model.score(X, labels, weights) == pytest.approx(np.average(right, weights=weights))
    model.save(tmp_path / "m.skops")
    assert load_model(tmp_path / "m.skops").predict(X).tolist() == predicted.tolist()


def test_an_array_that_was_made_a_table_is_an_array():
    model = judge(CANDIDATES, X.to_numpy(), Y, anatomy=False, plan="1x3").fit()
    table = pd.DataFrame(X.to_numpy())
    assert (model.predict(table) == model.predict(X.to_numpy())).all()
    with pytest.raises(InvalidTable, match="missing"):
        model.predict(table[[1, 0, 2, 3]])


def test_a_rule_of_the_winners_own_is_kept():
    """The error that a verdict tells is that of its labels, and these are the model's."""
    X, y = make_classification(600, 8, weights=[0.9], flip_y=0.05, random_state=0)
    often = FixedThresholdClassifier(LogisticRegression(), threshold=0.1)
    model = judge({"often": often}, X, y, loss="balanced-error", anatomy=False).fit()
    alone = clone(often).fit(X, y)
    assert_array_equal(model.predict(X), alone.predict(X))
    assert (model.predict(X) != model.predict_proba(X).argmax(axis=1)).any()
    assert model.deciding.startswith("labels are by the learner's own rule")
    assert_array_equal(clone(model).fit(X, y).predict(X), alone.predict(X))
    assert not fit_model(LogisticRegression(), X, y).own_labels_
