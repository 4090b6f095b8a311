"""The built-in candidates take tables as they come."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.study import affordable_ladder, choose, for_tables, ladder
from polychotomy.verdict.judge import judge


def messy(n=60):
    random = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "number": np.where(random.random(n) < 0.2, np.nan, random.normal(size=n)),
            "colour": random.choice(["red", "blue", None], size=n),
            "text": [f"item {i} of many" for i in range(n)],
            "when": pd.date_range("2020-01-01", periods=n).astype(str),
            "constant": 1,
            "empty": np.full(n, np.nan),
        }
    )


@pytest.mark.parametrize("name", list(ladder()))
def test_each_copes_with_a_messy_table(name):
    X, y = messy(), np.arange(60) % 3
    model = clone(ladder()[name])
    if name == "random forest":
        model.set_params(randomforestclassifier__n_estimators=5)
    model.fit(X.iloc[:40], y[:40])
    p = model.predict_proba(X.iloc[40:])  # with texts and dates never seen
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-6)


def test_features_are_made_from_training_rows_only():
    # Scaling by all rows would make the far point's image small.
    from sklearn.neighbors import NearestCentroid

    X = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 1e6]})
    model = for_tables(NearestCentroid()).fit(X.iloc[:4], [0, 0, 1, 1])
    assert model[:-1].transform(X)[-1, 0] > 1e5


def test_simplest_first():
    assert next(iter(ladder())) == "MAX"


def test_choose_keeps_the_order_given():
    assert list(choose(["logistic", "MAX"])) == ["logistic", "MAX"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["logistik"], "no built-in candidate 'logistik'. Did you mean 'logistic'"),
        (["MAX", "MAX"], "expected each name once"),
    ],
)
def test_unknown_names(names, message):
    with pytest.raises(InvalidInput, match=message):
        choose(names)


def test_dear_candidates_are_left_out_of_large_tables_and_named():
    tried, left_out = affordable_ladder(6000, 5)
    assert [one.name for one in left_out] == ["SVM pairwise", "SVM orthogonal"]
    assert list(tried) == [name for name in ladder() if not name.startswith("SVM")]
    assert "6000 rows, more than 5000" in left_out[0].reason
    names = "MAX,nearest mean,logistic,pruned tree,1-NN,k-NN,SVM pairwise,random forest"
    assert ",".join(left_out[0].ask_for) == f"{names},boosted trees"


def test_many_classes():
    _, left_out = affordable_ladder(3000, 40)
    assert [one.name for one in left_out] == ["SVM pairwise", "SVM orthogonal", "boosted trees"]
    tried, _ = affordable_ladder(3000, 30)
    assert "boosted trees" in tried


def test_large_tables_have_quicker_candidates_and_say_whose_place_they_take():
    tried, left_out = affordable_ladder(10_000, 3)
    gone = {one.name: one for one in left_out}
    assert list(gone) == ["SVM pairwise", "SVM orthogonal", "random forest"]
    assert gone["random forest"].reason == (
        "10000 rows, 10000 or more: extra trees, tried in its place, err as little in less time"
    )
    assert ",".join(gone["random forest"].ask_for).endswith(
        "1-NN,k-NN,random forest,boosted trees,extra trees"
    )
    assert list(tried)[-2:] == ["boosted trees", "extra trees"]
    assert list(affordable_ladder(9_999, 3)[0])[-2:] == ["random forest", "boosted trees"]
    assert "extra trees" not in ladder()
    assert list(choose(["extra trees", "random forest"])) == ["extra trees", "random forest"]


def test_trees_of_very_large_tables_have_a_bounded_size():
    for rows, leaves in ((125_000, None), (125_001, 10_000)):
        tried, _ = affordable_ladder(rows, 3)
        assert tried["extra trees"][-1].max_leaf_nodes == leaves


def test_neighbours_are_asked_of_a_part_of_very_large_tables():
    tried, left_out = affordable_ladder(20_001, 3)
    assert left_out[0].name == "1-NN"
    assert left_out[0].reason.endswith("; k-NN keeps 20000 rows, drawn at random")
    assert "1-NN" not in tried
    assert tried["k-NN"][-1].at_most == 20_000
    assert affordable_ladder(20_000, 3)[0]["k-NN"][-1].at_most is None


def test_wide_tables_get_boosted_trees_with_few_bins():
    wide, narrow = (
        affordable_ladder(2_000, 3, columns=columns)[0]["boosted trees"][-1]
        for columns in (500, 499)
    )
    assert (wide.max_bins, wide.early_stopping) == (31, True)
    assert (narrow.max_bins, narrow.early_stopping) == (255, "auto")
    assert list(affordable_ladder(2_000, 3, columns=5_000)[0]) == list(
        affordable_ladder(2_000, 3)[0]
    )


def test_boosting_does_not_diverge_where_a_class_is_rare():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (12_000, 6))
    y = np.where(X[:, 0] == 0, 0, 1 + X[:, 1:4].sum(axis=1) // 3)
    y[rng.choice(12_000, 3, replace=False)] = 9
    tried, _ = affordable_ladder(len(X), 6)
    model = tried["boosted trees"].set_params(histgradientboostingclassifier__random_state=0)
    assert (model.fit(X[:9000], y[:9000]).predict(X[9000:]) != y[9000:]).mean() < 0.01


def test_with_two_classes_one_machine_is_enough():
    tried, left_out = affordable_ladder(100, 2)
    assert [(one.name, one.ask_for) for one in left_out] == [("SVM orthogonal", ())]
    assert "SVM pairwise" in tried


def test_all_are_tried_on_a_small_table():
    tried, left_out = affordable_ladder(178, 3)
    assert list(tried) == list(ladder())
    assert left_out == ()


def test_who_gives_text_to_learners_of_numbers_is_told_of_for_tables():
    X, y = messy()[["colour"]].fillna("A0000"), np.arange(60) % 3
    words = (
        r"could not convert .*'\. The table has text, .* polychotomy\.for_tables\(learner\) makes"
    )
    with pytest.raises(LearnerError, match=words):
        judge({"NB": GaussianNB()}, X, y, anatomy=False)
    assert judge({"NB": for_tables(GaussianNB())}, X, y, anatomy=False).best == "NB"


@pytest.mark.parametrize("of", [np.asarray, pd.DataFrame])
def test_who_gives_gaps_to_learners_of_numbers_is_told_of_for_tables(of):
    X, y = np.arange(120.0).reshape(60, 2), np.arange(60) % 3
    X[3, 1] = np.nan
    with pytest.raises(LearnerError, match=r"(?s)contains NaN.* The table has gaps, .*for_tables"):
        judge({"NB": GaussianNB()}, of(X), y, anatomy=False)
    assert judge({"NB": for_tables(GaussianNB())}, of(X), y, anatomy=False).best == "NB"
