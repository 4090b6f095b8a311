"""Models that decide by costs: the cheapest label, kept in the file, said in words."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest
import skops.io
from messy_tables import messy
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from polychotomy.core.exceptions import InvalidInput
from polychotomy.model import fit_model, load_model, predict_file
from polychotomy.validation import recalibrate

COSTS = [[0, 1], [5, 0]]  # a missed "yes" costs five false alarms: "yes" where p > 1/6


def churn(n=120):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"x": random.normal(size=n)})
    return X, np.where(X["x"] + random.normal(size=n) > 0.8, "yes", "no")


def over_sure():
    p = np.tile([[0.99, 0.01], [0.01, 0.99]], (200, 1))
    found = recalibrate(p, (np.arange(400) + (np.arange(400) % 5 == 0)) % 2)
    assert found.chosen == "temperature"
    return found


@pytest.mark.parametrize("recalibration", [None, over_sure()], ids=["plain", "recalibrated"])
def test_the_label_is_the_one_of_least_expected_cost(recalibration, tmp_path):
    X, y = churn()
    path = tmp_path / "m.skops"
    fit_model(LogisticRegression(), X, y, costs=COSTS, recalibration=recalibration).save(path)
    p = LogisticRegression().fit(X, y).predict_proba(X)
    if recalibration is not None:
        p = recalibration.calibrator.apply(p)
    expected = np.where(p[:, 1] > 1 / 6, "yes", "no").tolist()
    assert expected != np.where(p[:, 1] > 1 / 2, "yes", "no").tolist()
    model = load_model(path)
    assert model.costs.tolist() == COSTS
    assert model.predict_table(X).frame["predicted"].tolist() == expected
    alone = skops.io.load(path, trusted=skops.io.get_untrusted_types(file=path))
    assert alone.predict(X).tolist() == expected


def test_many_classes_by_brute_force():
    X, y = messy()
    costs = np.random.default_rng(1).integers(0, 9, (3, 3)).astype(float)
    found = fit_model(LogisticRegression(), X[["size"]], y, costs=costs).predict_table(X).frame
    p = found[["p:ash", "p:beech", "p:cedar"]].to_numpy()
    by_hand = [min(range(3), key=lambda j: sum(row * costs[:, j])) for row in p]
    assert found["predicted"].tolist() == np.array(["ash", "beech", "cedar"])[by_hand].tolist()


def test_equal_costs_go_to_the_most_probable():
    X, y = churn()
    found = fit_model(LogisticRegression(), X, y, costs=[[0, 0], [1, 1]]).predict_table(X).frame
    assert found["predicted"].tolist() == LogisticRegression().fit(X, y).predict(X).tolist()


def test_a_learner_of_labels_only_keeps_them():
    X, y = churn()
    model = fit_model(LinearSVC(), X, y, costs=[[5, 0], [0, 5]])
    assert model.predict_table(X).frame["predicted"].tolist() == (
        LinearSVC(random_state=0).fit(X, y).predict(X).tolist()
    )
    assert model.deciding == "labels are the learner's own, it gives no probabilities but 0 and 1"
    assert not hasattr(model, "predict_proba"), "as scikit-learn's LinearSVC has none"


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (1 - np.eye(3), r"costs has shape \(3, 3\); expected \(2, 2\), rows are true classes"),
        ([0, 1], "expected a square one of finite numbers"),
        ([[0, np.nan], [1, 0]], "expected a square one of finite numbers"),
        ([["a", "b"], ["c", "d"]], "costs is .*; expected an array of real numbers"),
    ],
)
def test_wrong_costs_are_refused(costs, words):
    with pytest.raises(InvalidInput, match=words):
        fit_model(LogisticRegression(), *churn(), costs=costs)


def test_card_and_file_have_the_costs(tmp_path):
    X, y = churn()
    plain = fit_model(LogisticRegression(), X, y)
    model = fit_model(LogisticRegression(), X, y, costs=COSTS, recalibration=over_sure())
    assert "## Costs" not in plain.card
    assert "that of the least expected cost by the probabilities of this file" in model.card
    assert (
        "| truth | no | yes |\n| --- | --- | --- |\n| no | 0 | 1 |\n| yes | 5 | 0 |" in model.card
    )
    model.save(tmp_path / "m.skops")
    with zipfile.ZipFile(tmp_path / "m.skops") as archive:
        facts = json.loads(archive.read("polychotomy.json"))
    assert facts["costs"] == COSTS
    assert facts["recalibration"] == "temperature"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "labels are the most probable ones, probabilities are without recalibration"),
        ({"costs": COSTS, "recalibration": over_sure()},
         "labels are those of least expected cost, probabilities are with temperature "
         "recalibration"),
    ],
)  # fmt: skip
def test_the_last_line_says_what_labels_and_probabilities_are(options, words, tmp_path):
    X, y = churn()
    fit_model(LogisticRegression(), X, y, **options).save(tmp_path / "m.skops")
    X.to_csv(tmp_path / "new.csv", index=False)
    found = predict_file(tmp_path / "m.skops", tmp_path / "new.csv", output=tmp_path / "o.csv")
    assert found.say().endswith(f"written to {tmp_path / 'o.csv'}; {words}")
