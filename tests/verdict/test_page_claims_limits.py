"""Tables and figures on what limits it, of every page that has them, computed again.

Computed from the exported predictions, the bootstrap and training-size fits and the recorded
clocks, by numpy, scipy and scikit-learn alone.
"""

import re

import numpy as np
import pytest
from page_kinds import KINDS
from page_reading import number, value
from page_recount import wilson
from page_recount_answers import parts_of
from scipy import stats

LIMITED = ["error", "log-loss", "auc", "cost", "perfect", "groups"]
PARTS = ["error", "averaged", "taken off", "variance"]


@pytest.fixture(params=LIMITED)
def world(request, worlds):
    return worlds[request.param]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in LIMITED])
def test_where_it_was_not_asked_nothing_is_shown(worlds, kind):
    page = worlds[kind].page
    assert worlds[kind].bags is None
    assert not page.csv.keys() & {"learning-curve", "error-budget", "bagging"}
    assert not any(caption.startswith("Fits to bootstrap") for caption in page.tables)
    assert "not asked" in page.words["answer"]


def interval_of(values, part):
    """Of a mean of shares Wilson's, for as many cases as its variance is worth; else the normal."""
    mean, n, variance = values.mean(), len(values), values.var(ddof=1)
    if part == "taken off":
        return stats.norm.interval(0.95, mean, np.sqrt(variance / n)) if variance else (mean, mean)
    worth = n * mean * (1 - mean) / variance if variance else n
    return wilson(mean, max(n, worth))


def bound_of(world):
    """Cover and Hart's limit, where 1-NN was tried; else 0."""
    if "1-NN" not in world.r.names:
        return 0.0
    k, wrong = world.r.k, world.r.in_folds(world.r.wrong)[world.r.names.index("1-NN")].mean()
    return (k - 1) / k * (1 - np.sqrt(1 - k / (k - 1) * wrong))


def test_error_budgets_by_counting_votes(world):
    rows = world.page.table("Fits to bootstrap samples")
    assert [row["candidate"][0] for row in rows] == list(world.bags)
    drawn = world.page.csv["error-budget"].set_index("candidate")
    assert list(drawn.index) == list(world.bags)
    heads = ("error, %", "averaged, %", "taken off, points", "variance, %")
    bound = bound_of(world)
    for row in rows:
        name = row["candidate"][0]
        parts = parts_of(*world.bags[name], world.r.y)
        assert int(row["fits"][0]) == len(world.bags[name][0])
        ends = [interval_of(values, part) for values, part in zip(parts.T, PARTS, strict=True)]
        for values, reach, head in zip(parts.T, ends, heads, strict=True):
            assert value(row[head]) == pytest.approx(values.mean(), abs=1e-6), head
            shown = [number(x) for x in re.findall(r"[−\d.]+", row[head][0])]
            expected = [100 * x for x in (values.mean(), *reach)]
            assert shown == pytest.approx(expected, abs=0.0501), head
        holds = 0 < bound <= parts[:, 1].mean()
        check_bound(row, bound, holds, parts[:, 1].mean())
        columns = ["error", "low", "high", "aggregated_error", "aggregation_effect", "variance",
                   "bayes_bound"]  # fmt: skip
        expected = [parts[:, 0].mean(), *ends[0], *parts[:, 1:].mean(axis=0), bound]
        shown = drawn.loc[name, columns].astype(float)
        np.testing.assert_allclose(shown, expected, rtol=1e-5, atol=1e-6)
        assert drawn.loc[name, "bayes_bound_holds"] == str(holds)


def check_bound(row, bound, holds, averaged):
    """Cover and Hart's limit, and the bias that it leaves, where it holds."""
    assert value(row["Cover–Hart limit"]) == pytest.approx(bound, abs=1e-6)
    words = row["Cover–Hart limit"][0]
    assert (words == "not given") == (bound == 0)
    assert words.endswith("(does not hold)") == (not holds and bound > 0)
    shown = row["bias at most"][0]
    if not holds:
        assert shown == "–"
        return
    digits, bias = len(shown.removesuffix(" %").partition(".")[2]), 100 * (averaged - bound)
    assert digits == (2 if bias < 0.1 else 1)
    assert number(shown.removesuffix(" %")) == pytest.approx(bias, abs=0.6 / 10**digits)


def test_learning_curve_and_its_forecast(world):
    forecast, n = world.forecast, world.r.n
    columns = ["training_cases", "error", "low", "high"]
    shown = world.page.csv["learning-curve"].astype(dict.fromkeys(columns, float))
    reach = 2 * forecast.standard_errors
    measured = [forecast.sizes, forecast.errors, forecast.errors - reach, forecast.errors + reach]
    own = shown[shown["kind"] == "measured"]
    np.testing.assert_allclose(own[columns], np.transpose(measured), rtol=1e-5, atol=1e-8)
    later = shown[shown["kind"] == "forecast"].set_index("training_cases")
    assert later.index.tolist() == [2 * n, 10 * n]
    for factor in (2, 10):
        _, (low, middle, high) = forecast.at(factor)
        row = later.loc[factor * n, ["low", "error", "high"]].astype(float)
        np.testing.assert_allclose(row, [low, middle, high], rtol=1e-5, atol=1e-8)


def test_the_forecast_by_simulation(world):
    """The grid of curves is fine enough: so many drawn at random say the same.

    To two tenths of a point, the simulation's error and the grid's together.
    """
    (sizes, losses), n, forecast = world.sizes, world.r.n, world.forecast
    rng, size = np.random.default_rng(3), 60_000
    share, power = rng.random(size), 0.5 * np.exp(0.7 * rng.standard_normal(size))
    inside = (power > 0.095) & (power < 2.6)  # the grid's ends, half a step on
    share, power = share[inside], power[inside]
    errors, counted = losses.mean(axis=1), 2 / n
    alone = (0.2 * np.maximum(errors - errors[-1], 0)) ** 2 + (counted / 2) ** 2
    noise = 2.25 * np.cov(losses) / n + counted**2
    noise += np.diag(alone + (0.01 * max(errors.mean(), counted)) ** 2)
    mean = 1 / np.diag(noise) / (1 / np.diag(noise)).sum()
    shape = share + (1 - share) * (sizes[:, None] / n) ** -power
    centre = mean @ errors / (mean @ shape)
    off = np.diff(errors[:, None] - centre * shape, axis=0)
    differences = np.diff(np.eye(4), axis=0)
    weights = stats.multivariate_normal(cov=differences @ noise @ differences.T).pdf(off.T)
    now = centre + np.sqrt(mean @ noise @ mean) / (mean @ shape) * rng.standard_normal(centre.size)
    weights *= now > 0
    stray = np.exp(0.45 * rng.standard_normal(centre.size))
    for factor, tolerance in ((2, 0.002), (10, 0.004)):
        fall = np.minimum(now * (1 - share) * (1 - float(factor) ** -power) * stray, now)
        drawn = np.quantile(fall, [0.1, 0.5, 0.9], weights=weights, method="inverted_cdf")
        drawn[1] = np.average(fall, weights=weights)
        np.testing.assert_allclose(drawn, forecast.at(factor)[0], atol=tolerance)


def test_bagging_weighed_with_what_it_did_elsewhere(world):
    bagging, (shown,) = world.bagging, world.page.csv["bagging"].to_dict("records")
    expected = {"estimate": bagging.estimate, "standard_error": bagging.error,
                "expected": bagging.expected, "low": bagging.low, "high": bagging.high,
                "cross_validated_error": bagging.single, "bagged_error": bagging.bagged,
                "gain": 0.005, "confidence": 0.9, "n_compared": world.r.n}  # fmt: skip
    assert shown["answer"] == bagging.answer
    for name, one in expected.items():
        assert float(shown[name]) == pytest.approx(one, rel=1e-4, abs=1e-6), name
