"""Tables and figures on the probabilities, computed again from the ledger.

Computed from the exported predictions, the bootstrap and training-size fits and the recorded
clocks, by numpy, scipy and scikit-learn alone.
"""

import numpy as np
import pytest
from page_reading import K, N, value
from page_recount import wilson
from page_recount_trust import FLOOR, cross_fitted
from scipy import optimize, stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import mutual_info_score


def trace_of(p, y):
    """M24 §4 in a plain loop: steps from 0 at 1/k outwards, and what came true on the way."""
    hits = (np.arange(p.shape[1]) == y[:, None]).ravel()
    order = np.argsort(p.ravel(), kind="stable")
    values, hits = p.ravel()[order], hits[order]
    start = int((values < 1 / p.shape[1]).sum())
    up = np.cumsum(np.where(hits[start:], 1 / np.maximum(values[start:], 1e-300), 0))
    down = np.cumsum(np.where(hits[:start], 0, 1 / (1 - values[:start]))[::-1])
    trace = np.concatenate([-down[::-1], [0], up])
    return np.arange(trace.size) - start, trace


def smooth_error(f, happened):
    """smECE by the integral itself: a reflected Gaussian on a grid, and the width it equals."""
    grid = (np.arange(1000) + 0.5) / 1000

    def error(width):
        kernel = sum(
            stats.norm.pdf(grid[:, None], mirror, width)
            for shift in (-2, 0, 2)
            for mirror in (f + shift, -f + shift)
        )
        return np.abs(kernel @ (happened - f) / f.size).mean()

    return optimize.brentq(lambda width: error(width) - width, 0.005, 0.5, xtol=1e-4)


def isotonic(f, happened):
    return IsotonicRegression().fit(f, happened).predict(f)


def test_scores_of_the_probabilities(page, forecasts):
    p, y, *_ = forecasts
    steps, trace = trace_of(p, y)
    true = (np.arange(K) == y[:, None]).astype(float)
    mended = np.column_stack([isotonic(p[:, c], true[:, c]) for c in range(K)])
    brier = ((p - true) ** 2).sum(axis=1).mean()
    entropy = stats.entropy(np.bincount(y) / y.size)
    expected = {
        "slope of the trace": np.polyfit(steps, trace, 1)[0],
        "mean probability of the predicted class": p.max(axis=1).mean(),
        "accuracy": (p.argmax(axis=1) == y).mean(),
        "log loss": -np.log(p[np.arange(y.size), y]).mean(),
        "Brier score": brier,
        "of it, calibration": brier - ((mended - true) ** 2).sum(axis=1).mean(),
        "smooth calibration error": smooth_error(p.max(axis=1), p.argmax(axis=1) == y),
        "uncertainty coefficient": mutual_info_score(y, p.argmax(axis=1)) / entropy,
    }
    shown = {row["score"][0]: row["value"] for row in page.table("Out-of-fold scores")}
    assert shown.keys() == expected.keys()
    for name, cell in shown.items():
        assert value(cell) == pytest.approx(expected[name], rel=2e-3, abs=3e-4), name


def test_what_recalibration_would_gain(page, forecasts):
    p, y, cases, repetitions, folds = forecasts

    def case_losses(q):
        losses = -np.log(np.maximum(q[np.arange(y.size), y], FLOOR))
        return np.bincount(cases, losses) / np.bincount(cases)

    rows = page.table("Cross-fitted")
    assert [row["method"][0] for row in rows] == ["temperature", "sigmoid", "isotonic"]
    for row in rows:
        mended = cross_fitted(row["method"][0], p, y, repetitions, folds)
        before, after = case_losses(p), case_losses(mended)
        gain = before - after
        reach = stats.t.isf(0.05 / 6, N - 1) * stats.sem(gain)
        guarded = max(reach, np.log(3 / 0.05) / N)
        t_test = stats.ttest_1samp(gain, 0).pvalue
        pvalue = min(3 * max(t_test, min(np.exp(-gain.sum()), 1.0)), 1)
        expected = [before.mean(), after.mean(), gain.mean(), gain.mean() - guarded,
                    gain.mean() + reach]  # fmt: skip
        shown = [value(row[c]) for c in ("log loss now", "after", "gain", "from", "to")]
        np.testing.assert_allclose(shown, expected, rtol=0.01, atol=2e-3)
        assert value(row["p-value"]) == pytest.approx(pvalue, rel=0.1, abs=0.01)


def test_the_trace_drawn_and_its_band(page, forecasts):
    p, y, cases, *_ = forecasts
    shown = page.csv["trace"]
    own = shown[shown["line"] == "as predicted"].astype({"step": float})
    steps, trace = trace_of(p, y)
    at = np.searchsorted(steps, own["step"])
    np.testing.assert_allclose(
        own["trace_minus_step"].astype(float), (trace - steps)[at], rtol=1e-3, atol=0.02
    )
    low, high = (own[end].astype(float).to_numpy() for end in ("low", "high"))
    rng, inside = np.random.default_rng(1), []
    for _ in range(400):  # a case's rows share the number that draws their class
        u = rng.random(N)[cases]
        drawn = (u[:, None] > p.cumsum(axis=1)).sum(axis=1).clip(max=K - 1)
        again, values = trace_of(p, drawn)
        off = (values - again)[at]
        inside.append(((off >= low - 0.02) & (off <= high + 0.02)).all())
    assert np.mean(inside) == pytest.approx(0.95, abs=0.04)  # all along


def test_reliability_by_counting(page, forecasts):
    p, y, *_ = forecasts
    shown = page.csv["reliability"]
    own = shown[shown["line"] == "as predicted"].astype(
        dict.fromkeys(("forecast", "observed", "lower", "upper", "counts"), float)
    )
    sure, right = p.max(axis=1), p.argmax(axis=1) == y
    assert own["counts"].sum() == pytest.approx(N)  # cases, not rows
    order = np.argsort(sure, kind="stable")
    start = 0
    for row in own.itertuples():
        group = order[start : start + round(row.counts * 5)]  # five repetitions a case
        start += len(group)
        assert row.forecast == pytest.approx(sure[group].mean(), abs=1e-4)
        assert row.observed == pytest.approx(right[group].mean(), abs=1e-4)
        expected = wilson(right[group].mean(), row.counts)
        assert (row.lower, row.upper) == pytest.approx(expected, abs=1e-3)
