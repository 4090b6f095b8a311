"""Tables and figures of the other kinds of page: other losses, rules, a race, a failure."""

import numpy as np
import pytest
from page_kinds import KINDS as EVERY_KIND
from page_numbers import said_of
from page_reading import value
from page_words_kinds import remedy, too_dear

KINDS = [kind for kind in EVERY_KIND if kind != "error"]  # that has tests of its own


@pytest.fixture(params=KINDS)
def world(request, worlds):
    return worlds[request.param]


def test_candidates_in_order(world):
    r, edges = world.r, world.r.edges_of(world.shown)
    caption = f"Candidates in order of preference, {world.degrees}"
    rows = {row["candidate"][0]: row for row in world.page.table(caption)}
    mean = next(head for head in next(iter(rows.values())) if head.startswith("mean "))
    for i, name in enumerate(r.names):
        row = rows[name]
        assert int(row["place"][0]) == r.order.index(i) + 1
        assert value(row[mean]) == pytest.approx(r.means[i], rel=1e-6)
        over = [r.names[j] for j in np.flatnonzero(edges[i])]
        assert row["overridden by"][0] == said_of(over)
        assert value(row["sd over folds"]) == pytest.approx(r.table[i].std(ddof=1), rel=1e-5)
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
    if not world.timed:
        assert "price" not in world.page.csv
        return
    r, drawn = world.r, world.page.csv["price"].set_index("candidate")
    tested = world.tested
    costs = [(r.means[i], world.seconds(n, "fit_seconds")) for i, n in enumerate(r.names)]
    for i, row in enumerate(world.page.table("Means over fits")):
        own = world.table[world.table["candidate"] == r.names[i]]
        asking = world.seconds(r.names[i], "predict_seconds") / tested
        expected = [*costs[i], asking, own["model_bytes"].iloc[0]]
        mean = next(head for head in row if head.startswith("mean "))
        heads = (mean, "to fit", "to predict one case", "size of the model")
        np.testing.assert_allclose([value(row[h]) for h in heads], expected, rtol=1e-6)
        columns = [drawn.columns[0], "fit_seconds", "predict_seconds", "model_bytes"]
        shown = drawn.loc[r.names[i], columns].astype(float)
        np.testing.assert_allclose(shown, expected, rtol=1e-5)
        beaten = any(a <= costs[i][0] and b <= costs[i][1] and (a, b) != costs[i] for a, b in costs)
        assert row["efficient"][0] == ("no" if beaten else "yes")


def test_weights_areas_and_errors(world):
    r = world.r
    if world.asked_combining:
        c = world.combining
        soft = 1e-3 if r.k == 2 else 1e-6  # of two classes a weight is found to a given gap
        rows = {row["ranker"][0]: row for row in world.page.table("Area under the ROC curve")}
        for name, weight, area in zip(r.names, c.weights, c.aucs, strict=True):
            assert value(rows[name]["weight"]) == pytest.approx(weight, abs=soft)
            assert value(rows[name]["AUC"]) == pytest.approx(area, abs=1e-6)
        assert value(rows["plain average"]["AUC"]) == pytest.approx(c.auc_average, abs=1e-6)
        assert value(rows["combination"]["AUC"]) == pytest.approx(c.auc, abs=1e-6)
    worst = (
        world.page.table("The worst confusions, by the lower end of the share")
        if world.worst
        else []
    )
    codes = [tuple(r.classes.index(x[head][0]) for head in ("truth", "taken for")) for x in worst]
    assert codes == world.worst
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


@pytest.mark.parametrize("kind", ["many classes", "two classes"])
def test_candidates_that_were_not_tried(worlds, kind):
    world = worlds[kind]
    rows = world.page.table("Built-in candidates that were not tried")
    dear = too_dear(world) or {"SVM orthogonal": None}
    assert [row["candidate"][0] for row in rows] == list(dear)
    for row, (name, cause) in zip(rows, dear.items(), strict=True):
        if cause is None:
            assert row["why"][0] == "with two classes it is the same as SVM pairwise"
            assert "to try it" not in row
        else:
            assert row["why"][0].startswith(f"{cause[0]} classes, more than {cause[1]}: ")
            assert row["to try it"][0] == remedy(world, *world.r.names, name)
    count = f"{len(dear)} candidate{'s' * (len(dear) > 1)}"
    assert f"Not tried: {count}" in world.page.words["summary"]


def test_times_and_sizes_that_came_with_some_predictions(worlds):
    """Those that are known, a dash for the others, and nobody is called efficient."""
    world = worlds["elsewhere labels"]
    rows = world.page.table("Means over fits")
    assert "efficient" not in rows[0]
    for row in rows:
        name = row["candidate"][0]
        size = world.table[world.table["candidate"] == name]["model_bytes"].iloc[0]
        seconds = [world.seconds(name, "fit_seconds"),
                   world.seconds(name, "predict_seconds") / world.tested]  # fmt: skip
        expected = [time or np.nan for time in seconds] + [size]
        cells = [row[head] for head in ("to fit", "to predict one case", "size of the model")]
        for cell, wanted in zip(cells, expected, strict=True):
            assert (cell[0] == "–") == np.isnan(wanted)
            assert np.isnan(wanted) or value(cell) == pytest.approx(wanted, rel=1e-6)
    assert "Means over fits" not in "".join(worlds["elsewhere"].page.tables)


def test_groups_are_whole_in_every_fold(worlds):
    for kind in ("groups", "groups perfect"):
        world = worlds[kind]
        for folds in world.r.folds:
            assert all(len(set(folds[world.groups == one])) == 1 for one in set(world.groups))


def test_every_fit_saw_earlier_rows_alone(worlds):
    """The rows of a fold are later than all of those before, and all in one block each."""
    for kind in ("time perfect", "many classes", "two classes"):
        world = worlds[kind]
        in_order = world.r.folds[0][np.argsort(world.times, kind="stable")]
        assert (np.diff(in_order) >= 0).all()
        sizes = np.bincount(in_order + 1)
        assert len(sizes) == 6
        assert np.ptp(sizes) <= 1
