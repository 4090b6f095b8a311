"""For whom it errs: shares by pandas, tests by SciPy, and what is shown where nothing is."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, fisher_exact
from sklearn.linear_model import LogisticRegression

from polychotomy import judge
from polychotomy.core.exceptions import InvalidInput
from polychotomy.verdict import errors_by_group


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
