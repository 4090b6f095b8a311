"""Tables and figures on the choice, on combining and on errors, computed again from the ledger.

Computed from the exported predictions, the bootstrap and training-size fits and the recorded
clocks, by numpy, scipy and scikit-learn alone.
"""

from itertools import combinations

import numpy as np
import pytest
from page_reading import FOLDS, MARGIN, NAMES, K, N, number, value
from scipy import stats
from sklearn.metrics import confusion_matrix, roc_auc_score


def test_candidates_with_place_and_who_overrides_them(page, folds, best):
    means = folds.mean(axis=1)
    beaten = [[j for j in range(i + 1, 4) if means[i] >= means[j] + MARGIN] for i in range(4)]
    left, order = set(range(4)), []
    while left:
        order.append(min(i for i in left if not left & set(beaten[i])))
        left.remove(order[-1])
    assert order[0] == best
    for i, row in enumerate(page.table("Candidates in order of preference")):
        assert row["candidate"][0] == NAMES[i]
        assert int(row["place"][0]) == order.index(i) + 1
        assert value(row["mean error"]) == pytest.approx(means[i], rel=1e-6)
        assert number(row["mean error"][0]) == pytest.approx(100 * means[i], abs=0.051)
        assert value(row["sd over folds"]) == pytest.approx(folds[i].std(ddof=1), rel=1e-6)
        assert row["overridden by"][0] == (", ".join(NAMES[j] for j in beaten[i]) or "nobody")


def test_chosen_again_by_a_naive_bootstrap(read, page):
    wide = (
        read[1]
        .assign(wrong=read[1]["truth"] != read[1]["predicted"])
        .pivot_table(
            index="sample", columns=["candidate", "repetition"], values="wrong", aggfunc="first"
        )
    )
    loss = np.array([wide[name].to_numpy(dtype=float).mean(axis=1) for name in NAMES])
    rng, chosen = np.random.default_rng(5), np.zeros(4)
    for _ in range(500):
        means = loss[:, rng.integers(N, size=N)].mean(axis=1)
        chosen[next(i for i in range(4) if all(means[i] < m + MARGIN for m in means[i + 1 :]))] += 1
    shown = [value(row["chosen again"]) for row in page.table("Candidates in order of preference")]
    assert sum(shown) == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(shown, chosen / 500, atol=0.1)


def test_every_fold_in_the_first_figure(page, folds):
    shown = page.csv["candidates"]
    for name, errors in zip(NAMES, folds, strict=True):
        own = shown[shown["candidate"] == name]["error"].astype(float)
        np.testing.assert_allclose(np.sort(own), np.sort(errors), rtol=1e-5, atol=1e-9)


def test_pairs_with_intervals_and_answers(page, folds):
    rows = page.table("All pairs")
    assert len(rows) == 6
    for row in rows:
        i, j = NAMES.index(row["first"][0]), NAMES.index(row["second"][0])
        d = folds[i] - folds[j]
        scale = d.std(ddof=1) * np.sqrt(1 / FOLDS + 1 / 4)
        low, high = stats.t.interval(0.95, FOLDS - 1, loc=d.mean(), scale=scale)
        p = 2 * stats.t.sf(abs(d.mean()) / scale, FOLDS - 1)
        shown = [value(row[c]) for c in ("difference, points", "from", "to", "p-value")]
        np.testing.assert_allclose(shown, [d.mean(), low, high, p], rtol=1e-6, atol=1e-9)
        answer = "better" if high < 0 else "worse" if low > 0 else "undecided"
        inside = low > -MARGIN and high < MARGIN
        assert row["first is"][0] == ("equivalent" if inside else answer)
    drawn = page.csv["differences"]
    for row in drawn.itertuples():
        d = folds[NAMES.index(row.candidate)] - folds[NAMES.index(row.minus)]
        assert float(row.difference) == pytest.approx(d.mean(), rel=1e-4, abs=1e-6)


def test_price_is_the_mean_of_the_clocks_and_the_size_recorded(read, page, folds):
    trials, table = read[4], read[1]
    drawn = page.csv["price"].set_index("candidate")
    costs = []
    for i, row in enumerate(page.table("Means a fit")):
        own = trials[(trials["candidate"] == NAMES[i]) & (trials["plan"] == "5x5 folds")]
        fit, predict = own["fit_seconds"].mean(), own["predict_seconds"].mean() / (N / 5)
        size = table[table["candidate"] == NAMES[i]]["model_bytes"].iloc[0]
        columns = ("mean error", "to fit", "to predict a case", "size of the model")
        expected = [folds[i].mean(), fit, predict, size]
        np.testing.assert_allclose([value(row[c]) for c in columns], expected, rtol=1e-6)
        csv_columns = ["error", "fit_seconds", "predict_seconds", "model_bytes"]
        shown = drawn.loc[NAMES[i], csv_columns].to_numpy(dtype=float)
        np.testing.assert_allclose(shown, expected, rtol=1e-5)
        costs.append((folds[i].mean(), fit))
    for i, row in enumerate(page.table("Means a fit")):
        beaten = any(a <= costs[i][0] and b <= costs[i][1] and (a, b) != costs[i] for a, b in costs)
        assert row["efficient"][0] == ("no" if beaten else "yes")


def test_areas_and_the_gain_of_combining(read, page, folds):
    table = read[1]
    rows = {row["ranker"][0]: row for row in page.table("Area under the ROC curve")}
    gain = page.csv["gain"].iloc[0]
    weights = page.csv["weights"].set_index("ranker")
    for name in NAMES:
        own = table[table["candidate"] == name]
        areas = []
        for a, b in combinations("012", 2):
            part = own[own["truth"].isin([a, b])]
            share = part[f"p:{b}"] / (part[f"p:{a}"] + part[f"p:{b}"])
            score = share.fillna(0.5)  # neither class was thought possible
            areas += [
                roc_auc_score(part.loc[s.index, "truth"] == b, s)
                for _, s in score.groupby([part["repetition"], part["fold"]])
            ]
        assert value(rows[name]["AUC"]) == pytest.approx(np.mean(areas), abs=0.01)
        assert float(weights.loc[name, "weight"]) == pytest.approx(
            value(rows[name]["weight"]), rel=1e-4, abs=1e-6
        )
    assert sum(value(rows[name]["weight"]) for name in NAMES) == pytest.approx(1)
    low, high = float(gain["low"]), float(gain["high"])
    error = (high - low) / 2 / stats.norm.ppf(0.975)
    assert (low + high) / 2 == pytest.approx(float(gain["gain"]), abs=1e-6)
    expected = 2 * stats.norm.sf(abs(float(gain["gain"])) / error)
    assert float(gain["pvalue"]) == pytest.approx(expected, rel=0.01)


def test_errors_are_those_of_scikit_learns_confusion_matrix(read, page, best):
    own = read[1][read[1]["candidate"] == NAMES[best]]
    counts = np.mean(
        [confusion_matrix(t["truth"], t["predicted"]) for _, t in own.groupby("repetition")], axis=0
    )
    for row in page.table("The most frequent errors"):
        i, j = int(row["truth"][0]), int(row["taken for"][0])
        assert value(row["cases"]) == pytest.approx(counts[i, j])
        assert value(row["share of the class"]) == pytest.approx(counts[i, j] / counts[i].sum())
    drawn = page.csv["confusion"].set_index("truth").astype(float)
    order = [str(i) for i in range(K)]
    np.testing.assert_allclose(drawn.loc[order, order], counts, rtol=1e-5)


def test_the_headline_and_its_thousand_dots(read, page, folds, best):
    (big,) = page.words["big"]
    shown = page.csv["thousand"].iloc[0].astype(int)
    assert number(big) == pytest.approx(shown["wrong"] / 10, abs=0.051)
    assert shown["low"] <= shown["wrong"] <= shown["high"]
    assert shown["wrong"] / 1000 == pytest.approx(folds[best].mean(), abs=0.02)
    (eyebrow,) = page.words["eyebrow"]
    trials = read[4]
    assert f"{N} rows · 5 columns · 3 classes · 4 candidates · {len(trials)} fits" in eyebrow


def test_nothing_on_the_page_is_left_unchecked(page):
    """A new table or figure needs a test above; add its name here with it."""
    checked = {"Candidates in", "All pairs", "Means a fit", "Out-of-fold", "Cross-fitted",
               "Fits to bootstrap", "Area under", "The most frequent", "Test, numbers"}  # fmt: skip
    assert all(any(caption.startswith(name) for name in checked) for caption in page.tables)
    assert set(page.csv) == {
        "thousand", "candidates", "differences", "price", "trace", "reliability",
        "learning-curve", "error-budget", "bagging", "gain", "weights", "confusion",
    }  # fmt: skip
