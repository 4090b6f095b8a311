"""Which tables and figures there are on every kind of page, and what no other test speaks of."""

import re

import numpy as np
import pytest
from page_drawing import figure_of, marks
from page_kinds import KINDS
from page_numbers import agree
from page_reading import value
from page_words_rest import curves, thousand
from scipy import stats
from sklearn.metrics import precision_recall_curve, roc_auc_score, roc_curve


@pytest.fixture(params=KINDS)
def world(request, worlds):
    return worlds[request.param]


# --- which there are ----------------------------------------------------------------------------


def tables_of(w):
    """What the tables of a page are called, in their order, by what is known of its study."""
    clocks = [w.seconds(name, one) > 0 for name in w.r.names
              for one in ("fit_seconds", "predict_seconds")]  # fmt: skip
    found = {
        "Candidates in order of preference": True,
        "Built-in candidates that were not tried": w.verdict["dataset"]["name"] == "plants",
        "Best first": len(w.r.orders) > 1,
        "All pairs": w.r.m > 1,
        "Means over fits": any(clocks) or w.table["model_bytes"].notna().any(),
        "Out-of-fold scores": w.name not in w.hard,
        "Cross-fitted": w.name not in w.hard,
        "Fits to bootstrap samples": w.bags is not None,
        "Area under the ROC curve": w.asked_combining,
        "The worst confusions, by the lower end of the share": bool(w.worst),
        "Rise of the ": bool(w.verdict["columns"]),
        "Fits that gave no predictions": (w.trials["status"] != "ok").any(),
        "Test, numbers and assumption": True,
    }
    return [name for name, there in found.items() if there]


def figures_of(w):
    """The same of its figures; a thousand cases are drawn where the loss counts them."""
    found = {
        "new-cases": w.r.loss == "error",
        "candidates": True,
        "differences": w.r.m > 1,
        "price": w.timed,
        "trace": w.name not in w.hard,
        "reliability": w.name not in w.hard,
        "learning-curve": w.bags is not None,
        "error-budget": w.bags is not None,
        "bagging": w.bags is not None,
        "gain": w.asked_combining,
        "weights": w.asked_combining,
        "confusion": True,
        "roc": bool(curves(w)),
        "precision-recall": bool(curves(w)),
        "columns": bool(w.verdict["columns"]),
        **{f"dependence-{i}": bool(w.verdict["columns"]) for i in range(1, 1 + min(w.columns, 3))},
    }
    return [name for name, there in found.items() if there]


def test_tables_and_figures_are_those_that_there_is_something_to_say_in(world):
    """A new one fails here: it needs a test, and its name above."""
    captions, expected = list(world.page.tables), tables_of(world)
    assert len(captions) == len(expected), captions
    assert all(a.startswith(b) for a, b in zip(captions, expected, strict=True)), captions
    assert list(world.page.csv) == figures_of(world)


def test_every_table_and_figure_occurs(worlds):
    """And is absent somewhere, unless every page has it."""
    for names, count in ((tables_of, 13), (figures_of, 18)):
        there = [set(names(world)) for world in worlds.values()]
        assert len(set.union(*there)) == count
        assert len(set.intersection(*there)) == 2


# --- numbers ------------------------------------------------------------------------------------


def test_a_thousand_new_cases(world):
    """Numbers, and every dot: full, pale and empty ones."""
    if world.r.loss != "error":
        assert "new-cases" not in world.page.csv
        return
    about, low, high = thousand(world)
    (row,) = world.page.csv["new-cases"].astype(int).to_dict("records")
    assert row == {"wrong": about, "low": low, "high": high}
    figure = figure_of(world.html, "new-cases")
    spans = {"sure": low, "about": about - low, "perhaps": high - about, "right": 1000 - high}
    drawn = []
    for kind, count in spans.items():
        paths = marks(figure, "path", f"dots {kind}")
        dots = [dot for path in paths for dot in path["d"].split("M")[1:]]
        assert len(dots) == count, kind
        drawn += dots
    assert drawn == [f"{10 * (i // 25) + 5} {10 * (i % 25) + 5}h0" for i in range(1000)]


def test_candidates_figure_fold_by_fold(world):
    """Every fold under its number, the candidates in order of preference."""
    shown = world.page.csv["candidates"]
    assert list(shown["candidate"].unique()) == world.r.names
    for name, folds in zip(world.r.names, world.shown, strict=True):
        own = shown[shown["candidate"] == name].set_index("fold").iloc[:, -1].astype(float)
        assert own.index.astype(int).tolist() == list(range(1, folds.size + 1))
        np.testing.assert_allclose(own, folds.ravel(), rtol=5.001e-6, atol=1e-8)


def test_differences_figure(world):
    """Every pair once, the less preferred first, with its answer."""
    if world.r.m == 1:
        assert "differences" not in world.page.csv
        return
    r = world.r
    rows = world.page.csv["differences"].to_dict("records")
    below = [(i, j) for i in range(r.m) for j in range(i)]
    assert [(row["candidate"], row["minus"]) for row in rows] == [
        (r.names[i], r.names[j]) for i, j in below
    ]
    for row, (i, j) in zip(rows, below, strict=True):
        shown = [float(row[one]) for one in ("difference", "low", "high")]
        np.testing.assert_allclose(shown, r.difference(i, j)[:3], rtol=1e-5, atol=1e-7)
        assert row["answer"] == r.answer(i, j)


def test_price_figure(world):
    """Who is efficient, by either clock."""
    if not world.timed:
        assert "price" not in world.page.csv
        return
    rows = world.page.csv["price"]
    assert rows["candidate"].tolist() == world.r.names
    for clock in ("fit", "predict"):
        times = [world.seconds(name, f"{clock}_seconds") for name in world.r.names]
        costs = list(zip(world.r.means, times, strict=True))
        edge = [not any(a <= x and b <= y and (a, b) != (x, y) for a, b in costs)
                for x, y in costs]  # fmt: skip
        assert (rows[f"efficient_{clock}"] == "True").tolist() == edge


def test_combining_in_numbers(world):
    """Weights and areas of the table and of the figures, and the gain with its interval."""
    if not world.asked_combining:
        assert not world.page.csv.keys() & {"weights", "gain"}
        return
    c, soft = world.combining, 1e-3 if world.r.k == 2 else 1e-6
    rows = world.page.table("Area under the ROC curve")
    drawn = world.page.csv["weights"]
    names = [*world.r.names, "plain average", "combination"]
    assert [row["ranker"][0] for row in rows] == drawn["ranker"].tolist() == names
    areas = [*c.aucs, c.auc_average, c.auc]
    np.testing.assert_allclose([value(row["AUC"]) for row in rows], areas, atol=1e-6)
    np.testing.assert_allclose(drawn["auc"].astype(float), areas, atol=2e-6)
    for row, area in zip(rows, areas, strict=True):
        agree(row["AUC"][0], [area], [])
    for i, weight in enumerate(c.weights):
        assert float(drawn["weight"][i]) == pytest.approx(weight, rel=5.001e-6, abs=soft)
        assert float(rows[i]["weight"][0]) == pytest.approx(weight, abs=0.005001 + soft)
    assert [row["weight"][0] for row in rows[-2:]] == ["–", "–"]
    gain = world.page.csv["gain"].iloc[0]
    shown = gain[["gain", "low", "high", "pvalue"]].astype(float)
    expected = [c.difference, c.low, c.high, c.pvalue]
    np.testing.assert_allclose(shown, expected, rtol=1e-4, atol=1e-6)
    assert gain["conclusion"] == c.conclusion


def test_ranking_curves_are_scikit_learns(world):
    """Every point drawn is one of scikit-learn's curves of the first repetition."""
    for name, scores, positive in curves(world):
        false, true, _ = roc_curve(positive, scores, drop_intermediate=False)
        shown = {
            kind: own[own["candidate"] == name].drop(columns="candidate").astype(float)
            for kind in ("roc", "precision-recall")
            for own in [world.page.csv[kind]]
        }
        points = shown["roc"].to_numpy()
        assert 2 < len(points) <= 201
        np.testing.assert_allclose([points[0], points[-1]], [[0, 0], [1, 1]])
        gaps = np.abs(points[:, None] - np.stack([false, true], axis=1)).max(axis=2).min(axis=1)
        assert gaps.max() < 1e-5
        precision, recall, _ = precision_recall_curve(positive, scores)
        points = shown["precision-recall"].to_numpy()[1:]
        known = np.stack([recall, precision], axis=1)
        assert np.abs(points[:, None] - known).max(axis=2).min(axis=1).max() < 1e-5


def test_bands_of_ranking_curves(world):
    """The edges drawn are the corners of Wilson's intervals, each at the root of 95 %."""
    for i, (name, _, positive) in enumerate(curves(world)):
        points = world.page.csv["roc"]
        points = points[points["candidate"] == name].drop(columns="candidate").astype(float)
        ends = [
            wilson(share, n, 0.95**0.5)
            for share, n in zip(
                points.to_numpy().T, ((~positive).sum(), positive.sum()), strict=True
            )
        ]
        corners = np.concatenate(
            [
                np.stack([ends[0][1], ends[1][0]], axis=1),
                np.stack([ends[0][0], ends[1][1]], axis=1)[::-1],
            ]
        )
        paths = re.findall(
            r'class="band (?:best|rival)" d="M([^"]*)Z"', figure_of(world.html, "roc")
        )
        drawn = np.array([[float(x) for x in place.split()] for place in paths[-1 - i].split("L")])
        expected = [2 + 96 * corners[:, 0], 240 - 202 * corners[:, 1]]
        np.testing.assert_allclose(drawn, np.stack(expected, axis=1), atol=0.02)


def wilson(share, n, level):
    z = stats.norm.isf((1 - level) / 2)
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return middle - half, middle + half


@pytest.mark.parametrize("kind", ["auc", "two classes"])
def test_auc_in_every_fold_is_scikit_learns(worlds, kind):
    r = worlds[kind].r
    assert r.loss == "auc"
    for i, repetition, f in np.ndindex(r.m, r.R, r.F):
        rows = r.folds[repetition] == f
        p = r.exported[i, repetition, rows]
        area = roc_auc_score(r.y[rows], p[:, 1] if r.k == 2 else p, multi_class="ovo")
        assert r.table[i, repetition, f] == pytest.approx(1 - area, abs=1e-9)


def test_confusion_figure(world):
    """Every cell, the classes in whatever order, by scikit-learn's own counts."""
    shown = world.page.csv["confusion"].set_index("truth")
    assert sorted(shown.index) == sorted(shown.columns) == sorted(world.r.classes)
    assert list(shown.index) == list(shown.columns)
    cells = shown.loc[world.r.classes, world.r.classes].astype(float)
    np.testing.assert_allclose(cells, world.confusion, rtol=5.001e-6)
    assert cells.to_numpy().sum() == pytest.approx(world.r.judged.sum(), rel=1e-5)


def test_fits_that_failed_where_any_did(world):
    failed = world.trials[world.trials["status"] != "ok"]
    rows = world.page.table("Fits that gave no predictions") if len(failed) else []
    by_name = dict(list(failed.groupby("candidate")))
    assert {row["candidate"][0] for row in rows} == set(by_name)
    for row in rows:
        own = by_name[row["candidate"][0]].sort_values(["repetition", "fold"])
        assert int(row["fits"][0]) == len(own)
        places = [f"repetition {r + 1} fold {f + 1}" for r, f in own[["repetition", "fold"]].values]
        more = f"; {len(own) - 2} more" * (len(own) > 2)
        assert row["where"][0] == f"{'; '.join(places[:2])}{more}"
        assert row["cause"][0] == "ValueError: no luck today"


# --- from other draws ---------------------------------------------------------------------------


@pytest.mark.long
def test_the_expected_loss_from_other_draws(world):
    """A bootstrap of one's own agrees as far as so many draws can."""
    rows = {row["candidate"][0]: row for row in world.page.table("Candidates in order")}
    if world.r.loss == "auc":
        assert "chosen again" not in rows[world.name]
        assert world.verdict["selected"] is None
        return
    draws = world.r.draws(seed=5, groups=world.groups)
    mine = world.r.selected(draws, guesses=world.guesses, groups=world.groups)
    told = world.verdict["selected"]
    again = np.array([value(rows[name]["chosen again"]) for name in world.r.names])
    chance = np.sqrt(mine.shares * (1 - mine.shares) * 2 / len(draws[0]))
    assert (np.abs(again - mine.shares) <= 4 * chance + 0.004).all()
    simulation = mine.optimism.std() * np.sqrt(2 / len(draws[0]))
    near = 4 * simulation + 1e-9
    assert told["expected"] == pytest.approx(mine.expected, abs=near)
    if world.r.m > 1 and told["expected"] > 0:
        assert told["low"] == pytest.approx(mine.low, abs=2 * near)
        assert told["high"] == pytest.approx(mine.high, abs=2 * near)
