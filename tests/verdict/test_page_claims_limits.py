"""Tables and figures on what limits it, computed again from the ledger.

Computed from the exported predictions, the bootstrap and training-size fits and the recorded
clocks, by numpy, scipy and scikit-learn alone.
"""

import re

import numpy as np
import pytest
from page_reading import NAMES, K, N, number, value
from page_recount import wilson
from page_recount_answers import parts_of
from scipy import stats


def share_interval(values):
    """Wilson's interval of a mean of shares: for as many cases as its variance is worth."""
    mean, n = values.mean(), len(values)
    worth = n * mean * (1 - mean) / values.var(ddof=1)
    return wilson(mean, max(n, worth))


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
            assert value(row[column]) == pytest.approx(parts[:, j].mean(), abs=1e-6), column
            mean, low, high = (number(x) for x in re.findall(r"[−\d.]+", row[column][0]))
            reach = stats.norm.interval(0.95, parts[:, j].mean(), stats.sem(parts[:, j]))
            ends = reach if column.startswith("taken off") else share_interval(parts[:, j])
            expected = [100 * x for x in (parts[:, j].mean(), *ends)]
            assert [mean, low, high] == pytest.approx(expected, abs=0.0501), column
        assert value(row["Cover–Hart limit"]) == pytest.approx(bound, abs=1e-6)
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
        np.testing.assert_allclose(shown.astype(float), parts.mean(axis=0), rtol=1e-4, atol=1e-6)


def test_learning_curve_and_its_forecast(page, forecast):
    shown = page.csv["learning-curve"].astype(
        dict.fromkeys(("training_cases", "error", "low", "high"), float)
    )
    columns = ["training_cases", "error", "low", "high"]
    reach = 2 * forecast.standard_errors
    measured = [forecast.sizes, forecast.errors, forecast.errors - reach, forecast.errors + reach]
    own = shown[shown["kind"] == "measured"]
    np.testing.assert_allclose(own[columns], np.transpose(measured), rtol=1e-4)
    later = shown[shown["kind"] == "forecast"].set_index("training_cases")
    assert later.index.tolist() == [2 * N, 10 * N]
    for factor in (2, 10):
        _, (low, middle, high) = forecast.at(factor)
        row = later.loc[factor * N, ["low", "error", "high"]].astype(float)
        np.testing.assert_allclose(row, [low, middle, high], rtol=1e-5)


def test_the_forecast_by_simulation(read, forecast):
    """The grid of curves is fine enough: so many drawn at random say the same.

    To two tenths of a point, the simulation's error and the grid's together.
    """
    sizes, losses = read[3]
    rng, size = np.random.default_rng(3), 60_000
    share, power = rng.random(size), 0.7 * np.exp(0.7 * rng.standard_normal(size))
    inside = (power > 0.095) & (power < 2.6)  # the grid's ends, half a step on
    share, power = share[inside], power[inside]
    errors, counted = losses.mean(axis=1), 2 / N
    alone = (0.1 * np.maximum(errors - errors[-1], 0)) ** 2 + (counted / 2) ** 2
    noise = 2.25 * np.cov(losses) / N + counted**2
    noise += np.diag(alone + (0.01 * max(errors.mean(), counted)) ** 2)
    mean = 1 / np.diag(noise) / (1 / np.diag(noise)).sum()
    shape = share + (1 - share) * (sizes[:, None] / N) ** -power
    centre = mean @ errors / (mean @ shape)
    off = np.diff(errors[:, None] - centre * shape, axis=0)
    differences = np.diff(np.eye(4), axis=0)
    weights = stats.multivariate_normal(cov=differences @ noise @ differences.T).pdf(off.T)
    now = centre + np.sqrt(mean @ noise @ mean) / (mean @ shape) * rng.standard_normal(centre.size)
    weights *= now > 0
    stray = np.exp(0.7 * rng.standard_normal(centre.size))
    for factor, tolerance in ((2, 0.002), (10, 0.004)):
        fall = np.minimum(now * (1 - share) * (1 - float(factor) ** -power) * stray, now)
        drawn = np.quantile(fall, [0.1, 0.5, 0.9], weights=weights, method="inverted_cdf")
        np.testing.assert_allclose(drawn, forecast.at(factor)[0], atol=tolerance)


def test_bagging_weighed_with_what_it_did_elsewhere(page, bagging):
    shown = page.csv["bagging"].iloc[0]
    expected = {"estimate": bagging.estimate, "standard_error": bagging.error,
                "expected": bagging.expected, "low": bagging.low, "high": bagging.high,
                "cross_validated_error": bagging.single, "bagged_error": bagging.bagged,
                "gain": 0.005, "confidence": 0.9, "n_compared": N}  # fmt: skip
    assert shown["answer"] == bagging.answer
    for name, one in expected.items():
        assert float(shown[name]) == pytest.approx(one, rel=1e-4, abs=1e-6), name
