"""Tables and figures on the choice, on combining and on errors, computed again from the ledger.

Computed from the exported predictions, the bootstrap and training-size fits and the recorded
clocks, by numpy, scipy and scikit-learn alone.
"""

from itertools import combinations

import numpy as np
import pytest
from page_numbers import said_of
from page_reading import MARGIN, NAMES, K, N, number, printed, value
from page_recount_answers import margin_weights, pair_scores
from scipy import optimize
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
        assert row["overridden by"][0] == said_of([NAMES[j] for j in beaten[i]])


def test_chosen_again_and_the_expected_error_from_the_same_draws(page, recount, selected):
    """The draws are NumPy's, by the documented seed; all that follows from them is done here."""
    rows = page.table("Candidates in order of preference")
    shown = [value(row["chosen again"]) for row in rows]
    np.testing.assert_allclose(shown, selected.shares, atol=1e-9)
    (big,) = page.words["big"]
    assert big == f"{100 * selected.expected:.1f} %"
    (words,) = [one for one in page.sentences() if one.startswith("Expect an error of ")]
    assert printed(words)[1:4] == pytest.approx(
        [95, 100 * selected.low, 100 * selected.high], abs=0.0501
    )
    thousand = page.csv["new-cases"].iloc[0].astype(int)
    expected = [selected.expected, selected.low, selected.high]
    assert thousand[["wrong", "low", "high"]].tolist() == [round(1000 * x) for x in expected]
    assert selected.plain == pytest.approx(recount.losses[recount.best].mean())


def test_the_expected_error_from_other_draws(page, recount):
    """A bootstrap of one's own agrees as far as so many draws can."""
    draws = recount.draws(seed=5)
    mine = recount.selected(draws)
    simulation = mine.optimism.std() * np.sqrt(2 / len(draws[0]))
    shown = page.csv["new-cases"].iloc[0].astype(int) / 1000
    assert shown["wrong"] == pytest.approx(mine.corrected, abs=4 * simulation + 5e-4)
    ends = shown["low"] - shown["wrong"], shown["high"] - shown["wrong"]
    mine_ends = mine.low - mine.corrected, mine.high - mine.corrected
    assert ends == pytest.approx(mine_ends, abs=2e-3)
    rows = page.table("Candidates in order of preference")
    again = np.array([value(row["chosen again"]) for row in rows])
    chance = np.sqrt(mine.shares * (1 - mine.shares) * 2 / len(draws[0]))
    assert (np.abs(again - mine.shares) <= 4 * chance + 0.004).all()


def test_every_fold_in_the_first_figure(page, folds):
    shown = page.csv["candidates"]
    for name, errors in zip(NAMES, folds, strict=True):
        own = shown[shown["candidate"] == name]["error"].astype(float)
        np.testing.assert_allclose(np.sort(own), np.sort(errors), rtol=1e-5, atol=1e-9)


def test_pairs_with_intervals_and_answers(page, folds, recount):
    rows = page.table("All pairs")
    assert len(rows) == 6
    for row in rows:
        i, j = NAMES.index(row["first"][0]), NAMES.index(row["second"][0])
        d, low, high, p = recount.difference(i, j)
        shown = [value(row[c]) for c in ("difference, points", "from", "to", "p-value")]
        np.testing.assert_allclose(shown, [d, low, high, p], rtol=1e-6, atol=1e-9)
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
    for i, row in enumerate(page.table("Means over fits")):
        own = trials[(trials["candidate"] == NAMES[i]) & (trials["plan"] == "5x5 folds")]
        fit, predict = own["fit_seconds"].mean(), own["predict_seconds"].mean() / (N / 5)
        size = table[table["candidate"] == NAMES[i]]["model_bytes"].iloc[0]
        columns = ("mean error", "to fit", "to predict one case", "size of the model")
        expected = [folds[i].mean(), fit, predict, size]
        np.testing.assert_allclose([value(row[c]) for c in columns], expected, rtol=1e-6)
        csv_columns = ["error", "fit_seconds", "predict_seconds", "model_bytes"]
        shown = drawn.loc[NAMES[i], csv_columns].to_numpy(dtype=float)
        np.testing.assert_allclose(shown, expected, rtol=1e-5)
        costs.append((folds[i].mean(), fit))
    for i, row in enumerate(page.table("Means over fits")):
        beaten = any(a <= costs[i][0] and b <= costs[i][1] and (a, b) != costs[i] for a, b in costs)
        assert row["efficient"][0] == ("no" if beaten else "yes")


def test_weights_areas_and_the_gain_of_combining(page, recount, combining):
    rows = {row["ranker"][0]: row for row in page.table("Area under the ROC curve")}
    drawn = page.csv["weights"].set_index("ranker").astype(float)
    for name, weight, area in zip(NAMES, combining.weights, combining.aucs, strict=True):
        assert value(rows[name]["weight"]) == pytest.approx(weight, abs=1e-6)
        assert rows[name]["weight"][0] == f"{weight:.2f}"
        assert value(rows[name]["AUC"]) == pytest.approx(area, abs=1e-6)
        assert drawn.loc[name].tolist() == pytest.approx([weight, area], rel=1e-5, abs=1e-6)
    both = {"plain average": combining.auc_average, "combination": combining.auc}
    for name, area in both.items():
        assert rows[name]["weight"][0] == "–"
        assert value(rows[name]["AUC"]) == pytest.approx(area, abs=1e-6)
        assert rows[name]["AUC"][0] == f"{area:.4f}"
        assert drawn.loc[name, "auc"] == pytest.approx(area, abs=1e-6)
    gain = page.csv["gain"].iloc[0]
    expected = [combining.difference, combining.low, combining.high, combining.pvalue]
    shown = gain[["gain", "low", "high", "pvalue"]].astype(float)
    np.testing.assert_allclose(shown, expected, rtol=1e-4, atol=1e-6)
    assert gain["conclusion"] == combining.conclusion


def test_areas_are_those_of_scikit_learn(recount, combining):
    """A class's mean placement is the folds' areas weighed by its members there."""
    at, areas = NAMES.index("tree"), []
    for a, b in combinations(range(K), 2):
        found, members = [], []
        for r, f in np.ndindex(recount.R, recount.F):
            rows = (recount.folds[r] == f) & np.isin(recount.y, (a, b))
            p = recount.p[at, r][rows]
            share = p[:, b] / np.maximum(p[:, a] + p[:, b], 1e-12)
            score = np.where(p[:, a] + p[:, b] > 0, share, 0.5)  # neither thought possible
            truth = recount.y[rows] == b
            found.append(roc_auc_score(truth, score))
            members.append([(~truth).sum(), truth.sum()])
        areas.append(np.mean([np.average(found, weights=w) for w in np.transpose(members)]))
    assert combining.aucs[at] == pytest.approx(np.mean(areas), abs=1e-9)


def test_the_best_weights_by_scipys_own_optimiser(recount):
    """The KKT conditions of the recount are those of the programme as it is written down."""
    scores = pair_scores(recount.p[:, 0], (0, 1))[np.isin(recount.y, (0, 1))]
    positive = recount.y[np.isin(recount.y, (0, 1))] == 1
    uniform = np.full(4, 1 / 4)
    for pull in (1.0, 0.1):

        def loss(w, pull=pull):
            margins = (scores[positive] @ w)[:, None] - scores[~positive] @ w
            return pull / 2 * ((w - uniform) ** 2).sum() - margins.mean()

        found = optimize.minimize(
            loss, uniform, method="SLSQP", bounds=[(0, 1)] * 4, options={"ftol": 1e-14},
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        )  # fmt: skip
        np.testing.assert_allclose(margin_weights(scores, positive, pull), found.x, atol=1e-5)


def test_errors_are_those_of_scikit_learns_confusion_matrix(read, page, best):
    own = read[1][read[1]["candidate"] == NAMES[best]]
    counts = np.mean(
        [confusion_matrix(t["truth"], t["predicted"]) for _, t in own.groupby("repetition")], axis=0
    )
    for row in page.table("The worst confusions, by the lower end of the share"):
        i, j = int(row["truth"][0]), int(row["taken for"][0])
        assert value(row["cases"]) == pytest.approx(counts[i, j])
        assert value(row["share of the class"]) == pytest.approx(counts[i, j] / counts[i].sum())
    drawn = page.csv["confusion"].set_index("truth").astype(float)
    order = [str(i) for i in range(K)]
    np.testing.assert_allclose(drawn.loc[order, order], counts, rtol=1e-5)


def test_what_was_computed_is_counted(read, page):
    (eyebrow,) = page.words["eyebrow"]
    assert f"{N} rows · 5 columns · 3 classes · 4 candidates · {len(read[4]) + 10} fits" in eyebrow
