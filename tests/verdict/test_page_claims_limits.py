"""Tables and figures on what limits it, computed again from the ledger.

Computed from the exported predictions, the bootstrap and training-size fits and the recorded
clocks, by numpy, scipy and scikit-learn alone.
"""

import re

import numpy as np
import pytest
from page_reading import NAMES, K, N, number, value
from scipy import optimize


def parts_of(predictions, in_bag, y):
    """Per-case parts of the error budget, by counting votes out of bag (T96 eqs. 24–30)."""
    rows = []
    for i in range(N):
        out = predictions[in_bag[:, i] == 0, i].astype(float)
        votes = np.isclose(out, out.max(axis=1, keepdims=True), atol=1e-6)
        votes = votes / votes.sum(axis=1, keepdims=True)
        mean = out.mean(axis=0)
        bagged = np.isclose(mean, mean.max(), atol=1e-6) / np.isclose(mean, mean.max()).sum()
        error, averaged = 1 - votes[:, y[i]].mean(), 1 - bagged[y[i]]
        rows.append([error, averaged, error - averaged, (out.max(axis=1) - out @ bagged).mean()])
    return np.array(rows)


def test_error_budgets_by_counting_votes(read, page, folds):
    _, _, bags, _, _, y = read
    rows = page.table("Fits to bootstrap samples")
    assert [row["candidate"][0] for row in rows] == list(bags)
    assert len(rows) > 1
    drawn = page.csv["error-budget"].set_index("candidate")
    neighbour = folds[NAMES.index("1-NN")].mean()
    bound = (K - 1) / K * (1 - np.sqrt(1 - K / (K - 1) * neighbour))  # Cover and Hart
    columns = ("error, %", "averaged, %", "taken off, points", "variance, %")
    for row in rows:
        name = row["candidate"][0]
        parts = parts_of(*bags[name], y)
        assert int(row["fits"][0]) == len(bags[name][0])
        for j, column in enumerate(columns):
            assert value(row[column]) == pytest.approx(parts[:, j].mean(), abs=2e-3), column
            text = row[column][0]
            mean, low, high = (number(x) for x in re.findall(r"[−\d.]+", text))
            assert low <= mean <= high
        half = 1.96 * parts[:, 2].std(ddof=1) / np.sqrt(N)
        taken_off = re.findall(r"[−\d.]+", row["taken off, points"][0])
        assert number(taken_off[2]) - number(taken_off[1]) == pytest.approx(200 * half, abs=0.3)
        assert value(row["Cover–Hart limit"]) == pytest.approx(bound, abs=1e-3)
        holds = 0 < bound <= parts[:, 1].mean()
        shown_bias = row["bias at most"][0]
        if holds:
            digits = len(shown_bias.removesuffix(" %").partition(".")[2])
            bias = 100 * (parts[:, 1].mean() - bound)
            assert digits == (2 if bias < 0.1 else 1)
            assert number(shown_bias.removesuffix(" %")) == pytest.approx(
                bias, abs=0.6 / 10**digits
            )
        else:
            assert shown_bias == "–"
        shown = drawn.loc[name, ["error", "aggregated_error", "aggregation_effect", "variance"]]
        np.testing.assert_allclose(shown.astype(float), parts.mean(axis=0), atol=2e-3)


def test_learning_curve_and_its_forecast(read, page):
    sizes, losses = read[3]
    shown = page.csv["learning-curve"].astype(
        dict.fromkeys(("training_cases", "error", "low", "high"), float)
    )
    measured = shown[shown["kind"] == "measured"]
    np.testing.assert_allclose(measured["training_cases"], sizes)
    np.testing.assert_allclose(measured["error"], losses.mean(axis=1), rtol=1e-4)
    forecast = shown[shown["kind"] == "forecast"]
    assert forecast["training_cases"].tolist() == [2 * N, 10 * N]
    assert ((forecast["low"] <= forecast["error"]) & (forecast["error"] <= forecast["high"])).all()

    def misfit(parameters):
        floor, height, power = np.exp(parameters)
        return floor + height * (sizes / sizes[0]) ** -power - losses.mean(axis=1)

    fitted = optimize.least_squares(misfit, np.log([0.05, 0.1, 0.5])).x
    floor, height, power = np.exp(fitted)
    for row in forecast.itertuples():  # a plain least-squares curve runs through the intervals
        plain = floor + height * (row.training_cases / sizes[0]) ** -power
        assert row.low - 0.01 <= plain <= row.high + 0.01


def test_bagging_by_counting_votes(read, page, best):
    _, table, bags, _, _, y = read
    single = (
        table[table["candidate"] == NAMES[best]]
        .assign(wrong=lambda t: t["truth"] != t["predicted"])
        .groupby("sample")["wrong"].mean().mean()
    )  # fmt: skip
    bagged = parts_of(*bags[NAMES[best]], y)[:, 1].mean()
    shown = page.csv["bagging"].iloc[0]
    assert float(shown["estimate"]) == pytest.approx(single - bagged, abs=2e-3)
