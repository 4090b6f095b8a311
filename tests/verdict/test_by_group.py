"""For whom it errs: shares by pandas, tests by SciPy, and what is shown where nothing is."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, fisher_exact
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import zero_one_loss

from polychotomy import judge
from polychotomy.core.exceptions import InvalidInput
from polychotomy.verdict import errors_by_group, find_weak_slice


def drawn(seed, n=400, gap=0.0):
    rng = np.random.default_rng(seed)
    groups = rng.choice(["a", "b", "c"], size=n, p=[0.5, 0.3, 0.2])
    return (rng.random(n) < 0.2 + gap * (groups == "c")).astype(float), groups


def test_shares_and_tests_are_pandas_and_scipys():
    wrong, groups = drawn(0, gap=0.15)
    found = errors_by_group(wrong, groups)
    shares = pd.Series(wrong).groupby(groups).mean()
    assert found.names == ("a", "b", "c")
    assert found.errors == pytest.approx(shares.loc[["a", "b", "c"]].to_numpy())
    alone = []
    for name in found.names:
        table = pd.crosstab(groups == name, wrong)
        alone.append(fisher_exact(table).pvalue)
    order = np.argsort(alone)
    stepped = np.maximum.accumulate(np.array(alone)[order] * [3, 2, 1])
    assert found.pvalues[order] == pytest.approx(np.minimum(stepped, 1))
    assert (found.pvalues >= false_discovery_control(alone) - 1e-12).all()  # Holm is stricter
    assert ((found.low < found.errors) & (found.errors < found.high)).all()
    assert found.overall == wrong.mean()


def test_seldom_is_something_shown_where_nothing_is_and_often_where_it_is():
    null = np.mean([errors_by_group(*drawn(seed)).shown.any() for seed in range(300)])
    real = np.mean([errors_by_group(*drawn(seed, gap=0.2)).shown.any() for seed in range(50)])
    assert null <= 0.07
    assert real >= 0.8


def test_numbers_are_cut_and_rare_values_joined():
    wrong = np.zeros(200)
    numbers = errors_by_group(wrong, np.arange(200.0))
    assert numbers.rows.tolist() == [50] * 4
    texts = errors_by_group(wrong, [f"t{min(i, 30)}" for i in range(200)])
    assert len(texts.names) == 13
    assert "all others" in texts.names
    few = errors_by_group(wrong, np.arange(200) % 3)
    assert few.names == ("0", "1", "2")
    assert "no more and no less in any of 3 groups" in str(few)
    assert len(few.to_frame()) == 3
    few.plot()


def test_rows_without_value_or_prediction():
    wrong = np.array([1.0, 0.0, np.nan, 0.0, 1.0])
    found = errors_by_group(wrong, ["x", "x", "never judged", None, None])
    assert found.names == ("x", "missing")
    assert found.rows.tolist() == [2, 2]
    with pytest.raises(InvalidInput, match="one value"):
        errors_by_group(wrong, ["x"] * 5)
    with pytest.raises(InvalidInput, match="has 3 values; expected 5"):
        errors_by_group(wrong, ["x", "y", "z"])


def test_a_verdict_says_for_whom_it_errs():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 3)), columns=list("abc"))
    X["place"] = np.where(np.arange(300) % 3 == 0, "far", "near")
    y = (X["a"] + X["b"] > 0).astype(int)
    y[X["place"] == "far"] = rng.integers(2, size=100)
    verdict = judge({"logistic": LogisticRegression()}, X[["a", "b", "c"]], y, anatomy=False)
    found = verdict.errors_by(X["place"])
    assert found.column == "place"
    assert dict(zip(found.names, found.shown, strict=True)) == {"near": True, "far": True}
    assert found.overall == pytest.approx(verdict.candidate("logistic").error)
    assert verdict.to_dict()["groups"] == []
    rows = replace(verdict, by=found).to_dict()["groups"]
    assert [row["value"] for row in rows] == ["near", "far"]
    for row, error, low, high in zip(rows, found.errors, found.low, found.high, strict=True):
        assert (row["by"], row["name"]) == ("place", "logistic")
        assert (row["error"], row["low"], row["high"]) == (error, low, high)
    assert verdict.weak is None  # the columns a, b and c do not tell where
    again = judge(
        {"logistic": LogisticRegression()},
        X.drop(columns="place").assign(far=X["place"] == "far"),
        y,
        anatomy=False,
    )
    assert again.weak.conditions == ("far = True",)
    assert str(again.weak) in [one.text for one in again.sentences()]
    assert again.to_dict()["weak"]["rows"] == 100


def test_clusters_and_weights_count_in_groups():
    """Documents of five cases, whose error is drawn for each: cases alone show too much."""
    shown = np.zeros(2)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        documents = np.repeat(np.arange(60), 5)
        wrong = (rng.random(300) < rng.beta(0.5, 1.5, 60)[documents]).astype(float)
        language = rng.choice(["de", "fr", "en"], 60)[documents]
        found = errors_by_group(wrong, language, groups=documents)
        shown += errors_by_group(wrong, language).shown.any(), found.shown.any()
    assert shown[0] / 200 > 0.15
    assert shown[1] / 200 <= 0.08
    assert not found.exact
    assert (found.high - found.low > 0.1).all()
    twice = errors_by_group(wrong, language, weights=np.where(wrong > 0, 2.0, 1.0))
    assert twice.overall == pytest.approx(2 * wrong.sum() / (300 + wrong.sum()))
    alone = errors_by_group([0, 1, 0, 1], list("aabb"), groups=[0, 0, 1, 1])
    assert alone.pvalues.tolist() == [1, 1]  # one cluster on either side tells nothing


def sliced(seed, *, base, gap, n=1000, grouped=False):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd")).assign(
        e=rng.choice(list("xyz"), n)
    )
    there = X["a"] > 1.28
    if grouped:
        share = rng.beta(1, 3, n // 5).repeat(5)
        X["e"] = rng.choice(list("xyz"), n // 5).repeat(5)
        return rng.random(n) < share, X, np.arange(n) // 5
    return rng.random(n) < base + gap * there, X, None


@pytest.mark.long
@pytest.mark.parametrize("grouped", [False, True])
def test_seldom_is_a_slice_named_where_there_is_none(grouped):
    drawn = (sliced(seed, base=0.2, gap=0.0, grouped=grouped) for seed in range(150))
    named = [find_weak_slice(wrong, X, groups=g) is not None for wrong, X, g in drawn]
    assert np.mean(named) <= 0.09  # 5 % and two standard errors


def test_a_planted_slice_is_named():
    found = [find_weak_slice(*sliced(seed, base=0.02, gap=0.1)[:2]) for seed in range(20)]
    named = [one for one in found if one and any("a >" in word for word in one.conditions)]
    assert len(named) >= 14
    assert all(one.error > one.elsewhere and one.pvalue <= 0.05 for one in named)


def test_what_cannot_be_sliced():
    wrong, X, _ = sliced(0, base=0.3, gap=0.4)
    assert find_weak_slice(np.zeros(1000), X) is None
    assert find_weak_slice(np.full(1000, np.nan), X) is None
    assert find_weak_slice(wrong, X[[]]) is None
    assert find_weak_slice(wrong[:15], X[:15]) is None
    gaps = X.assign(a=X["a"].where(X["a"] < 1.28))
    assert find_weak_slice(wrong, gaps).conditions == ("a is missing",)
    assert find_weak_slice(wrong, X[["a"]].to_numpy()).conditions[0].startswith("x0 >")


def test_errors_in_groups_are_those_of_fairlearn():
    metrics = pytest.importorskip("fairlearn.metrics", reason="fairlearn is not installed")
    wrong, groups = drawn(0, gap=0.15)
    y = np.zeros(len(wrong))
    told = metrics.MetricFrame(
        metrics=zero_one_loss, y_true=y, y_pred=wrong, sensitive_features=groups
    )
    found = errors_by_group(wrong, groups)
    assert found.errors == pytest.approx(told.by_group.loc[list(found.names)].to_numpy(), abs=1e-12)
    assert found.overall == pytest.approx(told.overall, abs=1e-12)
