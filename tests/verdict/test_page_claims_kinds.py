"""Tables and figures of the other kinds of page: other losses, rules, a race, a failure."""

import numpy as np
import pytest
from page_reading import value

KINDS = ["log-loss", "auc", "cost", "paper", "race", "failure", "noise", "guess"]


@pytest.fixture(params=KINDS)
def world(request, worlds):
    return worlds[request.param]


def test_candidates_in_order(world):
    r, edges = world.r, world.r.edges_of(world.shown)
    rows = {row["candidate"][0]: row for row in world.page.table("Candidates in order")}
    mean = next(head for head in next(iter(rows.values())) if head.startswith("mean "))
    for i, name in enumerate(r.names):
        row = rows[name]
        assert int(row["place"][0]) == r.order.index(i) + 1
        assert value(row[mean]) == pytest.approx(r.means[i], rel=1e-6)
        over = [r.names[j] for j in np.flatnonzero(edges[i])]
        assert row["overridden by"][0] == (", ".join(over) or "nobody")
        assert value(row["sd over folds"]) == pytest.approx(r.table[i].std(ddof=1), rel=1e-6)
        if r.loss != "auc":
            assert value(row["chosen again"]) == pytest.approx(world.selected.shares[i], abs=1e-8)
    for name in rows.keys() - set(r.names):
        own = world.trials[world.trials["candidate"] == name]
        lost = int((own["status"] != "ok").sum())
        after = own["repetition"].nunique()
        why = f"left out: {lost} fits failed" if lost else f"stopped after {after} of 5 repetitions"
        assert rows[name]["overridden by"][0] == why
        assert rows[name]["place"][0] == "–"


def test_folds_drawn(world):
    shown = world.page.csv["candidates"]
    column = shown.columns[-1]
    assert set(shown["candidate"]) == set(world.r.names)
    for name, folds in zip(world.r.names, world.shown, strict=True):
        own = shown[shown["candidate"] == name][column].astype(float)
        np.testing.assert_allclose(np.sort(own), np.sort(folds.ravel()), rtol=1e-5, atol=1e-8)


def test_pairs(world):
    r = world.r
    if r.m == 1:
        assert "differences" not in world.page.csv
        return
    rows = world.page.table("All pairs")
    assert len(rows) == r.m * (r.m - 1) / 2
    for row in rows:
        i, j = r.names.index(row["first"][0]), r.names.index(row["second"][0])
        shown = [value(cell) for head, cell in row.items()
                 if head.startswith(("difference", "from", "to", "p-value"))]  # fmt: skip
        np.testing.assert_allclose(shown, r.difference(i, j), rtol=1e-5, atol=1e-7)
        assert row["first is"][0] == r.answer(i, j)
    for row in world.page.csv["differences"].itertuples():
        mean, low, high, _ = r.difference(r.names.index(row.candidate), r.names.index(row.minus))
        shown = [float(x) for x in (row.difference, row.low, row.high)]
        np.testing.assert_allclose(shown, [mean, low, high], rtol=1e-4, atol=1e-6)


def test_prices_and_who_is_efficient(world):
    r, drawn = world.r, world.page.csv["price"].set_index("candidate")
    tested = r.n / r.F
    costs = [(r.means[i], world.seconds(n, "fit_seconds")) for i, n in enumerate(r.names)]
    for i, row in enumerate(world.page.table("Means a fit")):
        own = world.table[world.table["candidate"] == r.names[i]]
        asking = world.seconds(r.names[i], "predict_seconds") / tested
        expected = [*costs[i], asking, own["model_bytes"].iloc[0]]
        mean = next(head for head in row if head.startswith("mean "))
        heads = (mean, "to fit", "to predict a case", "size of the model")
        np.testing.assert_allclose([value(row[h]) for h in heads], expected, rtol=1e-6)
        columns = [drawn.columns[0], "fit_seconds", "predict_seconds", "model_bytes"]
        shown = drawn.loc[r.names[i], columns].astype(float)
        np.testing.assert_allclose(shown, expected, rtol=1e-5)
        beaten = any(a <= costs[i][0] and b <= costs[i][1] and (a, b) != costs[i] for a, b in costs)
        assert row["efficient"][0] == ("no" if beaten else "yes")


def test_weights_areas_and_errors(world):
    r = world.r
    if r.m > 1:
        c = world.combining
        rows = {row["ranker"][0]: row for row in world.page.table("Area under the ROC curve")}
        for name, weight, area in zip(r.names, c.weights, c.aucs, strict=True):
            assert value(rows[name]["weight"]) == pytest.approx(weight, abs=1e-6)
            assert value(rows[name]["AUC"]) == pytest.approx(area, abs=1e-6)
        assert value(rows["plain average"]["AUC"]) == pytest.approx(c.auc_average, abs=1e-6)
        assert value(rows["combination"]["AUC"]) == pytest.approx(c.auc, abs=1e-6)
    worst = world.page.table("The most frequent errors")
    assert [(int(x["truth"][0]), int(x["taken for"][0])) for x in worst] == world.worst
    for row, (i, j) in zip(worst, world.worst, strict=True):
        assert value(row["cases"]) == pytest.approx(world.confusion[i, j])
        share = world.confusion[i, j] / world.confusion[i].sum()
        assert value(row["share of the class"]) == pytest.approx(share)


def test_orders_of_several_runs(worlds):
    world = worlds["paper"]
    names, orders = world.r.names, world.r.orders
    rows = world.page.table("Best first")
    counted = {row["order found"][0]: int(row["runs"][0]) for row in rows}
    expected = {" · ".join(names[i] for i in one): orders.count(one) for one in orders}
    assert counted == expected
    assert rows[0]["order found"][0] == " · ".join(names[i] for i in world.r.order)


def test_fits_that_failed(worlds):
    world = worlds["failure"]
    failed = world.trials[world.trials["status"] != "ok"]
    (row,) = world.page.table("Fits that gave no predictions")
    assert row["candidate"][0] == "fickle"
    assert int(row["fits"][0]) == len(failed)
    first = failed.sort_values(["repetition", "fold"]).iloc[:2]
    places = [f"repetition {r + 1} fold {f + 1}" for r, f in first[["repetition", "fold"]].values]
    assert row["where"][0] == f"{'; '.join(places)} and {len(failed) - 2} more"
    assert row["cause"][0] == "ValueError: no luck today"
